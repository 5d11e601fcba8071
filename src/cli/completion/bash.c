/* bash: two functions with a case for each command, and one that finds what fits at the cursor. */
#include "completion.h"

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

static void print_names(const struct cc_command *c, uint64_t of, FILE *out)
{
    for (size_t i = 0; cc_completion_option(c, i); i++)
        if (cc_completion_shown(c, i, of))
            fprintf(out, " --%s", cc_completion_option(c, i)->name);
    fputs("' ;;\n", out);
}

static void print_options(const struct cc_command *c, FILE *out)
{
    size_t nverbs = cc_completion_has_verbs(c) ? c->nverbs : 0;
    fprintf(out, "    '%s') echo '", c->name);
    for (size_t v = 0; v < nverbs; v++)
        fprintf(out, "%s%s", v ? " " : "", c->verbs[v].name);
    print_names(c, 0, out);
    for (size_t v = 0; v < nverbs; v++) {
        fprintf(out, "    '%s %s') echo '", c->name, c->verbs[v].name);
        print_names(c, UINT64_C(1) << v, out);
    }
}

static void print_pattern(const struct cc_command *c, const struct cc_opt *o, FILE *out)
{
    fprintf(out, "    '%s --%s'", c->name, o->name);
    if (o->letter)
        fprintf(out, " | '%s -%c'", c->name, o->letter);
    fputs(") ", out);
}

static void print_values(const struct cc_command *c, FILE *out)
{
    for (size_t i = 0; cc_completion_option(c, i); i++) {
        const struct cc_opt *o = cc_completion_option(c, i);
        if (!cc_completion_shown(c, i, 0))
            continue;
        if (cc_completion_is_platform(o)) {
            print_pattern(c, o, out);
            fputs(CC_COMPLETION_PLATFORMS " ;;\n", out);
        } else if (o->type == CC_OPT_CHOICE) {
            print_pattern(c, o, out);
            fputs("echo '", out);
            for (const char *const *choice = o->choices; *choice; choice++)
                fprintf(out, "%s%s", choice == o->choices ? "" : " ", *choice);
            fputs("' ;;\n", out);
        }
    }
}

void cc_completion_bash(FILE *out)
{
    const struct cc_command *const *commands = cc_completion_commands;
    fputs("# bash completion of corecast " CC_VERSION ", made by 'corecast completion bash'\n"
          "_corecast_options() { # COMMAND or 'COMMAND VERB': what may follow\n    case \"$1\" in\n    '') "
          "echo '",
          out);
    for (size_t i = 0; commands[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
    fputs(" help' ;;\n", out);
    for (size_t i = 0; commands[i]; i++)
        print_options(commands[i], out);
    fputs("    esac\n}\n_corecast_values() { # 'COMMAND --OPTION': its values\n    case \"$1\" in\n", out);
    for (size_t i = 0; commands[i]; i++)
        print_values(commands[i], out);
    fprintf(out, "    esac\n}\n%s", body);
}
