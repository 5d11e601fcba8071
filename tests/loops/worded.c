/* Pragmas as they have to be worded: what a loop leaves in its own counter, one clause for a record, no
 * pragma in front of a head that OpenMP does not take. Behind each loop the clauses; "none": no pragma. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { M = 208 };
static int a[2 * M], b[2 * M], counter;

struct pair {
    int key, val;
};

ALONE int left_over(int n)
{
    int i, k = 0;
    for (i = 0; i < n; i++) { /* loop: private */ // omp lastprivate(k, i)
        k = i * 2;
        a[k] = b[i];
    }
    return i + k;
}
ALONE int left_by_steps(int n)
{
    int i;
    for (i = 0; i < n; i += 3) /* loop: parallel */ // omp lastprivate(i)
        a[i] = b[i];
    return i;
}
ALONE int left_downwards(int n)
{
    int i, s = 0;
    for (i = n - 1; i >= 0; i--) /* loop: reduction */ // omp lastprivate(i) reduction(+:s)
        s += b[i];
    return i + s;
}
ALONE void left_of_file(int n)
{
    for (counter = 0; counter < n; counter++) /* loop: parallel */ // omp lastprivate(counter)
        a[counter] = b[counter];
}
ALONE void set_anew(int n)
{
    int i;
    for (i = 0; i < n; i++) /* loop: parallel */ // omp
        a[i] = b[i];
    for (i = 0; i < n; i++) /* loop: parallel */ // omp
        a[i] += 3;
}
ALONE void record_once(int n)
{
    struct pair t;
    for (int i = 0; i < n; i++) { /* loop: private */ // omp private(t)
        t.key = b[i];
        t.val = i;
        a[i] = t.key + t.val;
    }
}
ALONE void text_begun(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */ // omp
        char text[48] = "n";
        for (int k = 0; k < b[i] % 7; k++)
            strcat(text, "ab");
        a[i] = strcmp(text, "nabab");
    }
}
ALONE void goes_on(int n)
{
    int i = 5;
    for (; i < n; i++) /* loop: parallel */ // omp none
        a[i] = b[i];
}
ALONE void two_begin(int n)
{
    for (int i = 0, m = n; i < m; i++) /* loop: parallel */ // omp none
        a[i] = b[i];
}
/* each thread has its own anyway, and no clause may say so */
static _Thread_local int of_thread;
ALONE void set_for_thread(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */ // omp none
        of_thread = b[i];
        a[i] = of_thread * 2;
    }
}

int main(int argc, char **argv)
{
    int n = 199 + argc;
    (void)argv;
    for (int i = 0; i < 2 * M; i++)
        b[i] = (i * 37 + i / 9) % 101;
    keep(left_over(n) + left_by_steps(n) + left_downwards(n));
    left_of_file(n);
    keep(counter);
    digest(a, sizeof a);
    set_anew(n);
    digest(a, sizeof a);
    record_once(n);
    digest(a, sizeof a);
    text_begun(n);
    digest(a, sizeof a);
    set_for_thread(n);
    goes_on(n), two_begin(n);
    digest(a, sizeof a);
    return finish();
}
