/* Inside the command. */
#ifndef CC_CLI_EXPLORE_INTERNAL_H
#define CC_CLI_EXPLORE_INTERNAL_H

#include "../command.h"
#include "../output.h"
#include "../../analysis/explore/devices.h"
#include "../../analysis/explore/explore.h"
#include "../../analysis/explore/legal.h"
#include "../../analysis/explore/stages.h"
#include "../../analysis/explore/tiles.h"
#include "../../analysis/patch/clauses.h"
#include "../../analysis/patch/join.h"
#include "../../analysis/patch/patch.h"
#include "../../analysis/patch/walk.h"
#include "../../analysis/patch/wave.h"

struct options {
    struct cc_common common;
    const char *platform, *cores, *source, *cflags, *patch, *keep, *scenario, *reach, *cost;
    const char *build, *command, *compare, *race_run;
    struct cc_strs set, only, leave, assume, budget;
    int objective, contention, race, copies;
    int64_t jobs, top, plan, repeat, limit, frames;
    double min_gain, min_share, tolerance;
    bool verify, force;
    uint64_t most_events;    /* of lines, to be replayed; 0: a usual number */
    struct cc_result **kept; /* where the result goes instead of being printed; NULL: it is printed */
};

/* A file of the program's source, as it is now. */
struct file {
    const struct cc_pfile *f;
    char *path;  /* where it was found; NULL: nowhere, or changed since */
    char *shown; /* in a patch: from the tree's root on */
    char *bytes; /* of the text, and how many */
    size_t size;
    struct cc_patch_text *text;
};

/* A loop of the list, as far as a directive in front of it goes. */
struct place {
    const struct file *file; /* NULL: not found */
    const struct cc_patch_loop *fact;
    const struct cc_source_loop *source;
    unsigned nth; /* of the loops of its line */
    struct cc_patch_clauses clauses;
    bool assumed; /* by the user */
    bool forced;  /* it is not known, and the user does not mind */
    bool joined;  /* each thread makes the source's choices for itself, and they are joined */
    bool turns;   /* a part of the body waits for its turn: from the loop's turn_line to this one */
    bool wave; /* with the loop that is all of its body it is gone through in tiles, diagonal by diagonal */
    bool walk; /* it goes from element to element, and makes a task of each iteration */
    unsigned turn_end;
    struct cc_explore_turn turn;
};

/* Statements of a block that call functions and may run side by side; an entry of the list of loops. */
struct calls {
    const struct cc_patch_calls *of;
    size_t from, to; /* of its statements */
    bool recursive;
    bool hidden; /* the last call is not in the binary: the compiler made a jump of it */
    bool loose;  /* nothing needs to wait for them in the function */
    uint32_t loop;
    struct cc_explore_calls *input;
};

struct exploration {
    const struct options *o;
    struct cc_profile *p;
    struct cc_source_loops *sources;
    struct cc_loop_list *loops;
    struct cc_patch_facts *facts;
    struct cc_htg *h;
    struct cc_platform *platform;
    struct file *files; /* by the profile's files */
    char *root;         /* folder that paths in a patch start from */
    struct place *places;
    struct cc_explore_input *inputs;
    CC_VEC(struct calls) calls;
    bool all_calls;   /* those that need each other, too */
    bool interrupted; /* the program, while it was recorded */
    int64_t *cores;
    size_t ncores;
    unsigned lines;                        /* budget */
    CC_VEC(struct cc_device_budget) logic; /* of it: lut=50% and so on */
    struct cc_explore_tiles tiles; /* nests over images; none: the chip has no DMA, or no local memory */
    struct cc_stages stages;       /* of the loop over frames */
    struct cc_devices *devices;    /* other units of the platform; NULL: there are none */
    int64_t most_cores;
    double area;            /* of a chip; 0: any */
    struct cc_ranks *ranks; /* processes that share the work; NULL: this one does all */
    struct chips *chips;    /* those of --set with ranges; NULL: there is but one */
    bool timed;             /* the platform has a clock */
    bool unread;            /* a loop that a patch could have had lacks its source */
    struct cc_explore_request rq;
    struct cc_explore_result r;
    struct verdict *verdicts; /* by plan, with --verify; else NULL */
    struct cc_arena arena;
};

/* What became of a plan that was tried. */
struct measured {
    unsigned processors;
    double seconds, slowest, speedup; /* the least and the most of all runs */
    double user, system;              /* seconds of processors in the fastest run */
    double together; /* seconds of so many copies of the sequential program at once; 0: they did not run */
    double slowdown; /* how many times as long that is as alone; 0: not known */
    struct cc_explore_speedup expected; /* predicted, with such slowdowns; processors 0: not known */
};
struct verdict {
    bool tried, ran, ok;
    struct measured sequential;
    double stolen;       /* share of all processors' time that a host kept while it was measured */
    uint32_t culprit;    /* the candidate whose loop raced, from 1; 0: not known */
    const char *reason;  /* why it failed; or what could not be checked */
    const char *race;    /* what the race check said */
    const char *apart;   /* why no copies ran at once; NULL: they did, or there was no need to */
    const char *again;   /* what our own recorder says of the unchanged program, */
    const char *patched; /* and of the patched one */
    struct measured *v;
    size_t n;
};

/* sources.c */
int cc_explore_sources(struct exploration *x, struct cc_err *err);
/* At blanks, as make does with CFLAGS. */
void cc_explore_words(const char *text, struct cc_arena *arena, struct cc_strs *ret);
/* A header of the system or of a language: nobody wants it changed. */
bool cc_explore_is_system(const char *path);
void cc_explore_sources_fini(struct exploration *x);

/* chips.c: whether a --set stands for several values; tries all chips, and leaves the one that answers the
 * question as the platform. */
bool cc_explore_is_range(const char *set);
/* Those of --set that stand for one value; `cores` are the platform's. */
int cc_explore_set(const struct options *o, struct cc_platform *p, struct cc_err *err);
int cc_explore_chips(struct exploration *x, const volatile sig_atomic_t *stop, struct cc_err *err);
void cc_explore_show_chips(struct exploration *x, struct cc_result *r);

/* legal.c: inputs and places of all loops. */
int cc_explore_legal(struct exploration *x, struct cc_err *err);

/* Why the user does not want it; NULL: he does. */
const char *cc_explore_left_out(const struct exploration *x, const struct cc_loop *l);

/* calls.c: adds them to the list of loops; as groups of tasks, once inputs are known; the entry's, or NULL.
 */
void cc_explore_calls(struct exploration *x);
struct cc_htg_group *cc_explore_call_groups(struct exploration *x, size_t *ret_n);
const struct calls *cc_explore_calls_of(const struct exploration *x, uint32_t loop);
const struct file *cc_explore_file_of_calls(const struct exploration *x, const struct cc_patch_calls *of);
const char *cc_explore_calls_pragma(struct exploration *x, const struct cc_explore_candidate *c);
struct cc_explore_edits {
    struct cc_patch_edit *v;
    size_t n, cap;
};
void cc_explore_calls_edits(struct exploration *x, const struct cc_explore_candidate *c, const struct file *f,
                            struct cc_explore_edits *ret);

/* What cc_patch_join needs of a loop, but for clauses and comment; what cc_patch_walk does, but for the
 * comment. */
struct cc_patch_join cc_explore_join(const struct place *p);
struct cc_patch_walk cc_explore_walk(const struct place *p);
/* waves.c: what cc_patch_wave needs of a nest, but for the comment; and what the search does. */
struct cc_patch_wave cc_explore_wave(const struct place *p, unsigned edge);
bool cc_explore_try_as_wave(struct exploration *x, uint32_t loop, struct place *p);
struct cc_explore_wave cc_explore_wave_sizes(const struct exploration *x, uint32_t loop);
const char *cc_explore_pragma(struct exploration *x, const struct cc_explore_candidate *c);
/* Clauses of the loop alone: data and schedule. */
const char *cc_explore_share(struct exploration *x, const struct cc_explore_candidate *c);
const char *cc_explore_comment(struct exploration *x, const struct cc_explore_candidate *c);
/* "3.2 ms", of so many ticks; second: how long a tick is, 0: not known. */
const char *cc_explore_duration(struct exploration *x, double ticks, double second);
enum risk { RISK_LOW, RISK_MEDIUM, RISK_HIGH };
extern const char *const cc_explore_risk_names[];
const char *cc_explore_risk(struct exploration *x, const struct cc_explore_plan *plan, enum risk *ret_level);
/* Why a loop is not in a plan; NULL: it is, or what is around it is the better place. */
const char *cc_explore_reason(struct exploration *x, const struct cc_explore_plan *plan, uint32_t loop);

/* patchwork.c: the difference of a plan; false: some of its loops have no source. With `folder` the new
 * files are also written below it. */
bool cc_explore_diff(struct exploration *x, const struct cc_explore_plan *plan, struct cc_buf *ret);
/* Where a plan changes the file of a path, sorted; owned. NULL: nowhere. */
const struct cc_patch_text *cc_explore_edits(struct exploration *x, const struct cc_explore_plan *plan,
                                             const char *path, struct cc_patch_edit **ret, size_t *ret_n);
int cc_explore_patch_into(struct exploration *x, const struct cc_explore_plan *plan, const char *folder,
                          struct cc_err *err);

/* verify.c: tries plans, the first first, until one is proven; fills verdicts. */
/* How far numbers may differ: 0 if nothing that the plan combines is rounded. */
double cc_explore_tolerance(const struct exploration *x, const struct cc_explore_plan *plan);
int cc_explore_verify(struct exploration *x, const volatile sig_atomic_t *stop, struct cc_err *err);

/* openmp.c: whether programs or objects were made in a folder since then, and none of them uses OpenMP. */
bool cc_explore_without_openmp(const char *tree, struct timespec since);

/* race.c: what can be said of races; one that was found is also the verdict's reason, if it has no other. */
struct cc_explore_race {
    const struct cc_explore_plan *plan;
    const char *folder, *tree; /* for our files; the patched and built program's */
    const volatile sig_atomic_t *stop;
    double limit;
};
/* A line of a patched file as it is in the source. */
unsigned cc_explore_original(struct exploration *x, const struct cc_explore_plan *plan, const char *file,
                             unsigned line);
const char *cc_explore_race(struct exploration *x, const struct cc_explore_race *r, struct verdict *ret);

/* again.c: what our own recorder says of the plan's loops when the unchanged program (tree: where it was
 * built; folder: for our files) gets the input of the proof. A loop that needs its order then is the
 * verdict's reason and culprit. */
const char *cc_explore_record_again(struct exploration *x, const struct cc_explore_race *r,
                                    struct verdict *ret);
/* The same of the patched program on two threads, after the unchanged one: a result that differs is the
 * verdict's reason; else how the loops were shared. */
const char *cc_explore_record_patched(struct exploration *x, const struct cc_explore_race *r,
                                      struct verdict *ret);

/* show.c */
/* Share of the run from which on a loop or function is hot. */
double cc_explore_least(const struct exploration *x);
struct cc_result *cc_explore_show(struct exploration *x);
/* show_stages.c, show_tiles.c */
void cc_explore_show_stages(struct exploration *x, struct cc_result *r);
void cc_explore_show_tiles(struct exploration *x, struct cc_result *r);
/* The plan to show: the first that was proven, else the first. */
size_t cc_explore_best(const struct exploration *x);
/* The same of those that directives can say; the number of plans: there is none. */
size_t cc_explore_writable(const struct exploration *x);

#endif
