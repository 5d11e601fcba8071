#include "topology.h"
#include "../../base/text.h"

#include <ctype.h>

enum { NO_NODE = 0xffff };

struct cc_topology {
    enum cc_topology_kind kind;
    size_t width, height, nodes;
    struct cc_topology_link *links;
    size_t nlinks;
    /* mesh, torus, ring only: */
    uint16_t *next;      /* [at * nodes + to]: the neighbour towards `to` */
    uint16_t *hops;      /* [from * nodes + to] */
    uint32_t *link_of;   /* [at * 4 + direction] */
    uint16_t *neighbour; /* [at * 4 + direction], NO_NODE if none; directions +x -x +y -y */
};

static const char *const kind_names[] = {"mesh", "torus", "ring", "star", "crossbar", "bus"};

static bool is_grid(const struct cc_topology *t)
{
    return t->kind <= CC_TOPOLOGY_RING;
}

static bool wraps(const struct cc_topology *t)
{
    return t->kind == CC_TOPOLOGY_TORUS || t->kind == CC_TOPOLOGY_RING;
}

/* One step along one dimension of `size` places; NO_NODE off the edge. With two places the wrapping wire
 * would double the direct one, so there is none. */
static size_t step(const struct cc_topology *t, size_t at, size_t size, bool forward)
{
    bool edge = forward ? at + 1 == size : at == 0;
    if (!edge)
        return forward ? at + 1 : at - 1;
    if (!wraps(t) || size <= 2)
        return NO_NODE;
    return forward ? 0 : size - 1;
}

static size_t grid_neighbour(const struct cc_topology *t, size_t node, unsigned direction)
{
    size_t x = node % t->width, y = node / t->width;
    if (direction < 2)
        x = step(t, x, t->width, direction == 0);
    else
        y = step(t, y, t->height, direction == 2);
    return x == NO_NODE || y == NO_NODE ? (size_t)NO_NODE : y * t->width + x;
}

/* +1 or -1: the shorter way from a to b along a dimension; the positive one when both are equal. */
static bool goes_forward(const struct cc_topology *t, size_t a, size_t b, size_t size)
{
    if (!wraps(t) || size <= 2)
        return b > a;
    size_t forward = (b + size - a) % size;
    return forward <= size - forward;
}

static void fill_xy(struct cc_topology *t)
{
    for (size_t a = 0; a < t->nodes; a++) {
        for (size_t b = 0; b < t->nodes; b++) {
            size_t ax = a % t->width, ay = a / t->width, bx = b % t->width, by = b / t->width;
            unsigned direction = ax != bx ? (goes_forward(t, ax, bx, t->width) ? 0 : 1)
                                          : (goes_forward(t, ay, by, t->height) ? 2 : 3);
            t->next[a * t->nodes + b] = a == b ? (uint16_t)a : t->neighbour[a * 4 + direction];
        }
    }
}

/* Shortest ways towards every node, the lowest direction first among equals. */
static void fill_shortest(struct cc_topology *t)
{
    uint16_t *queue = cc_alloc_array(t->nodes, sizeof *queue);
    for (size_t to = 0; to < t->nodes; to++) {
        for (size_t a = 0; a < t->nodes; a++)
            t->next[a * t->nodes + to] = NO_NODE;
        size_t head = 0, tail = 0;
        queue[tail++] = (uint16_t)to;
        t->next[to * t->nodes + to] = (uint16_t)to;
        while (head < tail) {
            size_t at = queue[head++];
            for (unsigned d = 0; d < 4; d++) {
                size_t from = t->neighbour[at * 4 + d];
                if (from == NO_NODE || t->next[from * t->nodes + to] != NO_NODE)
                    continue;
                t->next[from * t->nodes + to] = (uint16_t)at;
                queue[tail++] = (uint16_t)from;
            }
        }
    }
    free(queue);
}

static void fill_hops(struct cc_topology *t)
{
    for (size_t a = 0; a < t->nodes; a++)
        for (size_t b = 0; b < t->nodes; b++)
            for (size_t at = a; at != b; at = t->next[at * t->nodes + b])
                t->hops[a * t->nodes + b]++;
}

static int cut_wires(struct cc_topology *t, const size_t *missing, size_t n, struct cc_err *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t a = missing[2 * i], b = missing[2 * i + 1];
        bool found = false;
        for (unsigned d = 0; d < 4 && a < t->nodes && b < t->nodes; d++) {
            if (t->neighbour[a * 4 + d] == b) {
                t->neighbour[a * 4 + d] = NO_NODE;
                found = true;
            }
            if (t->neighbour[b * 4 + d] == a)
                t->neighbour[b * 4 + d] = NO_NODE;
        }
        if (!found)
            return cc_err_set(err, CC_EINPUT,
                              "the topology has no link between nodes %zu and %zu that could be missing", a,
                              b);
    }
    return 0;
}

static int build_grid(struct cc_topology *t, const size_t *missing, size_t nmissing, struct cc_err *err)
{
    size_t n = t->nodes;
    t->neighbour = cc_alloc_array(n * 4, sizeof *t->neighbour);
    t->link_of = cc_alloc_array(n * 4, sizeof *t->link_of);
    t->next = cc_alloc_array(n * n, sizeof *t->next);
    t->hops = cc_alloc_array(n * n, sizeof *t->hops);
    for (size_t a = 0; a < n; a++)
        for (unsigned d = 0; d < 4; d++)
            t->neighbour[a * 4 + d] = (uint16_t)grid_neighbour(t, a, d);
    int rc = cut_wires(t, missing, nmissing, err);
    if (rc < 0)
        return rc;
    t->links = cc_alloc_array(n * 4, sizeof *t->links);
    for (size_t a = 0; a < n; a++) {
        for (unsigned d = 0; d < 4; d++) {
            if (t->neighbour[a * 4 + d] == NO_NODE)
                continue;
            t->link_of[a * 4 + d] = (uint32_t)t->nlinks;
            t->links[t->nlinks++] = (struct cc_topology_link){a, t->neighbour[a * 4 + d]};
        }
    }
    if (nmissing)
        fill_shortest(t);
    else
        fill_xy(t);
    for (size_t a = 0; a < n; a++)
        if (t->next[a] == NO_NODE)
            return cc_err_set(err, CC_EINPUT, "the topology is disconnected: node %zu cannot reach node 0",
                              a);
    fill_hops(t);
    return 0;
}

static void build_hub(struct cc_topology *t)
{
    size_t n = t->nodes;
    t->links = cc_alloc_array(2 * n, sizeof *t->links);
    if (t->kind == CC_TOPOLOGY_BUS) {
        t->links[t->nlinks++] = (struct cc_topology_link){n, n};
        return;
    }
    for (size_t a = 0; a < n; a++) /* into node a: the output port of the switch */
        t->links[t->nlinks++] = (struct cc_topology_link){n, a};
    for (size_t a = 0; a < n && t->kind == CC_TOPOLOGY_STAR; a++)
        t->links[t->nlinks++] = (struct cc_topology_link){a, n};
}

int cc_topology_new(enum cc_topology_kind kind, size_t width, size_t height, const size_t *missing,
                    size_t nmissing, struct cc_topology **ret, struct cc_err *err)
{
    if (width == 0 || height == 0 || width > CC_TOPOLOGY_MAX_NODES || height > CC_TOPOLOGY_MAX_NODES ||
        width * height > CC_TOPOLOGY_MAX_NODES)
        return cc_err_set(err, CC_EINPUT, "a topology has 1 to %d nodes, not %zux%zu", CC_TOPOLOGY_MAX_NODES,
                          width, height);
    if (nmissing && kind > CC_TOPOLOGY_RING)
        return cc_err_set(err, CC_EINPUT, "only a mesh, torus or ring can have missing links, not a %s",
                          kind_names[kind]);
    struct cc_topology *t = cc_alloc(sizeof *t);
    t->kind = kind;
    t->width = width;
    t->height = height;
    t->nodes = width * height;
    int rc = 0;
    if (is_grid(t))
        rc = build_grid(t, missing, nmissing, err);
    else
        build_hub(t);
    if (rc < 0) {
        cc_topology_free(t);
        return rc;
    }
    *ret = t;
    return 0;
}

/* "4x4" or "8" */
static bool parse_size(const char *text, size_t *width, size_t *height)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *x = strpbrk(copy, "xX");
    uint64_t w, h = 1;
    if (x)
        *x = 0;
    if (!cc_parse_u64(copy, &w) || (x && !cc_parse_u64(x + 1, &h)) || w > CC_TOPOLOGY_MAX_NODES ||
        h > CC_TOPOLOGY_MAX_NODES)
        return false;
    *width = (size_t)w;
    *height = (size_t)h;
    return true;
}

struct pairs {
    size_t *v;
    size_t n, cap;
};

/* "0-1, 5-6" */
static bool parse_pairs(const char *text, struct pairs *out)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    for (char *word = strtok_r(copy, ", \t", &save); word; word = strtok_r(NULL, ", \t", &save)) {
        char *dash = strchr(word, '-');
        uint64_t a, b;
        if (!dash)
            return false;
        *dash = 0;
        if (!cc_parse_u64(word, &a) || !cc_parse_u64(dash + 1, &b) || a > SIZE_MAX / 2 || b > SIZE_MAX / 2)
            return false;
        CC_VEC_PUSH(out, (size_t)a);
        CC_VEC_PUSH(out, (size_t)b);
    }
    return true;
}

int cc_topology_from_platform(const struct cc_platform *p, struct cc_topology **ret, struct cc_err *err)
{
    const char *path = cc_platform_path(p);
    if (!cc_platform_has(p, "topology"))
        return cc_err_at(err, CC_EINPUT, path, 0, "the platform has no [topology] section");
    const char *name = cc_platform_str_or(p, NULL, CC_STR_TOPOLOGY_KIND, "mesh");
    size_t kind = 0;
    while (kind < CC_COUNT(kind_names) && strcmp(kind_names[kind], name) != 0)
        kind++;
    if (kind == CC_COUNT(kind_names)) /* the schema allows only known ones */
        return cc_err_set(err, CC_EBUG, "unknown topology '%s'", name);
    const char *size = cc_platform_str_or(p, NULL, CC_STR_TOPOLOGY_SIZE, "");
    size_t width, height;
    if (!parse_size(size, &width, &height))
        return cc_err_at(err, CC_EINPUT, path, cc_platform_line(p, NULL, CC_STR_TOPOLOGY_SIZE),
                         "'size' of [topology] must be '4x4' or '8' and give at most %d nodes, not '%.40s'",
                         CC_TOPOLOGY_MAX_NODES, size);
    struct pairs missing = {0};
    const char *pairs = cc_platform_str_or(p, NULL, CC_STR_TOPOLOGY_MISSING, "");
    unsigned line = cc_platform_line(p, NULL, *pairs ? CC_STR_TOPOLOGY_MISSING : CC_STR_TOPOLOGY_SIZE);
    int rc = 0;
    if (!parse_pairs(pairs, &missing))
        rc = cc_err_at(err, CC_EINPUT, path, line,
                       "'missing' of [topology] is a list like '0-1, 5-6', not '%.80s'", pairs);
    struct cc_err inner = {0};
    if (rc == 0 && cc_topology_new((enum cc_topology_kind)kind, width, height, missing.v, missing.n / 2, ret,
                                   &inner) < 0)
        rc = cc_err_at(err, inner.code, path, line, "%s", inner.msg);
    CC_VEC_FINI(&missing);
    return rc;
}

void cc_topology_free(struct cc_topology *t)
{
    if (!t)
        return;
    free(t->links);
    free(t->next);
    free(t->hops);
    free(t->link_of);
    free(t->neighbour);
    free(t);
}

enum cc_topology_kind cc_topology_kind(const struct cc_topology *t)
{
    return t->kind;
}

const char *cc_topology_kind_name(enum cc_topology_kind kind)
{
    return kind_names[kind];
}

size_t cc_topology_nodes(const struct cc_topology *t)
{
    return t->nodes;
}

size_t cc_topology_width(const struct cc_topology *t)
{
    return t->width;
}

size_t cc_topology_links(const struct cc_topology *t)
{
    return t->nlinks;
}

struct cc_topology_link cc_topology_link(const struct cc_topology *t, size_t link)
{
    return t->links[link];
}

unsigned cc_topology_hops(const struct cc_topology *t, size_t from, size_t to)
{
    if (from == to)
        return 0;
    if (is_grid(t))
        return t->hops[from * t->nodes + to];
    return t->kind == CC_TOPOLOGY_STAR ? 2 : 1;
}

char *cc_topology_node_name(const struct cc_topology *t, size_t node, char out[static 48])
{
    if (node >= t->nodes)
        snprintf(out, 48, "%s",
                 t->kind == CC_TOPOLOGY_BUS    ? "bus"
                 : t->kind == CC_TOPOLOGY_STAR ? "hub"
                                               : "switch");
    else if (t->height > 1)
        snprintf(out, 48, "(%zu,%zu)", node % t->width, node / t->width);
    else
        snprintf(out, 48, "%zu", node);
    return out;
}

bool cc_topology_uniform(const struct cc_topology *t)
{
    return !is_grid(t);
}

static void load_link(struct cc_traffic_result *r, size_t link, uint64_t bytes)
{
    r->link_bytes[link] += bytes;
    if (r->max_link_id == SIZE_MAX || r->link_bytes[link] > r->max_link) {
        r->max_link = r->link_bytes[link];
        r->max_link_id = link;
    }
}

static void route_one(const struct cc_topology *t, size_t a, size_t b, uint64_t bytes,
                      struct cc_traffic_result *r)
{
    r->hop_bytes += bytes * cc_topology_hops(t, a, b);
    if (t->kind == CC_TOPOLOGY_BUS) {
        load_link(r, 0, bytes);
        return;
    }
    if (!is_grid(t)) {
        load_link(r, b, bytes);
        if (t->kind == CC_TOPOLOGY_STAR)
            load_link(r, t->nodes + a, bytes);
        return;
    }
    while (a != b) {
        size_t next = t->next[a * t->nodes + b];
        unsigned d = 0;
        while (t->neighbour[a * 4 + d] != next)
            d++;
        load_link(r, t->link_of[a * 4 + d], bytes);
        a = next;
    }
}

void cc_topology_route_all(const struct cc_topology *t, const struct cc_traffic *traffic, size_t n,
                           const size_t *place, bool keep_links, struct cc_traffic_result *ret)
{
    *ret = (struct cc_traffic_result){.max_link_id = SIZE_MAX,
                                      .link_bytes = cc_alloc_array(t->nlinks, sizeof *ret->link_bytes)};
    for (size_t i = 0; i < n; i++) {
        size_t a = place ? place[traffic[i].from] : traffic[i].from;
        size_t b = place ? place[traffic[i].to] : traffic[i].to;
        if (a != b && traffic[i].bytes)
            route_one(t, a, b, traffic[i].bytes, ret);
    }
    if (!keep_links) {
        free(ret->link_bytes);
        ret->link_bytes = NULL;
    }
}
