/* What every command does with its results: where they go, and notes on standard error. */
#ifndef CC_CLI_OUTPUT_H
#define CC_CLI_OUTPUT_H

#include "../base/file.h"
#include "../base/opt.h"
#include "../base/progress.h"
#include "../base/result.h"
#include "../base/text.h"

/* -o FILE, or standard output. */
int cc_output_open(struct cc_outfile *out, const struct cc_common *common, struct cc_err *err);
/* The end of every command that shows what it found: the result as text, with --json as JSON, with --csv as
 * CSV, to -o FILE or standard output. */
int cc_output_result(const struct cc_common *common, const struct cc_result *r, struct cc_err *err);
/* Text, --json or --csv: for what is too large to be a result and is written as it comes. */
enum cc_format cc_output_format(const struct cc_common *common);
/* "corecast: …" on standard error, unless -q. */
void cc_note(const struct cc_common *common, const char *fmt, ...) CC_PRINTF(2, 3);
/* Begins a line of progress if standard error is a terminal, unless -q. */
void cc_output_progress(const struct cc_common *common, struct cc_progress *p);
/* Refuses files to be written that are also read: an output of the table that is the same file as one of the
 * first `n` operands, or as what another option names. The operands after those are arguments of a program.
 */
int cc_output_check(const struct cc_opt_table *t, const void *values, const struct cc_strs *operands,
                    size_t n, struct cc_err *err);
/* Refuses a file to be written that a program of ours to run is given: an argument or what follows its first
 * '=', or standard input. A profile may be replaced, so that a command can be given again. */
int cc_output_spare_arguments(const char *path, const char *const *arguments, size_t n, struct cc_err *err);
/* The same for a file that is read because an input names it. NULL for either: nothing to refuse. */
int cc_output_spare(const char *path, const char *input, struct cc_err *err);
/* Writes a finished document (an SVG, say) to a file, whole or not at all. */
int cc_output_file(const char *path, const struct cc_buf *content, struct cc_err *err);
/* Whether text on f may be coloured: --color, NO_COLOR and whether f is a terminal. */
bool cc_output_colored(const struct cc_common *common, FILE *f);
/* Whether the file looks like a profile: they are SQLite databases. */
bool cc_input_is_recording(const char *path);

#endif
