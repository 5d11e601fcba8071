#!/bin/sh
# Simulate and mine each threaded example: the miner names the cause that is known to be there, no longer does after the repair, and the
# repaired program takes less simulated time. All with the miner's defaults.
. "$(dirname "$0")/lib.sh"
cp "$SOURCE"/examples/threaded/*.[ch] "$SOURCE"/examples/threaded/Makefile .
make -s CC="${EXAMPLE_CC:-gcc}" CFLAGS='-O1 -g -static' || exit 99

# named FUNCTION KIND TEXT (both patterns): "yes" if the last result has the function as a finding or part of a pattern, or (KIND wait) as a wait that takes more than a
# tenth of the time, with a line of the source that holds TEXT; "elsewhere" if only at other lines (after the repair that is as good as no:
# the repaired decoder's idct still meets a little contention at its table of cosines, and so is a pattern that costs less than a hundredth of the time)
named() {
    if [ "$2" = wait ]; then
        jq -r --arg f "$1" '.waits[] | select(.function == $f and .share > 0.1) | "\(.file):\(.line)"' out
    else
        jq -r --arg f "^($1)\$" --arg k "$2" --argjson least "$([ "$version" ] && echo 0.01 || echo 0)" '(.findings[] | select(.function // "" | test($f))), (.patterns[] | select(.lost >= $least).items[] | select((.function // "" | test($f)) and .kind == $k)) | "\(.file):\(.line)"' out
    fi | sort -u >places
    while IFS=: read -r file line; do
        sed -n "${line}p" "$file" | grep -qE -- "$3" && { echo yes; return; }
    done <places
    [ -s places ] && echo "elsewhere" || echo no
}

check() { # check PROGRAM CORES KIND FUNCTION TEXT [FUNCTION TEXT]
    program=$1 cores=$2 kind=$3
    shift 3
    for version in "" -fixed; do
        env -i PATH="$PATH" "$CORECAST" simulate -p mips-smp -n "$cores" --trace t --json -o "r$version.json" -- "./$program$version" "$cores" >"o$version" 2>err
        is $? 0 "$program$version runs"
        cc mine contention --json t
        is "$RC $(named "$1" "$kind" "$2" | sed "${version:+s/elsewhere/no/}")" "0 $([ "$version" ] && echo no || echo yes)" "$program$version: $1 is ${version:+not }named, at '$2'"
        [ $# -lt 4 ] ||
            is "$(named "$3" "$kind" "$4" | sed "${version:+s/elsewhere/no/}")" "$([ "$version" ] && echo no || echo yes)" "$program$version: $3 is ${version:+not }named, at '$4'"
    done
    cmp -s o o-fixed; ok $? "$program: both versions compute the same"
    [ "$(jq .cycles r-fixed.json)" -lt "$(jq .cycles r.json)" ]
    ok $? "$program: the repair saves time ($(jq .cycles r.json) to $(jq .cycles r-fixed.json) cycles)"
}
check matmul 4 wait barrier_wait 'while .atomic_load_explicit.&barrier_round'
check mandelbrot 4 fetch soft_add '' soft_mul ''
check decoder 4 load 'idct|block_memcpy' 'u = in\[|from\['
check radix 4 atomic count_digits 'atomic_fetch_add.&shared_count.d., 1'
check lu 8 store init_matrix 'a.i..j. = value'
check stencil 4 store clear_row 'row.j'
check fft 4 load butterflies 'a = signal.at.'

# items with context: the counting is in a loop, called in the loop over digits
"$CORECAST" simulate -q -p mips-smp -n 4 --trace t -- ./radix 4 >o 2>err
line() { grep -n "$2" "$1" | head -1 | cut -d: -f1; }
cc mine contention --json t
is "$(json '[.findings[]|select(.cause == "true sharing")][0].path[-2:]|map("\(.function) \(.line) \(.loop)")|join(", ")')" \
    "work $(line radix.c 'count_digits(from, low') $(line radix.c 'for (int pass'), count_digits $(line radix.c atomic_fetch_add) $(line radix.c 'for (int i = low')" "a finding knows its path and its loops"
cc mine contention --json --item path t
is "$(json '[.findings[]|select(.cause == "true sharing")]|length') $(json '[.patterns[0].items[].function]|unique|join(", ")')" \
    "2 main > run_threads > work > count_digits, work > count_digits" "the first thread comes to the line on another path"
cc mine contention --json --item loop t
is "$(json '[.findings[]|select(.cause == "true sharing" and .function == "count_digits")]|length')" 1 "and is in the same loop"

# a larger write buffer takes the stencil's bursts
for slots in 8 16; do
    "$CORECAST" simulate -p mips-smp -n 4 --set cache.l1d.write_buffer=$slots --json -o b$slots.json -- ./stencil >o 2>err
done
is "$(jq -n --slurpfile a b8.json --slurpfile b b16.json '$b[0].latency.store.mean < 0.8 * $a[0].latency.store.mean')" true \
    "16 slots instead of 8 cut the mean store latency ($(jq .latency.store.mean b8.json) to $(jq .latency.store.mean b16.json))"
done_testing
