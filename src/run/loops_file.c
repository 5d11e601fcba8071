#include "loops_file.h"
#include "../binary/loops.h"
#include "../binary/needed.h"
#include "../binary/runtime.h"
#include "../base/map.h"

#include <errno.h>

/* --- only some functions --- */

static int wanted_functions(struct cc_symbols *symbols, const struct cc_loops_request *q, struct cc_map *ret,
                            struct cc_err *err)
{
    int rc = 0;
    for (const char *name = q->functions; rc == 0 && name && *name;) {
        size_t n = strcspn(name, ",");
        CC_CLEANUP(cc_free_ptr) char *one = cc_strndup(name, n);
        uint64_t *at = NULL;
        size_t found = 0;
        rc = cc_symbols_named(symbols, q->target->path, one, &at, &found, err);
        for (size_t i = 0; rc == 0 && i < found; i++)
            cc_map_put(ret, at[i], NULL);
        free(at);
        name += n + (name[n] == ',');
    }
    return rc;
}

/* Loops of other functions go, and what refers to the others by number follows. */
static void keep_only(struct cc_loop_map *m, const struct cc_map *functions)
{
    uint32_t *now = cc_alloc_array(m->loops.n + 1, sizeof *now);
    uint32_t kept = 0;
    for (size_t i = 0; i < m->loops.n; i++) {
        now[i] = UINT32_MAX;
        if (!cc_map_get(functions, m->functions.v[i]))
            continue;
        now[i] = kept;
        m->loops.v[kept] = m->loops.v[i]; /* a function's loops stay or go together */
        if (m->loops.v[kept].outer != UINT32_MAX)
            m->loops.v[kept].outer = now[m->loops.v[kept].outer];
        kept++;
    }
    m->loops.n = kept;
    size_t n = 0;
    for (size_t i = 0; i < m->blocks.n; i++) {
        m->blocks.v[i].loop = now[m->blocks.v[i].loop];
        if (m->blocks.v[i].loop != UINT32_MAX)
            m->blocks.v[n++] = m->blocks.v[i];
    }
    m->blocks.n = n;
    n = 0;
    for (size_t i = 0; i < m->events.n; i++) {
        m->events.v[i].loop = now[m->events.v[i].loop];
        if (m->events.v[i].loop != UINT32_MAX)
            m->events.v[n++] = m->events.v[i];
    }
    m->events.n = n;
    free(now);
}

/* --- the file --- */

static bool put(FILE *f, const void *data, size_t n, size_t size)
{
    return !n || fwrite(data, size, n, f) == n;
}

static bool put_map(FILE *f, const char *path, const struct cc_loop_map *m)
{
    static const char zeros[8];
    struct cc_loop_file head = {.path_size = (uint32_t)strlen(path),
                                .loops = (uint32_t)m->loops.n,
                                .blocks = (uint32_t)m->blocks.n,
                                .events = (uint32_t)m->events.n};
    return put(f, &head, 1, sizeof head) && put(f, path, head.path_size, 1) &&
           put(f, zeros, -head.path_size & 7, 1) && put(f, m->loops.v, m->loops.n, sizeof *m->loops.v) &&
           put(f, m->blocks.v, m->blocks.n, sizeof *m->blocks.v) &&
           put(f, m->events.v, m->events.n, sizeof *m->events.v);
}

static int put_program(FILE *f, struct cc_symbols *symbols, const struct cc_loops_request *q,
                       struct cc_err *err)
{
    const char *path = q->target->path;
    struct cc_code_range *runtime = NULL;
    size_t n = q->target->interpreter ? 0 : cc_runtime_code(path, &runtime);
    struct cc_loop_map m;
    struct cc_map functions = {0};
    int rc =
        cc_loop_map_init(&m, symbols, path,
                         &(struct cc_loop_choice){.without = runtime, .nwithout = n, .rests = q->rests}, err);
    if (rc == 0 && q->functions)
        rc = wanted_functions(symbols, q, &functions, err);
    if (rc == 0 && q->functions)
        keep_only(&m, &functions);
    if (rc == 0 && !put_map(f, path, &m))
        rc = cc_err_set(err, CC_EINPUT, "cannot write where the loops are: %s", strerror(errno));
    cc_map_fini(&functions);
    cc_loop_map_fini(&m);
    free(runtime);
    return rc;
}

/* Of libraries all loops, unless functions were named: those are the program's. */
static int put_libraries(FILE *f, struct cc_symbols *symbols, const struct cc_loops_request *q,
                         struct cc_err *err)
{
    struct cc_needed needed = {0};
    CC_CLEANUP(cc_free_ptr) char *root = q->target->is_host ? NULL : cc_target_sysroot(q->target);
    int rc = 0;
    if (q->target->interpreter && !q->functions)
        cc_needed_find(&needed, q->target->path, root, q->target->isa->triplet);
    for (size_t i = 0; rc == 0 && i < needed.paths.n; i++) {
        struct cc_loop_map m;
        rc = cc_loop_map_init(&m, symbols, needed.paths.v[i], &(struct cc_loop_choice){.rests = q->rests},
                              err);
        if (rc == 0 && !put_map(f, needed.paths.v[i], &m))
            rc = cc_err_set(err, CC_EINPUT, "cannot write where the loops are: %s", strerror(errno));
        cc_loop_map_fini(&m);
    }
    cc_needed_fini(&needed);
    return rc;
}

int cc_loops_file_write(const char *path, const struct cc_loops_request *q, struct cc_err *err)
{
    FILE *f = fopen(path, "we");
    if (!f || !put(f, CC_LOOP_MAGIC, 8, 1)) {
        if (f)
            fclose(f);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(errno));
    }
    struct cc_symbols *symbols = cc_symbols_new();
    int rc = put_program(f, symbols, q, err);
    if (rc == 0)
        rc = put_libraries(f, symbols, q, err);
    cc_symbols_free(symbols);
    if (fclose(f) != 0 && rc == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(errno));
    return rc;
}
