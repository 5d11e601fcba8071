/* What the programs of bench-truth share. Serial with marks, or with -fopenmp -DCORECAST_OFF in parallel,
 * from one source. The kernel is what counts: nothing else is recorded as time, and its time on the machine
 * (simulated or real) is printed to stderr in ns. Threads exist before it begins. With -DTRUTH_LARGE kernels
 * take about a tenth of a second on a real machine; the sizes for the simulator take a millisecond there. */
#include "line.h"
#include <corecast/mark.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef TRUTH_LARGE
#define SIZE(small, large) (large)
/* The first touch of a page is the system's time, not the kernel's. */
#define TOUCH(array) memset(array, 0, sizeof(array))
#else
#define SIZE(small, large) (small)
#define TOUCH(array) ((void)(array))
#endif

#define BEGIN(name) CC_TASK_BEGIN(name)
#define END(name) CC_TASK_END(name)

/* Around all that one function of the program with -fopenmp does: the one that the compiler makes of a task,
 * or GOMP_taskwait. A mark in it counts for the compiler when it decides what to put where. With
 * -DTRUTH_FUNCTIONS there is none, and the function is told to `record --region`. */
#ifdef TRUTH_FUNCTIONS
#define CALL_BEGIN(name) ((void)0)
#define CALL_END(name) ((void)0)
#else
#define CALL_BEGIN(name) BEGIN(name)
#define CALL_END(name) END(name)
#endif

static double truth_started;

static double truth_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void truth_ready(void)
{
#ifdef _OPENMP
    static volatile int met;
#pragma omp parallel
#pragma omp atomic
    met++;
#endif
    truth_started = truth_now();
}

#ifdef _OPENMP
void omp_set_max_active_levels(int levels);
int omp_get_max_threads(void);
#endif

/* Of programs with regions inside a region: it has two threads where there are as many, and each of those its
 * share of all inside. */
static inline void truth_nested(int *outer, int *inner)
{
    int all = 1;
#ifdef _OPENMP
    omp_set_max_active_levels(2);
    all = omp_get_max_threads();
#endif
    *outer = all > 1 ? 2 : 1;
    *inner = all > 1 ? all / 2 : 1;
}

static void truth_done(double result)
{
    fprintf(stderr, "kernel %.0f\n", truth_now() - truth_started);
    printf("%.6g\n", result);
}

/* The kernel begins and ends in the program's own code, where marks are. */
#define KERNEL_BEGIN()  \
    do {                \
        truth_ready();  \
        CC_RECORD_ON(); \
    } while (0)
#define KERNEL_END(result)  \
    do {                    \
        CC_RECORD_OFF();    \
        truth_done(result); \
    } while (0)
