#include "ranks.h"

#include <dlfcn.h>
#include <limits.h>

struct cc_ranks {
    unsigned own, count, here;
    void *library, *world, *real, *most;
    int (*finalize)(void);
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

int cc_ranks_agree(const struct cc_ranks *r, int rc, struct cc_err *err)
{
    double worst = -(double)rc;
    cc_ranks_join(r, &worst, 1);
    if (rc == 0 && worst > 0)
        return cc_err_set(err, CC_EENGINE, "another process that mpirun started has failed");
    return rc;
}
