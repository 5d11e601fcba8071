/* Memory accesses of translated code.
 *
 * They are in a hurry (collect/quick.h), and the shadow memory lies in one piece, so that a cell is found by
 * adding. Where there is no such piece, or channels are watched, the collector's own hot path is taken. */
#include "engine.h"
#include "../../collect/quick.h"

/* Words at 64 TiB, bytes of split words at 80: outside what Valgrind gives to programs and to itself, which
 * ends far below 2^40. What programs map elsewhere by themselves (V8 does) has chunks of its own; an access
 * that begins before the limit may end behind it. */
#define PIECE_WORDS 0x400000000000ul
#define PIECE_BYTES 0x500000000000ul
#define PIECE_BITS 40
#define PIECE_LIMIT (1ul << PIECE_BITS)
#define PIECE_SPARE 4096ul

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
    if (!map_at(PIECE_WORDS, PIECE_LIMIT + PIECE_SPARE))
        return;
    if (!map_at(PIECE_BYTES, (PIECE_LIMIT + PIECE_SPARE) * 4)) {
        VG_(do_syscall)(__NR_munmap, PIECE_WORDS, PIECE_LIMIT + PIECE_SPARE, 0, 0, 0, 0);
        return;
    }
    host->words = (cc_cell *)PIECE_WORDS;
    host->bytes = (cc_cell *)PIECE_BYTES;
    host->limit = PIECE_LIMIT;
}

/* Fewer TLB misses where much of it is in use; elsewhere whole huge pages would be there for a few bytes, as
 * in what programs reserve to have room. */
void cc_vg_dense_shadow(Addr a, SizeT size)
{
    enum { MADVISE_HUGE = 14, MOST = 1 << 30 };
    const Addr huge = 2ul << 20, start = a & ~(huge - 1), end = (a + size + huge - 1) & ~(huge - 1);
    if (size >= huge / 4 && size <= MOST && cc_vg_host.words && end <= PIECE_LIMIT)
        VG_(do_syscall)(__NR_madvise, PIECE_WORDS + start, end - start, MADVISE_HUGE, 0, 0, 0);
}

static inline Bool is_far(ULong a)
{
    return __builtin_expect(a >> PIECE_BITS != 0, 0);
}

static inline struct cc_spot spot(ULong a)
{
    return (struct cc_spot){(cc_cell *)(PIECE_WORDS + (a & ~3ul)), (cc_cell *)(PIECE_BYTES + a * 4)};
}

/* --- in a hurry --- */

/* Beyond the piece. */
static Bool far_read(ULong a, UInt class, enum cc_how how)
{
    struct cc_spot at;
    return cc_quick_spot(engine.current, a, class, &at) &&
           (cc_quick_load(engine.current, a, class, how, at) ||
            cc_quick_load_other(engine.current, a, class, how, at));
}

static Bool far_write(ULong a, UInt class, enum cc_how how)
{
    struct cc_spot at;
    return cc_quick_spot(engine.current, a, class, &at) &&
           (cc_quick_store(engine.current, a, class, how, at) ||
            cc_quick_store_other(engine.current, a, class, how, at));
}

/* An access, and a further one of the same instruction, whose first was at `first`; each also for data
 * objects. */
#define LOAD(bytes, class)                                                               \
    static __attribute__((noinline)) void other_read##bytes(ULong a)                     \
    {                                                                                    \
        if (is_far(a) ? !far_read(a, class, CC_ONE)                                      \
                      : !cc_quick_load_other(engine.current, a, class, CC_ONE, spot(a))) \
            cc_read_any(engine.current, a, bytes);                                       \
    }                                                                                    \
    static void on_read##bytes(ULong a)                                                  \
    {                                                                                    \
        if (is_far(a) || !cc_quick_load(engine.current, a, class, CC_ONE, spot(a)))      \
            other_read##bytes(a);                                                        \
    }
#define STORE(bytes, class)                                                               \
    static __attribute__((noinline)) void other_write##bytes(ULong a)                     \
    {                                                                                     \
        if (is_far(a) ? !far_write(a, class, CC_ONE)                                      \
                      : !cc_quick_store_other(engine.current, a, class, CC_ONE, spot(a))) \
            cc_write_any(engine.current, a, bytes);                                       \
    }                                                                                     \
    static void on_write##bytes(ULong a)                                                  \
    {                                                                                     \
        if (is_far(a) || !cc_quick_store(engine.current, a, class, CC_ONE, spot(a)))      \
            other_write##bytes(a);                                                        \
    }
static inline void again(ULong a, ULong first, Bool is_write)
{
    if (is_write)
        cc_again(engine.current, a, first);
    else
        cc_again_read(engine.current, a, first);
}
#define MORE(kind, bytes, class, is_write)                                  \
    static void again_##kind##bytes(ULong a, ULong first)                   \
    {                                                                       \
        again(a, first, is_write);                                          \
        on_##kind##bytes(a);                                                \
    }                                                                       \
    static __attribute__((noinline)) void data_other_##kind##bytes(ULong a) \
    {                                                                       \
        cc_data_access(engine.current->data, a, bytes, is_write);           \
        on_##kind##bytes(a);                                                \
    }                                                                       \
    static void data_##kind##bytes(ULong a)                                 \
    {                                                                       \
        if (cc_data_same(engine.current->data, a, class, is_write))         \
            on_##kind##bytes(a);                                            \
        else                                                                \
            data_other_##kind##bytes(a);                                    \
    }                                                                       \
    static void more_##kind##bytes(ULong a, ULong first)                    \
    {                                                                       \
        cc_data_count(engine.current->data, a, class, is_write);            \
        again_##kind##bytes(a, first);                                      \
    }
#define BOTH(bytes, class)          \
    LOAD(bytes, class)              \
    STORE(bytes, class)             \
    MORE(read, bytes, class, false) \
    MORE(write, bytes, class, true)
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
static void *const quick[2][2][2][5] = {{ALL(on), ALL(again)},
                                        {ALL(data), ALL(more)}}; /* [objects][again][write][class] */

/* Two side by side, of one instruction or two in a row. */
#define PAIR(name, kind, one, class, how, do_it, is_write)                                                 \
    static __attribute__((noinline)) void other_##name##one(ULong a)                                       \
    {                                                                                                      \
        if (is_far(a) ? far_##kind(a, class, how) : do_it##_other(engine.current, a, class, how, spot(a))) \
            return;                                                                                        \
        if (how == CC_TWICE)                                                                               \
            again(a + one, a, is_write);                                                                   \
        on_##kind##one(a);                                                                                 \
        on_##kind##one(a + one);                                                                           \
    }                                                                                                      \
    static void on_##name##one(ULong a)                                                                    \
    {                                                                                                      \
        if (is_far(a) || !do_it(engine.current, a, class, how, spot(a)))                                   \
            other_##name##one(a);                                                                          \
    }                                                                                                      \
    static __attribute__((noinline)) void data_other_##name##one(ULong a)                                  \
    {                                                                                                      \
        cc_data_count(engine.current->data, a, class - 1, is_write);                                       \
        cc_data_count(engine.current->data, a + one, class - 1, is_write);                                 \
        on_##name##one(a);                                                                                 \
    }                                                                                                      \
    static void data_##name##one(ULong a)                                                                  \
    {                                                                                                      \
        if (cc_data_same_two(engine.current->data, a, class - 1, is_write))                                \
            on_##name##one(a);                                                                             \
        else                                                                                               \
            data_other_##name##one(a);                                                                     \
    }
#define PAIRS(one, class)                                               \
    PAIR(read_pair, read, one, class, CC_TWICE, cc_quick_load, false)   \
    PAIR(read_apart, read, one, class, CC_APART, cc_quick_load, false)  \
    PAIR(write_pair, write, one, class, CC_TWICE, cc_quick_store, true) \
    PAIR(write_apart, write, one, class, CC_APART, cc_quick_store, true)
PAIRS(4, 3)
PAIRS(8, 4)
#define ALL_PAIRS(name)                                                                     \
    {                                                                                       \
        {{name##_read_pair4, name##_read_pair8}, {name##_read_apart4, name##_read_apart8}}, \
        {                                                                                   \
            {name##_write_pair4, name##_write_pair8},                                       \
            {                                                                               \
                name##_write_apart4, name##_write_apart8                                    \
            }                                                                               \
        }                                                                                   \
    }
static void *const pairs[2][2][2][2] = {ALL_PAIRS(on), ALL_PAIRS(data)}; /* [objects][write][apart] */

/* The same, and followed: where all dependences are asked for, of loops alone. */
#define FOLLOWED(kind, bytes)                                                \
    static void followed_##kind##bytes(ULong a, struct cc_depend_site *site) \
    {                                                                        \
        struct cc_depend_thread *x = engine.current->depend;                 \
        on_##kind##bytes(a);                                                 \
        if (x && cc_depend_on(x->owner))                                     \
            cc_depend_##kind##bytes(x, a, site);                             \
    }
FOLLOWED(read, 1)
FOLLOWED(read, 2)
FOLLOWED(read, 4)
FOLLOWED(read, 8)
FOLLOWED(read, 16)
FOLLOWED(write, 1)
FOLLOWED(write, 2)
FOLLOWED(write, 4)
FOLLOWED(write, 8)
FOLLOWED(write, 16)
static void *const followed[2][5] = ALL(followed);

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
static void any_again_read(ULong a, ULong size, ULong first)
{
    again(a, first, False);
}
static void any_again_write(ULong a, ULong size, ULong first)
{
    again(a, first, True);
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

static IRDirty *call(void *function, IRExpr *address, HWord what, IRExpr *more)
{
    if (more)
        return unsafeIRDirty_0_N(0, "on_access", function,
                                 mkIRExprVec_3(address, mkIRExpr_HWord(what), more));
    return unsafeIRDirty_0_N(0, "on_access", function, mkIRExprVec_2(address, mkIRExpr_HWord(what)));
}

static IRDirty *call_quick(void *function, IRExpr *address, IRExpr *first)
{
    return unsafeIRDirty_0_N(0, "on_quick", function,
                             first ? mkIRExprVec_2(address, first) : mkIRExprVec_1(address));
}

static Bool is_plain(const struct access *x)
{
    return x->size && x->size <= 16 && (x->size & (x->size - 1)) == 0;
}

IRDirty *cc_vg_access_followed(const struct access *x, struct cc_depend_site *site)
{
    if (!is_plain(x) || x->first || !engine.quick || engine.options.objects || !engine.options.exact ||
        engine.options.tasks == CC_TASKS_ALL)
        return NULL;
    return call_quick(followed[x->write][__builtin_ctz(x->size)], x->address, mkIRExpr_HWord((HWord)site));
}

void cc_vg_access(const struct access *x, IRDirty *ret[2])
{
    ret[0] = ret[1] = NULL;
    Bool plain = is_plain(x), write = x->write;
    UInt class = plain ? (UInt)__builtin_ctz(x->size) : 0;
    if (plain && engine.quick) {
        ret[0] =
            call_quick(quick[engine.options.objects][x->first != NULL][write][class], x->address, x->first);
        return;
    }
    ret[0] = call(plain   ? direct[write][class]
                  : write ? (void *)any_write
                          : (void *)any_read,
                  x->address, x->size, NULL);
    if (x->first)
        ret[1] = call(write ? any_again_write : any_again_read, x->address, x->size, x->first);
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
    if (!engine.quick || (x->size != 4 && x->size != 8))
        return NULL;
    return call_quick(pairs[engine.options.objects][x->write][apart][x->size == 8], x->address, NULL);
}
