/* Programs in PATH. Our own files are looked for in tests/cli/install.sh, which installs and moves them. */
#include "base/where.h"
#include "tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static char *in(const char *name)
{
    return cc_asprintf("%s/%s", folder, name);
}

static void make(const char *name, mode_t mode)
{
    CC_CLEANUP(cc_free_ptr) char *path = in(name);
    if (mode == 0)
        mkdir(path, 0755);
    else
        close(open(path, O_CREAT | O_WRONLY, mode));
}

static void found(const char *name, const char *want, const char *what)
{
    CC_CLEANUP(cc_free_ptr) char *got = cc_where_program(name);
    CC_CLEANUP(cc_free_ptr) char *path = want ? in(want) : NULL;
    OK(want ? got && strcmp(got, path) == 0 : !got, "%s: %s", what, got ? got : "none");
}

int main(void)
{
    char place[TAP_FOLDER];
    tap_program_folder(place);
    folder = place;
    static const char *const dirs[] = {"a", "b", "a/both", "a/folder"};
    for (size_t i = 0; i < CC_COUNT(dirs); i++)
        make(dirs[i], 0);
    make("a/first", 0755);
    make("b/first", 0755);
    make("a/denied", 0644);
    make("b/other", 0644);
    make("b/denied", 0755);
    make("b/both", 0755);
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/a:%s/nowhere::%s/b", folder, folder, folder);
    setenv("PATH", path, 1);
    found("first", "a/first", "the first of two");
    found("denied", "b/denied", "the first that may be run");
    found("other", "b/other", "one that may not be run, where there is no other");
    found("both", "b/both", "a folder is no program");
    found("folder", NULL, "nor where it is alone");
    found("absent", NULL, "none");
    CC_CLEANUP(cc_free_ptr) char *named = cc_where_program("./absent");
    OK_STR(named, "./absent", "a path is taken as it is");
    unsetenv("PATH");
    CC_CLEANUP(cc_free_ptr) char *shell = cc_where_program("sh");
    OK(shell && strstr(shell, "bin/sh"), "without PATH: %s", shell ? shell : "none");
    static const char *const files[] = {"a/first", "b/first", "a/denied", "b/other", "b/denied", "b/both"};
    for (size_t i = 0; i < CC_COUNT(files) + CC_COUNT(dirs); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *p = in(i < CC_COUNT(files) ? files[i] : dirs[CC_COUNT(dirs) - 1 - (i - CC_COUNT(files))]);
        remove(p);
    }
    OK(rmdir(folder) == 0, "nothing is left");
    return TAP_DONE();
}
