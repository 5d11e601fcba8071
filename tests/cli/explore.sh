#!/bin/sh
# From a program to a plan and a patch: what is chosen, why the rest is not, and that the patch is right C.
. "$(dirname "$0")/lib.sh"
cat >scale.h <<'XX'
static void scale(double *v, int n, double by)
{
	int i;
	for (i = 0; i < n; i++)
		v[i] = v[i] * by + 1 / (v[i] + 3);
}
XX
sed -i 's/$/\r/' scale.h
cat >ugly.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
#include "scale.h"
#define N 3000
#define EACH(i, n) for (i = 0; i < (n); i++)
static double a[N], b[N], out[N], c[4][512];
static int g, hits[16];
static double slow(double x)
{
    int k;
    for (k = 0; k < 20; k++)
        x = x * 0.5 + 1.0 / (x + k + 1);
    return x;
}
static double uses_g(int k) { return slow(a[k] + g % 3); }
static int after(void)
{
    int i;
    for (i = 0;
         i < N;
         i++)
    {
        out[i] = slow(a[i]);
    }
    return i;
}
static void oneline(void) { int i, j; for (i = 0; i < 4; i++) for (j = 0; j < 512; j++) c[i][j] = slow(i + j); }
static void macro(void)
{
    int i;
    EACH(i, N)
        b[i] = slow(a[i] + 2);
}
static void pragma(void)
{
_Pragma("GCC diagnostic ignored \"-Wunused\"")
    for (int i = 0; i < N; i++)
        out[i] += slow(b[i]);
}
static void global_counter(void)
{
    for (g = 0; g < N; g++)
        out[g] += uses_g(g);
}
static void down(void)
{
    long i;
    if (N > 10) for (i = N - 1; i >= 0; i -= 2) {
        out[i] += slow(a[i] * 3);
    }
}
static double sum(double *biggest)
{
    double s = 0, m = 0;
    for (int i = 0; i < N; i++) {
        double v = slow(out[i]);
        s += v;
        if (v > m)
            m = v;
        hits[(int)(v * 100) & 15]++;
    }
    *biggest = m;
    return s;
}
static void running(void)
{
    for (int i = 1; i < N; i++)
        b[i] = slow(b[i] + b[i - 1]);
}
static int scratch(void)
{
    double tmp[8];
    int i, k, last = 0;
    for (i = 0; i < N; i++) {
        for (k = 0; k < 8; k++)
            tmp[k] = a[i] + k;
        b[i] += tmp[i & 7] * slow(tmp[3]);
        last = i % 7;
    }
    return last;
}
int main(void)
{
    double m, s;
    int i, l;
    for (i = 0; i < N; i++)
        a[i] = i % 100;
    l = after();
    oneline();
    macro();
    pragma();
    global_counter();
    down();
    running();
    l += scratch();
    scale(out, N, 0.5);
    s = sum(&m);
    printf("%d %.6f %.6f %.6f %d %.6f\n", l, s, m, c[3][511], hits[2], b[77]);
    return 0;
}
XX
gcc -O0 -g -Wall -Wextra -o ugly ugly.c || exit 99

cc explore; fails 2 "expected a recording" "no operand"
cc explore x.cast; fails 2 "platform is missing" "no platform"
cc explore absent.cast -p cortex-a53-quad; fails 3 "absent" "an absent file"
odd=$(printf 'a\nb.c'); printf 'static double x[9000];\nint main(void) {\nfor (int i = 0; i < 9000; i++) x[i] = i * 3.5;\nreturn x[7] < 1; }\n' >"$odd"; gcc -O1 -g -o odd "$odd"
"$CORECAST" record --engine valgrind --loops dependences --tasks loops -o odd.cast ./odd 2>/dev/null && {
    cc explore odd.cast -p cortex-a53-quad; is "$RC $(tr -s ' \n' ' ' <out | grep -c 'a plan cannot write its name')" "0 1" "a file with a line break in its name"
    cc explore odd.cast -p cortex-a53-quad --patch odd.patch; is "$(tr -s ' \n' ' ' <out | grep -c 'a source is not read whose name')" 1 "which is not patched either"
}
"$MAKE_CAST" f.cast
cc explore f.cast -p cortex-a53-quad; fails 3 "explore -- PROGRAM" "a recording without dependences says what to do"
cc explore -p no-such-chip --keep u.cast -- ./ugly; fails 3 "no-such-chip" "a platform that is not there is said"
is "$(ls u.cast 2>/dev/null)" "" "before anything is recorded"
cc explore -p cortex-a53-quad --contention off --keep u.cast -- ./ugly
if [ $RC -ne 0 ] && grep -q "valgrind" err; then
    skip "exploring" "there is no valgrind engine"
    done_testing
    exit
fi
ok $RC "a program is recorded and explored"
cc explore u.cast -p cortex-a53-quad --min-gain 0.1 --not calls --json
largest=$(json '[.plans[].lines]|index(max) + 1') # the first may do with fewer lines
cc explore u.cast -p cortex-a53-quad --min-gain 0.1 --not calls --json --plan "$largest" --patch u.diff --scenario u.omp
is "$RC $(json .schema)" "0 corecast.explore" "explored as JSON"
loops=$(json '[.plans['$largest'-1].directives[].loop]|sort|join(" ")')
is "$loops" "scale.h:4 ugly.c:19 ugly.c:27:39 ugly.c:31 ugly.c:48 ugly.c:55 ugly.c:74 ugly.c:86" "the loops that can be shared out"
is "$(json '.plans['$largest'-1].directives[]|select(.loop=="ugly.c:55").pragma|[test("reduction\\(\\+:hits\\)"), test("reduction\\(\\+:s\\)"), test("reduction\\(max:m\\)")]|all')" true "reductions"
is "$(json '.plans['$largest'-1].directives[]|select(.loop=="ugly.c:74").pragma|test("private\\(k, tmp\\) lastprivate\\(last\\) schedule")')" true "private and lastprivate, of a loop that always runs"
is "$(json '.plans['$largest'-1].directives[]|select(.loop=="ugly.c:19").pragma|test("lastprivate\\(i\\)")')" true "a counter that is read afterwards"
why() { json ".rejected[]|select(.loop==\"$1\").reason"; }
is "$(grep -c ". EACH(i, N)" u.diff) $(grep -A1 "^+.*omp parallel for" u.diff | grep -c "EACH(i, N)")" "1 1" "a loop of a macro has its directive in front of the line"
is "$(why ugly.c:37 | grep -c 'line 36')" 1 "so is one with a pragma of its own"
is "$(why ugly.c:42 | grep -cw 'g')" 1 "and one whose counter its functions see"
is "$(why ugly.c:67 | grep -c 'line 68')" 1 "and one that needs its order, with the line"
is "$(json '[.plans[0].speedup[]|.low <= .speedup and .speedup <= .high]|all')" true "speed-ups lie in their intervals"
is "$(json '(.plans[0].speedup|length)')" 4 "one for each of the platform's cores"
is "$(json '[.plans[].speedup[-1].speedup]|. == (sort|reverse) or (.[0] >= max*0.99)')" true "the first plan is the fastest"
is "$(json .proven)" true "proven"
json '.plans['$largest'-1].patch' >j.diff
is "$(cmp u.diff j.diff 2>&1 | grep -c differ)" 0 "the patch of the JSON is that of the file"

# --- the patch ---
want=$(./ugly)
mkdir tree && cp ugly.c scale.h tree && (cd tree && patch -s -p1 <../u.diff)
ok $? "patch -p1 takes it"
is "$(grep -c 'omp parallel for' tree/ugly.c tree/scale.h | tr '\n' ' ')" "tree/ugly.c:7 tree/scale.h:1 " "all directives are there"
is "$(grep -c -v "$(printf '\r')" tree/scale.h)" 0 "ends of lines stay as they were"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    $compiler -O1 -Wall -Wextra -Werror -fopenmp -o tree/u tree/ugly.c 2>err
    rc=$?
    if grep -q "omp.h\|cannot find -lomp\|libomp" err; then skip "$compiler" "it has no OpenMP"; continue; fi
    ok $rc "$compiler compiles it without a warning"
    is "$(for n in 1 2 3 4; do OMP_NUM_THREADS=$n tree/u; done | sort -u)" "$want" "with the same result on 1 to 4 threads"
done
cc predict u.cast -p cortex-a53-quad -s u.omp -n 4 --json
is "$(json '.scenarios[0].schedules[0].speedup > 1.3')" true "the scenario is predicted"

# --- what the user says ---
cc explore u.cast -p cortex-a53-quad --only ugly.c:19 --json
is "$(json '[.plans[].directives[].loop]|unique|join(" ")')" "ugly.c:19" "--only"
cc explore u.cast -p cortex-a53-quad --not after --not scale.h --json
is "$(json '[.plans[].directives[].loop]|unique|map(select(. == "ugly.c:19" or . == "scale.h:4"))|length')" 0 "--not, a function and a file"
cc explore u.cast -p cortex-a53-quad --not ugly.c:99; fails 2 "no such loop" "--not of a loop that is not there"
cc explore u.cast -p cortex-a53-quad --assume independent=ugly.c:67 --json
is "$(json '[.plans[0].directives[].loop]|index("ugly.c:67") != null') $(json '.plans[0].risk_level')" "true high" "--assume takes a loop in, at a high risk"
cc explore u.cast -p cortex-a53-quad --assume ugly.c:67; fails 2 "independent=" "--assume without what"
cc explore u.cast -p cortex-a53-quad --budget lines=2,cores=3 --json
is "$(json '[.plans[].lines]|max') $(json '[.plans[].speedup[].processors]|max')" "2 3" "--budget"
cc explore u.cast -p cortex-a53-quad --budget wishes=3; fails 2 "lines=N, cores=N" "--budget of something else"
cc explore u.cast -p cortex-a53-quad --objective energy --json; is "$(json '.plans[0].speedup[0].energy > 0')" true "--objective energy"
for o in --patch --scenario -o; do cc explore u.cast -p cortex-a53-quad $o ugly.c; fails 2 "also an input" "$o over the source"; done
cc explore u.cast -p cortex-a53-quad --plan 77 --patch v.diff; fails 2 "only" "a plan that is not there"
is "$(ls v.diff 2>/dev/null)" "" "leaves no file"

# --- chips ---
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --set platform.clock_mhz=600,1200 --json
is "$(json '.chips|length') $(json '[.chips[]|select(.chosen).chip]|join(" ")')" "8 cores=4 platform.clock_mhz=1200" "ranges and lists make chips, the fastest is chosen"
is "$(json '[.chips[]|select(.front).chip]|join(", ")' | grep -c 600)" 0 "a slower clock costs the same here, and is not on the front"
is "$(json '.chips as $c | [$c[]|. as $p|.front == ([$c[]|select(.cost <= $p.cost and .time <= $p.time and (.cost < $p.cost or .time < $p.time))]|length == 0)]|all')" true "the front is what no chip beats"
third=$(json '.chips[]|select(.chip == "cores=3 platform.clock_mhz=600").time')
cc explore u.cast -p cortex-a53-quad --set platform.cores=3 --set platform.clock_mhz=600 -n 3 --json
is "$(json "(.plans[0].speedup[0].time * .tick_seconds / $third - 1)|fabs < 1e-9")" true "a chip is what it is by itself"
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --reach "$(echo "$third" | awk '{printf "%.6fms", $1 * 500.5}')" --json
is "$(json '.chips|[.[]|select(.reaches)]|sort_by(.cost)[0].chosen')" true "the smallest that reaches a time"
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --reach 1ns
is "$(grep -c 'no chip reaches 1ns; the fastest: cores=4' out)" 1 "or none does"
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --budget area=4 --cost core=1,mib=0 --reach 30fps --frames 2 --json
is "$(json '[.chips[]|select(.time)]|length')" 4 "costs are the user's"
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --reach 30fps; fails 2 "no frames" "a rate without frames"
cc explore u.cast -p cortex-a53-quad --set cores=1..4 --budget area=0.1; fails 2 "no chip costs so little" "no chip within the budget"
cc explore u.cast -p cortex-a53-quad --set cores=4..1; fails 2 "FROM..TO" "a range that is none"
cc explore u.cast -p cortex-a53-quad --set cores=1..100000; fails 2 "more than" "too many"
cc explore u.cast -p cortex-a53-quad --set cores=-1..-1; fails 3 "outside 1 to" "a range of one negative number has a value"
cc explore u.cast -p cortex-a53-quad --budget lut=50%; fails 2 "has no programmable logic" "a budget of logic that is not there"

# --- several processes ---
if has_ranks; then
    "$CORECAST" explore -q u.cast -p cortex-a53-quad --set cores=1..5 --reach 1us --json >one.json
    mpirun -n 2 "$CORECAST" explore -q u.cast -p cortex-a53-quad --set cores=1..5 --reach 1us --json -o two.json 2>err
    is "$(cmp one.json two.json 2>&1)" "" "two processes of mpirun say the same, bit for bit"
    kill_rank explore -q u.cast -p cortex-a53-quad --set cores=1..64 --set platform.clock_mhz=200..1200:+20 --json -o killed.json
    rank_is_missed killed.json explore
    mpirun -n 2 "$CORECAST" explore -q -p cortex-a53-quad -- ./ugly >out 2>err
    is "$? $(grep -o 'record it first' err | sort -u)" "2 record it first" "and do not record"
else
    skip "several processes" "there is no Open MPI"
fi

# --- updates of what has no name, of what is too large for copies, and loops that may not run at all ---
mkdir scatter && cd scatter
cat >s.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
enum { BIG = 400000 };
static unsigned big[BIG];
static double slow(int i)
{
    double x = i;
    for (int k = 0; k < 20; k++)
        x = x * 0.5 + 1.0 / (x + k + 1);
    return x;
}
static int tail(const int *k, int n, int before)
{
    int last = before, i;
    for (i = 0; i < n; i++) {
        last = k[i] % 7;
        big[i] += slow(last) > 3;
    }
    return last * 1000 + i;
}
int main(void)
{
    int n = 1000, *k = malloc(n * sizeof *k);
    double *x = calloc(n, sizeof *x);
    for (int i = 0; i < n; i++)
        k[i] = (i * 7919) % 97;
    for (int i = 0; i < n; i++)
        x[k[i]] += slow(i);
    for (int i = 0; i < n; i++) {
        int at = (int)(slow(i) * 1000) % BIG;
        big[at]++;
        if (at % 3 == 0) { big[at / 2] += 2; }

    }
    for (int i = 0; i < n; i++) {
        double v = slow(i); if (v > 3) x[k[i]] += v; if (v < 2) x[k[i]] += v;
    }
    printf("%.6f %u %d %d\n", x[3], big[1500] + big[750], tail(k, n, 5), tail(k, 0, 5));
    return 0;
}
XX
gcc -O1 -g -o s s.c && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep s.cast -- ./s >/dev/null 2>"$WORK/err"
cc explore s.cast -p cortex-a53-quad --min-gain 0.1 --json --patch s.diff
is "$(json '[.plans[0].directives[]|"\(.line) \(.pragma|sub(".*omp "; "")|sub(" schedule.*"; ""))"]|sort|join(", ")')" \
    "15 parallel for firstprivate(last) lastprivate(last, i) if(0 < n), 25 parallel for, 27 parallel for, 28 atomic, 29 parallel for, 31 atomic, 32 atomic" "atomic updates, and a value for no iteration"
is "$(why s.c:35 | grep -c 'line 36 has more in it than the update')" 1 "an update that shares its line with one that is alike is told"
is "$(json '.plans[0].risk' | grep -c 's.c:29')" 0 "sums of integers are exact, updates too"
is "$(json '.plans[0].speedup[0].speedup < 0.99')" true "atomic updates have a price"
cp s.c t.c; sed 's/s\.c/t.c/' s.diff | patch -s -p1
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    $compiler -O1 -Wall -Wextra -Werror -fopenmp -o t t.c 2>err || { skip "$compiler" "it has no OpenMP"; continue; }
    is "$(for n in 1 2 3 4; do OMP_NUM_THREADS=$n ./t; done | sort -u)" "$(./s)" "$compiler: the same result on 1 to 4 threads, after no iteration too"
done
cd ..

# --- memory that the run names as its owner does, not as the loop does ---
mkdir owner && cd owner
cat >o.c <<'XX'
#include <stdio.h>
static int slow(int x)
{
    for (int k = 0; k < 30; k++)
        x = x * 5 / 4 + k;
    return x;
}
static void tally(unsigned *h, int n)
{
    for (int i = 0; i < n; i++)
        h[slow(i) & 63]++;
}
int main(void)
{
    unsigned bins[64] = {0};
    tally(bins, 2000);
    printf("%u\n", bins[3]);
    return 0;
}
XX
gcc -O2 -g -o o o.c && "$CORECAST" explore -q -p cortex-a53-quad --keep o.cast -- ./o >/dev/null 2>"$WORK/err"
cc explore o.cast -p cortex-a53-quad --json --patch o.diff
is "$(json '[.plans[0].directives[]|"\(.line) \(.pragma|sub(".*omp "; "")|sub(" schedule.*"; ""))"]|sort|join(", ")')" "10 parallel for, 11 atomic" "updated by its name in the loop"
want=$(./o); patch -s -p1 <o.diff && gcc -O2 -Wall -Werror -fopenmp -o o o.c
is "$(OMP_NUM_THREADS=3 ./o)" "$want" "which compiles, with the same result"
cd ..

# --- threads of its own ---
mkdir own && cd own
cat >th.c <<'XX'
#include <pthread.h>
static double a[2][3000];
static void *work(void *p)
{
    double *x = p;
    for (int i = 0; i < 3000; i++)
        x[i] = x[i] * 0.5 + i;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, a[0]);
    work(a[1]);
    return pthread_join(t, 0);
}
XX
gcc -O1 -g -o th th.c -lpthread
cc explore -q -p cortex-a53-quad --contention off --json -- ./th
is "$RC $(json '[.threads, .thread_share > 0 and .thread_share < 0.9]|tostring')" "0 [2,true]" "of a program with threads, what is replayed is of one"
cd ..

# --- source that needs flags ---
mkdir -p flags/inc flags/src && cd flags
echo 'static double half(double x) { double s = x; for (int k = 0; k < 20; k++) s = s * 0.5 + 1; return s; }' >inc/half.h
printf '#include "half.h"\nstatic double v[SIZE];\nint main(void)\n{\n    for (int i = 0; i < SIZE; i++)\n        v[i] = half(i);\n    return v[5] > 1e9;\n}\n' >src/f.c
gcc -O1 -g -Iinc -DSIZE=3000 -o f src/f.c && "$CORECAST" explore -p cortex-a53-quad --keep f.cast -- ./f >/dev/null 2>"$WORK/err"
cc explore f.cast -p cortex-a53-quad --cflags '-DSIZE=3000' --json
is "$(json '.plans[0].speedup[-1]|.low < .speedup and .speedup < .high') $(grep -c mem.read "$WORK/err")" "true 0" "a program is recorded with its lines: times have an interval"
is "$(json '.plans[0].patch' | grep -c '^+.*omp parallel for')" 1 "headers are found by themselves, macros by --cflags"
cc explore f.cast -p cortex-a53-quad --json
is "$(json '.plans[0]|[.patch == null, .risk_level]|tostring')" '[true,"high"]' "source that cannot be read gets no patch, and a high risk"
cd ..

# --- what iterations overwrite, and somebody reads after the loop ---
cat >last.c <<'XX'
#include <stdio.h>
int v[3000], w[3000];
static int mix(int a, int i) { return a * 3 + w[i % 3000]; }
int main(void)
{
    int s = 0;
    v[2500] = 7;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2000; i++)
            v[i] = mix(i, i + k) + k;
    for (int i = 1; i < 3000; i++)
        s += v[i] ^ i;
    printf("%d %d\n", s, v[7]);
}
XX
gcc -O1 -g -o last last.c && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep last.cast -- ./last >/dev/null 2>"$WORK/err"
cc explore last.cast -p cortex-a53-quad --min-gain 0 --only last.c:8 --json --patch last.diff
is "$RC $(json ".plans[0].directives[0].pragma" | sed 's/ if.*//; s/ schedule.*//')" "0 #pragma omp parallel for firstprivate(v) lastprivate(v)" "the last one's stays, and the loops are not made one"
want=$(./last); cp last.c kept.c; patch -s -p1 <last.diff && gcc -O1 -Wall -Werror -fopenmp -o last last.c; cp kept.c last.c
is "$(for n in 1 2 3 4; do OMP_NUM_THREADS=$n ./last; done | sort -u)" "$want" "so that the result is the same"

# --- loops of the language's own headers are nobody's to change ---
if command -v g++ >/dev/null; then
    mkdir lang && cd lang
    cat >w.cpp <<'XX'
#include <cstdio>
#include <string>
#include <vector>
template <class T> static T third(T x) { T s = 0; for (int k = 0; k < 30; k++) s += x / (k + 3); return s; }
struct Sum {
    static double all;
    double own = 0;
    void add(const std::vector<double> &v)
    {
        for (int i = 0; i < 2000; i++)
            all += third(v[i]);
        for (int i = 0; i < 2000; i++)
            own += third(v[i] + 1);
    }
};
double Sum::all = 0;
int main()
{
    std::vector<std::string> names(400, "a name that is too long for the string itself");
    std::vector<double> v(2000);
    for (size_t i = 0; i < v.size(); i++)
        v[i] = third((double)i);
    Sum s;
    s.add(v);
    std::printf("%zu %.6f %.6f %.6f\n", names.size(), v[77], Sum::all, s.own);
}
XX
    g++ -O1 -g -o w w.cpp && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep w.cast -- ./w >/dev/null 2>"$WORK/err"
    cc explore w.cast -p cortex-a53-quad --min-gain 0 --min-share 0 --json --patch w.diff
    is "$RC $(json '[.plans[].directives[].loop]|unique|join(" ")')" "0 w.cpp:12 w.cpp:21" "a plan has the program's own loops, and a patch"
    # where no register of numbers outlives a call, the sum lies in memory, and a register still has it afterwards: it is told as needed
    is "$(why w.cpp:10 | grep -c -e 'static member' -e 'that an earlier one wrote at line 11')" 1 "a static member is in no clause"
    is "$(json '[.rejected[]|select(.file|test("/include/c\\+\\+/"))|select(.verdict == "parallel").reason|test("not the program.s own")]|length > 0 and all')" true "those of the library are told"
    cat >r.cpp <<'XX'
#include <cmath>
#include <cstdio>
#include <list>
#include <vector>
static double work(double x) { for (int k = 0; k < 20; k++) x = std::sqrt(x + k); return x; }
int main()
{
    std::vector<double> v(1500, 1.0);
    std::list<double> l(1500, 3.0);
    double s = 0;
    for (auto it = v.begin(); it != v.end(); ++it)
        *it = work(*it);
    for (double &x : v)
        x = work(x + 1);
    for (const auto &x : v)
        s += work(x);
    for (auto it = v.begin(); it != v.end(); ++it) {
        *it = work(*it);
        if (*it > 1e9)
            ++it;
    }
    for (auto &x : l)
        x = work(x);
    static double a[900], b[900];
    { for (int i = 0; i < 900; i++) a[i] = work(i); } { for (int i = 0; i < 900; i++) b[i] = work(i); }
    std::printf("%.9f %.9f %.9f %.9f\n", s, v[7], l.back(), a[8] + b[9]);
}
XX
    g++ -O1 -g -o r r.cpp && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep r.cast -- ./r >/dev/null 2>"$WORK/err"
    cc explore r.cast -p cortex-a53-quad --min-gain 0 --json --patch r.diff
    is "$RC $(json '.plans[0].directives|map(.loop)|sort|join(" ")')" "0 r.cpp:11 r.cpp:13 r.cpp:15" "iterators and ranges that reach any element are shared out, others not"
    is "$(json '[.rejected[]|select(.loop|startswith("r.cpp:25:")).reason|test("another loop has the same line")]|tostring')" "[true,true]" "two loops in one line are told"
    cp r.cpp q.cpp && sed 's/r\.cpp/q.cpp/' r.diff | patch -s -p1 && g++ -O1 -Wall -Werror -fopenmp -o q q.cpp
    is "$(./q)" "$(./r)" "which C++ takes"
    cd ..
    cat >v.cpp <<'XX'
#include <vector>
int main()
{
    std::vector<double> v;
    v.resize(5000);
    for (unsigned i = 1; i < v.size(); i++)
        v[i] = v[i - 1] * 0.5 + i;
    return v[7] < 0;
}
XX
    g++ -O0 -g -o v v.cpp
    cc explore -q -p cortex-a53-quad --contention off --json -- ./v
    is "$(json '.rejected[]|select(.line == 6)|.reason')" "an iteration reads v (block allocated at v.cpp:5) at line 7 that an earlier one wrote at line 7" "a container's block is named by the call of the program that made it"
else
    skip "C++" "there is no g++"
fi

# --- the proof ---
cat >sum.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 1500 };
static double v[N], w[N];
static int seen[4];
static double slow(double x)
{
    for (int k = 0; k < 20; k++)
        x = x * 0.5 + 1.0 / (x + k + 1);
    return x;
}
int main(int argc, char **argv)
{
    double s = 0;
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < n; i++)
        v[i] = slow(i);
    for (int i = 1; i < n; i++)
        w[i] = w[i - 1] + slow(v[i]);
    for (int i = 0; i < n; i++) {
        seen[i % 2] = 1;
        s += slow(w[i]);
    }
    printf("%.9f %d\n%ld\n", s, seen[0], (long)clock());
    return 3;
}
XX
mkdir proof tmp && mv sum.c proof && cd proof && gcc -O1 -g -o sum sum.c || exit 99
export TMPDIR="$WORK/tmp"
"$CORECAST" explore -p cortex-a53-quad --contention off --keep s.cast -- ./sum >/dev/null 2>"$WORK/err"
prove() { cc explore s.cast -p cortex-a53-quad -n 1,2 --repeat 1 --verify --build 'gcc -O1 -g -fopenmp -o sum sum.c' --run './sum' --race-run "./sum '40' <sum.c" --json "$@"; }
prove --not sum.c:21 --patch "$WORK/proven.diff"
is "$(json '.plans[0].verified.ok')" true "a plan is proven, a line with a time and a status of its own notwithstanding"
is "$(json '.plans[0].verified.measured[0].processors')" 1 "with what was measured"
is "$(json '[.plans[0].verified.measured[] | select(.speedup) | .speedup * .seconds] | . == [] or (max - min) < 1e-6 * max')" true "speed-ups and seconds are of the same sequential run"
is "$(json '.plans[0].verified|[.apart, (.stolen >= 0), ([.measured[]|select(.processors > 1 and .speedup)]|all(.slowdown >= 1 and .expected > 0 and .expected_low <= .expected and .expected <= .expected_high))]|tostring')" "[null,true,true]" "beside copies of the sequential program at once, and what is expected with that"
command -v valgrind >/dev/null && is "$(json '.plans[0].verified.race')" "none seen by helgrind with 3 threads" "and looked through for races"
is "$(json '.plans[0].verified.again')" "1 of 1 loops were free again" "and by the recorder"
is "$(json '.plans[0].verified.recorded' | grep -c '^1 of 1 loops ran on both threads, the busier one did 5')" 1 "the patched program as well: its threads share the loop"
is "$(grep -c 'pragma omp' "$WORK/proven.diff")" 1 "its patch is written"
cc explore s.cast -p cortex-a53-quad -n 1,2 --repeat 1 --verify --build 'gcc -O1 -fopenmp -o sum sum.c' --run ./sum --race-run './sum 40' --not sum.c:21 --json
is "$(json '.plans[0].verified|[.ok, (.again, .recorded|test("build it with -g"))]|tostring')" "[true,true,true]" "a build without -g is told"
if echo 'int main(void) { return 0; }' | clang -fopenmp -xc -o "$WORK/omp" - 2>/dev/null && ldd "$WORK/omp" | grep -q 'libomp\.'; then
    cc explore s.cast -p cortex-a53-quad -n 1,2 --repeat 1 --verify --build 'sed -i "s/schedule([^)]*)/schedule(guided)/" sum.c; clang -O1 -g -fopenmp -o sum sum.c' \
        --run ./sum --race-run './sum 40' --not sum.c:21 --json
    is "$(json '.plans[0].verified|[.ok, (.race|test("^not looked for")), (.recorded|test("^1 of 1 loops ran on both"))]|tostring')" "[true,true,true]" \
        "what another OpenMP library does is no race, and is recorded"
fi
prove --not sum.c:21 --assume independent=sum.c:19
is "$(json '[.plans[].verified|select(.)|.ok]|.[0], .[-1]|tostring' | tr '\n' ' ')" "false true " "a wrong one is struck out, the next are tried"
is "$(json '.plans[0].verified.reason' | grep -cE 'with 2 threads it is wrong: line 1|a race: one thread reads at sum.c:20')" 1 "with what was wrong"
prove --only sum.c:21 --assume independent=sum.c:21
is "$(json '.plans[0].verified.reason' | grep -c 'a race: one thread writes at sum.c:2[23] in main what another writes at sum.c:2[23] in main')" 1 "a race that changes nothing this time is found"
cat >pair.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
static double b[1200];
static int from[1200];
int main(int argc, char **argv)
{
    int pairs = argc > 1 && atoi(argv[1]);
    for (int i = 0; i < 1200; i++)
        from[i] = i - (pairs ? i % 2 : 0);
    for (int i = 0; i < 1200; i++) {
        double x = i;
        for (int k = 0; k < 20; k++)
            x = x * 0.5 + 1.0 / (x + k + 1);
        b[i] = x;
        x = b[from[i]];
        b[i] += x;
    }
    printf("%.9f\n", b[77] + b[78]);
    return 0;
}
XX
gcc -O0 -g -o pair pair.c && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep p.cast -- ./pair >/dev/null 2>"$WORK/err"
cc explore p.cast -p cortex-a53-quad -n 1,2 --repeat 1 --verify --build 'gcc -O0 -g -fopenmp -o pair pair.c' --run './pair 1' --only main --json
is "$(json '.plans[0].verified|[.ok, .race]|tostring')" '[false,"none seen by helgrind with 3 threads"]' "what no race shows and no result tells,"
is "$(json '.plans[0].verified.reason' | grep -c "with './pair 1' pair.c:10 needs its order: an iteration reads b at line 15 that an earlier one wrote at line 16")" 1 "the recorder finds with the input of the proof"
cc explore s.cast -p cortex-a53-quad --verify --build 'false' --run ./sum; fails 4 "as it is, the build ended with status 1" "a build that fails"
cc explore s.cast -p cortex-a53-quad --verify --build 'gcc -O1 -fopenmp -Wall -Werror -DN=3 -o sum sum.c' --run ./sum; fails 4 "error: " "with the compiler's words"
cc explore s.cast -p cortex-a53-quad --verify --run ./sum; fails 2 "needs --build" "no build"
export CORECAST_CPP=no-such-program
cc explore s.cast -p cortex-a53-quad -n 1,2 --patch none.diff; fails 4 "no patch: no source can be read: there is no 'no-such-program' \\(install clang\\)" "no patch without clang, and the cause is told"
cc report s.cast --view loops; is "$(tr '\n' ' ' <"$WORK/out" | tr -s ' ' | grep -c "no source can be read: there is no 'no-such-program' (install clang), so that verdicts are of this binary alone")" 1 "in the view of loops, too"
unset CORECAST_CPP
cc explore s.cast -p cortex-a53-quad -n 1,2 --repeat 1 --verify --build 'gcc -O1 -g -o sum sum.c' --run ./sum --not sum.c:21 --json
is "$(json '[.plans[] | select(.verified) | .verified | "\(.ok) \(.reason | test("without OpenMP"))"] | join(",")')" "false true" "a build that does not switch OpenMP on proves nothing, and is tried once"
cc explore s.cast -p cortex-a53-quad --run ./sum; fails 2 "belong to --verify" "a run without --verify"
prove --not sum.c:21 --race none --compare 'test "$(head -1 "$CORECAST_OUTPUT")" = "$(head -1 "$CORECAST_REFERENCE_OUTPUT")" && test -d "$CORECAST_REFERENCE"'
is "$(json '.plans[0].verified.ok')" true "--compare decides"
prove --not sum.c:21 --race none --copies none
is "$(json '.plans[0].verified|[.ok, .apart, ([.measured[].slowdown, .measured[].expected]|unique)]|tostring')" '[true,"--copies none",[null]]' "no copies at once, if they are not wanted"
if [ "$(nproc)" -gt 1 ]; then
    prove --not sum.c:21 --race none --run 'mkdir busy 2>/dev/null || exit 9; ./sum; status=$?; sleep 0.3; rmdir busy; exit $status'
    is "$(json '.plans[0].verified|[.ok, .apart]|tostring')" '[true,"one ended with status 9 then"]' "a program that cannot run twice at once is proven all the same"
fi
is "$(ls "$WORK/tmp")" "" "nothing is left behind"
"$CORECAST" explore -q s.cast -p cortex-a53-quad --verify --build true --run 'sleep 47.11' >stopped.txt 2>&1 &
tool=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do pgrep -x sleep -a | grep -q 47.11 && break; sleep 0.2; done
kill -TERM $tool; wait $tool
is "$(pgrep -x sleep -a | grep -c 47.11) $(ls "$WORK/tmp")" "0 " "nor after a signal, no process either"
ok "$(grep -q '^plan 1 is struck out: stopped before it was proven' stopped.txt; echo $?)" "what is known by then is told"
cd ..
mkdir tasks; cd tasks
cat >sort.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
#define N 3000
static double a[N], b[N];
static int seen;
static void join(int *v, int *tmp, int lo, int mid, int hi)
{
    int i = lo, j = mid, k;
    for (k = lo; k < hi; k++)
        tmp[k] = j == hi || (i < mid && v[i] <= v[j]) ? v[i++] : v[j++];
    for (k = lo; k < hi; k++)
        v[k] = tmp[k];
}
static void sort(int *v, int *tmp, int lo, int hi)
{
    int mid = lo + (hi - lo) / 2;
    if (hi - lo < 2)
        return;
    sort(v, tmp, lo, mid);
    sort(v, tmp, mid, hi);
    join(v, tmp, lo, mid, hi);
}
static int depth(int n)
{
    seen++;
    if (n < 2)
        return 1;
    const int left = depth(n - 1);
    int right = depth(n - 2);
    return left > right ? left + 1 : right + 1;
}
static long paths(int n)
{
    if (n < 2)
        return 1;
    const long left = paths(n - 1);
    long right = paths(n - 2);
    return left + right;
}
static double chain(double *v, double x)
{
    for (int i = 0; i < N; i++)
        v[i] = x = x * 0.999 + 1.0 / (1.0 + x * x);
    return x;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4000;
    int *v = malloc((size_t)n * sizeof *v), *tmp = malloc((size_t)n * sizeof *tmp), wrong = 0;
    unsigned x = 1;
    for (int i = 0; i < n; i++)
        v[i] = (int)((x = x * 1664525u + 1013904223u) >> 8);
    sort(v, tmp, 0, n);
    double r[2];
    r[0] = chain(a, 0.5);
    r[1] = chain(b, 1.5);
    double last = chain(a, r[1]);
    int d = depth(16);
    long p = paths(17);
    for (int i = 1; i < n; i++)
        wrong += v[i - 1] > v[i];
    printf("%d %d %d %ld %.9f %.9f %.9f\n", wrong, d, seen, p, r[0], r[1], last);
    return 0;
}
XX
gcc -O1 -g -o sort sort.c && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep t.cast -- ./sort >/dev/null 2>"$WORK/err"
cc explore t.cast -p cortex-a53-quad --contention off --json --patch t.diff
is "$RC $(json '[.plans[0].directives[]|select(.loop|test("calls"))|.loop]|sort|join(" ")')" "0 calls sort.c:19 calls sort.c:55 calls sort.c:57" "calls that do not need each other are tasks, or sections"
is "$(json '.rejected[]|select(.loop == "calls sort.c:28")|.reason')" "the call in line 29 reads seen at line 25, which the one in line 28 wrote at line 25" "those that do are told with the variable and the lines"
is "$(json '.plans[0].speedup[1].speedup > 1.3')" true "which pays"
cc explore t.cast -p cortex-a53-quad --contention off --only paths --patch p.diff --min-gain 0
is "$(grep -c '^+ *long left;' p.diff) $(grep -c '^+ *left = paths(n - 1);' p.diff) $(grep -c '^+ *#pragma omp task shared(left)' p.diff)" "1 2 1" "a declaration is split"
mkdir p; cp sort.c p; (cd p; patch -s -p1 <../t.diff)
is "$? $(grep -c 'pragma omp task$' p/sort.c) $(grep -c 'pragma omp section$' p/sort.c) $(grep -c 'pragma omp single' p/sort.c)" "0 2 5 1" "the patch has them"
for c in gcc clang; do
    command -v $c >/dev/null || continue
    $c -O2 -g -fopenmp -Wall -Wextra -Werror -o par p/sort.c 2>"$WORK/err" || { skip "$c" "no OpenMP here"; continue; }
    is "$(for i in 1 2 3 4; do OMP_NUM_THREADS=$i ./par; done | sort -u)" "$(./sort)" "$c takes it without a warning, and the result stays"
done
cc explore t.cast -p cortex-a53-quad --contention off -n 1,2 --repeat 1 --verify --build 'gcc -O1 -g -fopenmp -o sort sort.c' --run './sort 900' --json
is "$(json '.plans[0].verified|[.ok, .race, .again]|tostring')" '[true,"none seen by helgrind with 3 threads","4 of 4 loops were free again"]' "and it is proven"
cat >two.c <<'XX'
#include <stdio.h>
static double last;
__attribute__((noinline)) static double chain(double y, int told)
{
    for (int i = 0; i < 200000; i++)
        y = y * 0.999 + 0.01 / (y + 1);
    if (told)
        last = y;
    return y;
}
int main(int argc, char **argv)
{
    double r[2];
    int told = argc > 1;
    r[0] = chain(1, told);
    r[1] = chain(2, told);
    printf("%s %.3f %.3f %d\n", argv[0], r[0], r[1], last > 0);
    return 0;
}
XX
gcc -O1 -g -o two two.c && "$CORECAST" explore -q -p cortex-a53-quad --contention off --keep two.cast -- ./two >/dev/null 2>"$WORK/err"
cc explore two.cast -p cortex-a53-quad --contention off -n 1,2 --repeat 1 --verify --build 'gcc -O1 -g -fopenmp -o two two.c' --run './two x' --json
is "$RC $(json '.plans[0].verified.race')" "1 a race: one thread writes at two.c:8 in chain what another writes at two.c:8 in chain" "a race of calls that the recorded input did not show"
cat >tail.c <<'XX'
static double a[20000], b[20000];
__attribute__((noinline)) static void half(double *p, int k)
{
    for (int i = 1; i < 20000; i++)
        p[i] = p[i - 1] * 0.5 + i * k;
}
__attribute__((noinline)) static void third(double *p, int k)
{
    for (int i = 1; i < 20000; i++)
        p[i] = p[i - 1] / 3 + i * k;
}
__attribute__((noinline)) static void both(int k)
{
    half(a, k);
    third(b, k + 1);
}
int main(void)
{
    for (int k = 0; k < 4; k++)
        both(k);
    return a[7] + b[9] < 0;
}
XX
gcc -O2 -g -o tail tail.c
cc explore -q -p cortex-a53-quad --contention off --json -- ./tail
is "$RC $(json '.rejected[]|select(.loop == "calls tail.c:14")|.reason')" "0 its last call is a jump in the binary: record a build with -fno-optimize-sibling-calls" "a jump at the end of a row of calls is no section, and is told"
gcc -O2 -g -fno-optimize-sibling-calls -o tail tail.c
cc explore -q -p cortex-a53-quad --contention off --json -- ./tail
is "$RC $(json '[.plans[0].directives[].loop]|join(" ")')" "0 calls tail.c:14" "as a call it is one"
cd ..
echo >>ugly.c
cc explore u.cast -p cortex-a53-quad --patch w.diff
is "$RC $(grep -c '^+++' w.diff) $(grep -c '^+++ b/scale.h' w.diff) $(grep -c 'not in the patch' err)" "0 1 1 1" "source that was changed since is left out of the patch"
echo >>scale.h
cc explore u.cast -p cortex-a53-quad --patch x.diff
is "$RC $(grep -c 'no patch' err)" "3 1" "if there is no other, there is no patch"
done_testing
