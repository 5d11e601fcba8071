#!/bin/sh
# Every command that takes a platform answers on every platform that ships. A command that takes one and is not tried here fails the test.
. "$(dirname "$0")/lib.sh"
"$MAKE_CAST" f.cast
awk 'BEGIN { for (i = 0; i < 8; i++) print "main.i," i * 1000 "," i * 1000 + 1000; print "main,0,8000" }' >t.csv
echo 'main.i = #pragma omp parallel for' >s.omp
printf '[kernel.k]\ns_int = 8\nm_int = 2\nbranch = 1\nmemory = 4\nbytes = 4\n' >k.ini
printf 'int main(void) { volatile int s = 0; for (int i = 0; i < 100; i++) s += i; return 0; }\n' >p.c
gcc -O1 p.c -o p || exit 99
printf 'static float a[4000];\nint main(void) { for (int i = 0; i < 4000; i++) a[i] = i * 0.5f; return a[9] < 0; }\n' >e.c
gcc -g -O1 e.c -o e && "$CORECAST" record -q --loops dependences --tasks loops -o e.cast ./e || exit 99

# try COMMAND PLATFORM: with --json, result in ./out
try() {
    case $1 in
    platform) cc platform show "$2" --json ;;
    predict) cc predict t.csv -p "$2" -s s.omp -n 1,2 --json ;;
    validate) cc validate t.csv -p "$2" --scenario s.omp --cores 1 --run 'sleep 0.1 # {n}' --repeat 1 --json ;;
    tile) cc tile -p "$2" --image 320x240 --kernel 3x3 --time 20 --json ;;
    units) cc units k.ini -p "$2" --image 64x48 --json ;;
    map) cc map f.cast -p "$2" --json && cc map f.cast -p "$2" --units --json && cc map "$SOURCE/examples/map/figure8.ini" -p "$2" --json ;;
    explore) cc explore e.cast -p "$2" --json ;;
    simulate) cc simulate -p "$2" -n 2 --json -- ./p ;;
    *) RC=99 ;;
    esac
}
# What a result must have on any platform: a positive answer.
positive() {
    case $1 in
    predict) json '.scenarios[0].schedules | all(.time > 0 and .energy.total > 0)' ;;
    validate) json '.points[0].predicted_time > 0' ;;
    tile) json '.best.time > 0 and .best.fps > 0 and .proven' ;;
    units) json '[.chains[] | .low > 0 and .seconds_low > 0] | (length > 0) and all' ;;
    map) json '[.loads[].load] | add > 0' ;;
    explore) json '.sequential_time > 0' ;;
    simulate) json '.cycles > 0' ;;
    *) echo true ;;
    esac
}
takers=$("$CORECAST" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r command; do
    "$CORECAST" "$command" -h | grep -qE -- '--platform |PLATFORM' && echo "$command"
done)
is "$(echo "$takers" | grep -c .)" "$(echo "$takers" | grep -cE '^(platform|explore|report|predict|validate|tile|units|map|simulate|area)$')" "this test tries every command that takes a platform"
cc platform list --json
able= did=
names=$(json '.platforms[].name')
is "$(json '.platforms | length >= 10')" true "there are ten platforms and more"
is "$(json '[.platforms[].answers | del(.area)[]] | all')" true "list says that each answers everything"
for p in $(json '.platforms[] | select(.answers.area) | .name'); do able="$able$p "; done
for p in $names; do
    for command in $takers; do
        case $command in # a page, by explore: page.sh; area: below
        area | report) continue ;;
        esac
        try "$command" "$p"
        is "$RC $(positive "$command")" "0 true" "$command -p $p"
        [ "$command" = platform ] || is "$(json '.assumed | type')" array "$command -p $p tells what was assumed"
    done
    cc platform check "$p" --json; is "$RC $(json '.unsourced')" "0 0" "$p: every figure has a source, none is odd"
    cc platform show "$p"; is "$(LC_ALL=C.UTF-8 wc -L <out | awk '{ print $1 <= 100 }')" 1 "$p: show fits 100 columns"
done
# area partition: only where there is a link to programmable logic, or a single one
for p in $names; do
    cc area partition e.c --profile e.cast --platform "$p" --json
    [ "$RC" = 0 ] && did="$did$p " || fails 3 "platform list" "area partition -p $p says who can"
done
is "$did" "$able" "area partition answers where list says so"
done_testing
