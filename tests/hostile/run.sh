#!/bin/bash
# hostile: programs that are hard to measure, each under both engines. A run must end as the program does without us, write what it writes,
# and leave a profile with as many calls of `work` as the program counted; one that was killed may have fewer.
# usage: run.sh CORECAST SOURCE [KIND…]     prints a line for what is wrong, and counts at the end
# COMPILER=mipsel-linux-gnu-gcc (or riscv64-, arm-…): the same for another machine, under QEMU alone; without us means in QEMU
set -u
corecast=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 99
compiler=${COMPILER:-gcc} engines="valgrind qemu" emulator=
triplet=$($compiler -dumpmachine) || exit 99
if [ "$triplet" != "$(gcc -dumpmachine)" ]; then
    engines=qemu emulator=qemu-${triplet%%-*}
    export QEMU_LD_PREFIX=/usr/$triplet
fi
$compiler -O1 -g -std=gnu11 -o hostile "$source"/tests/hostile/*.c -lpthread -ldl || exit 99
kinds=${*:-$($emulator ./hostile)}
tried=0 crashed=0 hung=0 wrong=0 lost=0
bad() { echo "$engine $kind: $1: $2"; }
for kind in $kinds; do
    # the status of the first of a pipe: a stream that no limit on files concerns
    timeout 60 $emulator ./hostile "$kind" 2>/dev/null | cat >native.out
    native=${PIPESTATUS[0]}
    if [ "$native" -ge 98 ] && [ "$native" -lt 125 ]; then echo "$kind cannot be tried here"; continue; fi
    for engine in $engines; do
        rm -rf p.cast* own-* gone-* root-*
        tried=$((tried + 1))
        timeout -s KILL 120 "$corecast" record --engine $engine -o p.cast ./hostile "$kind" 2>err | cat >out
        status=${PIPESTATUS[0]}
        # Valgrind 3.19 executes its own tool when a program executes /proc/self/exe
        want=$native
        [ "$engine $kind" = "valgrind exec-self" ] && want=$status
        own=$(sed -n 's/^calls //p' out | tail -1)
        if [ "$status" = 137 ] && [ "$want" != 137 ]; then hung=$((hung + 1)); bad hung ""; continue; fi
        if [ "$status" != "$want" ]; then
            if [ "$status" = 125 ] || [ "$status" -gt 128 ]; then crashed=$((crashed + 1)); else wrong=$((wrong + 1)); fi
            bad status "$status, want $want: $(head -c 200 err)"
        fi
        if ! "$corecast" report p.cast --view functions --min-share 0 --json >f.json 2>err2; then
            lost=$((lost + 1)); bad lost "$(head -c 300 err)$(head -c 300 err2)"; continue
        fi
        complete=$("$corecast" report p.cast --json | jq .complete)
        calls=$(jq '[.functions[]|select(.name=="work")|.calls]|add // 0' f.json)
        if [ -n "$own" ] && { [ "$complete" = true ] && [ "$kind" != close-streams ] && [ "$kind" != seccomp-strict ] && [ "$calls" != "$own" ]; }; then
            wrong=$((wrong + 1)); bad calls "$calls, want $own"
        fi
        [ "$(ls -d p.cast* | tr '\n' ' ')" = "p.cast " ] || { wrong=$((wrong + 1)); bad left "$(ls -d p.cast*)"; }
        [ "${VERBOSE:-}" ] && echo "$engine $kind: status $status, complete $complete, calls $calls of ${own:-?}"
    done
done
echo "hostile: $(echo $kinds | wc -w) kinds x $(echo $engines | wc -w) engines: tried $tried, crashed $crashed, hung $hung, wrong $wrong, lost $lost"
[ $((crashed + hung + wrong + lost)) = 0 ]
