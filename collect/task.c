/* Task events: what begins and ends, with the count of instructions and accesses, as it happens. They go to a
 * file of their own, since there may be tens of millions. The file is a row of pieces: u32 thread, u32 bytes,
 * then events of that thread, each five numbers of seven bits a byte, low bits first: instructions since the
 * last event << 1 | it is an end; scope << 1, or function << 1 | 1, or what CC_TASK_LOOP says << 1; reads,
 * writes and pages touched for the first time since the last event */
#include "internal.h"
#include "locality.h"

enum { BUFFER = 1 << 16, LONGEST = 50 };

void cc_task_flush(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    if (!t->task_bytes)
        return;
    uint32_t head[2] = {t->id, (uint32_t)t->task_bytes};
    cc_lock(c);
    c->host.put_tasks(c->host.self, head, sizeof head);
    c->host.put_tasks(c->host.self, t->room.task_buffer, t->task_bytes);
    cc_unlock(c);
    t->task_bytes = 0;
}

static void put_number(struct cc_thread *t, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        t->room.task_buffer[t->task_bytes++] = (uint8_t)(v | 128);
    t->room.task_buffer[t->task_bytes++] = (uint8_t)v;
}

static void put_event(struct cc_thread *t, uint64_t now, uint64_t what, bool end,
                      const uint64_t total[CC_TASK_COUNTS])
{
    struct cc_collect *c = t->owner;
    cc_locality_boundary(t);
    if (!t->room.task_buffer)
        t->room.task_buffer = c->host.map(c->host.self, BUFFER);
    put_number(t, (now - t->origin - t->task_time) << 1 | end);
    put_number(t, what);
    for (int i = 0; i < CC_TASK_COUNTS; i++) {
        put_number(t, total[i] - t->task_counts[i]);
        t->task_counts[i] = total[i];
    }
    t->task_time = now - t->origin;
    if (t->task_bytes > BUFFER - LONGEST)
        cc_task_flush(t);
}

/* Nearly all calls and loops end before they are long enough, and a fold looks through all that the function
 * has found. */
void cc_task_begins(struct cc_thread *t, uint64_t now, bool shortly)
{
    enum { LITTLE = CC_TASK_LEAST / 4 };
    if (shortly && now - t->task_begins < LITTLE)
        return;
    cc_fold(t);
    t->task_begins = now;
}

void cc_task_event(struct cc_thread *t, uint64_t now, uint32_t id, bool function, bool end)
{
    struct cc_collect *c = t->owner;
    if (!c->host.put_tasks || t->off || c->opt.tasks >= CC_TASKS_LOOPS)
        return;
    cc_fold(t);
    put_event(t, now, (uint64_t)id << 1 | function, end, t->total);
}

void cc_task_put(struct cc_thread *t, uint64_t when, uint64_t id, bool end,
                 const uint64_t total[CC_TASK_COUNTS])
{
    if (t->owner->host.put_tasks)
        put_event(t, when, id << 1, end, total);
}
