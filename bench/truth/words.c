/* Branches and bytes: matches of patterns in a text, lines handed out one at a time: many fetches. */
#include "truth.h"
enum { LINES = SIZE(600, 40000), LENGTH = SIZE(48, 160), PATTERNS = 4 };
static char text[LINES][LENGTH];
static int found[LINES];
static const char *const pattern[PATTERNS] = {"aba", "bcab", "cc", "abcabc"};
static int match(const char *at, const char *end, const char *p)
{
    while (*p && at < end && *at == *p) {
        at++;
        p++;
    }
    return !*p;
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned seed = 21;
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < LENGTH; j++) {
            seed = seed * 1664525 + 1013904223;
            text[i][j] = (char)('a' + (seed >> 28) % 3);
        }
    KERNEL_BEGIN();
    BEGIN("words.all");
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < LINES; i++) {
        BEGIN("words.line");
        int n = 0;
        for (int k = 0; k < LENGTH - (i * 7 & 31); k++)
            for (int p = 0; p < PATTERNS; p++)
                n += match(&text[i][k], &text[i][LENGTH], pattern[p]);
        found[i] = n;
        END("words.line");
    }
    END("words.all");
    KERNEL_END(found[5]);
}
