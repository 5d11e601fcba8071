/* zsh: the arguments of _arguments for each command and verb. */
#include "completion.h"

static const char head[] =
    "#compdef corecast\n"
    "# zsh completion of corecast " CC_VERSION ", made by 'corecast completion zsh'\n"
    "_corecast_platforms() { compadd -- ${(f)\"$(" CC_COMPLETION_PLATFORMS ")\"}; _files -g '*.ini' }\n"
    "_corecast() {\n"
    "    local -a commands verbs options\n"
    "    local command=$words[2] verb i\n"
    "    commands=(\n";

/* The rest of the line belongs to another program behind --, and with a command that runs one behind its
 * first operand. */
static const char middle[] = "    )\n"
                             "    if (( CURRENT == 2 )); then\n"
                             "        _describe -t commands command commands\n"
                             "        return\n"
                             "    fi\n"
                             "    case $command in\n";
static const char choose[] = "    esac\n"
                             "    for (( i = 3; i < CURRENT; i++ )); do\n"
                             "        if [[ $words[i] == -- ]]; then\n"
                             "            shift $i words; (( CURRENT -= i )); _normal; return\n"
                             "        fi\n"
                             "        [[ -n $verb ]] || (( ! ${verbs[(I)$words[i]:*]} )) || verb=$words[i]\n"
                             "    done\n"
                             "    case \"$command $verb\" in\n";
static const char tail[] =
    "    esac\n"
    "    shift words; (( CURRENT-- )) # the command stands where _arguments expects a program\n"
    "    if [[ -z $verb && -n $verbs && $words[CURRENT] != -* ]]; then\n"
    "        _describe -t verbs verb verbs\n"
    "        return\n"
    "    fi\n"
    "    _arguments -s -S $options '*:file:_files'\n"
    "}\n"
    "if [[ $funcstack[1] == _corecast ]]; then _corecast \"$@\"; else compdef _corecast corecast; fi\n";

static void print_described(const char *name, const char *what, FILE *out)
{
    fputs("        '", out);
    cc_completion_text(out, name, "\\:");
    fputc(':', out);
    cc_completion_text(out, what, "\\:");
    fputs("'\n", out);
}

/* ":MESSAGE:ACTION", and what stands behind the name where a value may follow it in the same word. */
static void print_value(const struct cc_opt *o, FILE *out)
{
    if (o->type == CC_OPT_FLAG)
        return;
    fputs(o->type == CC_OPT_MAYBE ? "::" : ":", out);
    cc_completion_text(out, o->arg ? o->arg : "value", "\\:");
    fputc(':', out);
    if (cc_completion_is_platform(o)) {
        fputs("_corecast_platforms", out);
    } else if (o->type == CC_OPT_CHOICE) {
        for (const char *const *choice = o->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == o->choices ? "(" : " ", *choice);
        fputc(')', out);
    } else {
        fputs(cc_completion_is_file(o) ? "_files" : " ", out);
    }
}

static void print_spec(const struct cc_opt *o, const char *name, FILE *out)
{
    fputs("        '", out);
    if (o->type == CC_OPT_LIST)
        fputc('*', out);
    else if (o->letter)
        fprintf(out, "(-%c --%s)", o->letter, o->name);
    fputs(name, out);
    if (o->type == CC_OPT_MAYBE)
        fputs("=-", out);
    else if (o->type != CC_OPT_FLAG)
        fputs(name[1] == '-' ? "=" : "+", out);
    fputc('[', out);
    cc_completion_text(out, o->help, "\\[]");
    fputc(']', out);
    print_value(o, out);
    fputs("'\n", out);
}

static void print_options(const struct cc_command *c, uint64_t of, FILE *out)
{
    fputs("options=(\n", out);
    for (size_t i = 0; cc_completion_option(c, i); i++) {
        const struct cc_opt *o = cc_completion_option(c, i);
        if (!cc_completion_shown(c, i, of))
            continue;
        char letter[] = {'-', o->letter, '\0'};
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("--%s", o->name);
        if (o->letter)
            print_spec(o, letter, out);
        print_spec(o, name, out);
    }
    fputs("    ) ;;\n", out);
}

static void print_verbs(const struct cc_command *c, FILE *out)
{
    if (!cc_completion_has_verbs(c))
        return;
    fprintf(out, "    %s) verbs=(\n", c->name);
    for (size_t v = 0; v < c->nverbs; v++)
        print_described(c->verbs[v].name, c->verbs[v].summary, out);
    fputs("    ) ;;\n", out);
}

static void print_command(const struct cc_command *c, FILE *out)
{
    for (size_t v = 0; cc_completion_has_verbs(c) && v < c->nverbs; v++) {
        fprintf(out, "    '%s %s') ", c->name, c->verbs[v].name);
        print_options(c, UINT64_C(1) << v, out);
    }
    fprintf(out, "    '%s '*) ", c->name);
    print_options(c, 0, out);
}

void cc_completion_zsh(FILE *out)
{
    const struct cc_command *const *c;
    fputs(head, out);
    for (c = cc_completion_commands; *c; c++)
        print_described((*c)->name, (*c)->summary, out);
    print_described("help", "the commands, or one of them", out);
    fputs(middle, out);
    for (c = cc_completion_commands; *c; c++)
        print_verbs(*c, out);
    fputs(choose, out);
    for (c = cc_completion_commands; *c; c++)
        print_command(*c, out);
    fputs(tail, out);
}
