/* Measurements of a machine -> platform file. The measuring programs (engines/characterize/) print facts, one
 * a line (bench.h gives the grammar); this reads them and writes the file predict and tile use.
 */
#ifndef CC_ANALYSIS_CHARACTERIZE_CHARACTERIZE_H
#define CC_ANALYSIS_CHARACTERIZE_CHARACTERIZE_H

#include "../../base/err.h"
#include "../../base/result.h"
#include "../../base/text.h"

struct cc_fact {
    char *section, *key;
    char *text; /* not NULL: stands as it is */
    int k;      /* point of a curve: number of cores; 0 otherwise */
    double value, spread;
    int samples;
    bool stable;
};

struct cc_copy_time { /* copy of `height` lines of `width` bytes */
    double width, height, ns;
};

struct cc_facts {
    CC_VEC(struct cc_fact) v;
    CC_VEC(struct cc_copy_time) grid;
    CC_VEC(char *) notes; /* comments of the benchmarks, kept for the file */
};

/* Adds what `text` says. Refuses lines it does not know, values that are no numbers, a run that was not
 * whole. */
int cc_facts_parse(struct cc_facts *f, const char *path, const char *text, struct cc_err *err);
void cc_facts_fini(struct cc_facts *f);

/* Several runs of the same benchmarks as one: of each figure the steadiest, whose spread is what the runs
 * differ by if that is more; a list of siblings that is not the same in all of them is dropped, and a note
 * says so. Returns how many figures differ by more than their spreads tell. The runs keep what they have. */
size_t cc_facts_settle(const struct cc_facts *runs, size_t n, struct cc_facts *ret);
void cc_facts_join(struct cc_facts *f, struct cc_facts *more); /* takes all of it */
void cc_facts_note(struct cc_facts *f, const char *text);

/* t = i0 + i1 * lines + alpha * bytes, in ns, fitted to the grid so that relative errors are least. */
struct cc_copy_fit {
    double i0, i1, alpha;
    double worst; /* largest relative error over the grid */
};
bool cc_facts_fit(const struct cc_facts *f, struct cc_copy_fit *ret);

/* The platform file. `grid_file`: name of the file with the copy times, NULL if there is none. */
void cc_facts_write(const struct cc_facts *f, const char *name, const char *source, const char *grid_file,
                    struct cc_buf *out);
/* The copy times as `corecast tile` reads them: 'width height cycles'. */
void cc_facts_write_grid(const struct cc_facts *f, struct cc_buf *out);

/* All figures, as table "values". */
void cc_facts_show(const struct cc_facts *f, struct cc_result *r);
size_t cc_facts_unstable(const struct cc_facts *f);

#endif
