/* Co-runs of copies that share what they only read; part of native.c.
 *
 * Separate runs of a program have their input apiece, threads have it together: whether a table that all
 * threads read fits into a shared cache, and whose cache a line comes from, shows only when it is the same
 * memory. So the program runs up to its first region or task mark and is forked there: what the copies do not
 * write stays one piece of memory (caches go by physical addresses), what they write becomes their own.
 *
 * CORECAST_NATIVE_CORUN names a plan, a text file with one line for each co-run:
 *     SKEW CPU CPU …      copy i starts i * SKEW nanoseconds after the first, pinned to the i-th CPU
 * Copy C of line L leaves its trace as PATH.L.C, PATH being CORECAST_NATIVE_TRACE; PATH itself stays empty,
 * or says why it could not be done. Then the program is over: nothing after the mark runs in the first
 * process.
 *
 * The first write to a page that is shared since the fork copies it, which is not the program's doing. So
 * one more copy runs first, to see which pages get written; the others write to these before they start.
 */
#include <dirent.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { MAX_RANGES = 1 << 16, MAX_COPIES = 1024, MAX_FD = 1024 };

struct range {
    uintptr_t first; /* address */
    size_t pages;
};

struct written {
    size_t n, pages;
    struct range v[MAX_RANGES];
};

/* Shared by all copies. */
struct together {
    atomic_uint ready, go;
    size_t nmaps;
    struct range map[MAX_RANGES]; /* private and writable when the program was forked */
    struct written most, now;     /* most: of the scan that found most pages */
};

static struct {
    char *path, *plan; /* plan: the text, NULL when this process makes no copies */
    bool off;          /* between RECORD_OFF and RECORD_ON */
    unsigned depth;    /* the scout's open tasks */
    bool scout;
    bool inherited[MAX_FD];
    struct together *all;
    size_t page;
} co;

static void pause_ns(long ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    while (nanosleep(&t, &t) < 0 && errno == EINTR)
        ;
}

/* Calls f for every open descriptor from 3 on until it says why not. */
static const char *each_fd(const char *(*f)(int fd))
{
    DIR *d = opendir("/proc/self/fd");
    if (!d)
        return "its open files cannot be listed";
    static int fds[MAX_FD];
    size_t n = 0;
    for (struct dirent *e; (e = readdir(d)) && n < MAX_FD;) {
        int fd = (int)strtol(e->d_name, NULL, 10);
        if (fd > 2 && fd < MAX_FD && fd != dirfd(d))
            fds[n++] = fd;
    }
    closedir(d);
    const char *why = NULL;
    for (size_t i = 0; i < n && !why; i++)
        why = f(fds[i]);
    return why;
}

static const char *note_inherited(int fd)
{
    co.inherited[fd] = true;
    return NULL;
}

static const char *check_fd(int fd)
{
    struct stat st;
    if (co.inherited[fd] || fstat(fd, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ||
        S_ISCHR(st.st_mode))
        return NULL;
    return "it has a pipe or a socket open at its first mark";
}

/* Copies must not take each other's bytes: each gets a place of its own in every open file. */
static const char *own_place(int fd)
{
    struct stat st;
    char name[40];
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return NULL;
    off_t at = lseek(fd, 0, SEEK_CUR);
    int flags = fcntl(fd, F_GETFL), close_flag = fcntl(fd, F_GETFD);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int own = open(name, flags & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (own < 0 || lseek(own, at, SEEK_SET) != at ||
        dup3(own, fd, close_flag & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
        return "a file it has open cannot be opened again";
    close(own);
    return NULL;
}

static const char *check_threads(void)
{
    DIR *d = opendir("/proc/self/task");
    if (!d)
        return "its threads cannot be counted";
    unsigned n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n == 1 ? NULL : "it has several threads at its first mark";
}

static const char *read_maps(void)
{
    FILE *f = fopen("/proc/self/maps", "re");
    if (!f)
        return "its memory cannot be listed";
    char *line = NULL;
    size_t size = 0;
    const char *why = NULL;
    while (!why && getline(&line, &size, f) > 0) {
        unsigned long long from, to;
        char mode[5];
        if (sscanf(line, "%llx-%llx %4s", &from, &to, mode) != 3 || mode[1] != 'w')
            continue;
        if (mode[3] == 's' && (from > (uintptr_t)co.all || to <= (uintptr_t)co.all))
            why = "it has memory that other processes may write";
        else if (mode[3] == 'p' && mode[0] == 'r' && co.all->nmaps < MAX_RANGES)
            co.all->map[co.all->nmaps++] = (struct range){(uintptr_t)from, (size_t)(to - from) / co.page};
    }
    free(line);
    fclose(f);
    return why;
}

/* Calls f for every page of a range whose entry of the kernel's page map has all bits of `mask`. */
static void each_page(int pagemap, struct range r, uint64_t mask, void (*f)(uintptr_t page))
{
    uint64_t entries[512];
    for (size_t at = 0; at < r.pages;) {
        size_t n = r.pages - at < 512 ? r.pages - at : 512;
        off_t from = (off_t)((r.first / co.page + at) * sizeof *entries);
        ssize_t got = pread(pagemap, entries, n * sizeof *entries, from);
        if (got <= 0)
            return;
        n = (size_t)got / sizeof *entries;
        for (size_t i = 0; i < n; i++)
            if ((entries[i] & mask) == mask)
                f(r.first + (at + i) * co.page);
        at += n;
    }
}

#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_ALONE (UINT64_C(1) << 56) /* mapped by this process only: written since the fork */

static void add_written(uintptr_t page)
{
    struct written *w = &co.all->now;
    struct range *last = w->n ? &w->v[w->n - 1] : NULL;
    if (last && last->first + last->pages * co.page == page)
        last->pages++;
    else if (w->n < MAX_RANGES)
        w->v[w->n++] = (struct range){page, 1};
    else
        return;
    w->pages++;
}

/* Large buffers may be gone when the program ends, so this is done after outermost tasks too. */
static void scan(void)
{
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0)
        return;
    co.all->now.n = co.all->now.pages = 0;
    for (size_t i = 0; i < co.all->nmaps; i++)
        each_page(pagemap, co.all->map[i], PAGE_PRESENT | PAGE_ALONE, add_written);
    close(pagemap);
    if (co.all->now.pages > co.all->most.pages)
        co.all->most = co.all->now;
}

static void touch(uintptr_t page)
{
    volatile char *p = (volatile char *)page;
    *p = *p;
}

/* Only pages that are there: what the program has not touched yet it shall touch first itself. */
static void touch_written(void)
{
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (size_t i = 0; pagemap >= 0 && i < co.all->most.n; i++)
        each_page(pagemap, co.all->most.v[i], PAGE_PRESENT, touch);
    if (pagemap >= 0)
        close(pagemap);
}

/* The first process ends here; `why` goes to where its trace would be. */
static void end_plan(const char *why)
{
    int fd = why ? open(co.path, O_WRONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && write(fd, why, strlen(why)) < 0)
        _exit(1);
    _exit(0);
}

static const char *await(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return "a copy was lost";
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "a copy of it failed";
}

static bool start_trace(const char *path);
static void start_clock(void);

/* In the copy: true when it may go on into the program, recording. */
static bool start_copy(unsigned line, unsigned number, long skew, int cpu)
{
    char path[4096];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    snprintf(path, sizeof path, "%s.%u.%u", co.path, line, number);
    if (each_fd(own_place))
        return false;
    touch_written();
    if (!start_trace(path))
        return false;
    atomic_fetch_add(&co.all->ready, 1);
    while (!atomic_load(&co.all->go))
        pause_ns(50000);
    pause_ns(skew * (long)number);
    start_clock();
    return true;
}

/* One line of the plan; *at is behind it afterwards. In a copy it returns NULL with `header` set. */
static const char *run_line(char **at, unsigned line)
{
    static pid_t pids[MAX_COPIES];
    char *end = *at + strcspn(*at, "\n"), *next;
    unsigned n = 0;
    long skew = strtol(*at, &next, 10);
    const char *why = NULL;
    atomic_store(&co.all->ready, 0);
    atomic_store(&co.all->go, 0);
    for (*at = next; *at < end && n < MAX_COPIES && !why; n++) {
        int cpu = (int)strtol(*at, &next, 10);
        if (next == *at || cpu < 0 || cpu >= CPU_SETSIZE)
            break;
        *at = next;
        pids[n] = fork();
        if (pids[n] < 0) {
            why = "it cannot be forked";
            break;
        }
        if (pids[n] == 0) {
            if (!start_copy(line, n, skew, cpu))
                _exit(1);
            return NULL;
        }
    }
    while (!why && atomic_load(&co.all->ready) < n) {
        for (unsigned i = 0; i < n; i++)
            if (waitpid(pids[i], NULL, WNOHANG) == pids[i]) {
                why = "a copy of it failed";
                pids[i] = 0;
            }
        pause_ns(200000);
    }
    atomic_store(&co.all->go, 1);
    for (unsigned i = 0; i < n; i++) {
        if (!pids[i])
            continue;
        if (why)
            kill(pids[i], SIGKILL);
        const char *failed = await(pids[i]);
        why = why ? why : failed;
    }
    *at = *end ? end + 1 : end;
    return why;
}

/* At the first mark: never returns in the first process. */
static void run_plan(void)
{
    char *at = co.plan;
    co.plan = NULL;
    co.page = (size_t)sysconf(_SC_PAGESIZE);
    co.all =
        mmap(NULL, sizeof *co.all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (co.all == MAP_FAILED)
        end_plan("memory is short");
    const char *why = check_threads();
    why = why ? why : each_fd(check_fd);
    why = why ? why : read_maps();
    pid_t scout = why ? -1 : fork();
    if (scout == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        co.scout = !each_fd(own_place);
        if (!co.scout)
            _exit(1);
        return;
    }
    if (!why)
        why = scout < 0 ? "it cannot be forked" : await(scout);
    for (unsigned line = 0; !why && *at; line++) {
        why = run_line(&at, line);
        if (header)
            return;
    }
    end_plan(why);
}

/* What marks do in a process that has no trace. */
static __attribute__((noinline)) void unrecorded(unsigned kind)
{
    bool begin = kind == CC_NT_REGION_BEGIN || kind == CC_NT_TASK_BEGIN;
    if (kind == CC_NT_RECORD_ON || kind == CC_NT_RECORD_OFF)
        co.off = kind == CC_NT_RECORD_OFF;
    if (co.plan && begin && !co.off)
        run_plan();
    if (co.scout && begin)
        co.depth++;
    else if (co.scout && (kind == CC_NT_REGION_END || kind == CC_NT_TASK_END) && co.depth &&
             --co.depth == 0) {
        static unsigned met;
        met++;
        if ((met & (met - 1)) == 0) /* the 1st, 2nd, 4th, 8th … time: programs may have millions */
            scan();
    }
}

/* True when this process is to make copies instead of a trace. */
static bool read_plan(const char *path, const char *plan)
{
    int out = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *f = out < 0 ? NULL : fopen(plan, "re");
    size_t size = 0;
    if (f && getdelim(&co.plan, &size, 0, f) > 0)
        co.path = strdup(path);
    else
        co.plan = NULL;
    if (f)
        fclose(f);
    if (out >= 0)
        close(out);
    each_fd(note_inherited);
    return co.path != NULL;
}
