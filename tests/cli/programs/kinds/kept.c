#include <stdio.h>
#include <string.h>
int main(void)
{
    static int out[200][100];
    int from[100], to[100];
    for (int i = 0; i < 100; i++)
        from[i] = i, to[i] = 100 - i;
    for (int i = 0; i < 200; i++) {
        memcpy(out[i], to, sizeof to);
        if (i > 100)
            memcpy(to, from, sizeof to);
    }
    printf("%d %d\n", out[50][3], out[150][3]);
    return 0;
}
/* kinds: what memcpy reads in one iteration and another call overwrites is from before: no copy for each
 * thread has it */
