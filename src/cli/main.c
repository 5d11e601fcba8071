#include "command.h"

#include <locale.h>

#ifndef CC_VERSION
#define CC_VERSION "0"
#endif

static const struct cc_command *const commands[] = {
#define CC_COMMAND(id) &cc_cmd_##id,
#include "commands.def"
#undef CC_COMMAND
};

static void print_overview(FILE *out)
{
    fputs("usage: corecast COMMAND [OPTIONS] …\n\ncommands:\n", out);
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        fprintf(out, "  %-14s%s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'corecast COMMAND -h' shows a command's options; 'man corecast' the whole.\n", out);
}

static void print_help(const struct cc_command *c, FILE *out)
{
    fprintf(out, "usage: corecast %s %s\n\n%s\n", c->name, c->synopsis, c->summary);
    cc_opt_print_help(c->options, c->noptions, out);
}

static const struct cc_command *find(const char *name)
{
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int fail(const struct cc_err *err, const struct cc_command *c)
{
    cc_err_print(err, stderr);
    if (err->code == CC_EUSAGE)
        fprintf(stderr, "  try 'corecast %s%s-h'\n", c ? c->name : "", c ? " " : "");
    return err->code ? (int)err->code : CC_EBUG;
}

static int unknown_command(const char *name)
{
    const char *names[CC_COUNT(commands)];
    for (size_t i = 0; i < CC_COUNT(commands); i++)
        names[i] = commands[i]->name;
    struct cc_err err = {0};
    cc_err_set(&err, CC_EUSAGE, "unknown command '%s'", name);
    const char *near = cc_nearest(name, names, CC_COUNT(names));
    if (near)
        cc_err_hint(&err, "did you mean '%s'?", near);
    return fail(&err, NULL);
}

static int check_common(const struct cc_command *c, const struct cc_common *o, struct cc_err *err)
{
    if (o->csv && !c->results)
        return cc_err_set(err, CC_EUSAGE, "option '--csv': '%s' writes no table", c->name);
    if (o->csv && o->json)
        return cc_err_set(err, CC_EUSAGE, "options '--csv' and '--json' exclude each other");
    return 0;
}

static int run(const struct cc_command *c, int argc, char **argv)
{
    struct cc_err err = {0};
    struct cc_strs operands = {0};
    struct cc_common *options = cc_alloc(c->size);
    int rc = cc_opt_parse(c->options, c->noptions, argc, argv, c->stop_at_operand, options, &operands, &err);
    if (rc == 0 && options->help)
        print_help(c, stdout);
    else if (rc == 0 && (rc = check_common(c, options, &err)) == 0)
        rc = c->run(options, &operands, &err);
    if (rc == 0 && !c->raw_exit && (fflush(stdout) != 0 || ferror(stdout)))
        rc = cc_err_set(&err, CC_EINPUT, "cannot write to standard output");
    if (rc < 0) {
        /* a command that runs another program keeps its own failures apart from that program's statuses */
        rc = fail(&err, c);
        if (c->raw_exit)
            rc = 125;
    }
    free(options);
    cc_strs_fini(&operands);
    return rc;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    if (argc < 2) {
        print_overview(stderr);
        return CC_EUSAGE;
    }
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 || strcmp(first, "version") == 0) {
        puts("corecast " CC_VERSION);
        return 0;
    }
    if (strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "help") == 0) {
        const struct cc_command *c = argc > 2 ? find(argv[2]) : NULL;
        if (c)
            print_help(c, stdout);
        else if (argc > 2)
            return unknown_command(argv[2]);
        else
            print_overview(stdout);
        return 0;
    }
    const struct cc_command *c = find(first);
    return c ? run(c, argc - 2, argv + 2) : unknown_command(first);
}
