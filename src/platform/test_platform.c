#include "platform/platform_priv.h"
#include "tap.h"

#include <fnmatch.h>
#include <unistd.h>

static struct cc_platform *load(const char *text, struct cc_err *err)
{
    struct cc_platform *p = NULL;
    memset(err, 0, sizeof *err);
    return cc_platform_parse("p.ini", text, strlen(text), &p, err) < 0 ? NULL : p;
}

/* Only what was asked for and is assumed, with the source of its own file. */
static void test_sources(void)
{
    struct cc_err err;
    struct cc_arena arena = {0};
    const struct cc_assumed *list;
    struct cc_platform *p =
        load("[platform]\nname = x\nsource = a book\nclock_mhz = 5\n"
             "[dma]\nsource = assumed: so\ni0 = 1\ni1 = 2\ni1.source = page 2\nalpha = 3\n",
             &err);
    OK_U64(cc_platform_assumed(p, &arena, &list), 0, "nothing asked, nothing assumed");
    cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    cc_platform_num_or(p, NULL, CC_NUM_DMA_I0, 0);
    cc_platform_num_or(p, NULL, CC_NUM_DMA_I1, 0);
    size_t n = cc_platform_assumed(p, &arena, &list);
    OK(n == 1 && strcmp(list[0].key, "i0") == 0 && strcmp(list[0].value, "1") == 0 &&
           strcmp(list[0].source, "assumed: so") == 0,
       "what was asked for and is assumed");
    struct cc_platform_figures f;
    cc_platform_figures(p, &f);
    OK(f.values == 4 && f.assumed == 2 && f.unsourced == 0, "figures counted");
    cc_platform_forget(p);
    cc_platform_num_or(p, NULL, CC_NUM_DMA_ALPHA, 0);
    OK(cc_platform_assumed(p, &arena, &list) == 1 && strcmp(list[0].key, "alpha") == 0,
       "asked again after forgetting");
    OK(cc_platform_override(p, "dma.alpha=4", &err) == 0 &&
           cc_platform_num_or(p, NULL, CC_NUM_DMA_ALPHA, 0) == 4 &&
           cc_platform_assumed(p, &arena, &list) == 0,
       "an override is nobody's assumption");
    cc_platform_free(p);
    OK(!load("[platform]\nname = x\ncores.source = y\n", &err) && err.line == 3,
       "the source of what is not there");
    cc_arena_fini(&arena);
}

/* As the shell's patterns do, where as many dots are asked for. */
static bool shell_matches(const char *pattern, const char *name)
{
    int dots = 0;
    for (const char *s = pattern; *s; s++)
        dots += *s == '.';
    for (const char *s = name; *s; s++)
        dots -= *s == '.';
    return dots == 0 && fnmatch(pattern, name, FNM_EXTMATCH) == 0;
}

static void test_sections(void)
{
    static const char *const names[] = {"",
                                        "unit",
                                        "unit.",
                                        "unit.gpu",
                                        "unit.a.b",
                                        "link.a.b",
                                        "link..",
                                        "link.a",
                                        "platform",
                                        "platform.",
                                        "platformx",
                                        "platfor",
                                        "dma",
                                        "unitx.a",
                                        "*",
                                        "openmp",
                                        "openmp.dynamic",
                                        "openmp.dynami",
                                        "openmp.static|",
                                        "openmp.@(parallel|static)",
                                        "memory.l2",
                                        "openmp.",
                                        "openmp.parallel",
                                        "openmp.guided",
                                        "openmp.guided.x"};
    size_t wrong = 0, fit = 0;
    for (size_t k = 0; k < CC_PLATFORM_KEYS; k++)
        for (size_t i = 0; i < CC_COUNT(names); i++) {
            bool is = cc_section_matches(cc_platform_schema[k].section, names[i]);
            fit += is;
            wrong += is != shell_matches(cc_platform_schema[k].section, names[i]);
        }
    OK(wrong == 0 && fit > 100, "names of sections match as patterns of the shell do");
}

static void test_files(void)
{
    struct cc_err err;
    const char *const *files;
    char parent[] = "parent.XXXXXX";
    int fd = mkstemp(parent);
    static const char inherited[] = "[dma]\ngrid = times/read.txt\n";
    OK(fd >= 0 && write(fd, inherited, strlen(inherited)) > 0, "a file to inherit from");
    close(fd);
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("[platform]\nname = x\nsource = y\ninherits = ./%s\n[dma]\n"
                             "write_grid = /w.txt\n[link.a.b]\ncurve = c\n",
                             parent);
    struct cc_platform *p = load(text, &err);
    size_t n = p ? cc_platform_files(p, &files) : 0;
    OK(n == 5 && strcmp(files[0], "p.ini") == 0 && strstr(files[1], parent) &&
           strcmp(files[2], "/w.txt") == 0 && strcmp(files[3], "./c") == 0 &&
           strstr(files[4], "/times/read.txt"),
       "all files of a platform are told: %s", p ? "" : err.msg);
    cc_platform_free(p);
    unlink(parent);
}

static void test_template(void)
{
    struct cc_err err;
    struct cc_buf text = {0};
    cc_platform_template(&text);
    struct cc_platform *p = load(text.s, &err);
    OK(p && cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 0) == 4, "the template loads: %s",
       p ? "" : err.msg);
    size_t missing = 0;
    for (unsigned k = 0; k <= CC_NUM_BANK_NODE; k++) {
        CC_CLEANUP(cc_free_ptr) char *line = cc_asprintf("\n;%s = ", cc_platform_key_name(k));
        CC_CLEANUP(cc_free_ptr) char *given = cc_asprintf("\n%s = ", cc_platform_key_name(k));
        missing += !strstr(text.s, line) && !strstr(text.s, given);
    }
    OK_U64(missing, 0, "and has every key");
    cc_platform_free(p);
    cc_buf_fini(&text);
}

int main(void)
{
    struct cc_err err;
    struct cc_quantity q;
    struct cc_platform *p = load("[platform]\nname = x\nclock_mhz = 500 ± 2.5\n", &err);
    OK(p, "a small platform loads");
    OK(cc_platform_num(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, &q, &err) == 0 && q.value == 500 &&
           q.spread == 2.5,
       "value and spread");
    OK(cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, -1) == 1, "a default from the schema");
    OK(cc_platform_override(p, "clock_mhz=600", &err) == 0 &&
           cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0) == 600,
       "an override by key");
    OK(cc_platform_override(p, "cpi=1.5", &err) == 0 &&
           cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CPI, 0) == 1.5,
       "also by a key that the file lacks, where one section may have it");
    OK(cc_platform_override(p, "platform.cores=0", &err) == -CC_EINPUT, "an override is checked");
    OK(cc_platform_override(p, "platform.coers=2", &err) == -CC_EUSAGE && strstr(err.hint, "cores"),
       "so is its key");
    OK_STR(cc_platform_key_name(CC_NUM_UNIT_CLOCK_MHZ), "clock_mhz", "the name of a key");
    cc_platform_free(p);
    OK(!load("[platform]\nname = x\nclok_mhz = 5\n", &err) && err.line == 3 && strstr(err.hint, "clock_mhz"),
       "unknown key, with the near one");
    OK(!load("[platfrom]\nname = x\n", &err) && err.line == 1 && strstr(err.hint, "platform"),
       "unknown section, with the near one");
    OK(!load("[platform]\nname = x\n[unit.gpu]\nclock_hz = 5\n", &err) && err.line == 4 &&
           strstr(err.hint, "clock_mhz"),
       "in a section with a name of its own too");
    OK(!load("[platform]\nclock_mhz = 5\n", &err) && strstr(err.msg, "'name'"), "required key");
    OK(!load("[platform]\nname = x\nclock_mhz = -5\n", &err) && err.line == 3, "out of range");
    OK(!load("[platform]\nname = x\nclock_mhz = fast\n", &err) && strstr(err.msg, "not a number"),
       "not a number");
    OK(!load("", &err) && strstr(err.msg, "not a platform file"), "empty file");
    OK(!load("[platform]\nname = x\ninherits = ./absent.ini\n", &err) && strstr(err.msg, "p.ini:3"),
       "absent parent");
    test_sources();
    test_sections();
    test_files();
    test_template();
    return TAP_DONE();
}
