/* Running another program, or a piece of ourselves, in a process of its own: the only fork under src/. One
 * thread does it: what others hold at the moment of a fork (an allocator's lock) nobody in the child would
 * ever let go. Many at a time are one thread's too, with cc_child_wait_any. */
#ifndef CC_RUN_CHILD_H
#define CC_RUN_CHILD_H

#include "../base/err.h"
#include "../base/text.h"

#include <sys/types.h>

/* A command line, or changes of an environment; always ends with NULL. */
struct cc_words {
    char **v;
    size_t n, cap;
};
void cc_words_add(struct cc_words *w, const char *word);
void cc_words_take(struct cc_words *w, char *word); /* owned from here on */
void cc_words_fini(struct cc_words *w);

enum cc_child_stream {
    CC_STREAM_OURS,
    CC_STREAM_NULL,
    CC_STREAM_CAPTURED,  /* out and err only: into struct cc_child */
    CC_STREAM_TO_STDERR, /* out only: our standard output is for a result */
};

struct cc_child_request {
    const char *file; /* the program's path; NULL: argv[0]. PATH is not searched: base/where.h does that */
    char *const *argv;
    /* Instead of a program: this function, which writes its result to `out`, captured when `out` below says
     * so. `stack`: bytes of stack it needs, 0 for the usual. */
    void (*work)(void *data, FILE *out);
    void *data;
    size_t stack;

    const char *const *environment; /* NAME=VALUE to set, NAME to remove; ends with NULL; may be NULL */
    bool turned;                    /* the last of the environment first */
    const char *folder;             /* to run in; NULL: ours */
    enum cc_child_stream in, out, err;
    size_t max_out;       /* bytes to capture; more ends the child, see `too_long` */
    size_t max_err;       /* bytes to capture; more is dropped */
    const int *cpu;       /* to run on; NULL: any */
    unsigned cpu_seconds; /* 0: no limit. With one, a crash leaves no core file either. */
    /* An interrupt from the terminal reaches the program by itself, and it decides what to do: we stay to
     * write down what it did. SIGTERM and SIGHUP, which reach only us, are passed on to it. */
    bool stay;
    bool fixed_addresses; /* no address space randomisation */
    bool group;           /* leads a process group of its own: kill(-pid) ends it with all it started */
};

struct cc_child {
    pid_t pid;
    int status;             /* as waitpid gives it; cc_child_exit_status() */
    int read_errno;         /* why what it wrote is not all here, 0 if it is; cc_child_run fails then */
    int exec_errno;         /* why there is no such program running, 0 if there is */
    double seconds;         /* of the wall clock, from the program's begin to its end */
    double user, system;    /* of processors, its own and the system's for it; with all it waited for */
    uint64_t memory;        /* bytes it had in memory at most, or the largest of those it waited for */
    struct cc_buf out, err; /* captured */
    bool too_long;          /* it was killed since it wrote more than max_out */

    /* of child.c: */
    double began;
    int report, out_fd, err_fd; /* reading ends, -1 if none */
    size_t max_out, max_err;
    bool ended, guarded;
};

/* Starts n programs that all begin at the same moment. Negative with err when one of them cannot be started:
 * then none is left running, and exec_errno tells whether it was that program's fault. */
int cc_child_start_all(const struct cc_child_request *r, size_t n, struct cc_child *ret, struct cc_err *err);
int cc_child_start(const struct cc_child_request *r, struct cc_child *ret, struct cc_err *err);
bool cc_child_ended(struct cc_child *c); /* does not wait */
/* Reads what is captured, up to the child's end: a grandchild that holds the pipe open is not waited for. */
void cc_child_wait(struct cc_child *c);
/* The same for the first of n (> 0) whose end comes or that closes what it writes to; what the others write
 * meanwhile is read as well. Its number. */
size_t cc_child_wait_any(struct cc_child *const *c, size_t n);
/* Of one that was waited for: negative with err when what it wrote could not be read. */
int cc_child_heard(struct cc_child *c, const char *name, struct cc_err *err);
/* Starts, waits. */
int cc_child_run(const struct cc_child_request *r, struct cc_child *ret, struct cc_err *err);
void cc_child_fini(struct cc_child *c);

/* From here until it is released, signals that would end us wait: the first of them is held back for good
 * (what we are about to finish is worth more), a second one ends us. May be nested. */
void cc_child_hold(void);
void cc_child_release(void);
bool cc_child_held(void); /* one was held back */

/* Of a wait status: the exit code, 128 + n when signal n killed it. */
int cc_child_exit_status(int status);
/* Of a program that could not be executed. */
enum cc_errc cc_child_exec_code(int exec_errno);

/* Our environment with these changes, in one piece of memory; owned. */
char **cc_child_environment(const char *const *changes);

#endif
