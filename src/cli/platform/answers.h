/* What a platform can answer: every command that takes one, tried on it with the loaders that the command
 * uses. */
#ifndef CC_CLI_PLATFORM_ANSWERS_H
#define CC_CLI_PLATFORM_ANSWERS_H

#include "../../platform/platform.h"

enum cc_question {
    CC_ASK_PREDICT,
    CC_ASK_ENERGY, /* of predict */
    CC_ASK_TILE,
    CC_ASK_UNITS,
    CC_ASK_TASKS, /* map: tasks onto units */
    CC_ASK_PARTS, /* map: parts onto processors */
    CC_ASK_SIMULATE,
    CC_ASK_AREA, /* area partition: data over a link to logic */
    CC_QUESTIONS
};
extern const char *const cc_question_keys[CC_QUESTIONS];
extern const char *const cc_question_texts[CC_QUESTIONS];

struct cc_answer {
    bool yes;
    bool broken;    /* the sections are there, but something in them is wrong */
    char why[1024]; /* if not */
};

void cc_platform_answer(struct cc_platform *p, enum cc_question q, struct cc_answer *ret);

/* Figures that load but cannot be: a far memory that is faster than a near one, say. One sentence each, owned
 * by the arena. */
size_t cc_platform_odd(const struct cc_platform *p, struct cc_arena *a, const char *const **ret);

#endif
