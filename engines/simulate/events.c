/* Events on their way to the command: coded here for a trace (a lane a core, handed over when it is full), or
 * as they are where somebody listens to them. The caller holds the token. */
#include "race.h"

#include <time.h>

static void pause_shortly(void)
{
    struct timespec pause = {0, 50000};
    nanosleep(&pause, NULL);
}

/* Waits for the command to have written one, if need be. */
static unsigned free_lane(const struct cc_sim_shared *s)
{
    for (;; pause_shortly())
        for (unsigned i = 0; i < s->config.cores + CC_SIM_SPARE_LANES; i++)
            if (!atomic_load_explicit(&s->lane_used[i], memory_order_acquire))
                return i;
}

void event_lane_next(struct core *c)
{
    struct cc_sim_shared *s = world.shared;
    if (c->lane) {
        uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
        s->full[head % CC_SIM_LANES] = (uint16_t)(s->lane_of[c->number] - 1);
        atomic_store_explicit(&s->head, head + 1, memory_order_release);
    }
    unsigned i = free_lane(s);
    c->lane = &s->lane[i];
    cc_trace_lane_clear(c->lane);
    c->lane->cpu = (uint16_t)c->number;
    atomic_store_explicit(&s->lane_used[i], true, memory_order_relaxed);
    s->lane_of[c->number] = (uint16_t)(i + 1);
}

static void tell(struct core *c, const struct cc_trace_event *e)
{
    struct cc_sim_shared *s = world.shared;
    uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    while (head - atomic_load_explicit(&s->tail, memory_order_acquire) >= CC_SIM_RING)
        pause_shortly();
    struct cc_trace_event *at = &s->ring[head % CC_SIM_RING];
    *at = *e;
    at->pc += world.tag;
    at->addr += e->addr ? world.tag : 0;
    c->last_event = e->cycle;
    atomic_store_explicit(&s->head, head + 1, memory_order_release);
}

void event_put(struct core *c, struct cc_trace_event *e)
{
    if (world.shared->coded)
        event_code(c, e);
    else
        tell(c, e);
}

uint64_t event_repeat(struct core *c, uint64_t n, uint64_t cycles)
{
    uint64_t done = world.shared->coded && c->lane ? cc_trace_lane_repeat(c->lane, n, cycles) : 0;
    c->last_event += done * cycles;
    return done;
}
