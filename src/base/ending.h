/* How the process ends before its time, by a signal or for want of memory: files that are only half written
 * go with it. What a signal handler needs can only be static, so this is the one place that has such state.
 */
#ifndef CC_BASE_ENDING_H
#define CC_BASE_ENDING_H

#include "base.h"

/* Called once by main. From then on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE and SIGXCPU remove the files
 * below before they end the process as they always do. One that was ignored stays so. */
void cc_ending_watch(void);
/* The exit status when memory runs out; CC_EMEMORY unless set. */
void cc_ending_status(int status);

/* A temporary file, or an empty folder of one: gone whatever happens, until it is dropped. The path is
 * copied. Beyond 64 at once they are not noted: they then stay when a signal comes. */
void cc_ending_add(const char *path);
/* mkstemp(3) of a file that is noted before any signal can come between. */
int cc_ending_mkstemp(char *path);
void cc_ending_drop(const char *path);
/* In a process that was forked: the files are its parent's. Safe there. */
void cc_ending_forget(void);

/* Says so and ends the process. */
_Noreturn void cc_ending_no_memory(void);

#endif
