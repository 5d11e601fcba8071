#include "files.h"
#include "base/file.h"
#include "base/map.h"
#include "base/where.h"
#include "platform/platform.h"

#include <unistd.h>

/* A page has one set of files, as a machine has one disk. */
static struct {
    struct cc_strmap index;
    CC_VEC(char *) texts;
} files;

static const char *text_of(const char *name)
{
    bool is_new;
    uint64_t *at = cc_strmap_put(&files.index, name, &is_new);
    if (is_new) {
        *at = files.texts.n;
        CC_VEC_PUSH(&files.texts, NULL);
    }
    return files.texts.v[*at];
}

void cc_files_put(const char *name, const char *text)
{
    text_of(name);
    size_t at = (size_t)*cc_strmap_put(&files.index, name, NULL);
    free(files.texts.v[at]);
    files.texts.v[at] = cc_strdup(text);
}

int cc_file_read(const char *path, size_t max, char **ret_data, size_t *ret_size, struct cc_err *err)
{
    const char *text = text_of(path);
    if (!text)
        return cc_err_at(err, CC_EINPUT, path, 0, "this page does not have the file");
    *ret_size = strlen(text);
    if (*ret_size > max)
        return cc_err_at(err, CC_EINPUT, path, 0, "larger than the limit of %zu bytes", max);
    *ret_data = cc_strdup(text);
    return 0;
}

/* Nothing is read piece by piece here. */
int cc_file_open_stream(const char *path, FILE **ret, struct cc_err *err)
{
    (void)ret;
    return cc_err_at(err, CC_EINPUT, path, 0, "this page does not have the file");
}

int access(const char *path, int mode)
{
    (void)mode;
    return text_of(path) ? 0 : -1;
}

char *cc_where(enum cc_own kind, const char *name)
{
    char *path = cc_asprintf("own/%s", name);
    if (kind == CC_OWN_PLATFORM && text_of(path))
        return path;
    free(path);
    return NULL;
}

char *cc_where_looked(enum cc_own kind, const char *name)
{
    (void)kind;
    return cc_asprintf("'%s' of this page", name);
}

/* Which of them a page has is no answer to a reader: it has the one it was written for. */
size_t cc_platform_shipped(struct cc_arena *a, const char *const **ret)
{
    *ret = cc_arena_alloc(a, sizeof **ret);
    return 0;
}
