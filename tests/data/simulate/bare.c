/* Threads without a C library, for instruction sets that have none here (MIPS, o32): four count with
 * load-linked and store-conditional in one word, and side by side; the first waits for the others to end. */
enum { EXIT = 4001, WRITE = 4004, CLONE = 4120, FUTEX = 4238, EXIT_GROUP = 4246 };
enum {
    VM_TO_SIGHAND = 0xf00,
    THREAD = 0x10000,
    SYSVSEM = 0x40000,
    CHILD_CLEAR = 0x200000,
    PARENT_SET = 0x100000
};
enum { THREADS = 4, ROUNDS = 3000, STACK = 16384 };

struct thread {
    void (*work)(long);
    long number;
    volatile int alive; /* cleared and woken by the system when the thread has ended */
};

static char stacks[THREADS][STACK] __attribute__((aligned(4096)));
static struct thread threads[THREADS];
static int total __attribute__((aligned(256)));
static volatile int side[THREADS] __attribute__((aligned(256)));

static long call(long number, long a, long b, long c, long d)
{
    register long v0 __asm__("$2") = number, a0 __asm__("$4") = a, a1 __asm__("$5") = b, a2 __asm__("$6") = c,
                     a3 __asm__("$7") = d;
    __asm__ volatile("addiu $29, $29, -32\n sw $0, 16($29)\n sw $0, 20($29)\n syscall\n addiu $29, $29, 32\n"
                     : "+r"(v0), "+r"(a3)
                     : "r"(a0), "r"(a1), "r"(a2)
                     : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25",
                       "memory");
    return a3 ? -v0 : v0;
}

__attribute__((used)) void begin(struct thread *t)
{
    t->work(t->number);
    call(EXIT, 0, 0, 0, 0);
}

/* The child finds its thread on its stack. */
static void start(struct thread *t, char *top)
{
    register long v0 __asm__("$2") = CLONE,
                     a0 __asm__("$4") = VM_TO_SIGHAND | THREAD | SYSVSEM | CHILD_CLEAR | PARENT_SET,
                     a1 __asm__("$5") = (long)(top - 64), a2 __asm__("$6") = (long)&t->alive,
                     a3 __asm__("$7") = 0;
    register long word __asm__("$16") = (long)&t->alive;
    ((struct thread **)(top - 64))[8] = t;
    __asm__ volatile(
        "addiu $29, $29, -32\n sw %5, 16($29)\n sw $0, 20($29)\n syscall\n"
        " bnez $2, 1f\n nop\n lw $4, 32($29)\n .set push\n .set noreorder\n jal begin\n nop\n .set pop\n"
        "1: addiu $29, $29, 32\n"
        : "+r"(v0), "+r"(a3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(word)
        : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "$31", "memory");
}

static void work(long me)
{
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&total, 1, __ATOMIC_SEQ_CST); /* COUNT */
        side[me]++;                                      /* SIDE */
    }
}

void __start(void)
{
    for (long i = 1; i < THREADS; i++) {
        threads[i] = (struct thread){work, i, 1};
        start(&threads[i], stacks[i] + STACK);
    }
    work(0);
    for (int i = 1; i < THREADS; i++)
        for (int v; (v = threads[i].alive) != 0;)
            call(FUTEX, (long)&threads[i].alive, 0, v, 0);
    call(WRITE, 1, (long)(total == THREADS * ROUNDS ? "right\n" : "wrong\n"), 6, 0);
    call(EXIT_GROUP, 0, 0, 0, 0);
}
