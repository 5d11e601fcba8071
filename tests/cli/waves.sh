#!/bin/sh
# Nests whose iterations need the rows before them: tiles along a diagonal are shared out, where the subscripts show that this is right.
. "$(dirname "$0")/lib.sh"
cat >waves.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define N 300
static int *table, width;
static double grid[N][N], kept[N][N];
static int larger(int a, int b) { return a > b ? a : b; }
static void align(const char *s, const char *t, int n)
{
    int i, j;
    for (i = 1; i <= n; i++) {
        for (j = 1; j <= width; j++) {
            int best = larger(0, table[(i - 1) * (width + 1) + j - 1] + (s[i - 1] == t[j - 1] ? 3 : -3));
            best = larger(best, table[(i - 1) * (width + 1) + j] - 2);
            table[i * (width + 1) + j] = larger(best, table[i * (width + 1) + j - 1] - 2);
        }
    }
}
static void relax(int n)
{
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) grid[i][j] = (grid[i - 1][j + 1] + grid[i][j - 1] + grid[i + 1][j - 1] + grid[i + 1][j + 1] + 2 * grid[i][j]) / 6;
}
static void mirror(int n)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            kept[i][j] = kept[i - 1][n - 1 - j] * 0.5 + grid[i][j] / (1 + kept[i - 1][n - 1 - j]);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 240;
    char s[N], t[N];
    width = n + 20;
    table = calloc((size_t)(n + 1) * (size_t)(width + 1), sizeof *table);
    if (!table || n > N - 30)
        return 1;
    for (int i = 0; i < N; i++) {
        s[i] = "ACGT"[i * i % 7 % 4], t[i] = "ACGT"[i * 5 % 11 % 4];
        for (int j = 0; j < N; j++)
            grid[i][j] = (i * 31 + j * 17) % 101, kept[i][j] = 1;
    }
    align(s, t, n);
    relax(n);
    mirror(n);
    double all = 0;
    for (int i = 0; i < n; i++)
        all += grid[i][n / 2] + kept[i][n / 3] + table[i * (width + 1) + width];
    printf("%d %.12g\n", table[n * (width + 1) + width], all);
    free(table);
    return 0;
}
C
gcc -O1 -fno-inline -g -Wall -Wextra -o waves waves.c || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o waves.cast ./waves >want 2>err || { skip "waves" "there is no valgrind engine"; done_testing; exit; }
cc explore waves.cast -p cortex-a53-quad --contention off --json --patch waves.diff --scenario waves.omp
is "$RC $(json '[.plans[0].directives[]|.loop|select(test(":(10|21|26)$"))]|sort|join(", ")')" "0 waves.c:10, waves.c:21" "nests that need the rows before them are in the plan, not one that looks anywhere in the row before"
is "$(json '[.plans[0].directives[]|select(.loop == "waves.c:10")][0].pragma')" "#pragma omp parallel for private(i) private(j) schedule(static, 1)" "with the directive of the loop over tiles"
is "$(json '[.rejected[]|select(.loop == "waves.c:26")|.reason|test("an iteration reads")]|any')" true "the other is explained"
is "$(json '.plans[0].speedup|map(.speedup)|.[0] < 1.01 and .[3] > 1.5 and .[3] < 4')" true "which pays on four cores"
is "$(grep -c 'diagonal by diagonal' waves.omp)" 2 "the scenario names them"
mkdir tree && cp waves.c tree && (cd tree && patch -s -p1 <../waves.diff); ok $? "patch -p1 takes it"
for n in 240 65 17 3 2 1; do ./waves $n; done >want
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    $compiler -O1 -Wall -Wextra -Wshadow -Werror -fopenmp -o tree/t tree/waves.c 2>err
    rc=$?
    if grep -q "omp.h\|cannot find -lomp\|libomp" err; then skip "$compiler" "it has no OpenMP"; continue; fi
    ok $rc "$compiler compiles it without a warning"
    for threads in 1 2 3; do
        is "$(for n in 240 65 17 3 2 1; do OMP_NUM_THREADS=$threads tree/t $n; done)" "$(cat want)" "the same results, of small nests too, on $threads threads"
    done
done
cc explore waves.cast -p cortex-a53-quad --contention off -n 1,2 --verify --repeat 1 --build 'gcc -O1 -fno-inline -g -fopenmp -o waves waves.c' --run './waves 60'
is "$RC $(tr -s ' \n' ' ' <out | grep -c 'plan 1 holds')" "0 1" "it is proven, without races"

# With caches: what the loops of a plan take adds up to the run, those that go by tiles too.
cat >parts.c <<'C'
static double grid[300][300];
int main(void)
{
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++)
            grid[i][j] = (i * 31 + j * 17) % 101;
    for (int i = 1; i < 300; i++)
        for (int j = 1; j < 300; j++)
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i][j]) / 3;
    return grid[299][299] > 101;
}
C
gcc -O1 -g -o parts parts.c || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops --locality -o parts.cast ./parts
cc explore parts.cast -p cortex-a53-quad --json
is "$(json '.plans[0].directives|map(.saves / (1 - 1 / .speedup))|add > 0.9 and add < 1.01')" true "with caches, the parts of a plan of all loops are the run, but for its start"

# Counters without a sign, a start that is a variable, and nothing else in the file that could be shared out.
cat >lone.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static double g[210][210];
static void sweep(size_t from, size_t n, unsigned m)
{
    for (size_t i = from; i < n; i++)
        for (unsigned j = 1; j <= m; j++)
            g[i][j] = (g[i - 1][j + 1] + g[i][j - 1] + g[i - 1][j]) / 4 + g[i][j];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 190;
    double last = 0;
    for (int i = 0; i < 210 * 210; i++)
        last = g[i / 210][i % 210] = last / 2 + i % 13;
    sweep(1, (size_t)n, (unsigned)n);
    for (int i = 0; i < 210 * 210; i++)
        last = last / 3 + g[i / 210][i % 210];
    printf("%.12g %.12g\n", last, g[n][n]);
    return 0;
}
C
gcc -O2 -g -Wall -Wextra -o lone lone.c || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o lone.cast ./lone >want 2>err
cc explore lone.cast -p cortex-a53-quad --contention off --json --patch lone.diff
is "$(json '[.plans[0].directives[].line] | join(" ")')" 6 "unsigned counters: the nest goes by tiles"
patch -s -o tiled.c lone.c lone.diff
for compiler in gcc clang; do
    $compiler -O2 -Wall -Wextra -Werror -fopenmp -o tiled tiled.c
    ok $? "$compiler: unsigned counters: no warning"
    for n in 0 1 2 17 33 190 200; do
        for t in 1 3; do OMP_NUM_THREADS=$t ./tiled $n; done | sort -u
    done >got
    for n in 0 1 2 17 33 190 200; do ./lone $n; done >want
    is "$(cat got)" "$(cat want)" "$compiler: unsigned counters: the same results"
done

# Rows behind pointers: the recording shows whether they are different ones.
cat >rows.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, apart = argc < 3, i, j;
    int **t = malloc((n + 1) * sizeof *t), *two[2] = {calloc(n + 1, sizeof(int)), calloc(n + 1, sizeof(int))};
    for (i = 0; i <= n; i++)
        t[i] = apart ? calloc(n + 1, sizeof **t) : two[i % 2];
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
            if (i * i % 7 == j * 5 % 11 % 7)
                t[i][j] = t[i - 1][j - 1] + 1;
            else
                t[i][j] = t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    printf("%d\n", t[n][n]);
    return 0;
}
C
gcc -O2 -g -o rows rows.c || exit 99
for args in 200 "200 two"; do
    # shellcheck disable=SC2086
    cc explore -q -p cortex-a53-quad --contention off --json --patch rows.diff -- ./rows $args
    echo "$(json '[.plans[0].directives[]?.line|select(. == 9)]|length') $(json '[.rejected[]|select(.line == 9)|.reason|test("^an iteration reads")]|any')"
done >got
is "$(cat got)" "1 false
0 true" "rows behind pointers go by tiles if no two of them are one"
done_testing
