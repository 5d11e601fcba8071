#include "links.h"

#include <math.h>

double cc_map_link_bandwidth(const struct cc_platform *p)
{
    double clock = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN);
    return cc_platform_has(p, "interconnect")
               ? cc_platform_num_or(p, NULL, CC_NUM_INTERCONNECT_WIDTH, NAN) * clock * 1e6
               : NAN;
}

/* Data have every link that carries something, text those that are too full. */
static void put_links(const struct cc_map_links *x, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"from", "from", CC_COL_STR},
        {"to", "to", CC_COL_STR},
        {"bytes", "bytes a run", CC_COL_COUNT},
        {"used", "used", CC_COL_PERCENT, 0, .meaning = "share of what the link can carry at the rate"},
    };
    size_t full = 0, n = cc_topology_links(x->topology);
    for (size_t l = 0; l < n; l++)
        full += (double)x->traffic->link_bytes[l] * x->rate > x->bandwidth;
    cc_result_note(r, "at %g runs a second %zu of %zu links %s too full%s", x->rate, full, n,
                   full == 1 ? "is" : "are", full ? ":" : "");
    struct cc_table *t = cc_result_table(r, "links", cols, CC_COUNT(cols));
    for (size_t l = 0; l < n; l++) {
        double bytes = (double)x->traffic->link_bytes[l], used = bytes * x->rate / x->bandwidth;
        struct cc_topology_link link = cc_topology_link(x->topology, l);
        char name[48];
        if (bytes == 0)
            continue;
        cc_table_row(t);
        cc_table_row_only(t, used > 1 ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        cc_table_str(t, cc_topology_node_name(x->topology, link.from, name));
        cc_table_str(t, cc_topology_node_name(x->topology, link.to, name));
        cc_table_u64(t, x->traffic->link_bytes[l]);
        cc_table_num(t, used);
    }
}

void cc_map_links_show(const struct cc_map_links *x, struct cc_result *r)
{
    bool known = !isnan(x->bandwidth) && x->traffic->max_link > 0;
    double most = known ? x->bandwidth / (double)x->traffic->max_link : NAN;
    double least = known && x->worst ? x->bandwidth / (double)x->worst : NAN;
    cc_result_num(r, "link_bandwidth", x->bandwidth);
    cc_result_num(r, "saturates_at", most);
    cc_result_num(r, "saturates_at_low", least);
    if (known && isnan(least))
        cc_result_note(r, "a link carries %.4g bytes a second: the fullest is full at %.4g runs a second",
                       x->bandwidth, most);
    else if (known)
        cc_result_note(r,
                       "a link carries %.4g bytes a second: the fullest is full at %.4g runs a second, with "
                       "envelopes instead of laws at %.4g",
                       x->bandwidth, most, least);
    if (x->rate > 0)
        put_links(x, r);
}
