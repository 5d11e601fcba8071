/* What goes into the run file comes out of it, whatever the bytes; nothing else is understood. */
#include "run_file.h"
#include "../base/text.h"
#include "../../tests/host.h"
#include "tap.h"

static char path[TAP_FOLDER];

static void write_text(const char *text, size_t n)
{
    FILE *f = fopen(path, "we");
    if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0)
        abort();
}

static bool understood(const char *text)
{
    struct cc_options o;
    write_text(text, strlen(text));
    return cc_options_read(&cc_test_host, path, &o);
}

static void test_values(void)
{
    struct cc_err err = {0};
    const char *regions[] = {"10=a,b", "20==\n", "30=", "40= \\n\\"};
    struct cc_options got, o = {.out = "/a,b =\"'\\\nc\n/rec",
                                .program = "",
                                .machine = 183,
                                .libs = CC_LIBS_NODE,
                                .follow = true,
                                .tasks = CC_TASKS_NONE,
                                .slice = UINT64_C(1000000000000),
                                .regions = {regions, CC_COUNT(regions), 0}};
    OK(cc_run_file_write(path, &o, &err) == 0 && cc_options_read(&cc_test_host, path, &got),
       "written and read");
    OK_STR(got.out, o.out, "commas, quotes, line breaks, backslashes");
    OK_STR(got.program, "", "an empty text");
    OK(!got.own && !got.channels, "texts that are not there");
    OK(got.machine == 183 && got.libs == CC_LIBS_NODE && got.tasks == CC_TASKS_NONE && got.slice == o.slice,
       "numbers");
    OK(got.follow && !got.plain && !got.objects, "flags");
    OK_U64(got.regions.n, o.regions.n, "a list");
    for (size_t i = 0; i < got.regions.n; i++)
        OK_STR(got.regions.v[i], regions[i], "its entry %zu", i);
    OK(cc_run_file_write("/nowhere/run", &o, &err) < 0, "a file that cannot be written");
}

static void test_bytes(void)
{
    char all[256] = "";
    struct cc_err err = {0};
    struct cc_options got, o = {.own = all};
    for (int i = 1; i < 256; i++)
        all[i - 1] = (char)i;
    OK(cc_run_file_write(path, &o, &err) == 0 && cc_options_read(&cc_test_host, path, &got) &&
           strcmp(got.own, all) == 0,
       "every byte but 0");
}

static void test_many(void)
{
    enum { MANY = 100000 };
    struct cc_err err = {0};
    struct cc_options got, o = {0};
    const char **v = cc_alloc_array(MANY, sizeof *v);
    for (size_t i = 0; i < MANY; i++)
        v[i] = cc_asprintf("%zx=region %zu", i, i);
    o.regions = (struct cc_texts){v, MANY, MANY};
    OK(cc_run_file_write(path, &o, &err) == 0 && cc_options_read(&cc_test_host, path, &got), "a long file");
    size_t same = 0;
    for (size_t i = 0; i < MANY && i < got.regions.n; i++)
        same += strcmp(got.regions.v[i], v[i]) == 0;
    OK_U64(same, MANY, "all of a long list");
    for (size_t i = 0; i < MANY; i++)
        free((char *)v[i]);
    free(v);
}

static void test_nonsense(void)
{
    struct cc_options o;
    OK(understood("slice=7\nplain=1\n") && understood(""), "what makes sense");
    OK(!understood("slice=\n") && !understood("slice=7x\n") && !understood("slice=-7\n") &&
           !understood("slice=99999999999999999999\n"),
       "numbers that are none");
    OK(!understood("plain=2\n") && !understood("libs=99999999\n"), "values there can not be");
    OK(!understood("slices=7\n") && !understood("slic=7\n") && !understood("=7\n") && !understood("\n"),
       "options that are none");
    OK(!understood("slice=7") && !understood("slice\n"), "a line that is cut");
    OK(!understood("own=\\x\n") && !understood("own=a\\\n"), "escapes that are none");
    OK(!cc_options_read(&cc_test_host, "/nowhere", &o), "no file");
}

int main(void)
{
    tap_file(path);
    test_values();
    test_bytes();
    test_many();
    test_nonsense();
    unlink(path);
    return TAP_DONE();
}
