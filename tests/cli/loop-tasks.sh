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

# --- what may run in parallel ---
if "$CORECAST" record --engine valgrind --tasks loops --loops dependences -o d.cast ./mat 2>"$WORK/err"; then
    echo 'mat.c:5 = #pragma omp parallel for' >s
    cc predict d.cast -p cortex-a-quad -s s -n 1,4
    is "$RC $(grep -c 'mat.c' err)" "0 0" "a legal scenario is predicted without a word"
    cc report d.cast
    is "$RC $(awk '$4 == "mat.c:5" { print $3, $5 } $4 == "mat.c:6"' out)" "0 60 parallel" "the summary has the loop to run in parallel, not those inside it"
    is "$(grep -c 'report d.cast --view loops$' out)" 1 "and says where more is"
    cc report t.cast
    is "$RC $(grep -c 'hot loop' out) $(grep -c "explore --platform cortex-a53-quad -- $PWD/mat\$" out)" "0 0 1" "without dependences it says how to get them"
    cc predict t.cast -p cortex-a-quad -s s -n 1,4
    is "$RC $(grep -c 'dependences were not recorded' err)" "0 1" "without dependences it says so"
    cat >sweep.c <<'END'
enum { N = 60 };
double a[N][N];
__attribute__((noinline)) void sweep(void)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
int main(void)
{
    for (int i = 0; i < N; i++)
        a[0][i] = i;
    for (int t = 0; t < 4; t++)
        sweep();
    return a[3][3] > 1e9;
}
END
    gcc -g -O2 -o sweep sweep.c
    "$CORECAST" record --engine valgrind --tasks loops --loops dependences -o w.cast ./sweep 2>"$WORK/err"
    echo 'sweep.c:5 = #pragma omp parallel for' >s
    cc predict w.cast -p cortex-a-quad -s s -n 1,4
    fails 3 "sweep.c:5 is sequential: .*line 7" "a sweep whose rows need each other is refused, with the line"
    cc predict w.cast -p cortex-a-quad -s s -n 1,4 --force
    is "$RC $(grep -c 'sweep.c:5 is sequential' err)" "0 1" "--force predicts it, with a note"
else
    skip "what may run in parallel" "there is no valgrind engine"
fi

# With the lines they touch: loops as tasks meet the platform's caches, in an interval of the coverage that is asked for.
engine=valgrind
"$CORECAST" record -q --engine valgrind -o have.cast -- ./mat >/dev/null 2>&1 || engine=qemu
cc record -q --engine $engine --locality --tasks loops -o lines.cast -- ./mat
if [ "$RC" -eq 125 ]; then
    skip "loops with their lines" "no engine"
else
    echo 'mat.c:5 = #pragma omp parallel for schedule(static)' >rows.omp
    wide=""
    for pct in 95 50; do
        cc predict lines.cast -p cortex-a53-quad --scenario rows.omp --cores 1,4 --coverage $pct --json
        is "$RC $(json '[.scenarios[0].contention_model, (.scenarios[0].schedules[1].coverage * 100 | round)] | map(tostring) | join(" ")')" "0 locality $pct" "loops as tasks, on the caches of the platform, $pct %"
        is "$(json '.scenarios[0].schedules[1] | .time_low <= .time and .time <= .time_high and .time_low < .time_high')" true "in an interval"
        wide="$wide $(json '.scenarios[0].schedules[1] | .time_high - .time_low')"
    done
    echo "$wide" | awk '{ exit !($2 < $1) }'; ok $? "half of the draws lie in less than most do:$wide"
    is "$(json '.scenarios[0].schedules[1].speedup > 2.5 and .scenarios[0].schedules[1].speedup <= 4.2')" true "and rows of a product divide by four"
    cc predict lines.cast -p cortex-a53-quad --set memory.dram.overlap=8 --scenario rows.omp --cores 4 --json
    is "$RC $(json '.scenarios[0].contention_model == "locality"') $(grep -c 'read on while they wait' err)" "0 false 1" "not of a machine whose reads overlap: its caches' model waits for each"
    cc predict lines.cast -p cortex-a53-quad --scenario rows.omp --cores 4 --coverage 20; fails 2 "coverage" "a coverage below 50 %"
fi
# Pages that are touched for the first time: each once, whoever comes to them again.
cat >fresh.c <<'END'
static char a[300][4096];
int main(int argc, char **argv)
{
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 4096; j++)
            a[i][j] = argc + j;
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 4096; j++)
            a[i][j] += argv[0][0];
    return a[7][argc] == 0;
}
END
gcc -g -O1 -o fresh fresh.c || exit 99
printf '[platform]\nname = t\nsource = test\nclock_mhz = 1000\n[openmp.parallel]\n[memory.fresh]\nread = 100000\n' >fresh.ini
for engine in valgrind qemu; do
    "$CORECAST" record -q --engine $engine --tasks loops -o fresh.cast ./fresh 2>"$WORK/err" || { skip "$engine: pages" "there is no such engine"; continue; }
    for line in 4 7; do
        printf 'fresh.c:%d = #pragma omp parallel for\n' $line >fresh.omp
        for cost in 0 100000; do
            cc predict -q fresh.cast -p ./fresh.ini --set memory.fresh.read=$cost -s fresh.omp -n 1 --json
            eval "took$cost=\$(json '.scenarios[0].schedules[0].regions[0].time')"
        done
        eval "pages$line=\$(((took100000 - took0) / 100000))"
    done
    echo "# $pages4 and $pages7"
    [ "$pages4" -ge 299 ] && [ "$pages4" -le 303 ] && [ "$pages7" -le 2 ]; ok $? "$engine: 300 pages, by the loop that comes first"
done
# Several loops in a line are told apart by their columns; their tasks bear the line alone, and the worst of them counts.
printf '%s\n' '#include <stdio.h>' 'int a[5000]; int main(void) { int s = 0; for (int i = 1; i < 5000; i++) a[i] = a[i - 1] + i; for (int i = 0; i < 5000; i++) s += a[i]; return printf("%d", s) < 0; }' >line.c
printf 'line.c:2 = #pragma omp parallel for\n' >line.omp
gcc -g -O1 -o line line.c
cc record --engine valgrind --loops dependences --tasks loops -o line.cast ./line
cc report line.cast --view loops --min-share 0 --json
is "$(jq -r '.loops[]|select(.line == 2)|"\(.id) \(.column) \(.verdict) \(.self_parallelism == null)"' out | sort)" "line.c:2:42 42 sequential true
line.c:2:94 94 reduction false" "two loops of one line, by their columns"
is "$(jq -r '.loops[]|select(.column == 94)|[.self_parallelism == .iterations, .task.iterations * .iteration.mean >= 1000, .task.share * .iterations == .task.iterations]|all' out)" true "what could run at once, and how much of it a task is"
cc predict line.cast -p cortex-a-quad -s line.omp -n 2
is "$RC $(grep -c 'line.c:2:42 is sequential' err)" "3 1" "a scenario by the line is refused for the worse of the two"
cc predict line.cast -p cortex-a-quad -s line.omp -n 2 --force
is "$RC" 0 "unless it is forced"
cc record -q --engine valgrind --loops dependences --tasks all --locality -o torn.cast -- ./line
sqlite3 torn.cast "update chunk set hash = hash + 1 where stream = 'line_trace'"
cc explore -q torn.cast --platform cortex-a53-quad
is "$RC $(wc -l <out)" "3 0" "a trace of lines that is damaged is told of"
done_testing
