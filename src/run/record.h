/* Runs a program under an instrumenting engine and turns what the engine leaves into a profile. */
#ifndef CC_RUN_RECORD_H
#define CC_RUN_RECORD_H

#include "target.h"
#include "../profile/import.h"
#include "../../collect/options.h"

#include <stdatomic.h>

enum cc_engine { CC_ENGINE_AUTO, CC_ENGINE_VALGRIND, CC_ENGINE_QEMU, CC_ENGINE_NATIVE };

/* How many instructions a program that is being recorded has executed, as its last snapshot tells. */
struct cc_record_watch {
    char path[4096]; /* of the records, private */
    _Atomic bool known;
};
uint64_t cc_record_watched(void *watch);

struct cc_record_options {
    enum cc_engine engine;
    const char *output;
    const char *const *regions; /* NAME=FUNCTION each: functions that are regions as a whole */
    size_t nregions;
    const char *const *channels; /* PRODUCER:CONSUMER each, to be watched */
    size_t nchannels;
    const char *loops_for;         /* NAME,NAME…: only loops of these functions; NULL: of all */
    struct cc_record_watch *watch; /* told where to look; NULL: nobody watches */
    struct cc_options collect;     /* what else the collector is asked for; what is found here is filled in */
};

struct cc_record_result {
    int status; /* the program's own: exit code, or 128 + signal */
    const char *engine;
    bool complete;
    unsigned followed;    /* profiles of children, beside the output as OUTPUT-PID.cast */
    char *problems;       /* what is wrong with the program's marks, a line each; NULL: nothing. Owned. */
    char *left;           /* the folder of an earlier recording that was cut short; NULL: none. Owned. */
    char *untranslated;   /* the program was killed since the engine does not know its code; NULL: not so.
                             Owned. */
    uint64_t refused_gib; /* of a mapping that the engine had no room for; 0: there was none */
    struct cc_import_left not_there; /* what the program did that is in no profile */
    bool ran;                        /* the program did, whether there is a profile or not */
};

/* argv[0] is the name the program is called by. Negative with err when there is no profile; if result->ran,
 * result->status tells what became of the program then. */
int cc_record(const struct cc_record_options *o, const struct cc_target *target, char **argv,
              struct cc_record_result *ret, struct cc_err *err);

#endif
