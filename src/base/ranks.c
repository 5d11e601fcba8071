#include "ranks.h"
#include "parallel.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

struct cc_ranks {
    unsigned own, count, here;
    void *library, *world, *real, *byte, *most;
    int (*finalize)(void);
    int (*broadcast)(void *v, int n, void *type, int from, void *world);
    int (*allreduce)(const void *from, void *to, int n, void *type, void *operation, void *world);
};

static unsigned number(const char *name)
{
    const char *text = getenv(name);
    int64_t v;
    return text && cc_parse_i64(text, &v) && v >= 0 && v < 1000000 ? (unsigned)v : 0;
}

/* A function of the library, as dlsym gives it. */
static void *find(struct cc_ranks *r, const char *name, void *function)
{
    void *address = dlsym(r->library, name);
    if (function)
        memcpy(function, &address, sizeof address);
    return address;
}

/* Open MPI's handles are addresses of its own objects. */
static bool load(struct cc_ranks *r)
{
    int (*init)(int *, char ***);
    r->library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL); /* its plug-ins look for it among all */
    return r->library && find(r, "MPI_Init", &init) && find(r, "MPI_Allreduce", &r->allreduce) &&
           find(r, "MPI_Finalize", &r->finalize) && (r->world = find(r, "ompi_mpi_comm_world", NULL)) &&
           find(r, "MPI_Bcast", &r->broadcast) && (r->byte = find(r, "ompi_mpi_byte", NULL)) &&
           (r->real = find(r, "ompi_mpi_double", NULL)) && (r->most = find(r, "ompi_mpi_op_max", NULL)) &&
           init(NULL, NULL) == 0;
}

int cc_ranks_open(struct cc_ranks **ret, struct cc_err *err)
{
    unsigned count = number("OMPI_COMM_WORLD_SIZE");
    *ret = NULL;
    if (count < 2)
        return 0;
    struct cc_ranks *r = cc_alloc(sizeof *r);
    *r = (struct cc_ranks){.own = number("OMPI_COMM_WORLD_RANK"),
                           .count = count,
                           .here = CC_MAX(number("OMPI_COMM_WORLD_LOCAL_SIZE"), 1u)};
    if (!load(r)) {
        const char *why = dlerror();
        int rc = cc_err_set(err, CC_EENGINE, "started by mpirun, but Open MPI cannot be used: %s",
                            why ? why : "it does not start");
        free(r);
        return rc;
    }
    *ret = r;
    return 0;
}

void cc_ranks_close(struct cc_ranks *r)
{
    if (!r)
        return;
    r->finalize();
    free(r); /* the library stays: it has handlers of its own */
}

unsigned cc_ranks_own(const struct cc_ranks *r)
{
    return r ? r->own : 0;
}

unsigned cc_ranks_count(const struct cc_ranks *r)
{
    return r ? r->count : 1;
}

unsigned cc_ranks_here(const struct cc_ranks *r)
{
    return r ? r->here : 1;
}

void cc_ranks_join(const struct cc_ranks *r, double *v, size_t n)
{
    const size_t most = INT_MAX / 2;
    double *copy = r && n ? cc_alloc_array(n, sizeof *copy) : NULL;
    if (!copy)
        return;
    memcpy(copy, v, n * sizeof *copy);
    for (size_t i = 0; i < n; i += CC_MIN(n - i, most))
        r->allreduce(copy + i, v + i, (int)CC_MIN(n - i, most), r->real, r->most, r->world);
    free(copy);
}

void *cc_ranks_tell(const struct cc_ranks *r, unsigned from, const void *v, size_t *size)
{
    const size_t most = INT_MAX / 2;
    uint64_t n = *size;
    if (r)
        r->broadcast(&n, sizeof n, r->byte, (int)from, r->world);
    char *all = cc_alloc((size_t)n + 1);
    if (cc_ranks_own(r) == from && n)
        memcpy(all, v, (size_t)n);
    for (size_t i = 0; r && i < n; i += CC_MIN(n - i, most))
        r->broadcast(all + i, (int)CC_MIN(n - i, most), r->byte, (int)from, r->world);
    *size = (size_t)n;
    return all;
}

unsigned cc_ranks_threads(const struct cc_ranks *r)
{
    unsigned here = cc_ranks_here(r);
    return here < 2 ? 0 : CC_MAX(cc_processors() / here, 1u);
}

int cc_ranks_agree(const struct cc_ranks *r, int rc, struct cc_err *err)
{
    double first = rc < 0 ? (double)cc_ranks_count(r) - cc_ranks_own(r) : 0;
    cc_ranks_join(r, &first, 1);
    if (!r || first <= 0)
        return rc;
    unsigned from = r->count - (unsigned)first;
    size_t size = sizeof *err;
    CC_CLEANUP(cc_free_ptr) struct cc_err *told = cc_ranks_tell(r, from, err, &size);
    *err = *told;
    return -(int)err->code;
}
