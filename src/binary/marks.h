/* The marks of an ELF file: the notes that include/corecast/mark.h leaves, which describes them. */
#ifndef CC_BINARY_MARKS_H
#define CC_BINARY_MARKS_H

#include "../base/err.h"

enum cc_mark_kind {
    CC_MARK_REGION_BEGIN,
    CC_MARK_REGION_END,
    CC_MARK_TASK_BEGIN,
    CC_MARK_TASK_END,
    CC_MARK_FRAME,
    CC_MARK_RECORD_ON,
    CC_MARK_RECORD_OFF,
    CC_MARK_OBJECT,
    CC_MARK_KINDS,
};

struct cc_mark {
    uint64_t pc; /* link-time address of the mark's instruction, prelinking accounted for */
    enum cc_mark_kind kind;
    bool record; /* the instruction loads from a struct corecast_mark, which has the name and the place */
    char *name;  /* "" for frame, record_on and record_off; NULL when `record` */
    char *file;  /* NULL when `record` */
    unsigned line;
};

struct cc_marks {
    struct cc_mark *v; /* by pc */
    size_t n;
    size_t unknown; /* notes of provider "corecast" that this version does not understand */
    size_t dropped; /* notes whose code the linker threw away */
};

/* A file that is no ELF file is an error; one without marks gives none. */
int cc_marks_load(const char *path, struct cc_marks *ret, struct cc_err *err);
/* The same for a file in memory; `data` is only read. */
int cc_marks_parse(const char *path, const void *data, size_t size, struct cc_marks *ret, struct cc_err *err);
void cc_marks_fini(struct cc_marks *m);
const struct cc_mark *cc_marks_at(const struct cc_marks *m, uint64_t pc); /* NULL: none */
const char *cc_mark_kind_name(enum cc_mark_kind kind);

#endif
