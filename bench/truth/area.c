/* Tasks, uneven: the area under a curve, halves of an interval as tasks where it bends, down to a depth. */
#include "truth.h"
enum { DEPTH = SIZE(5, 9) };
static double height(double x)
{
    return 1 / (0.02 + (x - 0.3) * (x - 0.3)) + 1 / (0.004 + (x - 0.9) * (x - 0.9));
}
static double part(double from, double to, double limit)
{
    double middle = (from + to) / 2;
    double whole = (to - from) * (height(from) + height(to)) / 2;
    double halves = (to - from) * (height(from) + 2 * height(middle) + height(to)) / 4;
    if (fabs(whole - halves) < limit)
        return halves;
    return part(from, middle, limit / 2) + part(middle, to, limit / 2);
}
static void area(double from, double to, int depth, double *ret)
{
    if (depth == DEPTH) {
        *ret = part(from, to, SIZE(1e-7, 1e-13));
    } else {
        double left, right, middle = (from + to) / 2;
#pragma omp task shared(left)
        {
            CALL_BEGIN("area.part");
            area(from, middle, depth + 1, &left);
            CALL_END("area.part");
        }
#pragma omp task shared(right)
        {
            CALL_BEGIN("area.part");
            area(middle, to, depth + 1, &right);
            CALL_END("area.part");
        }
        CALL_BEGIN("area.wait");
#pragma omp taskwait
        CALL_END("area.wait");
        *ret = left + right;
    }
}
int main(void)
{
    CC_RECORD_OFF();
    double sum = 0;
    KERNEL_BEGIN();
    BEGIN("area.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("area.root");
        area(0, 1, 0, &sum);
        END("area.root");
    }
    END("area.all");
    KERNEL_END(sum);
}
