#!/bin/sh
# Laws over sets: three programs, each input left out in turn; then a set of 1 000 recordings with 10 000 streams.
#     bench/compare.sh [laws|scale]
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
CORECAST=${CORECAST:-$top/build/corecast}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

tried() { # tried NAME SET
    "$CORECAST" compare --model "$2" --only streams --check --json |
        jq -r --arg n "$1" '"| \($n) | \(.runs) | \(.check.figures) | \(.check.median*100*100|round/100) % | \(.check.nine_of_ten*100*10|round/10) % | \(.check.held*1000|round/10) % | \(.check.held_largest*1000|round/10) % |"'
}
laws() {
    echo '| program | inputs | figures | median error | nine of ten within | below the envelope | of the largest |'
    echo '|---|---|---|---|---|---|---|'
    gcc -g -O1 -fno-inline -o canny "$top/examples/canny/canny.c" -lm
    "$CORECAST" record -q --plain --vary w=40,56,80,112,160 --vary h=30,48,72,120 -o canny.set -- ./canny '{w}x{h}' 2>/dev/null
    tried "canny, width x height" canny.set
    gcc -g -O1 -fno-inline -o json "$top/bench/programs/json.c" -lm
    "$CORECAST" record -q --plain --vary n=10,14,20,28,40,56,80,112,160,224,320,448,640,900 -o json.set -- ./json '{n}' 2>/dev/null
    tried "JSON parser, objects" json.set
    gcc -g -O1 -fno-inline -o join "$top/bench/programs/join.c" -lm
    "$CORECAST" record -q --plain --vary n=200,300,400,560,800,1100,1600,2200,3200,4500,6400,9000,12000,16000 -o join.set -- ./join '{n}' 2>/dev/null
    tried "hash join, rows" join.set
}

# 200 functions that read what 50 others wrote: 10 000 streams; ten runs, each taken a hundred times
scale() {
    awk 'BEGIN { n = 200; print "#include <stdlib.h>\nstatic int b[" n "][512]; static volatile int sink;"
        for (i = 0; i < n; i++) print "static void w" i "(int n) { for (int i = 0; i < n; i++) b[" i "][i] = i; }"
        for (i = 0; i < n; i++) { printf "static void r%d(int n) { int s = 0;", i
            for (k = 0; k < 50; k++) printf " for (int i = 0; i < (n * %d >> 4) + %d; i++) s += b[%d][i];", 1 + i * k % 16, k % 5, (i * 7 + k * 3) % n
            print " sink = s; }" }
        print "int main(int c, char **v) { int n = atoi(v[1]);"
        for (i = 0; i < n; i++) print "w" i "(n + 5);"
        for (i = 0; i < n; i++) print "r" i "(n);"
        print "return 0; }" }' >wide.c
    gcc -g -O1 -fno-inline -o wide wide.c
    "$CORECAST" record -q --plain --vary n=8,16,32,48,64,96,128,160,200,256 -- ./wide '{n}' 2>/dev/null
    mkdir big.set
    echo file,status,n,k >big.set/manifest.csv
    i=0
    while [ $i -lt 1000 ]; do
        row=$(sed -n "$((i % 10 + 3))p" wide.set/manifest.csv)
        ln "wide.set/${row%%,*}" "big.set/$i.cast"
        echo "$i.cast,ok,${row##*,},$((i % 7))" >>big.set/manifest.csv
        i=$((i + 1))
    done
    /usr/bin/time -f '1 000 recordings x 10 000 streams: %e s, %U s of processors, %M KiB' "$CORECAST" compare --model big.set --only streams --json >out.json
    jq -r '"\([.models[]|select(.figure=="bytes")]|length) streams of \(.runs) runs"' out.json
}
case ${1:-all} in
laws) laws ;;
scale) scale ;;
all) laws && scale ;;
*) echo "usage: bench/compare.sh [laws|scale]" >&2 && exit 2 ;;
esac
