/* Options from a table: the same table gives the parser, the -h text and the shell completion. */
#ifndef CC_BASE_OPT_H
#define CC_BASE_OPT_H

#include "err.h"

enum cc_opt_type {
    CC_OPT_HEADING, /* only `help`: a heading in -h */
    CC_OPT_FLAG,    /* bool */
    CC_OPT_STR,     /* const char * */
    CC_OPT_OUT,     /* const char *: a file that is written, and so may be none that is read */
    CC_OPT_MAYBE,   /* const char *: "" for --name, VALUE for --name=VALUE; never takes the next argument */
    CC_OPT_INT,     /* int64_t, within [min, max] when max > min */
    CC_OPT_SIZE,    /* uint64_t, k/M/G suffixes */
    CC_OPT_NUM,     /* double, within [min, max] when max > min */
    CC_OPT_PERCENT, /* double, a share: "5", "5%" and "5 %" are 0.05; min and max in per cent, 0 to 100 if not
                       given */
    CC_OPT_CHOICE,  /* int: index into choices */
    CC_OPT_LIST,    /* struct cc_strs: may be given several times */
};

struct cc_strs {
    const char **v;
    size_t n, cap;
};

struct cc_opt {
    enum cc_opt_type type;
    char letter;      /* 0: none */
    const char *name; /* without the dashes */
    const char *arg;  /* what -h calls the argument, NULL for flags */
    size_t offset;    /* of the field in the command's options */
    const char *help;
    double min, max;
    const char *const *choices; /* NULL-terminated */
    /* Whose it is: bits of the table's owners; 0: of all. A name may stand in several rows with different
     * owners and fields. A heading is shown above the first option below it that is. */
    uint64_t of;
};

/* The options of a command. Owners are what they may belong to: verbs, views, kinds of input. Options every
 * command takes belong to the table too. */
struct cc_opt_table {
    const struct cc_opt *v;
    size_t n;
    const char *what;          /* in front of an owner in messages: "mine" */
    const char *const *owners; /* name of each bit, NULL-terminated; NULL: no owners */
    bool stop_at_operand;      /* the rest belongs to another program */
};

enum { CC_OPT_MAX_SIZE = 2048 }; /* of a command's options struct */

/* Options every command takes. Each command's struct starts with `struct cc_common common`. */
struct cc_common {
    bool help, json, quiet, verbose, no_pager;
    int color; /* 0 auto, 1 always, 2 never */
    const char *output;
    const char *csv;                      /* NULL: no CSV; "": of the main table, else of this one */
    uint64_t given[CC_OPT_MAX_SIZE / 64]; /* a bit for each option's offset: it was on the command line */
};

extern const struct cc_opt cc_common_options[];
extern const size_t cc_common_option_count;

/* Whether the option of a field was given: tells 0 from absent. */
#define CC_GIVEN(options, field) \
    cc_opt_given(&(options)->common, (size_t)((const char *)&(options)->field - (const char *)(options)))
bool cc_opt_given(const struct cc_common *common, size_t offset);

/* Parses argv[0..argc) into `values`; what is no option goes to `rest` (all after "--", or after the first
 * operand if `stop_at_operand`). Strings are borrowed from argv. An option that none of the owners in `of`
 * takes is a usage error that says whose it is; `of` 0: all are taken. */
int cc_opt_parse(const struct cc_opt_table *t, uint64_t of, int argc, char **argv, void *values,
                 struct cc_strs *rest, struct cc_err *err);
/* The same check where the owner is known only after parsing. */
int cc_opt_check(const struct cc_opt_table *t, uint64_t of, const struct cc_common *values,
                 struct cc_err *err);
/* What chooses an owner before anything is parsed: the last value of the option `name`, or the first operand
 * if `name` is NULL. NULL: there is none. */
const char *cc_opt_peek(const struct cc_opt_table *t, const char *name, int argc, char **argv);
void cc_opt_print_help(const struct cc_opt_table *t, uint64_t of, FILE *out);
/* Frees the lists. */
void cc_opt_fini(const struct cc_opt_table *t, void *values);
void cc_strs_fini(struct cc_strs *s);

/* "1,2,4", "1..16" or a mix, each within [min, max], into room that the caller has. For --cores and the like.
 */
struct cc_int_list {
    int64_t *v;
    size_t max; /* room for so many */
    size_t n;
};
int cc_opt_int_list(const char *option, const char *text, int64_t min, int64_t max, struct cc_int_list *ret,
                    struct cc_err *err);

#endif
