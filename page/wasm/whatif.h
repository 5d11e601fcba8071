/* What the page calls: predictions of a recorded run, for a platform and directives that the reader changes.
 * Compiled to WebAssembly with the rooms it uses (see README.md); no other implementation computes anything.
 */
#ifndef CC_PAGE_WASM_WHATIF_H
#define CC_PAGE_WASM_WHATIF_H

#include <stddef.h>
#include <stdint.h>

struct whatif;

/* Memory for the page to write into; with whatif_free it goes back. */
void *whatif_alloc(size_t n);
void whatif_free(void *p);

/* A file that the code below may read, replaced if it is there. Both texts are copied. */
void whatif_file(const char *name, const char *text);

/* The graph as cc_htg_pack writes it; NULL: those bytes are none. */
struct whatif *whatif_new(const void *graph, size_t n);

/* Lines "KEY VALUE": platform FILE, scenario FILE, cores LIST, set NAME=V, contention HOW, at N (whose
 * schedule is kept). Negative: it failed, and the message says why. */
int whatif_run(struct whatif *w, const char *request);

enum whatif_text {
    WHATIF_RESULT,  /* as `corecast predict --json` prints it */
    WHATIF_TASKS,   /* as `corecast predict --tasks --json` */
    WHATIF_NAMES,   /* of tasks, an array in JSON: what pieces of a schedule name by their number */
    WHATIF_NOTES,   /* a line each */
    WHATIF_MESSAGE, /* of a run that failed: "line N: what is wrong", the hint in a second line */
    WHATIF_TEXTS
};
const char *whatif_text(const struct whatif *w, int which);

/* Pieces of the schedule that was kept, five figures each: row, name (-1: none), part, start, end. */
const double *whatif_segments(const struct whatif *w);
size_t whatif_nsegments(const struct whatif *w);

#endif
