/* The pairs of functions that are watched as channels (channel.h): who they are, and their accesses.
 *
 * Nobody else pays for it: while a watched function runs, its thread's directory of shadow memory is an empty
 * one, so that the hot path passes every access on to cc_read_any and cc_write_any, which look here first. */
#include "channel.h"
#include "data_internal.h"
#include "internal.h"

bool cc_hex(const char **text, uint64_t *ret)
{
    const char *p = *text;
    uint64_t v = 0;
    for (;; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                                                  : 16;
        if (digit == 16)
            break;
        v = v << 4 | digit;
    }
    *ret = v;
    bool any = p != *text;
    *text = p;
    return any;
}

static void watch(struct cc_collect *c, const char *path, uint64_t address, uint8_t makes, uint8_t takes)
{
    size_t cap = c->watch.functions_cap;
    c->watch.functions =
        cc_extend(c, c->watch.functions, &cap, c->watch.nfunctions + 1, sizeof *c->watch.functions);
    c->watch.functions_cap = (uint32_t)cap;
    c->watch.functions[c->watch.nfunctions++] = (struct cc_watch){path, address, makes, takes};
}

/* "ADDRESS+ADDRESS…:ADDRESS…/…": producers and consumers of each channel. */
bool cc_channels(struct cc_collect *c, const char *path, const char *text)
{
    while (c->watch.nchannels < CC_CHANNELS) {
        uint8_t bit = (uint8_t)(1u << c->watch.nchannels);
        for (bool consumer = false;;) {
            uint64_t address;
            if (!cc_hex(&text, &address))
                return false;
            watch(c, path, address, consumer ? 0 : bit, consumer ? bit : 0);
            if (*text == '+') {
                text++;
                continue;
            }
            if (consumer)
                break;
            if (*text++ != ':')
                return false;
            consumer = true;
        }
        struct cc_channel_limits limits = {0};
        c->calls.followed = true;
        c->watch.channels[c->watch.nchannels++] = cc_channel_new(&c->host, &limits);
        if (!c->watch.nothing)
            c->watch.nothing = c->host.map(c->host.self, CC_DIRECTORY * sizeof *c->watch.nothing);
        if (*text == 0)
            return true;
        if (*text++ != '/')
            return false;
    }
    return false;
}

/* A function that is seen for the first time, at an address of a file. */
void cc_watch_function(struct cc_collect *c, struct cc_function *f, const char *path)
{
    for (uint32_t i = 0; i < c->watch.nfunctions; i++) {
        const struct cc_watch *w = &c->watch.functions[i];
        if (w->address != f->address || !cc_same_text(w->path, path))
            continue;
        f->makes |= w->makes;
        f->takes |= w->takes;
    }
}

void cc_watch_enter(struct cc_thread *t, const struct cc_node *n)
{
    struct cc_collect *c = t->owner;
    t->makes = t->takes = 0;
    if (n->kind == CC_NODE_CONTEXT) {
        const struct cc_function *f = cc_function_at(c, n->group[CC_LEVEL_FUNCTION]);
        t->makes = f->makes;
        t->takes = n->scope == CC_SCOPE_OFF ? 0 : f->takes;
    }
    t->directory = t->makes | t->takes ? c->watch.nothing : c->shadow.directory;
}

void cc_watch_write(struct cc_thread *t, uint64_t a, uint32_t size)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    for (uint32_t k = 0; k < c->watch.nchannels; k++)
        if (t->makes >> k & 1)
            cc_channel_produce(c->watch.channels[k], a, size);
    cc_unlock(c);
}

/* In which channels whoever put a byte into this state is a producer. */
static uint8_t makers(const struct cc_collect *c, uint32_t state)
{
    if (!state)
        return 0;
    const struct cc_node *n = cc_node_at(c, cc_state_at(c, state)->writer);
    return n->kind == CC_NODE_CONTEXT ? cc_function_at(c, n->group[CC_LEVEL_FUNCTION])->makes : 0;
}

/* At most 64 bytes. */
static void read_part(struct cc_thread *t, uint64_t a, uint32_t size)
{
    struct cc_collect *c = t->owner;
    uint64_t own[CC_CHANNELS] = {0};
    uint32_t last_state = 0;
    uint8_t last = 0, any = 0;
    for (uint32_t i = 0, n; i < size; i += n) {
        const cc_cell *chunk = c->shadow.directory[cc_chunk_of(a + i)];
        cc_cell s = chunk ? chunk[cc_cell_of(a + i)] : 0;
        n = 4 - (uint32_t)((a + i) & 3); /* to the end of the word */
        if (s & CC_SPLIT) {
            s = *cc_bytes_at(c, a + i);
            n = 1;
        }
        if (n > size - i)
            n = size - i;
        if (s != last_state) {
            last_state = s;
            last = makers(c, s) & t->takes;
        }
        any |= last;
        for (uint32_t k = 0; last >> k; k++)
            if (last >> k & 1)
                own[k] |= ((UINT64_C(1) << n) - 1) << i;
    }
    if (!any)
        return;
    cc_lock(c);
    uint32_t array = c->data ? cc_data_group_of(c->data, a) : 0;
    for (uint32_t k = 0; k < c->watch.nchannels; k++)
        if (own[k])
            cc_channel_consume(c->watch.channels[k], (struct cc_channel_reader){t->id, array}, a, size,
                               own[k]);
    cc_unlock(c);
}

void cc_watch_read(struct cc_thread *t, uint64_t a, uint32_t size)
{
    for (; size > 64; size -= 64, a += 64)
        read_part(t, a, 64);
    read_part(t, a, size);
}

/* A forked child: what its parent produced is not followed. */
void cc_watch_forget(struct cc_collect *c)
{
    struct cc_channel_limits limits = {0};
    for (uint32_t k = 0; k < c->watch.nchannels; k++) {
        cc_channel_free(c->watch.channels[k]);
        c->watch.channels[k] = cc_channel_new(&c->host, &limits);
    }
}

void cc_watch_result(struct cc_collect *c, uint32_t channel, struct cc_rec_channel *ret)
{
    ret->producer = ret->consumer = CC_NONE;
    for (uint32_t i = c->code.functions.n; i-- > 1;) { /* the first of them, if several have the name */
        const struct cc_function *f = cc_function_at(c, i);
        if (f->makes >> channel & 1)
            ret->producer = i;
        if (f->takes >> channel & 1)
            ret->consumer = i;
    }
    cc_channel_result(c->watch.channels[channel], ret);
}
