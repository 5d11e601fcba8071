/* The replay's state: inside the room only. Processors carry strands of work forward in time; a strand runs
 * on alone until it does something whose outcome depends on others (fetch a chunk, take a lock, arrive at a
 * barrier), and does that only when no other strand is earlier. Equal times are settled by the processor's
 * number. */
#ifndef CC_ANALYSIS_PREDICT_REPLAY_H
#define CC_ANALYSIS_PREDICT_REPLAY_H

#include "draws.h"
#include "portion.h"

/* What a thread is in the runtime for. */
enum visit {
    VISIT_FIRST,  /* the master of the first region makes its threads before */
    VISIT_REGION, /* its master opens it */
    VISIT_JOIN,   /* a thread comes to a region, or the master is done with it */
    VISIT_BARRIER,
    VISIT_FETCH,
    VISIT_GUIDED,
    VISIT_LOCK,
    VISIT_TASK, /* making or taking one */
};

/* What a strand does next; `state` is the kind's own. */
enum frame_kind {
    F_WALK,
    F_REGION,
    F_LOOP,
    F_SINGLE,
    F_MASTER,
    F_CRITICAL,
    F_ORDERED,
    F_BARRIER,
    F_TASK,
    F_TASKWAIT,
    F_TASKLOOP,
    F_TASKGROUP,
    F_LOOK, /* for a task, at the queue */
    F_SCOPE,
    F_TARGET,
    F_MOVE, /* target data and its like */
    F_TILE,
    F_TRANSFER
};

struct frame {
    enum frame_kind kind;
    int state;
    bool waited; /* for tasks, that were not done when it began to */
    uint32_t node, path;
    const struct bound *b;
    union {
        struct {
            uint32_t child, before; /* before: 1 + name of the child before, 0 for none */
            uint32_t copies;        /* of the child still to run */
            uint64_t left;          /* ticks of the task not yet given to children */
            uint64_t writes;        /* that the strand had issued when the task began */
            bool ended;             /* what waits at the task's end was begun */
        } walk;
        struct {
            struct share *share;
            uint64_t cur, hi;      /* iterations of the chunk */
            uint64_t turn;         /* static: the thread's next chunk */
            size_t run;            /* of the current iteration */
            bool worked, combined; /* combined: the region's own loop, joined by the region */
            cc_ticks since;
            cc_ticks snap[CC_PARTS];
        } loop;
        struct {
            struct team *team; /* the one this region has */
            struct team *outer;
            struct share *share; /* of parallel for and parallel sections */
            struct context *context;
            struct group *group;
            unsigned tid, closely;
            size_t seq;
            bool final;
        } region;
        struct {
            cc_ticks cost; /* after the release */
        } barrier;
        struct {
            struct job *job;
            struct context *outer;
            struct group *group;
            bool final;
            uint64_t cur;
            size_t run;
            struct share *share; /* of a target's loop that is to become a task */
        } task;
        struct {
            struct share *share;
            struct group *own, *outer;
            uint64_t ntasks, made;
            bool at_once;
        } taskloop;
        struct {
            struct group *own, *outer;
        } group;
        struct {
            struct share *share; /* of a loop; NULL: the node */
        } target;
        struct {
            struct job *job; /* that it found */
        } look;
    } u;
};

/* The buffers of a strand: when the tasks before had done with theirs. */
struct buffers {
    uint64_t n; /* tasks with transfers since the last fresh start */
    cc_ticks since;
    cc_ticks computed[CC_PREDICT_MAX_BUFFERS],
        written[CC_PREDICT_MAX_BUFFERS]; /* by task modulo their number */
    uint64_t writes;
    cc_ticks last_write;
};

/* One direction of the DMA: one transfer at a time. Transfers that were asked for earlier than they become
 * known here may go into gaps; so many of the last ones are remembered. */
enum { MAX_GAPS = 64 };
struct channel {
    cc_ticks free_at, busy;
    struct gap {
        cc_ticks from, to;
    } gap[MAX_GAPS];
    size_t ngaps;
};

/* The runtime's code for tasks: what makes them, and what takes and ends them. */
enum code { CODE_MAKE, CODE_TAKE, NCODES };

/* Whose code ran since then. */
enum { MAX_RAN = 8 };
struct code_ran {
    uint32_t name[MAX_RAN];
    unsigned n;
    double bytes;
};

/* One processor with the strand on it, if any. */
struct strand {
    unsigned proc, tid;
    cc_ticks time;
    cc_ticks part[CC_PARTS]; /* adds up to time */
    struct team *team;       /* NULL: the sequential part */
    unsigned closely;        /* > 0: inside a construct that no work-sharing may be nested in directly */
    size_t seq;              /* work-sharing constructs of the team met so far */
    bool busy;               /* belongs to a team (or is the first processor) */
    bool blocked, at_barrier;
    cc_ticks looks;    /* while it waits for tasks: since when it looks for one; after a while it sleeps */
    bool listed;       /* among those of the team that wait */
    bool dozes;        /* at the lock of its queue; or did, and comes for it again */
    bool called;       /* woken to look for a task */
    bool looked;       /* at its last barrier it waited; who came last is the first to go on */
    unsigned order;    /* among those that go on at the same moment */
    enum cc_part wait; /* what waiting counts as */
    struct context *context;
    struct group *group; /* the innermost taskgroup around it */
    /* At a taskwait or a taskgroup's end it takes no task but those it waits for: children of this, or of the
     * group's. Both NULL: any. */
    const struct context *only_of;
    const struct group *only_in;
    bool final;                                /* inside a final task: tasks are run at once */
    bool had_task;                             /* made or ended any yet, or opened a region inside another */
    unsigned made_teams;                       /* anew, in memory that was not used yet */
    bool had_turn;                             /* of an ordered loop */
    bool made_task, made_depend, ended_depend; /* any yet, and any that names variables */
    struct {
        cc_ticks until, more;  /* until then; so much more if another does all the while */
        cc_ticks length, owes; /* of it; what others that came later have kept it */
    } making;                  /* threads of a region inside another */
    bool took_task;            /* any yet */
    bool ended_task;
    bool owes_first;  /* what the first one costs it, which is paid after it */
    unsigned spares;  /* memory of tasks that it has run */
    unsigned running; /* tasks that it took at a barrier and has not done; one, but for nested regions */
    bool waited;      /* for others, since its last piece of work */
    struct cc_locality_visit visit; /* of the runtime, since then */
    struct code_ran ran[NCODES];
    struct strand *sibling; /* on the other half of its core, NULL if none */
    struct buffers buffers;
    CC_VEC(struct frame) frames;
};

/* The children of a task that somebody may wait for. */
struct context {
    unsigned refs, children;
    unsigned depth; /* tasks around it */
    struct context *parent;
    struct strand *waiter;
    uint64_t serial; /* tells places of different tasks apart; 0: not needed yet */
    cc_ticks until;  /* when the units have done what it gave them without waiting */
    bool table;      /* it has made a task with a depend */
    struct made {
        const struct bound *b;
        int64_t n;
        struct made *next;
    } * made; /* how many tasks of each directive it made */
};

/* All tasks made inside a taskgroup, whoever made them. */
struct group {
    unsigned pending;
    struct strand *waiter;
    cc_ticks until; /* when the units have done what was given them inside it without waiting */
};

/* An explicit task: a node, or iterations of a taskloop. In the team's queue when nothing it depends on is
 * left. */
struct job {
    uint32_t node, path;
    const struct bound *b;
    struct share *share; /* NULL for a plain task */
    uint64_t lo, hi;
    cc_ticks ready;
    cc_ticks not_before, done_at; /* what units do for others ends later than the replay knows of it */
    struct context *context;
    struct group *group;
    unsigned refs, waits; /* waits: for so many others */
    bool done, undeferred, final;
    bool queued;  /* taken from the queue */
    bool counted; /* among those of its team that are not done */
    bool empty;   /* taskwait with dependences: nothing but the waiting */
    bool on_unit; /* a target with dependences */
    bool running; /* among those that threads took while they had nothing else */
    bool fresh;   /* in memory that no task had before */
    bool far;     /* made when many others were not done */
    const struct strand *maker;
    struct strand *waiter;
    struct job_list *after; /* what waits for it */
    struct job_read *read;  /* by depend; NULL without, or when it is over */
    uint64_t behind, ahead; /* so many it came behind; so many came behind what it writes */
    unsigned places;        /* that were not named before */
    uint64_t passed;        /* tasks that name its places, too, and are not done */
    uint64_t number, named; /* its own, where it has dependences; that of the last that came behind it */
};

struct job_read {
    size_t place;     /* and one; 0: it writes it */
    uint64_t writers; /* that the place had before */
};

struct job_list {
    struct job *job;
    struct job_list *next;
};

/* What depend clauses name. */
struct place {
    struct job_list *writer, *readers; /* readers: since it was written */
    uint64_t writers, pending;         /* so many wrote it; so many read it, whenever, and are not done */
};

struct team {
    unsigned n;
    struct strand **member;
    struct strand *master;
    bool outermost;
    uint32_t path;
    const struct bound *b;
    cc_ticks opened;
    cc_ticks (*snap)[CC_PARTS];    /* of all processors (outermost) or the members, when it opened */
    CC_VEC(struct share *) shares; /* work-sharing constructs in progress, the first has number `first` */
    size_t first;
    unsigned arrived;
    CC_VEC(struct strand *) waiting;
    CC_VEC(struct job *) queue; /* NULL: taken out of the middle */
    size_t queue_head;
    struct strand *queue_holder;      /* who has its lock */
    const struct strand *queue_last;  /* who had it before */
    CC_VEC(struct strand *) at_queue; /* who wants it */
    cc_ticks queue_since;             /* when it was let go, or taken by who has it */
    bool queue_marked;                /* somebody has slept there while others wanted it */
    unsigned pending;                 /* tasks made and not done */
    unsigned running;                 /* threads that have a task which they took at a barrier */
    cc_ticks until; /* when the units have done what its threads gave them without waiting */
};

/* A work-sharing construct: its iterations, and who got which. */
struct share {
    const struct bound *b;
    unsigned refs, left; /* left: threads that are through */
    uint32_t end;        /* first sibling after the loop */
    uint64_t total;      /* ticks of all iterations with their gaps */
    uint32_t owner;      /* name of the task the gaps belong to */
    uint64_t n;
    uint32_t *node;  /* the runs of equal iterations */
    uint64_t *start; /* their first iterations; NULL: every run is one iteration */
    size_t nruns;
    cc_ticks *before, *after; /* collapse: code of the outer loops; NULL without */
    cc_ticks last;            /* sections: code after the last */
    bool first_gap;           /* the gap before the first iteration belongs to it */
    bool simple;              /* no iteration has a directive inside */
    uint64_t next, fetched;
    cc_ticks fetch_free;
    bool taken;
    uint64_t turn; /* ordered: the iteration whose turn it is */
    cc_ticks turn_time;
    const struct strand *turn_of; /* who had the last one; NULL: nobody yet */
    unsigned char *passed;
    struct strand **turn_waiter; /* by member */
    uint64_t *turn_wanted;
};

struct lock {
    cc_ticks free_at;
    struct strand *holder;
    CC_VEC(struct strand *) queue;
    size_t head;
};

struct path {
    uint32_t parent, name;
};

struct region {
    uint32_t path;
    const struct bound *b;
    unsigned depth;
    uint64_t calls;
    double threads, time, stack[CC_PARTS];
};

struct engine {
    const struct cc_predict_model *m;
    const struct cc_predict_plan *p;
    const struct cc_htg *h;
    const cc_ticks (*cost)[NCOSTS];
    int variant;
    struct bound *bounds;
    struct strand *strands;
    unsigned nprocs, nfree, running, nclusters;
    unsigned *near; /* how many run in each cluster */
    struct owned *owned;
    CC_VEC(struct team *) teams;
    struct strand **heap;
    size_t nheap;
    struct lock *locks; /* the last one is the reductions' */
    CC_VEC(struct path) paths;
    struct cc_map path_index;
    CC_VEC(struct region) regions;
    struct cc_map region_index;
    bool *orphan;
    unsigned char *loops; /* of each directive: LOOP_MET | LOOP_SHARED */
    CC_VEC(struct place) places;
    struct cc_strmap place_index;
    uint64_t serials;
    CC_VEC(struct job *) launches; /* targets that wait for nothing any more */
    struct channel *channel;       /* read and write of each cluster */
    struct engine_unit {
        struct channel link[2]; /* to it, from it */
        struct channel work;    /* its kernels */
    } * units;
    struct cc_strmap present; /* variables on units: how often they were mapped */
    struct cc_predict_offload offload;
    uint64_t transfers;
    double bytes, joules; /* by DMA; of accesses */
    cc_ticks saved;       /* by hardware blocks */
    uint64_t blocks;
    bool record, cut;
    unsigned inside, most_inside; /* threads of regions inside others: now, and ever at once */
    bool had_region;              /* code and memory of the runtime are there */
    bool had_task;                /* anybody */
    uint64_t most_tasks;          /* not done at a time, so far */
    CC_VEC(struct cc_predict_segment) segments;
    const struct draw *draw;         /* NULL: as given */
    struct cc_rng order;             /* of threads that are let go at the same moment */
    struct cc_rng chance;            /* of what it leaves to chance in this replay */
    struct local_run *local;         /* NULL: without the trace of lines */
    const struct portions *portions; /* NULL: none */
    uint16_t *ran_by; /* by node, where there are some: 1 + the thread that had the iteration */
    bool failed;
    struct cc_err *err;
};

enum { LOOP_MET = 1, LOOP_SHARED = 2 }; /* shared: of more than one iteration */

/* Memory that dies with the engine if nobody frees it before. */
struct owned {
    struct owned *prev, *next;
};
void *cc_eng_alloc(struct engine *e, size_t n, size_t size);
void cc_eng_free(struct engine *e, void *p);

enum step { ON, STOP }; /* go on with this strand, or leave it */

/* time.c: moving strands */
void cc_eng_advance(struct engine *e, struct strand *s, cc_ticks dt, enum cc_part part, uint32_t name);
void cc_eng_segment(struct engine *e, struct cc_predict_segment g);
unsigned cc_eng_cluster(const struct engine *e, const struct strand *s);
void cc_eng_wait_until(struct engine *e, struct strand *s, cc_ticks t, enum cc_part part);
void cc_eng_work(struct engine *e, struct strand *s, struct piece p, uint64_t copies, uint32_t name);
/* What the strand stored is for others from now on. */
void cc_eng_publish(struct engine *e, const struct strand *s);
struct load cc_eng_load(const struct engine *e, const struct strand *s);
void cc_eng_cost(struct engine *e, struct strand *s, enum column column, enum cost cost);
/* What so many threads at it make of a cost; `otherwise`, where that is not known. */
cc_ticks cc_eng_crowd(const struct engine *e, enum crowd c, unsigned threads, cc_ticks otherwise);
bool cc_eng_yield(struct engine *e, struct strand *s); /* true: somebody is earlier, s was put aside */
void cc_eng_block(struct engine *e, struct strand *s);
void cc_eng_rest(struct engine *e, const struct strand *s); /* it is no longer at work */
void cc_eng_wake(struct engine *e, struct strand *s, cc_ticks t);
/* Those that are let go at the same moment: with the trace of lines, in an order that is another one each
 * time. Data that one had the time before is then with somebody else. */
void cc_eng_shuffle(struct engine *e, struct strand **v, size_t n);
struct strand *cc_eng_pop(struct engine *e);
void cc_eng_fail(struct engine *e, const struct bound *b, const char *fmt, ...) CC_PRINTF(3, 4);
struct frame *cc_eng_push(struct strand *s, enum frame_kind kind, uint32_t node, uint32_t path,
                          const struct bound *b);

/* accounts.c: paths and regions */
uint32_t cc_eng_path(struct engine *e, uint32_t parent, uint32_t name);
struct region *cc_eng_region(struct engine *e, uint32_t path, const struct bound *b);
void cc_eng_results(struct engine *e, struct cc_predict_schedule *ret);

/* One replay with the costs of e.variant (0 the least, 1 the usual, 2 the largest), or of its draw. */
int cc_eng_replay(struct engine e, struct cc_predict_schedule *ret);

/* share.c: iterations and loops */
/* The loop whose first iteration is `first`, among siblings that end at `last`. */
struct share *cc_share_loop(struct engine *e, const struct bound *b, uint32_t first, uint32_t last,
                            uint32_t owner);
struct share *cc_share_sections(struct engine *e, const struct bound *b, uint32_t node);
struct share *cc_share_none(struct engine *e, const struct bound *b); /* for single */
void cc_share_unref(struct engine *e, struct share *sh);
/* Runs the code of iteration `i`; true when it was put on the strand's frames instead and is still to be run.
 */
bool cc_share_iteration(struct engine *e, struct strand *s, struct share *sh, uint64_t i, size_t *run,
                        uint32_t path);
cc_ticks cc_share_after(const struct share *sh, uint64_t i);
enum step cc_eng_loop(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_ordered(struct engine *e, struct strand *s, struct frame *f);

/* team.c: threads and teams that are made anew */
/* The threads of a region inside another are made for it, and end with it. Whoever opens one needs memory of
 * its own, as for tasks, and each thread a stack, which is kept. */
void cc_team_make_threads(struct engine *e, struct strand *s, const struct team *t);
/* A team that is not kept from one region to the next gets other memory each time, until the library has some
 * that was given back. That of a process's first region is in what it costs more. */
void cc_team_fresh(struct engine *e, struct strand *s, const struct team *t);

/* code.c: code that the runtime and the program drive out of the first cache */
void cc_code_ran(const struct engine *e, struct strand *s, uint32_t name);
/* What that costs at a visit of the runtime. */
cc_ticks cc_code_visit(const struct engine *e, struct strand *s, enum code what);

/* sync.c: criticals, atomics, singles, scopes, barriers */
enum step cc_eng_single(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_master(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_critical(struct engine *e, struct strand *s, struct frame *f);
void cc_eng_uncontended(struct engine *e, struct strand *s, const struct frame *f);
enum step cc_eng_scope(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_barrier(struct engine *e, struct strand *s, struct frame *f);
void cc_eng_push_barrier(struct engine *e, struct strand *s, const struct frame *f);
/* Combines so many values at the end of a reduction; STOP: not yet. */
enum step cc_eng_reduce(struct engine *e, struct strand *s, const struct bound *b);
/* Among those a new task wakes; `barrier`: and counted as arrived there. */
void cc_eng_start_waiting(struct engine *e, struct strand *s, bool barrier);
void cc_eng_stop_waiting(struct team *t, struct strand *s);

/* tasks.c */
enum step cc_eng_task(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_taskwait(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_taskgroup(struct engine *e, struct strand *s, struct frame *f);
enum step cc_eng_taskloop(struct engine *e, struct strand *s, struct frame *f);
/* true: it looks for one, or did something else meanwhile. */
/* What a thread other than the first needs when it first asks the runtime for memory. */
void cc_eng_own_memory(struct engine *e, struct strand *s);
bool cc_eng_take_job(struct engine *e, struct strand *s);
/* Runs a task that it took from the queue. */
void cc_eng_begin_job(struct engine *e, struct strand *s, struct job *job);
struct context *cc_eng_own_context(struct engine *e, struct strand *s);
void cc_context_unref(struct engine *e, struct context *c);

/* queue.c: the team's tasks, and its lock */
struct cc_making {
    cc_ticks before, hold, after; /* the lock is taken, had for so long and let go */
    bool asks;                    /* for somebody who sleeps */
};
struct cc_making cc_queue_making(const struct engine *e, const struct strand *s);
struct cc_taking {
    cc_ticks take, after; /* with the lock, and when it is let go */
    cc_ticks end, let_go; /* with the lock; for those that waited for it, besides */
};
/* What the first variable that a task's depends name costs, when it is made and, a half of it, when it ends.
 */
cc_ticks cc_queue_named(const struct engine *e);
/* What another thread wrote last with the lock comes from there; nothing if the strand had it before. */
cc_ticks cc_queue_line(const struct engine *e, const struct strand *s);
struct cc_taking cc_queue_taking(const struct engine *e, const struct strand *s, const struct job *job);
/* What it costs more, with the lock, if it is the thread's first time. */
cc_ticks cc_queue_first(const struct engine *e, const struct strand *s, bool *done);
/* false: somebody else has the lock, and the strand stops; it has it when it goes on. */
bool cc_queue_enter(struct engine *e, struct strand *s);
void cc_queue_leave(struct engine *e, struct strand *s); /* if it has it */
void cc_queue_put(struct engine *e, struct strand *s, struct job *job);
/* Those that look for what was put there come, and so many that sleep are woken. */
void cc_queue_call(struct engine *e, struct strand *s, unsigned wake);
/* All is done that it waits for: it comes for the lock again. If it sleeps, the system is asked to wake it.
 */
void cc_queue_tell(struct engine *e, struct strand *s, struct strand *w);
bool cc_queue_may_take(const struct strand *s, const struct job *job);
/* Looks for a task, if there is one for it or it was woken; false: it does not, and has not the lock. */
bool cc_queue_look(struct engine *e, struct strand *s);
enum step cc_eng_look(struct engine *e, struct strand *s, struct frame *f);

/* depend.c: what tasks wait for */
void cc_job_unref(struct engine *e, struct job *job);
/* What a new task has to wait for; one that is not deferred is in no list of the runtime's. */
void cc_depend_take(struct engine *e, struct job *job, const struct cc_clause_names *names, bool deferred);
/* How many came behind it. */
uint64_t cc_depend_ahead(const struct engine *e, const struct job *job);
struct job_list *cc_depend_after(struct job *job); /* what waits for it, in the order it was made */
void cc_depend_forget(struct engine *e, struct job *job);

/* target.c: work and data on units */
/* For a unit or its data: a processor that waits is not at work. */
void cc_eng_await(struct engine *e, struct strand *s, cc_ticks t, enum cc_part part);
enum step cc_eng_target(struct engine *e, struct strand *s, struct frame *f);
/* A unit does a task's kernel by itself, from `t` on; when its data is back. */
cc_ticks cc_eng_launch(struct engine *e, struct strand *s, struct job *job, cc_ticks t);
enum step cc_eng_move(struct engine *e, struct strand *s, struct frame *f);

/* tiling.c */
enum step cc_eng_tile(struct engine *e, struct strand *s, struct frame *f);

/* transfer.c: DMA before and after tasks */
enum step cc_eng_transfer(struct engine *e, struct strand *s, struct frame *f);
/* When a transfer of this length begins that may begin at `earliest`; the channel is its own until it ends.
 */
cc_ticks cc_channel_reserve(struct channel *c, cc_ticks earliest, cc_ticks length);
void cc_eng_drain(struct engine *e, struct strand *s); /* wait until all is written */
void cc_eng_fresh_buffers(struct strand *s);           /* nothing asked for before now counts */
/* The strand is in the runtime, which takes lines of the caches. */
void cc_eng_visit(struct strand *s, enum visit what, unsigned threads);

void cc_eng_inside(struct engine *e, struct strand *s, uint32_t node,
                   uint32_t path); /* body without its transfers */
void cc_eng_body(struct engine *e, struct strand *s, uint32_t node, uint32_t path);
enum step cc_eng_region_step(struct engine *e, struct strand *s, struct frame *f);

#endif
