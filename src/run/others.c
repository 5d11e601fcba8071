#include "others.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Seconds of all CPUs, by the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal
 * in ticks. NAN where the system does not tell. */
struct cpu_seconds {
    double all, busy, stolen;
};

static struct cpu_seconds cpu_seconds(void)
{
    double v[8] = {0}, tick = 1 / (double)sysconf(_SC_CLK_TCK);
    int n = 0;
    FILE *f = fopen("/proc/stat", "re");
    if (f) {
        n = fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
                   &v[7]);
        fclose(f);
    }
    if (n < 4)
        return (struct cpu_seconds){NAN, NAN, NAN};
    double busy = v[0] + v[1] + v[2] + v[5] + v[6] + v[7], idle = v[3] + v[4];
    return (struct cpu_seconds){(busy + idle) * tick, busy * tick, n < 8 ? NAN : v[7] * tick};
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
    struct cpu_seconds s = cpu_seconds();
    *o = (struct cc_others){now(), s.all, s.busy, s.stolen, own_seconds()};
}

double cc_others_share(const struct cc_others *o)
{
    double passed = now() - o->when, cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (passed < 0.05) /* a few ticks of /proc/stat */
        return NAN;
    double others = cpu_seconds().busy - o->busy - (own_seconds() - o->own);
    return fmin(fmax(others / (passed * cpus), 0), 1);
}

double cc_others_stolen(const struct cc_others *o)
{
    struct cpu_seconds s = cpu_seconds();
    double all = s.all - o->all, stolen = s.stolen - o->stolen;
    return all > 0 && stolen > 0 ? fmin(stolen / all, 1) : 0;
}

uint64_t cc_others_leave_memory(void)
{
    char line[128];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/meminfo", "re");
    while (f && !kib && fgets(line, sizeof line, f))
        sscanf(line, "MemAvailable: %llu", &kib);
    if (f)
        fclose(f);
    return (uint64_t)kib << 10;
}
