#!/bin/sh
# Channels between functions: order, depth, window, reuse and the suggestion in closed form, in both engines.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -o channels "$SOURCE/tests/cli/programs/channels.c" -lpthread -Wl,-z,now || exit 99
gcc -O0 -g -o plain "$SOURCE/tests/cli/programs/channels.c" -lpthread || exit 99
g++ -O1 -g -o exceptions "$SOURCE/tests/cli/programs/exceptions.cc" || exit 99

# look FROM: into ./out
look() { cc report p.cast --view channel --from "$1" --json; }
# stream FROM TO: "bytes unma fresh" of the communication graph
stream() {
    "$CORECAST" report p.cast --view comm --min-share 0 --json |
        jq -r --arg f "$1" --arg t "$2" '.edges[]|select(.from==$f and .to==$t)|"\(.bytes) \(.unma) \(.fresh)"'
}

for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast --channel fifo_make:fifo_take --channel rows_make:columns_take --channel values_make:values_take \
        --channel frame_make:frame_take --channel copy_make:copy_take --channel slot_make:slot_take --channel never:main -- ./channels >prog.out 2>err
    ok $? "$engine: seven channels at once"

    look fifo_make
    is "$(json '"\(.bytes) \(.unma) \(.in_order) \(.reuse.mean) \(.window)"')" "6400 64 1 1 0" "$engine: a FIFO"
    is "$(json '"\(.depth.elements) \(.depth.bytes) \(.live) \(.interleaving) \(.elements)"')" "16 64 64 100 1600" "$engine: its depth and bursts"
    is "$(json '"\(.suggestion.kind) \(.suggestion.size) \(.suggestion.unit)"')" "fifo 16 elements" "$engine: it is one"
    is "$(json '[.strides[]|"\(.stride) \(.count)"]|join(";")')" "4 1500;-60 99" "$engine: its strides"

    look rows_make
    is "$(json '"\(.window) \(.depth.elements) \(.suggestion.kind) \(.suggestion.size)"')" "$(((23 * 40 - 1) * 8)) 960 shared_memory 7680" "$engine: a transposed reader"
    is "$(json '.in_order*960|round')" 63 "$engine: in order: a column and a row"
    is "$(json '[.strides[]|"\(.stride) \(.count)"]|join(";")')" "320 920;-7352 39" "$engine: strides of a row"

    look values_make
    is "$(json '"\(.reuse.mean) \(.in_order) \(.window) \(.suggestion.kind) \(.suggestion.size)"')" "10 1 252 window 256" "$engine: read ten times"
    is "$(json '[.reuse.histogram[],.reuse.distance[]|"\(.from) \(.bytes)"]|join(";")')" "8 256;64 2304" "$engine: histograms of reuse"

    look frame_make
    is "$(json '"\(.suggestion.kind) \(.suggestion.size) \(.reuse.mean) \(.bursts.production.longest) \(.bursts.consumption.longest)"')" "double_buffer 512 2 128 256" \
        "$engine: frames read backwards and forwards"

    look copy_make
    ok $(json '(.bytes >= 4096 and .bytes < 4300 and .unma == 4096 and .in_order == 1)' | grep -qx true; echo $?) "$engine: copied by a library"

    look slot_make
    is "$(json '"\(.bytes) \(.in_order) \(.reuse.mean) \(.suggestion.kind)"')" "16000 1 1 fifo" "$engine: between threads"
    ok $([ "$(json .depth.elements)" -ge 1 ] && [ "$(json .depth.elements)" -le 8 ]; echo $?) "$engine: no deeper than its slots ($(json .depth.elements))"

    look never
    is "$(json '"\(.bytes) \(.in_order) \(.suggestion.kind) \(.suggestion.size)"')" "0 null none null" "$engine: a function that never ran"

    "$CORECAST" record --engine $engine -o k.cast --channel fifo_make:fifo_take -- ./channels abort >prog.out 2>err
    is $? 134 "$engine: a program that aborts"
    cc report k.cast --view channel --json
    ok $(json '.in_order == 1 or .bytes == 0' | grep -qx true; echo $?) "$engine: leaves its last snapshot"
    rm -f f-*.cast
    "$CORECAST" record --engine $engine --follow -o f.cast --channel fifo_make:fifo_take -- ./channels fork >prog.out 2>err
    cc report f-*.cast --view channel --json
    is "$(json '"\(.bytes) \(.unfollowed) \(.fresh) \(.depth.elements)"')" "128 64 64 16" "$engine: a forked child: what its parent made is not followed"
    "$CORECAST" record --engine $engine -o z.cast --channel fifo_make:fifo_take -- ./plain >prog.out 2>err
    cc report z.cast --view channel --json
    is "$(json '"\(.bytes) \(.in_order) \(.depth.elements) \(.elements) \(.suggestion.kind)"')" "6400 1 16 1600 fifo" \
        "$engine: without optimisation, where the producer writes much else"

    for pair in fifo_make:fifo_take rows_make:columns_take values_make:values_take frame_make:frame_take copy_make:copy_take slot_make:slot_take; do
        look ${pair%:*}
        is "$(json '"\(.bytes) \(.unma) \(.fresh)"')" "$(stream ${pair%:*} ${pair#*:})" "$engine: $pair is the stream of the communication graph"
    done
done

# two arrays read in turns, side by side in memory: jumps, unless the arrays are told apart
cat >two.c <<'END'
#include <stdlib.h>
static int a[1000], b[1000];
__attribute__((noinline)) void make(int *h) { for (int i = 0; i < 1000; i++) { a[i] = i; b[i] = 2 * i; h[i] = 3 * i; } }
__attribute__((noinline)) long take(const int *h) { long s = 0; for (int i = 0; i < 1000; i++) s += a[i] * (long)b[i] + h[i]; return s; }
int main(void) { int *h = malloc(4000); make(h); return take(h) == 3; }
END
gcc -O1 -fno-tree-vectorize -g two.c -o two || exit 99
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine --plain -o two.cast --channel make:take -- ./two; cc report two.cast --view channel --json
    is "$(json '"\(.stride_kinds.irregular > 0.9) \(.arrays_apart)"')" "true false" "$engine: three arrays in turns are irregular where objects are not followed"
    cc report two.cast --view channel; grep -q "'record --objects' tells them apart" out; ok $? "$engine: and the view says what would help"
    "$CORECAST" record --engine $engine -o two.cast --channel make:take -- ./two; cc report two.cast --view channel --json
    is "$(json '"\(.stride_kinds.unit) \(.arrays_apart) \(.complexity)"')" "1 true 0" "$engine: each alone is read in order"
done

cc report p.cast --view channel --from fifo_make --to fifo_take
ok $(head -1 out | grep -q "^fifo_make -> fifo_take: a FIFO of 16 elements"; echo $?) "the verdict comes first"
cc report p.cast --view channel --to frame_take --svg c.svg
ok $(grep -q "</svg>" c.svg && grep -q "double buffer" c.svg; echo $?) "drawing"
cc report p.cast --view channel
fails 3 "several" "which one?"
cc report p.cast --view channel --from fifo_make --to main
fails 3 "no such channel" "a pair that was not watched"
"$CORECAST" record -o q.cast -- ./channels >prog.out
cc report q.cast --view channel --from fifo_make --to fifo_take
fails 3 "--channel fifo_make:fifo_take" "a profile without channels"
cc record -o r.cast --channel fifo_mak:fifo_take -- ./channels
fails 125 "did you mean 'fifo_make'" "a name that does not exist: near ones"
cc record -o r.cast --channel fifo_make -- ./channels
fails 125 "PRODUCER:CONSUMER" "half a pair"
cc record --engine native -o r.cast --channel a:b -- ./channels
fails 125 "native" "native sees no accesses"
ok $([ ! -e r.cast ]; echo $?) "and leaves no profile"

"$CORECAST" record -o c.cast --channel 'shop::attempt(int):shop::basket::add' -- ./exceptions >prog.out 2>err
ok $? "C++ names, with and without parameters"
cc report c.cast --view channel --json
is "$(json .to)" "shop::basket::add" "are kept as given"
done_testing
