/* Nothing: what starting a program and reading the clock take. */
#include "truth.h"
int main(void)
{
    CC_RECORD_OFF();
    KERNEL_BEGIN();
    BEGIN("empty.task");
    END("empty.task");
    KERNEL_END(0);
}
