/* The memory of a machine: clock, read and write latency of each level, bandwidth and latency with 1..n cores
 * at work, and memcpy in one and two dimensions (what stands in for a DMA engine). See bench.h.
 *
 * Latency: a chase through a random cycle over cache lines; each load needs the one before. The buffer is
 * half the level's size; for the memory behind the last cache four times that cache, 256 MiB at most. Write
 * latency: the same chase with a store to each line before it is left, minus the chase alone. Levels come
 * from /sys/devices/system/cpu/cpu0/cache; without it 32 KiB, 512 KiB and the memory are assumed.
 * [memory.fresh] is what the first write to 4 KiB takes that the system has only promised so far (read), and
 * what giving them back takes (write).
 */
#include "bench.h"
#include <omp.h>
#include <sys/mman.h>

enum { LINE = 64, MAX_LEVELS = 4, MAX_CORES = 1024 };

struct node {
    struct node *next;
    uint64_t count;
    char pad[LINE - sizeof(void *) - 8];
};

struct level {
    char name[8];
    size_t size;
    double cycles; /* of a read */
};

static double clock_mhz;
static double dram_rate;    /* bytes per second of all cores together */
static size_t stream_bytes; /* read by each core; far more than the last cache */
static volatile uintptr_t sink;

/* --- levels --- */

static size_t sysfs_size(const char *path)
{
    char text[64] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    char *got = fgets(text, sizeof text, f);
    fclose(f);
    if (!got)
        return 0;
    char *end;
    size_t n = strtoul(text, &end, 10);
    return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

static int find_levels(struct level *out)
{
    int n = 0;
    for (int i = 0; i < 8 && n < MAX_LEVELS - 1; i++) {
        char path[128], type[32] = "";
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        FILE *f = fopen(path, "r");
        if (!f)
            break;
        char *got = fgets(type, sizeof type, f);
        fclose(f);
        if (!got || strncmp(type, "Instruction", 11) == 0)
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        size_t size = sysfs_size(path);
        if (size) {
            snprintf(out[n].name, sizeof out[n].name, "l%d", n + 1);
            out[n++].size = size;
        }
    }
    if (n == 0) {
        out[n++] = (struct level){"l1", 32 << 10};
        out[n++] = (struct level){"l2", 512 << 10};
        printf("# no cache sizes in /sys: 32 KiB and 512 KiB assumed\n");
    }
    out[n] = (struct level){"dram", 0};
    return n + 1;
}

/* --- latency --- */

struct chase {
    struct node *nodes, *at; /* goes on where it stopped, so that the whole buffer is walked */
    size_t n;
    int write;
};

static uint64_t random_state = 88172645463325252u;
static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* Sattolo's shuffle: one cycle through all nodes. */
static void make_chase(struct chase *c, size_t bytes)
{
    c->n = bytes / LINE > 16 ? bytes / LINE : 16;
    c->nodes = aligned_alloc(4096, (c->n * LINE + 4095) / 4096 * 4096);
    size_t *order = malloc(c->n * sizeof *order);
    if (!c->nodes || !order) {
        fprintf(stderr, "memory: not enough memory for %zu bytes\n", bytes);
        exit(1);
    }
    for (size_t i = 0; i < c->n; i++)
        order[i] = i;
    for (size_t i = c->n - 1; i > 0; i--) {
        size_t j = random_next() % i, t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (size_t i = 0; i < c->n; i++)
        c->nodes[order[i]].next = &c->nodes[order[(i + 1) % c->n]];
    free(order);
    c->at = c->nodes;
}

static double chase_ns(void *arg)
{
    struct chase *c = arg;
    double least = 1e18;
    struct node *p = c->at;
    enum { STEPS = 20000 };
    for (int b = 0; b < 3; b++) {
        uint64_t t0 = bench_ticks();
        if (c->write) {
            for (int i = 0; i < STEPS; i++) {
                struct node *q = p->next;
                *(volatile uint64_t *)&p->count = (uint64_t)i;
                p = q;
            }
        } else {
            for (int i = 0; i < STEPS; i++)
                p = p->next;
        }
        double t = (double)(bench_ticks() - t0) * bench_tick_ns() / STEPS;
        least = t < least ? t : least;
    }
    c->at = p;
    return least;
}

/* Several chases at once, none waiting for another: ns of a load where a core has that many under way. */
struct chases {
    const struct chase *c;
    int n;
};

static double chases_ns(void *arg)
{
    const struct chases *k = arg;
    enum { STEPS = 20000, MAX = 16 };
    double least = 1e18;
    struct node *p[MAX];
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < k->n; i++)
            p[i] = &k->c->nodes[random_next() % k->c->n];
        uint64_t t0 = bench_ticks();
        for (int s = 0; s < STEPS; s += k->n)
            for (int i = 0; i < k->n; i++)
                p[i] = p[i]->next;
        double t = (double)(bench_ticks() - t0) * bench_tick_ns() / STEPS;
        for (int i = 0; i < k->n; i++)
            sink = (uintptr_t)p[i];
        least = t < least ? t : least;
    }
    return least;
}

/* How many reads a core has under way when none needs another's result: one after the other against the best
 * of two, four … side by side. */
static struct bench_figure overlap(const struct chase *c, struct bench_figure alone)
{
    struct bench_figure best = alone;
    for (int n = 2; n <= 16; n *= 2) {
        struct chases k = {c, n};
        struct bench_figure f = bench_sample(chases_ns, &k, 0.1);
        best = f.median < best.median ? f : best;
    }
    double ratio = alone.median / best.median;
    best.spread = ratio * (alone.spread / alone.median + best.spread / best.median);
    best.median = ratio < 1 ? 1 : ratio;
    return best;
}

static void latencies(struct level *levels, int n)
{
    for (int i = 0; i < n; i++) {
        size_t last = n > 1 ? levels[n - 2].size : 0;
        size_t bytes = levels[i].size ? levels[i].size / 2 : 4 * last;
        if (!levels[i].size && bytes > (size_t)256 << 20)
            bytes = (size_t)256 << 20;
        char section[32];
        snprintf(section, sizeof section, "memory.%.7s", levels[i].name);
        struct chase c = {0};
        make_chase(&c, bytes);
        for (size_t k = 0; levels[i].size && k < c.n; k++) /* warm */
            c.at = c.at->next;
        struct bench_figure read = bench_sample(chase_ns, &c, 0.1);
        c.write = 1;
        struct bench_figure both = bench_sample(chase_ns, &c, 0.1), write = both;
        write.median = both.median > read.median ? both.median - read.median : 0;
        double cycles = clock_mhz / 1000;
        if (levels[i].size)
            printf("text %s size %zu\n", section, levels[i].size);
        levels[i].cycles = read.median * cycles;
        bench_print(section, "read", bench_scale(read, cycles));
        bench_print(section, "write", bench_scale(write, cycles));
        bench_print(section, "overlap", overlap(&c, read));
        free(c.nodes);
    }
}

/* --- bandwidth and loaded latency of k cores --- */

struct team {
    int k;
    const int *cpus;
    char **buffers; /* one a core */
    struct chase chase;
    double back; /* ns to give a page back */
};

static void stream_sum(const char *buffer)
{
    const uint64_t *v = (const uint64_t *)(const void *)buffer;
    uint64_t a = 0, b = 0, c = 0, d = 0;
    for (size_t i = 0; i < stream_bytes / 8; i += 4) {
        a += v[i];
        b += v[i + 1];
        c += v[i + 2];
        d += v[i + 3];
    }
    sink = (uintptr_t)(a + b + c + d);
}

static double bandwidth(void *arg)
{
    const struct team *t = arg;
    double least = 1e18;
    for (int b = 0; b < 3; b++) {
        uint64_t t0 = 0, t1 = 0;
#pragma omp parallel num_threads(t->k)
        {
            int me = omp_get_thread_num();
            bench_pin(t->cpus[me]);
#pragma omp barrier
#pragma omp master
            t0 = bench_ticks();
            stream_sum(t->buffers[me]);
#pragma omp barrier
#pragma omp master
            t1 = bench_ticks();
        }
        double ns = (double)(t1 - t0) * bench_tick_ns() / ((double)t->k * (double)stream_bytes);
        least = ns < least ? ns : least;
    }
    return least;
}

static double loaded_latency(void *arg)
{
    struct team *t = arg;
    double least = 1e18;
    int done = 0;
#pragma omp parallel num_threads(t->k)
    {
        int me = omp_get_thread_num();
        bench_pin(t->cpus[me]);
#pragma omp barrier
        if (me == 0) {
            least = chase_ns(&t->chase);
            __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
        } else {
            while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
                stream_sum(t->buffers[me]);
        }
    }
    return least * clock_mhz / 1000;
}

static void shared(const int *cpus, int ncpus, size_t dram_bytes)
{
    struct team t = {.cpus = cpus};
    t.buffers = calloc((size_t)ncpus, sizeof *t.buffers);
    for (int i = 0; i < ncpus; i++) {
        t.buffers[i] = aligned_alloc(4096, stream_bytes);
        if (!t.buffers[i])
            exit(1);
        memset(t.buffers[i], i + 1, stream_bytes);
    }
    make_chase(&t.chase, dram_bytes);
    for (int k = 1; k <= ncpus; k = k < 4 ? k + 1 : k < ncpus && 2 * k > ncpus ? ncpus : 2 * k) {
        t.k = k;
        struct bench_figure f =
            bench_rate(bench_sample(bandwidth, &t, 0), 1e9); /* ns a byte -> bytes a second */
        dram_rate = f.median;
        if (k == ncpus)
            bench_print("memory.dram", "bandwidth", f);
        bench_point("memory.dram", "curve", k, f);
        bench_point("memory.dram", "latency_curve", k, bench_sample(loaded_latency, &t, 0.5));
    }
    for (int i = 0; i < ncpus; i++)
        free(t.buffers[i]);
    free(t.buffers);
    free(t.chase.nodes);
}

/* --- pages that nobody has touched yet --- */

enum { PAGE = 4096, EACH = 1024 };

/* ns that the system takes to have one there, with k cores asking for others. */
static double fresh_ns(void *arg)
{
    struct team *t = arg;
    size_t size = (size_t)t->k * EACH * PAGE;
    uint64_t t0 = 0, t1 = 0;
    char *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        exit(1);
#pragma omp parallel num_threads(t->k)
    {
        int me = omp_get_thread_num();
        volatile char *own = all + (size_t)me * EACH * PAGE;
        bench_pin(t->cpus[me]);
#pragma omp barrier
#pragma omp master
        t0 = bench_ticks();
        for (size_t i = 0; i < EACH; i++)
            own[i * PAGE] = 1;
#pragma omp barrier
#pragma omp master
        t1 = bench_ticks();
    }
    uint64_t t2 = bench_ticks();
    munmap(all, size);
    t->back = (double)(bench_ticks() - t2) * bench_tick_ns() / (EACH * t->k);
    return (double)(t1 - t0) * bench_tick_ns() / EACH;
}

static double back_ns(void *arg)
{
    fresh_ns(arg);
    return ((struct team *)arg)->back;
}

static void fresh(const int *cpus, int ncpus)
{
    struct team t = {.cpus = cpus};
    double cycles = clock_mhz / 1000;
    for (int k = 1; k <= ncpus; k = k < 4 ? k + 1 : k < ncpus && 2 * k > ncpus ? ncpus : 2 * k) {
        t.k = k;
        struct bench_figure f = bench_scale(bench_sample(fresh_ns, &t, 0.5), cycles);
        if (k == 1)
            bench_print("memory.fresh", "read", f);
        if (k == 1)
            bench_print("memory.fresh", "write", bench_scale(bench_sample(back_ns, &t, 0.5), cycles));
        bench_point("memory.fresh", "latency_curve", k, f);
    }
}

/* --- memcpy --- */

struct copy {
    char *from, *to;
    size_t width, height, pitch;
};

static double copy_ns(void *arg)
{
    const struct copy *c = arg;
    double least = 1e18;
    for (int b = 0; b < 20; b++) {
        uint64_t t0 = bench_ticks();
        for (size_t y = 0; y < c->height; y++)
            memcpy(c->to + y * c->width, c->from + y * c->pitch, c->width);
        double t = (double)(bench_ticks() - t0) * bench_tick_ns();
        sink = (uintptr_t)c->to[0];
        least = t < least ? t : least;
    }
    return least;
}

/* Powers of two up to 256 KiB, out of an image with lines of 16 KiB or the width, whichever is more. */
static void copies(void)
{
    enum { LIMIT = 256 << 10 };
    struct copy c = {.from = aligned_alloc(4096, (size_t)64 << 20), .to = aligned_alloc(4096, LIMIT)};
    if (!c.from || !c.to)
        exit(1);
    memset(c.from, 1, (size_t)64 << 20);
    memset(c.to, 1, LIMIT);
    double keep = bench_seconds_each, window = bench_window;
    bench_seconds_each = keep / 10; /* many points */
    bench_window = window / 4;
    for (c.width = 16; c.width <= LIMIT; c.width *= 4)
        for (c.height = 1; c.height * c.width <= LIMIT && c.height <= 1024; c.height *= 4) {
            c.pitch = c.width > 16384 ? c.width : 16384;
            struct bench_figure f = bench_sample(copy_ns, &c, 20);
            printf("grid %zu %zu %.6g\n", c.width, c.height, f.median);
        }
    bench_seconds_each = keep;
    bench_window = window;
    printf("text dma limit %d\n", LIMIT);
    free(c.from);
    free(c.to);
}

/* --- the same as a machine to simulate --- */

/* A number of cycles or bytes as the platform file allows it. */
static double within(double v, double most)
{
    return v < 1 ? 1 : v > most ? most : v;
}

/* A cache of /sys as a section, if the simulator can have one like it: all have lines of LINE bytes there. */
static int put_cache(const char *name, int index, double latency)
{
    static const char *const keys[] = {"size", "coherency_line_size", "ways_of_associativity"};
    size_t v[3];
    for (int i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, keys[i]);
        v[i] = sysfs_size(path);
    }
    size_t sets = v[1] && v[2] ? v[0] / v[1] / v[2] : 0;
    if (!sets || sets * v[1] * v[2] != v[0] || (sets & (sets - 1)) || v[1] != LINE || v[0] > UINT32_MAX)
        return 0;
    printf("text cache.%s source sizes as the kernel tells them, latency measured\n", name);
    printf("text cache.%s size %zu\ntext cache.%s line %zu\ntext cache.%s ways %zu\n", name, v[0], name, v[1],
           name, v[2]);
    printf("text cache.%s latency %.0f\n", name, within(latency, 9999));
    return 1;
}

/* The first levels of cpu0 and the last one, which is taken to be shared. Returns whether all could be told.
 */
static int put_caches(const struct level *levels, int n)
{
    int all = 0, last = -1;
    for (int i = 0; i < 8; i++) {
        char path[128], type[32] = "";
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        FILE *f = fopen(path, "r");
        if (!f || !fgets(type, sizeof type, f))
            type[0] = 0;
        if (f)
            fclose(f);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        size_t level = sysfs_size(path);
        if (level == 1 && type[0] == 'I')
            all += put_cache("l1i", i, 1);
        else if (level == 1 && type[0] == 'D')
            all += put_cache("l1d", i, levels[0].cycles - 1); /* the instruction itself has a cycle */
        else if (level > 1)
            last = i;
    }
    if (last >= 0 && n > 2)
        all += put_cache("l2", last, levels[n - 2].cycles - levels[0].cycles);
    return all == 3;
}

static void machine(const struct level *levels, int n, int ncpus)
{
    double bytes = dram_rate / (clock_mhz * 1e6),
           latency = levels[n - 1].cycles - (n > 1 ? levels[n - 2].cycles : 0);
    printf("text topology source assumed: all cores alike at one memory\n");
    printf("text topology kind bus\ntext topology size %d\n", ncpus);
    if (!put_caches(levels, n)) {
        printf(
            "# no machine to simulate: its caches are not told, or not of a kind that the simulator has\n");
        return;
    }
    printf("text cache.l1d policy write-back\n");
    printf("text core source assumed: one instruction a cycle\ntext core int 1\n");
    printf("text interconnect source assumed: every core reaches the shared cache alike\n");
    printf("text interconnect kind crossbar\ntext interconnect width 64\n");
    printf("text bank.dram source measured: latency beyond the last cache, bytes a cycle of all cores\n");
    printf("text bank.dram latency %.0f\ntext bank.dram bandwidth %.0f\n", within(latency, 99999),
           within(bytes, 4096));
}

int main(int argc, char **argv)
{
    static int cpus[MAX_CORES];
    struct level levels[MAX_LEVELS];
    bench_begin("memory", argc, argv);
    int ncpus = bench_cpus(cpus, MAX_CORES);
    if (ncpus < 1)
        return 1;
    struct bench_figure clock =
        bench_rate(bench_sample(bench_cycle_ns, NULL, 0), 1000); /* ns a cycle -> MHz */
    clock_mhz = clock.median;
    bench_print("platform", "clock_mhz", clock);
    printf("text platform cores %d\n", ncpus);
    int n = find_levels(levels);
    latencies(levels, n);
    size_t dram = 4 * levels[n - 2].size, most = (size_t)256 << 20;
    stream_bytes = dram / 2 < (size_t)16 << 20 ? (size_t)16 << 20
                   : dram / 2 > most / 2       ? most / 2
                                               : dram / 2 / 4096 * 4096;
    shared(cpus, ncpus, dram > most ? most : dram);
    fresh(cpus, ncpus);
    copies();
    machine(levels, n, ncpus);
    printf("end\n");
    return 0;
}
