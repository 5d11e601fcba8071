/* fish: a line for each command, verb and option, each with the condition under which it is offered. */
#include "completion.h"

/* Not behind --: that is another program's. */
static const char head[] =
    "# fish completion of corecast " CC_VERSION ", made by 'corecast completion fish'\n"
    "function __corecast_at # COMMAND [VERB…]: the line is of this command, and of one of the verbs\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; and test \"$words[2]\" = \"$argv[1]\"; or return 1\n"
    "    contains -- -- $words; and return 1\n"
    "    test (count $argv) -eq 1; and return 0\n"
    "    test (count $words) -ge 3; or return 1\n"
    "    for word in $words[3..-1]\n"
    "        contains -- $word $argv[2..-1]; and return 0\n"
    "    end\n"
    "    return 1\n"
    "end\n"
    "function __corecast_bare # no command yet\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n";

static void print_verbs(const struct cc_command *c, uint64_t of, FILE *out)
{
    for (size_t v = 0; v < c->nverbs; v++)
        if (of & (UINT64_C(1) << v))
            fprintf(out, " %s", c->verbs[v].name);
}

static void print_value(const struct cc_opt *o, FILE *out)
{
    if (o->type == CC_OPT_FLAG || o->type == CC_OPT_MAYBE)
        return;
    if (cc_completion_is_platform(o))
        fputs(" -r -a '(" CC_COMPLETION_PLATFORMS ")'", out);
    else
        fputs(cc_completion_is_file(o) ? " -r -F" : " -x", out);
    if (o->type != CC_OPT_CHOICE)
        return;
    fputs(" -a '", out);
    for (const char *const *choice = o->choices; *choice; choice++)
        fprintf(out, "%s%s", choice == o->choices ? "" : " ", *choice);
    fputc('\'', out);
}

static void print_option(const struct cc_command *c, const struct cc_opt *o, FILE *out)
{
    fprintf(out, "complete -c corecast -n '__corecast_at %s", c->name);
    if (cc_completion_has_verbs(c) && o->of)
        print_verbs(c, o->of, out);
    fprintf(out, "' -l %s", o->name);
    if (o->letter)
        fprintf(out, " -s %c", o->letter);
    print_value(o, out);
    fputs(" -d '", out);
    cc_completion_text(out, o->help, "\\");
    fputs("'\n", out);
}

static void print_command(const struct cc_command *c, FILE *out)
{
    fprintf(out, "complete -c corecast -n __corecast_bare -f -a %s -d '", c->name);
    cc_completion_text(out, c->summary, "\\");
    fputs("'\n", out);
    for (size_t v = 0; cc_completion_has_verbs(c) && v < c->nverbs; v++) {
        fprintf(out, "complete -c corecast -n '__corecast_at %s; and not __corecast_at %s", c->name, c->name);
        print_verbs(c, UINT64_MAX, out);
        fprintf(out, "' -f -a %s -d '", c->verbs[v].name);
        cc_completion_text(out, c->verbs[v].summary, "\\");
        fputs("'\n", out);
    }
    for (size_t i = 0; cc_completion_option(c, i); i++)
        if (cc_completion_shown(c, i, cc_completion_option(c, i)->of))
            print_option(c, cc_completion_option(c, i), out);
}

void cc_completion_fish(FILE *out)
{
    fputs(head, out);
    fputs("complete -c corecast -n __corecast_bare -f -a help -d 'the commands, or one of them'\n", out);
    for (const struct cc_command *const *c = cc_completion_commands; *c; c++)
        print_command(*c, out);
}
