/* corecast trace info|cat|import|export|filter: access traces. */
#include "../command.h"
#include "../output.h"
#include "chrome.h"
#include "../../binary/demangle.h"
#include "../../run/trace_names.h"
#include "../../../trace/copy.h"
#include "../../../trace/csv.h"
#include "../../../trace/stats.h"

#include <inttypes.h>

enum { INFO = 1, CAT = 2, EXPORT = 4, FILTER = 8, IMPORT = 16 };

static const char *const formats[] = {"csv", "chrome", NULL};

struct options {
    struct cc_common common;
    const char *time, *cpus, *kinds, *address, *pc, *function, *program, *base;
    int64_t limit;
    int format;
    bool hits, check;
    uint64_t hit_latency;
};

static const struct cc_opt table[] = {
    {CC_OPT_HEADING, .help = "Which events"},
    {CC_OPT_STR, 0, "time", "A..B", offsetof(struct options, time),
     "issued between two cycles, both included", .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_STR, 0, "cpu", "LIST", offsetof(struct options, cpus), "of these CPUs: 0,2 or 0..3",
     .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_STR, 0, "kind", "LIST", offsetof(struct options, kinds),
     "of these kinds: fetch, load, store, linked, atomic, wait", .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_STR, 0, "address", "A..B", offsetof(struct options, address), "with a data address in this range",
     .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_STR, 0, "pc", "A..B", offsetof(struct options, pc), "issued by an instruction in this range",
     .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_STR, 0, "function", "NAME", offsetof(struct options, function), "issued by this function",
     .of = INFO | CAT | EXPORT | FILTER},
    {CC_OPT_HEADING, .help = "Reading and writing"},
    {CC_OPT_FLAG, 0, "check", NULL, offsetof(struct options, check),
     "info: read every chunk, count kinds and latencies", .of = INFO},
    {CC_OPT_INT, 0, "limit", "N", offsetof(struct options, limit), "stop after N events", 0, 1e18,
     .of = CAT | EXPORT | FILTER},
    {CC_OPT_CHOICE, 0, "to", "FORMAT", offsetof(struct options, format),
     "export: csv, or chrome (JSON for chrome://tracing and Perfetto)", 0, 0, formats, .of = EXPORT},
    {CC_OPT_FLAG, 0, "hits", NULL, offsetof(struct options, hits),
     "export --to chrome: cache hits too, which are most events", .of = EXPORT},
    {CC_OPT_SIZE, 0, "hit-latency", "CYCLES", offsetof(struct options, hit_latency),
     "import: events at most this slow are cache hits", 0, UINT32_MAX, .of = IMPORT},
    {CC_OPT_STR, 0, "program", "FILE", offsetof(struct options, program),
     "import: names of functions, lines and variables from this ELF file", .of = IMPORT},
    {CC_OPT_STR, 0, "base", "ADDRESS", offsetof(struct options, base),
     "import: where it was loaded, unless it lies where the file says", .of = IMPORT},
};

/* "A..B", or one number for both. */
static int parse_range(const char *option, const char *text, uint64_t *from, uint64_t *to, struct cc_err *err)
{
    const char *dots = strstr(text, "..");
    CC_CLEANUP(cc_free_ptr) char *first = dots ? cc_strndup(text, (size_t)(dots - text)) : cc_strdup(text);
    const char *last = dots ? dots + 2 : text;
    *from = 0;
    *to = UINT64_MAX;
    if ((*first && !cc_parse_u64(first, from)) || (*last && !cc_parse_u64(last, to)) || (!*first && !*last) ||
        *from > *to)
        return cc_err_set(err, CC_EUSAGE, "--%s wants A..B with A not above B, got '%s'", option, text);
    return 0;
}

static int parse_kinds(const char *text, uint32_t *ret, struct cc_err *err)
{
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, ",");
        unsigned k = 0;
        while (k < CC_TRACE_KINDS &&
               (strlen(cc_trace_kind_name(k)) != n || strncmp(cc_trace_kind_name(k), p, n) != 0))
            k++;
        if (k == CC_TRACE_KINDS)
            return cc_err_set(err, CC_EUSAGE,
                              "kind '%.*s' is none of fetch, load, store, linked, atomic, wait", (int)n, p);
        *ret |= 1u << k;
        p += n + (p[n] == ',');
    }
    return 0;
}

/* How many functions are meant; the last of them is chosen. */
static size_t find_function(const struct cc_trace_symbol *s, size_t n, const char *name, bool exact,
                            struct cc_trace_filter *f, const char **ret_name)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool is = exact ? strcmp(s[i].name, name) == 0 : cc_function_is(s[i].name, name);
        if (!is || (found && f->pc_from == s[i].from && f->pc_to == s[i].to - 1))
            continue; /* another name of the same function */
        found++;
        f->pc_from = s[i].from;
        f->pc_to = s[i].to - 1;
        *ret_name = s[i].name;
    }
    return found;
}

static int parse_function(const struct cc_trace_reader *r, const char *name, struct cc_trace_filter *f,
                          struct cc_err *err)
{
    const struct cc_trace_symbol *s;
    const char *last = NULL;
    CC_CLEANUP(cc_free_ptr) char *plain = cc_demangle(name); /* NULL: it is as people write it */
    size_t n = cc_trace_symbols(r, &s), found = find_function(s, n, name, true, f, &last);
    if (!found)
        found = find_function(s, n, plain ? plain : name, false, f, &last);
    if (found == 1)
        return 0;
    cc_err_set(err, CC_EINPUT,
               found ? "%zu functions are called '%s'" : "no function among %zu is called '%s'",
               found ? found : n, name);
    if (found && strcmp(last, name) != 0)
        cc_err_hint(err, "name it in full ('%s'), or choose by address: --pc A..B", last);
    else
        cc_err_hint(err, "--pc A..B chooses by address");
    return -CC_EINPUT;
}

static int make_filter(const struct options *o, const struct cc_trace_reader *r, struct cc_trace_filter *f,
                       uint8_t cpus[CC_TRACE_MAX_CPUS / 8], struct cc_err *err)
{
    *f = (struct cc_trace_filter){.to = UINT64_MAX};
    int rc = o->time ? parse_range("time", o->time, &f->from, &f->to, err) : 0;
    if (rc == 0 && o->address)
        rc = parse_range("address", o->address, &f->addr_from, &f->addr_to, err);
    if (rc == 0 && o->pc)
        rc = parse_range("pc", o->pc, &f->pc_from, &f->pc_to, err);
    if (rc == 0 && o->kinds)
        rc = parse_kinds(o->kinds, &f->kinds, err);
    if (rc == 0 && o->function)
        rc = parse_function(r, o->function, f, err);
    if (rc == 0 && o->cpus) {
        enum { MANY = 4096 };
        struct cc_int_list list = {cc_alloc_array(MANY, sizeof *list.v), MANY, 0};
        rc = cc_opt_int_list("cpu", o->cpus, 0, CC_TRACE_MAX_CPUS - 1, &list, err);
        for (size_t i = 0; i < list.n; i++)
            cpus[list.v[i] / 8] |= (uint8_t)(1 << list.v[i] % 8);
        f->cpus = cpus;
        free(list.v);
    }
    return rc;
}

static void note_partial(const struct options *o, const char *path, const struct cc_trace_reader *r)
{
    CC_CLEANUP(cc_free_ptr) char *partial = cc_trace_partial(r);
    if (partial)
        cc_note(&o->common, "%s: %s", path, partial);
}

static void add_held(struct cc_result *out, struct cc_trace_reader *r, const struct cc_trace_summary *s)
{
    const struct cc_trace_symbol *symbols;
    const struct cc_trace_object *objects;
    size_t functions = cc_trace_symbols(r, &symbols), data = cc_trace_objects(r, &objects);
    char human[24];
    cc_result_u64(out, "events", s->events);
    cc_result_u64(out, "bytes", s->bytes);
    cc_result_u64(out, "chunks", s->chunks);
    cc_result_u64(out, "damaged", s->damaged);
    cc_result_u64(out, "cpus", s->cpus);
    cc_result_u64_if(out, "first_cycle", s->events, s->first);
    cc_result_u64_if(out, "last_cycle", s->events, s->last);
    cc_result_u64(out, "functions", functions);
    cc_result_u64(out, "objects", data);
    cc_result_fact(out, "events", "%" PRIu64 " in %" PRIu32 " chunks", s->events, s->chunks);
    cc_result_fact(out, "size", "%s, %.2f bytes an event", cc_human_bytes((double)s->bytes, human),
                   s->events ? (double)s->bytes / (double)s->events : 0.0);
    if (s->events)
        cc_result_fact(out, "cycles", "%" PRIu64 " to %" PRIu64, s->first, s->last);
    cc_result_fact(out, "symbols", "%zu functions, %zu data objects", functions, data);
}

/* What the simulator or the CSV file told: program, platform, clock. */
static void add_origin(struct cc_result *out, const struct cc_trace_reader *r)
{
    for (size_t i = 0; i < cc_trace_facts(r); i++) {
        const char *value, *name = cc_trace_fact_at(r, i, &value);
        if (strcmp(name, "context_cycles") != 0) /* a long list, for machines */
            cc_result_fact(out, name, "%s", value);
    }
    cc_result_obj(out, "facts");
    for (size_t i = 0; i < cc_trace_facts(r); i++) {
        const char *value, *name = cc_trace_fact_at(r, i, &value);
        cc_result_str(out, name, value);
    }
    cc_result_end(out);
}

static void add_cpus(struct cc_result *out, const struct cc_trace_reader *r, unsigned cpus)
{
    enum { SHOWN = 64 };
    char name[32];
    cc_result_arr(out, "cpu_events");
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        cc_result_u64(out, NULL, cc_trace_cpu_events(r, cpu));
    cc_result_end(out);
    for (unsigned cpu = 0; cpu < CC_MIN(cpus, (unsigned)SHOWN); cpu++) {
        snprintf(name, sizeof name, "CPU %u", cpu);
        cc_result_fact(out, name, "%" PRIu64 " events", cc_trace_cpu_events(r, cpu));
    }
}

static void add_stats(struct cc_result *out, const struct cc_trace_stats *stats)
{
    cc_result_obj(out, "kinds");
    for (unsigned k = 0; k < CC_TRACE_KINDS; k++)
        cc_result_u64(out, cc_trace_kind_name(k), stats->by_kind[k]);
    cc_result_end(out);
    cc_result_u64(out, "hits", stats->hits);
    cc_result_obj(out, "memory_latency");
    cc_result_u64(out, "events", stats->misses);
    cc_result_num(out, "mean", stats->mean);
    cc_result_u64(out, "q1", stats->q1);
    cc_result_u64(out, "median", stats->median);
    cc_result_u64(out, "q3", stats->q3);
    cc_result_u64(out, "max", stats->max);
    cc_result_end(out);
    for (unsigned k = 0; k < CC_TRACE_KINDS; k++)
        if (stats->by_kind[k])
            cc_result_fact(out, cc_trace_kind_name(k), "%" PRIu64 " events, %.1f %%", stats->by_kind[k],
                           100.0 * (double)stats->by_kind[k] / (double)stats->events);
    if (stats->events)
        cc_result_fact(out, "cache hits", "%.1f %%", 100.0 * (double)stats->hits / (double)stats->events);
    if (stats->misses)
        cc_result_fact(out, "memory latency",
                       "mean %.2f, quartiles %" PRIu32 " %" PRIu32 " %" PRIu32 ", largest %" PRIu32 " cycles",
                       stats->mean, stats->q1, stats->median, stats->q3, stats->max);
}

static struct cc_result *build(struct cc_trace_reader *r, const struct cc_trace_stats *stats)
{
    struct cc_result *out = cc_result_new("corecast.trace", 1);
    struct cc_trace_summary s;
    CC_CLEANUP(cc_free_ptr) char *partial = cc_trace_partial(r);
    cc_trace_summary(r, &s);
    add_origin(out, r);
    add_held(out, r, &s);
    add_cpus(out, r, s.cpus);
    if (stats)
        add_stats(out, stats);
    cc_result_bool(out, "complete", !partial);
    cc_result_str(out, "state", partial);
    cc_result_fact(out, "state", "%s", partial ? partial : "complete");
    return out;
}

static int show_info(const struct options *o, struct cc_trace_reader *r, const struct cc_trace_filter *f,
                     struct cc_err *err)
{
    struct cc_trace_stats stats;
    if (o->check)
        cc_trace_stats(r, f, &stats);
    struct cc_result *result = build(r, o->check ? &stats : NULL);
    int rc = cc_output_result(&o->common, result, err);
    cc_result_free(result);
    return rc;
}

static void cat_event(struct cc_trace_reader *r, const struct cc_trace_event *e, FILE *out)
{
    const struct cc_trace_symbol *s = cc_trace_find_symbol(r, e->pc);
    const struct cc_trace_line *l = cc_trace_find_line(r, e->pc);
    const struct cc_trace_object *ob =
        e->kind == CC_TRACE_FETCH ? NULL : cc_trace_find_object(r, e->addr, e->cycle);
    char flags[64], node[16] = "";
    if (e->node != CC_TRACE_NO_NODE)
        snprintf(node, sizeof node, "%u", e->node);
    fprintf(out, "%12" PRIu64 "  %4u  %-6s  %7" PRIu32 "  0x%-12" PRIx64 "  0x%-12" PRIx64 "  %4s  %-8s",
            e->cycle, e->cpu, cc_trace_kind_name(e->kind), e->latency, e->pc, e->addr, node,
            cc_trace_flags(e->flags, flags));
    if (s) {
        fputs("  ", out);
        cc_text_print_safe(out, s->name);
    }
    if (l) {
        fputs("  ", out);
        cc_text_print_safe(out, l->file);
        fprintf(out, ":%" PRIu32, l->line);
    }
    if (ob && (ob->name || ob->function)) {
        fputs("  ", out);
        cc_text_print_safe(out, ob->name ? ob->name : ob->function);
    }
    fputc('\n', out);
}

/* Verbs that write events, not a result. */
static int check_format(const struct options *o, bool csv, const char *verb, struct cc_err *err)
{
    if (o->common.json)
        return cc_err_set(err, CC_EUSAGE, "'trace %s' writes no JSON", verb);
    if (o->common.csv && !csv)
        return cc_err_set(err, CC_EUSAGE, "option '--csv': 'trace %s' writes no table", verb);
    return 0;
}

/* There may be more events than fit in memory: each is written as it is read. */
static int show_events(const struct options *o, struct cc_trace_reader *r, const struct cc_trace_filter *f,
                       struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = check_format(o, true, "cat", err);
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->common.csv) {
        cc_trace_export_csv(r, f, (uint64_t)o->limit, out.f);
        return cc_outfile_commit(&out, err);
    }
    bool colored = cc_output_colored(&o->common, out.f);
    fprintf(out.f, "%s%12s  %4s  %-6s  %7s  %-14s  %-14s  %4s  %-8s  %s%s\n", colored ? "\033[1m" : "",
            "cycle", "cpu", "kind", "latency", "pc", "address", "node", "flags", "function, line, object",
            colored ? "\033[0m" : "");
    struct cc_trace_event e;
    cc_trace_select(r, f);
    for (int64_t n = 0; (!o->limit || n < o->limit) && !ferror(out.f) && cc_trace_next(r, &e); n++)
        cat_event(r, &e, out.f);
    return cc_outfile_commit(&out, err);
}

static int export_events(const struct options *o, struct cc_trace_reader *r, const struct cc_trace_filter *f,
                         struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = check_format(o, false, "export", err);
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->format == 0)
        cc_trace_export_csv(r, f, (uint64_t)o->limit, out.f);
    else
        cc_trace_export_chrome(r, f, o->hits, (uint64_t)o->limit, out.f);
    return cc_outfile_commit(&out, err);
}

static int copy_events(const struct options *o, struct cc_trace_reader *r, const struct cc_trace_filter *f,
                       struct cc_err *err)
{
    uint64_t n;
    int rc = check_format(o, false, "filter", err);
    if (rc < 0)
        return rc;
    if (!o->common.output || strcmp(o->common.output, "-") == 0)
        return cc_err_set(err, CC_EUSAGE, "filter wants the new trace's name: -o FILE");
    rc = cc_trace_copy(r, f, (uint64_t)o->limit, o->common.output, &n, err);
    if (rc == 0)
        cc_note(&o->common, "wrote %" PRIu64 " events to '%s'", n, o->common.output);
    return rc;
}

static int open_program(const struct options *o, struct cc_trace_file *f, struct cc_err *err)
{
    uint64_t base;
    if (o->base && !o->program)
        return cc_err_set(err, CC_EUSAGE, "--base says where a --program was loaded");
    if (o->base && !cc_parse_u64(o->base, &base))
        return cc_err_set(err, CC_EUSAGE, "--base wants an address, got '%s'", o->base);
    return o->program ? cc_trace_file_open(o->program, o->base ? &base : NULL, f, err) : 0;
}

static int import(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = options;
    struct cc_trace_import how = {.hit_latency = CC_GIVEN(o, hit_latency) ? (int64_t)o->hit_latency : -1};
    uint64_t n;
    int rc = check_format(o, false, "import", err);
    if (rc < 0)
        return rc;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one CSV file");
    if (!o->common.output || strcmp(o->common.output, "-") == 0)
        return cc_err_set(err, CC_EUSAGE, "import wants the trace's name: -o FILE");
    struct cc_trace_file file = {0};
    rc = open_program(o, &file, err);
    if (rc < 0)
        return rc;
    if (o->program) {
        how.names = cc_trace_file_names;
        how.file = &file;
        how.from = file.from;
        how.to = file.to;
    }
    rc = cc_trace_import_csv(operands->v[0], o->common.output, &how, &n, err);
    if (rc == 0)
        cc_note(&o->common, "imported %" PRIu64 " events into '%s'", n, o->common.output);
    return rc;
}

typedef int use_trace(const struct options *o, struct cc_trace_reader *r, const struct cc_trace_filter *f,
                      struct cc_err *err);

/* Opens the one operand and hands it over with the filter that the options make. */
static int with_trace(const struct options *o, const struct cc_strs *operands, use_trace *use,
                      struct cc_err *err)
{
    struct cc_trace_reader *r;
    struct cc_trace_filter f;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one trace");
    int rc = cc_trace_open(operands->v[0], &r, err);
    if (rc < 0)
        return rc;
    uint8_t *cpus = cc_alloc(CC_TRACE_MAX_CPUS / 8);
    rc = make_filter(o, r, &f, cpus, err);
    if (rc == 0)
        rc = use(o, r, &f, err);
    if (rc == 0 && use != show_info)
        note_partial(o, operands->v[0], r);
    cc_trace_close(r);
    free(cpus);
    return rc;
}

static int info(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return with_trace(options, operands, show_info, err);
}

static int cat(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return with_trace(options, operands, show_events, err);
}

static int export(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return with_trace(options, operands, export_events, err);
}

static int filter(void *options, const struct cc_strs *operands, struct cc_err *err)
{
    return with_trace(options, operands, copy_events, err);
}

/* In the order of the bits above. */
static const struct cc_verb verbs[] = {
    {"info", "what a trace holds", "[OPTIONS] TRACE", info},
    {"cat", "show events", "[OPTIONS] TRACE", cat},
    {"export", "write events for other tools", "[OPTIONS] TRACE", export},
    {"filter", "copy some events into a new trace", "[OPTIONS] -o NEW TRACE", filter},
    {"import", "make a trace of a CSV file", "[OPTIONS] -o TRACE FILE.csv", import},
};

const struct cc_command cc_cmd_trace = {
    .name = "trace",
    .summary = "look at, cut, import and export access traces",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
};
