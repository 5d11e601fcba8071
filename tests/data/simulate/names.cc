/* Names that a compiler mangles: two functions of one name, and variables. Stores in all: 10 calls of 100 by each of four threads in
 * work::add(int), 10 of 50 by the first thread in work::add(double). All fight for work::turns in work::take(int). */
#include <pthread.h>

namespace work {
volatile int slots[8];
int turns;
__attribute__((noinline)) void add(int n)
{
    for (int i = 0; i < 100; i++)
        slots[i % 8] = n;
}
__attribute__((noinline)) void add(double x)
{
    for (int i = 0; i < 50; i++)
        slots[i % 8] = (int)x;
}
__attribute__((noinline)) void take(int n)
{
    for (int i = 0; i < 2000; i++)
        __atomic_fetch_add(&turns, n, __ATOMIC_SEQ_CST);
}
} // namespace work

static void *thread(void *)
{
    for (int i = 0; i < 10; i++)
        work::add(i);
    work::take(1);
    return nullptr;
}

int main()
{
    enum { OTHERS = 3 };
    pthread_t other[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&other[i], nullptr, thread, nullptr);
    thread(nullptr);
    for (int i = 0; i < 10; i++)
        work::add(0.5 * i);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(other[i], nullptr);
    return work::turns != 4 * 2000;
}
