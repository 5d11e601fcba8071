/* Below the stack pointer of a loop without calls lie its own variables, of one with calls other frames. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum { SP = 0x7000, REGISTER = 5 };

static void count(void *self, const struct cc_rec_dependence *d)
{
    unsigned *carried = self;
    *carried += d->kind == CC_DEPENDENCE_WAR || d->kind == CC_DEPENDENCE_WAW;
}

/* Dependences between iterations that write and read a place there. */
static unsigned carried(uint32_t below, bool calls)
{
    struct cc_depend_options o = {.exact = true, .machine = {.red_zone = 128}};
    struct cc_depend *d = cc_depend_new(&cc_test_host, &o);
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    struct cc_depend_site sites[2] = {{.address = 1}, {.address = 2}};
    unsigned found = 0;
    cc_depend_stack(x, SP - 1024, SP + 1024);
    cc_depend_enter(x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(x, 0, SP, i);
        if (calls)
            cc_depend_call(x, 100, false, 104, SP);
        cc_depend_write(x, SP - below, 8, &sites[0]);
        cc_depend_read(x, SP - below, 8, &sites[1]);
        if (calls)
            cc_depend_return(x, 104, SP);
    }
    cc_depend_leave(x, 0, 9);
    cc_depend_results(d, &(struct cc_depend_writer){&found, count});
    return found;
}

struct seen {
    bool stored, read; /* the register's old value is put aside; it is read where it was put */
};

static void see(void *self, const struct cc_rec_dependence *d)
{
    struct seen *s = self;
    bool register_flows = d->space == CC_SPACE_REGISTER && d->kind == CC_DEPENDENCE_RAW;
    s->stored |= register_flows && d->second == 1 && d->flags & CC_DEPENDENCE_STORED;
    s->read |= register_flows && d->second == 3;
}

/* Each iteration puts a register aside that the one before has set, and gets it back. */
static struct seen put_aside(bool calls)
{
    struct cc_depend_options o = {.exact = true, .machine = {.red_zone = 128}};
    o.machine.offset[REGISTER] = 40;
    struct cc_depend *d = cc_depend_new(&cc_test_host, &o);
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    struct cc_depend_site sites[3] = {{.address = 1}, {.address = 2}, {.address = 3}};
    struct seen s = {0};
    cc_depend_stack(x, SP - 1024, SP + 1024);
    cc_depend_enter(x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(x, 0, SP, i);
        if (calls)
            cc_depend_call(x, 100, false, 104, SP);
        cc_depend_register_use(x, REGISTER, CC_USE_STORED, &sites[0]);
        cc_depend_store(x, SP - 16, 8, &sites[0], REGISTER);
        cc_depend_register_use(x, REGISTER, CC_USE_WRITE, &sites[1]);
        cc_depend_read(x, SP - 16, 8, &sites[2]);
        if (calls)
            cc_depend_return(x, 104, SP);
    }
    cc_depend_leave(x, 0, 9);
    cc_depend_results(d, &(struct cc_depend_writer){&s, see});
    return s;
}

static void test_put_aside(void)
{
    struct seen own = put_aside(false), called = put_aside(true);
    OK(own.stored && !own.read, "what is put aside there is used, and read as memory is");
    OK(!called.stored && called.read, "what a called function puts there is used when it is read");
}

int main(void)
{
    OK(carried(32, false) > 0, "a red zone is the loop's own");
    OK_U64(carried(32, true), 0, "of a loop that calls, frames that are gone are nobody's");
    OK_U64(carried(256, false), 0, "and nothing lies below a red zone");
    test_put_aside();
    return TAP_DONE();
}
