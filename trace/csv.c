#include "csv.h"
#include "../src/base/arena.h"
#include "../src/base/csv.h"
#include "../src/base/file.h"
#include "../src/base/map.h"
#include "../src/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

enum column {
    CYCLE,
    CPU,
    KIND,
    PC,
    ADDRESS,
    LATENCY,
    NODE,
    HOPS,
    SIZE,
    FLAGS,
    FUNCTION,
    FILE_NAME,
    LINE,
    OBJECT,
    COLUMNS
};
static const char *const column_names[] = {"cycle",    "cpu",  "kind", "pc",    "address",
                                           "latency",  "node", "hops", "size",  "flags",
                                           "function", "file", "line", "object"};

/* ---- import ---- */

enum { MAX_NAMED = 1 << 22 };

/* What is known of an address: function, file and line of an instruction, or the object of a datum. */
struct named {
    uint64_t addr;
    const char *name, *file;
    uint32_t line, size;
};

struct import {
    struct cc_csv_reader in;
    int place[COLUMNS]; /* field -> column */
    size_t nfields;
    bool has[COLUMNS];
    struct cc_trace_writer *w;
    const struct cc_trace_import *options;
    struct cc_map code, data; /* address -> 1 + index into named */
    struct cc_map seen;       /* addresses of instructions, if a file has their names */
    CC_VEC(struct named) named;
    struct cc_strmap strings; /* -> pointer */
    struct cc_arena arena;
    uint64_t events, max_cpu;
    bool has_cores;
    bool pages; /* addresses are numbers of 4 KiB pages */
    struct cc_err *err;
};

static int bad(struct import *im, const char *fmt, const char *what)
{
    return cc_err_at(im->err, CC_EINPUT, im->in.path, im->in.line, fmt, what);
}

/* Other names of columns, in small letters and digits only: those of Lagraa's raw traces (tables 2.1, 5.1,
 * A.1). */
static const struct {
    const char *name;
    int column;
    bool page; /* a number of 4 KiB pages */
} other_names[] = {{"cpuid", CPU, false},
                   {"cpuid1", CPU, false},
                   {"cyclenumber", CYCLE, false},
                   {"programcounter", PC, false},
                   {"instructiontype", KIND, false},
                   {"accesstype", KIND, false},
                   {"dataaddress", ADDRESS, false},
                   {"accesslatency", LATENCY, false},
                   {"functionname", FUNCTION, false},
                   {"hopcount", HOPS, false},
                   {"nodeid", NODE, false},
                   {"nodeid2", NODE, false},
                   {"pagenumber", ADDRESS, true}};

static int column_of(struct import *im, const char *name)
{
    for (int i = 0; i < COLUMNS; i++)
        if (strcasecmp(name, column_names[i]) == 0)
            return i;
    char plain[32];
    size_t n = 0;
    for (; *name && n + 1 < sizeof plain; name++)
        if (isalnum((unsigned char)*name))
            plain[n++] = (char)tolower((unsigned char)*name);
    plain[n] = 0;
    for (size_t i = 0; i < CC_COUNT(other_names); i++)
        if (strcmp(plain, other_names[i].name) == 0) {
            im->pages |= other_names[i].page;
            return other_names[i].column;
        }
    return COLUMNS;
}

static int read_header(struct import *im)
{
    char **fields = im->in.cells;
    if (im->in.n > COLUMNS) /* then one is unknown, or comes twice */
        im->in.n = COLUMNS + 1;
    for (size_t i = 0; i < im->in.n; i++) {
        int column = column_of(im, fields[i]);
        if (column == COLUMNS) {
            bad(im, "unknown column '%s'", fields[i]);
            cc_err_hint(im->err, "columns are cycle cpu kind pc address latency node hops size flags "
                                 "function file line object");
            return -CC_EINPUT;
        }
        if (im->has[column])
            return bad(im, "column '%s' comes twice", fields[i]);
        im->has[column] = true;
        im->place[i] = column;
    }
    im->nfields = im->in.n;
    if (!im->has[CYCLE] || !im->has[CPU] || !im->has[LATENCY])
        return bad(im, "the header lacks column '%s'",
                   !im->has[CYCLE] ? "cycle"
                   : !im->has[CPU] ? "cpu"
                                   : "latency");
    if (!im->has[PC] && !im->has[ADDRESS])
        return bad(im, "the header lacks column '%s'", "pc' or 'address");
    return 0;
}

static int number(struct import *im, const char *text, int column, uint64_t max, uint64_t *ret)
{
    char *end;
    errno = 0;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *ret = strtoull(text, &end, hex ? 16 : 10);
    if (text[0] < '0' || text[0] > '9' || *end)
        return cc_err_at(im->err, CC_EINPUT, im->in.path, im->in.line, "%s is no number: '%.60s'",
                         column_names[column], text);
    if (errno || *ret > max)
        return cc_err_at(im->err, CC_EINPUT, im->in.path, im->in.line,
                         "%s is larger than %" PRIu64 ": '%.60s'", column_names[column], max, text);
    return 0;
}

static int read_kind(struct import *im, const char *text, uint8_t *ret)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } more[] = {{"instruction", CC_TRACE_FETCH}, {"inst", CC_TRACE_FETCH}, {"read", CC_TRACE_LOAD},
                {"write", CC_TRACE_STORE},       {"ll", CC_TRACE_LINKED},  {"sc", CC_TRACE_ATOMIC}};
    for (uint8_t k = 0; k < CC_TRACE_KINDS; k++)
        if (strcasecmp(text, cc_trace_kind_name(k)) == 0) {
            *ret = k;
            return 0;
        }
    for (size_t i = 0; i < CC_COUNT(more); i++)
        if (strcasecmp(text, more[i].name) == 0) {
            *ret = more[i].kind;
            return 0;
        }
    return bad(im, "kind '%.60s' is none of fetch, load, store, linked, atomic, wait", text);
}

static int read_flags(struct import *im, char *text, uint8_t *ret)
{
    while (*text) {
        size_t n = strcspn(text, "+|");
        unsigned bit = 0;
        char name[64];
        for (; bit < 6; bit++)
            if (strlen(cc_trace_flags(1u << bit, name)) == n && strncasecmp(name, text, n) == 0)
                break;
        if (bit == 6)
            return bad(im, "flag '%.60s' is none of hit, shared, false, buffered, stalled, vain", text);
        *ret |= (uint8_t)(1u << bit);
        text += n + (text[n] != 0);
    }
    return 0;
}

static const char *keep(struct import *im, const char *text)
{
    bool fresh;
    uint64_t *place = cc_strmap_put(&im->strings, text, &fresh);
    if (fresh)
        *place = (uintptr_t)cc_arena_strdup(&im->arena, text);
    return (const char *)(uintptr_t)*place;
}

static int remember(struct import *im, struct cc_map *map, uint64_t addr, const char *name, const char *file,
                    uint32_t line, uint32_t size)
{
    const struct cc_trace_import *o = im->options;
    if ((!name[0] && !file[0]) || (o->names && addr >= o->from && addr < o->to))
        return 0;
    bool fresh;
    uint64_t *place = cc_map_put(map, addr, &fresh);
    if (!fresh)
        return 0;
    if (im->named.n == MAX_NAMED)
        return bad(im, "more than %s named addresses", "4194304");
    CC_VEC_PUSH(&im->named, (struct named){addr, name[0] ? keep(im, name) : NULL,
                                           file[0] ? keep(im, file) : NULL, line, size});
    *place = im->named.n;
    return 0;
}

/* The fields of a row by their columns, "" for those it does not have. */
static int take_fields(struct import *im, char *nothing, char *text[COLUMNS])
{
    if (im->in.n != im->nfields)
        return cc_err_at(im->err, CC_EINPUT, im->in.path, im->in.line, "%zu fields, the header has %zu",
                         im->in.n, im->nfields);
    for (int c = 0; c < COLUMNS; c++)
        text[c] = nothing;
    for (size_t i = 0; i < im->nfields; i++)
        text[im->place[i]] = im->in.cells[i];
    return 0;
}

static int take_numbers(struct import *im, char *const text[COLUMNS], uint64_t v[COLUMNS])
{
    static const uint64_t max[COLUMNS] = {
        [CYCLE] = UINT64_MAX,   [CPU] = CC_TRACE_MAX_CPUS - 1, [PC] = UINT64_MAX,  [ADDRESS] = UINT64_MAX,
        [LATENCY] = UINT32_MAX, [NODE] = CC_TRACE_NO_NODE - 1, [HOPS] = UINT8_MAX, [SIZE] = UINT8_MAX,
        [LINE] = UINT32_MAX};
    for (int c = 0; c < COLUMNS; c++) {
        bool needed = c == CYCLE || c == CPU || c == LATENCY;
        v[c] = c == NODE ? CC_TRACE_NO_NODE : 0;
        if (!max[c] || !(needed || *text[c]))
            continue;
        int rc = number(im, text[c], c, max[c], &v[c]);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int make_event(struct import *im, char *const text[COLUMNS], const uint64_t v[COLUMNS],
                      struct cc_trace_event *e)
{
    *e = (struct cc_trace_event){.cycle = v[CYCLE],
                                 .cpu = (uint16_t)v[CPU],
                                 .pc = v[PC],
                                 .addr = im->pages ? v[ADDRESS] << 12 : v[ADDRESS],
                                 .latency = (uint32_t)v[LATENCY],
                                 .node = (uint16_t)v[NODE],
                                 .hops = (uint8_t)v[HOPS],
                                 .size = (uint8_t)v[SIZE]};
    e->kind = *text[ADDRESS] ? CC_TRACE_LOAD : CC_TRACE_FETCH;
    int rc = *text[KIND] ? read_kind(im, text[KIND], &e->kind) : 0;
    if (rc == 0)
        rc = read_flags(im, text[FLAGS], &e->flags);
    if (!*text[ADDRESS])
        e->addr = e->kind == CC_TRACE_FETCH ? e->pc : 0;
    else if (!*text[PC] && e->kind == CC_TRACE_FETCH)
        e->pc = e->addr;
    if (im->options->hit_latency >= 0 && e->latency <= im->options->hit_latency)
        e->flags |= CC_TRACE_HIT;
    return rc;
}

static int read_row(struct import *im)
{
    char *text[COLUMNS], nothing[1] = "";
    uint64_t v[COLUMNS];
    struct cc_trace_event e;
    int rc = take_fields(im, nothing, text);
    if (rc == 0)
        rc = take_numbers(im, text, v);
    if (rc == 0)
        rc = make_event(im, text, v, &e);
    if (rc < 0)
        return rc;
    if (cc_trace_writer_add(im->w, &e) < 0) {
        bad(im, "%s", cc_trace_writer_error(im->w));
        cc_err_hint(im->err, "the rows of one CPU must be sorted by cycle");
        return -CC_EINPUT;
    }
    im->events++;
    im->max_cpu = CC_MAX(im->max_cpu, v[CPU]);
    if (im->options->names && im->seen.n < MAX_NAMED)
        cc_map_put(&im->seen, e.pc, NULL);
    rc = remember(im, &im->code, e.pc, cc_text_of_csv(text[FUNCTION]), cc_text_of_csv(text[FILE_NAME]),
                  (uint32_t)v[LINE], 1);
    if (rc == 0 && e.kind != CC_TRACE_FETCH)
        rc = remember(im, &im->data, e.addr, cc_text_of_csv(text[OBJECT]), "", 0, CC_MAX(e.size, 1u));
    return rc;
}

static int by_addr(const void *a, const void *b)
{
    uint64_t x = ((const struct named *)a)->addr, y = ((const struct named *)b)->addr;
    return (x > y) - (x < y);
}

/* Addresses of one name that follow each other become one symbol, or one object, as far as the next address
 * of another name. */
static int write_named(struct import *im, const struct cc_map *map, bool code)
{
    struct named *v = cc_alloc_array(map->n + 1, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < map->cap; i++)
        if (map->used[i] && map->values[i])
            v[n++] = im->named.v[map->values[i] - 1];
    qsort(v, n, sizeof *v, by_addr);
    int rc = 0;
    for (size_t i = 0, next; rc == 0 && i < n; i = next) {
        for (next = i + 1; next < n && v[next].name == v[i].name;)
            next++;
        uint64_t last = v[next - 1].addr, to = last + v[next - 1].size;
        to = to < last ? UINT64_MAX : to;
        if (!v[i].name || to <= v[i].addr)
            continue;
        if (code)
            rc = cc_trace_writer_symbol(
                im->w,
                &(struct cc_trace_symbol){.from = v[i].addr, .to = to, .name = v[i].name, .file = v[i].file});
        else
            rc = cc_trace_writer_object(im->w, &(struct cc_trace_object){.from = v[i].addr,
                                                                         .to = to,
                                                                         .until = UINT64_MAX,
                                                                         .name = v[i].name,
                                                                         .storage = CC_TRACE_OTHER});
    }
    for (size_t i = 0; rc == 0 && code && i < n; i++)
        if (i == 0 || v[i].file != v[i - 1].file || v[i].line != v[i - 1].line)
            rc = cc_trace_writer_line(
                im->w, &(struct cc_trace_line){.addr = v[i].addr, .file = v[i].file, .line = v[i].line});
    free(v);
    return rc;
}

/* "# name = value" */
static void read_fact(struct import *im, char *line)
{
    char *equals = strchr(line, '='), *name = line + 1;
    if (!equals)
        return;
    *equals = 0;
    name += strspn(name, " \t");
    for (char *end = equals; end > name && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = 0;
    char *value = equals + 1 + strspn(equals + 1, " \t");
    im->has_cores |= strcmp(name, "cores") == 0;
    if (*name)
        cc_trace_writer_fact(im->w, name, value);
}

static int read_all(struct import *im)
{
    int rc;
    while ((rc = cc_csv_next(&im->in, im->err)) > 0) {
        if (rc == CC_CSV_COMMENT) {
            read_fact(im, im->in.cells[0]);
            continue;
        }
        rc = im->nfields ? read_row(im) : read_header(im);
        if (rc < 0)
            break;
    }
    if (rc == 0 && !im->nfields)
        return cc_err_at(im->err, CC_EINPUT, im->in.path, 0, "no header line");
    if (rc < 0)
        return rc;
    char cores[24];
    snprintf(cores, sizeof cores, "%" PRIu64, im->max_cpu + 1);
    if (!im->has_cores && im->events)
        cc_trace_writer_fact(im->w, "cores", cores);
    if (im->options->names)
        im->options->names(im->w, &im->seen, im->options->file);
    return write_named(im, &im->code, true) < 0 || write_named(im, &im->data, false) < 0 ? -1 : 0;
}

/* The rows into a trace that takes `path`'s place when it is whole. */
static int import_into(struct import *im, const char *path, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "";
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    im->w = cc_trace_writer_into(fileno(out.f), why);
    if (im->w)
        rc = read_all(im);
    if (!im->w || cc_trace_writer_close(im->w, why) < 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", why);
    if (rc == 0)
        return cc_outfile_commit(&out, err);
    cc_outfile_abort(&out);
    return rc;
}

int cc_trace_import_csv(const char *csv, const char *trace, const struct cc_trace_import *options,
                        uint64_t *ret_events, struct cc_err *err)
{
    struct import im = {.options = options, .err = err};
    int rc = cc_csv_open(&im.in, csv, err);
    if (rc < 0)
        return rc;
    rc = import_into(&im, trace, err);
    *ret_events = im.events;
    cc_csv_close(&im.in);
    CC_VEC_FINI(&im.named);
    cc_map_fini(&im.code);
    cc_map_fini(&im.data);
    cc_map_fini(&im.seen);
    cc_strmap_fini(&im.strings);
    cc_arena_fini(&im.arena);
    return rc;
}

/* ---- export ---- */

/* Facts are lines of their own in the CSV: a line break or an equals sign in one would change its meaning. */
static void export_facts(const struct cc_trace_reader *r, FILE *out)
{
    for (size_t i = 0; i < cc_trace_facts(r); i++) {
        const char *value, *name = cc_trace_fact_at(r, i, &value);
        if (strpbrk(name, "=\r\n"))
            continue;
        fputs("# ", out);
        cc_text_print_safe(out, name);
        fputs(" = ", out);
        cc_text_print_safe(out, value);
        fputc('\n', out);
    }
}

static void csv_text(struct cc_buf *b, const char *s)
{
    cc_buf_puts(b, ",");
    if (s)
        cc_text_csv(b, s);
}

void cc_trace_export_csv(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                         FILE *out)
{
    export_facts(r, out);
    fputs("cycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n", out);
    struct cc_trace_event e;
    struct cc_buf b = {0};
    char flags[64];
    cc_trace_select(r, filter);
    for (uint64_t n = 0; (!limit || n < limit) && !ferror(out) && cc_trace_next(r, &e); n++) {
        const struct cc_trace_symbol *s = cc_trace_find_symbol(r, e.pc);
        const struct cc_trace_line *l = cc_trace_find_line(r, e.pc);
        const struct cc_trace_object *o =
            e.kind == CC_TRACE_FETCH ? NULL : cc_trace_find_object(r, e.addr, e.cycle);
        b.n = 0;
        cc_buf_printf(&b, "%" PRIu64 ",%u,%s,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",", e.cycle, e.cpu,
                      cc_trace_kind_name(e.kind), e.pc, e.addr, e.latency);
        if (e.node != CC_TRACE_NO_NODE)
            cc_buf_printf(&b, "%u,%u,", e.node, e.hops);
        else
            cc_buf_puts(&b, ",,");
        cc_buf_printf(&b, "%u,%s", e.size, cc_trace_flags(e.flags, flags));
        csv_text(&b, s ? s->name : NULL);
        csv_text(&b, l ? l->file : NULL);
        if (l)
            cc_buf_printf(&b, ",%" PRIu32, l->line);
        else
            cc_buf_puts(&b, ",");
        csv_text(&b, o ? o->name ? o->name : o->function : NULL);
        cc_buf_puts(&b, "\n");
        fwrite(b.s, 1, b.n, out);
    }
    cc_buf_fini(&b);
}
