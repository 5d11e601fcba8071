/* Processes, threads, descriptors. */
#include "hostile.h"

#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static int plain(void)
{
    for (int i = 0; i < 1000; i++)
        work(i);
    return 3;
}

static int close_all(void)
{
    work(1);
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
    work(2);
    int fd = open("/dev/null", O_WRONLY);
    for (int i = 0; i < 100; i++)
        work(i);
    return fd < 0;
}

/* What the program writes into its own file must be there, and nothing else. */
static int overwrite_descriptors(void)
{
    char path[] = "own-XXXXXX", got[8] = "";
    int own = mkstemp(path);
    if (own < 0)
        die("mkstemp");
    for (int fd = 3; fd < 1024; fd++)
        if (fd != own)
            dup2(own, fd);
    for (int i = 0; i < 5000; i++)
        work(i);
    if (write(own, "mine", 4) != 4)
        return 1;
    int status = pread(own, got, sizeof got, 0) == 4 && memcmp(got, "mine", 4) == 0 ? 0 : 2;
    unlink(path);
    return status;
}

static int close_streams(void)
{
    for (int i = 0; i < 10; i++)
        work(i);
    say_calls();
    close(0);
    close(1);
    close(2);
    for (int i = 0; i < 10; i++)
        work(i);
    return 4;
}

static int daemonise(void)
{
    work(1);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork())
            _exit(0);
        close(0);
        close(1);
        close(2);
        usleep(20000);
        work(2);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 6;
}

static int forks_100(void)
{
    int ok = 0;
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) {
            work(i);
            _exit(i);
        }
        int status;
        work(i);
        ok += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == i;
    }
    return ok == 100 ? 0 : 1;
}

static int fork_chain(void)
{
    int depth = 0;
    pid_t child;
    work(0);
    while (depth < 12 && (child = fork()) == 0)
        depth++;
    if (depth < 12) {
        int status;
        waitpid(child, &status, 0);
        if (depth)
            _exit(WEXITSTATUS(status));
        return WEXITSTATUS(status);
    }
    _exit(11);
}

static int vforks(void)
{
    for (volatile int i = 0; i < 20; i++) {
        volatile int x = i;
        pid_t child = vfork();
        if (child == 0)
            _exit(x);
        int status;
        waitpid(child, &status, 0);
        work(WEXITSTATUS(status));
    }
    return 0;
}

static int spawns(void)
{
    extern char **environ;
    for (int i = 0; i < 10; i++) {
        pid_t child;
        int status;
        char *argv[] = {"true", NULL};
        if (posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ) != 0)
            die("posix_spawn");
        waitpid(child, &status, 0);
        work(status);
    }
    return 0;
}

static int cloned(void *p)
{
    (void)p;
    return 5;
}

/* A process that shares memory but is no thread of pthread's; neither engine lets it, both make it a fork. */
static int clones(void)
{
    enum { STACK = 256 << 10 };
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    work(1);
    pid_t child = clone(cloned, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    if (child < 0)
        return 0; /* not every engine has it */
    waitpid(child, &status, __WALL);
    work(2);
    return WEXITSTATUS(status) == 5 ? 0 : 1;
}

static int executes(void)
{
    work(1);
    say_calls();
    execl("/bin/sh", "sh", "-c", "exit 21", (char *)NULL);
    return 1;
}

static int executes_itself(void)
{
    work(1);
    if (getenv("CC_HOSTILE_AGAIN"))
        return 22;
    setenv("CC_HOSTILE_AGAIN", "1", 1);
    execl("/proc/self/exe", "hostile", "exec-self", (char *)NULL);
    return 22; /* an engine may be there instead */
}

static void *some_work(void *n)
{
    for (intptr_t i = 0; i < (intptr_t)n; i++)
        work((int)i);
    return NULL;
}

static int threads_64(void)
{
    pthread_t t[64];
    for (int i = 0; i < 64; i++)
        if (pthread_create(&t[i], NULL, some_work, (void *)(intptr_t)100) != 0)
            die("pthread_create");
    for (int i = 0; i < 64; i++)
        pthread_join(t[i], NULL);
    return 0;
}

static int threads_in_turn(void)
{
    for (int i = 0; i < 500; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, some_work, (void *)(intptr_t)3) != 0)
            die("pthread_create");
        pthread_join(t, NULL);
    }
    return 0;
}

static void *ends_somewhere(void *p)
{
    some_work((void *)20);
    switch ((intptr_t)p % 4) {
    case 0:
        pthread_exit(NULL);
    case 1:
        pthread_cancel(pthread_self());
        pthread_testcancel();
        break;
    case 2:
        syscall(SYS_sched_yield);
        break;
    }
    return NULL;
}

static int threads_end_anywhere(void)
{
    pthread_t t[64];
    for (int i = 0; i < 64; i++)
        if (pthread_create(&t[i], NULL, ends_somewhere, (void *)(intptr_t)i) != 0)
            die("pthread_create");
    for (int i = 0; i < 64; i++)
        pthread_join(t[i], NULL);
    return 0;
}

static void *exits(void *p)
{
    (void)p;
    some_work((void *)10);
    exit(9);
}

static void *waits(void *p)
{
    while (!p)
        pause();
    return NULL;
}

static int thread_exits(void)
{
    pthread_t t;
    for (int i = 0; i < 8; i++)
        pthread_create(&t, NULL, waits, NULL);
    pthread_create(&t, NULL, exits, NULL);
    pthread_join(t, NULL);
    return 1;
}

static void *outlives_main(void *p)
{
    usleep(30000);
    some_work(p);
    say_calls();
    exit(12);
}

static int main_ends_first(void)
{
    pthread_t t;
    work(1);
    pthread_create(&t, NULL, outlives_main, (void *)(intptr_t)5);
    pthread_exit(NULL);
}

static void *is_cancelled(void *p)
{
    while (!p) {
        usleep(100);
        pthread_testcancel();
    }
    return NULL;
}

static int cancels(void)
{
    for (int i = 0; i < 50; i++) {
        pthread_t t;
        pthread_create(&t, NULL, is_cancelled, NULL);
        pthread_cancel(t);
        pthread_join(t, NULL);
        work(i);
    }
    return 0;
}

static int no_environment(void)
{
    extern char **environ;
    clearenv();
    environ = NULL;
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

static int traced(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL); /* may be refused */
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "\033[31mred");
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

static int ignores_children(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(1);
        work(i);
        while (waitpid(child, NULL, 0) > 0)
            ;
    }
    return 0;
}

static int new_session(void)
{
    setpgid(0, 0);
    setsid();
    umask(0777);
    if (nice(5) == -1)
        work(0);
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

static int no_folder(void)
{
    char path[] = "gone-XXXXXX";
    if (!mkdtemp(path) || chdir(path) != 0 || rmdir("../") == 0)
        die("chdir");
    char back[64];
    snprintf(back, sizeof back, "../%s", path);
    rmdir(back);
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

static int leaves_at_once(void)
{
    for (int i = 0; i < 100; i++)
        work(i);
    say_calls();
    _exit(13);
}

static void again(void)
{
    for (int i = 0; i < 3; i++)
        work(i);
    say_calls();
    _exit(14);
}

static int leaves_in_atexit(void)
{
    atexit(again);
    work(1);
    exit(1);
}

static int one_processor(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sched_setaffinity(0, sizeof set, &set);
    return threads_64();
}

const struct kind processes[] = {
    {"plain", plain},
    {"close-all", close_all},
    {"overwrite-fds", overwrite_descriptors},
    {"close-streams", close_streams},
    {"daemon", daemonise},
    {"forks-100", forks_100},
    {"fork-chain", fork_chain},
    {"vfork", vforks},
    {"spawn", spawns},
    {"clone", clones},
    {"exec", executes},
    {"exec-self", executes_itself},
    {"threads-64", threads_64},
    {"threads-in-turn", threads_in_turn},
    {"threads-end-anywhere", threads_end_anywhere},
    {"thread-exits", thread_exits},
    {"main-ends-first", main_ends_first},
    {"cancel", cancels},
    {"no-environment", no_environment},
    {"traceme", traced},
    {"ignore-children", ignores_children},
    {"new-session", new_session},
    {"no-folder", no_folder},
    {"exit-at-once", leaves_at_once},
    {"exit-in-atexit", leaves_in_atexit},
    {"one-processor", one_processor},
    {NULL, NULL},
};
