/* How a figure grows with control variables: a law found from runs, how sure it is, and what no further run
 * is expected to exceed. README.md has the method and how far off it was. */
#ifndef CC_ANALYSIS_GROWTH_LAW_H
#define CC_ANALYSIS_GROWTH_LAW_H

#include "../../base/arena.h"
#include "../../base/err.h"

enum {
    CC_LAW_TERMS = 3,    /* besides the constant */
    CC_LAW_FACTORS = 3,  /* variables multiplied in a term */
    CC_LAW_PIECES = 8,   /* of a law that is another for some runs */
    CC_CONTROLS_MAX = 64 /* variables */
};

/* The control variables of runs. */
struct cc_controls {
    size_t nruns, nvariables;
    const char *const *names;
    double *x;          /* [run * nvariables + variable]; NAN where the text is no number */
    uint32_t *category; /* [run * nvariables + variable]: which of its different values */
    size_t *ncategories;
    const char ***texts; /* [variable][category] */
    bool *numeric;       /* all values are numbers, and at least three */
    bool *modes; /* no number to compute with, but few values, each of several runs: a law may be another for
                    each */
    struct cc_arena arena;
};

/* values: [run * nvariables + variable]. */
void cc_controls_init(struct cc_controls *c, const char *const *names, size_t nvariables,
                      const char *const *values, size_t nruns);
void cc_controls_fini(struct cc_controls *c);
/* "NAME=VALUE,…": a value for every number, and for modes if one likes, of --at. x and category have an entry
 * a variable. */
int cc_controls_at(const struct cc_controls *c, const char *text, double *x, uint32_t *category,
                   struct cc_err *err);

/* "w = 1920 (40 to 160)" for each number outside what was seen; owned; NULL: none is. */
char *cc_controls_beyond(const struct cc_controls *c, const double *x);

/* How one variable enters a term. */
enum cc_shape {
    CC_SHAPE_LOG,
    CC_SHAPE_ROOT,
    CC_SHAPE_N,
    CC_SHAPE_N_LOG,
    CC_SHAPE_N_ROOT,
    CC_SHAPE_SQUARE,
    CC_SHAPE_SQUARE_LOG,
    CC_SHAPE_CUBE,
    CC_SHAPES
};
double cc_shape_at(enum cc_shape shape, double x);

struct cc_term {
    size_t n;
    uint8_t variable[CC_LAW_FACTORS], shape[CC_LAW_FACTORS];
};

/* constant + sum of coefficient * product of shapes */
struct cc_law {
    double constant;
    size_t n;
    double coefficient[CC_LAW_TERMS];
    struct cc_term term[CC_LAW_TERMS];
};

struct cc_growth {
    size_t npieces;
    struct cc_law piece[CC_LAW_PIECES];
    /* Several pieces: which one is told by a variable, */
    size_t by;
    bool mode;        /* by its category, piece i for category i; or */
    double threshold; /* piece 0 up to it, 1 beyond */
    double error;     /* median of the relative errors at runs left out, one at a time */
    double worst;     /* the largest */
    double
        explained; /* 1 - squares of those errors / squares of deviations from the mean; NAN: y is constant */
    double confidence; /* weight of this law among all of as many terms that were tried (Akaike) */
    double above;      /* the envelope is law + above * max(law, scale) */
    double scale;
    double coverage; /* of further runs like these that stay below the envelope, at least */
};

/* Terms tried over these controls; keeps a pointer to them. */
struct cc_growth_search;
struct cc_growth_search *cc_growth_search_new(const struct cc_controls *c);
void cc_growth_search_free(struct cc_growth_search *s);

/* The law of y[run] over the runs of the list. coverage: wanted of the envelope. pieces: also look for laws
 * that are another for some runs. */
void cc_growth_fit(const struct cc_growth_search *s, const double *y, const uint32_t *runs, size_t n,
                   double coverage, bool pieces, struct cc_growth *ret);

/* At values of the variables, x and categories (UINT32_MAX: a text not seen). NAN: the law is not known
 * there. */
double cc_growth_at(const struct cc_growth *g, const double *x, const uint32_t *category);
double cc_growth_bound(const struct cc_growth *g, double at);

/* A figure that comes with an interval in every run, where no run was. */
struct cc_foreseen {
    double value, low, high; /* NAN: no law is known there */
    struct cc_growth growth; /* of the value */
};
/* y, low, high: [run]. The interval holds the runs' own and how far laws were off at runs left out. */
void cc_growth_foresee(const struct cc_growth_search *s, const double *y, const double *low,
                       const double *high, const double *x, const uint32_t *category,
                       struct cc_foreseen *ret);

/* How fast a term grows: the sum of its powers, a logarithm being a tenth. */
double cc_term_order(const struct cc_term *t);

/* "96 + 4 n log n"; owned by the caller. A figure alone is a constant. */
char *cc_law_text(const struct cc_law *l, const char *const *names);
/* The same of all pieces, each with where it holds: "4 n if mode = fast; 9 n if mode = slow"; owned. */
char *cc_growth_text(const struct cc_growth *g, const struct cc_controls *c);
char *cc_growth_when(const struct cc_growth *g, const struct cc_controls *c, size_t piece);
/* The fastest-growing part without figures: "n log n", "constant"; owned. */
char *cc_law_order(const struct cc_law *l, const char *const *names);

#endif
