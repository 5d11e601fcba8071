/* Options from a table: forms, types, what was given, whose an option is. */
#include "base/opt.h"
#include "tap.h"

enum { FIRST = 1, SECOND = 2, THIRD = 4 };

struct opts {
    struct cc_common common;
    int64_t n, count;
    struct cc_strs list;
    int mode;
    bool flag, third;
    double share, wide;
    const char *other;
};

static const char *const modes[] = {"one", "two", NULL};
static const struct cc_opt rows[] = {
    {CC_OPT_INT, 'n', "number", "N", offsetof(struct opts, n), "", 1, 10, NULL},
    {CC_OPT_INT, 0, "count", "N", offsetof(struct opts, count), "", 0, 10, NULL},
    {CC_OPT_LIST, 0, "add", "S", offsetof(struct opts, list), "", 0, 0, NULL},
    {CC_OPT_CHOICE, 0, "mode", "M", offsetof(struct opts, mode), "", 0, 0, modes},
    {CC_OPT_FLAG, 'f', "flag", NULL, offsetof(struct opts, flag), "", 0, 0, NULL},
    {CC_OPT_PERCENT, 0, "wide", "PCT", offsetof(struct opts, wide), "", 5, 1e6},
    {CC_OPT_HEADING, .help = "Shares"},
    {CC_OPT_PERCENT, 0, "share", "PCT", offsetof(struct opts, share), "a share", .of = FIRST | THIRD},
    {CC_OPT_STR, 0, "share", "TEXT", offsetof(struct opts, other), "a text", .of = SECOND},
    {CC_OPT_HEADING, .help = "Rest"},
    {CC_OPT_FLAG, 't', "third", NULL, offsetof(struct opts, third), "", .of = THIRD},
};
static const char *const owners[] = {"first", "second", "third", NULL};
static const struct cc_opt_table table = {rows, CC_COUNT(rows), "do", owners, false};

static struct opts o;
static struct cc_strs rest;
static struct cc_err err;

/* Parses a command line that is cut at blanks, except inside '…'. */
static int parse(uint64_t of, const char *line)
{
    static char text[256];
    char *argv[32];
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *p = text; *p;) {
        char end = *p == '\'' ? '\'' : ' ';
        argv[argc++] = p += *p == '\'';
        p += strcspn(p, (char[]){end, 0});
        while (*p && (*p == end || *p == ' '))
            *p++ = 0;
    }
    cc_opt_fini(&table, &o);
    memset(&o, 0, sizeof o);
    memset(&err, 0, sizeof err);
    rest.n = 0;
    return cc_opt_parse(&table, of, argc, argv, &o, &rest, &err);
}

static void test_forms(void)
{
    int rc = parse(0, "-n3 --add x --add=y --mode two p -fq -");
    OK(rc == 0 && o.n == 3 && o.list.n == 2 && o.mode == 1 && o.flag && o.common.quiet && rest.n == 2,
       "all option forms");
    OK(parse(0, "-n11") < 0 && strstr(err.msg, "outside"), "range is checked");
    OK(parse(0, "--numbr=1") < 0 && strstr(err.hint, "--number"), "a near name is offered");
    OK(parse(0, "--number") < 0 && strstr(err.msg, "needs a value"), "a missing value");
    OK(parse(0, "--mode x") < 0 && strstr(err.hint, "one, two"), "choices are named");
    OK(parse(0, "--flag=1") < 0 && strstr(err.msg, "takes no value"), "a flag takes no value");
    OK(parse(0, "-- -n --x") == 0 && rest.n == 2, "all after -- is no option");
    OK(parse(0, "--csv x") == 0 && o.common.csv && !*o.common.csv && rest.n == 1,
       "a value that may be left out is not the next word");
    OK(parse(0, "--csv=edges") == 0 && o.common.csv && strcmp(o.common.csv, "edges") == 0,
       "it follows a '='");
    struct cc_opt_table stop = table;
    stop.stop_at_operand = true;
    char *argv[] = {"-f", "p", "-n", "--", "x"};
    rest.n = 0;
    rc = cc_opt_parse(&stop, 0, 5, argv, &o, &rest, &err);
    OK(rc == 0 && rest.n == 4 && strcmp(rest.v[2], "--") == 0, "all after the first operand is no option");
}

static void test_given(void)
{
    OK(parse(0, "--count 0 --mode one") == 0 && CC_GIVEN(&o, count) && CC_GIVEN(&o, mode) &&
           !CC_GIVEN(&o, n) && !CC_GIVEN(&o, flag),
       "0 and the first choice are told from absent");
    OK(parse(0, "-f") == 0 && CC_GIVEN(&o, flag) && !CC_GIVEN(&o, count), "and flags");
    OK(parse(0, "-qf") == 0 && CC_GIVEN(&o, flag) && CC_GIVEN(&o, common.quiet), "and joined ones");
}

static void percent(const char *line, double want)
{
    OK(parse(FIRST, line) == 0 && o.share == want, "%s", line);
}

static void test_percent(void)
{
    percent("--share 5", 0.05);
    percent("--share=5%", 0.05);
    percent("--share '0.5 %'", 0.005);
    percent("--share 0", 0);
    percent("--share 100", 1);
    static const char *const bad[] = {"101", "-1", "x", "%", "''", "5%%", "'5 % x'", "nan", "1e999"};
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        char line[64];
        snprintf(line, sizeof line, "--share %s", bad[i]);
        OK(parse(FIRST, line) == -CC_EUSAGE && strstr(err.msg, "percentage from 0 to 100"), "no share: %s",
           bad[i]);
    }
    OK(parse(0, "--wide 500") == 0 && o.wide == 5, "more than 100 where the table says so");
    OK(parse(0, "--wide 4") < 0 && strstr(err.msg, "from 5 to 1e+06"), "and less than it says");
}

static void test_owners(void)
{
    OK(parse(THIRD, "--third --share 7") == 0 && o.third && o.share == 0.07, "an owner's own");
    OK(parse(FIRST, "--third") == -CC_EUSAGE, "another's is refused");
    OK_STR(err.msg, "'do first' has no option '--third'; it belongs to 'do third'", "and says whose it is");
    OK(parse(FIRST, "-t") == -CC_EUSAGE && parse(FIRST, "-ft") == -CC_EUSAGE, "also by its letter");
    OK(parse(SECOND, "--share free") == 0 && strcmp(o.other, "free") == 0 && !CC_GIVEN(&o, share),
       "one name, another row for another owner");
    OK(parse(FIRST, "--thrid") < 0 && !err.hint[0], "another's is not offered");
    OK(parse(0, "--third") == 0 && cc_opt_check(&table, THIRD, &o.common, &err) == 0 &&
           cc_opt_check(&table, SECOND, &o.common, &err) == -CC_EUSAGE && strstr(err.msg, "'do third'"),
       "the same where the owner is known later");
    OK(parse(0, "--number 1") == 0 && cc_opt_check(&table, SECOND, &o.common, &err) == 0,
       "what belongs to all is taken by each");
}

static const char *peek(const char *name, int argc, const char **argv)
{
    const char *found = cc_opt_peek(&table, name, argc, (char **)argv);
    return found ? found : "none";
}

static void test_peek(void)
{
    OK_STR(peek(NULL, 5, (const char *[]){"-n", "3", "-f", "verb", "x"}), "verb", "the first operand");
    OK_STR(peek(NULL, 2, (const char *[]){"--", "verb"}), "verb", "after --");
    OK_STR(peek(NULL, 2, (const char *[]){"--csv", "verb"}), "verb", "after a value that may be left out");
    OK_STR(peek(NULL, 2, (const char *[]){"--mode", "one"}), "none", "a value is no operand");
    OK_STR(peek(NULL, 2, (const char *[]){"--bad", "verb"}), "none", "nothing after an unknown option");
    OK_STR(peek("mode", 4, (const char *[]){"x", "--mode=one", "--mode", "two"}), "two", "an option's value");
    OK_STR(peek("mode", 1, (const char *[]){"--mode"}), "none", "that is missing");
}

static void help_has(uint64_t of, const char *part, bool want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    cc_opt_print_help(&table, of, f);
    fclose(f);
    OK(!strstr(text, part) == !want, "help of %d %s '%s'", (int)of, want ? "has" : "lacks", part);
    free(text);
}

static void test_help(void)
{
    help_has(0, "--third", true);
    help_has(0, "a text", true);
    help_has(FIRST, "a share", true);
    help_has(FIRST, "a text", false);
    help_has(FIRST, "--third", false);
    help_has(FIRST, "Rest:", false);
    help_has(THIRD, "Rest:", true);
    help_has(SECOND, "--json", true);
}

static void test_int_list(void)
{
    int64_t room[20];
    struct cc_int_list list = {room, 20, 0};
    memset(&err, 0, sizeof err);
    OK(cc_opt_int_list("cores", "1,4..6,9", 1, 100, &list, &err) == 0 && list.n == 5 && room[3] == 6 &&
           room[4] == 9,
       "lists and ranges");
    OK(cc_opt_int_list("cores", "0", 1, 100, &list, &err) < 0 &&
           strcmp(err.msg, "option '--cores': '0' is outside 1 to 100") == 0 &&
           cc_opt_int_list("cores", "1..99", 1, 100, &list, &err) < 0,
       "lists are bounded");
}

int main(void)
{
    test_forms();
    test_given();
    test_percent();
    test_owners();
    test_peek();
    test_help();
    test_int_list();
    cc_opt_fini(&table, &o);
    cc_strs_fini(&rest);
    return TAP_DONE();
}
