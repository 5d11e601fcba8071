/* Bodies that pull at each other; the steps need their order.      nbody [BODIES [STEPS]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4096
struct body {
    double x, y, vx, vy, m;
};
static struct body b[MOST];

static void forces(int n, double dt)
{
    int i, j;
    double fx, fy;
    for (i = 0; i < n; i++) {
        fx = fy = 0;
        for (j = 0; j < n; j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, d = dx * dx + dy * dy + 0.01;
            double f = b[j].m / (d * sqrt(d));
            fx += f * dx;
            fy += f * dy;
        }
        b[i].vx += dt * fx;
        b[i].vy += dt * fy;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400, steps = argc > 2 ? atoi(argv[2]) : 4, t, i;
    double energy = 0;
    if (n < 1 || n > MOST)
        return 2;
    for (i = 0; i < n; i++) {
        b[i].x = i * 37 % 101;
        b[i].y = i * 53 % 97;
        b[i].m = 1 + i % 3;
    }
    for (t = 0; t < steps; t++) {
        forces(n, 0.01);
        for (i = 0; i < n; i++) {
            b[i].x += 0.01 * b[i].vx;
            b[i].y += 0.01 * b[i].vy;
        }
    }
    for (i = 0; i < n; i++)
        energy += b[i].m * (b[i].vx * b[i].vx + b[i].vy * b[i].vy);
    printf("%.9e\n", energy);
    return 0;
}
