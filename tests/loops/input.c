/* Loops of which the run alone tells that iterations do not need each other: another stride, offset, table,
 * length or value would let them. Label input: not free, or free with a sentence that says so and without a
 * pragma. Those beside them are free whatever the input. */
#include "loops.h"

#include <setjmp.h>

#define ALONE static __attribute__((noinline))
enum { M = 256 };
static int ia[8 * M], ib[8 * M], ic[8 * M], at[M], none[M];

/* strides and offsets */
ALONE void stride(int n, int step)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i * step] = i;
}
ALONE void stride_of_rows(int n, int width, int step)
{
    for (int i = 0; i < n; i++)         /* loop: input */
        for (int j = 0; j < width; j++) /* loop: parallel */
            ia[i * step + j] = i + j;
}
ALONE void rows(int n, int width)
{
    for (int i = 0; i < n; i++)         /* loop: parallel */
        for (int j = 0; j < width; j++) /* loop: parallel */
            ia[i * width + j] = i + j;
}
ALONE void stride_of_pointer(int n, int width, int step)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        int *row = ia + i * step;
        for (int j = 0; j < width; j++) /* loop: parallel */
            row[j] = i + j;
    }
}
ALONE void offset(int n, int k)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i + k] = ia[i] + 1;
}
ALONE void offset_behind(int n, int k)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        ia[i] = i;
        ia[i + k] = -i;
    }
}
/* elements that data tell, or too few bits */
ALONE void table(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[at[i]] = i;
}
ALONE void rest(int n, int m)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i % m] = i;
}
ALONE void few_bits(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[(unsigned char)i] = i;
}
ALONE void few_bits_of_counter(int n)
{
    for (unsigned char i = 0; i < 200; i++) /* loop: parallel */
        ia[i] = i + n;
}
ALONE void set_at(int k, int x)
{
    ia[k] = x;
}
ALONE void table_of_call(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_at(at[i], i);
}
ALONE void counter_of_call(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        set_at(i, i + 3);
}
static int found[M], is_found[M];
static int find(int k)
{
    if (!is_found[k]) {
        found[k] = k * k + 1;
        is_found[k] = 1;
    }
    return found[k];
}
ALONE void table_of_results(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i] = find(at[i]);
}
/* how much is written */
ALONE void length(int n, int step, int size)
{
    for (int i = 0; i < n; i++) /* loop: input */
        memset(ia + i * step, i, size);
}
ALONE void length_beyond(int n, int size)
{
    for (int i = 0; i < n; i++) /* loop: input */
        memcpy(&ia[i * 4], ib + i, size * sizeof *ia);
}
ALONE void length_of_step(int n, int step)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        memset(ia + i * step, i, step * sizeof *ia);
}
ALONE void fill(int *p, int n, int x)
{
    for (int j = 0; j < n; j++) /* loop: parallel */
        p[j] = x;
}
ALONE void length_of_call(int n, int step, int size)
{
    for (int i = 0; i < n; i++) /* loop: input */
        fill(ia + i * step, size, i);
}
ALONE void length_of_call_and_step(int n, int step)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        fill(ia + i * step, step, i);
}
/* heads that data, or the body, move on */
ALONE void steps_of_data(int n)
{
    for (int i = 0; i < n; i += 1 + none[i]) /* loop: no */
        ia[i] = i;
}
ALONE void steps_of_body(int n)
{
    int by = 1;
    for (int i = 0; i < n; i += by) { /* loop: no */
        ia[i] = i;
        if (ib[i] > 10000)
            by = 2;
    }
}
/* what did not happen */
ALONE void message(int n)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        if (ib[i] > 10000)
            printf("%d\n", i);
        ia[i] = ib[i];
    }
}
ALONE void message_and_end(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        if (ib[i] > 10000) {
            printf("%d\n", i);
            exit(1);
        }
        ia[i] = ib[i];
    }
}
static int scale, has_scale;
static int get_scale(void)
{
    if (!has_scale) {
        scale = ib[3] + 2;
        has_scale = 1;
    }
    return scale;
}
ALONE void set_before(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i] = ib[i] * get_scale();
}
static jmp_buf back;
ALONE int jump(int n)
{
    if (setjmp(back))
        return 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] > 10000)
            longjmp(back, 1);
        ia[i] = i;
    }
    return 0;
}
ALONE void check(int x)
{
    if (x > 10000)
        longjmp(back, 1);
}
ALONE int jump_of_call(int n)
{
    if (setjmp(back))
        return 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        check(ib[i]);
        ia[i] = i;
    }
    return 0;
}
static int total;
static int doubled(int x)
{
    return x * 2;
}
static int added(int x)
{
    return total = total * 3 + x;
}
static int (*const ways[2])(int) = {doubled, added};
ALONE void way_not_taken(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[i] = ways[ib[i] > 10000](ib[i]);
}
/* no two are counted in one place here, which they might be */
ALONE void counted_once(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ia[at[i]]++;
}
ALONE void counted_round(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ia[(i + 3) % M] += ib[i];
}
ALONE void counted_and_seen(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        ia[at[i]] += ia[i + M];
}
ALONE void counted_often(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ia[ib[i] & 7]++;
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = 200 + argc - 1, four = 3 + argc;
    for (int i = 0; i < 8 * M; i++)
        ib[i] = i * 37 % 101, ic[i] = i;
    for (int i = 0; i < M; i++)
        at[i] = i * 7 % M;
    stride(n, four), digest(ia, sizeof ia);
    stride_of_rows(n, four, four), rows(n, four), digest(ia, sizeof ia);
    stride_of_pointer(n, four, four), digest(ia, sizeof ia);
    offset(n, n + argc), offset_behind(n, n + argc), digest(ia, sizeof ia);
    table(n), rest(n, n + argc), few_bits(n), digest(ia, sizeof ia);
    few_bits_of_counter(n), digest(ia, sizeof ia);
    table_of_call(n), digest(ia, sizeof ia);
    counter_of_call(n), digest(ia, sizeof ia);
    table_of_results(n), digest(ia, sizeof ia);
    length(n, four, four * (int)sizeof *ia), length_beyond(n, four), digest(ia, sizeof ia);
    length_of_step(n, four), digest(ia, sizeof ia);
    length_of_call(n, four, four), length_of_call_and_step(n, four), digest(ia, sizeof ia);
    steps_of_data(n), steps_of_body(n), message(n), digest(ia, sizeof ia);
    message_and_end(n), keep(get_scale()), set_before(n), digest(ia, sizeof ia);
    keep(jump(n) + jump_of_call(n)), digest(ia, sizeof ia);
    way_not_taken(n), digest(ia, sizeof ia);
    counted_once(n), counted_round(n), counted_and_seen(n), counted_often(n), digest(ia, sizeof ia);
    return finish();
}
