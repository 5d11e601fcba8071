/* The state of a run written out as records. */
#include "internal.h"
#include "locality.h"
#include "data.h"

struct output {
    const struct cc_sink *sink;
    int failed;
    uint64_t records;
    size_t n;
    uint8_t buffer[1 << 16];
};

static void flush(struct output *o)
{
    if (o->n && !o->failed)
        o->failed = o->sink->write(o->sink->self, o->buffer, o->n);
    o->n = 0;
}

/* Most of what is put is a few words, and there are millions. */
static bool put_words(struct output *o, const uint8_t *p, size_t size)
{
    if (size % 8 || size > 64 || sizeof o->buffer - o->n < size)
        return false;
    for (size_t i = 0; i < size; i += 8)
        __builtin_memcpy(o->buffer + o->n + i, p + i, 8);
    o->n += size;
    return true;
}

static void put(struct output *o, const void *data, size_t size)
{
    const uint8_t *p = data;
    if (put_words(o, p, size))
        return;
    while (size) {
        if (o->n == sizeof o->buffer)
            flush(o);
        size_t room = sizeof o->buffer - o->n, n = size < room ? size : room;
        __builtin_memcpy(o->buffer + o->n, p, n);
        o->n += n;
        p += n;
        size -= n;
    }
}

struct text {
    const char *s;
    size_t n;
};

/* A record with up to two texts behind it. */
static void record(struct output *o, uint32_t tag, const void *body, size_t size, struct text first,
                   struct text second)
{
    struct cc_rec_head head = {tag, (uint32_t)(size + first.n + second.n)};
    put(o, &head, sizeof head);
    put(o, body, size);
    put(o, first.s, first.n);
    put(o, second.s, second.n);
    o->records++;
}

#define RECORD(o, tag, ...) \
    record(o, tag, &(__VA_ARGS__), sizeof(__VA_ARGS__), (struct text){NULL, 0}, (struct text){NULL, 0})

/* What happens while recording is off is known, not counted. */
static bool is_off(const struct cc_collect *c, uint32_t node)
{
    return cc_node_at(c, node)->scope == CC_SCOPE_OFF;
}

struct total { /* of a function */
    uint64_t calls, inclusive;
    uint32_t seen; /* 1 + the last thread on whose stack it is */
};

/* Activations that are still on a stack count up to now; the lowest of each function, as when it ends. */
static void add_open_calls(const struct cc_collect *c, const struct cc_thread *t, struct total *totals)
{
    for (size_t i = 1; i < t->depth; i++) {
        struct total *f = &totals[cc_context_at(c, t->room.activations[i].context)->function];
        if (f->seen != t->id + 1)
            f->inclusive += t->since - t->room.activations[i].enter;
        f->seen = t->id + 1;
    }
}

/* All but the roots of threads, which nobody called. */
static void add_totals(const struct cc_collect *c, struct total *totals)
{
    for (uint32_t i = 0; i < c->calls.contexts.n; i++) {
        const struct cc_context *x = cc_context_at(c, i);
        totals[x->function].calls += x->parent == CC_NONE ? 0 : x->calls;
    }
    for (uint32_t f = 0; f < c->code.functions.n && f < c->threads.inclusive_cap; f++)
        totals[f].inclusive = c->threads.inclusive[f];
    for (uint32_t k = 0; k < c->threads.n; k++) {
        const struct cc_thread *t = c->threads.v[k];
        for (uint32_t f = 0; f < c->code.functions.n && f < t->room.activity_cap; f++)
            totals[f].inclusive += t->room.activity[f].inclusive;
        add_open_calls(c, t, totals);
    }
}

static void put_code(struct cc_collect *c, struct output *o)
{
    uint32_t nfunctions = c->code.functions.n;
    struct total *totals = c->host.map(c->host.self, nfunctions * sizeof *totals);
    add_totals(c, totals);
    for (uint32_t i = 0; i < c->code.nbinaries; i++) {
        size_t n = cc_length(c->code.binaries[i].path);
        struct cc_rec_binary r = {.id = i,
                                  .is_program = c->code.binaries[i].program,
                                  .bias = c->code.binaries[i].bias,
                                  .path_size = (uint32_t)n};
        record(o, CC_REC_BINARY, &r, sizeof r, (struct text){c->code.binaries[i].path, n},
               (struct text){NULL, 0});
    }
    for (uint32_t i = 0; i < c->code.functions.n; i++) {
        const struct cc_function *f = cc_function_at(c, i);
        struct cc_rec_function r = {.id = i,
                                    .binary = f->binary,
                                    .address = f->address,
                                    .library = f->library,
                                    .calls = totals[i].calls,
                                    .inclusive = totals[i].inclusive};
        RECORD(o, CC_REC_FUNCTION, r);
    }
    c->host.unmap(c->host.self, totals, nfunctions * sizeof *totals);
}

static void put_runs(struct cc_collect *c, struct output *o)
{
    for (uint32_t i = 0; i < c->threads.n; i++) {
        const struct cc_thread *t = c->threads.v[i];
        struct cc_rec_thread r = {
            .id = i, .tid = t->tid, .start = t->start, .instructions = t->since - t->origin};
        RECORD(o, CC_REC_THREAD, r);
    }
    for (uint32_t i = 0; i < c->calls.contexts.n; i++) {
        const struct cc_context *x = cc_context_at(c, i);
        struct cc_rec_context r = {i, x->parent, x->function, x->thread, x->calls, x->exclusive};
        RECORD(o, CC_REC_CONTEXT, r);
    }
    for (uint32_t i = 0; i < c->sources.n; i++) {
        size_t n1 = cc_length(c->sources.v[i].call), n2 = cc_length(c->sources.v[i].file);
        struct cc_rec_source r = {.id = i, .call_size = (uint32_t)n1, .file_size = (uint32_t)n2};
        record(o, CC_REC_SOURCE, &r, sizeof r, (struct text){c->sources.v[i].call, n1},
               (struct text){c->sources.v[i].file, n2});
    }
    for (uint32_t i = 0; i < c->calls.nline; i++) {
        const struct cc_call_entry *k = &c->calls.line[i];
        struct cc_rec_call r = {k->context, k->thread, k->start, k->length};
        RECORD(o, CC_REC_CALL, r);
    }
}

static void put_scopes(struct cc_collect *c, struct output *o)
{
    uint64_t *exclusive = c->host.map(c->host.self, c->scopes.regions.n * sizeof *exclusive);
    for (uint32_t i = 0; i < c->scopes.all.n; i++) {
        const struct cc_scope *s = cc_grow_at(&c->scopes.all, i);
        exclusive[s->region] += s->exclusive;
    }
    for (uint32_t i = 0; i < c->scopes.regions.n; i++) {
        const struct cc_region *g = cc_grow_at(&c->scopes.regions, i);
        size_t n = cc_length(g->name);
        struct cc_rec_region r = {i, (uint32_t)n, g->calls, exclusive[i], g->inclusive};
        for (uint32_t k = 0; k < c->threads.n; k++) /* those that are open count up to now */
            for (size_t j = 0; j < c->threads.v[k]->nopen; j++) {
                const struct cc_open *open = &c->threads.v[k]->room.open[j];
                const struct cc_scope *s = cc_grow_at(&c->scopes.all, open->scope);
                if (s->region != i || s->kind != CC_SCOPE_REGION)
                    continue;
                r.inclusive += c->threads.v[k]->since - open->start;
                break;
            }
        if (i == 0)
            r.inclusive = r.exclusive;
        record(o, CC_REC_REGION, &r, sizeof r, (struct text){g->name, n}, (struct text){NULL, 0});
    }
    for (uint32_t i = 0; i < c->scopes.all.n; i++) {
        const struct cc_scope *s = cc_grow_at(&c->scopes.all, i);
        const char *file = s->site && s->site->file ? s->site->file : "";
        size_t n1 = cc_length(s->name), n2 = cc_length(file);
        struct cc_rec_scope r = {.id = i,
                                 .parent = s->parent,
                                 .kind = s->kind,
                                 .region = s->region,
                                 .line = n2 ? s->site->line : 0,
                                 .name_size = (uint32_t)n1,
                                 .file_size = (uint32_t)n2,
                                 .calls = s->calls,
                                 .exclusive = s->exclusive};
        record(o, CC_REC_SCOPE, &r, sizeof r, (struct text){s->name, n1}, (struct text){file, n2});
    }
    c->host.unmap(c->host.self, exclusive, c->scopes.regions.n * sizeof *exclusive);
}

static const char *text_or_empty(const char *s)
{
    return s ? s : "";
}

static void put_problems(struct cc_collect *c, struct output *o)
{
    for (uint32_t i = 0; i < c->scopes.nproblems; i++) {
        const struct cc_problem_entry *p = &c->scopes.problems[i];
        const char *texts[4] = {p->name, text_or_empty(p->site->file), text_or_empty(p->other_name),
                                text_or_empty(p->other ? p->other->file : NULL)};
        struct cc_rec_problem r = {.kind = p->kind,
                                   .line = p->site->line,
                                   .other_line = p->other ? p->other->line : 0,
                                   .name_size = (uint32_t)cc_length(texts[0]),
                                   .file_size = (uint32_t)cc_length(texts[1]),
                                   .other_name_size = (uint32_t)cc_length(texts[2]),
                                   .other_file_size = (uint32_t)cc_length(texts[3]),
                                   .count = p->count};
        struct cc_rec_head head = {CC_REC_PROBLEM, (uint32_t)sizeof r + r.name_size + r.file_size +
                                                       r.other_name_size + r.other_file_size};
        put(o, &head, sizeof head);
        put(o, &r, sizeof r);
        for (int k = 0; k < 4; k++)
            put(o, texts[k], cc_length(texts[k]));
        o->records++;
    }
}

/* Up to the last fold, and since: who is not a thread's is not folded. */
static struct cc_sum sum_of(const struct cc_sum *before, const struct cc_counts *since)
{
    return (struct cc_sum){before->operations + cc_counts_operations(since),
                           before->bytes + cc_counts_bytes(since)};
}

static uint64_t less(uint64_t accesses, uint64_t again, uint64_t most)
{
    uint64_t n = accesses < again ? 0 : accesses - again;
    return n < most ? n : most;
}

static struct cc_rec_node node_record(const struct cc_node *n)
{
    struct cc_sum read[2], written[2];
    for (int k = 0; k < 2; k++) {
        read[k] = sum_of(&n->read[k], &n->tally.reads[k]);
        written[k] = sum_of(&n->written[k], &n->tally.writes[k]);
    }
    struct cc_rec_node r = {.scope = n->scope,
                            .reads = read[0].operations + read[1].operations,
                            .stack_reads = read[1].operations,
                            .writes = written[0].operations + written[1].operations,
                            .stack_writes = written[1].operations,
                            .bytes_read = read[0].bytes + read[1].bytes,
                            .stack_bytes_read = read[1].bytes,
                            .bytes_written = written[0].bytes + written[1].bytes,
                            .stack_bytes_written = written[1].bytes};
    if (n->kind == CC_NODE_CONTEXT) {
        const uint64_t *again = n->tally.again;
        uint64_t stack = r.stack_reads + r.stack_writes, other = r.reads + r.writes - stack;
        /* Threads that run at once may change whose stack it is between a count and the other. */
        r.memory_instructions = stack + other - again[0] - again[1] - again[2];
        r.stack_instructions = less(stack, again[1], r.memory_instructions);
        r.other_instructions = less(other, again[0], r.memory_instructions);
    }
    return r;
}

static void put_nodes(struct cc_collect *c, struct output *o)
{
    for (uint32_t i = 0; i < c->nodes.all.n; i++) {
        const struct cc_node *n = cc_node_at(c, i);
        struct cc_rec_node r = {0};
        if (!is_off(c, i))
            r = node_record(n);
        r.id = i;
        r.kind = n->kind;
        r.context = n->context;
        r.source = n->source;
        RECORD(o, CC_REC_NODE, r);
    }
}

/* --- streams --- */

static void put_edge(void *self, const struct cc_rec_edge *r)
{
    struct output *o = self;
    if (r->bytes) /* else known from before a fork */
        RECORD(o, CC_REC_EDGE, *r);
}

/* Whether anything ran while recording was off: nodes are larger than streams, and all over memory for them.
 */
static bool any_off(const struct cc_collect *c)
{
    for (uint32_t i = 0; i < c->nodes.all.n; i++)
        if (is_off(c, i))
            return true;
    return false;
}

/* Each stream is one between groups too: all nodes are their own groups. A thread's nodes are only its. */
static void put_streams(struct cc_collect *c, struct output *o, const struct cc_thread *t,
                        const struct cc_addresses *unma, int level, bool off)
{
    for (uint32_t i = 0; i < t->room.streams->n; i++) {
        const struct cc_stream *s = cc_stream_at(t, i + 1);
        if (off && is_off(c, s->consumer))
            continue;
        struct cc_rec_edge r = {.level = (uint32_t)level,
                                .producer = s->producer,
                                .consumer = s->consumer,
                                .has_unma = true,
                                .bytes = cc_stream_count(t, s, CC_COUNTED_BYTES),
                                .unma = cc_addresses_of(unma, s),
                                .reads = cc_stream_count(t, s, CC_COUNTED_READS),
                                .fresh = cc_stream_count(t, s, CC_COUNTED_FRESH + (uint32_t)level)};
        put_edge(o, &r);
    }
}

static bool is_finest(const struct cc_collect *c, int level)
{
    for (uint32_t i = 0; i < c->nodes.all.n; i++)
        if (cc_node_at(c, i)->group[level] != i)
            return false;
    return true;
}

static void put_level(struct cc_collect *c, struct output *o, int level, const struct cc_addresses *unma,
                      bool final)
{
    bool wanted = level != CC_LEVEL_REGION || c->scopes.regions.n > 1; /* else it is all one region */
    if (!is_finest(c, level)) {
        cc_level_edges(c, level, unma, final && wanted, put_edge, o);
        return;
    }
    bool off = any_off(c);
    for (uint32_t k = 0; k < c->threads.n; k++)
        put_streams(c, o, c->threads.v[k], &unma[k], level, off);
}

static void put_levels(struct cc_collect *c, struct output *o, bool final)
{
    struct cc_addresses *unma = cc_addresses_new(c);
    for (int level = 0; level < CC_LEVELS; level++)
        put_level(c, o, level, unma, final);
    cc_addresses_free(c, unma);
}

/* --- frames --- */

struct flow_key {
    uint64_t ends, frames; /* producer << 32 | consumer, each */
    uint64_t bytes;
};

struct flow_table {
    struct flow_key *v;
    size_t n, cap;
};

static struct flow_key *flow_slot(struct flow_key *v, size_t cap, uint64_t ends, uint64_t frames)
{
    size_t i = (size_t)cc_mix(ends ^ cc_mix(frames)) & (cap - 1);
    while (v[i].bytes && (v[i].ends != ends || v[i].frames != frames))
        i = (i + 1) & (cap - 1);
    return &v[i];
}

static void flow_add(struct cc_collect *c, struct flow_table *f, uint64_t ends, uint64_t frames,
                     uint64_t bytes)
{
    if (!bytes)
        return;
    if (f->n * 2 >= f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 4096;
        struct flow_key *v = c->host.map(c->host.self, cap * sizeof *v);
        for (size_t i = 0; i < f->cap; i++)
            if (f->v[i].bytes)
                *flow_slot(v, cap, f->v[i].ends, f->v[i].frames) = f->v[i];
        cc_give_back(c, f->v, f->cap * sizeof *f->v);
        f->v = v;
        f->cap = cap;
    }
    struct flow_key *k = flow_slot(f->v, f->cap, ends, frames);
    f->n += k->bytes == 0;
    *k = (struct flow_key){ends, frames, k->bytes + bytes};
}

static uint64_t flow_ends(const struct cc_collect *c, const struct cc_stream *s, int level)
{
    return (uint64_t)cc_node_at(c, s->producer)->group[level] << 32 |
           cc_node_at(c, s->consumer)->group[level];
}

struct level_flows {
    struct cc_collect *c;
    struct flow_table table;
    int level;
};

static void add_flow(void *self, const struct cc_thread *t, const struct cc_frame_flow *flow)
{
    struct level_flows *f = self;
    const struct cc_stream *s = cc_stream_at(t, flow->stream + 1);
    if (!is_off(f->c, s->consumer))
        flow_add(f->c, &f->table, flow_ends(f->c, s, f->level),
                 (uint64_t)flow->producer_frame << 32 | flow->consumer_frame, flow->bytes);
}

static void put_flows(struct cc_collect *c, struct output *o, int level)
{
    struct level_flows flows = {.c = c, .level = level};
    for (uint32_t k = 0; k < c->threads.n; k++) {
        const struct cc_thread *t = c->threads.v[k];
        for (size_t i = 0; i < t->nflows; i++)
            add_flow(&flows, t, &t->flows[i]);
        cc_flows(t, add_flow, &flows);
    }
    struct flow_table f = flows.table;
    for (size_t i = 0; i < f.cap; i++) {
        const struct flow_key *k = &f.v[i];
        if (!k->bytes)
            continue;
        struct cc_rec_flow r = {.level = (uint32_t)level,
                                .producer = (uint32_t)(k->ends >> 32),
                                .consumer = (uint32_t)k->ends,
                                .producer_frame = (uint32_t)(k->frames >> 32),
                                .consumer_frame = (uint32_t)k->frames,
                                .bytes = k->bytes};
        RECORD(o, CC_REC_FLOW, r);
    }
    cc_give_back(c, f.v, f.cap * sizeof *f.v);
}

static void put_frames(struct cc_collect *c, struct output *o)
{
    uint64_t start = 0;
    size_t at = 0;
    for (uint32_t i = 0; i <= c->frames.present; i++) {
        struct cc_rec_frame r = {.id = i, .start = start};
        for (; at < c->frames.nover && c->frames.over[at].frame == i; at++)
            r.length += c->frames.over[at].instructions;
        for (uint32_t k = 0; i == c->frames.present && k < c->scopes.regions.n && k < c->frames.parts_cap;
             k++)
            r.length += c->frames.parts[k];
        start += r.length;
        RECORD(o, CC_REC_FRAME, r);
    }
    for (size_t i = 0; i < c->frames.nover; i++)
        RECORD(o, CC_REC_FRAME_PART, c->frames.over[i]);
    for (uint32_t k = 0; k < c->scopes.regions.n && k < c->frames.parts_cap; k++) {
        struct cc_rec_frame_part r = {c->frames.present, k, c->frames.parts[k]};
        if (r.instructions)
            RECORD(o, CC_REC_FRAME_PART, r);
    }
    put_flows(c, o, CC_LEVEL_FUNCTION);
    put_flows(c, o, CC_LEVEL_REGION);
}

/* --- time and code --- */

static void put_slices(struct cc_collect *c, struct output *o)
{
    struct cc_slice_reader before = {.slices = &c->time.slices};
    for (cc_slices_next(&before); !before.over; cc_slices_next(&before))
        RECORD(o, CC_REC_SLICE, before.entry);
    for (uint32_t f = 0; f < c->code.functions.n && f < c->time.sum_cap; f++) {
        const struct cc_slice_sum *s = &c->time.sum[f];
        struct cc_rec_slice r = {c->time.slice, f, s->read, s->written, s->stack_read, s->stack_written};
        if (r.read || r.written)
            RECORD(o, CC_REC_SLICE, r);
    }
}

static void put_table(const struct cc_collect *c, struct output *o, const struct cc_block_table *table)
{
    bool own = table->function == CC_NONE;
    for (uint32_t i = 1; i < (own ? c->blocks.n : c->blocks.nlent); i++) {
        uint32_t id = own ? i : c->blocks.lent[i];
        struct cc_rec_exec r = {.block = id - 1,
                                .function = own ? c->blocks.all[id].function : table->function,
                                .scope = table->scope,
                                .count = table->counts[i]};
        if (r.count)
            RECORD(o, CC_REC_EXEC, r);
    }
}

static void put_blocks(struct cc_collect *c, struct output *o)
{
    for (uint32_t i = 1; i < c->blocks.n; i++) {
        const struct cc_block_entry *b = &c->blocks.all[i];
        struct cc_rec_block r = {.id = i - 1,
                                 .function = b->function,
                                 .instructions = b->instructions,
                                 .size = b->size,
                                 .mode = b->thumb,
                                 .address = b->address};
        record(o, CC_REC_BLOCK, &r, sizeof r, (struct text){(const char *)b->code, b->size},
               (struct text){(const char *)b->insns, b->instructions * sizeof *b->insns});
    }
    for (uint32_t t = 0; t < CC_BLOCK_TABLES; t++)
        if (c->blocks.tables[t].counts)
            put_table(c, o, &c->blocks.tables[t]);
}

static void put_loop_code(struct cc_collect *c, struct output *o)
{
    for (size_t i = 0; i < c->loop_codes.n; i++)
        RECORD(o, CC_REC_LOOP_CODE, c->loop_codes.v[i]);
}

static void put_channels(struct cc_collect *c, struct output *o)
{
    struct cc_rec_channel *r = c->host.map(c->host.self, sizeof *r);
    for (uint32_t i = 0; i < c->watch.nchannels; i++) {
        cc_watch_result(c, i, r);
        RECORD(o, CC_REC_CHANNEL, *r);
    }
    c->host.unmap(c->host.self, r, sizeof *r);
}

static uint32_t run_flags(const struct cc_collect *c, uint32_t flags)
{
    return flags | (c->states.cut ? CC_RUN_APPROXIMATE : 0) | (c->frames.any ? CC_RUN_FRAMES : 0) |
           (c->frames.cut ? CC_RUN_FRAMES_CUT : 0) | (c->blocks.cut ? CC_RUN_BLOCKS_CUT : 0) |
           (c->host.put_tasks ? CC_RUN_TASKS : 0) | (c->opt.plain ? CC_RUN_PLAIN : 0) |
           (cc_data_cut(c) ? CC_RUN_OBJECTS_CUT : 0) | (c->opt.exact ? CC_RUN_LOOPS_EXACT : 0) |
           (c->loop_codes.cut ? CC_RUN_CODE_CUT : 0) | (c->lines.cut ? CC_RUN_LINES_CUT : 0);
}

static void put_data(void *self, uint32_t tag, const void *body, size_t size, const char *text,
                     size_t text_size)
{
    record(self, tag, body, size, (struct text){text, text_size}, (struct text){NULL, 0});
}

int cc_snapshot(struct cc_collect *c, const struct cc_sink *sink, uint32_t pid, uint32_t flags)
{
    struct output *o = c->host.map(c->host.self, sizeof *o);
    o->sink = sink;
    put(o, CC_RECORD_MAGIC, 8);
    struct cc_rec_run run = {.pid = pid,
                             .flags = run_flags(c, flags),
                             .call_threshold = c->calls.threshold,
                             .machine = (uint32_t)c->opt.machine,
                             .libs = (uint32_t)c->opt.libs,
                             .slice_length = c->time.slice_length,
                             .loops = c->opt.loops_file ? (uint32_t)c->opt.loops : CC_LOOPS_NONE,
                             .lines_shift = c->lines.shift < 6 ? c->lines.shift : 6};
    for (uint32_t i = 0; i < c->threads.n; i++) {
        if (!c->threads.v[i]->ended)
            cc_fold(c->threads.v[i]);
        cc_task_flush(c->threads.v[i]);
        cc_locality_flush(c->threads.v[i]);
        run.instructions += c->threads.v[i]->since - c->threads.v[i]->origin;
    }
    RECORD(o, CC_REC_RUN, run);
    put_code(c, o);
    put_runs(c, o);
    put_scopes(c, o);
    put_nodes(c, o);
    put_levels(c, o, flags & CC_RUN_FINAL);
    put_problems(c, o);
    if (c->frames.any)
        put_frames(c, o);
    for (uint32_t i = 0; i < c->scopes.nspans; i++)
        RECORD(o, CC_REC_SPAN, c->scopes.spans[i]);
    if (!c->opt.plain)
        put_slices(c, o);
    put_blocks(c, o);
    put_loop_code(c, o);
    put_channels(c, o);
    if (c->opt.objects)
        cc_data_write(c, &(struct cc_data_writer){o, put_data}, flags & CC_RUN_FINAL);
    cc_loops_write(c, &(struct cc_data_writer){o, put_data});
    cc_locality_write(c, &(struct cc_data_writer){o, put_data});
    cc_depend_records(c, &(struct cc_data_writer){o, put_data});
    struct cc_rec_end end = {o->records};
    RECORD(o, CC_REC_END, end);
    flush(o);
    int failed = o->failed;
    c->host.unmap(c->host.self, o, sizeof *o);
    return failed;
}
