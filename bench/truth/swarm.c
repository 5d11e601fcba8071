/* Forces from a tree of cells: every body walks it from the top, down where a cell is near; the tree was
 * built by one thread. */
#include "truth.h"
enum { BODIES = SIZE(420, 20000), CELLS = 4 * BODIES };
struct cell {
    float x, y, mass, size;
    int child[4], body;
};
static struct cell tree[CELLS];
static int cells;
static float bx[BODIES], by[BODIES], fx[BODIES], fy[BODIES];
static int cell(float x, float y, float size)
{
    tree[cells] = (struct cell){x, y, 0, size, {-1, -1, -1, -1}, -1};
    return cells++;
}
static void add(int body)
{
    int at = 0;
    float x = 0.5f, y = 0.5f, half = 0.25f;
    while (cells < CELLS - 2 && half > 1e-5f) {
        struct cell *c = &tree[at];
        c->mass += 1;
        c->x += (bx[body] - c->x) / c->mass;
        c->y += (by[body] - c->y) / c->mass;
        int q = (bx[body] > x) + 2 * (by[body] > y);
        x += bx[body] > x ? half : -half;
        y += by[body] > y ? half : -half;
        half *= 0.5f;
        if (c->child[q] < 0) {
            int n = cell(bx[body], by[body], 4 * half);
            tree[n].mass = 1;
            tree[n].body = body;
            tree[at].child[q] = n;
            return;
        }
        at = c->child[q];
    }
}
static void walk(int at, int body)
{
    const struct cell *c = &tree[at];
    float dx = c->x - bx[body], dy = c->y - by[body], d = dx * dx + dy * dy + 1e-4f;
    int leaf = c->child[0] < 0 && c->child[1] < 0 && c->child[2] < 0 && c->child[3] < 0;
    if (leaf || c->size * c->size < 0.4f * d) {
        float f = c->mass / d;
        fx[body] += f * dx;
        fy[body] += f * dy;
        return;
    }
    for (int q = 0; q < 4; q++)
        if (c->child[q] >= 0)
            walk(c->child[q], body);
}
int main(void)
{
    CC_RECORD_OFF();
    unsigned x = 9;
    for (int i = 0; i < BODIES; i++) {
        x = x * 1664525 + 1013904223;
        bx[i] = (float)(x >> 16) / 65536;
        x = x * 1664525 + 1013904223;
        by[i] = (float)(x >> 16) / 65536;
        if (i % 3)
            bx[i] *= bx[i] * bx[i];
    }
    KERNEL_BEGIN();
    cell(0.5f, 0.5f, 1);
    for (int i = 0; i < BODIES; i++)
        add(i);
    BEGIN("swarm.all");
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < BODIES; i++) {
        BEGIN("swarm.body");
        walk(0, i);
        END("swarm.body");
    }
    END("swarm.all");
    KERNEL_END(fx[7] + fy[9]);
}
