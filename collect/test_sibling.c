/* Calls of one activation that need each other: random programs against a model that keeps every access. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum { DEEPEST = 6, BYTES = 24, SITES = 8, EVENTS = 500, ROWS = 20000 };

struct step { /* an activation under way */
    uint32_t id, function, segment;
    uint64_t tag;
};

struct access {
    struct step way[DEEPEST];
    uint32_t depth, site;
    bool write;
};

struct row {
    uint32_t function, kind, distance;
    uint64_t first, second;
};

struct rows {
    struct row v[ROWS];
    size_t n;
};

struct program {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    struct cc_depend_site sites[SITES];
    struct step way[DEEPEST];
    uint32_t depth, activations;
    uint64_t now;
    struct access last_write[BYTES], reads[BYTES][EVENTS];
    bool written[BYTES];
    uint32_t nreads[BYTES];
    struct rows model, found;
};

static uint64_t seed = 11;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static bool has(const struct rows *r, const struct row *x)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].function == x->function && r->v[i].kind == x->kind && r->v[i].first == x->first &&
            r->v[i].second == x->second)
            return true;
    return false;
}

static uint64_t who(const struct step *s, uint32_t site)
{
    return s->tag ? s->tag : 100 + site;
}

/* What goes from one access to the present one; false: nothing between siblings. */
static bool between(const struct program *p, const struct access *from, uint32_t kind, uint32_t site,
                    struct row *ret)
{
    for (uint32_t i = 0; i < p->depth && i < from->depth; i++) {
        const struct step *a = &from->way[i], *b = &p->way[i];
        if (a->id != b->id)
            return false;
        if (a->segment == b->segment)
            continue;
        *ret = (struct row){b->function, kind, b->segment - a->segment, who(a, from->site), who(b, site)};
        return a->tag || b->tag;
    }
    return false;
}

static void note(struct program *p, const struct access *from, uint32_t kind, uint32_t site)
{
    struct row r;
    if (between(p, from, kind, site, &r) && !has(&p->model, &r) && p->model.n < ROWS)
        p->model.v[p->model.n++] = r;
}

static void touch(struct program *p)
{
    uint32_t byte = random_below(BYTES), site = random_below(SITES);
    bool write = random_below(3) == 0;
    struct access now = {.depth = p->depth, .site = site, .write = write};
    memcpy(now.way, p->way, sizeof now.way);
    if (p->written[byte])
        note(p, &p->last_write[byte], write ? CC_DEPENDENCE_WAW : CC_DEPENDENCE_RAW, site);
    if (write) {
        for (uint32_t i = 0; i < p->nreads[byte]; i++)
            note(p, &p->reads[byte][i], CC_DEPENDENCE_WAR, site);
        p->nreads[byte] = 0;
        p->last_write[byte] = now;
        p->written[byte] = true;
        cc_depend_write(p->x, 0x10000 + byte, 1, &p->sites[site]);
    } else {
        p->reads[byte][p->nreads[byte]++] = now;
        cc_depend_read(p->x, 0x10000 + byte, 1, &p->sites[site]);
    }
}

static void segment(struct program *p, uint64_t tag)
{
    struct step *s = &p->way[p->depth - 1];
    s->segment++;
    s->tag = tag;
    cc_depend_segment(p->x, p->depth - 1, tag, 0x7000, ++p->now);
}

static void enter(struct program *p, uint32_t function)
{
    p->way[p->depth++] = (struct step){++p->activations, function, 0, 0};
    cc_depend_enter(p->x, function, 0x7000, ++p->now, 0);
}

static void leave(struct program *p)
{
    cc_depend_leave(p->x, --p->depth, ++p->now);
    segment(p, 0);
}

static void put(void *self, const struct cc_rec_dependence *r)
{
    struct program *p = self;
    if (r->kind <= CC_DEPENDENCE_WAW && p->found.n < ROWS)
        p->found.v[p->found.n++] = (struct row){r->loop, r->kind, r->distance_min, r->first, r->second};
}

static void run(struct program *p)
{
    memset(p, 0, sizeof *p);
    p->d = cc_depend_new(&cc_test_host, &(struct cc_depend_options){.exact = true, .calls = true});
    p->x = cc_depend_thread_new(p->d, 0);
    for (uint32_t i = 0; i < SITES; i++)
        p->sites[i].address = 100 + i;
    enter(p, 0);
    for (int i = 0; i < EVENTS; i++) {
        uint32_t what = random_below(8);
        if (what == 0 && p->depth < DEEPEST) {
            segment(p, 1 + random_below(3));
            enter(p, 1 + random_below(3));
        } else if (what == 1 && p->depth > 1) {
            leave(p);
        } else {
            touch(p);
        }
    }
    cc_depend_results(p->d, &(struct cc_depend_writer){p, put});
}

/* An anti-dependence may be told by an earlier read of the same activation: what counts is that the second
 * is known to need something. */
static bool has_second(const struct rows *r, const struct row *x)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].function == x->function && r->v[i].second == x->second)
            return true;
    return false;
}

int main(void)
{
    struct program *p = malloc(sizeof *p);
    size_t rows = 0, invented = 0, missed = 0, anti = 0, far = 0;
    for (int k = 0; k < 200; k++) {
        run(p);
        rows += p->model.n;
        for (size_t i = 0; i < p->found.n; i++) {
            invented += !has(&p->model, &p->found.v[i]);
            far += p->found.v[i].distance == 0;
        }
        for (size_t i = 0; i < p->model.n; i++) {
            const struct row *r = &p->model.v[i];
            if (r->kind == CC_DEPENDENCE_WAR)
                anti += !has_second(&p->found, r);
            else
                missed += !has(&p->found, r);
        }
        cc_depend_thread_end(p->x, p->now);
    }
    OK(rows > 10000, "calls need each other in %zu ways", rows);
    OK(invented == 0, "none is invented: %zu", invented);
    OK(missed == 0, "none is missed: %zu", missed);
    OK(anti == 0, "nor is one that writes what another has read: %zu", anti);
    OK(far == 0, "how far apart they are is known: %zu", far);
    free(p);
    return TAP_DONE();
}
