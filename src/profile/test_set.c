/* Sets of recordings: what is written is read again, and damage is an error with its line. */
#include "set.h"
#include "../base/file.h"
#include "../base/rng.h"
#include "../../tests/tap.h"

#include <unistd.h>

static char folder[TAP_FOLDER];

static struct cc_set *sample(void)
{
    static const char *names[] = {"size", "mode, with \"marks\""},
                      *values[][2] = {{"64", "a,b"}, {"128", "=1+1"}, {"", "\xc3\xa9"}};
    struct cc_set *s = cc_set_new(folder);
    s->command = "./prog {size}";
    s->variables = names;
    s->nvariables = 2;
    for (size_t i = 0; i < 3; i++)
        CC_VEC_PUSH(&s->runs,
                    (struct cc_set_run){i ? "b.cast" : "a.cast", i ? "exit 3" : CC_SET_OK, values[i]});
    return s;
}

static void test_round_trip(void)
{
    struct cc_err err = {0};
    struct cc_set *s = sample(), *t = NULL;
    OK(cc_set_save(s, &err) == 0, "a set is written");
    OK(cc_set_load(folder, &t, &err) == 0, "and read: %s", err.msg);
    bool same = t && t->nvariables == 2 && t->runs.n == 3 && strcmp(t->command, s->command) == 0;
    for (size_t i = 0; same && i < 3; i++) {
        same &= strcmp(t->runs.v[i].file, s->runs.v[i].file) == 0 &&
                strcmp(t->runs.v[i].status, s->runs.v[i].status) == 0;
        for (size_t k = 0; k < 2; k++)
            same &= strcmp(t->runs.v[i].values[k], s->runs.v[i].values[k]) == 0 &&
                    strcmp(t->variables[k], s->variables[k]) == 0;
    }
    OK(same, "it is the same, whatever is in its cells");
    OK(t && cc_set_find(t, (const char *const[]){"128", "=1+1"}, 2) == &t->runs.v[1],
       "a run is found by its values");
    OK(t && !cc_set_find(t, (const char *const[]){"128", "a,b"}, 2), "and only by all of them");
    cc_set_free(s);
    cc_set_free(t);
}

static int load(const char *text, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, CC_SET_MANIFEST);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        return 1;
    struct cc_set *s = NULL;
    int rc = cc_set_load(path, &s, err);
    if (rc == 0)
        cc_set_free(s);
    return rc;
}

static void test_damage(void)
{
    static const struct {
        const char *text, *says;
        unsigned line;
    } bad[] = {
        {"", "empty", 0},
        {"file,status\n", "columns", 1},
        {"name,status,x\n", "columns", 1},
        {"file,status,x\na.cast,ok\n", "cells", 2},
        {"file,status,x\na.cast,ok,1,2\n", "cells", 2},
        {"file,status,x\n../a.cast,ok,1\n", "not in the folder", 2},
        {"file,status,x\n..,ok,1\n", "not in the folder", 2},
        {"file,status,x,x\n", "two variables", 1},
        {"file,status,x,\n", "no name", 1},
        {"file,status,x\n\"a,ok,1\n", "quote", 2},
    };
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        struct cc_err err = {0};
        OK(load(bad[i].text, &err) < 0 && strstr(err.msg, bad[i].says) && err.line == bad[i].line,
           "refused (%s): line %u: %s", bad[i].says, err.line, err.msg);
    }
}

/* No copy with bytes changed, cut or doubled does more than fail. */
static void test_random(void)
{
    struct cc_rng rng = {1};
    struct cc_err err = {0};
    struct cc_set *s = sample();
    char *text = NULL;
    size_t size = 0;
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, CC_SET_MANIFEST);
    OK(cc_set_save(s, &err) == 0 && cc_file_read(path, 1 << 20, &text, &size, &err) == 0,
       "a manifest to damage");
    cc_set_free(s);
    size_t taken = 0, rounds = 2000;
    for (size_t i = 0; text && i < rounds; i++) {
        CC_CLEANUP(cc_free_ptr) char *copy = cc_strndup(text, size);
        for (size_t k = 0; k < 1 + i % 5; k++)
            copy[cc_rng_below(&rng, size)] = (char)(1 + cc_rng_below(&rng, 255));
        if (i % 7 == 0)
            copy[cc_rng_below(&rng, size)] = 0;
        err = (struct cc_err){0};
        int rc = load(copy, &err);
        taken += rc == 0;
        if (rc < 0 && !err.msg[0])
            OK(0, "round %zu fails without a word", i);
    }
    OK(taken > 0 && taken < rounds, "%zu of %zu damaged ones still make sense", taken, rounds);
    free(text);
}

int main(void)
{
    tap_folder(folder);
    test_round_trip();
    test_damage();
    test_random();
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, CC_SET_MANIFEST);
    unlink(path);
    rmdir(folder);
    return TAP_DONE();
}
