/* What the completions of all shells are made from. */
#ifndef CC_CLI_COMPLETION_H
#define CC_CLI_COMPLETION_H

#include "../command.h"

/* Commands, in the order of help; NULL-terminated. */
extern const struct cc_command *const cc_completion_commands[];

/* Prints the platforms that ship, one a line: values of --platform, looked up when they are asked for. */
#define CC_COMPLETION_PLATFORMS "corecast platform list --csv 2>/dev/null | tail -n +2 | cut -d, -f1"

void cc_completion_bash(FILE *out);
void cc_completion_zsh(FILE *out);
void cc_completion_fish(FILE *out);

/* The command's i-th option: its own, then the common ones; NULL behind the last. Headings and rows of a name
 * that stood before with the same owners are left out by `cc_completion_shown`. */
const struct cc_opt *cc_completion_option(const struct cc_command *c, size_t i);
/* Whether the i-th option belongs to the owners in `of` (0: all) and no row before it of its name does. */
bool cc_completion_shown(const struct cc_command *c, size_t i, uint64_t of);
/* The verbs are operands, not values of an option. */
bool cc_completion_has_verbs(const struct cc_command *c);
bool cc_completion_is_platform(const struct cc_opt *o);
/* The option's value may be a file. */
bool cc_completion_is_file(const struct cc_opt *o);
/* Text with a backslash in front of each of `special`, within '…' of a shell. */
void cc_completion_text(FILE *out, const char *text, const char *special);

#endif
