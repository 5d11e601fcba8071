/* Scratch of the file that every iteration fills before it reads it, by loops with one, two or three counters
 * and bounds that lie in the file: each thread may have its own, and what the last iteration left stays.
 * Compilers keep it in registers, and store it once behind the loop. Beside each its like, where one thing is
 * different. */
#include "loops.h"
#include <math.h>

#define ALONE static __attribute__((noinline))
enum { ROWS = 12, WIDE = 10, FEW = 6 };

static int sizes[3] = {ROWS, WIDE, FEW}, *shared_size = &sizes[1], wide = WIDE;
static double in[ROWS][WIDE + 2], out[ROWS][WIDE + 2], line[WIDE + 2], pair[WIDE][2], block[FEW][FEW][2],
    faces[WIDE];
static int marks[WIDE], sums[WIDE + 2];

/* bounds of the file */
ALONE void filled_to_size(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: private */
        for (int i = 0; i <= sizes[1] + 1; i++)
            line[i] = in[r][i] * 0.5;
        for (int i = 1; i <= sizes[1]; i++)
            out[r][i] = line[i - 1] + line[i + 1];
    }
}
/* the last one is not set */
ALONE void filled_short(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (int i = 1; i <= sizes[1]; i++)
            out[r][i] = line[i - 1] + line[i + 1];
        for (int i = 0; i <= sizes[1] + 1; i++)
            line[i] = in[r][i] * 0.5;
    }
}
/* the bound is another when the elements are read */
ALONE void size_changes(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        sizes[1] = r % 2 ? WIDE : WIDE / 2;
        for (int i = 0; i <= sizes[1]; i++)
            line[i] = in[r][i];
        sizes[1] = WIDE;
        for (int i = 0; i <= sizes[1]; i++)
            out[r][i] = line[i] + 1;
    }
}
ALONE void size_behind_pointer(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        *shared_size = r % 2 ? WIDE : WIDE / 2;
        for (int i = 0; i <= sizes[1]; i++)
            line[i] = in[r][i];
        *shared_size = WIDE;
        for (int i = 0; i <= sizes[1]; i++)
            out[r][i] = line[i] + 1;
    }
}
static __attribute__((noinline)) void resize(int to)
{
    wide = to;
}
ALONE void size_by_call(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        resize(r % 2 ? WIDE : WIDE / 2);
        for (int i = 0; i < wide; i++)
            line[i] = in[r][i];
        resize(WIDE);
        for (int i = 0; i < wide; i++)
            out[r][i] = line[i] + 1;
    }
}
/* all of it in registers */
ALONE void unrolled_whole(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: private */
        for (int i = 0; i < WIDE; i++)
            faces[i] = in[r][i] * 0.25;
        for (int i = 1; i < WIDE - 1; i++)
            out[r][i] = faces[i + 1] - faces[i - 1];
    }
}
/* one that only now and then is set stays */
ALONE void set_in_some(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (int i = 0; i < WIDE; i++)
            if (in[r][i] > 3)
                faces[i] = in[r][i] * 0.25;
        for (int i = 1; i < WIDE - 1; i++)
            out[r][i] = faces[i + 1] - faces[i - 1];
    }
}
ALONE void further_each_time(void)
{
    for (int r = 0; r < WIDE; r++) { /* loop: no */
        for (int i = 0; i <= r; i++)
            marks[i] = r * 3 + i;
        for (int i = 0; i < WIDE; i++)
            out[0][i] += marks[i];
    }
}
/* two and three counters, and what stands in a variable */
ALONE void in_pairs(void)
{
    int i, j, next;
    for (int r = 0; r < ROWS; r++) { /* loop: private */
        for (i = 0; i < WIDE; i++)
            for (j = 0; j < 2; j++)
                pair[i][j] = j + 1;
        for (i = 0; i < sizes[1] - 1; i++) {
            next = i + 1;
            pair[next][0] = pair[next][0] - in[r][i] * pair[i][1];
            pair[i][1] = pair[i][1] * 0.5 + pair[next][0];
            out[r][i] = pair[i][0] + pair[next][1];
        }
    }
}
ALONE void in_pairs_but_one(void)
{
    int i, j, next;
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (i = 0; i < WIDE - 1; i++)
            for (j = 0; j < 2; j++)
                pair[i][j] = j + 1;
        for (i = 0; i < sizes[1] - 1; i++) {
            next = i + 1;
            pair[next][0] = pair[next][0] - in[r][i] * pair[i][1];
            pair[i][1] = pair[i][1] * 0.5 + pair[next][0];
            out[r][i] = pair[i][0] + pair[next][1];
        }
    }
}
ALONE void one_of_each_pair(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (int i = 0; i < WIDE; i++)
            pair[i][0] = in[r][i];
        for (int i = 0; i < WIDE; i++) {
            out[r][i] = pair[i][0] + pair[i][1];
            pair[i][1] = in[r][i] * 0.5;
        }
    }
}
ALONE void blocks(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: private */
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++) {
                block[a][b][0] = in[r][a] - in[r][b];
                block[a][b][1] = in[r][a] * in[r][b];
            }
        double s = 0;
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++)
                s += block[b][a][0] * block[a][b][1];
        out[r][0] = s;
    }
}
ALONE void half_a_block(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        double s = 0;
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < a; b++)
                block[a][b][0] = in[r][a] - in[r][b];
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++)
                s += block[b][a][0];
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++)
                block[a][b][0] = s + a;
        out[r][0] = s;
    }
}
ALONE void along_the_diagonal(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        double s = 0;
        for (int a = 0; a < FEW; a++)
            block[a][a][0] = in[r][a];
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++)
                s += block[a][b][0];
        out[r][0] = s;
        for (int a = 0; a < FEW; a++)
            for (int b = 0; b < FEW; b++)
                block[a][b][0] = s + b;
    }
}
/* what is left of a counter */
ALONE void left_over_counter(void)
{
    int i;
    for (int r = 0; r < WIDE; r++) { /* loop: no */
        double s = 0;
        for (i = 0; i < r; i++)
            s += in[r][i];
        marks[i] = r;
        for (i = 0; i < WIDE; i++)
            s += marks[i];
        out[r][0] = s;
    }
}
/* the variable was set from a counter that has gone on */
ALONE void counter_gone_on(void)
{
    int i, k;
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (i = 0; i < WIDE; i++)
            line[i] = i < 3 ? in[r][i] : line[i];
        i = 0;
        k = i + 1;
        for (i = 0; i < 5; i++)
            out[r][i] = line[k + i];
        for (i = 3; i < WIDE; i++)
            line[i] = in[r][i] + r;
    }
}
ALONE void set_between(void)
{
    int next;
    for (int i = 0; i < WIDE; i++) { /* loop: no */
        next = i;
        out[3][next] = in[1][i];
        next = i + 1;
        if (in[0][i] > 1)
            next = i;
        out[3][i] += out[3][next + 1] + 1;
    }
}
ALONE void jumped_over(int n)
{
    int at = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        switch (i % 3) {
        case 0:
            out[4][i] = 1;
            at = i + 1;
            /* fall through */
        default:
            out[4][i] += out[4][at];
        }
    }
}
ALONE void own_place(void)
{
    int at;
    for (int i = 0; i < WIDE; i++) { /* loop: parallel */
        at = i + 1;
        out[5][at] = out[5][at] * 0.5 + in[2][i];
    }
}
ALONE void neighbours_place(void)
{
    int at;
    for (int i = 0; i < WIDE; i++) { /* loop: no */
        at = i + 1;
        out[5][at] = out[5][i] * 0.5 + in[2][i];
    }
}
/* some of it is looked at, and never set */
ALONE void counts_on(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        for (int i = 0; i < WIDE; i++)
            sums[i] = (int)in[r][i] + sums[WIDE];
        for (int i = 0; i < WIDE; i++)
            sums[WIDE] += sums[i];
    }
}
/* below the same condition, which stays, or does not */
ALONE void below_a_mode(int mode)
{
    double own[WIDE];
    for (int r = 0; r < ROWS; r++) { /* loop: private */
        double s = 0;
        if (mode & 1)
            for (int i = 0; i < WIDE; i++)
                own[i] = in[r][i] * 3;
        s += in[r][1];
        if (mode & 1)
            for (int i = 0; i < WIDE; i++)
                s += own[i] * own[WIDE - 1 - i];
        out[r][2] = s;
    }
}
ALONE void mode_changes(int mode)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        double s = 0;
        if (mode & 1)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r][i] * 3;
        mode ^= r % 3 == 1;
        if (mode & 1)
            for (int i = 0; i < WIDE; i++)
                s += line[i] * line[WIDE - 1 - i];
        out[r][2] = s;
    }
}
ALONE void another_mode(int mode, int other)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        double s = 0;
        if (r & mode)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r][i] * 3;
        if (r & other)
            for (int i = 0; i < WIDE; i++)
                s += line[i] * line[WIDE - 1 - i];
        out[r][2] = s;
    }
}
ALONE void mode_by_element(void)
{
    for (int r = 0; r < WIDE; r++) { /* loop: no */
        double s = 0;
        if (marks[r] & 1)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r][i] * 3;
        marks[r] = 1;
        if (marks[r] & 1)
            for (int i = 0; i < WIDE; i++)
                s += line[i] * line[WIDE - 1 - i];
        out[r][2] = s;
    }
}
ALONE void mode_behind_pointer(int *of)
{
    for (int r = 0; r < WIDE; r++) { /* loop: no */
        double s = 0;
        if (marks[r] & 1)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r][i] * 3;
        of[r] = 1;
        if (marks[r] & 1)
            for (int i = 0; i < WIDE; i++)
                s += line[i] * line[WIDE - 1 - i];
        out[r][2] = s;
    }
}
ALONE void mode_of_the_counter(void)
{
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        double s = 0;
        int k;
        for (k = 0; k < r % 4; k++)
            s += in[r][k];
        if (k & 1)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r][i] * 3;
        for (k = 0; k < 5; k++)
            if (k & 1)
                s += line[k];
        out[r][2] = s;
    }
}
/* that the last iteration came to its scratch is this input's luck: another's would stay */
ALONE double left_by_some(void)
{
    double s = 0;
    for (int r = 0; r < ROWS; r++) { /* loop: no */
        if (in[r][1] > 1) {
            memset(line, 0, sizeof line);
            line[3] = in[r][2];
            for (int i = 0; i < WIDE + 2; i++)
                s += line[i] * i;
        }
    }
    return s;
}
ALONE double left_below_the_same(int n, const int *asked)
{
    double s = 0;
    for (int r = 0; r < n; r++) { /* loop: no */
        if (asked[r] & 1)
            for (int i = 0; i < WIDE; i++)
                line[i] = in[r % ROWS][i];
        if (asked[r] & 1)
            for (int i = 0; i < WIDE; i++)
                s += line[i] * (i + 1);
    }
    return s;
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < WIDE + 2; i++)
            in[r][i] = (r * 7 + i * 3) % 5 + argc * 0.5;
    for (int i = 0; i < WIDE + 2; i++)
        line[i] = i;
    filled_to_size();
    keep(line[3]);
    filled_short();
    size_changes();
    size_behind_pointer();
    size_by_call();
    unrolled_whole();
    keep(faces[2] + faces[9]);
    set_in_some();
    further_each_time();
    in_pairs();
    keep(pair[3][1]);
    in_pairs_but_one();
    one_of_each_pair();
    blocks();
    keep(block[2][1][0]);
    half_a_block();
    along_the_diagonal();
    left_over_counter();
    counter_gone_on();
    set_between();
    jumped_over(WIDE);
    own_place();
    neighbours_place();
    counts_on();
    below_a_mode(argc);
    keep(line[4]);
    mode_changes(argc);
    another_mode(1, 2);
    for (int i = 0; i < WIDE; i++)
        marks[i] = i % 2;
    mode_by_element();
    for (int i = 0; i < WIDE; i++)
        marks[i] = i % 2;
    mode_behind_pointer(marks);
    mode_of_the_counter();
    in[ROWS - 1][1] = 2;
    keep(left_by_some() + line[3]);
    for (int i = 0; i < WIDE; i++)
        marks[i] = i % 2;
    keep(left_below_the_same(WIDE, marks) + line[3]);
    digest(out, sizeof out);
    digest(sums, sizeof sums);
    keep(wide);
    return finish();
}
