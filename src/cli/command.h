/* A command of the tool. commands.def lists them; each lives in its own cmd_<name>.c. */
#ifndef CC_CLI_COMMAND_H
#define CC_CLI_COMMAND_H

#include "../base/opt.h"

struct cc_command {
    const char *name;
    const char *summary;  /* one line, lower case */
    const char *synopsis; /* after "corecast NAME " */
    const struct cc_opt *options;
    size_t noptions;
    size_t size;          /* of the options struct, which starts with struct cc_common */
    bool stop_at_operand; /* the rest belongs to another program */
    bool results;         /* shows what it found by cc_output_result, so that it also comes as CSV */
    bool raw_exit;        /* run's positive result is the exit status as it stands (record, simulate) */
    /* 0 or a positive exit status; negative with err set. */
    int (*run)(void *options, const struct cc_strs *operands, struct cc_err *err);
};

#define CC_COMMAND(id) extern const struct cc_command cc_cmd_##id;
#include "commands.def"
#undef CC_COMMAND

#endif
