/* What the program's addresses mean, beyond its variables: objects it has marked (include/corecast/mark.h),
 * memory it has mapped, and the heap that grows in place. Registers cannot be read, so what malloc returns
 * cannot be seen: an unmarked block belongs to the mapping or to the heap it lies in. */
#include "../../include/corecast/mark.h"
#include "race.h"

#include <stdio.h>
#include <string.h>

static uint64_t heap_start;
static unsigned mapped_blocks;

static void end_overlapped(uint64_t from, uint64_t to, uint64_t now, bool marked_only)
{
    struct cc_sim_shared *s = world.shared;
    for (uint32_t i = 0; i < s->objects; i++) {
        struct cc_sim_object *o = &s->object[i];
        if (o->program == world.number && o->until == NEVER && o->from < to && o->to > from &&
            (o->marked || !marked_only))
            o->until = now;
    }
}

static struct cc_sim_object *add(uint64_t from, uint64_t size, uint64_t now)
{
    struct cc_sim_shared *s = world.shared;
    if (!size || from + size < from)
        return NULL;
    if (s->objects == CC_SIM_OBJECTS) {
        s->objects_lost++;
        return NULL;
    }
    struct cc_sim_object *o = &s->object[s->objects];
    *o = (struct cc_sim_object){
        .from = from, .to = from + size, .since = now, .until = NEVER, .program = world.number};
    s->objects++;
    return o;
}

/* As much of a string of the program as fits. */
static void read_text(uint64_t addr, char *to, size_t size)
{
    size_t n = 0;
    while (addr && n + 1 < size && guest_read(addr + n, to + n, 1) && to[n])
        n++;
    to[n] = 0;
}

/* Where the program's file lies: known once it runs. */
static bool find_bias(uint64_t *ret)
{
    const struct cc_sim_shared *s = world.shared;
    for (uint32_t i = 0; i < s->modules; i++) {
        const struct cc_sim_module *m = &s->module[i];
        const struct cc_sim_program *p = world.program;
        if (m->program == world.number && strcmp(m->path, p->path) == 0 && m->offset <= p->code_offset &&
            p->code_offset - m->offset < m->to - m->from) {
            *ret = m->from - m->offset + p->code_offset - p->code_address;
            return true;
        }
    }
    return false;
}

bool object_mark_at(uint64_t pc)
{
    static uint64_t bias;
    static bool known;
    const struct cc_sim_program *p = world.program;
    if (!p->marks || (!known && !(known = find_bias(&bias))))
        return false;
    for (uint32_t i = 0; i < p->marks; i++)
        if (p->mark[i] + bias == pc)
            return true;
    return false;
}

void object_marked(struct thread *t, uint64_t record)
{
    struct corecast_mark m;
    if (!guest_read(record, &m, sizeof m) || m.magic != CORECAST_MARK_MAGIC)
        return;
    pthread_mutex_lock(&world.lock);
    uint64_t now = now_of(t);
    end_overlapped(m.address, m.address + m.size, now, true);
    struct cc_sim_object *o = add(m.address, m.size, now);
    if (o) {
        o->marked = true;
        o->line = (uint32_t)m.line;
        read_text(m.name, o->name, sizeof o->name);
        read_text(m.file, o->file, sizeof o->file);
    }
    pthread_mutex_unlock(&world.lock);
}

void object_mapped(struct thread *t, uint64_t addr, uint64_t size)
{
    pthread_mutex_lock(&world.lock);
    end_overlapped(addr, addr + size, now_of(t), false);
    struct cc_sim_object *o = add(addr, size, now_of(t));
    if (o)
        snprintf(o->name, sizeof o->name, "mapped block %u", ++mapped_blocks);
    pthread_mutex_unlock(&world.lock);
}

void object_unmapped(struct thread *t, uint64_t addr, uint64_t size)
{
    pthread_mutex_lock(&world.lock);
    end_overlapped(addr, addr + size, now_of(t), false);
    pthread_mutex_unlock(&world.lock);
}

/* One object from where the break was first, as far as it ever went. */
void object_break(uint64_t addr)
{
    static struct cc_sim_object *heap;
    pthread_mutex_lock(&world.lock);
    if (!heap_start)
        heap_start = addr;
    else if (!heap && addr > heap_start && (heap = add(heap_start, addr - heap_start, 0)))
        snprintf(heap->name, sizeof heap->name, "heap");
    else if (heap && addr > heap->to)
        heap->to = addr;
    pthread_mutex_unlock(&world.lock);
}
