/* Numbers that a compiler sets anew in some ways through the body, since calls or loops inside take their
 * registers: the same whenever an iteration begins. */
#include <math.h>
#include "loops.h"

enum { BOXES = 12, EACH = 8 };
struct body {
    double v, x, y, z;
};
struct box {
    int number, near;
    long first;
    int to[6];
};
static struct box boxes[BOXES];
static struct body places[BOXES * EACH], forces[BOXES * EACH];
static double charges[BOXES * EACH];
static int levels[N];

static __attribute__((noinline)) void between(const struct box *box, int n, const struct body *at,
                                              const double *charge, struct body *force)
{
    int i, j, k, other;
    const struct body *a, *b;
    struct body *f;
    for (int l = 0; l < n; l++) { /* loop: private */
        a = &at[box[l].first];
        f = &force[box[l].first];
        for (k = 0; k < 1 + box[l].near; k++) { /* loop: reduction */
            other = k ? box[l].to[k - 1] : l;
            b = &at[box[other].first];
            for (i = 0; i < EACH; i++)       /* loop: private */
                for (j = 0; j < EACH; j++) { /* loop: reduction */
                    double r = a[i].v + b[j].v - (a[i].x * b[j].x + a[i].y * b[j].y + a[i].z * b[j].z);
                    double u = exp(-0.5 * r), dx = a[i].x - b[j].x, dy = a[i].y - b[j].y,
                           dz = a[i].z - b[j].z;
                    f[i].v += charge[box[other].first + j] * u;
                    f[i].x += charge[box[other].first + j] * 2 * u * dx;
                    f[i].y += charge[box[other].first + j] * 2 * u * dy;
                    f[i].z += charge[box[other].first + j] * 2 * u * dz;
                }
        }
    }
}

/* A number that is set in some iterations, and looked at in others: it is another one before. */
KERNEL(seen_once)
{
    int mark = 3;
    for (int i = 0; i < n; i++) { /* loop: no */
        levels[i] += mark * (int)sqrt((double)i);
        if (levels[i] % 61 == 60)
            mark = 656;
    }
}

int main(void)
{
    for (int i = 0; i < BOXES * EACH; i++) {
        places[i] = (struct body){1 + i % 7 * 0.1, i % 5 * 0.1, i % 3 * 0.1, i % 11 * 0.1};
        charges[i] = 1 + i % 4;
    }
    for (int i = 0; i < BOXES; i++) {
        boxes[i] = (struct box){i, i % 3, i * EACH, {(i + 1) % BOXES, (i + 5) % BOXES}};
    }
    between(boxes, BOXES, places, charges, forces);
    seen_once(N);
    digest(forces, sizeof forces);
    digest(levels, sizeof levels);
    return finish();
}
