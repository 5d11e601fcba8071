#include "exchange.h"
#include "../../base/map.h"
#include "../../base/text.h"

/* --- writing --- */

static void put(struct cc_buf *b, const void *v, size_t size)
{
    cc_buf_add(b, v, size);
}

static void put_text(struct cc_buf *b, const char *text)
{
    uint32_t size = text ? (uint32_t)strlen(text) : UINT32_MAX;
    put(b, &size, sizeof size);
    if (text)
        put(b, text, size);
}

static void put_thing(struct cc_buf *b, const struct cc_ranks *ranks, const struct cc_thing *t, size_t runs)
{
    uint32_t head[2] = {(uint32_t)t->kind, t->line};
    put(b, head, sizeof head);
    put_text(b, t->name);
    put_text(b, t->file);
    put_text(b, t->ends[0]);
    put_text(b, t->ends[1]);
    for (size_t f = 0; f < cc_subject_infos[t->kind].nfigures; f++)
        for (size_t r = 0; r < runs; r++)
            if (cc_ranks_mine(ranks, r))
                put(b, &t->y[f][r], sizeof t->y[f][r]);
}

/* --- reading: what another process of this same tool wrote --- */

struct reading {
    const char *at;
    struct cc_arena *arena;
};

static void get(struct reading *r, void *v, size_t size)
{
    memcpy(v, r->at, size);
    r->at += size;
}

static const char *get_text(struct reading *r)
{
    uint32_t size;
    get(r, &size, sizeof size);
    if (size == UINT32_MAX)
        return NULL;
    const char *text = cc_arena_strndup(r->arena, r->at, size);
    r->at += size;
    return text;
}

struct joining {
    struct cc_samples *s;
    struct cc_strmap known[CC_OFS];
};

static struct cc_thing *find(struct joining *j, const struct cc_thing *like)
{
    bool new;
    uint64_t *at = cc_strmap_put(&j->known[like->kind], like->name, &new);
    if (new) {
        struct cc_thing t = *like;
        for (size_t f = 0; f < cc_subject_infos[t.kind].nfigures; f++)
            t.y[f] = cc_alloc_array(j->s->nruns, sizeof *t.y[f]);
        *at = j->s->things.n;
        CC_VEC_PUSH(&j->s->things, t);
    }
    return &j->s->things.v[*at];
}

static void get_thing(struct joining *j, struct reading *r, unsigned from, unsigned count)
{
    struct cc_thing like = {0};
    uint32_t head[2];
    get(r, head, sizeof head);
    like.kind = (enum cc_subject_kind)head[0];
    like.line = head[1];
    like.name = get_text(r);
    like.file = get_text(r);
    like.ends[0] = get_text(r);
    like.ends[1] = get_text(r);
    struct cc_thing *t = find(j, &like);
    if (from == 0) { /* as the first process has it */
        t->file = like.file;
        t->line = like.line;
    }
    for (size_t f = 0; f < cc_subject_infos[t->kind].nfigures; f++)
        for (size_t run = from; run < j->s->nruns; run += count)
            get(r, &t->y[f][run], sizeof t->y[f][run]);
}

static bool differs(const char **first, const char *text)
{
    if (!*first)
        *first = text;
    return *first && text && strcmp(*first, text) != 0;
}

static void get_kind(struct cc_samples_kind *kind, struct reading *r)
{
    uint32_t unlike;
    get(r, &unlike, sizeof unlike);
    bool isa = differs(&kind->isa, get_text(r)), engine = differs(&kind->engine, get_text(r)),
         libs = differs(&kind->libs, get_text(r));
    kind->unlike |= unlike || isa || engine || libs;
}

void cc_samples_exchange(const struct cc_ranks *ranks, struct cc_samples *s, struct cc_samples_kind *kind)
{
    struct cc_buf own = {0};
    uint32_t unlike = kind->unlike, n = (uint32_t)s->things.n;
    unsigned count = cc_ranks_count(ranks);
    struct joining j = {.s = s};
    if (count < 2)
        return;
    put(&own, &unlike, sizeof unlike);
    put_text(&own, kind->isa);
    put_text(&own, kind->engine);
    put_text(&own, kind->libs);
    put(&own, &n, sizeof n);
    for (size_t i = 0; i < s->things.n; i++) {
        put_thing(&own, ranks, &s->things.v[i], s->nruns);
        bool new;
        *cc_strmap_put(&j.known[s->things.v[i].kind], s->things.v[i].name, &new) = i;
    }
    for (unsigned from = 0; from < count; from++) {
        size_t size = own.n;
        CC_CLEANUP(cc_free_ptr) char *all = cc_ranks_tell(ranks, from, own.s, &size);
        struct reading r = {all, &s->arena};
        get_kind(kind, &r);
        get(&r, &n, sizeof n);
        for (uint32_t i = 0; i < n; i++)
            get_thing(&j, &r, from, count);
    }
    for (int k = 0; k < CC_OFS; k++)
        cc_strmap_fini(&j.known[k]);
    cc_buf_fini(&own);
}
