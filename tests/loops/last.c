/* Loops that write one element again and again, of which the last has to stay, and loops that compilers let
 * count in floating point or in a part of a register. Labels as in dependent.c and independent.c. */
#include "loops.h"

enum { MANY = 200 };

static double x[MANY], y[MANY], z[MANY];
static int on = 1;
static unsigned char bytes[MANY];

KERNEL(last_of_all)
{
    for (int i = 0; i < n; i++) /* loop: private */
        x[5] = y[i] * 2;
}

KERNEL(looked_at_again)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        x[6] = y[i] + 1;
        z[i] = x[6] * x[6];
    }
}

KERNEL(in_all_or_in_none)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        z[i] = y[i];
        if (on)
            x[7] = y[i] / 2;
    }
}

KERNEL(looked_at_before)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = x[5];
        x[5] = i;
    }
}

KERNEL(by_another_name)
{
    double *p = x;
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = p[5];
        x[5] = i;
    }
}

static __attribute__((noinline)) void by_one_name_of_two(double *p, double *q, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = q[5];
        p[5] = i;
    }
}

static double peek(void)
{
    return x[5];
}

KERNEL(by_a_function)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = peek();
        x[5] = i;
    }
}

KERNEL(beside_others)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        z[i] = x[i];
        x[100] = i;
    }
}

KERNEL(counted_as_numbers)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        x[i] = i;
        z[i] = y[i] + i;
    }
}

KERNEL(counted_in_bytes)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        bytes[i] = (unsigned char)(i + i);
}

KERNEL(moved_on)
{
    double t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        x[i] = t;
        t += 0.1;
    }
    keep(t);
}

KERNEL(element_moved_on)
{
    z[0] = 0;
    for (int i = 1; i < n; i++) { /* loop: no */
        y[i] = z[0];
        z[0] += 1.0;
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = MANY - 1 + argc;
    for (int i = 0; i < n; i++)
        y[i] = i % 7;
    last_of_all(n), keep(x[5]), looked_at_again(n), keep(x[6] + z[3]), in_all_or_in_none(n),
        keep(x[7] + z[4]);
    looked_at_before(n), keep(z[7]), by_another_name(n), keep(z[8]), by_one_name_of_two(x, x, n), keep(z[9]);
    by_a_function(n), keep(z[10]), beside_others(n), keep(z[100] + z[101]);
    counted_as_numbers(n), keep(x[11] + z[12]), counted_in_bytes(n), keep(bytes[150]);
    moved_on(n), element_moved_on(n), keep(x[13] + y[14]);
    return 0;
}
