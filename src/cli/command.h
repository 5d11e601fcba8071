/* A command of the tool. commands.def lists them; each lives in a folder of its name. */
#ifndef CC_CLI_COMMAND_H
#define CC_CLI_COMMAND_H

#include "../base/opt.h"

/* What a command does, as its first operand or an option says. An option row's `of` has the bits of the verbs
 * that take it, bit i for the i-th verb. */
struct cc_verb {
    const char *name;
    const char *summary;
    const char *synopsis; /* after "corecast NAME VERB " */
    int (*run)(void *options, const struct cc_strs *operands, struct cc_err *err);
};

struct cc_command {
    const char *name;
    const char *summary;  /* one line, lower case */
    const char *synopsis; /* after "corecast NAME "; of a command whose verb is the first operand, NULL */
    const struct cc_opt *options;
    size_t noptions;
    size_t size;          /* of the options struct, which starts with struct cc_common */
    bool stop_at_operand; /* the rest belongs to another program */
    bool results;         /* shows what it found by cc_output_result, so that it also comes as CSV */
    bool raw_exit;        /* run's positive result is the exit status as it stands (record, simulate) */
    const struct cc_verb *verbs; /* at most 64 */
    size_t nverbs;
    const char
        *verb_option; /* the verb is this option's value, the first if not given; NULL: the first operand */
    /* 0 or a positive exit status; negative with err set. NULL: the verbs have theirs, which get the operands
     * after the verb. */
    int (*run)(void *options, const struct cc_strs *operands, struct cc_err *err);
};

#define CC_COMMAND(id) extern const struct cc_command cc_cmd_##id;
#include "commands.def"
#undef CC_COMMAND

#endif
