#include <stdio.h>
static unsigned all;
static long place(unsigned columns, unsigned left, unsigned right)
{
    long count = 0;
    unsigned free = all & ~(columns | left | right);
    if (columns == all)
        return 1;
    while (free) {
        unsigned bit = free & -free;
        free ^= bit;
        count += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}
int main(void)
{
    long total = 0;
    int n = 8;
    all = (1u << n) - 1;
    for (int i = 0; i < n; i++)
        total += place(1u << i, 2u << i, 1u << i >> 1);
    printf("%ld\n", total);
    return 0;
}
/* kinds: a sum of what a recursion returns, in a register that the compiler knows to be left alone */
