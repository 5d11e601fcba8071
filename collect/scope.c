/* Regions, tasks, frames, and recording switched on and off: what marks say.
 *
 * Scopes are regions and tasks as they nest: a tree that all threads share, in which a name that is open
 * already folds onto itself, as recursion does on calling contexts. */
#include "internal.h"
#include "data.h"

enum { MAX_SCOPES = 65536, MAX_PROBLEMS = 1000, MAX_NAME = 4096, MAX_SPANS = 100000, HASH = 1024 };

#define MARK_MAGIC UINT64_C(0x314b52414d4343)

/* --- names --- */

static char *copy(struct cc_collect *c, const char *s)
{
    size_t n = cc_length(s);
    char *p = cc_pool(c, n + 1);
    __builtin_memcpy(p, s, n);
    return p;
}

/* A compiler may have made several copies of a mark: of a loop's body, of a function that it puts into
 * others. */
static bool same_place(const struct cc_mark_site *a, const struct cc_mark_site *b)
{
    return a == b || (a && b && a->file && b->file && a->line == b->line && cc_same_text(a->file, b->file));
}

void cc_problem_note(struct cc_collect *c, enum cc_problem kind, const char *name,
                     const struct cc_mark_site *site, const char *other_name,
                     const struct cc_mark_site *other)
{
    cc_lock(c);
    uint32_t i = 0;
    for (; i < c->scopes.nproblems; i++) {
        const struct cc_problem_entry *p = &c->scopes.problems[i];
        if (p->kind == kind && same_place(p->site, site) && same_place(p->other, other) &&
            cc_same_text(p->name, name))
            break;
    }
    if (i == c->scopes.nproblems && i < MAX_PROBLEMS) {
        if (!c->scopes.problems)
            c->scopes.problems = c->host.map(c->host.self, MAX_PROBLEMS * sizeof *c->scopes.problems);
        c->scopes.problems[c->scopes.nproblems++] = (struct cc_problem_entry){
            .kind = kind, .name = copy(c, name), .other_name = other_name, .site = site, .other = other};
    }
    if (i < MAX_PROBLEMS)
        c->scopes.problems[i].count++;
    cc_unlock(c);
}

/* --- the tree of scopes; lock held --- */

static uint32_t region_of(struct cc_collect *c, const char *name)
{
    for (uint32_t i = 0; i < c->scopes.regions.n; i++) {
        const struct cc_region *r = cc_grow_at(&c->scopes.regions, i);
        if (i && cc_same_text(r->name, name))
            return i;
    }
    struct cc_region *r = cc_grow_add(c, &c->scopes.regions);
    r->name = copy(c, name);
    return c->scopes.regions.n - 1;
}

static struct cc_scope *scope_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->scopes.all, i);
}

static bool scope_is(const struct cc_scope *s, enum cc_scope_kind kind, const char *name)
{
    return s->kind == kind && cc_same_text(s->name, name);
}

/* CC_NONE: there are too many. */
static uint32_t scope_child(struct cc_collect *c, uint32_t parent, enum cc_scope_kind kind, const char *name,
                            const struct cc_mark_site *site)
{
    for (uint32_t up = parent; up; up = scope_at(c, up)->parent)
        if (scope_is(scope_at(c, up), kind, name))
            return up;
    uint64_t h = parent * 31 + (uint32_t)kind;
    for (const char *p = name; *p; p++)
        h = (h ^ (uint8_t)*p) * UINT64_C(0x100000001b3);
    uint32_t *slot = &c->scopes.hash[cc_mix(h) & (HASH - 1)];
    for (uint32_t i = *slot; i; i = scope_at(c, i)->next)
        if (scope_at(c, i)->parent == parent && scope_is(scope_at(c, i), kind, name))
            return i;
    if (c->scopes.all.n >= MAX_SCOPES)
        return CC_NONE;
    uint32_t id = c->scopes.all.n;
    struct cc_scope *s = cc_grow_add(c, &c->scopes.all);
    *s =
        (struct cc_scope){.parent = parent, .kind = kind, .next = *slot, .name = copy(c, name), .site = site};
    s->region = kind == CC_SCOPE_REGION ? region_of(c, name) : scope_at(c, parent)->region;
    *slot = id;
    return id;
}

/* --- nodes of a context in a scope --- */

static uint32_t scoped_new(struct cc_thread *t, const struct cc_context *x, uint32_t context, uint32_t scope)
{
    enum { MAX_NODES = 1 << 23 }; /* the reader's key has 24 bits for it */
    struct cc_collect *c = t->owner;
    if (c->nodes.all.n >= MAX_NODES)
        return x->node;
    cc_lock(c);
    uint32_t region = scope == CC_SCOPE_OFF ? 0 : scope_at(c, scope)->region;
    struct cc_node n = {.kind = CC_NODE_CONTEXT,
                        .context = context,
                        .source = CC_NONE,
                        .scope = scope,
                        .frame = t->frame,
                        .group = {x->node, x->function, t->id, region},
                        .blocks = cc_block_counts(c, x->function, scope)};
    uint32_t id = cc_node_new(c, &n);
    cc_unlock(c);
    return id;
}

uint32_t cc_node_of(struct cc_thread *t, uint32_t context)
{
    struct cc_context *x = cc_context_at(t->owner, context);
    uint32_t scope = t->off ? CC_SCOPE_OFF : t->scope;
    if (__builtin_expect(scope == 0, 1))
        return x->node;
    if (x->scope == scope)
        return x->scoped;
    uint64_t key = ((uint64_t)context << 32 | scope) + 1;
    size_t slot = cc_index_slot(t->owner, &t->room.scoped, key);
    if (!t->room.scoped.keys[slot]) {
        t->room.scoped.values[slot] = scoped_new(t, x, context, scope);
        t->room.scoped.keys[slot] = key;
        t->room.scoped.n++;
    }
    x->scope = scope;
    x->scoped = t->room.scoped.values[slot];
    return x->scoped;
}

/* --- time in scopes and frames --- */

void cc_scope_account(struct cc_thread *t, uint64_t now)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    uint64_t spent = now - t->scope_since;
    struct cc_scope *s = scope_at(c, t->scope);
    s->exclusive += spent;
    c->frames.parts =
        cc_extend(c, c->frames.parts, &c->frames.parts_cap, c->scopes.regions.n, sizeof *c->frames.parts);
    c->frames.parts[s->region] += spent;
    t->scope_since = now;
    cc_unlock(c);
}

/* The thread goes on in another scope, frame or state of recording. */
static void enter_again(struct cc_thread *t, uint64_t now)
{
    cc_context_switch(t, now, t->context);
}

static void note_span(struct cc_thread *t, const struct cc_open *o, uint64_t now)
{
    struct cc_collect *c = t->owner;
    uint64_t length = now - o->start;
    if (!c->scopes.spans)
        c->scopes.spans = c->host.map(c->host.self, MAX_SPANS * sizeof *c->scopes.spans);
    if (c->scopes.nspans == MAX_SPANS) { /* keep the longer ones */
        uint32_t kept = 0;
        c->scopes.span_threshold = c->scopes.span_threshold ? c->scopes.span_threshold * 2 : 1;
        for (uint32_t i = 0; i < c->scopes.nspans; i++)
            if (c->scopes.spans[i].length >= c->scopes.span_threshold)
                c->scopes.spans[kept++] = c->scopes.spans[i];
        c->scopes.nspans = kept;
    }
    if (length >= c->scopes.span_threshold && c->scopes.nspans < MAX_SPANS)
        c->scopes.spans[c->scopes.nspans++] = (struct cc_rec_span){.scope = o->scope,
                                                                   .thread = t->id,
                                                                   .frame = o->frame,
                                                                   .start = o->start - t->origin,
                                                                   .length = length};
}

/* --- beginning and ending --- */

static uint32_t child_of(struct cc_thread *t, enum cc_scope_kind kind, const char *name,
                         struct cc_mark_site *site)
{
    struct cc_collect *c = t->owner;
    uint64_t known = site->record ? 0 : __atomic_load_n(&site->known, __ATOMIC_RELAXED);
    if (known && known >> 32 == t->scope)
        return (uint32_t)known;
    cc_lock(c);
    uint32_t scope = scope_child(c, t->scope, kind, name, site);
    cc_unlock(c);
    if (!site->record && scope != CC_NONE)
        __atomic_store_n(&site->known, (uint64_t)t->scope << 32 | scope, __ATOMIC_RELAXED);
    return scope;
}

void cc_scope_begin(struct cc_thread *t, uint64_t now, enum cc_scope_kind kind, const char *name,
                    struct cc_mark_site *site)
{
    struct cc_collect *c = t->owner;
    uint32_t scope = child_of(t, kind, name, site);
    if (scope == CC_NONE) {
        cc_problem_note(c, CC_PROBLEM_TOO_MANY, name, site, NULL, NULL);
        return;
    }
    cc_scope_account(t, now);
    cc_task_event(t, now, scope, false, false);
    t->room.open = cc_extend(c, t->room.open, &t->room.open_cap, t->nopen + 1, sizeof *t->room.open);
    t->room.open[t->nopen++] = (struct cc_open){scope, t->scope, t->frame, site, now};
    t->scope = scope;
    cc_lock(c);
    struct cc_scope *s = scope_at(c, scope);
    s->calls += !t->off;
    if (kind == CC_SCOPE_REGION) {
        struct cc_region *r = cc_grow_at(&c->scopes.regions, s->region);
        r->calls += !t->off;
        t->room.region_active = cc_extend(c, t->room.region_active, &t->room.region_active_cap,
                                          c->scopes.regions.n, sizeof *t->room.region_active);
        t->room.region_active[s->region]++;
    }
    cc_unlock(c);
    enter_again(t, now);
}

/* Takes an open scope off the stack, from the top as a rule. */
static void scope_close(struct cc_thread *t, uint64_t now, size_t at)
{
    struct cc_collect *c = t->owner;
    struct cc_open o = t->room.open[at];
    cc_scope_account(t, now);
    cc_task_event(t, now, o.scope, false, true);
    if (at + 1 == t->nopen)
        t->scope = o.outer;
    else
        t->room.open[at + 1].outer = o.outer;
    for (size_t i = at; i + 1 < t->nopen; i++)
        t->room.open[i] = t->room.open[i + 1];
    t->nopen--;
    cc_lock(c);
    const struct cc_scope *s = scope_at(c, o.scope);
    if (s->kind == CC_SCOPE_REGION) {
        struct cc_region *r = cc_grow_at(&c->scopes.regions, s->region);
        if (--t->room.region_active[s->region] == 0)
            r->inclusive += now - o.start;
        if (!t->off)
            note_span(t, &o, now);
    }
    cc_unlock(c);
    enter_again(t, now);
}

void cc_scope_end(struct cc_thread *t, uint64_t now, enum cc_scope_kind kind, const char *name,
                  const struct cc_mark_site *site)
{
    struct cc_collect *c = t->owner;
    for (size_t i = t->nopen; i-- > 0;) {
        if (!scope_is(scope_at(c, t->room.open[i].scope), kind, name))
            continue;
        const struct cc_open *top = &t->room.open[t->nopen - 1];
        if (i + 1 < t->nopen)
            cc_problem_note(c, CC_PROBLEM_CROSSES, name, site, scope_at(c, top->scope)->name, top->site);
        scope_close(t, now, i);
        return;
    }
    cc_problem_note(c, CC_PROBLEM_NOT_BEGUN, name, site, NULL, NULL);
}

void cc_scope_finish(struct cc_thread *t, uint64_t now)
{
    while (t->nopen) {
        const struct cc_open *o = &t->room.open[t->nopen - 1];
        cc_problem_note(t->owner, CC_PROBLEM_NOT_ENDED, scope_at(t->owner, o->scope)->name, o->site, NULL,
                        NULL);
        scope_close(t, now, t->nopen - 1);
    }
    cc_scope_account(t, now);
}

/* --- frames --- */

static void notice_frame(struct cc_thread *t)
{
    uint32_t frame = t->owner->frames.present;
    cc_fold_frame(t);
    if (frame >> 8 != t->frame >> 8) /* the caches' keys hold the frame modulo 256 */
        cc_lookups_forget(t);
    t->frame = frame;
    cc_node_enter(t, t->node);
}

/* Lock held. What was counted so far was the frame's. */
static void frame_close(struct cc_collect *c)
{
    for (uint32_t r = 0; r < c->scopes.regions.n && r < c->frames.parts_cap; r++) {
        if (!c->frames.parts[r])
            continue;
        c->frames.over =
            cc_extend(c, c->frames.over, &c->frames.over_cap, c->frames.nover + 1, sizeof *c->frames.over);
        c->frames.over[c->frames.nover++] =
            (struct cc_rec_frame_part){c->frames.present, r, c->frames.parts[r]};
        c->frames.parts[r] = 0;
    }
}

static void next_frame(struct cc_thread *t, uint64_t now)
{
    struct cc_collect *c = t->owner;
    if (t->off)
        return;
    cc_scope_account(t, now);
    cc_lock(c);
    if (!c->frames.any) {
        c->frames.any = true;
        cc_rewrites_forget(c);
    }
    /* each frame takes some states of every node that writes */
    bool full = c->frames.present + 1 >= c->opt.max_frames || c->states.used >= c->opt.max_states / 4 * 3;
    c->frames.cut |= full;
    if (!full) {
        frame_close(c);
        c->frames.present++;
    }
    cc_unlock(c);
    if (full)
        return;
    notice_frame(t);
    for (uint32_t i = 0; !c->host.lock && i < c->threads.n; i++) /* nobody else is running */
        if (!c->threads.v[i]->ended && c->threads.v[i] != t)
            notice_frame(c->threads.v[i]);
}

/* --- recording on and off --- */

static void switch_off(struct cc_thread *t, uint64_t raw)
{
    uint64_t now = raw - t->skipped;
    cc_scope_account(t, now);
    cc_clock(t, now);
    t->off_at = now;
    t->off = true;
    enter_again(t, now);
    cc_data_enter(t);
}

static void switch_on(struct cc_thread *t, uint64_t raw)
{
    t->skipped = raw - t->off_at;
    t->off = false;
    enter_again(t, t->off_at);
    cc_data_enter(t);
    t->tick_at = 0;
}

uint64_t cc_now(struct cc_thread *t, uint64_t raw)
{
    struct cc_collect *c = t->owner;
    if (__builtin_expect(t->off != c->off, 0)) {
        if (c->off)
            switch_off(t, raw);
        else
            switch_on(t, raw);
    }
    if (__builtin_expect(t->frame != c->frames.present, 0))
        notice_frame(t);
    return t->off ? t->off_at : raw - t->skipped;
}

/* --- marks --- */

struct cc_mark_site *cc_mark_at(struct cc_collect *c, uint64_t address)
{
    for (uint32_t i = 0; i < c->code.nbinaries; i++) {
        const struct cc_binary *o = &c->code.binaries[i];
        if (!o->nmarks || !o->mapped || address < o->start || address >= o->end)
            continue;
        uint64_t at = address - o->bias;
        uint32_t lo = 0, hi = o->nmarks;
        while (lo < hi) {
            uint32_t mid = (lo + hi) / 2;
            if (o->marks[mid].address < at)
                lo = mid + 1;
            else
                hi = mid;
        }
        return lo < o->nmarks && o->marks[lo].address == at ? &o->marks[lo] : NULL;
    }
    return NULL;
}

/* The name a record points to, in `to`; false: it makes no sense. */
static bool read_text(struct cc_collect *c, uint64_t address, char to[MAX_NAME + 1])
{
    size_t n = 0;
    if (!address)
        return false;
    while (n < MAX_NAME) { /* page by page: what follows the text need not be readable */
        size_t room = 4096 - (size_t)((address + n) & 4095), want = MAX_NAME - n < room ? MAX_NAME - n : room;
        size_t got = c->host.read_guest(c->host.self, address + n, to + n, want);
        for (size_t end = n + got; n < end; n++)
            if (!to[n])
                return true;
        if (got < want)
            return false;
    }
    to[MAX_NAME] = 0;
    return true;
}

struct record {
    uint64_t magic, address, size, name, file, line;
};

static bool read_record(struct cc_thread *t, struct cc_mark_site *site, uint64_t at, struct record *r,
                        char name[MAX_NAME + 1])
{
    struct cc_collect *c = t->owner;
    bool sound = c->host.read_guest && c->host.read_guest(c->host.self, at, r, sizeof *r) == sizeof *r &&
                 r->magic == MARK_MAGIC;
    if (sound && !site->file && r->file) { /* where the mark stands, from the first time on */
        char file[MAX_NAME + 1];
        if (read_text(c, r->file, file) && r->line <= INT32_MAX) {
            cc_lock(c);
            site->line = (uint32_t)r->line;
            site->file = copy(c, file);
            cc_unlock(c);
        }
    }
    if (sound && read_text(c, r->name, name))
        return true;
    cc_problem_note(c, CC_PROBLEM_DAMAGED, "", site, NULL, NULL);
    return false;
}

void cc_mark(struct cc_thread *t, uint64_t raw, struct cc_mark_site *site, uint64_t record)
{
    struct cc_collect *c = t->owner;
    uint64_t now = cc_now(t, raw);
    char buffer[MAX_NAME + 1];
    struct record r = {0};
    const char *name = site->name;
    if (site->record) {
        if (!read_record(t, site, record, &r, buffer))
            return;
        name = buffer;
    }
    switch (site->what) {
    case CC_MARK_SITE_REGION_BEGIN:
    case CC_MARK_SITE_TASK_BEGIN:
        cc_scope_begin(t, now, site->what == CC_MARK_SITE_TASK_BEGIN ? CC_SCOPE_TASK : CC_SCOPE_REGION, name,
                       site);
        break;
    case CC_MARK_SITE_REGION_END:
    case CC_MARK_SITE_TASK_END:
        cc_scope_end(t, now, site->what == CC_MARK_SITE_TASK_END ? CC_SCOPE_TASK : CC_SCOPE_REGION, name,
                     site);
        break;
    case CC_MARK_SITE_FRAME:
        next_frame(t, now);
        break;
    case CC_MARK_SITE_RECORD_ON:
    case CC_MARK_SITE_RECORD_OFF:
        c->off = site->what == CC_MARK_SITE_RECORD_OFF;
        cc_now(t, raw);
        break;
    case CC_MARK_SITE_OBJECT:
        cc_data_name(t, r.address, r.size, name, cc_length(name));
        break;
    }
}

bool cc_region_function(struct cc_collect *c, const char *path, const char *text)
{
    uint64_t address;
    if (!cc_hex(&text, &address) || *text != '=')
        return false;
    size_t cap = c->scopes.functions_cap;
    c->scopes.functions =
        cc_extend(c, c->scopes.functions, &cap, c->scopes.nfunctions + 1, sizeof *c->scopes.functions);
    c->scopes.functions_cap = (uint32_t)cap;
    c->scopes.functions[c->scopes.nfunctions++] = (struct cc_region_function){
        .path = path,
        .address = address,
        .site = {.what = CC_MARK_SITE_REGION_BEGIN, .name = text + 1},
    };
    return true;
}
