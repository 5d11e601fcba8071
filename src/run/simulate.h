/* Running a program (or firmware) on a simulated multiprocessor: QEMU with the simulator's plugin, trace,
 * figures. */
#ifndef CC_RUN_SIMULATE_H
#define CC_RUN_SIMULATE_H

#include "../base/err.h"
#include "../../sim/shared.h"

/* One of the programs on the chip; firmware has none. */
struct cc_simulate_program {
    const char *const *argv; /* program and arguments */
    size_t argc;
    uint32_t cores; /* where its threads may run, in the order they take them */
    uint16_t core[CC_SIM_MAX_CORES];
};

/* How many instructions a simulation has executed so far. Closed by its owner. */
struct cc_simulate_watch {
    _Atomic int fd; /* of what the plugin writes, -1: nothing yet */
};
uint64_t cc_simulate_watched(void *watch);
void cc_simulate_watch_fini(struct cc_simulate_watch *w);

struct cc_simulate_request {
    const struct cc_sim_config *config;
    const char *platform; /* its name, for the trace */
    bool ordered;         /* what others see happens in the order of time, */
    uint64_t ahead;       /* and what only the core sees may be so many cycles early; else everything may */
    enum cc_sim_events events; /* what the trace holds */
    const char *trace;         /* NULL: none */
    void (*each)(void *arg,
                 const struct cc_trace_event *e); /* told every event while it runs; NULL: nobody */
    void *arg;
    const char *sysroot;                  /* libraries of a foreign program; NULL: the usual place */
    const char *firmware, *machine, *cpu; /* instead of a program; cpu may be NULL */
    const struct cc_simulate_program *programs;
    size_t nprograms;                /* 1 to CC_SIM_PROGRAMS */
    bool stdout_to_stderr;           /* keeps standard output for the result */
    struct cc_simulate_watch *watch; /* NULL: nobody watches */
};

struct cc_simulated { /* one of the programs */
    const char *isa;
    int status, exit_code, signal;
    char reason[256];
    uint64_t cycles; /* of the core of its own that was busy last */
};

struct cc_simulation {
    const struct cc_sim_shared *shared;
    struct cc_simulated program[CC_SIM_PROGRAMS];
    /* of the first program that failed, else of the first: */
    int status; /* exit status as a shell reports it: 128 + n for signal n */
    int exit_code, signal;
    char reason[256]; /* why the run is incomplete, "" if it is not */
    uint64_t cycles;  /* of the core that was busy last */
    uint64_t events;  /* in the trace */
    double seconds;   /* of the host */
    const char *isa;
    char names[64]; /* with `each`: a trace with names and facts, its events only if a trace was asked for;
                       else "" */
    int names_fd;
    bool traced; /* the trace, or what stands for it, is whole */
};

/* Negative with err set when the program could not be run at all, or its trace not written. */
int cc_simulate_run(const struct cc_simulate_request *r, struct cc_simulation **ret, struct cc_err *err);
void cc_simulation_free(struct cc_simulation *s);

#endif
