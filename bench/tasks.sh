#!/bin/sh
# What tasks cost: many small and few large ones, made by one thread or in a recursion, predicted from costs that characterize measured, and run.
#   bench/tasks.sh build FOLDER        builds the program (a compiler)
#   bench/tasks.sh run FOLDER          runs it with 1, 2, 4 … all CPUs into FOLDER/tasks.txt (no corecast)
#   bench/tasks.sh table FOLDER INI    predicts the same for a platform file (CORECAST=…) and prints both
#   bench/tasks.sh                     all of it here
# Environment: CORECAST, REPEAT (201).
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
CORECAST=${CORECAST:-${BUILD:-$SOURCE/build}/corecast}
SHAPES="flat:1000:200 flat:1000:1000 flat:1000:5000 flat:100:50000 tree:1023:200 tree:1023:1000 tree:1023:5000 tree:127:50000 cut:4095:200 cut:4095:1000"

build() { # build FOLDER
    mkdir -p "$1" && ${CC:-gcc} -O2 -fopenmp "$SOURCE/bench/tasks/tasks.c" -o "$1/tasks" -Wl,-Bstatic -lgomp -Wl,-Bdynamic -static-libgcc
}

run() { # run FOLDER
    quiet=""
    chrt -f 1 true 2>/dev/null && quiet="chrt -f 1"
    n=$(nproc) k=1
    while :; do
        for shape in $SHAPES; do
            echo "$shape $k $(OMP_NUM_THREADS=$k $quiet "$1/tasks" $(echo "$shape" | tr : ' ') "${REPEAT:-201}")"
        done
        [ $k -lt "$n" ] || break
        k=$((2 * k > n ? n : 2 * k))
    done >"$1/tasks.txt"
}

# A trace of such tasks without costs, in ns, and the directives.
trace() { # trace KIND TASKS NS-OF-ONE
    awk -v kind="$1" -v n="$2" -v w="$3" '
        function tree(depth,   from) {
            from = t
            if (depth < levels) { tree(depth + 1); tree(depth + 1); wait(t) }
            t += w
            printf "task,%.0f,%.0f\n", from, t
        }
        function wait(at) { printf "wait,%.0f,%.0f\n", at, at }
        BEGIN { print "# clock = ns"; t = 0; while (2 * 2 ^ (levels + 1) - 1 <= n) levels++
                if (kind == "flat") for (i = 0; i < n; i++) { printf "task,%.0f,%.0f\n", t, t + w; t += w } else tree(0)
                printf "all,0,%.0f\nmain,0,%.0f\n", t, t }' >tasks.csv
    { echo "all = #pragma omp parallel masked"
      case $1 in
      flat) echo "task = #pragma omp task" ;;
      tree) echo "task = #pragma omp task"; echo "wait = #pragma omp taskwait" ;;
      cut) echo "task = #pragma omp task final(DEPTH > $(awk -v n="$2" 'BEGIN { while (2 * 2 ^ (l + 1) - 1 <= n) l++; print int(l / 2) }'))"; echo "wait = #pragma omp taskwait" ;;
      esac; } >tasks.omp
}

table() { # table FOLDER INI
    cp "$2" "$1/platform.ini"
    cd "$1" || exit 1
    echo "| tasks | threads | serial, us | predicted | measured, least | middle | error of the middle |"
    echo "|---|---|---|---|---|---|---|"
    while read -r shape k each serial least middle; do
        trace $(echo "$shape" | tr : ' ' | awk -v e="$each" '{ print $1, $2, e }')
        p=$("$CORECAST" predict -q tasks.csv --platform platform.ini --scenario tasks.omp --cores "$k" --csv 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["time"] }')
        echo "$shape $k $serial ${p:-0} $least $middle"
    done <tasks.txt | awk '{ e = $6 ? $4 / $6 - 1 : 0; a = e < 0 ? -e : e; n++; s += a; if (a > w) { w = a; at = $1 " on " $2 }
        printf "| %s | %d | %.0f | %.0f | %.0f | %.0f | %+.1f %% |\n", $1, $2, $3 / 1000, $4 / 1000, $5 / 1000, $6 / 1000, 100 * e }
        END { if (n) printf "\n%d points, mean error %.1f %%, worst %.1f %% (%s)\n", n, 100 * s / n, 100 * w, at }'
}

case ${1:-all} in
build) build "$2" ;;
run) run "$2" ;;
table) table "$2" "$3" ;;
all)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build "$work" && run "$work" && "$CORECAST" characterize -q -o "$work/here.ini" && table "$work" "$work/here.ini"
    ;;
*) sed -n '2,/^SOURCE/p' "$0" | grep '^#' >&2; exit 2 ;;
esac
