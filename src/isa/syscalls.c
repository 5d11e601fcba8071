#include "syscalls.h"

enum { TIMES_LONG = false, TIMES_WIDE = true };

#define NOTHING
#define STRUCT(argument, what) {CC_FILL_STRUCT, argument, 0, CC_STRUCT_##what},
#define CHILD(argument, what) {CC_FILL_CHILD, argument, 0, CC_STRUCT_##what},
#define LEFT(argument, what) {CC_FILL_LEFT, argument, 0, CC_STRUCT_##what},
#define RESULT(argument, what) {CC_FILL_RESULT, argument, 0, CC_STRUCT_##what},
#define UP_TO(argument, by, what) {CC_FILL_UP_TO, argument, by, CC_STRUCT_##what},
#define COUNT(argument, by, what) {CC_FILL_COUNT, argument, by, CC_STRUCT_##what},
#define LENGTH(argument, by) {CC_FILL_LENGTH, argument, by, 0},
#define BITS(argument, by) {CC_FILL_BITS, argument, by, 0},
#define PAGES(argument, by) {CC_FILL_PAGES, argument, by, 0},
#define REVENTS(argument, by) {CC_FILL_REVENTS, argument, by, 0},
#define VECTOR(argument, by) {CC_FILL_VECTOR, argument, by, 0},
#define MESSAGE(argument) {CC_FILL_MESSAGE, argument, 0, 0},
#define MESSAGES(argument) {CC_FILL_MESSAGES, argument, 0, 0},
#define SENT(argument) {CC_FILL_SENT, argument, 0, 0},
#define MSGBUF(argument) {CC_FILL_MSGBUF, argument, 0, 0},
#define HANDLE(argument) {CC_FILL_HANDLE, argument, 0, 0},
#define EVENTS(argument) {CC_FILL_EVENTS, argument, 0, 0},
#define SPLICED(argument, by) {CC_FILL_SPLICED, argument, by, 0},
#define REMOTE(argument, by) {CC_FILL_REMOTE, argument, by, 0},
#define FUTEX(argument) {CC_FILL_FUTEX, argument, 0, 0},
#define IOCTL(argument) {CC_FILL_IOCTL, argument, 0, 0},
#define FCNTL(argument) {CC_FILL_FCNTL, argument, 0, 0},
#define PRCTL(argument) {CC_FILL_PRCTL, argument, 0, 0},
#define CLONE(argument) {CC_FILL_CLONE, argument, 0, 0},
#define CLONE3(argument) {CC_FILL_CLONE3, argument, 0, 0},
#define IPC(argument, by, what) {CC_FILL_IPC, argument, by, CC_STRUCT_##what},
#define KEY(argument, by) {CC_FILL_KEY, argument, by, 0},

static const struct cc_syscall table[] = {
#define CC_SYSCALL(name, generic, x86, arm, mips, memory, race, times, fills) \
    {#name, CC_SYS_##memory, CC_RACE_##race, TIMES_##times, {generic, x86, arm, mips}, {fills}},
#include "syscalls.def"
#undef CC_SYSCALL
};

static const uint16_t sizes[CC_STRUCTS][CC_ISAS] = {
#define CC_STRUCT(name, ...) {__VA_ARGS__},
#include "structs.def"
#undef CC_STRUCT
};

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number[isa->syscalls] >= 0 && (uint64_t)table[i].number[isa->syscalls] == number)
            return &table[i];
    return NULL;
}

unsigned cc_struct_size(const struct cc_isa *isa, enum cc_struct what)
{
    return sizes[what][isa->id];
}
