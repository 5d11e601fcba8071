/* A bytecode interpreter: 200 opcodes, each a C function, values with tags, calls of the guest nest in C.
 * bytecode [ROUNDS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum tag { INTEGER, REAL, NOTHING };
struct value {
    union {
        int64_t i;
        double d;
    } as;
    uint8_t tag;
};

enum { STACK = 4096, LOCALS = 16 };
struct machine {
    struct value stack[STACK];
    int top;
    const uint16_t *code;
    int64_t steps;
};
struct frame {
    struct value locals[LOCALS];
    const uint16_t *pc;
    int depth;
};

static void push(struct machine *m, struct value v)
{
    m->stack[m->top++ & (STACK - 1)] = v;
}

static struct value pop(struct machine *m)
{
    return m->stack[--m->top & (STACK - 1)];
}

static struct value integer(int64_t i)
{
    return (struct value){.as.i = i, .tag = INTEGER};
}

static double real_of(struct value v)
{
    return v.tag == REAL ? v.as.d : (double)v.as.i;
}

static int64_t integer_of(struct value v)
{
    return v.tag == INTEGER ? v.as.i : (int64_t)v.as.d;
}

static struct value arithmetic(struct value a, struct value b, int how, int constant)
{
    if (a.tag == REAL || b.tag == REAL) {
        double x = real_of(a), y = real_of(b);
        x = how == 0 ? x + y + constant : how == 1 ? x - y : how == 2 ? x * 0.5 + y : x + constant;
        return (struct value){.as.d = x, .tag = REAL};
    }
    uint64_t x = (uint64_t)a.as.i, y = (uint64_t)b.as.i;
    x = how == 0   ? x + y + (uint64_t)constant
        : how == 1 ? x - y
        : how == 2 ? x * 31 + y
                   : x ^ y << (constant & 7);
    return integer((int64_t)x);
}

/* 10 families of 20 opcodes each: the compiler makes 200 functions of them. */
#define FAMILY_BINARY(n)                                         \
    static int op_binary_##n(struct machine *m, struct frame *f) \
    {                                                            \
        struct value b = pop(m), a = pop(m);                     \
        (void)f;                                                 \
        push(m, arithmetic(a, b, n & 3, n));                     \
        return 0;                                                \
    }
#define FAMILY_LOAD(n)                                         \
    static int op_load_##n(struct machine *m, struct frame *f) \
    {                                                          \
        push(m, f->locals[n & (LOCALS - 1)]);                  \
        return n < 0;                                          \
    }
#define FAMILY_STORE(n)                                         \
    static int op_store_##n(struct machine *m, struct frame *f) \
    {                                                           \
        f->locals[n & (LOCALS - 1)] = pop(m);                   \
        return n < 0;                                           \
    }
#define FAMILY_CONSTANT(n)                                         \
    static int op_constant_##n(struct machine *m, struct frame *f) \
    {                                                              \
        push(m, integer(*f->pc++ + n));                            \
        return 0;                                                  \
    }
#define FAMILY_REAL(n)                                                      \
    static int op_real_##n(struct machine *m, struct frame *f)              \
    {                                                                       \
        struct value v = pop(m);                                            \
        (void)f;                                                            \
        push(m, (struct value){.as.d = real_of(v) / (n + 2), .tag = REAL}); \
        return 0;                                                           \
    }
#define FAMILY_INTEGER(n)                                                               \
    static int op_integer_##n(struct machine *m, struct frame *f)                       \
    {                                                                                   \
        struct value v = pop(m);                                                        \
        (void)f;                                                                        \
        push(m, integer((int64_t)((uint64_t)integer_of(v) * 2654435761u >> (n & 15)))); \
        return 0;                                                                       \
    }
#define FAMILY_TEST(n)                                         \
    static int op_test_##n(struct machine *m, struct frame *f) \
    {                                                          \
        struct value v = f->locals[n & (LOCALS - 1)];          \
        f->pc += integer_of(v) & 1 ? 1 : 0;                    \
        (void)m;                                               \
        return 0;                                              \
    }
#define FAMILY_COUNT(n)                                         \
    static int op_count_##n(struct machine *m, struct frame *f) \
    {                                                           \
        struct value *v = &f->locals[n & (LOCALS - 1)];         \
        *v = integer(integer_of(*v) + n + 1);                   \
        (void)m;                                                \
        return 0;                                               \
    }
#define FAMILY_SWAP(n)                                                   \
    static int op_swap_##n(struct machine *m, struct frame *f)           \
    {                                                                    \
        struct value v = f->locals[n & (LOCALS - 1)];                    \
        f->locals[n & (LOCALS - 1)] = f->locals[(n + 1) & (LOCALS - 1)]; \
        f->locals[(n + 1) & (LOCALS - 1)] = v;                           \
        (void)m;                                                         \
        return 0;                                                        \
    }
#define FAMILY_CALL(n)                                         \
    static int op_call_##n(struct machine *m, struct frame *f) \
    {                                                          \
        if (f->depth < 12 + n)                                 \
            execute(m, *f->pc, f->depth + 1);                  \
        f->pc++;                                               \
        return 0;                                              \
    }

static void execute(struct machine *m, unsigned at, int depth);

#define TWENTY(X) \
    X(0)          \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
TWENTY(FAMILY_BINARY)
TWENTY(FAMILY_LOAD)
TWENTY(FAMILY_STORE)
TWENTY(FAMILY_CONSTANT)
TWENTY(FAMILY_REAL)
TWENTY(FAMILY_INTEGER)
TWENTY(FAMILY_TEST)
TWENTY(FAMILY_COUNT)
TWENTY(FAMILY_SWAP)
TWENTY(FAMILY_CALL)

typedef int opcode_fn(struct machine *m, struct frame *f);
#define ENTRY_BINARY(n) op_binary_##n,
#define ENTRY_LOAD(n) op_load_##n,
#define ENTRY_STORE(n) op_store_##n,
#define ENTRY_CONSTANT(n) op_constant_##n,
#define ENTRY_REAL(n) op_real_##n,
#define ENTRY_INTEGER(n) op_integer_##n,
#define ENTRY_TEST(n) op_test_##n,
#define ENTRY_COUNT(n) op_count_##n,
#define ENTRY_SWAP(n) op_swap_##n,
#define ENTRY_CALL(n) op_call_##n,
static opcode_fn *const opcodes[200] = {
    TWENTY(ENTRY_BINARY) TWENTY(ENTRY_LOAD) TWENTY(ENTRY_STORE) TWENTY(ENTRY_CONSTANT) TWENTY(ENTRY_REAL)
        TWENTY(ENTRY_INTEGER) TWENTY(ENTRY_TEST) TWENTY(ENTRY_COUNT) TWENTY(ENTRY_SWAP) TWENTY(ENTRY_CALL)};

enum { FUNCTIONS = 64, LENGTH = 48, RETURN = 200 };

static void execute(struct machine *m, unsigned at, int depth)
{
    struct frame f = {.pc = m->code + (at % FUNCTIONS) * (LENGTH + 2), .depth = depth};
    for (int i = 0; i < LOCALS; i++)
        f.locals[i] = integer(depth + i);
    while (*f.pc != RETURN && m->steps-- > 0)
        opcodes[*f.pc++](m, &f);
}

/* Straight code that leaves the stack as it was, with at most one call in a function. */
static void make_code(uint16_t *code)
{
    uint32_t x = 99;
    for (int f = 0; f < FUNCTIONS; f++) {
        uint16_t *p = code + f * (LENGTH + 2), *end = p + LENGTH;
        while (p + 8 < end) {
            x = x * 1664525u + 1013904223u;
            uint16_t n = (uint16_t)((x >> 16) % 20), k = (uint16_t)((x >> 21) % 20);
            switch (x >> 29) {
            case 0:
            case 1:
                *p++ = (uint16_t)(20 + n), *p++ = (uint16_t)(20 + k), *p++ = n, *p++ = (uint16_t)(40 + k);
                break;
            case 2:
                *p++ = (uint16_t)(60 + n), *p++ = (uint16_t)(x & 1023), *p++ = (uint16_t)(80 + k),
                *p++ = (uint16_t)(40 + n);
                break;
            case 3:
                *p++ = (uint16_t)(20 + n), *p++ = (uint16_t)(100 + k), *p++ = (uint16_t)(40 + n);
                break;
            case 4:
                *p++ = (uint16_t)(120 + n), *p++ = (uint16_t)(140 + k), *p++ = (uint16_t)(140 + n);
                break;
            case 5:
                *p++ = (uint16_t)(160 + n), *p++ = (uint16_t)(140 + k);
                break;
            default: /* a call; the rest of the function only counts */
                *p++ = (uint16_t)(180 + n), *p++ = (uint16_t)(x >> 8 & 63);
                while (p + 3 < end)
                    *p++ = (uint16_t)(140 + n);
                break;
            }
        }
        *p = RETURN;
    }
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 3000;
    static uint16_t code[FUNCTIONS * (LENGTH + 2)];
    static struct machine m;
    make_code(code);
    m.code = code;
    for (long i = 0; i < rounds; i++) {
        m.steps = 2000;
        execute(&m, (unsigned)i, 0);
        push(&m, integer(i));
    }
    int64_t sum = 0;
    for (int i = 0; i < STACK; i++)
        sum += integer_of(m.stack[i]);
    printf("%lld\n", (long long)sum);
    return 0;
}
