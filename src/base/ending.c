#include "ending.h"
#include "err.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_FILES = 64, MAX_PATH = 4096 };

/* Paths are never moved or freed: a handler in another thread may be reading one. */
enum state { FREE, BEING_WRITTEN, NOTED };

static struct {
    struct {
        atomic_int state;
        char path[MAX_PATH];
    } files[MAX_FILES];
    atomic_int status;
} ending = {.status = CC_EMEMORY};

static void remove_files(void)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        if (atomic_load(&ending.files[i].state) == NOTED && unlink(ending.files[i].path) != 0)
            rmdir(ending.files[i].path);
}

static void end_by(int sig)
{
    remove_files();
    raise(sig); /* its default action, once the handler returns */
}

/* A file that grows beyond its limit is an error of write(2), to be told like any other. Programs that we
 * start get the default action back, since this is a handler and not SIG_IGN. */
static void go_on(int sig)
{
    (void)sig;
}

void cc_ending_watch(void)
{
    struct sigaction too_large, fails = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    if (sigaction(SIGXFSZ, NULL, &too_large) == 0 && too_large.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &fails, NULL);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < CC_COUNT(signals); i++) {
        struct sigaction old, mine = {.sa_handler = end_by, .sa_flags = (int)SA_RESETHAND};
        sigfillset(&mine.sa_mask);
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &mine, NULL);
    }
}

void cc_ending_status(int status)
{
    atomic_store(&ending.status, status);
}

void cc_ending_add(const char *path)
{
    size_t n = strlen(path) + 1;
    for (size_t i = 0; n <= MAX_PATH && i < MAX_FILES; i++) {
        int is = FREE;
        if (!atomic_compare_exchange_strong(&ending.files[i].state, &is, BEING_WRITTEN))
            continue;
        memcpy(ending.files[i].path, path, n);
        atomic_store(&ending.files[i].state, NOTED);
        return;
    }
}

int cc_ending_mkstemp(char *path)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int fd = mkstemp(path), cause = errno;
    if (fd >= 0)
        cc_ending_add(path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = cause;
    return fd;
}

void cc_ending_drop(const char *path)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        if (atomic_load(&ending.files[i].state) == NOTED && strcmp(ending.files[i].path, path) == 0)
            atomic_store(&ending.files[i].state, FREE);
}

void cc_ending_forget(void)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        atomic_store(&ending.files[i].state, FREE);
}

void cc_ending_no_memory(void)
{
    static const char message[] = "corecast: out of memory\n";
    remove_files();
    ssize_t told = write(STDERR_FILENO, message, sizeof message - 1);
    (void)told;
    _exit(atomic_load(&ending.status));
}
