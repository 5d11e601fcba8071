#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST = 20, MOST = 10000 }; /* columns to write in */

static struct winsize size_of(FILE *out)
{
    struct winsize size = {0};
    int fd = fileno(out);
    if (fd < 0 || !isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    return size;
}

unsigned cc_terminal_columns(FILE *out)
{
    int fd = fileno(out);
    uint64_t told;
    if (fd >= 0 && isatty(fd)) {
        unsigned columns = size_of(out).ws_col;
        return columns >= LEAST ? columns : 80;
    }
    const char *text = getenv("CORECAST_COLUMNS");
    return text && cc_parse_u64(text, &told) && told >= LEAST && told <= MOST ? (unsigned)told : 0;
}

unsigned cc_terminal_rows(FILE *out)
{
    return size_of(out).ws_row;
}
