/* Coroutines in closed form. Each kind of switch runs the same plays; every function's calls and instructions
 * are known: spin(n) is a loop of n rounds. argv[1]: what switches stacks; argv[2]: the play. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define KEEP __attribute__((noinline, noclone, noipa))
enum { STACK = 64 << 10 };

volatile unsigned sink;
KEEP void spin(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}

/* --- what switches --- */

struct stack {
    void *sp;
    ucontext_t context;
    jmp_buf jump;
    void (*body)(void);
    struct stack *back; /* who runs when the body ends */
};
static int kind; /* 'a': assembly, 'u': ucontext, 'j': longjmp once it has started */
static struct stack *present, own;

/* saves what a call must keep, and the stack pointer in *from; goes on where `to` was saved */
void switch_stacks(void **from, void *to);
#if defined(__aarch64__)
__asm__(".text\n.globl switch_stacks\n.type switch_stacks, %function\nswitch_stacks:\n"
        "sub sp, sp, #96\nstp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\n"
        "stp x25, x26, [sp, #48]\nstp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "mov x2, sp\nstr x2, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\n"
        "ldp x25, x26, [sp, #48]\nldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
        "add sp, sp, #96\nret\n.size switch_stacks, .-switch_stacks\n");
enum { SAVED = 12, RETURN_AT = 11 };
#elif defined(__x86_64__)
__asm__(".text\n.globl switch_stacks\n.type switch_stacks, @function\nswitch_stacks:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\n"
        "ret\n.size switch_stacks, .-switch_stacks\n");
enum { SAVED = 8, RETURN_AT = 6 };
#else
void switch_stacks(void **from, void *to)
{
    (void)from;
    (void)to;
    abort();
}
enum { SAVED = 1, RETURN_AT = 0 };
#endif

KEEP void go(struct stack *to)
{
    struct stack *from = present;
    present = to;
    if (kind == 'a')
        switch_stacks(&from->sp, to->sp);
    else if (kind == 'u')
        swapcontext(&from->context, &to->context);
    else if (!_setjmp(from->jump)) {
        if (to->body)
            setcontext(&to->context);
        _longjmp(to->jump, 1);
    }
}

/* The first function of every stack. */
KEEP void run(void)
{
    void (*body)(void) = present->body;
    present->body = NULL;
    body();
    go(present->back);
    abort();
}

KEEP struct stack *stack_new(void (*body)(void))
{
    struct stack *s = calloc(1, sizeof *s);
    char *memory = malloc(STACK);
    s->body = body;
    if (kind == 'a') {
        void **top = (void **)(memory + STACK) - 16 - SAVED;
        memset(top, 0, SAVED * sizeof *top);
        top[RETURN_AT] = (void *)run;
        s->sp = top;
    } else {
        getcontext(&s->context);
        s->context.uc_stack.ss_sp = memory;
        s->context.uc_stack.ss_size = STACK;
        makecontext(&s->context, run, 0);
    }
    return s;
}

KEEP void resume(struct stack *s)
{
    if (s->body)
        s->back = present;
    go(s);
}
KEEP void yield(void)
{
    go(present->back);
}

/* --- plays --- */

static struct stack *ping_stack, *pong_stack;
KEEP void ping_work(void)
{
    spin(100);
}
KEEP void pong_work(void)
{
    spin(200);
}
KEEP void ping(void)
{
    for (int i = 0; i < 100; i++) {
        ping_work();
        resume(pong_stack);
    }
}
KEEP void pong_deep(int n)
{
    if (n) {
        pong_deep(n - 1);
    } else {
        pong_work();
        yield();
    }
}
KEEP void pong(void)
{
    for (int i = 0; i < 101; i++)
        pong_deep(i % 5);
}
KEEP void ping_pong(void)
{
    ping_stack = stack_new(ping);
    pong_stack = stack_new(pong);
    resume(ping_stack);
    spin(300);
}

static struct stack *inner_stack, *outer_stack;
static unsigned given;
KEEP void walk(unsigned depth)
{
    if (!depth)
        return;
    walk(depth - 1);
    given = depth;
    yield();
    walk(depth - 1);
}
KEEP void inner(void)
{
    walk(6);
    given = 0;
}
KEEP void outer(void)
{
    inner_stack = stack_new(inner);
    for (;;) {
        resume(inner_stack);
        if (!given)
            break;
        spin(given);
        yield();
    }
}
KEEP unsigned take(void)
{
    resume(outer_stack);
    return given;
}
KEEP void nested(void)
{
    outer_stack = stack_new(outer);
    while (take())
        spin(50);
}

KEEP void endless(void)
{
    for (;;) {
        spin(20);
        yield();
    }
}
KEEP void abandoned(void)
{
    for (int i = 0; i < 50; i++) {
        struct stack *s = stack_new(endless);
        for (int k = 0; k < 4; k++)
            resume(s);
        spin(10);
    }
}

enum { MANY = 2000 };
KEEP void little(void)
{
    spin(3);
    yield();
    spin(4);
}
KEEP void many(void)
{
    static struct stack *all[MANY];
    for (int i = 0; i < MANY; i++)
        resume(all[i] = stack_new(little));
    for (int i = 0; i < MANY; i++)
        resume(all[i]);
}

static jmp_buf out_of_handler;
KEEP void in_handler(void)
{
    spin(30);
}
KEEP void on_usr1(int sig)
{
    (void)sig;
    in_handler();
}
KEEP void on_usr2(int sig)
{
    (void)sig;
    in_handler();
    _longjmp(out_of_handler, 1);
}
KEEP void leave_handler(void)
{
    if (!_setjmp(out_of_handler))
        raise(SIGUSR2);
}
KEEP void signals(void)
{
    static char memory[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_usr1, .sa_flags = SA_ONSTACK}, NULL);
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_usr2, .sa_flags = SA_ONSTACK | SA_NODEFER}, NULL);
    for (int i = 0; i < 20; i++) {
        raise(SIGUSR1);
        leave_handler();
    }
    spin(1000);
}

int main(int argc, char **argv)
{
    present = &own;
    kind = argc > 1 ? argv[1][0] : 'a';
    const char *play = argc > 2 ? argv[2] : "ping_pong";
    if (!strcmp(play, "ping_pong"))
        ping_pong();
    else if (!strcmp(play, "nested"))
        nested();
    else if (!strcmp(play, "abandoned"))
        abandoned();
    else if (!strcmp(play, "many"))
        many();
    else
        signals();
    spin(7);
    return 0;
}
