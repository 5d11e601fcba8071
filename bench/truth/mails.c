/* Letters of uneven length, a task for each, made by one thread. */
#include "truth.h"
enum { MAILS = SIZE(90, 6000), LONGEST = 700 };
static unsigned char text[MAILS][LONGEST];
static unsigned mark[MAILS];
int main(void)
{
    CC_RECORD_OFF();
    for (int m = 0; m < MAILS; m++)
        for (int i = 0; i < LONGEST; i++)
            text[m][i] = (unsigned char)(m * 31 + i * i);
    KERNEL_BEGIN();
    BEGIN("mails.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("mails.make");
        for (int m = 0; m < MAILS; m++) {
#pragma omp task firstprivate(m)
            {
                CALL_BEGIN("mails.one");
                unsigned h = 5381;
                for (int i = 0; i < 100 + m * 53 % 600; i++)
                    h = h * 33 ^ text[m][i];
                mark[m] = h;
                CALL_END("mails.one");
            }
        }
        END("mails.make");
    }
    END("mails.all");
    unsigned all = 0;
    for (int m = 0; m < MAILS; m++)
        all ^= mark[m];
    KERNEL_END(all);
}
