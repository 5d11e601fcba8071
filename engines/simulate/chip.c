/* Several programs on one chip: each is a process with a race of its own, and the token is handed from
 * process to process as it is from core to core. A program that does not have it has said when one of its
 * cores wants something next; a thread of ours waits until it comes back. */
#include "race.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_ours(void)
{
    return world.shared->programs == 1 || atomic_load(&world.shared->holder) == world.number;
}

bool chip_is_ours(uint64_t next)
{
    uint32_t nobody = CC_SIM_PROGRAMS;
    bool ours = is_ours();
    if (!ours) {
        atomic_store(&world.program->next, next);
        ours = next != NEVER && atomic_compare_exchange_strong(&world.shared->holder, &nobody, world.number);
    }
    if (ours && !world.sim)
        world.sim = world.shared->sim;
    return ours;
}

uint64_t chip_others(unsigned *ret_program)
{
    uint64_t first = NEVER;
    *ret_program = CC_SIM_PROGRAMS;
    for (unsigned i = 0; i < world.shared->programs && world.shared->programs > 1; i++) {
        uint64_t next = atomic_load(&world.shared->program[i].next);
        if (i == world.number || next >= first)
            continue;
        first = next;
        *ret_program = i;
    }
    return first;
}

static void wake(unsigned program)
{
    struct cc_sim_program *p = &world.shared->program[program];
    atomic_fetch_add(&p->turn, 1);
    syscall(SYS_futex, &p->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void chip_pass(unsigned to, uint64_t next)
{
    uint32_t nobody = CC_SIM_PROGRAMS;
    atomic_store(&world.program->next, next);
    atomic_store(&world.shared->holder, to);
    if (to == CC_SIM_PROGRAMS && chip_others(&to) != NEVER && /* one has come back meanwhile */
        !atomic_compare_exchange_strong(&world.shared->holder, &nobody, to))
        return; /* and has taken it */
    if (to < CC_SIM_PROGRAMS)
        wake(to);
}

void chip_leave(void)
{
    unsigned program;
    if (world.shared->programs == 1)
        return;
    atomic_store(&world.program->next, NEVER);
    if (is_ours())
        chip_pass(chip_others(&program) == NEVER ? CC_SIM_PROGRAMS : program, NEVER);
}

static void *await_turns(void *unused)
{
    (void)unused;
    for (uint32_t seen = 0; !atomic_load(&world.off);) {
        uint32_t turn = atomic_load(&world.program->turn);
        if (turn == seen) {
            syscall(SYS_futex, &world.program->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
            continue;
        }
        seen = turn;
        pthread_mutex_lock(&world.lock);
        if (is_ours() && world.threads) /* else its first thread is about to start */
            sched_next();
        pthread_mutex_unlock(&world.lock);
    }
    return NULL;
}

void chip_start(void)
{
    if (world.shared->programs > 1)
        helper_start(await_turns, NULL);
}
