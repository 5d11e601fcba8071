#!/bin/sh
# How well predictions meet the machine this runs on: the programs of bench/truth in sizes for real machines. The code that the compiler makes for threads is run by
# one, without a runtime (bench/truth/sequential.c), and recorded by the native engine, with co-runs; speed-ups are against it, without marks. Every scenario is
# predicted and the OpenMP programs are run with 1, 2, 4 … all CPUs. Prints a table (Markdown): error beside the spread of the runs, and how often the stated intervals held.
#
#   bench/truth-machine.sh                        builds into a temporary folder and runs there
#   bench/truth-machine.sh build FOLDER [PREFIX]  only builds: needs a compiler (PREFIXgcc) and this source tree
#   bench/truth-machine.sh run FOLDER             only runs: needs a built corecast (CORECAST=…), sh and awk
#
# Environment: CORECAST, BUILD (where it was built), PROGRAMS (scenarios; all), CORES (1,2,4 … all), REPEAT (7), ROUNDS (of co-runs, 5), COUNT (middle, or least for a machine
# that others use), TIME (of characterize, 1), LIMIT (seconds after which no further program is begun; 420, so that
# the whole takes less than eight minutes; 0: none).
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
CORECAST=${CORECAST:-${BUILD:-$SOURCE/build}/corecast}
LEARNT="random fractal bodies product transpose heat triad sparse paths lu dot count queens triangle-static triangle-dynamic triangle-guided"
HELD_OUT="chase scatter align sort blur parts levels pack"

build() { # build FOLDER PREFIX
    gcc=${2}gcc flags="-O2 -w -DTRUTH_LARGE -I$SOURCE/include"
    # some of Intel's processors run a loop by up to a half slower where a jump crosses 32 bytes, which the linker decides
    case $($gcc -dumpmachine) in x86_64*) flags="$flags -Wa,-mbranches-within-32B-boundaries" ;; esac
    omp="-fopenmp -Wl,-Bstatic -lgomp -Wl,-Bdynamic -static-libgcc"
    mkdir -p "$1" && $gcc -O2 -w -c "$SOURCE/bench/truth/sequential.c" -o "$1/sequential.o" || exit 1
    for s in $LEARNT $HELD_OUT; do
        p=$s
        [ -f "$SOURCE/bench/truth/$p.c" ] || p=${s%-*}
        schedule=$(sed -n 's/.*\(schedule([^)]*)\).*/\1/p' "$SOURCE/bench/truth/$s.omp" | head -1)
        cp "$SOURCE/bench/truth/$s.omp" "$1/" || exit 1
        set -- "$1" "$2" "-DSCHEDULE=${schedule:-schedule(static)}" "$SOURCE/bench/truth/$p.c"
        # what the compiler makes for threads is not the serial program's code: one thread runs it, without a runtime
        $gcc $flags -DCORECAST_NATIVE "$3" -fopenmp -c "$4" -o "$1/$s.o" || exit 1
        $gcc $flags -DCORECAST_NATIVE "$1/$s.o" "$1/sequential.o" "$SOURCE/engines/native/native.c" -o "$1/$s-marked" -lpthread -lm || exit 1
        rm "$1/$s.o"
        $gcc $flags -DCORECAST_OFF "$3" -fopenmp -c "$4" -o "$1/$s.o" || exit 1
        $gcc "$1/$s.o" "$1/sequential.o" -o "$1/$s-sequential" -lm || exit 1
        rm "$1/$s.o"
        $gcc $flags -DCORECAST_OFF "$3" "$4" -o "$1/$s-omp" $omp -lm || exit 1
    done
    for b in openmp memory cores; do
        $gcc -O2 -w "$SOURCE/engines/characterize/$b.c" -o "$1/bench-$b" $omp -lpthread -lm || exit 1
    done
    $gcc --version | head -1 >"$1/compiler"
}

# 1,2,4 … n
powers() {
    k=1
    while [ $k -lt "$1" ]; do printf '%d,' $k; k=$((k * 2)); done
    echo "$1"
}

characterize() {
    $quiet "$CORECAST" characterize --time "${TIME:-1}" -o here.ini && return
    # where OpenMP's library is not installed: the same programs, which have it in them
    for b in openmp memory cores; do $quiet "./bench-$b" "${TIME:-1}" || exit 1; done >here.txt || exit 1
    "$CORECAST" characterize --import here.txt --name here -o here.ini
}

one() { # one SCENARIO: a row of the table, points into points.csv
    $quiet "$CORECAST" record -q --engine native --repeat "${ROUNDS:-5}" ${corun:+--corun "$corun"} -o "$1.cast" -- "./$1-marked" >/dev/null 2>&1 || {
        echo "| $1 | could not be recorded |"
        return
    }
    $quiet "$CORECAST" validate -q "$1.cast" --platform here.ini --scenario "$1.omp" --cores "$cores" --repeat "${REPEAT:-7}" --count "${COUNT:-middle}" --timer kernel \
        --serial "./$1-sequential" --run "OMP_NUM_THREADS={n} ./$1-omp" --csv >"$1.csv" 2>"$1.log" || {
        echo "| $1 | $(head -1 "$1.log") |"
        return
    }
    awk -F, -v kind="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { e = $at["error"]; inside = $at["inside"] == "yes"; if (NR == 2) printf "| %s |", $at["scenario"]
          printf " %.2f / %.2f %+.1f %% (%.1f)%s |", $at["predicted"], $at["measured"], 100 * e, 100 * $at["spread"], inside ? "" : " ↕"
          print kind, $at["scenario"], $at["processors"], e < 0 ? -e : e, $at["spread"], inside >>"points" }
        END { print "" }' "$1.csv"
}

# Of points "KIND SCENARIO PROCESSORS ERROR SPREAD INSIDE" of a kind, more than one processor or all.
summary() { # summary TEXT KIND LEAST-PROCESSORS
    awk -v kind="$2" -v from="$3" -v text="$1" '$3 >= from && (kind == "all" || $1 == kind) {
            n++; e += $4; s += $5; inside += $6; if ($4 > worst) { worst = $4; where = $2 " on " $3 } }
        END { if (n) { aim = 1.5 * s / n; aim = aim < 0.05 ? 0.05 : aim
              printf "%s: %d points, mean error %.1f %% beside a spread of %.1f %% (aim %.1f %%: %s), worst %.1f %% (%s); intervals hold %.0f %%\n", text, n, 100 * e / n, 100 * s / n,
                     100 * aim, e / n <= aim ? "met" : "missed", 100 * worst, where, 100 * inside / n } }' points
}

run() { # run FOLDER
    cd "$1" || exit 1
    began=$(date +%s)
    n=$(nproc)
    cores=${CORES:-$(powers "$n")}
    corun=$(echo "$cores" | tr , '\n' | awk '$1 > 1' | paste -sd, -)
    # A real-time priority, where it is allowed, keeps the other work of the machine out of all measurements alike.
    quiet=""
    chrt -f 1 true 2>/dev/null && quiet="chrt -f 1"
    : >points
    characterize || exit 1
    echo
    echo "machine: $(uname -m), $n CPUs, $(sed -n 's/^clock_mhz = \([0-9]*\).*/\1/p' here.ini) MHz; $(cat compiler); $(date -u +%Y-%m-%d); the ${COUNT:-middle} of ${REPEAT:-7} runs${quiet:+ at real-time priority}"
    echo
    echo "Speed-up predicted / measured, error and (spread of the runs) on so many processors; ↕: outside the stated interval of 90 %."
    echo
    echo "| program | $(echo "$cores" | sed 's/,/ | /g') |"
    echo "|---|$(echo "$cores" | sed 's/[0-9][0-9]*,*/---|/g')"
    for s in ${PROGRAMS:-$LEARNT $HELD_OUT}; do
        if [ "${LIMIT:-420}" -gt 0 ] && [ $(($(date +%s) - began)) -gt "${LIMIT:-420}" ]; then
            echo "| $s | no time left |"
            continue
        fi
        case " $HELD_OUT " in *" $s "*) one "$s" held-out ;; *) one "$s" learnt ;; esac
    done
    echo
    summary "all" all 1
    summary "more than one processor" all 2
    summary "held out" held-out 1
}

case ${1:-all} in
build) build "$2" "${3:-}" ;;
run) run "$2" ;;
all)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build "$work" ""
    run "$work"
    ;;
*) sed -n '2,/^SOURCE/p' "$0" | grep '^#' >&2; exit 2 ;;
esac
