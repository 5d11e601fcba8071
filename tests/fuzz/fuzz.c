/* libFuzzer targets, one for each reader. The program's name says which: fuzz-ini, fuzz-trace … A reader may
 * refuse what it gets; it must not crash, leak, hang or take more than the memory libFuzzer allows. */
#include "analysis/area/estimate.h"
#include "analysis/area/kernels.h"
#include "analysis/area/model.h"
#include "analysis/area/table.h"
#include "analysis/characterize/characterize.h"
#include "analysis/compare/condition.h"
#include "analysis/compare/subjects.h"
#include "analysis/contention/findings.h"
#include "analysis/growth/samples.h"
#include "analysis/htg/htg.h"
#include "analysis/itemsets/itemsets.h"
#include "analysis/mapping/mapping.h"
#include "analysis/partition/graph.h"
#include "analysis/patch/patch.h"
#include "analysis/scenario/scenario.h"
#include "analysis/tile/spread.h"
#include "analysis/units/units.h"
#include "base/csv.h"
#include "base/curve.h"
#include "base/file.h"
#include "base/ini.h"
#include "binary/lines.h"
#include "binary/loops.h"
#include "binary/marks.h"
#include "binary/segments.h"
#include "binary/symbols.h"
#include "binary/variables.h"
#include "cli/simulate/programs.h"
#include "platform/dma.h"
#include "platform/platform.h"
#include "profile/import.h"
#include "profile/line_trace.h"
#include "profile/native.h"
#include "profile/profile.h"
#include "profile/set.h"
#include "../../collect/options.h"
#include "../../trace/csv.h"
#include "../../trace/stats.h"
#include "../host.h"
#include "../place.h"

#include <libgen.h>

/* What a target reads: the bytes themselves, or a file of them. */
struct input {
    const char *text; /* with a 0 behind */
    size_t size;
    const char *path;
};

static void ini(const struct input *in)
{
    struct cc_ini *x;
    if (cc_ini_parse("x", in->text, in->size, &x, NULL) == 0)
        cc_ini_free(x);
}

static void csv(const struct input *in)
{
    struct cc_csv *x;
    if (cc_csv_parse("x", in->text, in->size, &x, NULL) == 0)
        cc_csv_free(x);
}

static void platform(const struct input *in)
{
    struct cc_platform *p;
    struct cc_unit *units = NULL;
    size_t n;
    if (cc_platform_parse("x", in->text, in->size, &p, NULL) < 0)
        return;
    if (cc_units_load(p, &units, &n, NULL) == 0)
        free(units);
    cc_platform_free(p);
}

/* --set of the commands that have a platform, one a line. */
static void platform_set(const struct input *in)
{
    static const char chip[] = "[platform]\nname = t\ncores = 4\nclock_mhz = 100\n[unit.a]\nclock_mhz = 1\n"
                               "[cache.l2]\nsize = 64k\n[link.a.b]\nlatency = 5\n[openmp]\nunit = ns\n";
    struct cc_platform *p;
    CC_CLEANUP(cc_free_ptr) char *lines = cc_strdup(in->text);
    if (cc_platform_parse("chip", chip, sizeof chip - 1, &p, NULL) < 0)
        return;
    char *rest = lines;
    for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
        cc_platform_override(p, line, NULL);
    cc_platform_free(p);
}

/* The programs of simulate and their cores: a line for each word, those of --bind behind an empty one. */
static void programs(const struct input *in)
{
    CC_CLEANUP(cc_free_ptr) char *lines = cc_strdup(in->text);
    const char *words[64];
    struct cc_strs operands = {.v = words}, bind = {0};
    struct cc_programs p = {0};
    char *rest = lines;
    size_t n = 0;
    for (const char *line = strsep(&rest, "\n"); line && n < CC_COUNT(words); line = strsep(&rest, "\n"))
        if (*line || bind.v) {
            words[n++] = line;
            *(bind.v ? &bind.n : &operands.n) += 1;
        } else
            bind.v = words + n;
    cc_programs_read(&operands, &bind, 64, &p, NULL);
    cc_programs_fini(&p);
}

static void tile_samples(const struct input *in)
{
    struct cc_tile_samples s;
    if (cc_tile_read_samples(in->path, &s, NULL) == 0)
        free(s.v);
}

static void dma_grid(const struct input *in)
{
    struct cc_dma d = {0};
    cc_dma_parse_grid("x", in->text, &d.read, NULL);
    cc_dma_fini(&d);
}

static void curve(const struct input *in)
{
    static const struct cc_curve_kind any = {"cores", "time", 0, 1e6, 0, 1e12};
    struct cc_arena a = {0};
    struct cc_curve c = {0};
    if (cc_curve_parse(&any, in->text, "x", 1, &a, &c, NULL) == 0)
        cc_curve_at(&c, 7, 1);
    cc_arena_fini(&a);
}

static void scenario(const struct input *in)
{
    struct cc_scenario *s;
    if (cc_scenario_parse("x", in->text, in->size, &s, NULL) == 0)
        cc_scenario_free(s);
}

static void graph(const struct input *in)
{
    struct cc_graph g;
    if (cc_graph_parse("x", in->text, in->size, &g, NULL) == 0)
        cc_graph_fini(&g);
}

static void tasks(const struct input *in)
{
    static const char chip[] = "[platform]\nname = t\n[unit.a]\nclock_mhz = 1\n[unit.b]\nclock_mhz = 2\n";
    struct cc_platform *p;
    struct cc_map_problem *x;
    if (cc_platform_parse("chip", chip, sizeof chip - 1, &p, NULL) < 0)
        return;
    if (cc_map_problem_parse("x", in->text, in->size, p, &x, NULL) == 0)
        cc_map_problem_free(x);
    cc_platform_free(p);
}

static void facts(const struct input *in)
{
    struct cc_facts f = {0};
    cc_facts_parse(&f, "x", in->text, NULL);
    cc_facts_fini(&f);
}

static void area_model(const struct input *in)
{
    struct cc_area_model *m;
    if (cc_area_model_parse("x", in->text, in->size, &m, NULL) == 0)
        cc_area_model_free(m);
}

static void area_kernels(const struct input *in)
{
    struct cc_strs files = {.v = (const char *[]){in->path}, .n = 1};
    struct cc_area_kernels *k;
    if (cc_area_kernels_load(&files, &(struct cc_area_kernels_options){0}, &k, NULL) == 0)
        cc_area_kernels_free(k);
}

static void area_table(const struct input *in)
{
    static const char text[] = "[model]\nname = m\nunit.lut = LUT\n[measure.lut]\nformula = 1\n";
    const struct cc_area_model none = {0};
    struct cc_area_model *model = NULL;
    struct cc_sources *s;
    int set;
    cc_area_model_parse("m", text, sizeof text - 1, &model, NULL);
    if (cc_area_table_load(in->path, model ? model : &none, &s, &set, NULL) == 0)
        cc_sources_free(s);
    if (model)
        cc_area_model_free(model);
}

static void kernels(const struct input *in)
{
    struct cc_kernels *k;
    if (cc_kernels_parse("x", in->text, in->size, &k, NULL) == 0)
        cc_kernels_free(k);
}

static void condition(const struct input *in)
{
    struct cc_condition c;
    if (cc_condition_parse(in->text, &c, NULL) == 0)
        cc_condition_fini(&c);
}

static void set(const struct input *in)
{
    struct cc_set *s;
    if (cc_set_load(in->path, &s, NULL) == 0)
        cc_set_free(s);
}

/* --controls of compare: for the frames of a recording that run.sh names. */
static void controls(const struct input *in)
{
    const char *cast = getenv("CC_FUZZ_CAST");
    struct cc_samples *s;
    if (cast && cc_samples_of_frames(cast, in->path, &s, NULL) == 0)
        cc_samples_free(s);
}

/* What a process that reads sources, which may be made to crash, sends us. */
static void patch_facts(const struct input *in)
{
    struct cc_patch_facts *f = cc_patch_facts_new();
    cc_patch_facts_add(f, in->text, in->size);
    for (size_t i = 0; i < f->v.n; i++)
        cc_patch_called_uses(f, &f->v.v[i], "global");
    cc_patch_facts_free(f);
}

/* A source that a directive is written into: the parser may have seen loops where the text has none. */
static void patch_text(const struct input *in)
{
    struct cc_arena a = {0};
    struct cc_buf diff = {0}, text = {0};
    struct cc_patch_text *t = cc_patch_text_new(in->text, in->size);
    struct cc_patch_edit edits[8];
    size_t n = 0;
    for (unsigned line = 0; line < 40; line++)
        for (unsigned nth = 0; nth < 3; nth++) {
            const struct cc_patch_loop l = {
                .file = "f.c", .function = "f", .line = line, .last_line = line + 2, .counter = "i"};
            if (cc_patch_refuses(t, &l, nth, 2, &a) || n == CC_COUNT(edits))
                continue;
            edits[n++] = (struct cc_patch_edit){line, (int)nth, "#pragma omp parallel for", "/* c */"};
        }
    cc_patch_write(t, edits, n, "f.c", &diff, &text);
    for (unsigned line = 1; line < 60; line++)
        cc_patch_original(t, edits, n, line);
    cc_buf_fini(&diff);
    cc_buf_fini(&text);
    cc_patch_text_free(t);
    cc_arena_fini(&a);
}

static void area_device(const struct input *in)
{
    struct cc_area_device *d;
    if (cc_area_device_load(in->path, &d, NULL) == 0)
        cc_area_device_free(d);
}

static void area_shares(const struct input *in)
{
    struct cc_area_shares *s;
    if (cc_area_shares_load(in->path, &s, NULL) == 0)
        cc_area_shares_free(s);
}

static void itemsets(const struct input *in)
{
    struct cc_itemsets_db *d;
    if (cc_itemsets_db_load(in->path, 1, &d, NULL) == 0)
        cc_itemsets_db_free(d);
}

static void task_csv(const struct input *in)
{
    struct cc_htg *h;
    struct cc_htg_options any = {.any_thread = true};
    if (cc_htg_load(in->path, &any, &h, NULL) == 0)
        cc_htg_free(h);
}

static void trace(const struct input *in)
{
    struct cc_trace_reader *r;
    struct cc_trace_stats s;
    if (cc_trace_open(in->path, &r, NULL) < 0)
        return;
    cc_trace_stats(r, NULL, &s);
    cc_findings_free(cc_findings_read(r, &(struct cc_findings_options){.top = 5}));
    cc_trace_close(r);
}

static void trace_csv(const struct input *in)
{
    uint64_t n;
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("%s.trace", in->path);
    cc_trace_import_csv(in->path, out, &(struct cc_trace_import){.hit_latency = 1}, &n, NULL);
    unlink(out);
}

static void profile(const struct input *in)
{
    struct cc_profile *p;
    struct cc_subjects *s;
    struct cc_store *store;
    struct cc_line_trace *t;
    if (cc_profile_load(in->path, &p, NULL) == 0)
        cc_profile_free(p);
    if (cc_subjects_load(in->path, true, &s, NULL) == 0)
        cc_subjects_free(s);
    if (cc_store_open(in->path, &store, NULL) < 0)
        return;
    for (uint32_t thread = 0; thread < 3; thread++)
        if (cc_line_trace_load(store, thread, 0, &t, NULL) == 0)
            cc_line_trace_free(t);
    cc_store_free(store);
}

static void records(const struct input *in)
{
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("%s.cast", in->path);
    const struct cc_import_run run = {.program = "/bin/true", .engine = "qemu", .skip_sync = true};
    cc_import(&in->path, 1, &run, out, NULL);
    unlink(out);
}

static void native(const struct input *in)
{
    struct cc_native_trace *t;
    if (cc_native_trace_open(in->path, &t, NULL) == 0)
        cc_native_trace_free(t);
}

static void run_file(const struct input *in)
{
    struct cc_options o;
    cc_options_read(&cc_test_host, in->path, &o);
}

static void marks(const struct input *in)
{
    struct cc_marks m;
    if (cc_marks_parse("x", in->text, in->size, &m, NULL) == 0)
        cc_marks_fini(&m);
}

static void count(const struct cc_symbol_range *r, void *n)
{
    *(size_t *)n += r->to - r->from;
}

/* ELF and DWARF, as far as the tool looks at them. */
static void program(const struct input *in)
{
    struct cc_segment *v = NULL;
    size_t n = cc_segments_read(in->path, &v), bytes = 0;
    struct cc_symbols *s = cc_symbols_new();
    struct cc_symbol_info info;
    const char *file;
    unsigned line;
    cc_symbols_each(s, in->path, count, &bytes);
    for (size_t i = 0; i < n; i++) {
        cc_symbols_find(s, in->path, v[i].address + 64, &info);
        cc_symbols_line(s, in->path, v[i].address + 64, &file, &line);
    }
    cc_symbols_free(s);
    free(v);
}

struct debug { /* of a file that is looked at all over */
    struct cc_variables *variables;
    struct cc_lines *lines;
    const char *path;
    size_t left;
};

static void look(const struct cc_symbol_range *r, void *data)
{
    struct debug *d = data;
    const struct cc_variable *frame;
    struct cc_variable v;
    if (!d->left)
        return;
    d->left--;
    cc_variables_frame(d->variables, d->path, r->from, &frame);
    cc_variables_result(d->variables, d->path, r->from);
    cc_variables_at(d->variables, d->path, r->from, &v);
    for (uint64_t at = r->from; at < r->to && at < r->from + 64; at += 4) {
        cc_lines_find(d->lines, d->path, at);
        cc_lines_inlined(d->lines, d->path, at);
    }
}

/* What record --objects and --loops ask of it. */
static void debug(const struct input *in)
{
    enum { MOST = 64 };
    struct cc_symbols *s = cc_symbols_new();
    struct debug d = {cc_variables_new(s), cc_lines_new(s), in->path, MOST};
    struct cc_loop_map m;
    cc_symbols_each(s, in->path, look, &d);
    if (cc_loop_map_init(&m, s, in->path, &(struct cc_loop_choice){0}, NULL) == 0)
        cc_loop_map_fini(&m);
    cc_lines_free(d.lines);
    cc_variables_free(d.variables);
    cc_symbols_free(s);
}

static const struct {
    const char *name;
    void (*run)(const struct input *in);
    bool file;
} targets[] = {
    {"ini", ini, false},
    {"csv", csv, false},
    {"platform", platform, false},
    {"scenario", scenario, false},
    {"graph", graph, false},
    {"tasks", tasks, false},
    {"facts", facts, false},
    {"area-model", area_model, false},
    {"marks", marks, false},
    {"dma-grid", dma_grid, false},
    {"curve", curve, false},
    {"kernels", kernels, false},
    {"condition", condition, false},
    {"patch-facts", patch_facts, false},
    {"patch-text", patch_text, false},
    {"platform-set", platform_set, false},
    {"programs", programs, false},
    {"tile-samples", tile_samples, true},
    {"area-kernels", area_kernels, true},
    {"area-table", area_table, true},
    {"set", set, true},
    {"controls", controls, true},
    {"area-device", area_device, true},
    {"area-shares", area_shares, true},
    {"itemsets", itemsets, true},
    {"task-csv", task_csv, true},
    {"trace", trace, true},
    {"trace-csv", trace_csv, true},
    {"profile", profile, true},
    {"records", records, true},
    {"native", native, true},
    {"run-file", run_file, true},
    {"program", program, true},
    {"debug", debug, true},
};

static size_t chosen;
static char path[TAP_FOLDER];

/* libdw loses what it has gathered so far where damaged scopes end its search. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:dwarf_getscopes";
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    const char *dash = strchr(basename((*argv)[0]), '-');
    while (chosen < CC_COUNT(targets) && (!dash || strcmp(targets[chosen].name, dash + 1) != 0))
        chosen++;
    if (chosen == CC_COUNT(targets)) {
        for (size_t i = 0; i < CC_COUNT(targets); i++)
            puts(targets[i].name);
        exit(0);
    }
    if (targets[chosen].file)
        tap_file(path);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = cc_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    struct input in = {text, size, path};
    FILE *f = targets[chosen].file ? fopen(path, "wb") : NULL;
    if (f) {
        fwrite(text, 1, size, f);
        fclose(f);
    }
    targets[chosen].run(&in);
    if (f)
        unlink(path);
    free(text);
    return 0;
}
