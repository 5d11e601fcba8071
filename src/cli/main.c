#include "command.h"
#include "output.h"
#include "version.h"
#include "../base/ending.h"
#include "../base/text.h"

#include <assert.h>
#include <errno.h>
#include <locale.h>

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

enum { MAX_VERBS = 64 };

/* A command's options with the names of those they may belong to. */
struct named_table {
    struct cc_opt_table t;
    char what[64];
    const char *owners[MAX_VERBS + 1];
};

static void table_of(const struct cc_command *c, struct named_table *ret)
{
    *ret = (struct named_table){.t = {c->options, c->noptions, .stop_at_operand = c->stop_at_operand}};
    for (size_t i = 0; i < c->nverbs && i < MAX_VERBS; i++)
        ret->owners[i] = c->verbs[i].name;
    snprintf(ret->what, sizeof ret->what, "%s%s%s", c->name, c->verb_option ? " --" : "",
             c->verb_option ? c->verb_option : "");
    ret->t.what = ret->what;
    ret->t.owners = ret->owners;
}

static void print_usage(const struct cc_command *c, const struct cc_verb *verb, FILE *out)
{
    if (c->synopsis) {
        fprintf(out, "usage: corecast %s %s\n", c->name, c->synopsis);
        return;
    }
    const char *lead = "usage:";
    for (const struct cc_verb *v = c->verbs; v < c->verbs + c->nverbs; v++) {
        if (verb && verb != v)
            continue;
        fprintf(out, "%s corecast %s %s %s\n", lead, c->name, v->name, v->synopsis);
        lead = "      ";
    }
}

static void print_verbs(const struct cc_command *c, const char *heading, FILE *out)
{
    fputs(heading, out);
    for (size_t i = 0; i < c->nverbs; i++)
        fprintf(out, "  %-14s%s\n", c->verbs[i].name, c->verbs[i].summary);
}

/* Of one verb only what it takes; without one, of all. */
static void print_help(const struct cc_command *c, const struct cc_verb *verb, FILE *out)
{
    struct named_table table;
    table_of(c, &table);
    print_usage(c, verb, out);
    fprintf(out, "\n%s\n", verb && verb->summary ? verb->summary : c->summary);
    if (!verb && !c->verb_option && c->nverbs)
        print_verbs(c, "\n", out);
    cc_opt_print_help(&table.t, verb ? UINT64_C(1) << (verb - c->verbs) : 0, out);
    if (!verb && c->verb_option) {
        CC_CLEANUP(cc_free_ptr) char *heading = cc_asprintf("\nValues of --%s:\n", c->verb_option);
        print_verbs(c, heading, out);
    }
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

static int no_verb(const struct cc_command *c, const char *name, struct cc_err *err)
{
    const char *names[MAX_VERBS];
    struct cc_buf all = {0};
    for (size_t i = 0; i < c->nverbs && i < MAX_VERBS; i++) {
        names[i] = c->verbs[i].name;
        cc_buf_printf(&all, "%s'%s'", !i ? "" : i + 1 < c->nverbs ? ", " : " or ", names[i]);
    }
    int rc = name ? cc_err_set(err, CC_EUSAGE, "'%s' has no verb '%s'", c->name, name)
                  : cc_err_set(err, CC_EUSAGE, "expected %s after '%s'", all.s, c->name);
    const char *near = name ? cc_nearest(name, names, CC_MIN(c->nverbs, MAX_VERBS)) : NULL;
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    else if (name)
        cc_err_hint(err, "it is one of %s", all.s);
    cc_buf_fini(&all);
    return rc;
}

/* The verb of a command line, NULL where it names none. */
static int find_verb(const struct cc_command *c, const char *name, const struct cc_verb **ret,
                     struct cc_err *err)
{
    *ret = NULL;
    for (size_t i = 0; name && i < c->nverbs; i++)
        if (strcmp(c->verbs[i].name, name) == 0)
            *ret = &c->verbs[i];
    if (c->verb_option) { /* a wrong value is the parser's to refuse */
        if (!name)
            *ret = c->verbs;
        return 0;
    }
    return name && c->nverbs && !*ret ? no_verb(c, name, err) : 0;
}

static int call(const struct cc_command *c, const struct cc_verb *verb, void *options,
                const struct cc_strs *operands, struct cc_err *err)
{
    if (c->run)
        return c->run(options, operands, err);
    if (!verb)
        return no_verb(c, NULL, err);
    struct cc_strs rest = {operands->v + 1, operands->n - 1, 0};
    return verb->run(options, &rest, err);
}

/* Parses and runs; 0 or a positive status, negative with err set. */
static int parse_and_call(const struct cc_command *c, int argc, char **argv, struct cc_err *err)
{
    struct named_table table;
    const struct cc_verb *verb;
    table_of(c, &table);
    const char *name = c->nverbs ? cc_opt_peek(&table.t, c->verb_option, argc, argv) : NULL;
    int rc = find_verb(c, name, &verb, err);
    if (rc < 0)
        return rc;
    assert(c->size >= sizeof(struct cc_common) && c->size <= CC_OPT_MAX_SIZE);
    struct cc_strs operands = {0};
    struct cc_common *options = cc_alloc(c->size);
    rc = cc_opt_parse(&table.t, verb ? UINT64_C(1) << (verb - c->verbs) : 0, argc, argv, options, &operands,
                      err);
    if (rc == 0 && options->help) {
        print_help(c, name ? verb : NULL, stdout);
        if (fflush(stdout) != 0)
            rc = cc_err_set(err, CC_EINPUT, "cannot write to standard output: %s", strerror(errno));
    } else if (rc == 0) {
        rc = check_common(c, options, err);
        if (rc == 0) /* of what another program is called with, only that itself is ours to read */
            rc = cc_output_check(&table.t, options, &operands, c->stop_at_operand ? 1 : SIZE_MAX, err);
        if (rc == 0)
            rc = call(c, verb, options, &operands, err);
    }
    cc_opt_fini(&table.t, options);
    free(options);
    cc_strs_fini(&operands);
    return rc;
}

static int run(const struct cc_command *c, int argc, char **argv)
{
    struct cc_err err = {0};
    if (c->raw_exit)
        cc_ending_status(CC_EOWN);
    int rc = parse_and_call(c, argc, argv, &err);
    if (rc == 0 && !c->raw_exit && (fflush(stdout) != 0 || ferror(stdout)))
        rc = cc_err_set(&err, CC_EINPUT, "cannot write to standard output");
    if (rc < 0) {
        /* a command that runs another program keeps its own failures apart from that program's statuses */
        rc = fail(&err, c);
        if (c->raw_exit && rc != CC_ECANNOT_RUN && rc != CC_ENOT_FOUND)
            rc = CC_EOWN;
    }
    return rc;
}

/* Output that is lost is no success. */
static int flushed(int rc)
{
    struct cc_err err = {0};
    if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        cc_err_set(&err, CC_EINPUT, "cannot write to standard output: %s", strerror(errno));
        return fail(&err, NULL);
    }
    return rc;
}

static int help(int argc, char **argv)
{
    const struct cc_command *c = argc > 0 ? find(argv[0]) : NULL;
    const struct cc_verb *verb = NULL;
    struct cc_err err = {0};
    if (!argc)
        print_overview(stdout);
    else if (!c)
        return unknown_command(argv[0]);
    else if (argc > 1 && find_verb(c, argv[1], &verb, &err) < 0)
        return fail(&err, c);
    else
        print_help(c, verb, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    cc_ending_watch();
    if (argc < 2) {
        print_overview(stderr);
        return CC_EUSAGE;
    }
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 || strcmp(first, "version") == 0) {
        printf("corecast %s\n", cc_exact_version);
        return flushed(0);
    }
    if (strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "help") == 0)
        return flushed(help(argc - 2, argv + 2));
    const struct cc_command *c = find(first);
    return c ? run(c, argc - 2, argv + 2) : unknown_command(first);
}
