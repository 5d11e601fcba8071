#include "others.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal in ticks of all CPUs.
 */
static double busy_seconds(void)
{
    double v[8] = {0};
    FILE *f = fopen("/proc/stat", "r");
    if (!f)
        return NAN;
    int n = fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
                   &v[7]);
    fclose(f);
    if (n < 4)
        return NAN;
    return (v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
    double sum = 0;
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage u;
        if (getrusage(whose[i], &u) == 0)
            sum += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void cc_others_begin(struct cc_others *o)
{
    *o = (struct cc_others){now(), busy_seconds(), own_seconds()};
}

double cc_others_share(const struct cc_others *o)
{
    double passed = now() - o->when, cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (passed < 0.05) /* a few ticks of /proc/stat */
        return NAN;
    double others = busy_seconds() - o->busy - (own_seconds() - o->own);
    return fmin(fmax(others / (passed * cpus), 0), 1);
}
