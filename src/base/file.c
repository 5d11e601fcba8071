#include "file.h"
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

int cc_file_read(const char *path, size_t max, char **ret_data, size_t *ret_size, struct cc_err *err)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = fopen(path, "rb");
    if (!f)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    struct stat st;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode))
        return cc_err_at(err, CC_EINPUT, path, 0, "is a directory");
    size_t n = 0, cap = 64 * 1024;
    char *data = cc_alloc(cap);
    for (;;) {
        n += fread(data + n, 1, cap - 1 - n, f);
        if (n < cap - 1)
            break;
        if (cap > max) {
            free(data);
            return cc_err_at(err, CC_EINPUT, path, 0, "larger than the limit of %zu bytes", max);
        }
        cap *= 2;
        data = cc_realloc_array(data, cap, 1);
    }
    if (ferror(f)) {
        free(data);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot read: %s", strerror(errno));
    }
    if (n > max) {
        free(data);
        return cc_err_at(err, CC_EINPUT, path, 0, "larger than the limit of %zu bytes", max);
    }
    data[n] = 0;
    *ret_data = data;
    *ret_size = n;
    return 0;
}

int cc_outfile_open(struct cc_outfile *o, const char *path, struct cc_err *err)
{
    memset(o, 0, sizeof *o);
    if (strcmp(path, "-") == 0) {
        o->f = stdout;
        return 0;
    }
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* /dev/stdout, a pipe: nothing to rename over */
        o->f = S_ISDIR(st.st_mode) ? NULL : fopen(path, "wb");
        if (!o->f)
            return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s",
                             strerror(S_ISDIR(st.st_mode) ? EISDIR : errno));
        o->path = cc_strdup(path);
        return 0;
    }
    o->path = cc_strdup(path);
    o->aside = cc_asprintf("%s.XXXXXX", path);
    int fd = mkstemp(o->aside);
    if (fd >= 0) {
        cc_ending_add(o->aside);
        mode_t mask = umask(0);
        umask(mask);
        fchmod(fd, 0666 & ~mask);
        o->f = fdopen(fd, "wb");
    }
    if (!o->f) {
        int cause = errno;
        if (fd >= 0)
            close(fd);
        cc_outfile_abort(o);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(cause));
    }
    return 0;
}

int cc_outfile_commit(struct cc_outfile *o, struct cc_err *err)
{
    int rc = 0;
    const char *name = o->path ? o->path : "standard output";
    if (fflush(o->f) != 0 || ferror(o->f))
        rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
    if (o->aside) {
        if (rc == 0 && fsync(fileno(o->f)) != 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
        if (fclose(o->f) != 0 && rc == 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
        o->f = NULL;
        if (rc == 0 && rename(o->aside, o->path) != 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot replace: %s", strerror(errno));
        if (rc == 0) {
            cc_ending_drop(o->aside);
            free(o->aside);
            o->aside = NULL;
        }
    }
    cc_outfile_abort(o);
    return rc;
}

void cc_outfile_abort(struct cc_outfile *o)
{
    if (o->f && o->f != stdout)
        fclose(o->f);
    if (o->aside) {
        unlink(o->aside);
        cc_ending_drop(o->aside);
    }
    free(o->aside);
    free(o->path);
    memset(o, 0, sizeof *o);
}
