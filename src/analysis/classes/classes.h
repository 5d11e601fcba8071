/* How many instructions of each class a run executed, by function, region and task, from the code and the
 * counts in a profile. */
#ifndef CC_ANALYSIS_CLASSES_CLASSES_H
#define CC_ANALYSIS_CLASSES_CLASSES_H

#include "../../isa/decode.h"
#include "../../profile/profile.h"

struct cc_class_counts {
    uint64_t instructions;
    uint64_t n[CC_CLASSES];  /* n[CC_MEMORY]: every instruction that accesses memory */
    uint64_t other, unknown; /* in none of the seven */
    uint64_t combined; /* in CC_MEMORY and in another: n[…] + other + unknown - combined = instructions */
    uint64_t operands, memory_operands; /* of instructions that are known */
    uint64_t chained; /* loads whose address is made of what they loaded the time before: a list, a table of
                         tables */
};

/* One name's counts, without what regions (tasks) inside it did. */
struct cc_class_group {
    const char *name;
    const char *file; /* of a task's first begin; NULL: unknown */
    unsigned line;
    struct cc_class_counts counts;
};

struct cc_classes {
    struct cc_arena arena;
    struct cc_class_counts *functions; /* [function of the profile] */
    struct cc_class_group *regions;    /* [region of the profile] */
    struct cc_class_group
        *tasks; /* by name, as they were first begun; [0] is outside all. None if no tasks were marked. */
    size_t nfunctions, nregions, ntasks;
    struct cc_class_counts total;
    bool cut; /* some of the code that was executed is not in the profile */
};

/* Names are borrowed from the profile. An error if it holds no code, or code of an instruction set without
 * rules. */
int cc_classes_build(const struct cc_profile *p, struct cc_classes **ret, struct cc_err *err);
void cc_classes_free(struct cc_classes *c);

uint64_t cc_class_computing(const struct cc_class_counts *c); /* the six classes that compute */
/* The part of a class among them; NAN if there are none. */
double cc_class_share(const struct cc_class_counts *c, enum cc_class class);
/* Computing instructions for each that accesses memory; NAN if none does. */
double cc_class_intensity(const struct cc_class_counts *c);

#endif
