// A std::atomic_flag is tried until it can be had; repaired: what it guards is each thread's own.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
static std::atomic_flag busy = ATOMIC_FLAG_INIT;
alignas(256) static long total;
static long out[64][32];
static void work(int me)
{
    unsigned x = me + 1;
    for (int i = 0; i < 400; i++) {
        for (int k = 0; k < 40; k++)
            x = x * 1664525u + 1013904223u;
#ifdef FIXED
        long &sum = out[me][0];
#else
        long &sum = total;
        while (busy.test_and_set(std::memory_order_acquire)) // FAULT
            ;
#endif
        for (int k = 0; k < 24; k++)
            sum += x >> (k % 8 + 16) & 7;
#ifndef FIXED
        busy.clear(std::memory_order_release);
#endif
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    std::vector<std::thread> t;
    for (int i = 1; i < n; i++)
        t.emplace_back(work, i);
    work(0);
    for (auto &x : t)
        x.join();
    long sum = total;
    for (int i = 0; i < n; i++)
        sum += out[i][0];
    printf("%ld\n", sum);
}
