// Threads write their parts in order, each waiting for its turn after every item; repaired: each keeps its
// part until the end.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex guard;
static std::condition_variable turn_changed;
static int turn, n;
static long out[64][64];
static unsigned churn(unsigned x, int k)
{
    while (k--)
        x = x * 1664525u + 1013904223u;
    return x;
}
static void work(int me)
{
    unsigned x = me + 1;
    for (int i = 0; i < 24; i++) {
        x = churn(x, 600);
#ifndef FIXED
        std::unique_lock<std::mutex> hold(guard);
        turn_changed.wait(hold, [me] { return turn == me; }); // FAULT
#endif
        out[me][i % 32] += x >> 20;
        x = churn(x, 200);
#ifndef FIXED
        turn = (turn + 1) % n;
        turn_changed.notify_all();
#endif
    }
}
int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 4;
    std::vector<std::thread> t;
    for (int i = 1; i < n; i++)
        t.emplace_back(work, i);
    work(0);
    for (auto &x : t)
        x.join();
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 32; k++)
            sum += out[i][k];
    printf("%ld\n", sum);
}
