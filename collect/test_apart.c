/* What tells one entry of a loop from another: code made by hand, registers and memory of the test's own. */
#include "../tests/host.h"
#include "../tests/tap.h"
#include "apart.h"

enum { X0 = 16, SP = 264, MEMORY = 4096, TRIPS = 100 };
#define BASE UINT64_C(0x10000)

static struct cc_rec_loop_code code[64];
static uint32_t n, values;
static uint8_t memory[MEMORY];

static size_t read_memory(void *self, uint64_t address, void *to, size_t size)
{
    (void)self;
    if (address < BASE || address + size > BASE + MEMORY)
        return 0;
    memcpy(to, &memory[address - BASE], size);
    return size;
}

static void begin(void)
{
    memset(code, 0, sizeof code);
    n = 1;
    values = 0;
}

static uint32_t add(struct cc_rec_loop_code r)
{
    r.to = r.kind == CC_CODE_PUT || r.kind == CC_CODE_STORE ? 0 : ++values;
    r.bits = r.bits ? r.bits : 64;
    code[n++] = r;
    return values;
}

static uint32_t get(unsigned x)
{
    return add((struct cc_rec_loop_code){.kind = CC_CODE_GET, .value = X0 + 8 * x});
}
static uint32_t get_sp(void)
{
    return add((struct cc_rec_loop_code){.kind = CC_CODE_GET, .value = SP});
}
static void put(unsigned x, uint32_t v)
{
    add((struct cc_rec_loop_code){.kind = CC_CODE_PUT, .value = X0 + 8 * x, .a = v});
}
static uint32_t number(uint64_t v)
{
    return add((struct cc_rec_loop_code){.kind = CC_CODE_CONST, .value = v});
}
static uint32_t op(enum cc_code_op o, uint32_t a, uint32_t b)
{
    return add((struct cc_rec_loop_code){.kind = CC_CODE_OP, .op = o, .a = a, .b = b});
}
static uint32_t load(uint32_t a, uint32_t bits)
{
    return add((struct cc_rec_loop_code){.kind = CC_CODE_LOAD, .a = a, .bits = bits});
}
static void store(uint32_t a, uint32_t v)
{
    add((struct cc_rec_loop_code){.kind = CC_CODE_STORE, .a = a, .b = v, .bits = 32});
}

/* The counter is x2, and goes on by four. */
static void count_up(void)
{
    put(2, op(CC_CODE_ADD, get(2), number(4)));
}

static const struct cc_rec_loop_code *next(void *self)
{
    bool *told = self;
    if (*told)
        return NULL;
    *told = true;
    code[0] = (struct cc_rec_loop_code){.kind = CC_CODE_BLOCK, .a = n, .value = 0x1000};
    return code;
}

static struct cc_host host;

static struct cc_apart *made(void)
{
    bool told = false;
    struct cc_depend_machine m = {.stack_at = SP, .frame_at = X0 + 8 * 29};
    host = cc_test_host;
    host.read_guest = read_memory;
    return cc_apart_new(&host, &m, &(struct cc_apart_code){&told, next});
}

static uint64_t sign(const struct cc_apart *a, uint64_t x0, uint64_t x1, uint64_t x3)
{
    uint64_t registers[40] = {0};
    registers[X0 / 8] = x0, registers[X0 / 8 + 1] = x1, registers[X0 / 8 + 3] = x3;
    registers[SP / 8] = BASE;
    return cc_apart_sign(a, &host, &(struct cc_apart_now){(const uint8_t *)registers, TRIPS, TRIPS});
}

static void test_pointers(void)
{
    begin(); /* p[i] = q[i] */
    store(op(CC_CODE_ADD, get(0), get(2)), load(op(CC_CODE_ADD, get(1), get(2)), 32));
    count_up();
    struct cc_apart *a = made();
    uint64_t near = sign(a, 1000, 1040, 0);
    OK(sign(a, 5000, 5040, 0) == near, "both pointers elsewhere, as far apart");
    OK(sign(a, 1000, 1044, 0) != near, "another distance");
    OK(sign(a, 1040, 1000, 0) != near, "the other way round");
    OK(sign(a, 1000, 9000, 0) == sign(a, 1000, 7000, 0) && sign(a, 1000, 9000, 0) == sign(a, 9000, 1000, 0),
       "distances that so many iterations never get over are alike");
    OK(sign(a, 1000, 9000, 0) != near, "and not like short ones");
    cc_apart_free(&host, a);
}

static void test_values(void)
{
    begin(); /* x0[i & mask] = i */
    store(op(CC_CODE_ADD, get(0), op(CC_CODE_AND, get(2), get(3))), get(2));
    count_up();
    struct cc_apart *a = made();
    OK(sign(a, 1000, 0, 63) == sign(a, 2000, 0, 63), "the same mask");
    OK(sign(a, 1000, 0, 63) != sign(a, 1000, 0, 31), "another mask");
    cc_apart_free(&host, a);
    begin(); /* x0[i % x3] = i, as x86 divides: two registers by one, and two of what comes of it */
    uint32_t both =
        add((struct cc_rec_loop_code){.kind = CC_CODE_JOIN, .a = get(2), .b = get(4), .bits = 128});
    both =
        add((struct cc_rec_loop_code){.kind = CC_CODE_OP, .a = both, .b = get(3), .bits = 128, .value = 7});
    store(
        op(CC_CODE_ADD, get(0), add((struct cc_rec_loop_code){.kind = CC_CODE_PART, .a = both, .value = 64})),
        get(2));
    count_up();
    a = made();
    OK(a && sign(a, 1000, 0, 63) == sign(a, 2000, 0, 63), "the same divisor");
    OK(a && sign(a, 1000, 0, 63) != sign(a, 1000, 0, 31), "another divisor");
    cc_apart_free(&host, a);
    begin(); /* *p = i; p += x3 */
    store(get(0), get(1));
    put(0, op(CC_CODE_ADD, get(0), get(3)));
    a = made();
    OK(sign(a, 1000, 0, 8) == sign(a, 2000, 1, 8), "the same step");
    OK(sign(a, 1000, 0, 8) != sign(a, 1000, 0, 0), "no step at all");
    cc_apart_free(&host, a);
}

/* a[i + k] = a[i], with i and k in the frame: as code that was not optimised has it. */
static void test_frame(void)
{
    const uint32_t array = 1024;
    uint32_t k = 60;
    begin();
    uint32_t i = load(op(CC_CODE_ADD, get_sp(), number(8)), 32),
             far = load(op(CC_CODE_ADD, get_sp(), number(16)), 32), four = number(4),
             at = number(BASE + array);
    uint32_t from = op(CC_CODE_ADD, at, op(CC_CODE_MUL, i, four)),
             to = op(CC_CODE_ADD, at, op(CC_CODE_MUL, op(CC_CODE_ADD, i, far), four));
    store(to, load(from, 32));
    store(op(CC_CODE_ADD, get_sp(), number(8)), op(CC_CODE_ADD, i, number(1)));
    struct cc_apart *a = made();
    memcpy(&memory[16], &k, sizeof k);
    uint64_t was = sign(a, 0, 0, 0);
    OK(sign(a, 1, 2, 3) == was, "registers that say nothing");
    k = 1;
    memcpy(&memory[16], &k, sizeof k);
    OK(sign(a, 0, 0, 0) != was, "a distance that is a variable of the frame");
    cc_apart_free(&host, a);
}

static void test_tables(void)
{
    begin(); /* x0[x1[i]] = i */
    uint32_t at = load(op(CC_CODE_ADD, get(1), get(2)), 32);
    store(op(CC_CODE_ADD, get(0), op(CC_CODE_SHL, at, number(2))), get(2));
    count_up();
    struct cc_apart *a = made();
    memset(&memory[1024], 1, 4 * TRIPS);
    uint64_t was = sign(a, BASE, BASE + 1024, 0);
    memory[1024 + 4 * (TRIPS - 1)] = 2;
    OK(sign(a, BASE, BASE + 1024, 0) != was, "another element of a table, as far as the loop goes");
    memory[1024 + 4 * (TRIPS - 1)] = 1;
    memory[1024 + 4 * TRIPS] = 2;
    OK(sign(a, BASE, BASE + 1024, 0) == was, "and not what lies behind");
    OK(sign(a, BASE, 64, 0) == sign(a, BASE, 64, 0), "a table that cannot be read");
    cc_apart_free(&host, a);
    begin(); /* x0[x3[x1[i]]] = i */
    at = load(op(CC_CODE_ADD, get(1), get(2)), 32);
    at = load(op(CC_CODE_ADD, get(3), op(CC_CODE_SHL, at, number(2))), 32);
    store(op(CC_CODE_ADD, get(0), op(CC_CODE_SHL, at, number(2))), get(2));
    count_up();
    a = made();
    memset(&memory[1024], 0, 4 * TRIPS);
    memory[1024 + 4 * (TRIPS - 1)] = 7;
    was = sign(a, BASE, BASE + 1024, BASE + 2048);
    memory[2048 + 4 * 7] = 1;
    OK(sign(a, BASE, BASE + 1024, BASE + 2048) != was, "what a table leads to in another");
    memory[2048 + 4 * 7] = 0;
    memory[2048 + 4 * 8] = 1;
    OK(sign(a, BASE, BASE + 1024, BASE + 2048) == was, "and not what it does not lead to");
    cc_apart_free(&host, a);
}

int main(void)
{
    test_pointers();
    test_values();
    test_frame();
    test_tables();
    begin();
    load(op(CC_CODE_ADD, get(0), get(2)), 32);
    count_up();
    OK(made() == NULL, "a loop that writes nothing has no signs");
    begin();
    store(op(CC_CODE_ADD, get(0), get(2)), load(op(CC_CODE_ADD, get(0), get(2)), 32));
    count_up();
    OK(made() == NULL, "nor has one whose accesses are always as far apart");
    return TAP_DONE();
}
