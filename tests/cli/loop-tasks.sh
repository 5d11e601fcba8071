#!/bin/sh
# Iterations as tasks: a plain program's loops in a scenario, with nothing lost of the run's time.
. "$(dirname "$0")/lib.sh"
cat >mat.c <<'END'
enum { N = 60 };
double a[N][N], b[N][N], c[N][N];
__attribute__((noinline)) void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
__attribute__((noinline)) int little(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) __asm__ volatile("" : "+r"(s));
    return s;
}
int main(void)
{
    multiply();
    return little(5) + little(20);
}
END
gcc -g -O1 -o mat mat.c || exit 99
for engine in valgrind qemu; do
    if ! "$CORECAST" record --engine $engine --tasks loops -o t.cast ./mat 2>"$WORK/err"; then
        skip "$engine" "there is no such engine"
        continue
    fi
    cc predict t.cast -p cortex-a-quad --tasks --json
    ok $RC "$engine: tasks of loops"
    row() { json ".rows[]|select(.name==\"$1\")|$2"; }
    is "$(row mat.c:5 .calls)" 60 "$engine: every iteration of the outer loop is a task"
    is "$(row 'loop mat.c:5' .calls)" 1 "$engine: in one task, the loop"
    is "$(row 'loop mat.c:6' .calls)" 60 "$engine: each with the inner loop"
    is "$(row mat.c:6 '.calls>=60 and .calls<3600 and .average>=1000')" true "$engine: whose short iterations are joined"
    is "$(row mat.c:14 .calls)" '' "$engine: a loop that is short as a whole is no task"
    is "$(row 'loop mat.c:5' .cumulative)" "$(sqlite3 t.cast 'select instructions from loop where line = 5')" "$engine: the task is as long as the loop"
    is "$(json '[.rows[].self]|add')" "$(json .time)" "$engine: nothing is lost"
    echo 'mat.c:5 = #pragma omp parallel for schedule(static)' >s
    cc predict t.cast -p cortex-a-quad -s s -n 1,2,4 --json
    is "$(json '.scenarios[0].schedules[]|select(.processors==4)|.speedup>3')" true "$engine: predicted without any mark"
    echo 'mat.c:7 = #pragma omp parallel for' >s
    cc predict t.cast -p cortex-a-quad -s s
    fails 3 "no task 'mat.c:7'" "$engine: a line without a loop"
done
done_testing
