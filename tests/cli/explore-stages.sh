#!/bin/sh
# Frame pipelines: stages, what flows between them, what closed forms say of their time, why some are not cut.
. "$(dirname "$0")/lib.sh"
cat >pipe.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1500 };
static unsigned state = 1, raw[N], image[N], smooth[N], model[N], old[2][N], total;
static void grab(void)
{
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        raw[i] = state >> 8;
    }
}
static void decode(int f)
{
    unsigned last = FEEDBACK;
    for (int i = 0; i < N; i++) {
        last = (raw[i] ^ last) * 2654435761u + (last >> 5);
        image[i] = last;
    }
}
static void filter(void)
{
    unsigned a = 7;
    for (int i = 0; i < N; i++) {
        a = a * 5 + image[i] / 3 + (a >> 9);
        smooth[i] = a;
    }
}
static void learn(int f)
{
    unsigned carry = 1;
    for (int i = 0; i < N; i++) {
        carry = carry * 3 + smooth[i] + model[i];
        model[i] = carry >> 3;
    }
    old[f & 1][5] = model[5];
}
int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 20;
    for (int f = 0; f < frames; f++) {
        grab();
        decode(f);
        filter();
        learn(f);
    }
    for (int i = 0; i < N; i++)
        total += model[i];
    printf("%u\n", total);
    return 0;
}
XX
make() { # make FEEDBACK: p.cast of it
    gcc -O1 -fno-inline -fno-optimize-sibling-calls -g "-DFEEDBACK=$1" -o pipe pipe.c || exit 99
    "$CORECAST" record -q --loops dependences --tasks all -o p.cast -- ./pipe >/dev/null 2>&1 || exit 99
}
look() { cc explore -q p.cast -p cortex-a53-quad --contention off --cflags "-DFEEDBACK=$1" --json; }
make 0; look 0
is "$(json '.pipeline|"\(.loop) \(.frames) \([.stages[].does]|join("|"))"')" "pipe.c:40 20 grab|decode|filter|learn" "each call is a stage where there are cores for all"
is "$(json '[.pipeline.stages[1:][].received]|map(. == 6000)|all') $(json '.pipeline.stages[0].received')" "true 0" "what flows: every stage is given N words of a frame"
is "$(json '.pipeline|.interval * .frames / (([.stages[].time]|add) + (.frames - 1) * ([.stages[].time]|max))|. > 0.98 and . < 1.02')" true "time: one frame through all, then the slowest stage for each"
is "$(json '.pipeline.waits|length')" 0 "nothing flows back"
is "$(json '[.plans[]|select(.unwritten)][0].speedup|map(.speedup)|. == sort and (.[0] == 1) and (.[3] > 2.2)') $(json '[.plans[]|select(.unwritten)|.patch]|unique|tostring')" "true [null]" "a plan that is faster with each core, and no patch"
is "$(json '[.plans[]|select(.unwritten)][0].speedup[3]|.low <= .speedup and .speedup <= .high')" true "with its interval"
cc explore -q p.cast -p cortex-a53-quad --contention off --cflags "-DFEEDBACK=0"; ok "$(grep -q 'frames of pipe.c:40 in stages: grab | decode | filter' out; echo $?)" "told in words"
cc explore -q p.cast -p cortex-a53-quad --contention off --cflags "-DFEEDBACK=0" --cores 1,2 --json; is "$(json '.pipeline.stages|length')" 2 "two stages for two cores"
cc explore -q p.cast -p cortex-a53-quad --contention off --cflags "-DFEEDBACK=0" --budget lines=3 --json; is "$(json '[.plans[]|select(.unwritten)]|length')" 0 "not within three lines"
cc explore -q p.cast -p cortex-a53-quad --contention off --cflags "-DFEEDBACK=0" --set platform.clock_mhz=400..1600:+100 --set cores=1 --frames 20 --reach 12000fps --json
is "$(json '.sequential_time as $cycles|[.chips[]|.reaches == ($cycles / ((.chip|sub(".*=";"")|tonumber) * 1e6) <= 20 / 12000)]|all') $(json '[.chips[].reaches]|unique|length')" "true 2" "chips that reach a rate are those whose clock is fast enough for its frames"
make 'model[3]'; look 'model[3]'
is "$(json '.pipeline.waits|map("\(.from) \(.to) \(.frames)")|join(";")') $(json '.pipeline.waits[0].reason|test("line 42 reads model at line 14, which line 44 wrote at line 33")')" "44 42 1 true" "flow back to the next frame is told with its variable and lines"
is "$(json '.pipeline|[.stages[].does]|join("|")')" "grab|decode, filter, learn" "and what it joins stays one stage"
make 'old[f&1][5]'; look 'old[f&1][5]'
is "$(json '.pipeline.waits|map("\(.from) \(.to) \(.frames)")|join(";")')" "44 42 2" "over two frames: the distance is seen"
is "$(json '.pipeline.stages|length > 2')" true "... and two frames are under way"
cat >far.c <<'XX'
#include <stdio.h>
static unsigned gain = 1, a[1600], b[1600];
static void tiny(int i) { a[i] = a[i] * 5 + (i > 1500 ? gain : 3); }
static void post(void)
{
    unsigned s = 0;
    for (int i = 0; i < 1600; i++) {
        s = s * 3 + a[i] / 7;
        b[i] += s;
    }
    gain = s;
}
int main(void)
{
    for (int f = 0; f < 12; f++) {
        for (int i = 0; i < 1600; i++)
            tiny(i);
        post();
    }
    printf("%u\n", b[9]);
    return 0;
}
XX
gcc -O1 -fno-inline -g -o far far.c && "$CORECAST" record -q --loops dependences --tasks all -o far.cast -- ./far >/dev/null || exit 99
cc explore -q far.cast -p cortex-a53-quad --contention off --json
is "$(json '[.plans[]|select(.unwritten)]|length') $(json '.pipeline|.reason != null or (.waits|map(.reason)|join(" ")|test("only known for 0 frames|reads gain"))')" "0 true" "what was written longer ago than is kept may be the last frame's, and is told"
done_testing
