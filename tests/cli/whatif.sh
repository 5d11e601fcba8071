#!/bin/sh
# What the report page predicts by itself against what the tool predicts: page/tests/whatif.mjs, on a program with nested loops of uneven length.
. "$(dirname "$0")/lib.sh"
cat >rows.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static unsigned a[64][64], sum[64];
static unsigned stir(unsigned x, int n) { while (n--) x = x * 1103515245u + 12345u; return x; }
int main(void)
{
    for (int y = 0; y < 64; y++) /* uneven rows */
        for (int x = 0; x < 64; x++)
            a[y][x] = stir((unsigned)(x + y), y / 4 + x % 3);
    for (int k = 0; k < 5; k++)
        for (int y = 1; y < 64; y++)
            for (int x = 0; x <= y; x++)
                sum[y] += a[y][x] ^ a[y - 1][x];
    unsigned all = 0;
    for (int y = 0; y < 64; y++)
        all += stir(sum[y], 9 * (y % 7));
    printf("%u\n", all);
    return 0;
}
END
gcc -g -O1 -fno-inline rows.c -o rows || { ok 1 "rows.c compiles"; done_testing; exit 1; }
cc record --loops dependences --tasks loops --objects -o rows.cast -- ./rows
ok $RC "a program with loops is recorded"
cc report rows.cast --html page.html
case $(cat err) in
*"built without the report page"*)
    skip "what the page predicts" "$(sed -n 's/.*report page: //p' err)"
    done_testing
    exit
    ;;
esac
grep -q '"missing":"no platform was given"' page.html
ok $? "without a platform the page says what is missing"
grep -qE '"engine":"[A-Za-z0-9+/]{1000}' page.html
ok "$((!$?))" "and carries no engine"

cc predict rows.cast --tasks --json
task() { jq -r "[.rows[] | select(.calls > 1)] | sort_by(-.cumulative) | .[$1].name" out; }
first=$(task 0) second=$(task 1) third=$(task 2)
echo "$first = #pragma omp parallel for schedule(static)" >static.omp
printf '%s\n' "$first = #pragma omp parallel for schedule(dynamic, 3) num_threads(5)" "$third = #pragma omp critical" >dynamic.omp
printf '%s\n' "$first = #pragma omp parallel for schedule(guided)" "$first = #pragma corecast speedup(7)" "$first = #pragma corecast dma read(640, 3) write(64) buffers(2)" >moved.omp
printf '%s\n' "$first = #pragma corecast tile(auto) image(64, 64) kernel(3) pixel(1)" >tiled.omp
printf '%s\n' "$first = #pragma omp parallel taskloop grainsize(4)" "$second = #pragma omp parallel for simd schedule(static, 2)" >tasks.omp
cc report rows.cast --platform sthorm --html page.html
case $(cat page.html) in
*'"missing":"this corecast was built without it'*)
    skip "what the page predicts" "built without clang for WebAssembly"
    done_testing
    exit
    ;;
esac
if [ ! -e "$SOURCE/page/node_modules/esbuild" ]; then
    skip "what the page predicts" "npm ci was not run in page/"
    done_testing
    exit
fi
# a platform of several files: one of our own that inherits from one that ships
printf '%s\n' '[platform]' 'name = board' 'source = test' 'inherits = cortex-a-quad' 'cpi = 1.37' 'data_memory = l2' '[dma]' 'grid = grid.txt' >board.ini
printf '%s\n' '1 1 100' '64 1 160' '640 1 700' '1 8 150' '64 8 900' '640 8 5000' >grid.txt
for platform in sthorm board.ini; do
    cc report rows.cast --platform $platform --html page.html
    ok $RC "a page for $platform is written"
    node "$SOURCE/page/tests/whatif.mjs" "$CORECAST" page.html rows.cast $platform static.omp dynamic.omp moved.omp tiled.omp tasks.omp >same 2>err
    ok $? "its page predicts what the tool predicts"
    grep -A1 '^not ok' same | cut -c1-600 | sed 's/^/# /'
    [ "$(grep -c 'the same to the last digit' same)" -ge 8 ]
    ok $? "in all that was tried ($(grep -c '^ok' same))"
done
done_testing
