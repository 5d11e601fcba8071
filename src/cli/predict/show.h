/* What `corecast predict` shows. */
#ifndef CC_CLI_PREDICT_SHOW_H
#define CC_CLI_PREDICT_SHOW_H

#include "../../analysis/predict/sweep.h"
#include "../../base/opt.h"
#include "../../base/result.h"
#include "../../base/text.h"

/* A section a scenario; full: text has every schedule and region with all their parts. */
struct cc_result *cc_predict_show(const struct cc_predict_result *p, const struct cc_htg *h, bool full);
/* One schedule of that: see full.c. */
void cc_predict_show_full(const struct cc_predict_schedule *s, const char *clock, struct cc_result *r);
/* What the command prints, for whoever wants it as data; owned by the caller. */
int cc_predict_of(const char *profile, const char *platform, const struct cc_strs *scenarios,
                  struct cc_result **ret, struct cc_err *err);
/* The tasks as a call tree: calls, cumulative, average, self, average self. */
struct cc_result *cc_predict_show_tasks(const struct cc_htg *h);
char *cc_predict_whole(double v); /* "12 345", owned by the caller */

/* Speed-up over processors with Amdahl's bound; cycle stacks over processors; processors over time. */
void cc_predict_chart_speedup(const struct cc_predict_result *r, struct cc_buf *out);
void cc_predict_chart_stacks(const struct cc_predict_result *r, const char *clock, struct cc_buf *out);
void cc_predict_chart_gantt(const struct cc_predict_schedule *s, const struct cc_htg *h, const char *title,
                            struct cc_buf *out);
/* Joules over processors, by what used them. */
void cc_predict_chart_energy(const struct cc_predict_result *r, struct cc_buf *out);
extern const char *const cc_predict_energy_names[]; /* the parts in the order of struct cc_predict_energy */
/* The schedule for chrome://tracing and Perfetto. seconds: of one tick, 0 if unknown (then a tick is shown as
 * 1 us). */
void cc_predict_chrome(const struct cc_predict_schedule *s, const struct cc_htg *h, double seconds,
                       FILE *out);

#endif
