/* Options from a table: the same table gives the parser, the -h text and the shell completion. */
#ifndef CC_BASE_OPT_H
#define CC_BASE_OPT_H

#include "err.h"

enum cc_opt_type {
    CC_OPT_HEADING, /* only `help`: a heading in -h */
    CC_OPT_FLAG,    /* bool */
    CC_OPT_STR,     /* const char * */
    CC_OPT_MAYBE,   /* const char *: "" for --name, VALUE for --name=VALUE; never takes the next argument */
    CC_OPT_INT,     /* int64_t, within [min, max] when max > min */
    CC_OPT_SIZE,    /* uint64_t, k/M/G suffixes */
    CC_OPT_NUM,     /* double, within [min, max] when max > min */
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
};

/* Options every command takes. Each command's struct starts with `struct cc_common common`. */
struct cc_common {
    bool help, json, quiet, verbose;
    int color; /* 0 auto, 1 always, 2 never */
    const char *output;
    const char *csv; /* NULL: no CSV; "": of the main table, else of this one */
};
extern const struct cc_opt cc_common_options[];
extern const size_t cc_common_option_count;

/* Parses argv[0..argc) into `values`; what is no option goes to `rest` (all after "--", or after the first
 * operand if `stop_at_operand`). Strings are borrowed from argv. */
int cc_opt_parse(const struct cc_opt *options, size_t n, int argc, char **argv, bool stop_at_operand,
                 void *values, struct cc_strs *rest, struct cc_err *err);
void cc_opt_print_help(const struct cc_opt *options, size_t n, FILE *out);
void cc_strs_fini(struct cc_strs *s);

/* "1,2,4", "1..16" or a mix, each within [min, max]; at most `cap` values. For --cores and the like. */
int cc_opt_int_list(const char *option, const char *text, int64_t min, int64_t max, int64_t *out, size_t cap,
                    size_t *ret_n, struct cc_err *err);

#endif
