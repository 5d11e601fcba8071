/* corecast map GRAPH --parts N: the load-only partition and the communication-aware one side by side. */
#include "map.h"
#include "../../analysis/partition/partition.h"
#include "../../analysis/topology/place.h"
#include "../../base/table.h"

#include <inttypes.h>
#include <math.h>

struct parts {
    const struct cc_map_options *o;
    const char *name;
    struct cc_graph graph; /* merged */
    size_t *pin;
    struct cc_partition balance, cut;
    struct cc_topology *topology; /* may be NULL */
    struct cc_placement place_balance, place_cut;
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

static int prepare(struct parts *m, const struct cc_graph *g, struct cc_err *err)
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

static int solve(struct parts *m, struct cc_err *err)
{
    struct cc_partition_options po = {.parts = (size_t)m->o->parts,
                                      .tolerance = m->o->tolerance,
                                      .pin = m->pin,
                                      .budget = (uint64_t)(m->o->effort * 3e6)};
    int rc = cc_partition_balance(&m->graph, &po, &m->balance, err);
    if (rc == 0)
        rc = cc_partition_cut(&m->graph, &po, &m->balance, &m->cut, err);
    if (rc == 0 && m->topology)
        rc = place(m, err);
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

static void print_nodes(const struct parts *m, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "node", .title = "node", .type = CC_COL_STR},
        {.key = "work", .title = "work", .type = CC_COL_COUNT},
        {.key = "share", .title = "share", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "balance", .title = "load only", .type = CC_COL_INT},
        {.key = "cut", .title = "with communication", .type = CC_COL_INT},
    };
    size_t n = m->graph.nodes.n;
    struct shown *order = cc_alloc_array(n, sizeof *order);
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = (struct shown){m->graph.nodes.v[i].weight, i};
        total += order[i].weight;
    }
    qsort(order, n, sizeof *order, heavier_first);
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    size_t shown = m->o->all ? n : CC_MIN(n, (size_t)m->o->top);
    for (size_t k = 0; k < shown; k++) {
        size_t i = order[k].node;
        cc_table_row(t);
        cc_table_str(t, m->graph.nodes.v[i].name);
        cc_table_int(t, (int64_t)order[k].weight);
        cc_table_num(t, total ? (double)order[k].weight / (double)total : NAN);
        cc_table_int(t, (int64_t)m->balance.part[i]);
        cc_table_int(t, (int64_t)m->cut.part[i]);
    }
    cc_table_print_text(t, out);
    if (shown < n)
        fprintf(out, "and %zu lighter ones (--all shows them)\n", n - shown);
    cc_table_free(t);
    free(order);
}

static void print_loads(const struct parts *m, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "part", .title = "part", .type = CC_COL_INT},
        {.key = "node", .title = "on", .type = CC_COL_STR},
        {.key = "balance", .title = "load only", .type = CC_COL_COUNT},
        {.key = "balance_mean", .title = "of mean", .type = CC_COL_NUM, .digits = 2},
        {.key = "cut", .title = "with communication", .type = CC_COL_COUNT},
        {.key = "cut_mean", .title = "of mean", .type = CC_COL_NUM, .digits = 2},
    };
    struct cc_col used[CC_COUNT(cols)];
    memcpy(used, cols, sizeof cols);
    if (!m->topology)
        used[1].title = NULL;
    struct cc_table *t = cc_table_new(used, CC_COUNT(used));
    double mean = 0;
    for (size_t p = 0; p < m->cut.parts; p++)
        mean += (double)m->cut.load[p] / (double)m->cut.parts;
    for (size_t p = 0; p < m->cut.parts; p++) {
        char where[48];
        cc_table_row(t);
        cc_table_int(t, (int64_t)p);
        cc_table_str(t, m->topology ? cc_topology_node_name(m->topology, m->place_cut.node[p], where) : NULL);
        cc_table_int(t, (int64_t)m->balance.load[p]);
        cc_table_num(t, (double)m->balance.load[p] / mean);
        cc_table_int(t, (int64_t)m->cut.load[p]);
        cc_table_num(t, (double)m->cut.load[p] / mean);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_figures(const struct parts *m, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "figure", .title = "", .type = CC_COL_STR},
        {.key = "balance", .title = "load only", .type = CC_COL_INT},
        {.key = "cut", .title = "with communication", .type = CC_COL_INT},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    struct {
        const char *name;
        uint64_t balance, cut;
        bool shown;
    } rows[] = {
        {"largest load", m->balance.max_load, m->cut.max_load, true},
        {"bytes cut", m->balance.cut, m->cut.cut, true},
        {"byte-hops", m->place_balance.traffic.hop_bytes, m->place_cut.traffic.hop_bytes, m->topology},
        {"fullest link, bytes", m->place_balance.traffic.max_link, m->place_cut.traffic.max_link,
         m->topology},
    };
    for (size_t i = 0; i < CC_COUNT(rows); i++) {
        if (!rows[i].shown)
            continue;
        cc_table_row(t);
        cc_table_str(t, rows[i].name);
        cc_table_int(t, (int64_t)rows[i].balance);
        cc_table_int(t, (int64_t)rows[i].cut);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_text(const struct parts *m, FILE *out)
{
    fputs("partition of ", out);
    cc_text_print_safe(out, m->name);
    fprintf(out, ": %zu nodes on %zu part%s, loads up to %g %% above the mean\n\n", m->graph.nodes.n,
            m->cut.parts, m->cut.parts == 1 ? "" : "s", 100 * m->o->tolerance);
    print_nodes(m, out);
    fputc('\n', out);
    print_loads(m, out);
    fputc('\n', out);
    print_figures(m, out);
    fprintf(out, "\nload only: %s; with communication: %s\n",
            m->balance.proven ? "no better balance exists" : "not proven to be the best balance",
            m->cut.proven ? "no smaller cut exists within the tolerance"
                          : "not proven to be the smallest cut");
    if (m->topology) {
        const struct cc_traffic_result *r = &m->place_cut.traffic;
        fprintf(out, "placed on a %s of %zu nodes: %s", cc_topology_kind_name(cc_topology_kind(m->topology)),
                cc_topology_nodes(m->topology),
                m->place_cut.proven ? "no placement of these parts has fewer byte-hops\n" : "not proven\n");
        if (r->max_link_id != SIZE_MAX) {
            char a[48], b[48];
            struct cc_topology_link link = cc_topology_link(m->topology, r->max_link_id);
            fprintf(out, "fullest link: %s to %s\n", cc_topology_node_name(m->topology, link.from, a),
                    cc_topology_node_name(m->topology, link.to, b));
        }
    }
}

static void json_partition(struct cc_json *j, const struct parts *m, const struct cc_partition *p,
                           const struct cc_placement *place)
{
    cc_json_arr(j, "assignment");
    for (size_t i = 0; i < m->graph.nodes.n; i++) {
        char unit[24];
        snprintf(unit, sizeof unit, "%zu", p->part[i]);
        cc_json_obj(j, NULL);
        cc_json_str(j, "task", m->graph.nodes.v[i].name);
        cc_json_str(j, "unit", unit);
        cc_json_u64(j, "cores", 1);
        cc_json_u64(j, "work", m->graph.nodes.v[i].weight);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_arr(j, "loads");
    for (size_t k = 0; k < p->parts; k++) {
        char unit[24];
        snprintf(unit, sizeof unit, "%zu", k);
        cc_json_obj(j, NULL);
        cc_json_str(j, "unit", unit);
        cc_json_u64(j, "load", p->load[k]);
        if (m->topology)
            cc_json_u64(j, "node", place->node[k]);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_u64(j, "cut_bytes", p->cut);
    if (m->topology) {
        cc_json_u64(j, "hop_bytes", place->traffic.hop_bytes);
        cc_json_u64(j, "max_link", place->traffic.max_link);
        cc_json_bool(j, "placement_proven", place->proven);
    } else {
        cc_json_null(j, "hop_bytes");
        cc_json_null(j, "max_link");
    }
    cc_json_u64(j, "max_load", p->max_load);
    cc_json_bool(j, "proven", p->proven);
    cc_json_str(j, "method", p->found_by);
}

static void print_json(const struct parts *m, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.map", 1);
    cc_json_str(&j, "kind", "partition");
    cc_json_str(&j, "input", m->name);
    cc_json_u64(&j, "parts", m->cut.parts);
    cc_json_num(&j, "tolerance", round(1e8 * m->o->tolerance) / 1e6); /* per cent, as given */
    cc_json_u64(&j, "load_limit", m->cut.limit);
    cc_json_null(&j, "time");
    cc_json_null(&j, "lower_bound");
    json_partition(&j, m, &m->cut, &m->place_cut);
    cc_json_arr(&j, "alternatives");
    cc_json_obj(&j, NULL);
    cc_json_str(&j, "name", "load only");
    json_partition(&j, m, &m->balance, &m->place_balance);
    cc_json_end(&j);
    cc_json_end(&j);
    cc_json_end(&j);
}

int cc_map_parts(const struct cc_map_options *o, const char *name, struct cc_graph *g, struct cc_platform *p,
                 struct cc_err *err)
{
    struct cc_map_options own = *o;
    struct parts m = {.o = &own, .name = name};
    int rc = 0;
    if (p)
        rc = cc_topology_from_platform(p, &m.topology, err);
    if (rc == 0 && own.parts == 0 && m.topology)
        own.parts = (int64_t)cc_topology_nodes(m.topology);
    if (rc == 0 && own.parts == 0)
        rc = cc_err_set(err, CC_EUSAGE,
                        "say how many parts with --parts, or name a --platform with a [topology]");
    if (rc == 0 && m.topology && (size_t)own.parts > cc_topology_nodes(m.topology))
        rc = cc_err_set(err, CC_EUSAGE,
                        "option '--parts': %" PRId64 " parts do not fit on a topology of %zu nodes",
                        own.parts, cc_topology_nodes(m.topology));
    if (rc == 0)
        rc = prepare(&m, g, err);
    if (rc == 0)
        rc = solve(&m, err);
    struct cc_outfile out = {0};
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        if (o->common.json)
            print_json(&m, out.f);
        else
            print_text(&m, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    if (rc == 0 && o->svg)
        rc = cc_map_draw(o->svg, &m.graph, &m.balance, &m.cut, err);
    cc_placement_fini(&m.place_balance);
    cc_placement_fini(&m.place_cut);
    cc_partition_fini(&m.balance);
    cc_partition_fini(&m.cut);
    cc_topology_free(m.topology);
    cc_graph_fini(&m.graph);
    free(m.pin);
    return rc;
}
