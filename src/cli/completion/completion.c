/* corecast completion SHELL: the option tables as a completion for the shell. */
#include "completion.h"
#include "../output.h"

struct options {
    struct cc_common common;
};

const struct cc_command *const cc_completion_commands[] = {
#define CC_COMMAND(id) &cc_cmd_##id,
#include "../commands.def"
#undef CC_COMMAND
    NULL,
};

const struct cc_opt *cc_completion_option(const struct cc_command *c, size_t i)
{
    if (i < c->noptions)
        return &c->options[i];
    i -= c->noptions;
    return i < cc_common_option_count ? &cc_common_options[i] : NULL;
}

static bool takes(const struct cc_opt *o, uint64_t of)
{
    return o->type != CC_OPT_HEADING && (!of || !o->of || (o->of & of));
}

bool cc_completion_shown(const struct cc_command *c, size_t i, uint64_t of)
{
    const struct cc_opt *o = cc_completion_option(c, i);
    for (size_t k = 0; takes(o, of) && k < i; k++) {
        const struct cc_opt *before = cc_completion_option(c, k);
        if (takes(before, of) && strcmp(before->name, o->name) == 0)
            return false;
    }
    return takes(o, of);
}

bool cc_completion_has_verbs(const struct cc_command *c)
{
    return c->nverbs && !c->verb_option;
}

bool cc_completion_is_platform(const struct cc_opt *o)
{
    return o->type == CC_OPT_STR && strcmp(o->name, "platform") == 0;
}

bool cc_completion_is_file(const struct cc_opt *o)
{
    return o->type == CC_OPT_STR || o->type == CC_OPT_OUT || o->type == CC_OPT_LIST;
}

void cc_completion_text(FILE *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') /* out of the quotes and in again */
            fputs("'\\'", out);
        else if (strchr(special, *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static int write_with(void (*print)(FILE *out), void *options, const struct cc_strs *operands,
                      struct cc_err *err)
{
    const struct options *o = options;
    struct cc_outfile out = {0};
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "'completion' takes no operand behind the shell");
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    print(out.f);
    return cc_outfile_commit(&out, err);
}

static int bash(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return write_with(cc_completion_bash, options, operands, err);
}

static int zsh(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return write_with(cc_completion_zsh, options, operands, err);
}

static int fish(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return write_with(cc_completion_fish, options, operands, err);
}

static const struct cc_verb verbs[] = {
    {"bash", "completion of commands, verbs, options and their values for bash", "", bash},
    {"zsh", "the same for zsh, with what each option is for", "", zsh},
    {"fish", "the same for fish", "", fish},
};

const struct cc_command cc_cmd_completion = {
    .name = "completion",
    .summary = "write a completion for the shell",
    .size = sizeof(struct options),
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
};
