/* Power of the machine at rest and with all CPUs at work, from the sensors the kernel shows: RAPL (the
 * packages of /sys/class/powercap) or, without it, the first power sensor of /sys/class/hwmon that is no
 * graphics card's. From the difference the energy of one cycle of a busy core; what a core takes that waits
 * is in the power at rest. See bench.h.
 *
 *   energy [TIME-SCALE [ROOT]]      ROOT instead of /sys, for tests
 */
#include "bench.h"

#include <dirent.h>
#include <pthread.h>

enum { MAX_DOMAINS = 16, MAX_CORES = 1024, SAMPLES = 5, READS = 4 };

struct sensor {
    int counts;                  /* joules since some time (RAPL), else watts now (hwmon) */
    char file[MAX_DOMAINS][400]; /* one for each package */
    double range[MAX_DOMAINS];   /* where a counter starts again, microjoules */
    int n;
    char what[200];
};

static int read_text(const char *folder, const char *file, char *out, int size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "r");
    char *got = f ? fgets(out, size, f) : NULL;
    if (f)
        fclose(f);
    if (got)
        out[strcspn(out, "\n")] = 0;
    return got != NULL;
}

static double read_number(const char *path)
{
    double v = -1;
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf", &v) != 1)
        v = -1;
    if (f)
        fclose(f);
    return v;
}

/* Whole packages only ("intel-rapl:0", not the parts "intel-rapl:0:1" in it). */
static void find_rapl(const char *root, struct sensor *s)
{
    char base[400], folder[800], name[64], range[64];
    snprintf(base, sizeof base, "%s/class/powercap", root);
    DIR *dir = opendir(base);
    int closed = 0;
    for (struct dirent *e; dir && (e = readdir(dir)) && s->n < MAX_DOMAINS;) {
        const char *colon = strchr(e->d_name, ':');
        if (!colon || strchr(colon + 1, ':') || strlen(e->d_name) > 64)
            continue;
        snprintf(folder, sizeof folder, "%s/%s", base, e->d_name);
        if (!read_text(folder, "name", name, sizeof name) || strncmp(name, "package", 7) != 0)
            continue;
        snprintf(s->file[s->n], sizeof s->file[0], "%.300s/%.64s/energy_uj", base, e->d_name);
        closed |= access(s->file[s->n], R_OK) != 0;
        s->range[s->n] =
            read_text(folder, "max_energy_range_uj", range, sizeof range) ? strtod(range, NULL) : 0;
        s->n++;
    }
    if (dir)
        closedir(dir);
    s->counts = 1;
    snprintf(s->what, sizeof s->what, "RAPL, %d packages", s->n);
    if (closed) {
        printf("# [energy]: RAPL is there, but its counters cannot be read by this user\n");
        s->n = 0;
    }
}

static int graphics(const char *name)
{
    return strcmp(name, "amdgpu") == 0 || strcmp(name, "radeon") == 0 || strcmp(name, "nouveau") == 0;
}

static void find_hwmon(const char *root, struct sensor *s)
{
    static const char *const files[] = {"power1_input", "power1_average", "power2_input"};
    char base[400], folder[800], path[1000], name[64];
    snprintf(base, sizeof base, "%s/class/hwmon", root);
    DIR *dir = opendir(base);
    for (struct dirent *e; dir && !s->n && (e = readdir(dir));) {
        snprintf(folder, sizeof folder, "%s/%s", base, e->d_name);
        if (e->d_name[0] == '.' || !read_text(folder, "name", name, sizeof name) || graphics(name))
            continue;
        for (unsigned i = 0; i < sizeof files / sizeof *files && !s->n; i++) {
            snprintf(path, sizeof path, "%s/%s", folder, files[i]);
            if (access(path, R_OK) != 0)
                continue;
            snprintf(s->file[s->n++], sizeof s->file[0], "%.399s", path);
            snprintf(s->what, sizeof s->what, "%s of the hwmon sensor '%.60s'", files[i], name);
        }
    }
    if (dir)
        closedir(dir);
    s->counts = 0;
}

/* Watts, over so many seconds. Negative: it cannot be read. */
static double watts(const struct sensor *s, double seconds)
{
    double sum = 0;
    if (!s->counts) {
        for (int i = 0; i < READS; i++) {
            usleep((useconds_t)(seconds * 1e6 / READS));
            double v = read_number(s->file[0]);
            if (v < 0)
                return -1;
            sum += v * 1e-6 / READS;
        }
        return sum;
    }
    double before[MAX_DOMAINS];
    for (int i = 0; i < s->n; i++)
        before[i] = read_number(s->file[i]);
    double from = bench_now();
    usleep((useconds_t)(seconds * 1e6));
    for (int i = 0; i < s->n; i++) {
        double now = read_number(s->file[i]);
        if (before[i] < 0 || now < 0)
            return -1;
        sum += (now < before[i] ? now + s->range[i] : now) - before[i];
    }
    return sum * 1e-6 / ((bench_now() - from) * 1e-9);
}

static struct bench_figure power(const struct sensor *s)
{
    double v[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        v[i] = watts(s, bench_seconds_each / 4);
    struct bench_figure f = bench_summary(v, SAMPLES, 0);
    if (f.median < 0 || v[0] < 0)
        f.samples = 0;
    return f;
}

static volatile int stop;

static void *spin(void *cpu)
{
    bench_pin(*(int *)cpu);
    double a = 1;
    unsigned long b = 1;
    while (!stop)
        for (int i = 0; i < 10000; i++) {
            a = a * 0.999 + 0.001;
            b = b * 6364136223846793005u + 1;
            BENCH_KEEP(b);
        }
    return a > 2 ? cpu : NULL;
}

static void measure(const struct sensor *s)
{
    static int cpus[MAX_CORES];
    static pthread_t threads[MAX_CORES];
    int n = bench_cpus(cpus, MAX_CORES), started = 0;
    struct bench_figure rest = power(s);
    double hz = 1e9 / bench_sample(bench_cycle_ns, NULL, 0).median;
    while (started < n && pthread_create(&threads[started], NULL, spin, &cpus[started]) == 0)
        started++;
    usleep((useconds_t)(bench_seconds_each * 1e5)); /* until clocks and regulators have settled */
    struct bench_figure busy = power(s);
    stop = 1;
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (!rest.samples || !busy.samples || !started) {
        printf("text energy source not measured: the sensor cannot be read\n");
        return;
    }
    double cores = (double)started * hz, more = busy.median - rest.median;
    struct bench_figure cycle = {more > 0 ? more / cores : 0, (busy.spread + rest.spread) / cores,
                                 busy.samples, busy.stable && rest.stable && more > 0};
    printf("text energy source measured with %s, at rest and with %d busy CPUs\n", s->what, started);
    bench_print("energy", "idle", rest);
    bench_print("energy", "busy_cycle", cycle);
    printf("text energy idle_cycle 0\n");
    printf("# [energy] idle_cycle: what a waiting core takes is in idle\n");
}

int main(int argc, char **argv)
{
    struct sensor s = {0};
    const char *root = argc > 2 ? argv[2] : "/sys";
    bench_begin("energy", argc > 3 ? argc : argc > 2 ? 2 : argc, argv);
    find_rapl(root, &s);
    if (!s.n)
        find_hwmon(root, &s);
    if (s.n)
        measure(&s);
    else
        printf("text energy source not measured: no RAPL and no hwmon power sensor that can be read\n");
    printf("end\n");
    return 0;
}
