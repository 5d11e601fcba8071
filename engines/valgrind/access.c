/* Memory accesses of translated code.
 *
 * Each has a record of what it found last (collect/site.h), and the shadow memory lies in one piece, so that
 * its cell is found by adding. Where there is no such piece, or channels are watched, the collector's own hot
 * path is taken. */
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
#define BY_SITE(kind, bytes, class, record, write)                                       \
    static __attribute__((noinline)) void other_##kind##bytes(ULong a, struct record *l) \
    {                                                                                    \
        if (!cc_site_##kind##_other(engine.current, a, l, class, spot(a)))               \
            cc_##kind##_any(engine.current, a, bytes);                                   \
    }                                                                                    \
    static void on_##kind##bytes(ULong a, struct record *l)                              \
    {                                                                                    \
        if (!cc_site_##kind(engine.current, a, l, class, spot(a)))                       \
            other_##kind##bytes(a, l);                                                   \
    }                                                                                    \
    static void again_##kind##bytes(ULong a, struct record *l, ULong first)              \
    {                                                                                    \
        cc_again(engine.current, a, first);                                              \
        if (!cc_site_##kind(engine.current, a, l, class, spot(a)))                       \
            other_##kind##bytes(a, l);                                                   \
    }                                                                                    \
    static void data_##kind##bytes(ULong a, struct record *l)                            \
    {                                                                                    \
        cc_data_count(engine.current->data, a, class, write);                            \
        on_##kind##bytes(a, l);                                                          \
    }                                                                                    \
    static void more_##kind##bytes(ULong a, struct record *l, ULong first)               \
    {                                                                                    \
        cc_data_count(engine.current->data, a, class, write);                            \
        again_##kind##bytes(a, l, first);                                                \
    }
#define BOTH(bytes, class)                           \
    BY_SITE(read, bytes, class, cc_load_site, false) \
    BY_SITE(write, bytes, class, cc_store_site, true)
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

/* Two accesses side by side, of one instruction or two in a row, and what each is about once they have
 * differed. */
struct read_pair {
    struct cc_load_site both, *each;
};
struct write_pair {
    struct cc_store_site both, *each;
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

static struct cc_store_site *each_write(struct write_pair *l)
{
    if (!l->each) {
        l->each = lines_new(2 * sizeof *l->each);
        l->each[0].class = l->each[1].class = (UChar)(l->both.class - 1);
    }
    return l->each;
}

#define PAIR(kind, way, one, class, write)                                                         \
    static __attribute__((noinline)) void other_##kind##_pair##one(ULong a, struct kind##_pair *l) \
    {                                                                                              \
        if (cc_site_##kind##_other(engine.current, a, &l->both, class, spot(a)))                   \
            return;                                                                                \
        if (!l->both.apart)                                                                        \
            cc_again(engine.current, a + one, a);                                                  \
        on_##kind##one(a, &each_##kind(l)[0]);                                                     \
        on_##kind##one(a + one, &l->each[1]);                                                      \
    }                                                                                              \
    static void on_##kind##_pair##one(ULong a, struct kind##_pair *l)                              \
    {                                                                                              \
        if (!cc_site_##way(engine.current, a, &l->both, class, spot(a)))                           \
            other_##kind##_pair##one(a, l);                                                        \
    }                                                                                              \
    static void data_##kind##_pair##one(ULong a, struct kind##_pair *l)                            \
    {                                                                                              \
        cc_data_count(engine.current->data, a, class - 1, write);                                  \
        cc_data_count(engine.current->data, a + one, class - 1, write);                            \
        on_##kind##_pair##one(a, l);                                                               \
    }
PAIR(read, read, 4, 3, false)
PAIR(write, write_pair, 4, 3, true)
PAIR(read, read, 8, 4, false)
PAIR(write, write_pair, 8, 4, true)
static void *const by_pair[2][2][2] = {
    {{on_read_pair4, on_read_pair8}, {on_write_pair4, on_write_pair8}},
    {{data_read_pair4, data_read_pair8}, {data_write_pair4, data_write_pair8}}}; /* [objects][write] */

/* Records stay when code is thrown away, and are found again when it comes back: as many as there is code. */
struct record {
    ULong key; /* address of the instruction << 8 | number of the access in it << 1 | write; 0: empty */
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

static void *store_new(UInt class)
{
    struct cc_store_site *l = lines_new(sizeof *l);
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

static void *store_pair_new(UInt class)
{
    struct write_pair *l = lines_new(sizeof *l);
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

static void *store_apart_new(UInt class)
{
    struct write_pair *l = store_pair_new(class);
    l->both.apart = true;
    return l;
}

static void *record_of(const struct access *x, UInt class, void *make(UInt class))
{
    ULong key = x->instruction << 8 | x->number << 1 | x->write;
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

void cc_vg_access(const struct access *x, IRDirty *ret[2])
{
    ret[0] = ret[1] = NULL;
    Bool plain = x->size && x->size <= 16 && (x->size & (x->size - 1)) == 0, write = x->write;
    UInt class = plain ? (UInt)__builtin_ctz(x->size) : 0;
    if (plain && engine.sites && x->number < MAX_NUMBER) {
        void *site = record_of(x, class, write ? store_new : load_new);
        ret[0] = call(by_site[engine.options.objects][x->first != NULL][write][class], x->address,
                      (HWord)site, x->first);
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
    cc_locality_access(engine.current, now, a, (UInt)(what >> 1), what & 1);
}

IRDirty *cc_vg_locality(const struct access *x, IRExpr *now)
{
    return call(on_line, x->address, (HWord)x->size << 1 | x->write, now);
}

IRDirty *cc_vg_pair(const struct access *x, Bool apart)
{
    if (!engine.sites || (x->size != 4 && x->size != 8))
        return NULL;
    UInt class = x->size == 4 ? 2 : 3;
    struct access key = *x;
    if (apart)
        key.number = MAX_NUMBER;
    void *site = apart ? record_of(&key, class, x->write ? store_apart_new : load_apart_new)
                       : record_of(&key, class, x->write ? store_pair_new : load_pair_new);
    return call(by_pair[engine.options.objects][x->write][class - 2], x->address, (HWord)site, NULL);
}
