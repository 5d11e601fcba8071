/* Fine tasks, deep: a recursion that makes two tasks at each step down to a depth. */
#include "truth.h"
enum { N = SIZE(21, 34), DEPTH = SIZE(6, 9) };
static unsigned plain(unsigned n)
{
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
}
static unsigned fib(unsigned n, int depth)
{
    if (depth == DEPTH)
        return plain(n);
    unsigned x = 0, y = 0;
#pragma omp task shared(x)
    {
        CALL_BEGIN("fib.task");
        x = fib(n - 1, depth + 1);
        CALL_END("fib.task");
    }
#pragma omp task shared(y)
    {
        CALL_BEGIN("fib.task");
        y = fib(n - 2, depth + 1);
        CALL_END("fib.task");
    }
    CALL_BEGIN("fib.wait");
#pragma omp taskwait
    CALL_END("fib.wait");
    return x + y;
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned result = 0;
    KERNEL_BEGIN();
    BEGIN("fib.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("fib.root");
        result = fib(N, 0);
        END("fib.root");
    }
    END("fib.all");
    KERNEL_END(result);
}
