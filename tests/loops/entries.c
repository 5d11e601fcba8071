/* Bodies that begin with choices: compilers make these in front of the loop too, for the first iteration, and
 * jump to where each way begins. Which iteration it is has to be known nevertheless. */
#include "loops.h"

enum { SIDE = 40 };
static float now[SIDE * SIDE], next[SIDE * SIDE], power[SIDE * SIDE];
static int heads[N], tails[N], kinds[N];

static void sweep(float *result, const float *temp, int rows, int cols, float a, float b)
{
    int r, c;
    for (r = 0; r < rows; r++) {     /* loop: private */
        for (c = 0; c < cols; c++) { /* loop: parallel */
            float here = temp[r * cols + c];
            float up = r > 0 ? temp[(r - 1) * cols + c] : here,
                  down = r < rows - 1 ? temp[(r + 1) * cols + c] : here;
            float left = c > 0 ? temp[r * cols + c - 1] : here,
                  right = c < cols - 1 ? temp[r * cols + c + 1] : here;
            result[r * cols + c] =
                here + a * (power[r * cols + c] + (up + down - 2 * here) * b + (left + right - 2 * here));
        }
    }
}
KERNEL(stencil)
{
    float *r = next, *t = now, rows = side(n);
    for (int i = 0; i < n / 100; i++) { /* loop: no */
        sweep(r, t, rows, rows, 0.1f / rows, 1 / rows);
        float *other = t;
        t = r;
        r = other;
    }
}
static void sweep_in_place(float *temp, int rows, int cols, float a, float b)
{
    int r, c;
    for (r = 0; r < rows; r++) {     /* loop: no */
        for (c = 0; c < cols; c++) { /* loop: no */
            float here = temp[r * cols + c];
            float up = r > 0 ? temp[(r - 1) * cols + c] : here,
                  down = r < rows - 1 ? temp[(r + 1) * cols + c] : here;
            float left = c > 0 ? temp[r * cols + c - 1] : here,
                  right = c < cols - 1 ? temp[r * cols + c + 1] : here;
            temp[r * cols + c] =
                here + a * (power[r * cols + c] + (up + down - 2 * here) * b + (left + right - 2 * here));
        }
    }
}
KERNEL(gauss_seidel)
{
    float rows = side(n);
    for (int i = 0; i < n / 100; i++) /* loop: no */
        sweep_in_place(now, rows, rows, 0.1f / rows, 1 / rows);
}
KERNEL(in_place)
{
    int rows = side(n), cols = rows, r, c;
    for (r = 0; r < rows; r++)       /* loop: no */
        for (c = 0; c < cols; c++) { /* loop: no */
            float here = now[r * cols + c];
            float up = r > 0 ? now[(r - 1) * cols + c] : here,
                  down = r < rows - 1 ? now[(r + 1) * cols + c] : here;
            float left = c > 0 ? now[r * cols + c - 1] : here,
                  right = c < cols - 1 ? now[r * cols + c + 1] : here;
            now[r * cols + c] = here + 0.1f * (power[r * cols + c] + up + down + left + right - 4 * here);
        }
}
/* the row above alone */
KERNEL(above)
{
    int rows = side(n), cols = rows, r, c;
    for (r = 0; r < rows; r++)       /* loop: no */
        for (c = 0; c < cols; c++) { /* loop: parallel */
            float here = power[r * cols + c];
            float up = r > 0 ? now[(r - 1) * cols + c] : here,
                  other = r < rows - 1 ? next[(r + 1) * cols + c] : here;
            float left = c > 0 ? next[r * cols + c - 1] : here,
                  right = c < cols - 1 ? next[r * cols + c + 1] : here;
            now[r * cols + c] = here + 0.1f * (up + other + left + right);
        }
}
/* what an iteration finds decides on which way the next one begins */
KERNEL(ways)
{
    int kind = kinds[0];
    for (int i = 0; i < n - 1; i++) { /* loop: no */
        if (kind == 1)
            heads[i] = tails[i] + 3;
        else if (kind == 2)
            heads[i] = heads[i] * 5 + 1;
        else
            tails[i] = heads[i] - 2;
        kind = kinds[i + 1];
        kinds[i + 1] = tails[i] & 3;
    }
}
KERNEL(of_each)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int kind = kinds[i];
        if (kind == 1)
            heads[i] = tails[i] + 3;
        else if (kind == 2)
            heads[i] = heads[i] * 5 + 1;
        else
            tails[i] = heads[i] - 2;
    }
}
KERNEL(from_before)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        int kind = kinds[i];
        if (kind == 1)
            heads[i] = tails[i - 1] + 3;
        else if (kind == 2)
            heads[i] = heads[i - 1] * 5 + 1;
        else
            tails[i] = heads[i - 1] - 2;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < N; i++)
        heads[i] = i * 7, tails[i] = i ^ 5, kinds[i] = i * 11 % 4;
    for (int i = 0; i < SIDE * SIDE; i++)
        now[i] = i % 17, power[i] = i % 5;
    stencil(n);
    gauss_seidel(n);
    in_place(n);
    above(n);
    ways(n);
    of_each(n);
    from_before(n);
    digest(now, sizeof now), digest(next, sizeof next), digest(heads, sizeof heads),
        digest(tails, sizeof tails);
    return finish();
}
