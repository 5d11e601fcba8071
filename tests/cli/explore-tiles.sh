#!/bin/sh
# Nests over images in tiles: which qualify, and that the figures are those of corecast tile.
. "$(dirname "$0")/lib.sh"
cat >blur.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
enum { W = 130, H = 90, K = 5 };
static unsigned char in[H + K - 1][W + K - 1], out[H][W], edge[H][W], twice[H][W];
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < (H + K - 1) * (W + K - 1); i++)
        ((unsigned char *)in)[i] = (unsigned char)(i * 31 >> 2);
    for (int round = 0; round < 3; round++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int s = 0;
                for (int dy = 0; dy < K; dy++)
                    for (int dx = 0; dx < K; dx++)
                        s += in[y + dy][x + dx];
                out[y][x] = (unsigned char)(s / (K * K) + round);
            }
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            edge[y][x] = (unsigned char)abs(out[y][x + 1] - out[y - 1][x] + out[y + 1][x - 1]);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            twice[y][x] = (unsigned char)(2 * edge[y][x] + edge[y][x] / 7 + edge[y][x] / 11);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < y; x++)
            sum += twice[y][x] / 3u;
    printf("%u\n", sum);
    return 0;
}
XX
gcc -O1 -g -o blur blur.c || exit 99
"$CORECAST" record -q --loops dependences --tasks loops -o b.cast -- ./blur >/dev/null || exit 99
cc explore -q b.cast -p stxp70-asmp --contention off --min-share 0 --json; cp out e.json
of() { jq -r "[.tiles[]|select(.loop == \"blur.c:$1\")][0]|$2" e.json; }
is "$(of 11 '"\(.image) \(.window) \(.pixel) \(.reason)"')" "130x90 5x5 1:1 null" "a nest of four loops: the image, and the window of the inner two"
cores=$(jq '.plans[0].speedup[-1].processors' e.json)
cc tile -p stxp70-asmp --image 134x94 --kernel 5x5 --time "$(of 11 .pixel_cycles)" --cores "$cores" --pixel 1:1 --double-buffer --json
is "$(of 11 '"\(.tile) \(.bytes)"')" "$(json '.best|"\(.x)x\(.y) \(.memory)"')" "its tile and buffers are those of corecast tile"
mhz=$(sed -n 's/^clock_mhz = //p' "$SOURCE/platforms/stxp70-asmp.ini" | head -1)
is "$(jq -n "$(of 11 .seconds) / (3 * $(json .best.time) / ($mhz * 1e6)) | . > 0.999999 and . < 1.000001")" true "and so is its time, three images long"
is "$(of 11 '.speedup <= '"$cores"' and .speedup > 1')" true "no faster than its cores"
is "$(of 19 '.reason|test("which pixels one of its results needs is not known")')" true "neighbours without a loop: unknown, not a guess"
is "$(of 22 '"\(.window) \(.reason)"')" "1x1 null" "one place of each array: a window of one"
is "$(jq '[.tiles[]|select(.loop == "blur.c:25")]|length == 0 or (.[0].reason != null)' e.json)" true "a triangle is no image"
cat >big.c <<'XX'
#include <stdio.h>
enum { W = 700, H = 300 };
int in[H][W], out[H][W];
int main(void)
{
    unsigned sum = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            out[y][x] = in[y][x] * 3 + 1;
    for (int y = 0; y < H; y++)
        sum = sum * 31 + (unsigned)out[y][y];
    printf("%u\n", sum);
    return 0;
}
XX
gcc -O1 -g -o big big.c && "$CORECAST" record -q --loops dependences --tasks loops --locality -o l.cast -- ./big >/dev/null || exit 99
cc explore -q l.cast -p cortex-a53-quad --set dma.alpha=0.05 --set dma.i0=100 --set dma.i1=1 --json
is "$(json '[.plans[]|select(.unwritten)][0]|.speedup[-1]|.low <= .speedup and .speedup <= .high') $(json '.plans[0].unwritten != null')" "true true" "where caches miss and transfers are quick, tiles are the best plan, with an interval"
is "$(json '(.sequential_time - .plans[0].speedup[-1].time) / .sequential_time > ([.plans[]|select(.unwritten|not)][0].directives[0].saves)')" true "it saves more than the directive"
cc explore -q l.cast -p cortex-a53-quad --set dma.alpha=5 --json; is "$(json '[.plans[]|select(.unwritten)]|length')" 0 "where transfers are slow, they are none"
cc explore -q b.cast -p riscv-u74-quad --set memory.local.size=40 --contention off --min-share 0 --json
is "$(json '[.tiles[]|select(.loop == "blur.c:11")|.reason|test("on 1 cores: .*40")]|tostring')" "[true]" "a local memory that is too small, with what is needed"
printf '[platform]\nname = none\nclock_mhz = 1000\ncores = 4\n[openmp.parallel]\n' >none.ini
cc explore -q b.cast -p ./none.ini --contention off --json; is "$RC $(json '.tiles|length')" "0 0" "a chip without a DMA has none"
done_testing
