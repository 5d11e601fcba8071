/* Long text on a terminal, a page at a time, as git(1) does it. */
#ifndef CC_RUN_PAGER_H
#define CC_RUN_PAGER_H

#include "../base/base.h"

/* CORECAST_PAGER, PAGER, or less; NULL: none is wanted (one of them is "" or cat). */
const char *cc_pager_command(void);
/* Shows the file from its beginning; false: the pager could not be run, and nothing was shown. */
bool cc_pager_show(const char *command, int fd);

#endif
