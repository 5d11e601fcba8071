/* How full the links of the network are, and how often a second the program can run before one is. */
#ifndef CC_CLI_MAP_LINKS_H
#define CC_CLI_MAP_LINKS_H

#include "../../analysis/topology/place.h"
#include "../../base/result.h"

struct cc_map_links {
    const struct cc_topology *topology;
    const struct cc_traffic_result *traffic; /* of one run, by link */
    uint64_t worst;                          /* bytes over the fullest link at the envelopes; 0: not known */
    double bandwidth;                        /* bytes a second over a link; NAN: not known */
    double rate;                             /* runs a second asked for; 0: none */
};

/* Bytes a second, from the width of [interconnect] and the clock; NAN: the platform does not tell. */
double cc_map_link_bandwidth(const struct cc_platform *p);
void cc_map_links_show(const struct cc_map_links *x, struct cc_result *r);

#endif
