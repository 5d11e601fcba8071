/* Elements of an array of records that the loop hands to functions by their address, and that are put into
 * it. */
#include <math.h>
#include "loops.h"

enum { POINTS = 24, SIDE = 40, WINDOW = 3, TEMPLATE = 5, FRAMES = 4 };
struct point {
    int row, column;
    float template[TEMPLATE * TEMPLATE], mean;
    float *seen;
    int track[FRAMES][2];
};
static float frame[SIDE * SIDE];
static struct point *points;
static double total;

static float correlate(const struct point *p, int row, int column)
{
    float sum = 0, cross = 0;
    for (int r = 0; r < TEMPLATE; r++)
        for (int c = 0; c < TEMPLATE; c++) {
            float v = frame[(row + r - TEMPLATE / 2) * SIDE + column + c - TEMPLATE / 2];
            sum += v;
            cross += v * p->template[r * TEMPLATE + c];
        }
    return (cross - sum * p->mean) / (sqrtf(sum * sum) + 1);
}
static void follow(struct point *p, int f)
{
    int best_row = 0, best_column = 0;
    float best = -2;
    for (int dr = -WINDOW; dr <= WINDOW; dr++)
        for (int dc = -WINDOW; dc <= WINDOW; dc++) {
            float v = correlate(p, p->row + dr, p->column + dc);
            p->seen[(dr + WINDOW) * (2 * WINDOW + 1) + dc + WINDOW] = v;
            if (v > best) {
                best = v;
                best_row = dr;
                best_column = dc;
            }
        }
    p->row += best_row / 2;
    p->column += best_column / 2;
    if (p->row < 6)
        p->row = 6;
    if (p->row > SIDE - 7)
        p->row = SIDE - 7;
    if (p->column < 6)
        p->column = 6;
    if (p->column > SIDE - 7)
        p->column = SIDE - 7;
    p->track[f][0] = p->row;
    p->track[f][1] = p->column;
}
static __attribute__((noinline)) void track(int n, int f)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        follow(&points[i], f);
}

/* What each hands to the next, which a compiler may keep in a register. */
struct cell {
    double x, y;
    int n;
};
static struct cell cells[POINTS + 2];

static void pass(struct cell *p)
{
    p[1].x = p->x * 0.5 + p->y;
}
static __attribute__((noinline)) void passed(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        pass(&cells[i]);
}
static void move(struct cell *to, const struct cell *from)
{
    to->x = from->x * 0.5 + to->y;
}
static __attribute__((noinline)) void moved(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        move(&cells[i + 1], &cells[i]);
}
static void put(struct cell *p, int n)
{
    p->n = n;
}
static int get(struct cell *p)
{
    p->y += p->n;
    return p->n * 3 / 2 + 1;
}
static __attribute__((noinline)) void by_two_names(int n)
{
    struct cell *next = cells + 1;
    for (int i = 0; i < n; i++) /* loop: no */
        put(&next[i], get(&cells[i]));
}
static __attribute__((noinline)) void beside(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        cells[i + 1].n = get(&cells[i]);
    }
}
/* n goes up by one with each iteration, in a register: of its line only y is loaded */
static struct tick {
    int n, y, more[6];
} ticks[POINTS + 1];
static int count(struct tick *p)
{
    return p->y += p->n, p->n + 1;
}
static __attribute__((noinline)) void counted(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ticks[i + 1].n = count(&ticks[i]);
}

int main(void)
{
    points = calloc(POINTS, sizeof *points);
    for (int i = 0; i < SIDE * SIDE; i++)
        frame[i] = (float)(i * 7 % 31);
    for (int i = 0; i < POINTS; i++) {
        points[i].row = 8 + i % 20;
        points[i].column = 8 + i * 3 % 20;
        points[i].seen = calloc((2 * WINDOW + 1) * (2 * WINDOW + 1), sizeof(float));
        for (int k = 0; k < TEMPLATE * TEMPLATE; k++)
            points[i].template[k] = (float)((i + k) % 9);
        points[i].mean = 4;
        cells[i] = (struct cell){i, 1, i % 3};
    }
    for (int f = 0; f < FRAMES; f++)
        track(POINTS, f);
    for (int i = 0; i < POINTS; i++)
        total += points[i].track[FRAMES - 1][0] + points[i].mean;
    keep(total);
    passed(POINTS);
    moved(POINTS);
    by_two_names(POINTS);
    beside(POINTS);
    counted(POINTS);
    digest(ticks, sizeof ticks);
    digest(cells, sizeof cells);
    return finish();
}
