#include "graph.h"
#include "../../base/csv.h"
#include "../../base/file.h"
#include "../../base/ini.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <ctype.h>

enum {
    MAX_FILE = 256 << 20,
    MAX_INI =
        512 << 10, /* its reader looks through all earlier keys for each new one; CSV has no such limit */
};

size_t cc_graph_add_node(struct cc_graph *g, const char *name, uint64_t weight)
{
    struct cc_graph_node node = {cc_arena_strdup(&g->arena, name), weight};
    CC_VEC_PUSH(&g->nodes, node);
    return g->nodes.n - 1;
}

void cc_graph_add_edge(struct cc_graph *g, size_t from, size_t to, uint64_t bytes)
{
    struct cc_graph_edge edge = {from, to, bytes};
    CC_VEC_PUSH(&g->edges, edge);
}

size_t cc_graph_find(const struct cc_graph *g, const char *name)
{
    for (size_t i = 0; i < g->nodes.n; i++)
        if (strcmp(g->nodes.v[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

void cc_graph_fini(struct cc_graph *g)
{
    CC_VEC_FINI(&g->nodes);
    CC_VEC_FINI(&g->edges);
    cc_arena_fini(&g->arena);
    g->arena = (struct cc_arena){0};
}

int cc_graph_check(const struct cc_graph *g, const char *path, struct cc_err *err)
{
    if (g->nodes.n == 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "the graph has no nodes");
    uint64_t work = 0, bytes = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        uint64_t w = g->nodes.v[i].weight;
        work = w > CC_GRAPH_MAX_TOTAL - work ? CC_GRAPH_MAX_TOTAL : work + w;
    }
    for (size_t i = 0; i < g->edges.n; i++) {
        uint64_t b = g->edges.v[i].bytes;
        bytes = b > CC_GRAPH_MAX_TOTAL - bytes ? CC_GRAPH_MAX_TOTAL : bytes + b;
    }
    if (work == CC_GRAPH_MAX_TOTAL || bytes == CC_GRAPH_MAX_TOTAL)
        return cc_err_at(err, CC_EINPUT, path, 0, "the %s of the graph add up to 2^53 or more",
                         work == CC_GRAPH_MAX_TOTAL ? "weights" : "bytes");
    return 0;
}

struct reader {
    const char *path;
    unsigned line;
    struct cc_graph *g;
    struct cc_strmap names;
    struct cc_err *err;
};

static int read_number(struct reader *r, const char *what, const char *text, uint64_t *ret)
{
    if (cc_parse_u64(text, ret))
        return 0;
    return cc_err_at(r->err, CC_EINPUT, r->path, r->line,
                     "%s must be a whole number that is not negative, not '%.80s'", what, text);
}

static int read_node(struct reader *r, const char *name, const char *weight)
{
    uint64_t w;
    int rc = read_number(r, "the weight of a node", weight, &w);
    if (rc < 0)
        return rc;
    if (!*name)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line, "a node without a name");
    if (r->g->nodes.n == CC_GRAPH_MAX_NODES)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line, "more than %d nodes", CC_GRAPH_MAX_NODES);
    bool fresh;
    uint64_t *at = cc_strmap_put(&r->names, name, &fresh);
    if (!fresh)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line, "node '%.80s' appears twice", name);
    *at = cc_graph_add_node(r->g, name, w);
    return 0;
}

static int read_end(struct reader *r, const char *name, size_t *ret)
{
    uint64_t *at = cc_strmap_get(&r->names, name);
    if (!at)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line, "an edge names '%.80s', which is no node",
                         name);
    *ret = (size_t)*at;
    return 0;
}

static int read_edge(struct reader *r, const char *from, const char *to, const char *bytes)
{
    uint64_t b;
    size_t a = 0, z = 0;
    int rc = read_end(r, from, &a);
    if (rc == 0)
        rc = read_end(r, to, &z);
    if (rc == 0)
        rc = read_number(r, "the bytes of an edge", bytes, &b);
    if (rc < 0)
        return rc;
    if (r->g->edges.n == CC_GRAPH_MAX_EDGES)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line, "more than %d edges", CC_GRAPH_MAX_EDGES);
    cc_graph_add_edge(r->g, a, z, b);
    return 0;
}

static char *trimmed(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]);)
        s[--n] = 0;
    return s;
}

static int read_ini_edge(struct reader *r, const struct cc_ini_key *key)
{
    CC_CLEANUP(cc_free_ptr) char *name = cc_strdup(key->name);
    char *arrow = strstr(name, "->");
    if (!arrow)
        return cc_err_at(r->err, CC_EINPUT, r->path, r->line,
                         "an edge is written 'FROM -> TO = BYTES', not '%.80s'", name);
    *arrow = 0;
    return read_edge(r, trimmed(name), trimmed(arrow + 2), key->value);
}

static int read_ini(struct reader *r, const char *text, size_t size)
{
    if (size > MAX_INI) {
        int too_long = cc_err_at(r->err, CC_EINPUT, r->path, 0,
                                 "larger than the limit of %d bytes for an INI graph", MAX_INI);
        cc_err_hint(
            r->err,
            "write it as CSV: header kind,name,to,amount, rows node,NAME,,WEIGHT and edge,FROM,TO,BYTES");
        return too_long;
    }
    struct cc_ini *ini;
    int rc = cc_ini_parse(r->path, text, size, &ini, r->err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < ini->nsections && rc == 0; i++) {
        r->line = ini->sections[i].line;
        const char *name = ini->sections[i].name;
        if (strcmp(name, "nodes") != 0 && strcmp(name, "edges") != 0)
            rc = cc_err_at(r->err, CC_EINPUT, r->path, r->line,
                           "unknown section '%.80s': a graph has [nodes] and [edges]", name);
    }
    const struct cc_ini_section *nodes = cc_ini_section(ini, "nodes"), *edges = cc_ini_section(ini, "edges");
    for (size_t i = 0; nodes && i < nodes->nkeys && rc == 0; i++) {
        r->line = nodes->keys[i].line;
        rc = read_node(r, nodes->keys[i].name, nodes->keys[i].value);
    }
    for (size_t i = 0; edges && i < edges->nkeys && rc == 0; i++) {
        r->line = edges->keys[i].line;
        rc = read_ini_edge(r, &edges->keys[i]);
    }
    cc_ini_free(ini);
    return rc;
}

static int read_csv_row(struct reader *r, const struct cc_csv_row *row)
{
    const char *kind = row->cells[0];
    if (strcmp(kind, "node") == 0 && !*row->cells[2])
        return read_node(r, row->cells[1], row->cells[3]);
    if (strcmp(kind, "edge") == 0)
        return read_edge(r, row->cells[1], row->cells[2], row->cells[3]);
    return cc_err_at(
        r->err, CC_EINPUT, r->path, r->line,
        "expected 'node,NAME,,WEIGHT' or 'edge,FROM,TO,BYTES', got a row that starts with '%.40s'", kind);
}

static int read_csv(struct reader *r, const char *text, size_t size)
{
    struct cc_csv *csv;
    int rc = cc_csv_parse(r->path, text, size, &csv, r->err);
    if (rc < 0)
        return rc;
    if (csv->ncols != 4)
        rc = cc_err_at(r->err, CC_EINPUT, r->path, csv->header.line,
                       "the header of a graph is 'kind,name,to,amount'");
    for (size_t i = 0; i < csv->nrows && rc == 0; i++) {
        r->line = csv->rows[i].line;
        rc = read_csv_row(r, &csv->rows[i]);
    }
    cc_csv_free(csv);
    return rc;
}

static bool looks_like_csv(const char *text, size_t size)
{
    for (size_t at = 0; at < size; at += strcspn(text + at, "\n") + 1) {
        const char *s = text + at + strspn(text + at, " \t\r");
        if (*s && !strchr("\n#;", *s))
            return strncmp(s, "kind,", 5) == 0;
    }
    return false;
}

int cc_graph_parse(const char *path, const char *text, size_t size, struct cc_graph *ret, struct cc_err *err)
{
    *ret = (struct cc_graph){0};
    struct reader r = {.path = path, .g = ret, .err = err};
    int rc = looks_like_csv(text, size) ? read_csv(&r, text, size) : read_ini(&r, text, size);
    cc_strmap_fini(&r.names);
    if (rc == 0)
        rc = cc_graph_check(ret, path, err);
    if (rc < 0)
        cc_graph_fini(ret);
    return rc;
}

int cc_graph_load(const char *path, struct cc_graph *ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    return rc < 0 ? rc : cc_graph_parse(path, text, size, ret, err);
}

void cc_graph_merge(const struct cc_graph *g, const size_t *group, struct cc_graph *ret, size_t *ret_of)
{
    *ret = (struct cc_graph){0};
    struct cc_map seen = {0};
    for (size_t i = 0; i < g->nodes.n; i++) {
        bool fresh;
        uint64_t *at = cc_map_put(&seen, group[i], &fresh);
        if (fresh) {
            *at = cc_graph_add_node(ret, g->nodes.v[i].name, g->nodes.v[i].weight);
        } else {
            struct cc_graph_node *node = &ret->nodes.v[*at];
            CC_CLEANUP(cc_free_ptr) char *joined = cc_asprintf("%s+%s", node->name, g->nodes.v[i].name);
            node->name = cc_arena_strdup(&ret->arena, joined);
            node->weight += g->nodes.v[i].weight;
        }
        ret_of[i] = (size_t)*at;
    }
    cc_map_fini(&seen);
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct cc_graph_edge *e = &g->edges.v[i];
        if (ret_of[e->from] != ret_of[e->to])
            cc_graph_add_edge(ret, ret_of[e->from], ret_of[e->to], e->bytes);
    }
}
