#include "pager.h"
#include "child.h"

#include <unistd.h>

const char *cc_pager_command(void)
{
    const char *command = getenv("CORECAST_PAGER");
    command = command ? command : getenv("PAGER");
    command = command ? command : "less";
    return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

/* The text becomes our standard input, which the pager has, too: it asks the terminal itself for keys. */
bool cc_pager_show(const char *command, int fd)
{
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, cc_strdup(command), NULL};
    const char *environment[] = {getenv("LESS") ? NULL : "LESS=FRX", NULL};
    struct cc_child_request r = {
        .file = "/bin/sh", .argv = argv, .environment = environment, .stay = true /* ^C is the pager's */};
    struct cc_child c;
    bool ready = lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, STDIN_FILENO) >= 0;
    bool shown = ready && cc_child_run(&r, &c, NULL) == 0;
    if (shown) {
        int status = cc_child_exit_status(c.status);
        shown = status != CC_ECANNOT_RUN && status != CC_ENOT_FOUND;
        cc_child_fini(&c);
    }
    free(argv[2]);
    return shown;
}
