#include "progress.h"
#include "terminal.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, AGAIN_MS = 250, LONGEST = 160 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- the line --- */

static void add(char *out, size_t n, const char *fmt, ...) CC_PRINTF(3, 4);
static void add(char *out, size_t n, const char *fmt, ...)
{
    size_t at = strlen(out);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out + at, n - at, fmt, ap);
    va_end(ap);
}

static void add_seconds(char *out, size_t n, double s)
{
    if (s < 60)
        add(out, n, "%.0f s", s);
    else if (s < 3600)
        add(out, n, "%d:%02d min", (int)s / 60, (int)s % 60);
    else
        add(out, n, "%.1f h", s / 3600);
}

/* Exact as long as it can be read at a glance. */
static const char *counted(double v, char out[static 24])
{
    if (v >= 1e5)
        return cc_human_count(v, out);
    snprintf(out, 24, "%.0f", v);
    return out;
}

/* Of the present phase: what came before it took another time. */
static double rate_of(const struct cc_progress *p, uint64_t done, double seconds)
{
    double during = (p->told > 0 ? p->told : seconds) - p->phase_began;
    return during > 0 && done > p->phase_done ? (double)(done - p->phase_done) / during : 0;
}

/* A few are told one by one, many as a share. */
static void add_share(char *out, size_t n, const struct cc_progress *p, uint64_t done, uint64_t total)
{
    char count[24];
    const char *at_most = atomic_load(&p->count.at_most) ? "at most " : "";
    if (total < 100000 && !*at_most)
        add(out, n, "%llu of %llu %s, ", (unsigned long long)done, (unsigned long long)total, p->unit);
    else
        add(out, n, "%.0f %% of %s%s %s, ", floor(100 * (double)done / (double)total), at_most,
            counted((double)total, count), p->unit);
}

void cc_progress_line(const struct cc_progress *p, double seconds, const struct cc_progress_used *used,
                      char *out, size_t n)
{
    uint64_t done = atomic_load(&p->count.done), total = atomic_load(&p->count.total);
    double rate = rate_of(p, done, seconds);
    bool at_most = atomic_load(&p->count.at_most);
    char count[24];
    snprintf(out, n, "corecast: %s: ", p->what);
    if (p->unit && total)
        add_share(out, n, p, CC_MIN(done, total), total);
    else if (p->unit && (done || !p->ask))
        add(out, n, "%s %s, ", counted((double)done, count), p->unit);
    if (p->unit && rate > 0 && rate < 10)
        add(out, n, "%.1f a second, ", rate);
    else if (p->unit && rate > 0)
        add(out, n, "%s a second, ", counted(round(rate), count));
    if (p->unit && total > done && rate > 0) {
        add(out, n, "%s", at_most ? "at most " : "");
        add_seconds(out, n, (double)(total - done) / rate);
        add(out, n, " left");
    } else {
        add_seconds(out, n, seconds);
    }
    uint64_t above = atomic_load(&p->count.above);
    if (above > 1)
        add(out, n, ", best at most %.2f %% above the optimum", (double)(above - 1) / 100);
    if (used)
        add(out, n, ", %.0f s of CPU time, %.0f MB", used->seconds, used->bytes / 1e6);
}

/* --- what programs that we started use: read without allocating, as a fork may happen meanwhile --- */

static bool read_text(const char *path, char *out, size_t n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, out, n - 1) : -1;
    if (fd >= 0)
        close(fd);
    out[got > 0 ? got : 0] = 0;
    return got > 0;
}

static void add_process(long pid, struct cc_progress_used *used, uint64_t *written)
{
    char path[64], text[1024];
    unsigned long long user, system, pages, bytes;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const char *rest = read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    if (rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) == 2)
        used->seconds += (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    if (read_text(path, text, sizeof text) && sscanf(text, "%*u %llu", &pages) == 1)
        used->bytes += (double)pages * (double)sysconf(_SC_PAGESIZE);
    snprintf(path, sizeof path, "/proc/%ld/io", pid);
    const char *wchar = read_text(path, text, sizeof text) ? strstr(text, "wchar: ") : NULL;
    if (wchar && sscanf(wchar, "wchar: %llu", &bytes) == 1)
        *written += bytes;
}

static void children(struct cc_progress_used *used, uint64_t *written)
{
    char path[64], text[1024];
    *used = (struct cc_progress_used){0};
    *written = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    read_text(path, text, sizeof text);
    for (char *at = text, *end; *at; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at)
            break;
        add_process(pid, used, written);
    }
}

/* --- drawing --- */

/* A program that shares the terminal with us has it for itself as soon as it writes, or waits: for a key,
 * perhaps, after a question that we must not wipe away. What engines write in the first moments does not
 * count. */
static bool is_in_the_way(struct cc_progress *p, const struct cc_progress_used *used, uint64_t written)
{
    if (!p->program || !isatty(STDOUT_FILENO))
        return false;
    bool first = p->used <= 0, works = !first && used->seconds > p->used;
    p->written = first ? written : p->written;
    p->used = used->seconds;
    p->hidden |= written > p->written;
    return p->hidden || !works;
}

/* The cursor goes back to the line's begin: what others write next stands there. */
static void draw(struct cc_progress *p)
{
    char line[LONGEST], out[LONGEST + 16];
    struct cc_progress_used used = {0};
    uint64_t written = 0;
    double seconds = now() - p->began;
    uint64_t more = p->ask ? p->ask(p->data) : 0;
    if (more > atomic_load(&p->count.done)) {
        atomic_store(&p->count.done, more);
        p->told = seconds;
    }
    uint32_t phase = atomic_load(&p->count.phase);
    if (phase != p->phase) {
        /* the first phase began with the work itself, or nearly so */
        p->phase_began = p->phase || seconds > 1.5 * FIRST_MS / 1000.0 ? seconds : 0;
        p->phase_done = p->phase_began > 0 ? atomic_load(&p->count.done) : 0;
        p->phase = phase;
    }
    if (p->program)
        children(&used, &written);
    if (is_in_the_way(p, &used, written))
        return;
    cc_progress_line(p, seconds, p->program && used.bytes > 0 ? &used : NULL, line, sizeof line);
    unsigned columns = cc_terminal_columns(stderr);
    int most = (int)CC_MIN(columns ? columns - 1 : 79, (unsigned)LONGEST - 1);
    int n = snprintf(out, sizeof out, "\r\033[K%.*s\r", most, line);
    ssize_t told = write(STDERR_FILENO, out, (size_t)n);
    p->drawn = told > 0;
}

static void *tick(void *arg)
{
    struct cc_progress *p = arg;
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    long wait = FIRST_MS;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        next.tv_nsec += wait % 1000 * 1000000;
        next.tv_sec += wait / 1000 + next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        while (!p->stop && pthread_cond_timedwait(&p->stopping, &p->lock, &next) == 0)
            ;
        if (!p->stop)
            draw(p);
        wait = AGAIN_MS;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void cc_progress_begin(struct cc_progress *p, bool shown)
{
    p->began = now();
    p->running = p->stop = p->drawn = p->hidden = false;
    p->written = 0;
    p->used = p->told = p->phase_began = 0;
    p->phase_done = p->phase = 0;
    if (!shown)
        return;
    sigset_t all, old;
    sigfillset(&all);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->stopping, NULL);
    pthread_sigmask(SIG_SETMASK, &all, &old); /* signals are for the thread that works */
    p->running = pthread_create(&p->thread, NULL, tick, p) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void cc_progress_end(struct cc_progress *p)
{
    if (!p->running)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->stopping);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->stopping);
    pthread_mutex_destroy(&p->lock);
    p->running = false;
    static const char clear[] = "\r\033[K";
    if (p->drawn && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
        p->drawn = false;
}

void cc_progress_add(struct cc_progress *p, uint64_t n)
{
    if (p)
        cc_count_add(&p->count, n);
}
