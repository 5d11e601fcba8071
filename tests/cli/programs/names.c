/* Functions of a program whose names sound like a C library's, or are those of its internal functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
static volatile int sink;
#define OWN __attribute__((noinline, noclone))

OWN int memory_sum(const int *a)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        s += a[i];
    return s;
}

OWN void strange(int *a)
{
    for (int i = 0; i < N; i++)
        a[i] = N - i;
}

OWN void freeze(int *to, const int *from)
{
    memcpy(to, from, N * sizeof *to);
}

OWN int btree_insert(int key)
{
    sink = key;
    return key > 1 ? btree_insert(key / 2) : 1;
}

OWN int load_gp(const int *a)
{
    return a[N / 2];
}

OWN int round_away(double v)
{
    return (int)(v + 0.5);
}

/* names that C reserves, or that the C library offers */
OWN int _reserved(int n)
{
    sink = n;
    return n + 3;
}

OWN int __reserved(int n)
{
    sink = n;
    return n + 4;
}

OWN int _IO_own(int n)
{
    sink = n;
    return n + 5;
}

OWN int lfind(int n)
{
    sink = n;
    return n + 6;
}

/* local ones: the C library has local functions of these names too */
static OWN int read_int(const int *a)
{
    sink = a[0];
    return a[1];
}

static OWN int group_number(int n)
{
    sink = n;
    return n / 3;
}

static OWN int call_init(int n)
{
    sink = n + 1;
    return n;
}

static OWN int frame_dummy_like(int n)
{
    sink = n;
    return n + 2;
}

static int compared;
static int compare(const void *a, const void *b)
{
    compared++;
    return *(const int *)a - *(const int *)b;
}

OWN void printf_all(const int *a, double v)
{
    char text[200];
    snprintf(text, sizeof text, "%d %'d %.3f %e %s", a[0], a[1], v, v * 1e10, "text");
    puts(text);
}

OWN void *malloc_all(void)
{
    return calloc(N, sizeof(int));
}

int main(void)
{
    int *a = malloc_all(), *b = malloc_all();
    strange(a);
    freeze(b, a);
    qsort(b, N, sizeof *b, compare);
    int sum = memory_sum(a) + memory_sum(b) + btree_insert(100) + load_gp(b) + round_away(2.5) + read_int(a);
    sum += group_number(9) + call_init(3) + frame_dummy_like(4);
    sum += _reserved(1) + __reserved(2) + _IO_own(3) + lfind(4);
    printf_all(b, sum / 7.0);
    printf("compared %d\n", compared);
    free(a);
    free(b);
    return 0;
}
