/* The Valgrind engine's own: its state, what lies behind a thread's guest state, and what its files offer
 * each other.
 *
 * Each memory access calls the collector. Instructions and the executions of each straight piece of code are
 * counted by inline adds. Which function is running is checked at the start of each block of the program's
 * functions by an inline compare; calls and returns are hooked where they matter. Everything else is in
 * collect/. */
#ifndef CC_ENGINES_VALGRIND_ENGINE_H
#define CC_ENGINES_VALGRIND_ENGINE_H

#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h" /* VG_(exit) */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "../../collect/boat.h"
#include "../../collect/collect.h"
#include "../../collect/data.h"
#include "../../collect/depend.h"
#include "../../collect/locality.h"
#include "../../collect/loop.h"
#include "../../collect/sibling.h"
#include "../../collect/transfer.h"

#if defined(VGA_arm64)
#include "libvex_guest_arm64.h"
enum { CC_VG_ISA = CC_ISA_AARCH64, CC_VG_CALL_PUSHES = 0 };
#define GUEST_SP(g) ((VexGuestARM64State *)(g))->guest_XSP
#define GUEST_RESULT(g) ((VexGuestARM64State *)(g))->guest_X0
#define JUMP_WITH_GUEST(to) "mov x1, x21\n\tb " #to /* VEX keeps the guest state in x21 */
#define JUMP_WITH_GUEST_LAST(to) "mov x2, x21\n\tb " #to
#elif defined(VGA_amd64)
#include "libvex_guest_amd64.h"
enum { CC_VG_ISA = CC_ISA_X86, CC_VG_CALL_PUSHES = 8 };
#define GUEST_SP(g) ((VexGuestAMD64State *)(g))->guest_RSP
#define GUEST_RESULT(g) ((VexGuestAMD64State *)(g))->guest_RAX
#define JUMP_WITH_GUEST(to) "mov %rbp, %rsi\n\tjmp " #to /* VEX keeps the guest state in rbp */
#define JUMP_WITH_GUEST_LAST(to) "mov %rbp, %rdx\n\tjmp " #to
#else
#error "this host's ISA is not supported by the valgrind engine"
#endif

/* What lies behind the guest state of each thread: Valgrind keeps two areas of the same size there for tools.
 */
struct spare {
    ULong count;   /* instructions of this thread */
    ULong out_ret; /* mirrors cc_thread.out_ret */
    UInt function; /* mirrors cc_thread.function */
    UInt pad;
    ULong target;    /* of the indirect call or return that ends the block; the record of a mark */
    ULong blocks;    /* mirrors cc_thread.blocks, */
    ULong own;       /* cc_thread.own, and */
    ULong tick_at;   /* cc_thread.tick_at */
    ULong out_sp;    /* cc_thread.out_sp, below what a call pushes */
    ULong loop;      /* cc_loop_innermost */
    ULong alloc_ret; /* where the allocator that is running returns to; 0: none is */
    UInt depend;     /* dependences are followed now */
    UInt pad2;
    struct cc_loop_leaf leaf; /* that the collector does not know of */
};
/* The loop of a leaf that it does know of: its end has to be told of. */
#define CC_VG_SETTLED ((struct cc_loop *)-1)

struct guest { /* a thread of the program, by Valgrind's thread id */
    struct cc_thread *thread;
    struct cc_call call;        /* that it is in */
    struct spare before_return; /* at the return from a signal handler */
    Bool returning;             /* that return is under way */
};

/* Of the run. Valgrind passes no pointer to its callbacks. */
struct engine {
    struct cc_thread *current; /* the thread that runs */
    struct cc_collect *collect;
    struct cc_options options;
    Bool quick;            /* accesses are in a hurry */
    const HChar *run_file; /* that has them */
    Int spare_at;          /* offset of struct spare from the guest state */
    Int sp_at;             /* of the stack pointer */
    struct guest *guests;
    UInt alive;    /* threads */
    ULong retired; /* instructions of those that ended */
    Bool silent;   /* a forked child that is not followed */
    Bool forked;   /* has such children */
    Bool begun;    /* the first thread runs */
    UInt turn;     /* of the next snapshot */
    Bool refused;  /* it was told that there was no room for a large mapping */
    UInt next_snapshot_ms;
    Int task_fd;             /* -1: not open yet */
    struct cc_boat boats[2]; /* where snapshots go once the program restricts itself */
    Bool no_files;           /* its limit on the size of files is ours too */
};
extern struct engine engine;

static inline struct spare *spare_of(void *guest)
{
    return (struct spare *)((UChar *)guest + engine.spare_at);
}

void cc_vg_loop_settle(struct cc_thread *t, struct spare *s); /* loops.c */
static inline void to_collector(struct cc_thread *t, struct spare *s)
{
    if (s->leaf.loop)
        cc_vg_loop_settle(t, s);
    t->function = s->function;
    t->out_ret = s->out_ret;
    t->out_sp = s->out_sp + CC_VG_CALL_PUSHES;
}

/* Whether accesses are followed, for loops or for calls. */
static inline UInt cc_vg_depend_on(const struct cc_thread *t)
{
    return cc_depend_on(t->depend->owner) || cc_sibling_on(t->sibling);
}

void cc_vg_loop_shown(struct cc_thread *t,
                      struct spare *s); /* what the collector knows, and no leaf is beside it */
static inline void from_collector(struct spare *s, struct cc_thread *t)
{
    s->function = t->function;
    s->out_ret = t->out_ret;
    s->out_sp = t->out_sp - CC_VG_CALL_PUSHES;
    s->blocks = (Addr)t->blocks;
    s->own = (Addr)t->own;
    s->tick_at = t->tick_at;
    if (t->loops)
        cc_vg_loop_shown(t, s);
    if (t->sibling)
        s->depend = cc_vg_depend_on(t);
}

static inline void get_spare(ThreadId tid, struct spare *s)
{
    VG_(get_shadow_regs_area)(tid, (UChar *)s, 1, 0, sizeof *s);
}

static inline void set_spare(ThreadId tid, const struct spare *s)
{
    VG_(set_shadow_regs_area)(tid, 1, 0, sizeof *s, (const UChar *)s);
}

/* A function that translated code calls. VEX passes no pointer to the guest state on arm64, so each of these
 * is entered through a stub that takes it from the register where translated code keeps it, and passes it as
 * the second argument. */
#define CALLED_BY_CODE(name) \
    void name##_stub(void);  \
    void name(void *what, void *guest)
#define FROM_CODE(name)                                                                 \
    __asm__(".text\n\t.globl " #name "_stub\n\t.type " #name "_stub, %function\n" #name \
            "_stub:\n\t" JUMP_WITH_GUEST(name));                                        \
    __attribute__((used)) void name(void *what, void *guest)
/* The same with an argument more, before the guest state. */
#define FROM_CODE_WITH(name, more)                                                      \
    void name##_stub(void);                                                             \
    void name(void *what, more, void *guest);                                           \
    __asm__(".text\n\t.globl " #name "_stub\n\t.type " #name "_stub, %function\n" #name \
            "_stub:\n\t" JUMP_WITH_GUEST_LAST(name));                                   \
    __attribute__((used)) void name(void *what, more, void *guest)

/* events.c */
struct site {      /* what translated code passes to the next four */
    ULong address; /* of the block, or where the call returns to */
    struct cc_place place;
    struct cc_call_memo call; /* of a call whose target is known */
    Bool outside;             /* a call by code of nobody's: of others' code it tells nothing */
};
CALLED_BY_CODE(on_arrival);
CALLED_BY_CODE(on_call);
CALLED_BY_CODE(on_indirect_call);
CALLED_BY_CODE(on_return);
CALLED_BY_CODE(on_return_for);
CALLED_BY_CODE(on_mark); /* a struct cc_mark_site */
CALLED_BY_CODE(on_record_mark);
CALLED_BY_CODE(on_tick);
void cc_vg_forget_targets(void); /* what is mapped where has changed */

/* access.c */
struct access {              /* an access to memory that is translated */
    IRExpr *address, *first; /* first: address of the instruction's first access; NULL: this is it */
    ULong instruction;       /* its address */
    UInt number, size;       /* number: among the instruction's accesses */
    Bool write;
};
void cc_vg_access(const struct access *x, IRDirty *ret[2]); /* the calls to be made; NULL: none */
/* One call for the access and what follows dependences; NULL: they need one each. */
IRDirty *cc_vg_access_followed(const struct access *x, struct cc_depend_site *site);
/* The call for two accesses at once, the second like this and just behind it; NULL: they need one each.
 * `apart`: they are the first of an instruction each, else the first two of one. */
IRDirty *cc_vg_pair(const struct access *x, Bool apart);
/* The call for --locality. */
IRDirty *cc_vg_locality(const struct access *x, enum cc_line_kind kind, IRExpr *now);
void cc_vg_map_shadow(struct cc_host *host); /* in one piece, if that can be had */
void cc_vg_dense_shadow(Addr a, SizeT size); /* the program is about to use all of that, or much of it */

/* depend.c; all but the first do nothing unless dependences are asked for */
struct depend; /* of a piece of code that is translated */
void cc_vg_depend_begin(void);
void cc_vg_depend_cut(IRSB *in);
struct depend *cc_vg_depend_new(const IRSB *in, IRSB *out, ULong address, UInt function);
void cc_vg_depend_free(struct depend *d);
void cc_vg_depend_instruction(struct depend *d, Int at, ULong address); /* at: its number as a statement */
void cc_vg_depend_exit(struct depend *d, Int at);                       /* after it */
void cc_vg_depend_access(struct depend *d, const struct access *x, IRExpr *only_if); /* NULL: always */
/* Together with the access itself, in one call: whether it is so. */
Bool cc_vg_depend_with_access(struct depend *d, const struct access *x);
void cc_vg_depend_storing(struct depend *d, const IRExpr *data); /* by the next access */
void cc_vg_depend_indexed(struct depend *d, const IRStmt *st);
void cc_vg_depend_bitscan(struct depend *d, const IRStmt *st); /* before it */
void cc_vg_depend_call(struct depend *d, ULong ret);
void cc_vg_depend_return(struct depend *d);
void cc_vg_depend_jump(struct depend *d);
CALLED_BY_CODE(on_depend_call);
CALLED_BY_CODE(on_depend_return);

/* loops.c */
void cc_vg_loop_point(IRSB *out, const struct cc_loop_point *p); /* control is there, the count up to date */
/* Dependences are asked for: a leaf that the thread is in becomes an entry, and its next invocation is told
 * of. */
void cc_vg_loop_known(ThreadId tid);

/* allocators.c */
struct allocator {
    enum cc_alloc_kind kind;
    UInt function; /* its own, CC_OUTSIDE if it has none */
};
CALLED_BY_CODE(on_allocator); /* at its first instruction: a struct allocator */
CALLED_BY_CODE(on_allocated); /* back where it was called from */

/* translate.c */
IRSB *cc_vg_translate(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                      const VexGuestExtents *vge, const VexArchInfo *arch, IRType guest_word,
                      IRType host_word);

/* code.c */
void cc_vg_note_code(const IRSB *in, Bool call); /* call: it ends with one */
struct jump {                                    /* an indirect one */
    ULong at, to;                                /* to: where it went last */
};
CALLED_BY_CODE(on_jump);

/* environment.c */
extern HChar **VG_(client_envp); /* the core's: on the program's stack */
void cc_vg_restore_environment(ThreadId tid);

/* threads.c */
void cc_vg_track_threads(void);
void cc_vg_sync_threads(void); /* all are accounted up to now */
void cc_vg_end_threads(void);
void cc_vg_forget_threads(ThreadId but); /* a forked child has only that one */

/* memory.c */
void cc_vg_track_memory(void);

/* syscalls.c */
void cc_vg_track_syscalls(void);

/* restrict.c */
void cc_vg_before_restriction(ThreadId tid, const struct cc_call *call);
void cc_vg_after_restriction(void);

/* host.c */
void cc_vg_board(void); /* from now on snapshots need no system call */
extern SysRes VG_(do_syscall)(UWord number, RegWord, RegWord, RegWord, RegWord, RegWord,
                              RegWord); /* the core's */
extern struct cc_host cc_vg_host;
void cc_vg_snapshot(UInt flags); /* CC_RUN_* */

#endif
