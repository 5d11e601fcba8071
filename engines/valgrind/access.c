/* Memory accesses of translated code.
 *
 * Each load has a record of what it found last (collect/site.h), and the shadow memory lies in one piece, so
 * that its cell is found by adding. Where there is no such piece, or channels are watched, the collector's
 * own hot path is taken. */
#include "engine.h"
#include "../../collect/site.h"

/* Words at 64 TiB, bytes of split words at 80: outside what Valgrind gives to programs and to itself, which
 * ends far below 2^40. */
#define PIECE_WORDS 0x400000000000ul
#define PIECE_BYTES 0x500000000000ul
#define PIECE_LIMIT (1ul << 40)

static Bool map_at(Addr at, SizeT size)
{
    enum { FIXED_NO_REPLACE = 0x100000 };
    SysRes r = VG_(do_syscall)(__NR_mmap, at, size, VKI_PROT_READ | VKI_PROT_WRITE,
                               VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS | VKI_MAP_NORESERVE | FIXED_NO_REPLACE,
                               (UWord)-1, 0);
    if (sr_isError(r))
        return False;
    if (sr_Res(r) == at)
        return True;
    VG_(do_syscall)
    (__NR_munmap, sr_Res(r), size, 0, 0, 0, 0); /* a kernel that takes the address for a wish */
    return False;
}

void cc_vg_map_shadow(struct cc_host *host)
{
    if (!map_at(PIECE_WORDS, PIECE_LIMIT))
        return;
    if (!map_at(PIECE_BYTES, PIECE_LIMIT * 4)) {
        VG_(do_syscall)(__NR_munmap, PIECE_WORDS, PIECE_LIMIT, 0, 0, 0, 0);
        return;
    }
    host->words = (cc_cell *)PIECE_WORDS;
    host->bytes = (cc_cell *)PIECE_BYTES;
    host->limit = PIECE_LIMIT;
}

/* Fewer TLB misses where much of it is in use; elsewhere whole huge pages would be there for a few bytes. */
void cc_vg_dense_shadow(Addr a, SizeT size)
{
    enum { MADVISE_HUGE = 14 };
    const Addr huge = 2ul << 20, start = a & ~(huge - 1), end = (a + size + huge - 1) & ~(huge - 1);
    if (size >= huge / 4 && cc_vg_host.words && end <= PIECE_LIMIT)
        VG_(do_syscall)(__NR_madvise, PIECE_WORDS + start, end - start, MADVISE_HUGE, 0, 0, 0);
}

static inline struct cc_spot spot(ULong a)
{
    a &= PIECE_LIMIT - 1;
    return (struct cc_spot){(cc_cell *)(PIECE_WORDS + (a & ~3ul)), (cc_cell *)(PIECE_BYTES + a * 4)};
}

/* --- by site --- */

/* An access, and a further one of the same instruction, whose first was at `first`; each also for data
 * objects. */
#define LOADS(bytes, class)                                                                       \
    static __attribute__((noinline)) void other_read##bytes(ULong a, struct cc_load_site *l)      \
    {                                                                                             \
        if (!cc_site_read_other(engine.current, a, l, class, spot(a)))                            \
            cc_read_any(engine.current, a, bytes);                                                \
    }                                                                                             \
    static void on_read##bytes(ULong a, struct cc_load_site *l)                                   \
    {                                                                                             \
        if (!cc_site_read(engine.current, a, l, class, spot(a)))                                  \
            other_read##bytes(a, l);                                                              \
    }                                                                                             \
    static void again_read##bytes(ULong a, struct cc_load_site *l, ULong first)                   \
    {                                                                                             \
        cc_again(engine.current, a, first);                                                       \
        on_read##bytes(a, l);                                                                     \
    }                                                                                             \
    static __attribute__((noinline)) void data_other_read##bytes(ULong a, struct cc_load_site *l) \
    {                                                                                             \
        cc_data_access(engine.current->data, a, bytes, false);                                    \
        on_read##bytes(a, l);                                                                     \
    }                                                                                             \
    static void data_read##bytes(ULong a, struct cc_load_site *l)                                 \
    {                                                                                             \
        if (cc_data_same(engine.current->data, a, class, false))                                  \
            on_read##bytes(a, l);                                                                 \
        else                                                                                      \
            data_other_read##bytes(a, l);                                                         \
    }                                                                                             \
    static void more_read##bytes(ULong a, struct cc_load_site *l, ULong first)                    \
    {                                                                                             \
        cc_data_count(engine.current->data, a, class, false);                                     \
        again_read##bytes(a, l, first);                                                           \
    }
#define STORES(bytes, class)                                                   \
    static __attribute__((noinline)) void other_write##bytes(ULong a)          \
    {                                                                          \
        if (!cc_site_write_other(engine.current, a, class, CC_STORE, spot(a))) \
            cc_write_any(engine.current, a, bytes);                            \
    }                                                                          \
    static void on_write##bytes(ULong a)                                       \
    {                                                                          \
        if (!cc_site_write(engine.current, a, class, CC_STORE, spot(a)))       \
            other_write##bytes(a);                                             \
    }                                                                          \
    static void again_write##bytes(ULong a, ULong first)                       \
    {                                                                          \
        cc_again(engine.current, a, first);                                    \
        on_write##bytes(a);                                                    \
    }                                                                          \
    static __attribute__((noinline)) void data_other_write##bytes(ULong a)     \
    {                                                                          \
        cc_data_access(engine.current->data, a, bytes, true);                  \
        on_write##bytes(a);                                                    \
    }                                                                          \
    static void data_write##bytes(ULong a)                                     \
    {                                                                          \
        if (cc_data_same(engine.current->data, a, class, true))                \
            on_write##bytes(a);                                                \
        else                                                                   \
            data_other_write##bytes(a);                                        \
    }                                                                          \
    static void more_write##bytes(ULong a, ULong first)                        \
    {                                                                          \
        cc_data_count(engine.current->data, a, class, true);                   \
        again_write##bytes(a, first);                                          \
    }
#define BOTH(bytes, class) \
    LOADS(bytes, class)    \
    STORES(bytes, class)
BOTH(1, 0)
BOTH(2, 1)
BOTH(4, 2)
BOTH(8, 3)
BOTH(16, 4)
#define ALL(name)                                                                      \
    {                                                                                  \
        {name##_read1, name##_read2, name##_read4, name##_read8, name##_read16},       \
        {                                                                              \
            name##_write1, name##_write2, name##_write4, name##_write8, name##_write16 \
        }                                                                              \
    }
static void *const by_site[2][2][2][5] = {{ALL(on), ALL(again)},
                                          {ALL(data), ALL(more)}}; /* [objects][again][write][class] */

/* Two loads side by side, of one instruction or two in a row, and what each is about once they have
 * differed. */
struct read_pair {
    struct cc_load_site both, *each;
};

static void *lines_new(SizeT size);
static struct cc_load_site *each_read(struct read_pair *l)
{
    if (!l->each) {
        l->each = lines_new(2 * sizeof *l->each);
        l->each[0].class = l->each[1].class = (UChar)(l->both.class - 1);
    }
    return l->each;
}

#define LOAD_PAIR(one, class)                                                                \
    static __attribute__((noinline)) void other_read_pair##one(ULong a, struct read_pair *l) \
    {                                                                                        \
        if (cc_site_read_other(engine.current, a, &l->both, class, spot(a)))                 \
            return;                                                                          \
        if (!l->both.apart)                                                                  \
            cc_again(engine.current, a + one, a);                                            \
        on_read##one(a, &each_read(l)[0]);                                                   \
        on_read##one(a + one, &l->each[1]);                                                  \
    }                                                                                        \
    static void on_read_pair##one(ULong a, struct read_pair *l)                              \
    {                                                                                        \
        if (!cc_site_read(engine.current, a, &l->both, class, spot(a)))                      \
            other_read_pair##one(a, l);                                                      \
    }                                                                                        \
    static void data_read_pair##one(ULong a, struct read_pair *l)                            \
    {                                                                                        \
        cc_data_count(engine.current->data, a, class - 1, false);                            \
        cc_data_count(engine.current->data, a + one, class - 1, false);                      \
        on_read_pair##one(a, l);                                                             \
    }
LOAD_PAIR(4, 3)
LOAD_PAIR(8, 4)

/* `name`: of one instruction, or apart. */
#define STORE_PAIR(name, one, class, how)                                \
    static __attribute__((noinline)) void other_##name##one(ULong a)     \
    {                                                                    \
        if (cc_site_write_other(engine.current, a, class, how, spot(a))) \
            return;                                                      \
        if (how == CC_STORE_TWICE)                                       \
            cc_again(engine.current, a + one, a);                        \
        on_write##one(a);                                                \
        on_write##one(a + one);                                          \
    }                                                                    \
    static void on_##name##one(ULong a)                                  \
    {                                                                    \
        if (!cc_site_write(engine.current, a, class, how, spot(a)))      \
            other_##name##one(a);                                        \
    }                                                                    \
    static void data_##name##one(ULong a)                                \
    {                                                                    \
        cc_data_count(engine.current->data, a, class - 1, true);         \
        cc_data_count(engine.current->data, a + one, class - 1, true);   \
        on_##name##one(a);                                               \
    }
STORE_PAIR(write_pair, 4, 3, CC_STORE_TWICE)
STORE_PAIR(write_pair, 8, 4, CC_STORE_TWICE)
STORE_PAIR(write_apart, 4, 3, CC_STORE_APART)
STORE_PAIR(write_apart, 8, 4, CC_STORE_APART)
static void *const read_pairs[2][2] = {{on_read_pair4, on_read_pair8},
                                       {data_read_pair4, data_read_pair8}}; /* [objects] */
static void *const write_pairs[2][2][2] = {
    {{on_write_pair4, on_write_pair8}, {on_write_apart4, on_write_apart8}},
    {{data_write_pair4, data_write_pair8}, {data_write_apart4, data_write_apart8}}}; /* [objects][apart] */

/* Records of loads stay when code is thrown away, and are found again when it comes back: as many as there is
 * code. */
struct record {
    ULong key; /* address of the instruction << 8 | number of the access in it; 0: empty */
    void *site;
    ULong class;               /* of it */
    void *(*make)(UInt class); /* one, or a pair */
};
enum { MAX_NUMBER = 127 }; /* that number: of an instruction's access and the next one's together */
static struct {
    struct record *v;
    SizeT n, cap;
} records;

static struct record *record_slot(ULong key)
{
    SizeT mask = records.cap - 1, i = (key * 0x9e3779b97f4a7c15ul >> 20) & mask;
    while (records.v[i].key && records.v[i].key != key)
        i = (i + 1) & mask;
    return &records.v[i];
}

static void records_grow(void)
{
    struct record *old = records.v;
    SizeT cap = records.cap;
    records.cap = cap ? cap * 2 : 4096;
    records.v = VG_(calloc)("cc.records", records.cap, sizeof *old);
    for (SizeT i = 0; i < cap; i++)
        if (old[i].key)
            *record_slot(old[i].key) = old[i];
    VG_(free)(old);
}

/* Valgrind's own allocator aligns to 16 bytes. */
static void *lines_new(SizeT size)
{
    enum { SLAB = 1 << 18 };
    static UChar *slab;
    static SizeT left;
    if (left < size) {
        slab = cc_vg_host.map(NULL, SLAB);
        left = SLAB;
    }
    left -= size;
    return slab + left;
}

static void *load_new(UInt class)
{
    struct cc_load_site *l = lines_new(sizeof *l);
    l->class = (UChar) class;
    return l;
}

static void *load_pair_new(UInt class)
{
    struct read_pair *l = lines_new(sizeof *l);
    l->both.class = (UChar)(class + 1);
    l->both.twice = 1;
    return l;
}

static void *load_apart_new(UInt class)
{
    struct read_pair *l = load_pair_new(class);
    l->both.apart = true;
    return l;
}

static void *record_of(const struct access *x, UInt class, void *make(UInt class))
{
    ULong key = x->instruction << 8 | x->number;
    if (records.n * 2 >= records.cap)
        records_grow();
    struct record *r = record_slot(key);
    if (r->key && r->class == class && r->make == make)
        return r->site;
    records.n += !r->key;
    r->class = class;
    r->make = make;
    r->key = key; /* code that was written over may access another size: the old record is left alone */
    return r->site = make(class);
}

/* --- without --- */

static void any_read(ULong a, ULong size)
{
    if (engine.options.objects)
        cc_data_access(engine.current->data, a, (UInt)size, false);
    cc_read_any(engine.current, a, (UInt)size);
}
static void any_write(ULong a, ULong size)
{
    if (engine.options.objects)
        cc_data_access(engine.current->data, a, (UInt)size, true);
    cc_write_any(engine.current, a, (UInt)size);
}
static void any_again(ULong a, ULong size, ULong first)
{
    cc_again(engine.current, a, first);
}

#define DIRECT(bytes, class)                                      \
    static void plain_read##bytes(ULong a, ULong size)            \
    {                                                             \
        if (engine.options.objects)                               \
            cc_data_count(engine.current->data, a, class, false); \
        cc_read(engine.current, a, class);                        \
    }                                                             \
    static void plain_write##bytes(ULong a, ULong size)           \
    {                                                             \
        if (engine.options.objects)                               \
            cc_data_count(engine.current->data, a, class, true);  \
        cc_write(engine.current, a, class);                       \
    }
DIRECT(1, 0)
DIRECT(2, 1)
DIRECT(4, 2)
DIRECT(8, 3)
DIRECT(16, 4)
static void *const direct[2][5] = ALL(plain);

/* --- for the translation --- */

static IRDirty *call(void *function, IRExpr *address, HWord what, IRExpr *first)
{
    if (first)
        return unsafeIRDirty_0_N(0, "on_access", function,
                                 mkIRExprVec_3(address, mkIRExpr_HWord(what), first));
    return unsafeIRDirty_0_N(0, "on_access", function, mkIRExprVec_2(address, mkIRExpr_HWord(what)));
}

/* A store has no record. */
static IRDirty *call_store(void *function, IRExpr *address, IRExpr *first)
{
    return unsafeIRDirty_0_N(0, "on_store", function,
                             first ? mkIRExprVec_2(address, first) : mkIRExprVec_1(address));
}

void cc_vg_access(const struct access *x, IRDirty *ret[2])
{
    ret[0] = ret[1] = NULL;
    Bool plain = x->size && x->size <= 16 && (x->size & (x->size - 1)) == 0, write = x->write;
    UInt class = plain ? (UInt)__builtin_ctz(x->size) : 0;
    if (plain && engine.sites && x->number < MAX_NUMBER) {
        void *function = by_site[engine.options.objects][x->first != NULL][write][class];
        ret[0] = write ? call_store(function, x->address, x->first)
                       : call(function, x->address, (HWord)record_of(x, class, load_new), x->first);
        return;
    }
    ret[0] = call(plain   ? direct[write][class]
                  : write ? (void *)any_write
                          : (void *)any_read,
                  x->address, x->size, NULL);
    if (x->first)
        ret[1] = call(any_again, x->address, x->size, x->first);
}

static void on_line(ULong a, ULong what, ULong now)
{
    cc_locality_access(engine.current, now, a, (UInt)(what >> 2), (enum cc_line_kind)(what & 3));
}

IRDirty *cc_vg_locality(const struct access *x, enum cc_line_kind kind, IRExpr *now)
{
    return call(on_line, x->address, (HWord)x->size << 2 | kind, now);
}

IRDirty *cc_vg_pair(const struct access *x, Bool apart)
{
    if (!engine.sites || (x->size != 4 && x->size != 8))
        return NULL;
    UInt class = x->size == 4 ? 2 : 3;
    if (x->write)
        return call_store(write_pairs[engine.options.objects][apart][class - 2], x->address, NULL);
    struct access key = *x;
    if (apart)
        key.number = MAX_NUMBER;
    void *site = record_of(&key, class, apart ? load_apart_new : load_pair_new);
    return call(read_pairs[engine.options.objects][class - 2], x->address, (HWord)site, NULL);
}
