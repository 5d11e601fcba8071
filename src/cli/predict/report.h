/* What `corecast predict` shows. */
#ifndef CC_CLI_PREDICT_REPORT_H
#define CC_CLI_PREDICT_REPORT_H

#include "../../analysis/predict/sweep.h"
#include "../../base/text.h"

/* A table a scenario; full: also every schedule and region in the form of Parana's report. */
void cc_predict_print_text(const struct cc_predict_result *r, const struct cc_htg *h, bool full, FILE *out);
void cc_predict_print_json(const struct cc_predict_result *r, const struct cc_htg *h, FILE *out);

/* The tasks as a call tree: calls, cumulative, average, self, average self. */
void cc_predict_print_tasks(const struct cc_htg *h, FILE *out);
void cc_predict_print_tasks_json(const struct cc_htg *h, FILE *out);

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
