/* Atomic instructions, N times each on a variable of its own, which nobody else touches: a function reads and
 * writes it N times, but for miss_…, which finds another value than it expects and writes nothing. WORDS: of
 * four bytes only; NARROW: of one and two as well; THREAD: in a program that has had two threads; BARE:
 * without any library. */
#ifdef THREAD
#include <pthread.h>
#endif

enum { N = 1000 };
#define OWN __attribute__((noinline))
#define SIZE(bytes, type)                                                                                   \
    static type add_##bytes##_at, swap_##bytes##_at, cas_##bytes##_at, miss_##bytes##_at;                   \
    OWN int add_##bytes(void)                                                                               \
    {                                                                                                       \
        type last = 0;                                                                                      \
        for (int i = 0; i < N; i++)                                                                         \
            last = __atomic_fetch_add(&add_##bytes##_at, 1, __ATOMIC_ACQ_REL);                              \
        return last == (type)(N - 1);                                                                       \
    }                                                                                                       \
    OWN int swap_##bytes(void)                                                                              \
    {                                                                                                       \
        type last = 0;                                                                                      \
        for (int i = 0; i < N; i++)                                                                         \
            last = __atomic_exchange_n(&swap_##bytes##_at, (type)i, __ATOMIC_ACQ_REL);                      \
        return last == (type)(N - 2);                                                                       \
    }                                                                                                       \
    OWN int cas_##bytes(void)                                                                               \
    {                                                                                                       \
        int sum = 0;                                                                                        \
        for (int i = 0; i < N; i++) {                                                                       \
            type old = (type)i;                                                                             \
            sum += __atomic_compare_exchange_n(&cas_##bytes##_at, &old, (type)(i + 1), 0, __ATOMIC_ACQ_REL, \
                                               __ATOMIC_ACQUIRE);                                           \
        }                                                                                                   \
        return sum == N;                                                                                    \
    }                                                                                                       \
    OWN int miss_##bytes(void)                                                                              \
    {                                                                                                       \
        int sum = 0;                                                                                        \
        for (int i = 0; i < N; i++) {                                                                       \
            type old = 1;                                                                                   \
            sum += __atomic_compare_exchange_n(&miss_##bytes##_at, &old, (type)i, 0, __ATOMIC_ACQ_REL,      \
                                               __ATOMIC_ACQUIRE);                                           \
        }                                                                                                   \
        return sum == 0;                                                                                    \
    }                                                                                                       \
    OWN int all_##bytes(void)                                                                               \
    {                                                                                                       \
        return (add_##bytes() & swap_##bytes()) & (cas_##bytes() & miss_##bytes());                         \
    }

SIZE(4, unsigned)
#ifndef WORDS
SIZE(8, unsigned long long)
#else
OWN int all_8(void)
{
    return 1;
}
#endif
#ifdef NARROW
SIZE(1, unsigned char)
SIZE(2, unsigned short)
#else
OWN int all_1(void)
{
    return 1;
}
OWN int all_2(void)
{
    return 1;
}
#endif

#ifdef THREAD
static void *nothing(void *unused)
{
    return unused;
}
static void once(void)
{
    pthread_t other;
    pthread_create(&other, 0, nothing, 0);
    pthread_join(other, 0);
}
#else
static void once(void) {}
#endif

int main(void)
{
    once();
    return !(all_4() & all_8() & all_1() & all_2());
}

#ifdef BARE
void __start(void)
{
    register int number __asm__("$2") = 4001, status __asm__("$4") = main();
    __asm__ volatile("syscall" ::"r"(number), "r"(status));
}
#endif
