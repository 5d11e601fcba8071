/* Errors. A function that can fail returns int, negative on failure, and takes `struct cc_err *err` last.
 * The first error wins; callers may add context in front of it. Codes are the exit statuses of the tool. */
#ifndef CC_BASE_ERR_H
#define CC_BASE_ERR_H

#include "base.h"

enum cc_errc {
    CC_OK = 0,
    CC_ETHRESHOLD = 1, /* a limit the user set was exceeded */
    CC_EUSAGE = 2,
    CC_EINPUT = 3, /* bad or missing input, unwritable output */
    CC_EENGINE = 4,
    CC_EBUG = 70,
    CC_EMEMORY = 71, /* memory ran out */
    /* commands that run a program end with its status, or as env(1): */
    CC_EOWN = 125,        /* for every failure but the next two */
    CC_ECANNOT_RUN = 126, /* the program is there, but cannot be run */
    CC_ENOT_FOUND = 127,
};

struct cc_err {
    enum cc_errc code;
    char file[256]; /* input the error is about, "" if none */
    unsigned line;  /* 1-based, 0 if none */
    char msg[1024];
    char hint[256]; /* what to try, "" if nothing */
};

/* Both return -code, so that `return cc_err_set(…)` reads well. err may be NULL. */
int cc_err_set(struct cc_err *err, enum cc_errc code, const char *fmt, ...) CC_PRINTF(3, 4);
int cc_err_at(struct cc_err *err, enum cc_errc code, const char *file, unsigned line, const char *fmt, ...)
    CC_PRINTF(5, 6);
void cc_err_hint(struct cc_err *err, const char *fmt, ...) CC_PRINTF(2, 3);
/* Put "context: " in front of the message. */
void cc_err_context(struct cc_err *err, const char *fmt, ...) CC_PRINTF(2, 3);

/* "file:line: message" and the hint on its own line; control characters are escaped. For the command line
 * only. */
void cc_err_print(const struct cc_err *err, FILE *out);

#endif
