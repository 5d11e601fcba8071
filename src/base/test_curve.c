/* Curves: both ways to write them, what they are between and beyond their points, and what is refused where.
 */
#include "base/curve.h"
#include "base/rng.h"
#include "tap.h"

#include <unistd.h>

static const struct cc_curve_kind kind = {"sizes", "seconds", 0, 1e18, 0, 1e9};
static struct cc_arena arena;
static struct cc_err err;

static int parse(const char *text, struct cc_curve *ret)
{
    memset(&err, 0, sizeof err);
    return cc_curve_parse(&kind, text, "p.ini", 7, &arena, ret, &err);
}

static int load(const char *text, struct cc_curve *ret)
{
    char path[] = "curve.XXXXXX";
    int fd = mkstemp(path);
    memset(&err, 0, sizeof err);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        return -1;
    close(fd);
    int rc = cc_curve_load(&kind, path, &arena, ret, &err);
    unlink(path);
    return rc;
}

static void test_at(void)
{
    struct cc_curve c;
    OK(parse("100:1, 200:3\t400:4", &c) == 0 && c.n == 3 && !c.spread, "a list (%s)", err.msg);
    OK(cc_curve_at(&c, 0, 0) == 1 && cc_curve_at(&c, 100, 0) == 1, "flat before the first point");
    OK(cc_curve_at(&c, 150, 0) == 2 && cc_curve_at(&c, 200, 0) == 3 && cc_curve_at(&c, 300, 0) == 3.5,
       "straight between two");
    OK(cc_curve_at(&c, 600, 0) == 5, "the last stretch goes on");
    c.spread = (double[]){0, 1, 2};
    OK(cc_curve_at(&c, 150, 1) == 2.5 && cc_curve_at(&c, 150, -1) == 1.5, "with the spread");
    OK(parse("5:2", &c) == 0 && cc_curve_at(&c, 1, 0) == 2 && cc_curve_at(&c, 50, 0) == 2,
       "one point is flat");
    OK(load("# measured\n100 1\n\n200, 3 ; twice\r\n400\t4", &c) == 0 && c.n == 3 &&
           cc_curve_at(&c, 600, 0) == 5,
       "a file (%s)", err.msg);
}

static void test_errors(void)
{
    static const struct {
        const char *text, *part;
    } bad[] = {{"", "no points"},     {"1", "point of"},        {"1:x", "point of"},
               {"-1:1", "point of"},  {"1:1 1:2", "must rise"}, {"1:1:1", "point of"},
               {"1:nan", "point of"}, {"2e18:1", "point of"}};
    struct cc_curve c;
    for (size_t i = 0; i < CC_COUNT(bad); i++)
        OK(parse(bad[i].text, &c) == -CC_EINPUT && c.n == 0 && err.line == 7 && strstr(err.msg, bad[i].part),
           "refused: '%s'", bad[i].text);
    OK(load("1 2\n\n0 3\n", &c) == -CC_EINPUT && err.line == 3 &&
           strstr(err.msg, "sizes of a curve must rise"),
       "a file names its line");
    OK(load("1 2 3\n", &c) == -CC_EINPUT && err.line == 1, "three numbers in a line");
    OK(load("# nothing\n", &c) == -CC_EINPUT && err.line == 0 && strstr(err.msg, "no points"),
       "an empty file");
}

static void test_damaged(void)
{
    struct cc_rng rng = {9};
    size_t good = 0;
    for (int i = 0; i < 5000; i++) {
        char text[] = "1:17.5, 2:43e1 4:90";
        struct cc_curve c;
        text[cc_rng_below(&rng, sizeof text - 1)] = "0:9 ,x-.e"[cc_rng_below(&rng, 9)];
        good += parse(text, &c) == 0;
    }
    OK(good > 500 && good < 4500, "damaged lists are read or refused (%zu read)", good);
}

int main(void)
{
    test_at();
    test_errors();
    test_damaged();
    cc_arena_fini(&arena);
    return TAP_DONE();
}
