#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int errors;
static int check(const char *s)
{
    if (strlen(s) > 7) {
        errors++;
        return -1;
    }
    return 0;
}
int main(void)
{
    size_t n = 4000;
    float *x = malloc(n * sizeof *x);
    char(*line)[80] = malloc(n * sizeof *line);
    long total = 0;
    for (size_t i = 0; i < n; i++)
        memset(line[i], 'a', 5), line[i][5] = 0, x[i] = (float)i;
    for (uint32_t i = 0; i < n; i += 2)
        x[i] = sqrtf(x[i + 1]) * 0.5f + cosf(x[i]);
    for (size_t i = 0; i < n; i++) {
        if (check(line[i]) < 0)
            continue;
        for (const char *s = line[i]; *s; s++)
            total += *s;
    }
    printf("%.1f %ld %d\n", x[78], total, errors);
    return 0;
}
/* kinds: a counter that clang's OpenMP counts wrong; a way that the run did not take and on which a global is
 * counted */
