#include "engine.h"
#include "child.h"
#include "../base/where.h"

#include <libgen.h>
#include <unistd.h>

/* The first that tells plugins of system calls as we need it. Debian's qemu-user is linked statically
 * since 9.1 and loads no plugin at all. */
enum { QEMU_FIRST_MAJOR = 7, QEMU_FIRST_MINOR = 2 };

int cc_engine_file(const char *name, const char *what, char **ret, struct cc_err *err)
{
    *ret = cc_where(CC_OWN_ENGINE, name);
    if (*ret)
        return 0;
    CC_CLEANUP(cc_free_ptr) char *looked = cc_where_looked(CC_OWN_ENGINE, name);
    return cc_err_set(err, CC_EENGINE, "%s is not installed: there is no %s", what, looked);
}

/* The tool is linked to a Valgrind of its own, but loads these into the program. */
static int check_helpers(const char *tool, const char *arch, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(tool);
    CC_CLEANUP(cc_free_ptr) char *core = cc_asprintf("vgpreload_core-%s-linux.so", arch);
    const char *const names[] = {"default.supp", core}, *folder = dirname(copy);
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, names[i]);
        char to[4096] = "";
        if (access(path, R_OK) == 0)
            continue;
        bool link = readlink(path, to, sizeof to - 1) > 0;
        int rc =
            cc_err_set(err, CC_EENGINE, "the valgrind engine needs '%s' of Valgrind, which cannot be read",
                       link ? to : path);
        cc_err_hint(err, "install the package valgrind, or use --engine qemu");
        return rc;
    }
    return 0;
}

int cc_engine_valgrind(char **ret, struct cc_err *err)
{
#if defined(__aarch64__)
    static const char arch[] = "arm64";
#elif defined(__x86_64__)
    static const char arch[] = "amd64";
#else
    static const char arch[] = "none";
#endif
    CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("valgrind/corecast-%s-linux", arch);
    int rc = cc_engine_file(name, "the valgrind engine", ret, err);
    if (rc < 0) {
        cc_err_hint(err, "try --engine qemu, or build corecast where valgrind is installed");
        return rc;
    }
    rc = check_helpers(*ret, arch, err);
    if (rc < 0) {
        free(*ret);
        *ret = NULL;
    }
    return rc;
}

bool cc_engine_qemu_version(const char *text, int *major, int *minor)
{
    const char *version = strstr(text, "version ");
    return version && sscanf(version, "version %d.%d", major, minor) == 2;
}

/* What it prints when it is asked this. Owned; NULL if nothing. */
static char *answer(const char *qemu, const char *question)
{
    enum { MOST = 1 << 20 };
    char *argv[] = {(char *)(uintptr_t)qemu, (char *)(uintptr_t)question, NULL};
    struct cc_child_request request = {.argv = argv,
                                       .in = CC_STREAM_NULL,
                                       .out = CC_STREAM_CAPTURED,
                                       .err = CC_STREAM_NULL,
                                       .max_out = MOST};
    struct cc_child child;
    bool ran = cc_child_run(&request, &child, NULL) == 0;
    char *text = ran && child.out.s ? cc_strdup(child.out.s) : NULL;
    cc_child_fini(&child);
    return text;
}

void cc_engine_explain_qemu(const char *qemu, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *version = answer(qemu, "--version");
    int major = 0, minor = 0;
    if (!version || !cc_engine_qemu_version(version, &major, &minor)) {
        cc_err_hint(err, "'%s' does not tell its version: is it QEMU?", qemu);
        return;
    }
    if (major < QEMU_FIRST_MAJOR || (major == QEMU_FIRST_MAJOR && minor < QEMU_FIRST_MINOR)) {
        cc_err_hint(err, "'%s' is QEMU %d.%d; the plugins of corecast are for 7.2 and newer", qemu, major,
                    minor);
        return;
    }
    CC_CLEANUP(cc_free_ptr) char *help = answer(qemu, "--help");
    if (help && strstr(help, "-plugin"))
        cc_err_hint(err, "'%s' is QEMU %d.%d and takes plugins: what it said itself tells why", qemu, major,
                    minor);
    else
        cc_err_hint(err,
                    "'%s' is QEMU %d.%d, built without plugins (as Debian's qemu-user is, from 9.1 on): "
                    "one built with --enable-plugins is found in PATH",
                    qemu, major, minor);
}
