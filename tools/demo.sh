#!/bin/sh
# The first two minutes: record the example and look at it.
build=$(realpath "${1:-build}")
source=$(dirname "$(dirname "$(realpath "$0")")")
out=$build/demo
mkdir -p "$out" && cd "$out" || exit 1
bold='' plain=''
[ ! -t 1 ] || [ -n "$NO_COLOR" ] || { bold=$(printf '\033[1m') plain=$(printf '\033[0m'); }
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }
run() { say "$@"; shift; "$build/corecast" "$@"; }
say "gcc -O1 -g -fno-inline -o canny canny.c -lm        # an edge detector, 800x600"
gcc -O1 -g -fno-inline -o canny "$source/examples/canny/canny.c" -lm || exit 1
run corecast record --loops dependences --tasks loops ./canny || exit 1
run corecast report canny.cast
run corecast report canny.cast --view loops --min-share 2
run corecast report canny.cast --view calltree
run corecast report canny.cast --view comm
run corecast report canny.cast --view comm --svg graph.svg >/dev/null
run corecast report canny.cast --view calltree --svg timeline.svg >/dev/null
run corecast map canny.cast --parts 2
# which loops to parallelise on a chip, as a patch, proven in a copy of its folder
run corecast explore canny.cast --platform cortex-a53-quad --patch plan.diff --verify --repeat 2 --build 'gcc -O2 -g -fopenmp -o canny canny.c -lm' --run ./canny --race-run './canny 40x30'
page=""
run corecast report canny.cast --platform cortex-a-quad --html canny.html && page=$out/canny.html
printf '\nthe graph as a drawing:       %s/graph.svg\nthe calls over time:          %s/timeline.svg\nthe profile, to look further: %s/canny.cast\nthe plan as a patch:          %s/plan.diff\n' "$out" "$out" "$out" "$out"
[ -z "$page" ] || printf '\nall of it on one page, to look around in with a browser: %s\n' "$page"
