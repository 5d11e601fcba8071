/* Regions, tasks and calls whose instructions are the same whatever runs them. */
#include <corecast/mark.h>
#include <stdio.h>

static int row[100];

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        row[i % 100] += i;
}

int main(void)
{
    CC_REGION_BEGIN("main.loop");
    for (int i = 1; i <= 4; i++) {
        CC_TASK_BEGIN("main.loop.step");
        work(i * 1000);
        CC_TASK_END("main.loop.step");
    }
    CC_REGION_END("main.loop");
    CC_RECORD_OFF();
    work(100000);
    CC_RECORD_ON();
    printf("%d\n", row[7]);
    return 0;
}
