/* Data objects without any engine: closed forms, and random operations against a model that keeps a label for
 * every byte. */
#include "data_internal.h"
#include "../tests/host.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t now;

static struct cc_thread *new_thread(struct cc_collect *c, uint32_t tid)
{
    struct cc_thread *t = cc_thread_new(c, tid, 0);
    t->data->hot.clock = &now;
    return t;
}

static struct cc_collect *fresh(void)
{
    struct cc_collect *c =
        cc_collect_new(&cc_test_host, &(struct cc_options){.max_calls = 1000, .objects = true});
    for (uint32_t i = 0; i < 64; i++) {
        struct cc_function *f = cc_grow_add(c, &c->code.functions);
        f->binary = CC_NONE;
    }
    return c;
}

static void count(struct cc_thread *t, uint64_t a, uint32_t size, bool write)
{
    if (size <= 16 && (size & (size - 1)) == 0)
        cc_data_count(t->data, a, (uint32_t)__builtin_ctz(size), write);
    else
        cc_data_access(t->data, a, size, write);
}

static void count_two(struct cc_thread *t, uint64_t a, uint32_t size, bool write)
{
    cc_data_count_two(t->data, a, (uint32_t)__builtin_ctz(size), write);
}

/* --- what a snapshot says --- */

struct result {
    struct cc_rec_object groups[4096];
    char names[4096][64];
    uint64_t rets[4096]; /* innermost return address of a site */
    size_t ngroups;
    struct cc_rec_object_access pairs[4096];
    size_t npairs;
    struct cc_rec_object_slot slots[4096];
    size_t nslots;
};

static void take(void *self, uint32_t tag, const void *body, size_t size, const char *text, size_t text_size)
{
    struct result *r = self;
    (void)size;
    if (tag == CC_REC_OBJECT) {
        memcpy(&r->groups[r->ngroups], body, sizeof *r->groups);
        if (text_size)
            memcpy(r->names[r->ngroups], text, text_size < 63 ? text_size : 63);
        r->ngroups++;
    } else if (tag == CC_REC_OBJECT_SITE) {
        const struct cc_rec_object_site *f = body;
        if (f->level == 0)
            r->rets[f->object] = f->address;
    } else if (tag == CC_REC_OBJECT_ACCESS) {
        memcpy(&r->pairs[r->npairs++], body, sizeof *r->pairs);
    } else if (tag == CC_REC_OBJECT_SLOT) {
        memcpy(&r->slots[r->nslots++], body, sizeof *r->slots);
    }
}

static struct result *results(struct cc_collect *c)
{
    struct result *r = calloc(1, sizeof *r);
    cc_data_write(c, &(struct cc_data_writer){r, take}, true);
    return r;
}

static const struct cc_rec_object *site(const struct result *r, uint64_t ret)
{
    static const struct cc_rec_object none;
    for (size_t i = 0; i < r->ngroups; i++)
        if (r->rets[i] == ret)
            return &r->groups[i];
    return &none;
}

static const struct cc_rec_object *named(const struct result *r, const char *name)
{
    static const struct cc_rec_object none;
    for (size_t i = 0; i < r->ngroups; i++)
        if (strcmp(r->names[i], name) == 0)
            return &r->groups[i];
    return &none;
}

static const struct cc_rec_object_access *pair(const struct result *r, uint32_t function, uint32_t object)
{
    static const struct cc_rec_object_access none;
    for (size_t i = 0; i < r->npairs; i++)
        if (r->pairs[i].function == function && r->pairs[i].object == object)
            return &r->pairs[i];
    return &none;
}

static const struct cc_rec_object_slot *slot(const struct result *r, uint32_t function, uint32_t owner,
                                             uint64_t distance)
{
    static const struct cc_rec_object_slot none;
    for (size_t i = 0; i < r->nslots; i++)
        if (r->slots[i].function == function && r->slots[i].owner == owner &&
            r->slots[i].distance == distance)
            return &r->slots[i];
    return &none;
}

/* --- calls of allocators --- */

enum { SP = 0x7f0000, HEAP = 0x10000000 };
static uint64_t stored; /* what posix_memalign left behind */

static uint64_t load(uint64_t a)
{
    (void)a;
    return stored;
}

static void call(struct cc_thread *t, enum cc_alloc_kind kind, uint64_t ret, uint64_t a0, uint64_t a1,
                 uint64_t a2, uint64_t result)
{
    cc_alloc_enter(t, kind, (uint64_t[]){a0, a1, a2}, CC_OUTSIDE, ret, SP);
    cc_alloc_return(t, result, load, SP);
}

static void test_blocks(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP + 64);
    cc_data_brk(c, HEAP, 1 << 20);
    call(t, CC_ALLOC_MALLOC, 0x1000, 100, 0, 0, HEAP);
    call(t, CC_ALLOC_CALLOC, 0x2000, 10, 8, 0, HEAP + 112);
    now = 5;
    for (uint64_t i = 0; i < 100; i += 4)
        count(t, HEAP + i, 4, true);
    now = 9;
    for (int k = 0; k < 3; k++)
        for (uint64_t i = 0; i < 80; i += 8)
            count(t, HEAP + 112 + i, 8, false);
    call(t, CC_ALLOC_FREE, 0x3000, HEAP, 0, 0, 0);
    call(t, CC_ALLOC_FREE, 0x3000, 0, 0, 0, 0);
    call(t, CC_ALLOC_FREE, 0x3000, 12345, 0, 0, 0); /* of what nobody knows */
    call(t, CC_ALLOC_NEW, 0x4000, 60, 0, 0, HEAP);  /* the same address again */
    count(t, HEAP, 4, false);
    count(t, HEAP + 70, 1, false); /* beyond it: freed memory */
    call(t, CC_ALLOC_MALLOC, 0x5000, 1 << 30, 0, 0, 0);
    call(t, CC_ALLOC_CALLOC, 0x5000, UINT64_MAX, UINT64_MAX, 0, 0);
    stored = HEAP + 4096;
    call(t, CC_ALLOC_POSIX_MEMALIGN, 0x6000, 0, 4096, 50, 0);
    call(t, CC_ALLOC_POSIX_MEMALIGN, 0x6000, 0, 4096, 50, 12); /* failed */
    struct result *r = results(c);
    const struct cc_rec_object *g = site(r, 0x1000);
    OK(g->count == 1 && g->freed == 1 && g->total == 100 && g->live == 0 && g->peak == 100, "a freed block");
    const struct cc_rec_object_access *p = pair(r, 1, g->id);
    OK(p->writes == 25 && p->bytes_written == 100 && p->reads == 0 && p->unma == 100, "its accesses");
    OK(p->first == 5 && p->last == 5, "and when");
    g = site(r, 0x2000);
    p = pair(r, 1, g->id);
    OK(g->live == 80 && p->reads == 30 && p->bytes_read == 240 && p->unma == 80, "calloc, read three times");
    g = site(r, 0x4000);
    p = pair(r, 1, g->id);
    OK(g->count == 1 && g->total == 60 && p->reads == 1 && p->unma == 4,
       "an address in use again is another object");
    OK_U64(pair(r, 1, CC_GROUP_HEAP)->reads, 1, "freed memory is the heap's");
    OK_U64(site(r, 0x5000)->count, 0, "a call that failed makes no block");
    OK_U64(site(r, 0x6000)->total, 50, "posix_memalign");
    free(r);
}

static void test_realloc(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP + 64);
    call(t, CC_ALLOC_MALLOC, 0x1000, 100, 0, 0, HEAP);
    call(t, CC_ALLOC_REALLOC, 0x2000, HEAP, 200, 0, HEAP);        /* in place */
    call(t, CC_ALLOC_REALLOC, 0x2000, HEAP, 400, 0, HEAP + 4096); /* moves */
    count(t, HEAP + 4096 + 396, 4, true);
    count(t, HEAP, 4, true);                                       /* where it was */
    call(t, CC_ALLOC_REALLOC, 0x2000, HEAP + 4096, 1 << 30, 0, 0); /* fails: the block stays */
    count(t, HEAP + 4096, 4, true);
    call(t, CC_ALLOC_REALLOC, 0x2000, HEAP + 4096, 40, 0, HEAP + 4096);
    struct result *r = results(c);
    const struct cc_rec_object *a = site(r, 0x1000), *b = site(r, 0x2000);
    OK(a->count == 1 && a->freed == 1 && a->live == 0, "realloc takes a block over");
    OK(b->count == 1 && b->freed == 0 && b->total == 400 && b->peak == 400 && b->live == 40,
       "and it grows and shrinks");
    OK_U64(pair(r, 1, b->id)->writes, 2, "accesses follow it");
    OK_U64(pair(r, 1, CC_GROUP_HEAP)->writes, 1, "and not where it was");
    free(r);
    call(t, CC_ALLOC_REALLOC, 0x2000, HEAP + 4096, 0, 0, 0);
    call(t, CC_ALLOC_REALLOC, 0x7000, 0, 10, 0, HEAP);
    cc_data_name(t, HEAP, 10, "kept", 4);
    call(t, CC_ALLOC_REALLOC, 0x8000, HEAP, 30, 0, HEAP + 4096);
    r = results(c);
    OK(site(r, 0x2000)->freed == 1 && site(r, 0x2000)->live == 0, "to nothing frees");
    OK(named(r, "kept")->live == 30 && named(r, "kept")->count == 1 && site(r, 0x8000)->count == 0 &&
           site(r, 0x7000)->count == 0,
       "a name outlives realloc");
    free(r);
}

static void test_pending(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP + 64);
    uint64_t size[3] = {32, 0, 0};
    cc_data_brk(c, HEAP, 1 << 20);
    OK_U64(cc_alloc_enter(t, CC_ALLOC_NEW, size, CC_OUTSIDE, 0x1000, SP), 0x1000, "a call awaits its return");
    count(t, HEAP + 500, 8, true);
    OK_U64(cc_alloc_enter(t, CC_ALLOC_MALLOC, size, CC_OUTSIDE, 0x9000, SP - 64), 0x1000,
           "the outermost counts");
    OK_U64(cc_alloc_return(t, HEAP, load, SP - 64), 0x1000, "not a return further down");
    OK_U64(cc_alloc_return(t, HEAP, load, SP), 0, "until its own");
    cc_alloc_enter(t, CC_ALLOC_NEW_ARRAY, size, CC_OUTSIDE, 0x6000, SP);
    OK_U64(cc_alloc_enter(t, CC_ALLOC_NEW, size, CC_OUTSIDE, 0x6000, SP), 0x6000,
           "one that jumps to another");
    cc_alloc_return(t, HEAP + 320, load, SP);
    /* a signal in the middle of malloc whose handler allocates */
    cc_alloc_enter(t, CC_ALLOC_MALLOC, size, CC_OUTSIDE, 0x2000, SP);
    cc_alloc_interrupted(t);
    OK_U64(cc_alloc_enter(t, CC_ALLOC_MALLOC, size, CC_OUTSIDE, 0x3000, SP - 512), 0x3000, "in a handler");
    OK_U64(cc_alloc_return(t, HEAP + 64, load, SP - 512), 0x2000, "then the interrupted one again");
    cc_alloc_return(t, HEAP + 128, load, SP);
    /* left by longjmp, and the next call from the same place */
    cc_alloc_enter(t, CC_ALLOC_MALLOC, size, CC_OUTSIDE, 0x4000, SP);
    OK_U64(cc_alloc_enter(t, CC_ALLOC_MALLOC, size, CC_OUTSIDE, 0x4000, SP), 0x4000, "a call after longjmp");
    cc_alloc_return(t, HEAP + 256, load, SP);
    cc_alloc_enter(t, CC_ALLOC_NEW, size, CC_OUTSIDE, 0x5000, SP);
    OK_U64(cc_alloc_landed(t, SP - 16), 0x5000, "code below the call does not end it");
    OK_U64(cc_alloc_landed(t, SP), 0, "an exception does");
    count(t, HEAP, 8, true);
    struct result *r = results(c);
    OK_U64(site(r, 0x1000)->count + site(r, 0x2000)->count + site(r, 0x3000)->count, 3,
           "each made its block");
    OK_U64(site(r, 0x6000)->alloc, CC_ALLOC_NEW_ARRAY, "is what it was called as");
    OK(site(r, 0x4000)->count == 1 && site(r, 0x5000)->count == 0 && site(r, 0x9000)->count == 0,
       "and no more");
    OK(pair(r, 1, CC_GROUP_HEAP)->writes == 1 && pair(r, 1, site(r, 0x1000)->id)->writes == 1,
       "what the allocator does is the heap's");
    free(r);
}

static void test_sites(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP + 640); /* main */
    for (uint64_t line = 0; line < 2; line++) {
        cc_call(t, 0, 2, 0x200 + line, SP + 512); /* wrapper, called at two lines */
        call(t, CC_ALLOC_MALLOC, 0x300, 16, 0, 0, HEAP + 32 * line);
        cc_return(t, 0, 0x200 + line, SP + 512);
    }
    cc_call(t, 0, 3, 0x400, SP + 512);
    for (uint64_t i = 0; i < 5; i++) /* recursion by two ways */
        cc_call(t, 0, 3, 0x500 + i % 2, SP + 400 - 16 * i);
    call(t, CC_ALLOC_MALLOC, 0x600, 16, 0, 0, HEAP + 1024);
    cc_return(t, 0, 0x500, SP);
    call(t, CC_ALLOC_MALLOC, 0x600, 16, 0, 0, HEAP + 2048);
    struct result *r = results(c);
    size_t wrapped = 0, recursive = 0;
    for (size_t i = 0; i < r->ngroups; i++) {
        wrapped += r->rets[i] == 0x300;
        recursive += r->rets[i] == 0x600;
    }
    OK_U64(wrapped, 2, "a wrapper's callers are told apart");
    OK(recursive == 1 && site(r, 0x600)->count == 2, "recursion is one site");
    free(r);
}

static void test_stack_frames(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1), *other = new_thread(c, 2);
    cc_data_stack(t, SP - (1 << 20), SP + 4096);
    cc_data_stack(other, SP + (1 << 20), SP + (2 << 20));
    cc_call(t, 0, 1, 0x100, SP);
    for (int i = 0; i < 10; i++)
        count(t, SP - 8, 4, true);
    for (int i = 0; i < 5; i++) {
        count_two(t, SP - 48, 8, i % 2); /* the second ends at SP - 32 */
        count_two(t, SP - 8, 8, true);   /* the second is above the frame */
    }
    count(t, SP - 20000, 4, true); /* a large stack frame */
    count(t, SP - 24, 16, false);  /* not aligned */
    cc_call(t, 0, 2, 0x200, SP - 30000);
    count(t, SP - 8, 4, false); /* a variable of the caller */
    count(t, SP - 30008, 8, true);
    cc_call(other, 0, 3, 0x300, SP + (2 << 20) - 64);
    count(other, SP - 8, 4, false); /* the same from another thread */
    cc_return(t, 0, 0x200, SP - 30000);
    count(t, SP - 8, 4, true);
    count(t, SP + 64, 4, false); /* above all stack frames */
    struct result *r = results(c);
    OK(slot(r, 1, 1, 8)->writes == 11 && slot(r, 1, 1, 8)->bytes_written == 44 && slot(r, 1, 1, 8)->size == 4,
       "a variable of the running function");
    OK(slot(r, 1, 1, 48)->writes == 2 && slot(r, 1, 1, 48)->reads == 3 && slot(r, 1, 1, 40)->writes == 2 &&
           slot(r, 1, 1, 40)->reads == 3,
       "two side by side");
    OK_U64(slot(r, 1, 1, 20000)->writes, 1, "far down in its stack frame");
    OK(slot(r, 1, 1, 24)->reads == 1 && slot(r, 1, 1, 24)->size == 16, "not aligned");
    OK_U64(slot(r, 2, 1, 8)->reads, 1, "the caller's variable");
    OK_U64(slot(r, 2, 2, 8)->writes, 1, "and one's own");
    OK_U64(slot(r, 3, 1, 8)->reads, 1, "another thread's variable");
    uint64_t rest = 0;
    for (size_t i = 0; i < r->npairs; i++)
        rest += r->groups[r->pairs[i].object].kind == CC_OBJECT_STACK ? r->pairs[i].reads : 0;
    OK_U64(rest, 1, "the rest of the stack");
    free(r);
}

static void test_statics(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP);
    cc_data_static(c, 0, 0x1000000, 0x100, 1); /* two chars in a word */
    cc_data_static(c, 0, 0x1000000, 0x101, 1);
    cc_data_static(c, 0, 0x1000000, 0x104, 4); /* ints in a granule */
    cc_data_static(c, 0, 0x1000000, 0x108, 4);
    cc_data_static(c, 0, 0x1000000, 0x200, 4096);
    cc_data_static(c, 0, 0x1000000, 0x200, 4096); /* another name for it */
    cc_data_statics_done(c);
    cc_data_file(c, "prog", true, 0x1000000, 0x2000); /* the file's own mapping comes later */
    for (int i = 0; i < 3; i++) {
        count(t, 0x1000100, 1, true);
        count(t, 0x1000101, 1, false);
        count(t, 0x1000104, 4, true);
        count(t, 0x1000108, 4, false);
        count(t, 0x1000200 + 64 * (uint64_t)i, 16, false);
        count(t, 0x1001800, 8, false); /* no symbol */
    }
    struct result *r = results(c);
    uint64_t at[] = {0x100, 0x101, 0x104, 0x108, 0x200}, want[][2] = {{0, 3}, {3, 0}, {0, 3}, {3, 0}, {3, 0}};
    bool fine = true;
    for (size_t i = 0; i < 5; i++) {
        const struct cc_rec_object *g = NULL;
        for (size_t k = 0; k < r->ngroups && !g; k++)
            if (r->groups[k].kind == CC_OBJECT_GLOBAL && r->groups[k].address == at[i])
                g = &r->groups[k];
        fine &= g && pair(r, 1, g->id)->reads == want[i][0] && pair(r, 1, g->id)->writes == want[i][1];
    }
    OK(fine, "symbols that share words and granules");
    OK_U64(pair(r, 1, named(r, "prog")->id)->reads, 3, "what no symbol covers is the file's");
    free(r);
    cc_data_unmap(c, 0x1000000, 0x2000);
    count(t, 0x1000104, 4, true);
    r = results(c);
    OK_U64(pair(r, 1, CC_GROUP_OTHER)->writes, 1, "an unloaded library's symbols are gone");
    free(r);
}

/* --- sparse and huge --- */

static void test_huge(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP);
    const uint64_t big = UINT64_C(20) << 30, at = UINT64_C(0x500000000000);
    call(t, CC_ALLOC_MALLOC, 0x1000, big, 0, 0, at);
    for (uint64_t a = 0; a < big; a += UINT64_C(1) << 30)
        for (uint64_t i = 0; i < 4096; i += 8)
            count(t, at + a + i, 8, true);
    cc_data_name(t, at + 4096, 100, "part", 4);
    count(t, at + 4096, 4, true);
    call(t, CC_ALLOC_FREE, 0x2000, at, 0, 0, 0);
    t->out_ret = 0x7000;
    cc_data_mmap(t, at, big);
    count(t, at + big - 8, 8, false);
    cc_data_unmap(c, at, big / 2); /* half of it */
    count(t, at, 8, false);
    struct result *r = results(c);
    const struct cc_rec_object *g = site(r, 0x1000);
    OK(g->peak == big && g->live == 0 && pair(r, 1, g->id)->unma == 20 * 4096, "a sparse block of 20 GiB");
    OK(named(r, "part")->live == 0 && named(r, "part")->freed == 1, "a named part of it ends with it");
    const struct cc_rec_object *m = &r->groups[0];
    for (size_t i = 0; i < r->ngroups; i++)
        if (r->groups[i].kind == CC_OBJECT_MAPPED)
            m = &r->groups[i];
    OK(m->peak == big && m->live == big / 2 && pair(r, 1, m->id)->reads == 1,
       "a mapping, half of it unmapped");
    free(r);
}

static void test_names(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP);
    call(t, CC_ALLOC_MALLOC, 0x1000, 4096, 0, 0, HEAP);
    cc_data_name(t, HEAP, 4096, "tile", 4);
    count(t, HEAP + 8, 8, true);
    struct result *r = results(c);
    OK(site(r, 0x1000)->count == 0 && site(r, 0x1000)->peak == 0 && named(r, "tile")->count == 1 &&
           named(r, "tile")->live == 4096,
       "a block that is named as a whole leaves its site");
    OK_U64(pair(r, 1, named(r, "tile")->id)->writes, 1, "with its accesses");
    free(r);
    call(t, CC_ALLOC_MALLOC, 0x2000, 65536, 0, 0, HEAP + 65536);
    for (uint64_t i = 0; i < 64; i++)
        cc_data_name(t, HEAP + 65536 + i * 1024, 1000, "part", 4);
    cc_data_name(t, HEAP + 65536 + 500, 1024, "over",
                 4); /* the end of one part and the beginning of the next */
    count(t, HEAP + 65536 + 496, 4, false);
    count(t, HEAP + 65536 + 500, 4, false);
    count(t, HEAP + 65536 + 1524, 4, false);
    count(t, HEAP + 65536 + 5 * 1024 + 1000, 4, false); /* between two */
    r = results(c);
    OK_U64(named(r, "part")->live, 64000 - 500 - 500, "a new name takes from the old");
    OK(pair(r, 1, named(r, "part")->id)->reads == 2 && pair(r, 1, named(r, "over")->id)->reads == 1 &&
           pair(r, 1, site(r, 0x2000)->id)->reads == 1,
       "byte by byte");
    free(r);
    call(t, CC_ALLOC_FREE, 0x3000, HEAP + 65536, 0, 0, 0);
    char *odd = calloc(1, 6000);
    memset(odd, '"', 6000);
    memcpy(odd, "a\nb\xff", 4);
    cc_data_name(t, HEAP, 4096, odd, 6000);
    r = results(c);
    OK(named(r, "part")->live == 0 && named(r, "over")->live == 0, "freeing ends all names inside");
    OK(named(r, "tile")->live == 0 && c->data->nnames == 4, "another name for a whole block");
    size_t longest = 0;
    for (size_t i = 0; i < r->ngroups; i++)
        longest = r->groups[i].name_size > longest ? r->groups[i].name_size : longest;
    OK_U64(longest, CC_DATA_NAME, "a long name is cut");
    free(odd);
    free(r);
}

/* --- random operations --- */

enum { ARENA = 1 << 18, SITES = 6, NAMES = 4, LABELS = 1 + SITES + NAMES, FUNCTIONS = 5, BLOCKS = 64 };

struct model {
    uint8_t label[ARENA]; /* 0 heap, then sites, then names */
    struct {
        uint32_t start, size;
        uint8_t label;
    } blocks[BLOCKS];
    uint64_t live[LABELS];
    uint64_t n[FUNCTIONS][LABELS][2], bytes[FUNCTIONS][LABELS][2];
    uint8_t *touched[FUNCTIONS][LABELS];
};

static uint64_t seed;

static uint32_t dice(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 33) % n;
}

/* What follows a block in its last 16 bytes belongs to nobody else. */
static uint32_t whole_granules(uint32_t size)
{
    return (size + 15) & ~15u;
}

static void model_free(struct model *m, int b)
{
    memset(m->label + m->blocks[b].start, 0, whole_granules(m->blocks[b].size));
    m->blocks[b].size = 0;
}

/* A free place for a block, or UINT32_MAX. */
static uint32_t model_place(const struct model *m, uint32_t size)
{
    for (int tries = 0; tries < 50; tries++) {
        uint32_t at = dice(ARENA - size - 16) & ~15u, i = 0;
        bool taken = false;
        for (i = 0; i < BLOCKS; i++)
            taken |= m->blocks[i].size && at < m->blocks[i].start + m->blocks[i].size + 16 &&
                     m->blocks[i].start < at + size + 16;
        if (!taken)
            return at;
    }
    return UINT32_MAX;
}

static void set_block(struct model *m, int b, uint32_t at, uint32_t size, uint8_t label)
{
    m->blocks[b].start = at;
    m->blocks[b].size = size;
    m->blocks[b].label = label;
    memset(m->label + at, label, whole_granules(size));
}

static void step_allocate(struct cc_thread *t, struct model *m, int b)
{
    uint32_t size = 1 + (dice(4) ? dice(200) : dice(90000)), at = model_place(m, size), s = dice(SITES);
    if (at == UINT32_MAX)
        return;
    call(t, CC_ALLOC_REALLOC, 0x1000 + s, 0, size, 0, HEAP + at); /* a site is a place and a kind */
    set_block(m, b, at, size, (uint8_t)(1 + s));
}

static void step_resize(struct cc_thread *t, struct model *m, int b)
{
    uint32_t s = dice(SITES), size = 1 + dice(3000), old = m->blocks[b].start;
    uint8_t label = m->blocks[b].label > SITES ? m->blocks[b].label : (uint8_t)(1 + s);
    model_free(m, b);
    uint32_t at = dice(2) ? model_place(m, size) : UINT32_MAX;
    if (at == UINT32_MAX) { /* in place, smaller */
        at = old;
        size = 1 + dice(8);
    }
    call(t, CC_ALLOC_REALLOC, 0x1000 + s, HEAP + old, size, 0, HEAP + at);
    set_block(m, b, at, size, label);
}

/* Whole or part. */
static void step_name(struct cc_thread *t, struct model *m, int b)
{
    uint32_t k = dice(NAMES), at = m->blocks[b].start, size = m->blocks[b].size;
    char name[2] = {(char)('A' + k), 0};
    bool whole = dice(2);
    if (!whole) {
        if (size < 24)
            return;
        at += 4 * dice(size / 8);
        size = 4 + 4 * dice(size / 16);
    } else {
        m->blocks[b].label = (uint8_t)(1 + SITES + k);
    }
    cc_data_name(t, HEAP + at, size, name, 1);
    memset(m->label + at, 1 + SITES + (int)k, whole ? whole_granules(size) : size);
}

static void model_access(struct model *m, uint32_t f, uint32_t at, uint32_t size, bool write)
{
    uint8_t label = m->label[at];
    m->n[f][label][write]++;
    m->bytes[f][label][write] += size;
    for (uint32_t k = at; k < at + size; k++)
        m->touched[f][label][k] |= write ? 2 : 1;
}

static void step_access(struct cc_thread *t, struct model *m, int b)
{
    uint32_t f = t->data->function, base = dice(4) ? m->blocks[b].start : dice(ARENA - 64);
    uint32_t span = m->blocks[b].size ? m->blocks[b].size : 64;
    for (uint32_t i = 0, n = 1 + dice(40); i < n; i++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16, 4, 8, 1, 12, 32};
        uint32_t size = sizes[dice(10)], at = base + dice(span);
        if (size <= 16 && size != 12 && dice(8))
            at &= ~(size - 1);
        bool write = dice(2), two = (size == 4 || size == 8) && dice(3) == 0;
        if (at + size * (two ? 2 : 1) > ARENA)
            continue;
        model_access(m, f, at, size, write);
        if (two) {
            model_access(m, f, at + size, size, write);
            count_two(t, HEAP + at, size, write);
        } else {
            count(t, HEAP + at, size, write);
        }
    }
}

static void step(struct cc_thread *t, struct model *m)
{
    int b = (int)dice(BLOCKS);
    uint32_t what = dice(100);
    if (what < 6 && !m->blocks[b].size) {
        step_allocate(t, m, b);
    } else if (what < 9 && m->blocks[b].size) {
        call(t, CC_ALLOC_FREE, 0x9000, HEAP + m->blocks[b].start, 0, 0, 0);
        model_free(m, b);
    } else if (what < 11 && m->blocks[b].size) {
        step_resize(t, m, b);
    } else if (what < 13 && m->blocks[b].size) {
        step_name(t, m, b);
    } else if (what < 16) {
        uint32_t f = 1 + dice(FUNCTIONS - 1);
        cc_return(t, 0, 0x100, SP);
        cc_call(t, 0, f, 0x100, SP);
    } else {
        step_access(t, m, b);
    }
}

static int label_of(const struct result *r, size_t g)
{
    if (r->groups[g].kind == CC_OBJECT_HEAP)
        return 0;
    if (r->groups[g].kind == CC_OBJECT_BLOCK)
        return (int)(1 + r->rets[g] - 0x1000);
    return r->groups[g].kind == CC_OBJECT_NAMED ? 1 + SITES + r->names[g][0] - 'A' : -1;
}

static bool agrees(const struct result *r, struct model *m)
{
    bool fine = true;
    size_t pairs = 0, want = 0;
    for (size_t i = 0; i < r->npairs; i++) {
        const struct cc_rec_object_access *p = &r->pairs[i];
        int l = label_of(r, p->object);
        if (l < 0 || p->function >= FUNCTIONS)
            return false;
        uint64_t unma[4] = {0}; /* [read | written << 1] */
        for (size_t k = 0; k < ARENA; k++)
            unma[m->touched[p->function][l][k]]++;
        fine &= p->reads == m->n[p->function][l][0] && p->writes == m->n[p->function][l][1] &&
                p->bytes_read == m->bytes[p->function][l][0] &&
                p->bytes_written == m->bytes[p->function][l][1] && p->unma == unma[1] + unma[2] + unma[3] &&
                p->unma_read == unma[1] + unma[3] && p->unma_written == unma[2] + unma[3];
        pairs++;
    }
    for (size_t f = 0; f < FUNCTIONS; f++)
        for (size_t l = 0; l < LABELS; l++)
            want += m->n[f][l][0] || m->n[f][l][1];
    for (size_t i = 0; i < BLOCKS; i++)
        if (m->blocks[i].size && m->blocks[i].label <= SITES)
            m->live[m->blocks[i].label] += m->blocks[i].size;
    for (size_t g = 0; g < r->ngroups; g++)
        if (r->groups[g].kind == CC_OBJECT_BLOCK)
            fine &= r->groups[g].live == m->live[label_of(r, g)];
    return fine && pairs == want;
}

static void test_random(void)
{
    size_t wrong = 0;
    struct model *m = calloc(1, sizeof *m);
    uint8_t *touched = calloc(FUNCTIONS * LABELS, ARENA);
    for (int run = 0; run < 12; run++) {
        memset(m, 0, sizeof *m);
        memset(touched, 0, (size_t)FUNCTIONS * LABELS * ARENA);
        for (size_t f = 0; f < FUNCTIONS; f++)
            for (size_t l = 0; l < LABELS; l++)
                m->touched[f][l] = touched + (f * LABELS + l) * ARENA;
        seed = (uint64_t)run * 77 + 1;
        struct cc_collect *c = fresh();
        struct cc_thread *t = new_thread(c, 1);
        cc_call(t, 0, 1, 0x100, SP);
        cc_data_brk(c, HEAP, ARENA);
        for (int i = 0; i < 4000; i++)
            step(t, m);
        struct result *r = results(c);
        wrong += !agrees(r, m);
        free(r);
    }
    OK_U64(wrong, 0, "random blocks, names and accesses agree with a label for every byte");
    free(touched);
    free(m);
}

/* --- several threads; fork --- */

/* Frames of all sizes, entered by calls and left by returns: an access is to the frame of the topmost
 * function that begins above it, whoever's that was before. */
static void test_random_frames(void)
{
    enum { DEEP = 12, NEAR = 512, STEPS = 200000 };
    static uint64_t counted[FUNCTIONS][FUNCTIONS][NEAR][2]; /* [by, whose, distance / 8, write] */
    struct cc_thread *t = new_thread(fresh(), 1);
    uint64_t sps[DEEP] = {SP}, wrong = 0;
    uint32_t functions[DEEP] = {0}, depth = 0;
    cc_data_stack(t, SP - (1 << 20), SP + 64);
    cc_call(t, 0, 1, 0x100, SP);
    for (int i = 0; i < STEPS; i++) {
        if (dice(5) == 0 && depth + 1 < DEEP) {
            uint64_t sp = sps[depth] - 16 * (1 + dice(40));
            sps[++depth] = sp;
            functions[depth] = dice(FUNCTIONS);
            cc_call(t, 0, 1 + functions[depth], 0x100 + 8 * depth, sp);
        } else if (dice(5) == 0 && depth) {
            cc_return(t, 0, 0x100 + 8 * depth, sps[depth]);
            depth--;
        }
        uint64_t a = sps[depth] - 128 + 8 * dice((uint32_t)(SP - sps[depth] + 128) / 8);
        uint32_t whose = depth, write = dice(2);
        while (sps[whose] <= a)
            whose--;
        count(t, a, a & 8 ? 8 : 4, write);
        counted[functions[depth]][functions[whose]][(sps[whose] - a) / 8][write]++;
    }
    struct result *r = results(t->owner);
    for (size_t i = 0; i < r->nslots; i++) {
        const struct cc_rec_object_slot *s = &r->slots[i];
        uint64_t *n = counted[s->function - 1][s->owner - 1][s->distance / 8];
        wrong += n[0] != s->reads || n[1] != s->writes;
        n[0] = n[1] = 0;
    }
    for (const uint64_t *n = &counted[0][0][0][0], *end = n + sizeof counted / sizeof *n; n < end; n++)
        wrong += *n != 0;
    OK_U64(wrong, 0, "accesses to random stack frames are counted for whose they are");
    free(r);
}

static void test_threads(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *a = new_thread(c, 1), *b = new_thread(c, 2);
    cc_call(a, 0, 1, 0x100, SP);
    cc_call(b, 0, 1, 0x100, SP + (1 << 20));
    call(a, CC_ALLOC_MALLOC, 0x1000, 256, 0, 0, HEAP);
    cc_alloc_enter(a, CC_ALLOC_MALLOC, (uint64_t[]){64, 0, 0}, CC_OUTSIDE, 0x2000, SP); /* both at once */
    cc_alloc_enter(b, CC_ALLOC_MALLOC, (uint64_t[]){32, 0, 0}, CC_OUTSIDE, 0x2000, SP + (1 << 20) - 64);
    cc_alloc_return(a, HEAP + 256, load, SP);
    cc_alloc_return(b, HEAP + 512, load, SP + (1 << 20) - 64);
    for (uint64_t i = 0; i < 200; i += 4)
        count(a, HEAP + i, 4, true);
    for (uint64_t i = 100; i < 256; i += 4)
        count(b, HEAP + i, 4, true);
    for (uint64_t i = 0; i < 40; i += 8)
        count(b, HEAP + i, 8, false);
    count(a, HEAP, 4, false);
    struct result *r = results(c);
    const struct cc_rec_object_access *p = pair(r, 1, site(r, 0x1000)->id);
    OK(p->writes == 50 + 39 && p->unma == 256, "two threads are added up");
    OK(p->unma_read == 40 && p->unma_written == 256 && p->bytes_read == 44, "addresses of each direction");
    OK(site(r, 0x2000)->count == 2 && site(r, 0x2000)->live == 96, "two that allocate at once");
    free(r);
    cc_data_forget(c);
    count(a, HEAP, 4, false);
    r = results(c);
    p = pair(r, 1, site(r, 0x1000)->id);
    OK(p->writes == 0 && p->reads == 1 && p->unma == 4 && site(r, 0x1000)->live == 256, "a fork counts anew");
    free(r);
}

static void test_system_calls(void)
{
    struct cc_collect *c = fresh();
    struct cc_thread *t = new_thread(c, 1);
    cc_call(t, 0, 1, 0x100, SP);
    call(t, CC_ALLOC_MALLOC, 0x1000, 1000, 0, 0, HEAP);
    uint32_t source = cc_source(c, "read", "f");
    cc_input(t, HEAP + 3, 900, source);
    cc_output(t, HEAP, 1000);
    struct result *r = results(c);
    const struct cc_rec_object *g = site(r, 0x1000);
    const struct cc_rec_object_access *in = pair(r, CC_SPECIAL_ID(CC_NODE_INPUT), g->id);
    const struct cc_rec_object_access *out = pair(r, CC_SPECIAL_ID(CC_NODE_OUTPUT), g->id);
    OK(in->writes == 1 && in->bytes_written == 900 && in->unma == 900, "a system call that fills an object");
    OK(out->reads == 1 && out->bytes_read == 1000, "and one that sends it out");
    free(r);
}

static void test_kinds(void)
{
    OK(cc_alloc_kind_of("malloc") == CC_ALLOC_MALLOC && cc_alloc_kind_of("mallocs") == CC_ALLOC_NONE &&
           cc_alloc_kind_of("malloc_usable_size") == CC_ALLOC_NONE && cc_alloc_kind_of("") == CC_ALLOC_NONE,
       "names of C");
    OK(cc_alloc_kind_of("_Znwm") == CC_ALLOC_NEW &&
           cc_alloc_kind_of("_ZnamRKSt9nothrow_t") == CC_ALLOC_NEW_ARRAY &&
           cc_alloc_kind_of("_ZdaPvm") == CC_ALLOC_FREE && cc_alloc_kind_of("_ZdlPv") == CC_ALLOC_FREE &&
           cc_alloc_kind_of("_Zn") == CC_ALLOC_NONE && cc_alloc_kind_of("_ZneRK1A") == CC_ALLOC_NONE,
       "and of C++");
    OK(cc_alloc_kind_of("_ZnwmPv") == CC_ALLOC_NONE && cc_alloc_kind_of("_ZnajPv") == CC_ALLOC_NONE &&
           cc_alloc_kind_of("_ZdlPvS_") == CC_ALLOC_NONE &&
           cc_alloc_kind_of("_ZnwmSt11align_val_t") == CC_ALLOC_NEW &&
           cc_alloc_kind_of("_ZdlPvSt11align_val_t") == CC_ALLOC_FREE,
       "new at a given place allocates nothing");
}

int main(void)
{
    test_kinds();
    test_blocks();
    test_realloc();
    test_pending();
    test_sites();
    test_stack_frames();
    test_statics();
    test_huge();
    test_names();
    test_threads();
    test_system_calls();
    test_random();
    test_random_frames();
    return TAP_DONE();
}
