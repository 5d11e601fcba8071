/* corecast completion bash: the option tables as a completion for the shell. */
#include "../command.h"
#include "../output.h"

struct options {
    struct cc_common common;
};

static const struct cc_command *const commands[] = {
#define CC_COMMAND(id) &cc_cmd_##id,
#include "../commands.def"
#undef CC_COMMAND
};

/* Finds the verb and what fits at the cursor; the words come from the two functions before it. */
static const char body[] =
    "_corecast() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} verb= "
    "words i\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        [ \"${COMP_WORDS[i]}\" = -- ] && { compopt -o default; return; }\n"
    "        [ -z \"$verb\" ] && [ -n \"$(_corecast_options \"$command ${COMP_WORDS[i]}\")\" ] && "
    "verb=\" ${COMP_WORDS[i]}\"\n"
    "    done\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ]; then words=$(_corecast_options '')\n"
    "    else\n"
    "        words=$(_corecast_values \"$command $prev\")\n"
    "        [ -n \"$words\" ] || words=$(_corecast_options \"$command$verb\")\n"
    "    fi\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "    [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null\n"
    "}\n"
    "complete -F _corecast corecast\n";

static void print_names(const struct cc_opt *options, size_t n, uint64_t of, FILE *out)
{
    for (size_t i = 0; i < n; i++)
        if (options[i].type != CC_OPT_HEADING && (!of || !options[i].of || (options[i].of & of)))
            fprintf(out, " --%s", options[i].name);
}

static void print_options(const struct cc_command *c, FILE *out)
{
    fprintf(out, "    '%s') echo '", c->name);
    for (size_t v = 0; !c->verb_option && v < c->nverbs; v++)
        fprintf(out, "%s%s", v ? " " : "", c->verbs[v].name);
    print_names(c->options, c->noptions, 0, out);
    print_names(cc_common_options, cc_common_option_count, 0, out);
    fputs("' ;;\n", out);
    for (size_t v = 0; !c->verb_option && v < c->nverbs; v++) {
        fprintf(out, "    '%s %s') echo '", c->name, c->verbs[v].name);
        print_names(c->options, c->noptions, UINT64_C(1) << v, out);
        print_names(cc_common_options, cc_common_option_count, 0, out);
        fputs("' ;;\n", out);
    }
}

static void print_choices(const char *command, const struct cc_opt *options, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        if (options[i].type != CC_OPT_CHOICE)
            continue;
        fprintf(out, "    %s' --%s') echo '", command, options[i].name);
        for (const char *const *choice = options[i].choices; *choice; choice++)
            fprintf(out, "%s%s", choice == options[i].choices ? "" : " ", *choice);
        fputs("' ;;\n", out);
    }
}

static void print_bash(FILE *out)
{
    fputs("# bash completion of corecast " CC_VERSION ", made by 'corecast completion bash'\n"
          "_corecast_options() { # COMMAND or 'COMMAND VERB': what may follow\n    case \"$1\" in\n    '') "
          "echo '",
          out);
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
    fputs(" help' ;;\n", out);
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        print_options(commands[i], out);
    fputs("    esac\n}\n_corecast_values() { # 'COMMAND --OPTION': its values\n    case \"$1\" in\n", out);
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        print_choices(commands[i]->name, commands[i]->options, commands[i]->noptions, out);
    print_choices("*", cc_common_options, cc_common_option_count, out);
    fprintf(out, "    esac\n}\n%s", body);
}

static int bash(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = options;
    struct cc_outfile out = {0};
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "'completion bash' takes no operand");
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    print_bash(out.f);
    return cc_outfile_commit(&out, err);
}

static const struct cc_verb verbs[] = {
    {"bash", "completion of commands, verbs, options and their values for bash", "", bash},
};

const struct cc_command cc_cmd_completion = {
    .name = "completion",
    .summary = "write a completion for the shell",
    .size = sizeof(struct options),
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
};
