/* Bare-metal firmware for QEMU's virt board (aarch64, arm, riscv64): every core adds to a counter under a
 * spin lock, then to a slot of its own; core 0 prints the sum and switches the machine off. No interrupts, no
 * MMU, no libraries. */
typedef unsigned long word;

enum { MAX_CORES = 8, ROUNDS = 200 };

#if defined(__riscv)
__asm__(".section .start,\"ax\"\n"
        ".global _start\n"
        "_start:\n"
        "    csrr a0, mhartid\n"
        "    la   sp, stacks\n"
        "    addi t0, a0, 1\n"
        "    slli t0, t0, 12\n"
        "    add  sp, sp, t0\n"
        "    call core_main\n"
        "1:  wfi\n"
        "    j 1b\n"
        ".text\n");
static volatile unsigned char *const uart = (unsigned char *)0x10000000;
static void start_core(word core)
{
    (void)core; /* all harts start by themselves */
}
static void power_off(void)
{
    *(volatile unsigned *)0x100000 = 0x5555;
}
#elif defined(__aarch64__)
__asm__(".section .start,\"ax\"\n"
        ".global _start\n"
        "_start:\n"
        "    mrs x0, mpidr_el1\n"
        "    and x0, x0, #255\n"
        "    adrp x1, stacks\n"
        "    add x1, x1, :lo12:stacks\n"
        "    add x2, x0, #1\n"
        "    add x1, x1, x2, lsl #12\n"
        "    mov sp, x1\n"
        "    bl core_main\n"
        "1:  wfi\n"
        "    b 1b\n"
        ".text\n");
static volatile unsigned *const uart = (unsigned *)0x09000000;
extern void _start(void);
static word psci(word function, word a, word b)
{
    register word x0 __asm__("x0") = function, x1 __asm__("x1") = a, x2 __asm__("x2") = b,
                     x3 __asm__("x3") = 0;
    __asm__ volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}
static void start_core(word core)
{
    psci(0xc4000003, core, (word)_start);
}
static void power_off(void)
{
    psci(0x84000008, 0, 0);
}
#else
__asm__(".section .start,\"ax\"\n"
        ".global _start\n"
        ".arm\n"
        "_start:\n"
        "    mrc p15, 0, r0, c0, c0, 5\n"
        "    and r0, r0, #255\n"
        "    ldr r1, =stacks\n"
        "    add r2, r0, #1\n"
        "    add sp, r1, r2, lsl #12\n"
        "    bl core_main\n"
        "1:  wfi\n"
        "    b 1b\n"
        ".ltorg\n"
        ".text\n");
static volatile unsigned *const uart = (unsigned *)0x09000000;
extern void _start(void);
static word psci(word function, word a, word b)
{
    register word r0 __asm__("r0") = function, r1 __asm__("r1") = a, r2 __asm__("r2") = b,
                     r3 __asm__("r3") = 0;
    __asm__ volatile(".arch_extension virt\n hvc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3) : "memory");
    return r0;
}
static void start_core(word core)
{
    psci(0x84000003, core, (word)_start);
}
static void power_off(void)
{
    psci(0x84000008, 0, 0);
}
#endif

char stacks[MAX_CORES][4096] __attribute__((aligned(4096)));
static int lock, finished;
static volatile long counter;
static volatile long own[MAX_CORES];

#ifndef CORES
#define CORES 4
#endif

static void print(const char *s)
{
    while (*s)
        *uart = (unsigned char)*s++;
}

static void print_number(long v)
{
    char digits[24], *p = digits + sizeof digits - 1;
    *p = 0;
    do
        *--p = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    print(p);
}

void core_main(word core)
{
    if (core >= CORES)
        return;
    if (core == 0)
        for (word i = 1; i < CORES; i++)
            start_core(i);
    for (int i = 0; i < ROUNDS; i++) {
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
            ;
        counter++;
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
        own[core]++; /* eight cores' slots share a line */
    }
    __atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
    if (core != 0)
        return;
    while (__atomic_load_n(&finished, __ATOMIC_SEQ_CST) != CORES)
        ;
    print("sum ");
    print_number(counter);
    print("\n");
    power_off();
}
