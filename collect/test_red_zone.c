/* Below the stack pointer of a loop without calls lie its own variables, of one with calls other frames. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum { SP = 0x7000 };

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

int main(void)
{
    OK(carried(32, false) > 0, "a red zone is the loop's own");
    OK_U64(carried(32, true), 0, "of a loop that calls, frames that are gone are nobody's");
    OK_U64(carried(256, false), 0, "and nothing lies below a red zone");
    return TAP_DONE();
}
