/* Functions of files without a symbol table: by .eh_frame and .dynsym, and what damage does to both. */
#include "../tests/collect.h"
#include "bounds.h"

#include <link.h>

static void put(uint8_t *to, unsigned n, uint64_t v)
{
    for (; n--; v >>= 8)
        *to++ = (uint8_t)v;
}

/* --- a file of our own --- */

enum { /* offsets; addresses are these + BASE */
       BASE = 0x10000,
       TABLE = 0x200,
       FRAMES = 0x300,
       SYMBOLS = 0x400,
       STRINGS = 0x480,
       SECTIONS = 0x500,
       CODE = 0x800,
       SIZE = 0xa00
};

struct image {
    uint8_t b[SIZE];
    size_t frames; /* bytes of .eh_frame so far */
};

static void add_segment(struct image *m, unsigned i, uint32_t type, uint64_t offset, uint64_t size)
{
    uint8_t *p = m->b + 64 + 56 * i;
    put(p, 4, type);
    put(p + 4, 4, 5); /* read, execute */
    put(p + 8, 8, offset);
    put(p + 16, 8, BASE + offset);
    put(p + 32, 8, size);
}

static void add_section(struct image *m, unsigned i,
                        const uint32_t v[5]) /* type, offset, size, link, entry */
{
    uint8_t *p = m->b + SECTIONS + 64 * i;
    put(p + 4, 4, v[0]);
    put(p + 24, 8, v[1]);
    put(p + 32, 8, v[2]);
    put(p + 40, 4, v[3]);
    put(p + 56, 8, v[4]);
}

static void add_entry(struct image *m, const uint8_t *body, size_t n)
{
    put(m->b + FRAMES + m->frames, 4, n);
    memcpy(m->b + FRAMES + m->frames + 4, body, n);
    m->frames += 4 + n;
}

static void add_function(struct image *m, uint64_t start, uint64_t size, uint8_t first_operation)
{
    size_t at = FRAMES + m->frames;
    uint8_t body[16] = {0};
    put(body, 4, m->frames + 4); /* back to the CIE */
    put(body + 4, 4, start - (at + 8));
    put(body + 8, 4, size);
    body[13] = first_operation; /* behind an empty augmentation */
    body[14] = 16;
    add_entry(m, body, sizeof body);
}

static void add_symbol(struct image *m, unsigned i, uint64_t at, uint64_t size)
{
    uint8_t *p = m->b + SYMBOLS + 24 * i;
    put(p, 4, 1);
    p[4] = 0x12; /* global function */
    put(p + 6, 2, 1);
    put(p + 8, 8, BASE + at);
    put(p + 16, 8, size);
}

enum { FIRST = CODE, SECOND = CODE + 0x40, PART = CODE + 0x100, LAST = CODE + 0x180 };

static void make(struct image *m)
{
    static const uint8_t cie[] = {0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0};
    memset(m, 0, sizeof *m);
    memcpy(m->b, "\177ELF\2\1\1", 7);
    put(m->b + 18, 2, 183);
    put(m->b + 32, 8, 64); /* segments */
    put(m->b + 54, 2, 56);
    put(m->b + 56, 2, 2);
    put(m->b + 40, 8, SECTIONS);
    put(m->b + 58, 2, 64);
    put(m->b + 60, 2, 3);
    add_segment(m, 0, CC_SEGMENT_LOAD, 0, SIZE);
    add_segment(m, 1, 0x6474e550, TABLE, 8);
    add_section(m, 1, (const uint32_t[]){11, SYMBOLS, 24 * 3, 2, 24});
    add_section(m, 2, (const uint32_t[]){3, STRINGS, 4, 0, 0});
    memcpy(m->b + STRINGS, "\0f\0", 3);
    memcpy(m->b + TABLE, "\1\x1b\3\x3b", 4);
    put(m->b + TABLE + 4, 4, FRAMES - (TABLE + 4));
    add_entry(m, cie, sizeof cie);
    add_function(m, FIRST, 0x40, 0);
    add_function(m, SECOND, 0x80, 0x44); /* it advances first */
    add_function(m, PART, 0x20, 0x0e /* the CFA is somewhere else from the start */);
    add_symbol(m, 1, FIRST, 0x30);
    add_symbol(m, 2, LAST, 0x10);
}

/* A section more, .eh_frame, and names for all. */
static void name_sections(struct image *m)
{
    memcpy(m->b + STRINGS + 8, "\0.eh_frame", 11);
    add_section(m, 3, (const uint32_t[]){1, FRAMES, (uint32_t)m->frames, 0, 0});
    put(m->b + SECTIONS + 64 * 3, 4, 9);
    put(m->b + SECTIONS + 64 * 3 + 16, 8, BASE + FRAMES);
    put(m->b + SECTIONS + 64 * 2 + 32, 8, 20);
    put(m->b + 60, 2, 4);
    put(m->b + 62, 2, 2);
}

static const char path[] = "bounds.test";

static void keep(const struct image *m, size_t size)
{
    remove(path); /* a new file need not reach the disk */
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(m->b, 1, size, f) != size)
        abort();
    fclose(f);
}

/* A collector that has the file mapped; the last one's memory is left to the end of the test. */
static struct cc_collect *mapped(int libs)
{
    struct cc_collect *c = fresh_collect(&(struct cc_options){.program = path, .libs = libs}, 1);
    cc_binary_add(c, path, BASE, BASE + SIZE, 0, true);
    return c;
}

static uint32_t at(struct cc_collect *c, uint64_t offset, bool called)
{
    return cc_place_of(c, BASE + offset, called).function;
}

static void test_places(void)
{
    struct image m;
    make(&m);
    keep(&m, SIZE);
    struct cc_collect *c = mapped(CC_LIBS_AUTO);
    uint32_t f = at(c, FIRST, false), g = at(c, SECOND, false), z = at(c, LAST, false);
    OK(f && g && z && f != g && g != z && f != z, "three functions");
    OK(cc_place_of(c, BASE + FIRST, false).entry && cc_place_of(c, BASE + SECOND, false).entry,
       "begin there");
    OK(at(c, FIRST + 0x2f, false) == f && at(c, FIRST + 0x30, false) == CC_OUTSIDE,
       "a symbol reaches as far as its size, though more is said to be code");
    OK(at(c, SECOND + 0x7f, false) == g && !cc_place_of(c, BASE + SECOND + 0x7f, false).entry &&
           at(c, SECOND + 0x80, false) == CC_OUTSIDE,
       "one without a name as far as unwinding says");
    OK(at(c, PART, false) == CC_OUTSIDE && at(c, PART + 0x1f, false) == CC_OUTSIDE,
       "a part that was moved away is nobody's");
    OK(at(c, LAST + 0xf, false) == z && at(c, LAST + 0x10, false) == CC_OUTSIDE,
       "behind the last is nothing");
    uint32_t h = at(c, SECOND + 0x90, true);
    OK(h && at(c, SECOND + 0x90 + 8, false) == h && at(c, PART, false) == CC_OUTSIDE &&
           at(c, SECOND, false) == g,
       "what is called between two is a function, up to the next");
    const struct cc_function *known = cc_function_at(c, g);
    OK(known->address == BASE + SECOND && known->size == 0x80, "with its address and size");
}

/* --- damage --- */

static void count_bound(void *self, const struct cc_bound *b)
{
    uint64_t *n = self;
    *n += b->size != 0 && b->start - BASE < SIZE;
}

static uint64_t bounds_of(struct cc_collect *c, const struct image *m, size_t size)
{
    struct cc_elf e = {.c = c, .path = path};
    uint64_t n = 0;
    keep(m, size);
    if (cc_elf_open(&e))
        cc_bounds_read(&e, count_bound, &n);
    return n;
}

static void test_damaged_frames(void)
{
    struct cc_collect *c = plain();
    struct image m, d;
    make(&m);
    OK_U64(bounds_of(c, &m, SIZE), 3, "three entries");
    put(m.b + TABLE + 4, 4, SIZE);
    OK_U64(bounds_of(c, &m, SIZE), 0, "a table beyond the end");
    make(&m);
    put(m.b + FRAMES + 20 + 20, 4, 0x7fffffff);
    OK_U64(bounds_of(c, &m, SIZE), 1, "an entry that is longer than the file ends it");
    make(&m);
    put(m.b + FRAMES + 20, 4, UINT32_MAX);
    OK_U64(bounds_of(c, &m, SIZE), 0, "and so does one of a kind that is not known");
    make(&m);
    name_sections(&m);
    put(m.b + TABLE, 4, 0);
    OK_U64(bounds_of(c, &m, SIZE), 3, "found by its section");
    make(&m);
    uint64_t some = 0;
    for (size_t n = 0; n < SIZE; n += 13)
        some += bounds_of(c, &m, n);
    OK_U64(some + bounds_of(c, &m, SIZE - 1), 0, "a file that is cut short");
    unsigned most = 0, rounds = 0, fewer = 0;
    for (size_t i = TABLE; i < FRAMES + m.frames; i++)
        for (unsigned k = 0; k < 4; k++, rounds++) {
            static const uint8_t with[] = {0xff, 0x80, 0x7f, 1};
            d = m;
            d.b[i] = with[k] == 1 ? (uint8_t)(d.b[i] ^ 1) : with[k];
            uint64_t n = bounds_of(c, &d, SIZE);
            most = n > most ? (unsigned)n : most;
            fewer += n < 3;
        }
    OK(most == 3 && fewer > 100, "%u damaged tables: never more, %u times fewer", rounds, fewer);
}

/* What was found must be sorted and apart, whatever the file says. */
static bool is_tidy(struct cc_collect *c)
{
    for (uint32_t b = 0; b < c->code.nbinaries; b++) {
        const struct cc_binary *o = &c->code.binaries[b];
        for (uint32_t i = 0; i + 1 < o->nsymbols; i++)
            if (o->symbols[i].address >= o->symbols[i + 1].address ||
                o->symbols[i].size > o->symbols[i + 1].address - o->symbols[i].address)
                return false;
    }
    return true;
}

static void test_damaged_symbols(void)
{
    enum { ROUNDS = 400 };
    unsigned wrong = 0;
    uint64_t random = 1;
    struct image m;
    for (int round = 0; round < ROUNDS; round++) {
        make(&m);
        for (int k = 0; k < 1 + round % 5; k++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            size_t where = round % 2 ? SYMBOLS + (random >> 33) % (24 * 3) : SECTIONS + (random >> 33) % 192;
            m.b[where] = (uint8_t)(random >> 50);
        }
        keep(&m, round % 7 ? SIZE : SIZE - (random >> 40) % 0x600);
        struct cc_collect *c = mapped(round % 3 ? CC_LIBS_AUTO : CC_LIBS_NODE);
        for (uint64_t a = CODE; a < SIZE; a += 8)
            at(c, a, a % 64 == 0);
        wrong += !is_tidy(c);
    }
    OK(wrong == 0, "%d files with damaged sections and symbols", ROUNDS);
}

/* --- this program --- */

struct own {
    uint64_t wanted, size;
    uint32_t n;
};

static void look_for(void *self, const struct cc_bound *b)
{
    struct own *o = self;
    o->n++;
    if (b->start == o->wanted && !b->part)
        o->size = b->size;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1;
}

static void test_own_file(void)
{
    struct cc_elf e = {.c = plain(), .path = "/proc/self/exe"};
    uint64_t bias = 0, offset, left;
    struct own o = {0};
    dl_iterate_phdr(first_object, &bias);
    o.wanted = (uint64_t)(uintptr_t)test_places - bias;
    if (cc_elf_open(&e) && cc_elf_offset(&e, o.wanted, &offset, &left))
        cc_bounds_read(&e, look_for, &o);
    OK(o.n > 20 && o.size > 100, "this program has %u functions, one of them of %llu bytes", o.n,
       (unsigned long long)o.size);
}

int main(void)
{
    test_places();
    test_damaged_frames();
    test_damaged_symbols();
    test_own_file();
    remove(path);
    return TAP_DONE();
}
