/* Calls itself as deep as is said, a kilobyte and more a level; it may first allow itself a larger stack, in
 * MiB. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static __attribute__((noinline)) int deep(int n)
{
    volatile char room[1000];
    room[0] = (char)n;
    return n ? deep(n - 1) + (room[0] == (char)n) : 0;
}

int main(int argc, char **argv)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    if (argc > 2)
        limit.rlim_cur = (rlim_t)atoi(argv[2]) << 20;
    setrlimit(RLIMIT_STACK, &limit);
    printf("%d\n", deep(atoi(argv[1])));
    return 0;
}
