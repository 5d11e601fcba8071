/* LAPACK, loaded when a model is first fitted (base/lazy.h). */
#include "../../base/lazy.h"

#include <lapacke.h>

static const char *const names[] = {CC_SONAME_LAPACKE, NULL};
static struct cc_lazy lapacke = {.names = names};

#define FORWARD(name, params, args) CC_LAZY(lapacke, LAPACK_WORK_MEMORY_ERROR, lapack_int, name, params, args)

/* clang-format off */
FORWARD(LAPACKE_dgelsy, (int a, lapack_int b, lapack_int c, lapack_int d, double *e, lapack_int f, double *g, lapack_int h, lapack_int *i, double j, lapack_int *k),
        (a, b, c, d, e, f, g, h, i, j, k))
FORWARD(LAPACKE_dgeqrf, (int a, lapack_int b, lapack_int c, double *d, lapack_int e, double *f), (a, b, c, d, e, f))
FORWARD(LAPACKE_dgesdd, (int a, char b, lapack_int c, lapack_int d, double *e, lapack_int f, double *g, double *h, lapack_int i, double *j, lapack_int k),
        (a, b, c, d, e, f, g, h, i, j, k))
FORWARD(LAPACKE_dgesv, (int a, lapack_int b, lapack_int c, double *d, lapack_int e, lapack_int *f, double *g, lapack_int h), (a, b, c, d, e, f, g, h))
FORWARD(LAPACKE_dorgqr, (int a, lapack_int b, lapack_int c, lapack_int d, double *e, lapack_int f, const double *g), (a, b, c, d, e, f, g))
FORWARD(LAPACKE_dtrtri, (int a, char b, char c, lapack_int d, double *e, lapack_int f), (a, b, c, d, e, f))
