/* corecast map GRAPH --parts N: the load-only partition and the communication-aware one side by side. */
#include "links.h"
#include "map.h"
#include "../../analysis/partition/partition.h"
#include "../../analysis/topology/place.h"

#include <inttypes.h>
#include <math.h>

struct parts {
    const struct cc_map_options *o;
    const char *name;
    struct cc_graph graph; /* merged */
    struct cc_graph worst; /* the same at the envelopes of a set; empty: not known */
    uint64_t work;         /* of all nodes */
    size_t *pin;
    struct cc_partition balance, cut;
    const struct cc_platform *platform; /* may be NULL, as */
    struct cc_topology *topology;
    struct cc_placement place_balance, place_cut;
    uint64_t worst_link; /* bytes over the fullest link at the envelopes */
    double hop_joules;   /* of a byte over one link; NAN: not known */
    double bandwidth;    /* bytes a second over a link; NAN: not known */
};

int cc_map_assignment(const char *option, const char *text, char **ret_name, char **ret_value,
                      struct cc_err *err)
{
    const char *eq = strrchr(text, '=');
    if (!eq || eq == text || !eq[1])
        return cc_err_set(err, CC_EUSAGE, "option '--%s': '%s' is not NAME=VALUE", option, text);
    *ret_name = cc_strndup(text, (size_t)(eq - text));
    *ret_value = cc_strdup(eq + 1);
    return 0;
}

static int find_node(const struct cc_graph *g, const char *option, const char *name, size_t *ret,
                     struct cc_err *err)
{
    *ret = cc_graph_find(g, name);
    if (*ret != SIZE_MAX)
        return 0;
    const char **names = cc_alloc_array(g->nodes.n, sizeof *names);
    for (size_t i = 0; i < g->nodes.n; i++)
        names[i] = g->nodes.v[i].name;
    int rc = cc_err_set(err, CC_EUSAGE, "option '--%s': the graph has no node '%s'", option, name);
    const char *near = cc_nearest(name, names, g->nodes.n);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    free(names);
    return rc;
}

/* --merge A,B,C folds them; lists that share a name become one group. A name with a comma inside cannot be
 * given. */
static int merge_list(const struct cc_graph *g, const char *text, size_t *group, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    size_t first = SIZE_MAX;
    for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        size_t node;
        int rc = find_node(g, "merge", name, &node, err);
        if (rc < 0)
            return rc;
        if (first == SIZE_MAX)
            first = node;
        size_t from = group[node], to = group[first];
        for (size_t i = 0; i < g->nodes.n; i++)
            if (group[i] == from)
                group[i] = to;
    }
    if (first == SIZE_MAX)
        return cc_err_set(err, CC_EUSAGE, "option '--merge': the list is empty");
    return 0;
}

static int pin_list(struct parts *m, const struct cc_graph *g, const size_t *of, struct cc_err *err)
{
    for (size_t i = 0; i < m->graph.nodes.n; i++)
        m->pin[i] = CC_PARTITION_FREE;
    for (size_t i = 0; i < m->o->pin.n; i++) {
        CC_CLEANUP(cc_free_ptr) char *name = NULL;
        CC_CLEANUP(cc_free_ptr) char *value = NULL;
        size_t node = 0;
        uint64_t part = 0;
        int rc = cc_map_assignment("pin", m->o->pin.v[i], &name, &value, err);
        if (rc == 0)
            rc = find_node(g, "pin", name, &node, err);
        if (rc < 0)
            return rc;
        if (!cc_parse_u64(value, &part) || part >= (uint64_t)m->o->parts)
            return cc_err_set(err, CC_EUSAGE, "option '--pin': '%s' is no part; parts are 0 to %" PRId64,
                              value, m->o->parts - 1);
        size_t at = of[node];
        if (m->pin[at] != CC_PARTITION_FREE && m->pin[at] != part)
            return cc_err_set(err, CC_EUSAGE,
                              "option '--pin': '%s' is pinned to part %zu and to part %" PRIu64,
                              m->graph.nodes.v[at].name, m->pin[at], part);
        m->pin[at] = (size_t)part;
    }
    return 0;
}

static int prepare(struct parts *m, const struct cc_graph *g, const struct cc_graph *worst,
                   struct cc_err *err)
{
    size_t n = g->nodes.n;
    size_t *group = cc_alloc_array(n, sizeof *group), *of = cc_alloc_array(n, sizeof *of);
    for (size_t i = 0; i < n; i++)
        group[i] = i;
    int rc = 0;
    for (size_t i = 0; i < m->o->merge.n && rc == 0; i++)
        rc = merge_list(g, m->o->merge.v[i], group, err);
    if (rc == 0) {
        cc_graph_merge(g, group, &m->graph, of);
        if (worst && worst->nodes.n == n)
            cc_graph_merge(worst, group, &m->worst, of);
        for (size_t i = 0; i < m->graph.nodes.n; i++)
            m->work += m->graph.nodes.v[i].weight;
        m->pin = cc_alloc_array(m->graph.nodes.n, sizeof *m->pin);
        rc = pin_list(m, g, of, err);
    }
    free(group);
    free(of);
    return rc;
}

static int place(struct parts *m, struct cc_err *err)
{
    bool *fixed = cc_alloc_array(m->cut.parts, sizeof *fixed);
    for (size_t i = 0; i < m->graph.nodes.n; i++)
        if (m->pin[i] != CC_PARTITION_FREE)
            fixed[m->pin[i]] = true;
    const struct cc_partition *from[] = {&m->balance, &m->cut};
    struct cc_placement *to[] = {&m->place_balance, &m->place_cut};
    int rc = 0;
    for (size_t k = 0; k < 2 && rc == 0; k++) {
        uint64_t *bytes = cc_partition_traffic(&m->graph, from[k]);
        rc = cc_topology_place(m->topology, bytes, from[k]->parts, fixed, to[k], err);
        free(bytes);
    }
    free(fixed);
    return rc;
}

/* What the fullest link carries if all streams are at their envelopes. */
static uint64_t worst_link(const struct parts *m)
{
    size_t parts = m->cut.parts, n = 0;
    uint64_t *bytes = cc_partition_traffic(&m->worst, &m->cut);
    struct cc_traffic *list = cc_alloc_array(parts * parts, sizeof *list);
    for (size_t i = 0; i < parts * parts; i++)
        if (bytes[i])
            list[n++] = (struct cc_traffic){i / parts, i % parts, bytes[i]};
    struct cc_traffic_result r;
    cc_topology_route_all(m->topology, list, n, m->place_cut.node, false, &r);
    free(list);
    free(bytes);
    return r.max_link;
}

static int solve(struct parts *m, struct cc_count *count, struct cc_err *err)
{
    struct cc_partition_options po = {.parts = (size_t)m->o->parts,
                                      .tolerance = m->o->tolerance,
                                      .pin = m->pin,
                                      .budget = (uint64_t)(m->o->effort * 3e6),
                                      .count = count};
    int rc = cc_partition_balance(&m->graph, &po, &m->balance, err);
    if (rc == 0)
        rc = cc_partition_cut(&m->graph, &po, &m->balance, &m->cut, err);
    if (rc == 0 && m->topology)
        rc = place(m, err);
    if (rc == 0 && m->topology && m->worst.nodes.n)
        m->worst_link = worst_link(m);
    return rc;
}

struct shown {
    uint64_t weight;
    size_t node;
};

static int heavier_first(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

/* --- the result: text shows both partitions side by side, JSON the one after the other --- */

static const struct cc_col node_columns[] = {
    {"task", "node", CC_COL_STR},
    {"work", "work", CC_COL_COUNT},
    {NULL, "share", CC_COL_PERCENT, .digits = 1},
    {NULL, "load only", CC_COL_INT},
    {NULL, "with communication", CC_COL_INT},
    {"unit", NULL, CC_COL_STR}, /* the same as a name */
    {"cores", NULL, CC_COL_INT},
};

static const struct cc_col load_columns[] = {
    {NULL, "part", CC_COL_INT},
    {"unit", NULL, CC_COL_STR}, /* the same as a name */
    {NULL, "on", CC_COL_STR},
    {NULL, "load only", CC_COL_COUNT},
    {NULL, "of mean", CC_COL_NUM, .digits = 2},
    {"load", "with communication", CC_COL_COUNT},
    {NULL, "of mean", CC_COL_NUM, .digits = 2},
    {"node", NULL, CC_COL_INT},
};

/* The part as a number and as a name. */
static void put_part(struct cc_table *t, size_t part)
{
    char name[24];
    snprintf(name, sizeof name, "%zu", part);
    cc_table_u64(t, part);
    cc_table_str(t, name);
}

static void put_node(struct cc_table *t, const struct parts *m, const struct cc_partition *p, size_t i,
                     enum cc_row_where where)
{
    uint64_t weight = m->graph.nodes.v[i].weight;
    cc_table_row(t);
    cc_table_row_only(t, where);
    cc_table_str(t, m->graph.nodes.v[i].name);
    cc_table_u64(t, weight);
    cc_table_num(t, m->work ? (double)weight / (double)m->work : NAN);
    cc_table_u64(t, m->balance.part[i]);
    put_part(t, p->part[i]);
    cc_table_u64(t, 1);
}

/* A person reads the heaviest first. */
static size_t add_heaviest(struct cc_table *t, const struct parts *m)
{
    size_t n = m->graph.nodes.n, shown = m->o->all ? n : CC_MIN(n, (size_t)m->o->top);
    struct shown *order = cc_alloc_array(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct shown){m->graph.nodes.v[i].weight, i};
    qsort(order, n, sizeof *order, heavier_first);
    for (size_t k = 0; k < shown; k++)
        put_node(t, m, &m->cut, order[k].node, CC_ROW_TEXT);
    free(order);
    return n - shown;
}

static void put_load(struct cc_table *t, const struct parts *m, const struct cc_partition *p,
                     const struct cc_placement *place, size_t k)
{
    double mean = (double)m->work / (double)p->parts;
    char where[48];
    put_part(t, k);
    cc_table_str(t, m->topology ? cc_topology_node_name(m->topology, place->node[k], where) : NULL);
    cc_table_u64(t, m->balance.load[k]);
    cc_table_num(t, (double)m->balance.load[k] / mean);
    cc_table_u64(t, p->load[k]);
    cc_table_num(t, (double)p->load[k] / mean);
    if (m->topology)
        cc_table_u64(t, place->node[k]);
    else
        cc_table_absent(t);
}

static void add_partition(struct cc_result *r, const struct parts *m, const struct cc_partition *p,
                          const struct cc_placement *place)
{
    bool shown = p == &m->cut;
    struct cc_col loads[CC_COUNT(load_columns)];
    memcpy(loads, load_columns, sizeof loads);
    if (!m->topology)
        loads[2].title = NULL;
    struct cc_table *t = cc_result_table(r, "assignment", node_columns, CC_COUNT(node_columns));
    size_t lighter = shown ? add_heaviest(t, m) : 0;
    for (size_t i = 0; i < m->graph.nodes.n; i++)
        put_node(t, m, p, i, CC_ROW_DATA);
    if (lighter)
        cc_result_note(r, "and %zu lighter ones (--all shows them)", lighter);
    t = cc_result_table(r, "loads", loads, CC_COUNT(loads));
    for (size_t k = 0; k < p->parts; k++) {
        cc_table_row(t);
        cc_table_row_only(t, shown ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        put_load(t, m, p, place, k);
    }
    cc_result_u64(r, "cut_bytes", p->cut);
    cc_result_u64_if(r, "hop_bytes", m->topology, place->traffic.hop_bytes);
    cc_result_u64_if(r, "max_link", m->topology, place->traffic.max_link);
    if (m->topology)
        cc_result_bool(r, "placement_proven", place->proven);
    if (m->topology && !isnan(m->hop_joules))
        cc_result_num(r, "hop_energy", m->hop_joules * (double)place->traffic.hop_bytes);
    cc_result_u64(r, "max_load", p->max_load);
    cc_result_bool(r, "proven", p->proven);
    cc_result_str(r, "method", p->found_by);
}

static void add_comparison(struct cc_result *r, const struct parts *m)
{
    static const struct cc_col cols[] = {
        {NULL, "", CC_COL_STR},
        {NULL, "load only", CC_COL_INT},
        {NULL, "with communication", CC_COL_INT},
    };
    const struct {
        const char *name;
        uint64_t balance, cut;
    } rows[] = {
        {"largest load", m->balance.max_load, m->cut.max_load},
        {"bytes cut", m->balance.cut, m->cut.cut},
        {"byte-hops", m->place_balance.traffic.hop_bytes, m->place_cut.traffic.hop_bytes},
        {"fullest link, bytes", m->place_balance.traffic.max_link, m->place_cut.traffic.max_link},
    };
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < (m->topology ? CC_COUNT(rows) : 2); i++) {
        cc_table_row(t);
        cc_table_str(t, rows[i].name);
        cc_table_u64(t, rows[i].balance);
        cc_table_u64(t, rows[i].cut);
    }
}

static void add_placement(struct cc_result *r, const struct parts *m)
{
    char a[48], b[48];
    size_t fullest = m->place_cut.traffic.max_link_id;
    cc_result_note(r, "placed on a %s of %zu nodes: %s", cc_topology_kind_name(cc_topology_kind(m->topology)),
                   cc_topology_nodes(m->topology),
                   m->place_cut.proven ? "no placement of these parts has fewer byte-hops" : "not proven");
    if (!isnan(m->hop_joules))
        cc_result_note(r, "moving the data over the links takes %.4g J; load only: %.4g J",
                       m->hop_joules * (double)m->place_cut.traffic.hop_bytes,
                       m->hop_joules * (double)m->place_balance.traffic.hop_bytes);
    if (fullest == SIZE_MAX)
        return;
    struct cc_topology_link link = cc_topology_link(m->topology, fullest);
    cc_result_note(r, "fullest link: %s to %s", cc_topology_node_name(m->topology, link.from, a),
                   cc_topology_node_name(m->topology, link.to, b));
    cc_map_links_show(
        &(struct cc_map_links){m->topology, &m->place_cut.traffic, m->worst_link, m->bandwidth, m->o->rate},
        r);
}

static struct cc_result *build(const struct parts *m)
{
    struct cc_result *r = cc_result_new("corecast.map", 1);
    cc_result_note(r, "partition of %s: %zu nodes on %zu part%s, loads up to %g %% above the mean", m->name,
                   m->graph.nodes.n, m->cut.parts, m->cut.parts == 1 ? "" : "s", 100 * m->o->tolerance);
    cc_result_str(r, "kind", "partition");
    cc_result_str(r, "input", m->name);
    cc_result_u64(r, "parts", m->cut.parts);
    cc_result_num(r, "tolerance", round(1e8 * m->o->tolerance) / 1e6); /* per cent, as given */
    cc_result_u64(r, "load_limit", m->cut.limit);
    cc_result_null(r, "time");
    cc_result_null(r, "lower_bound");
    add_partition(r, m, &m->cut, &m->place_cut);
    add_comparison(r, m);
    cc_result_note(r, "load only: %s; with communication: %s",
                   m->balance.proven ? "no better balance exists" : "not proven to be the best balance",
                   m->cut.proven ? "no smaller cut exists within the tolerance"
                                 : "not proven to be the smallest cut");
    if (m->topology)
        add_placement(r, m);
    cc_result_arr(r, "alternatives");
    cc_result_obj(r, NULL);
    cc_result_str(r, "name", "load only");
    add_partition(r, m, &m->balance, &m->place_balance);
    cc_result_end(r);
    cc_result_end(r);
    if (m->platform)
        cc_platform_show_assumed(m->platform, r);
    return r;
}

static int show(const struct parts *m, struct cc_err *err)
{
    struct cc_result *r = build(m);
    int rc = cc_output_result(&m->o->common, r, err);
    cc_result_free(r);
    if (rc == 0 && m->o->svg)
        rc = cc_map_draw(m->o->svg, &m->graph, &m->balance, &m->cut, err);
    return rc;
}

/* From the topology if the user does not say, else one for each core. */
static int choose_parts(struct cc_map_options *o, const struct cc_topology *t, const struct cc_platform *p,
                        struct cc_err *err)
{
    if (o->parts == 0 && t)
        o->parts = (int64_t)cc_topology_nodes(t);
    int64_t cores = p ? (int64_t)cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1) : 0;
    if (o->parts == 0 && cores == 1)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                         "the platform has no [topology] and one core only: say how many parts with --parts");
    if (o->parts == 0 && p)
        o->parts = CC_MIN(cores, 1024);
    if (o->parts == 0)
        return cc_err_set(err, CC_EUSAGE, "say how many parts with --parts, or name a --platform");
    if (t && (size_t)o->parts > cc_topology_nodes(t))
        return cc_err_set(err, CC_EUSAGE,
                          "option '--parts': %" PRId64 " parts do not fit on a topology of %zu nodes",
                          o->parts, cc_topology_nodes(t));
    return 0;
}

int cc_map_parts(const struct cc_map_options *o, const char *name, struct cc_graph *g,
                 const struct cc_graph *worst, struct cc_platform *p, struct cc_err *err)
{
    struct cc_map_options own = *o;
    struct parts m = {.o = &own,
                      .platform = p,
                      .name = name,
                      .hop_joules = p ? cc_platform_num_or(p, NULL, CC_NUM_ENERGY_HOP_BYTE, NAN) : NAN,
                      .bandwidth = p ? cc_map_link_bandwidth(p) : NAN};
    int rc = p && cc_platform_has(p, "topology") ? cc_topology_from_platform(p, &m.topology, err) : 0;
    if (rc == 0)
        rc = choose_parts(&own, m.topology, p, err);
    if (rc == 0 && o->rate > 0 && (!m.topology || isnan(m.bandwidth)))
        rc = cc_err_set(err, CC_EUSAGE,
                        "option '--rate' needs a platform with [topology], [interconnect] and clock_mhz");
    if (rc == 0)
        rc = prepare(&m, g, worst, err);
    struct cc_progress progress = {.what = "splitting", .unit = "steps"};
    cc_output_progress(&o->common, &progress);
    if (rc == 0)
        rc = solve(&m, &progress.count, err);
    cc_progress_end(&progress);
    if (rc == 0)
        rc = show(&m, err);
    cc_placement_fini(&m.place_balance);
    cc_placement_fini(&m.place_cut);
    cc_partition_fini(&m.balance);
    cc_partition_fini(&m.cut);
    cc_topology_free(m.topology);
    cc_graph_fini(&m.graph);
    cc_graph_fini(&m.worst);
    free(m.pin);
    return rc;
}
