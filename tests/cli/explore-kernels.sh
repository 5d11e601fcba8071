#!/bin/sh
# Sequential versions of kernels as benchmark suites have them: what a clause has to name is found where the compiler hides it.
. "$(dirname "$0")/lib.sh"

has() { # has TEXT PART WHAT
    case $1 in *"$2"*) ok 0 "$3" ;; *) ok 1 "$3: $1" ;; esac
}

# part FILE LINE KEY: of the directive of that line in the best plan
part() { jq -r --argjson line "$2" '.plans[0].directives[] | select(.line == $line) | .pragma' "$1.json"; }
plan() {
    file=$1
    shift
    "$CORECAST" explore -q --platform cortex-a53-quad --contention off --cores 4 --json --patch "$file.diff" "$@" 2>"$WORK/err" >"$file.json"
}

# a table of the function's own that keeps its values, symmetric stores far apart, a marked region
cat >table.c <<'C'
#include <stdio.h>
#define N 60
static double data[N][N], out[N][N];
static void correlate(int n)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            data[i][j] = (double)((i * 7 + j * 3) % 11) - 5;
    for (i = 0; i < n - 1; i++) {
        out[i][i] = 1;
        for (j = i + 1; j < n; j++) {
            out[i][j] = 0;
            for (k = 0; k < n; k++)
                out[i][j] += data[k][i] * data[k][j];
            out[j][i] = out[i][j];
        }
    }
#pragma endscop
}
static double smooth(int n)
{
    static double line[N];
    double total = 0;
    int i, j;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            line[j] = out[i][j] * data[j][i];
        for (j = 1; j < n - 1; j++)
            out[i][j] = line[j - 1] + line[j] + line[j + 1];
    }
    for (i = 0; i < n; i++)
        total += out[i][n - 1 - i];
    return total;
}
int main(void)
{
    correlate(N);
    printf("%.6f\n", smooth(N));
    return 0;
}
C
gcc -O2 -g -o table table.c || exit 99
plan table -- ./table
has "$(part table 8)" "parallel for" "behind #pragma scop"
has "$(part table 11)" "private(" "stores far from each other, in a run that is followed as a whole"
has "$(part table 27)" "(line)" "a static variable of the function has its own name in a clause"

# two functions put into their caller keep their scratch in one place of its frame; the run-time's rest never ran
cat >grid.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define M 40
static double u[M][M][M], r[M][M][M];
static void smooth(int n)
{
    double r1[M], r2[M];
    int i, j, k;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            for (k = 0; k < n; k++) {
                r1[k] = r[i][j - 1][k] + r[i][j + 1][k];
                r2[k] = r[i - 1][j][k] + r[i + 1][j][k];
            }
            for (k = 1; k < n - 1; k++)
                u[i][j][k] += r1[k] - 0.5 * (r2[k] + r1[k - 1] + r1[k + 1]);
        }
}
static void rest(int n)
{
    double u1[M], u2[M];
    int i, j, k;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            for (k = 0; k < n; k++) {
                u1[k] = u[i][j - 1][k] + u[i][j + 1][k];
                u2[k] = u[i - 1][j][k] + u[i + 1][j][k];
            }
            for (k = 1; k < n - 1; k++)
                r[i][j][k] = 0.25 * (u2[k] + u1[k - 1] + u1[k + 1]);
        }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30;
    for (int i = 0; i < n; i++)
        u[i][i][n - 1 - i] = i;
    for (int t = 0; t < 2; t++) {
        rest(n);
        smooth(n);
    }
    printf("%.9f\n", u[n / 2][n / 2][n / 3] + r[n / 3][n / 2][n / 2]);
    return 0;
}
C
gcc -O2 -g -o grid grid.c || exit 99
plan grid -- ./grid
has "$(part grid 23)" "u1" "scratch arrays of functions that were put into one frame"
has "$(part grid 9)" "r1" "scratch arrays of functions that were put into one frame, the other"

# a global work array that a function of another file gets, which does not know it by name
cat >draw.c <<'C'
double step(double *seed);
double step(double *seed)
{
    *seed = *seed * 16807 - 2147483647.0 * (long)(*seed * 16807 / 2147483647.0);
    return *seed / 2147483647.0;
}
void fill(int n, double seed, double *y);
void fill(int n, double seed, double *y)
{
    double x = seed;
    for (int i = 0; i < n; i++)
        y[i] = step(&x);
}
C
cat >blocks.c <<'C'
#include <math.h>
#include <stdio.h>
void fill(int n, double seed, double *y);
static double x[512];
static long q[11];
int main(void)
{
    double t1, t2;
    int i, k, l;
    for (k = 1; k <= 64; k++) {
        fill(512, k * 271 + 1, x);
        for (i = 0; i < 256; i++) {
            t1 = 2 * x[2 * i] - 1;
            t2 = 2 * x[2 * i + 1] - 1;
            if (t1 * t1 + t2 * t2 <= 1) {
                l = (int)(10 * fabs(t1));
                q[l]++;
            }
        }
    }
    printf("counts");
    for (i = 0; i < 10; i++)
        printf(" %ld", q[i]);
    printf("\n");
    return 0;
}
C
gcc -O2 -g -o blocks blocks.c draw.c -lm || exit 99
plan blocks -- ./blocks
has "$(part blocks 10)" "private(x" "a work array that a function of another file gets"
has "$(part blocks 10)" "reduction(+:q)" "with the counts beside it"

# sums by way of pointers to pointers are atomic, whatever code behind the loop never ran
cat >means.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int nearest(const float *at, float **to, int n, int d)
{
    int best = 0;
    float least = 1e30f;
    for (int k = 0; k < n; k++) {
        float s = 0;
        for (int j = 0; j < d; j++)
            s += (at[j] - to[k][j]) * (at[j] - to[k][j]);
        if (s < least) {
            least = s;
            best = k;
        }
    }
    return best;
}
static float **rows(int n, int d)
{
    float **p = malloc(n * sizeof *p);
    p[0] = calloc(n * d, sizeof **p);
    for (int i = 1; i < n; i++)
        p[i] = p[i - 1] + d;
    return p;
}
static float **cluster(float **points, int n, int d, int k)
{
    float **centers = rows(k, d), **sums = rows(k, d);
    int *counts = calloc(k, sizeof *counts), i, j, index;
    for (i = 0; i < k; i++)
        for (j = 0; j < d; j++)
            centers[i][j] = points[i * 3][j];
    for (int round = 0; round < 3; round++) {
        for (i = 0; i < n; i++) {
            index = nearest(points[i], centers, k, d);
            counts[index]++;
            for (j = 0; j < d; j++)
                sums[index][j] += points[i][j];
        }
        for (i = 0; i < k; i++) {
            for (j = 0; j < d; j++) {
                if (counts[i] > 0)
                    centers[i][j] = sums[i][j] / counts[i];
                sums[i][j] = 0;
            }
            counts[i] = 0;
        }
    }
    free(sums[0]);
    free(sums);
    free(counts);
    return centers;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 600, d = 12, k = 6;
    float **points = rows(n, d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            points[i][j] = (float)((i * 37 + j * 101 + i * j) % 64);
    float **centers = cluster(points, n, d, k);
    for (int i = 0; i < k; i++)
        printf("%.3f\n", centers[i][i]);
    return 0;
}
C
gcc -O2 -g -o means means.c || exit 99
plan means -- ./means
is "$(grep -c ordered means.diff)" 0 "sums behind pointers to pointers need no order"
is "$(grep -c '^+.*omp atomic' means.diff)" 2 "both updates are atomic"

for name in table grid blocks means; do
    patch -s -p1 <"$name.diff" || ok 1 "$name: the patch applies"
    case $name in blocks) more=draw.c ;; *) more= ;; esac
    "./$name" >"$name.want"
    for cc in gcc clang; do
        $cc -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -fopenmp -o "$name-$cc" "$name.c" $more -lm 2>"$WORK/err" || ok 1 "$name: $cc: $(head -1 "$WORK/err")"
        same=$(OMP_NUM_THREADS=3 "./$name-$cc" | diff - "$name.want" >/dev/null && echo yes)
        is "$same" yes "$name: as before, by $cc on three threads"
    done
done
# forces that elements add to their nodes, in arrays which are members and come from one function
cat >nodes.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct mesh {
    int n, *ends;
    double *x, *y, *fx, *fy;
} mesh;
static double *numbers(int n)
{
    double *p = calloc(n, sizeof *p);
    if (!p)
        exit(1);
    return p;
}
__attribute__((noinline)) static void forces(int n)
{
    for (int k = 0; k < n; k++) {
        int a = mesh.ends[2 * k], b = mesh.ends[2 * k + 1];
        double fx = 0, fy = 0;
        for (int t = 1; t < 40; t++) {
            fx += (mesh.x[a] - mesh.x[b]) / t;
            fy += (mesh.y[a] - mesh.y[b]) / t;
        }
        mesh.fx[a] += fx;
        mesh.fx[b] -= fx;
        mesh.fy[a] += fy;
        mesh.fy[b] -= fy;
    }
}
int main(void)
{
    int n = 3000;
    mesh.n = n;
    mesh.x = numbers(n), mesh.y = numbers(n), mesh.fx = numbers(n), mesh.fy = numbers(n);
    mesh.ends = malloc(2 * n * sizeof *mesh.ends);
    for (int i = 0; i < n; i++) {
        mesh.x[i] = i % 17;
        mesh.y[i] = i % 13;
        mesh.ends[2 * i] = i * 7 % n;
        mesh.ends[2 * i + 1] = i * 11 % n;
    }
    for (int s = 0; s < 3; s++)
        forces(n);
    printf("%.6f %.6f\n", mesh.fx[10], mesh.fy[n - 1]);
    return 0;
}
C
for built in gcc clang; do
    command -v $built >/dev/null || continue
    $built -O2 -g nodes.c -o nodes || exit 99
    plan nodes --keep nodes.cast -- ./nodes
    has "$(part nodes 16)" "#pragma omp parallel for" "$built: sums in arrays that are members"
    is "$(grep -c '^+ *#pragma omp atomic' nodes.diff)" 4 "  each update is atomic"
    is "$("$CORECAST" report nodes.cast --view loops --json | jq '.loops[] | select(.line == 16) | .pragma')" null "  and no clause names the struct"
done
# a ray tracer: a function that keeps the low halves of registers, sometimes, around a loop that looks at whole ones
cat >ray.c <<'C'
/* ray tracer with mirrors: recursion, vectors by value */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { double x, y, z; } vec;
typedef struct { vec at; double r, mirror; vec colour; } ball;
static ball scene[16];
static int nballs;
static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec mul(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec unit(vec a) { return mul(a, 1 / sqrt(dot(a, a))); }
static int hit(vec from, vec dir, double *ret)
{
    int best = -1;
    double nearest = 1e30;
    for (int i = 0; i < nballs; i++) {
        vec d = add(scene[i].at, mul(from, -1));
        double b = dot(d, dir), disc = b * b - dot(d, d) + scene[i].r * scene[i].r;
        if (disc < 0)
            continue;
        double t = b - sqrt(disc);
        if (t > 1e-6 && t < nearest) {
            nearest = t;
            best = i;
        }
    }
    *ret = nearest;
    return best;
}
static vec trace(vec from, vec dir, int depth)
{
    double t;
    int i = hit(from, dir, &t);
    if (i < 0)
        return (vec){0.2 + 0.3 * dir.y, 0.3, 0.5};
    vec at = add(from, mul(dir, t)), n = unit(add(at, mul(scene[i].at, -1)));
    vec light = unit((vec){1, 2, -1});
    double shade = dot(n, light), s;
    if (shade < 0 || hit(at, light, &s) >= 0)
        shade = 0;
    vec c = mul(scene[i].colour, 0.2 + 0.8 * shade);
    if (depth > 0 && scene[i].mirror > 0) {
        vec back = add(dir, mul(n, -2 * dot(n, dir)));
        c = add(mul(c, 1 - scene[i].mirror), mul(trace(at, unit(back), depth - 1), scene[i].mirror));
    }
    return c;
}
int main(int argc, char **argv)
{
    int w = argc > 1 ? atoi(argv[1]) : 64, h = w * 3 / 4;
    unsigned char *image = malloc((size_t)w * h * 3);
    unsigned sum = 0;
    nballs = 9;
    for (int i = 0; i < nballs; i++)
        scene[i] = (ball){{i % 3 - 1.0, i / 3 - 1.0, 4 + 0.3 * i}, 0.45, 0.1 * (i % 4), {0.1 * i, 1 - 0.1 * i, 0.5}};
    for (int y = 0; y < h; y++) /* HAND: dynamic */
        for (int x = 0; x < w; x++) {
            vec dir = unit((vec){(x - w / 2.0) / w, (h / 2.0 - y) / w, 1});
            vec c = trace((vec){0, 0, 0}, dir, 3);
            unsigned char *p = image + 3 * (y * w + x);
            p[0] = (unsigned char)(255 * fmin(c.x, 1));
            p[1] = (unsigned char)(255 * fmin(c.y, 1));
            p[2] = (unsigned char)(255 * fmin(c.z, 1));
        }
    for (int i = 0; i < 3 * w * h; i++) /* HAND */
        sum += image[i];
    printf("%u\n", sum);
    return 0;
}
C
if [ "$(uname -m)" = aarch64 ]; then # elsewhere no register is kept by halves
    gcc -O2 -g ray.c -o ray -lm || exit 99
    plan ray -- ./ray
    line=$(sed -n '/for (int y = 0/=' ray.c)
    has "$(part ray "$line")" "#pragma omp parallel for" "ray: rows, although registers are kept by halves"
fi
done_testing
