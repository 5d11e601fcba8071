/* Where tests put their files: the folder TMPDIR names; without one in memory where that is possible. */
#ifndef CC_TESTS_PLACE_H
#define CC_TESTS_PLACE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAP_FOLDER = 600 };
enum tap_kind { TAP_FILE, TAP_DATA, TAP_PROGRAMS };

static inline int tap_make(char *path, enum tap_kind kind)
{
    if (kind != TAP_FILE)
        return mkdtemp(path) ? 0 : -1;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static inline void tap_place(char path[static TAP_FOLDER], enum tap_kind kind)
{
    const char *const places[] = {getenv("TMPDIR"), kind == TAP_PROGRAMS ? NULL : "/dev/shm", "/tmp"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int n = places[i] ? snprintf(path, TAP_FOLDER, "%s/corecast-test-XXXXXX", places[i]) : TAP_FOLDER;
        if (n < TAP_FOLDER && tap_make(path, kind) == 0)
            return;
    }
    puts("Bail out! no place for files");
    exit(99);
}

/* An empty folder, or file, of the test's own, which removes it. */
static inline void tap_folder(char path[static TAP_FOLDER])
{
    tap_place(path, TAP_DATA);
}

/* One that programs can be run from: what is in memory may not allow that. */
static inline void tap_program_folder(char path[static TAP_FOLDER])
{
    tap_place(path, TAP_PROGRAMS);
}

static inline void tap_file(char path[static TAP_FOLDER])
{
    tap_place(path, TAP_FILE);
}

#endif
