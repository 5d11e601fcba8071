#!/bin/sh
# Some of the seeded faults (bench/faults.sh has all, on four platforms): the cause, the program's line and the object are named first, the
# gain is what the repair brings, and nothing is left to say of the repaired program.
. "$(dirname "$0")/lib.sh"

check() { # check FAULT PLATFORM CAUSE OBJECT
    program=$SOURCE/tests/data/faults/$1.c build="gcc -O1 -g -pthread"
    [ -f "$program" ] || program=${program}c build="g++ -std=c++17 -O1 -g -pthread"
    ! grep -q '#pragma omp' "$program" || build="$build -fopenmp"
    line=$(grep -n FAULT "$program" | cut -d: -f1) # one of these
    $build "$program" -o fault && $build -DFIXED "$program" -o fixed || exit 99
    for v in fault fixed; do
        "$CORECAST" simulate -p "$2" -n 4 --trace $v.trace --json -o $v.json -- ./$v 4 >$v.out 2>err
        is $? 0 "$1 on $2, $v: runs"
        "$CORECAST" mine contention --json $v.trace >$v.mine 2>err
    done
    named=$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object)"' fault.mine)
    case " $(printf '%s ' $line)" in *" $(jq -r '.findings[0].line' fault.mine) "*) at=$(jq -r '.findings[0].line' fault.mine) ;; *) at="$line" ;; esac
    is "$named" "$3 $at $4" "$1 on $2: cause, line and object come first"
    is "$(jq -n --slurpfile a fault.json --slurpfile b fixed.json --slurpfile m fault.mine '($a[0].cycles / $b[0].cycles) / $m[0].findings[0].gain | . < 1.5 and . > 1 / 1.5')" true \
        "$1 on $2: the repair gains what was said ($(jq .findings[0].gain fault.mine); $(jq .cycles fault.json) to $(jq .cycles fixed.json) cycles)"
    is "$(jq -c '[.findings[] | select(.share >= 0.01)]' fixed.mine)" "[]" "$1 on $2: nothing is left"
    is "$(jq '([.causes | to_entries[] | select(.key != "start-up" and .key != "serial phase" and .key != "distant memory" and .key != "cache misses" and .key != "unused core") | .value] | add // 0) == .lost' fault.mine)" true "$1 on $2: the causes add up"
}
check false_sharing cortex-a53-quad "false sharing" hits
check lock_convoy mips-smp lock lock
check unfair_spin cortex-a53-quad "spin lock" lock
check sense_barrier cortex-a53-quad barrier flag
check backoff_exchange mips-smp "true sharing" total
check sleep_poll cortex-a53-quad spinning ready
check pipe_jobs mips-smp message null
check ticket_lock mips-smp "spin lock" turns
check stack_counters mips-smp "false sharing" "stack of thread 0"
check mtx_table mips-smp lock guard
check cv_turns mips-smp condition turn_changed
check flag_guard cortex-a53-quad "spin lock" busy
check omp_single mips-smp barrier null
check omp_dynamic cortex-a53-quad "loop schedule" null
check omp_partial mips-smp "false sharing" part
check log_index mips-smp "true sharing" place
check shared_counter mips-smp "true sharing" counter
"$CORECAST" mine contention fixed.trace >out 2>err
grep -q '^no contention: 0\.[0-9] % of CPU time is lost$' out; ok $? "and says so in words"
"$CORECAST" mine contention fault.trace >out 2>err
grep -q "^1. true sharing: 'counter' at shared_counter.c:$line in work .*costs" out; ok $? "a finding is a sentence"
"$CORECAST" mine contention --svg-causes causes.svg --svg-lines lines.svg --json fault.trace >m 2>err
is "$? $(jq -c '([.timeline[].causes | to_entries[]] | group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add) == .causes' m)" "0 true" "over time, every cause costs what it costs in all"
is "$(jq -c '[.lines[] | (.by_cpu | add) == .cycles] | all' m) $(jq -r '.lines[0] | "\(.object) \(.cause)"' m)" "true counter true sharing" "lines of the caches, by core"
grep -q '>true sharing<' causes.svg && grep -q 'counter 0x' lines.svg; ok $? "both are drawn, with names"
for item in line function object address; do
    "$CORECAST" mine contention --item $item --json fault.trace >m 2>err
    is "$? $(jq '.findings[0].cycles > 1000 and .lost > 1000' m)" "0 true" "--item $item"
done

# rounds of a loop that only looks are done for the thread, and are still seen as its waiting
gcc -O1 -g -pthread "$SOURCE/tests/data/faults/flag_spin.c" -o spin || exit 99
"$CORECAST" simulate -p mesh4x4 -n 16 --mine --json -o m -- ./spin 16 >out 2>err
is "$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object) \(.share > 0.35)"' m)" "spinning $(grep -n FAULT "$SOURCE/tests/data/faults/flag_spin.c" | cut -d: -f1) progress true" "flag_spin on 16 cores: all of the waiting is told"

# the same on one core: nothing is lost by construction
"$CORECAST" simulate -p cortex-a53-quad -n 1 --trace one.trace -q -- ./fault 1 >out 2>err
"$CORECAST" mine contention --json one.trace >m 2>err
is "$(jq -c '[.lost, .findings]' m)" "[0,[]]" "one core loses nothing"

# while it runs, without a trace: the same
for p in mips-smp cortex-a53-quad; do
    "$CORECAST" simulate -p $p -n 4 --trace t.trace -q -- ./fault 4 >out 2>err
    "$CORECAST" mine contention --json t.trace >a 2>err
    "$CORECAST" simulate -p $p -n 4 --mine --json -o b -- ./fault 4 >out 2>err
    is "$? $(jq -c '[.lost, .share, .causes, .findings]' b)" "0 $(jq -c '[.lost, .share, .causes, .findings]' a)" "$p: simulate --mine finds what the trace shows"
done

# what the threads of a region wait for at its end is one barrier, without the name of what libgomp keeps it in
cat >rows.c <<'END'
#include <stdio.h>
static float a[64];
int main(void)
{
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 40 * i; j++)
            a[i] = a[i] * 0.5f + 1;
    printf("%f\n", a[63]);
}
END
gcc -O2 -g -fopenmp rows.c -o rows || exit 99
"$CORECAST" simulate -p mips-smp -n 4 --mine --json -o m -- ./rows >out 2>err
is "$(jq -c '[.findings[] | select(.cause == "barrier") | [.file == null, .object]]' m)" "[[false,null]]" "the end of an uneven loop is one finding, named by its line"

# variables of a library that has no symbols are its data
echo 'static int first[3000]; static _Atomic int taken[3000]; int take(int i) { return ++taken[1500] + first[i]; }' >taken.c
cat >takes.c <<'END'
#include <pthread.h>
int take(int);
static void *work(void *p)
{
    for (int i = 0; i < 2000; i++)
        take(i);
    return p;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
END
gcc -O1 -shared -fPIC -s taken.c -o libtaken.so && gcc -O1 -g -pthread takes.c -o takes ./libtaken.so || exit 99
"$CORECAST" simulate -p mips-smp -n 4 --mine --json -o m -- ./takes >out 2>err
is "$(jq -r '.findings[0] | "\(.cause) of \(.object)"' m)" "true sharing of data of libtaken.so" "variables without names are their library's data"

# speed-up stacks add up, and name what stops the program
gcc -O1 -g -pthread "$SOURCE/tests/data/faults/lock_convoy.c" -o fault || exit 99
for n in 1 4; do "$CORECAST" simulate -p mips-smp -n $n --trace s$n.trace -q -- ./fault $n >out 2>err; done
"$CORECAST" mine scaling --json --svg-stack stack.svg s4.trace s1.trace >m 2>err
is "$? $(jq -c '[.stacks[] | ([.parts[]] | add) == .cores * .cycles]' m)" "0 [true,true]" "speed-up stacks: the parts are cores x cycles"
is "$(jq -r '"\(.verdict) \(.at) \(.bottlenecks[0].part) \(.bottlenecks[0].line)"' m)" "collapses 1 locks $(grep -n FAULT "$SOURCE/tests/data/faults/lock_convoy.c" | cut -d: -f1)" "a lock round all work: no core helps"
grep -q '<svg' stack.svg; ok $? "and are drawn"

# a lock that nothing but its use shows, and counters on the heap that one thread has cleared before
cat >own.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static _Alignas(256) atomic_uint next, serving;
static _Alignas(256) long total;
static struct { long a, b; } *counts;
static void *turns(void *p)
{
    for (int i = 0; i < 100; i++) {
        unsigned my = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != my) /* TURN */
            ;
        for (volatile int k = 0; k < 100; k++)
            total++;
        atomic_fetch_add(&serving, 1);
    }
    return p;
}
static void *count(void *p)
{
    volatile long *a = &counts[(long)p].a;
    for (int i = 0; i < 6000; i++)
        *a += i; /* COUNT */
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    counts = calloc(64, sizeof *counts);
    for (long i = 1; i < 4; i++)
        pthread_create(&t[i], NULL, argc > 1 ? turns : count, (void *)i);
    (argc > 1 ? turns : count)(NULL);
    for (int i = 1; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("%ld %s\n", total + counts[0].a, argv[0]);
}
END
gcc -O2 -g -pthread own.c -o own || exit 99
"$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./own turns >out 2>err
is "$(jq -r '.findings[0] | "\(.cause) \(.line)"' m)" "spin lock $(grep -n TURN own.c | head -1 | cut -d: -f1)" "a ticket lock is known by who gives it back"
"$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./own >out 2>err
is "$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object)"' m)" "false sharing $(grep -n COUNT own.c | head -1 | cut -d: -f1) calloc in main (own.c:$(grep -n calloc own.c | cut -d: -f1))" "false sharing of what one of them once cleared, by who asked for it"

# a barrier of a counter that comes back to the same number, between work that asks memory for nothing: nobody waits long. All threads are
# started by one that only waits for them.
cat >meet.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static _Alignas(256) atomic_int arrived;
static _Alignas(256) atomic_int phase;
static void *work(void *p)
{
    for (int s = 0; s < 8; s++) {
        for (unsigned k = 0, x = 1; k < (p ? 20000 : 20000 * LONGER); k++)
            __asm__ volatile("" : "+r"(x));
        int now = atomic_load(&phase);
        if (atomic_fetch_add(&arrived, 1) == 3) {
            atomic_store(&arrived, 0);
            atomic_fetch_add(&phase, 1);
        } else
            while (atomic_load(&phase) == now) /* MEET */
                ;
    }
    return NULL;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 1; i < 4; i++) /* one more than there are cores would take turns */
        pthread_create(&t[i], NULL, work, (void *)i);
    work(NULL);
    for (int i = 1; i < 4; i++)
        pthread_join(t[i], NULL);
}
END
for longer in 1 2; do
    gcc -O1 -g -pthread -DLONGER=$longer meet.c -o meet || exit 99
    "$CORECAST" simulate -p cortex-a53-quad --mine --json -o m$longer -- ./meet >out 2>err
done
is "$(jq -c '[.findings[] | select(.cause != "serial phase")]' m1)" "[]" "equal work between barriers of a counter: nothing to say"
is "$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object)"' m2)" "barrier $(grep -n MEET meet.c | head -1 | cut -d: -f1) phase" "twice as much of one thread: the barrier"
is "$(jq -n --slurpfile a m1 --slurpfile b m2 '($b[0].cycles / $a[0].cycles) / $b[0].findings[0].gain | . < 1.5 and . > 1 / 1.5')" true "and what it costs ($(jq .findings[0].gain m2))"

# who starts threads and only waits for them: a core is unused, and nobody contends
cat >join.c <<'END'
#include <pthread.h>
static void *work(void *p)
{
    for (unsigned k = 0, x = 1; k < 200000; k++)
        __asm__ volatile("" : "+r"(x));
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); /* JOIN */
}
END
gcc -O1 -g -pthread join.c -o join && "$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./join >out 2>err
is "$(jq -r '.findings[0] | "\(.cause) \(.line)"' m) $(jq '.share < 0.01 and .findings[0].gain > 1.1 and .findings[0].gain < 1.34' m)" "unused core $(grep -n JOIN join.c | cut -d: -f1) true" "a main thread that only joins"

# small blocks of one malloc, a thread each: all of them are one finding
cat >blocks.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *p)
{
    for (volatile long i = 0, *n = p; i < 4000; i++)
        n[0]++, n[2]++; /* BLOCK */
    return p;
}
int main(void)
{
    pthread_t t[4];
    long *block[4];
    for (int i = 0; i < 4; i++)
        block[i] = malloc(3 * sizeof(long)); /* MALLOC */
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, block[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
END
gcc -O1 -g -pthread blocks.c -o blocks && "$CORECAST" simulate -p cortex-a53-quad -n 4 --mine --json -o m -- ./blocks >out 2>err
is "$(jq -r '[.findings[] | select(.cause == "false sharing")] | "\(length) \(.[0].line) \(.[0].object)"' m)" \
    "1 $(grep -n BLOCK blocks.c | cut -d: -f1) malloc in main (blocks.c:$(grep -n MALLOC blocks.c | cut -d: -f1))" "blocks of the heap side by side"

# OpenMP as it is written
cat >omp.c <<'END'
#include <stdio.h>
int main(void)
{
    static long sum[64];
    long all = 0;
    for (int r = 0; r < 4; r++) {
#pragma omp parallel for schedule(static, 1)
        for (int i = 0; i < 4; i++)
            for (volatile int k = 0; k < (i == 0 ? 20000 : 200); k++)
                sum[i * 16]++;
    }
#pragma omp parallel
    for (int i = 0; i < 60; i++)
#pragma omp critical
        for (volatile int k = 0; k < 100; k++)
            all++;
    printf("%ld\n", all + sum[0]);
}
END
if gcc -O1 -g -fopenmp omp.c -o omp 2>/dev/null; then
    "$CORECAST" simulate -p cortex-a53-quad --trace omp.trace -q -- ./omp >out 2>err
    "$CORECAST" mine contention --json omp.trace >m 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.function) \(.line) \(.object)"' m)" "barrier main 7 null" "OpenMP: the barrier at the end of an uneven loop, with the region's line and nothing of its runtime"
    "$CORECAST" mine contention omp.trace >o 2>err; grep -q '^1. barrier at the end of the parallel region omp.c:7 in main' o; ok $? "OpenMP: said as it was written"
    is "$(jq -r '[.findings[] | select(.cause == "critical section")][0] | "\(.function) \(.line >= 13 and .line <= 16)"' m)" "main true" "OpenMP: a critical section"
    "$CORECAST" simulate -p mesh4x4 -n 16 --mine --json -o m2 -- ./omp >out 2>err
    is "$(jq '[.findings[] | select(.file == null)] | length' m2)" 0 "OpenMP: workers that have not begun wait for nobody's fault"
    is "$(grep -c 'gomp_\|goacc' m)" 0 "OpenMP: no names of its runtime"
    cat >pieces.c <<'END'
static volatile int out[9000];
int main(void)
{
#ifdef ORDERED
    int at = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 400; i++)
#pragma omp ordered
        for (int k = 0; k < 50; k++)
            out[at++ % 9000] = i;
#else
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 9000; i++)
        out[i] = i;
#endif
}
END
    gcc -O1 -g -fopenmp -DORDERED pieces.c -o pieces && "$CORECAST" simulate -p mips-smp --mine --json -o m -- ./pieces >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.function) \(.object)"' m)" "ordered section main null" "OpenMP: an ordered section"
    gcc -O1 -g -fopenmp pieces.c -o pieces && "$CORECAST" simulate -p mesh4x4 -n 16 --mine --json -o m -- ./pieces >out 2>err
    is "$(jq -r '[.findings[] | select(.cause != "serial phase")][0] | "\(.cause) \(.function) \(.object)"' m)" "loop schedule main null" "OpenMP: a loop in pieces of one, where its counter queues at one bank"
    cat >atomic.c <<'END'
static long total;
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 4000; i++)
#pragma omp atomic
        total += i; /* TOTAL */
    return total == 0;
}
END
    gcc -O1 -g -fopenmp atomic.c -o atomic && "$CORECAST" simulate -p mips-smp --mine --json -o m -- ./atomic >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object)"' m)" "true sharing $(grep -n TOTAL atomic.c | cut -d: -f1) total" "OpenMP: an atomic, by the program's variable and not by what the compiler has beside it"
    cat >tasks.c <<'END'
static volatile int done[2000];
int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 400; i++)
#pragma omp task
        done[i] = i;
}
END
    gcc -O1 -g -fopenmp tasks.c -o tasks && "$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./tasks >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.function) \(.line >= 6 and .line <= 8) \(.object)"' m)" "task queue main true null" "OpenMP: tasks that are too small"
else
    skip "OpenMP" "no libgomp"
fi

# C++: what headers put in place belongs to the line that called it, optimised or not
cat >own.cpp <<'END'
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
struct Count { long a, b; };
static std::vector<Count> counts;
static std::mutex guard;
static long total;
static void count(int id, bool lock)
{
    for (int i = 0; i < (lock ? 3000 : 10000); i++) {
        if (lock) {
            std::lock_guard<std::mutex> held(guard); // LOCK
            total += i;
        } else {
            *(volatile long *)&counts[id].a += i; // COUNT
        }
        for (volatile int k = 0; lock && k < 8; k++)
            ;
    }
}
int main(int argc, char **)
{
    counts.resize(64); // RESIZE
    std::vector<std::thread> t;
    for (int i = 0; i < 4; i++)
        t.emplace_back(count, i, argc > 1);
    for (auto &x : t)
        x.join();
    std::printf("%ld\n", total + counts[0].a);
}
END
line() { grep -n "// $1" own.cpp | cut -d: -f1; }
for o in -O0 -O2; do
    g++ $o -g -pthread own.cpp -o own++ 2>/dev/null || { skip "C++ $o" "no g++"; continue; }
    "$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./own++ lock >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.object) \(.line)"' m)" "lock guard $(line LOCK)" "C++ $o: a lock_guard is the program's line"
    "$CORECAST" simulate -p cortex-a53-quad --mine --json -o m -- ./own++ >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.object) \(.line)"' m)" "false sharing new in main (own.cpp:$(line RESIZE)) $(line COUNT)" "C++ $o: a vector is known by who made it grow"
done
# what a lambda inlines from headers belongs to the line that was written, not to one before it; classes of headers are known by their names
cat >own.cpp <<'END'
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>
struct Queue {
    std::mutex guard;
    std::condition_variable more;
    std::deque<int> waiting;
    void put(int v)
    {
        std::lock_guard<std::mutex> held(guard);
        waiting.push_back(v);
        more.notify_one();
    }
    int get()
    {
        std::unique_lock<std::mutex> held(guard);
        more.wait(held, [&] { return !waiting.empty(); }); // WAIT
        int v = waiting.front();
        waiting.pop_front();
        return v;
    }
};
static Queue queue;
static std::barrier<> meet(4);
static volatile long sum[4][64];
int main(int argc, char **)
{
    std::vector<std::thread> t;
    for (int me = 0; me < 4; me++)
        t.emplace_back([=] {
            long work = me ? 500 : 3000;
            for (int i = 0; i < 300; i++) {
                if (argc == 1 && me)
                    work = queue.get();
                for (long k = 0; k < work; k++)
                    sum[me][0] += k;
                for (int k = 0; argc == 1 && !me && k < 3; k++)
                    queue.put(500);
                if (argc > 1 && i % 10 == 0)
                    meet.arrive_and_wait(); // MEET
            }
        });
    for (auto &x : t)
        x.join();
    std::printf("%d\n", sum[0][0] > 0);
}
END
if g++ -std=c++20 -O1 -g -pthread own.cpp -o own++ 2>/dev/null; then
    "$CORECAST" simulate -p mips-smp --mine --json -o m -- ./own++ >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.object) \(.line)"' m)" "condition queue $(line WAIT)" "C++: a condition that a lambda waits for"
    "$CORECAST" simulate -p mips-smp --mine --json -o m -- ./own++ barrier >out 2>err
    is "$(jq -r '.findings[0] | "\(.cause) \(.line) \(.object)"' m)" "barrier $(line MEET) meet" "C++: std::barrier is one, by its own name"
else
    skip "C++20" "no compiler of it"
fi
done_testing
