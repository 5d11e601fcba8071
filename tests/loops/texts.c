/* Texts that iterations put together in an array of their own. Functions that look for a string's end look
 * beyond it, at what no iteration of this run has written; where the array lives longer than an iteration, so
 * may the string. */
#include "loops.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALONE static __attribute__((noinline))

static char kept[N][48];
static size_t sizes[N];
static int ranks[N];
static double numbers[N];

ALONE void formatted(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: parallel */
        char text[48];
        snprintf(text, sizeof text, "%d|%d", v[i], v[i] * v[i]);
        sizes[i] = strlen(text);
    }
}
ALONE void copied(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: parallel */
        char text[48];
        sprintf(text, "%x-%s", (unsigned)v[i], v[i] % 2 ? "odd" : "even number");
        strcpy(kept[i], text);
    }
}
ALONE void joined(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: parallel */
        char text[48] = "n";
        for (int k = 0; k < v[i] % 7; k++)
            strcat(text, "ab");
        ranks[i] = strcmp(text, "nabab");
    }
}
ALONE void rounded(const double *x)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        numbers[i] = fmod(x[i], 7) + fmod(x[i], 0.3);
}
/* what an iteration finds in it is the one's before */
ALONE void grows(const int *v)
{
    char text[48] = "";
    for (int i = 0; i < N; i++) { /* loop: no */
        sizes[i] = strlen(text);
        snprintf(text, sizeof text, "%d", v[i]);
    }
}
/* now and then */
ALONE void stays(const int *v)
{
    char text[48];
    strcpy(text, "none");
    for (int i = 0; i < N; i++) { /* loop: no */
        if (v[i] != 3)
            snprintf(text, sizeof text, "%d", v[i]);
        sizes[i] = strlen(text);
    }
}
/* its beginning is as old as the function */
ALONE void ended(const int *v)
{
    char text[48] = "the number ";
    for (int i = 0; i < N; i++) { /* loop: either */
        snprintf(text + 11, sizeof text - 11, "%d", v[i]);
        sizes[i] = strlen(text);
    }
}
/* a digit of it stays from the iteration before */
ALONE void patched(const int *v)
{
    char text[8] = "0000000";
    for (int i = 0; i < N; i++) { /* loop: no */
        text[v[i] % 7] = (char)('0' + i % 10);
        ranks[i] = atoi(text);
    }
}
/* of two by one name the outer one goes on */
ALONE void hidden(const int *v)
{
    char text[48];
    strcpy(text, "none");
    for (int i = 0; i < N; i++) { /* loop: no */
        sizes[i] = strlen(text);
        snprintf(text, sizeof text, "%d", v[i]);
        if (v[i] > 5) {
            char text[48];
            snprintf(text, sizeof text, "%d|%d", v[i], i);
            ranks[i] = (int)strlen(text);
        }
    }
}
/* a pointer to one that lives longer */
ALONE void lent(const int *v)
{
    char own[48] = "none";
    for (int i = 0; i < N; i++) { /* loop: no */
        char *text = own;
        sizes[i] = strlen(text);
        snprintf(text, 48, "%d", v[i]);
    }
}
/* one of two by the same calls: the other one goes on */
ALONE void either(const int *v)
{
    char other[48] = "none";
    for (int i = 0; i < N; i++) { /* loop: no */
        char text[48];
        char *to = v[i] > 300 ? other : text;
        if (to == text)
            snprintf(to, 48, "%d", i);
        sizes[i] = strlen(to);
        if (v[i] > 200)
            snprintf(to, 48, "%d|%d", v[i], i);
        ranks[i] = (int)strlen(to);
    }
}
ALONE void chosen(const int *v, char *other)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char text[48] = "";
        char *to = text;
        for (int k = 0; k < 2; k++) {
            sizes[i] += strlen(to);
            snprintf(to, 48, "%d|%d", v[i], k);
            if (v[i] > 300)
                to = other;
        }
    }
}
/* each of which is written by another call before it is looked at */
ALONE void passed(const int *v, char *other)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char text[48];
        snprintf(text, sizeof text, "%d", v[i] * v[i]);
        const char *from = v[i] % 5 ? text : other;
        sizes[i] = strlen(from);
        if (v[i] == 4)
            snprintf(other, 48, "%d", i);
    }
}
/* put together by several calls */
ALONE void pieces(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: parallel */
        char name[40], number[24];
        sprintf(number, "%d", v[i] * v[i]);
        strcpy(name, v[i] % 3 ? "a" : "longer than the other");
        if (v[i] > 2)
            strcat(name, number);
        ranks[i] = strcmp(name, number) + (int)strlen(name) + atoi(number);
    }
}
/* a size may be nothing */
ALONE void sized(const int *v, size_t most)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char own[48];
        snprintf(own, v[i] % 2 ? most : 0, "%d|%d", v[i], i);
        sizes[i] = strlen(own);
    }
}
/* without an end */
ALONE void cut(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char own[24];
        strncpy(own, v[i] % 2 ? "a" : "a very long text", v[i] % 2 ? 1 : 20);
        sizes[i] = strlen(own);
    }
}
/* all of it is copied */
ALONE void copied_whole(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char own[48];
        snprintf(own, sizeof own, "%d|%d", v[i], v[i] * v[i]);
        memcpy(kept[i], own, sizeof own);
    }
}
/* by what a call hands back */
ALONE void handed_back(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char own[48];
        const char *at = strcpy(own, v[i] % 2 ? "a" : "a text that is longer");
        ranks[i] = at[12] + (int)strlen(own);
    }
}
ALONE void only_some(const int *v)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char own[48];
        if (v[i] % 4 != 1)
            sprintf(own, "%d", v[i]);
        sizes[i] = strlen(own);
    }
}
/* the caller's of the same name goes on */
static inline void beside_inlined(const int *v, char *other)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char line[48];
        snprintf(line, sizeof line, "%d|%d", v[i], i);
        sizes[i] = strlen(line) + strlen(other);
        snprintf(other, 48, "%d", v[i]);
    }
}
ALONE void beside(const int *v, char *other)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        char line[48];
        snprintf(line, sizeof line, "%d|%d", v[i], i);
        sizes[i] += strlen(line) + strlen(other);
        snprintf(other, 48, "%d", v[i]);
    }
}
ALONE void lends_its_own(const int *v)
{
    char line[48] = "none";
    beside(v, line);
    beside_inlined(v, line);
}

/* a result of the mathematical library goes into its next call */
ALONE double drawn(double x)
{
    for (int i = 0; i < N; i++) /* loop: no */
        x = fmod(x * 7.3, 5) + 0.1;
    for (int i = 0; i < N; i++) /* loop: no */
        x = sin(x);
    return x;
}

int main(void)
{
    int v[N];
    double x[N];
    for (int i = 0; i < N; i++)
        v[i] = i * 7 % 1013 % (i % 3 ? 9 : 400), x[i] = i * 1.37;
    formatted(v);
    copied(v);
    joined(v);
    rounded(x);
    grows(v);
    stays(v);
    ended(v);
    patched(v);
    hidden(v);
    lent(v);
    either(v);
    char other[48] = "none";
    chosen(v, other);
    passed(v, other);
    pieces(v);
    sized(v, 48);
    cut(v);
    copied_whole(v);
    handed_back(v);
    only_some(v);
    lends_its_own(v);
    double s = drawn(0.3);
    for (int i = 0; i < N; i++)
        s += (double)sizes[i] + ranks[i] + numbers[i] + kept[i][1];
    printf("%g\n", s);
    return 0;
}
