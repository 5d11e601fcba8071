/* Loops of a program in which no loop reads memory once it is optimised: that a load is missing has to be
 * noticed there too. Labels as in dependent.c and independent.c. */
#include <stdio.h>

enum { MANY = 200 };

static int ids[MANY], entries[2 * MANY], entered, squares[MANY], kept[MANY];

static int next_id(void)
{
    static int id;
    return id++;
}

static void enter(int what)
{
    entries[entered] = what;
    entered++;
}

static int square(int x)
{
    return x * x;
}

int main(void)
{
    for (int i = 0; i < MANY; i++) /* loop: no */
        ids[i] = next_id();
    for (int i = 0; i < MANY; i++) /* loop: no */
        enter(i * 3);
    for (int i = 0; i < MANY; i++) /* loop: parallel */
        squares[i] = square(i);
    int before = 10;
    for (int i = 0; i < MANY; i++) { /* loop: no */
        kept[i] = before;
        before = i;
    }
    printf("%d %d %d %d\n", ids[77], entries[10], squares[9], kept[5]);
    return 0;
}
