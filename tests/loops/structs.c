/* Fields that lie beside each other and fields that do not, structs that are an iteration's own, arrays that
 * a function fills, pointers that are set in the loop; and what only looks like these. Labels as in
 * dependent.c and independent.c. */
#include "loops.h"

#include <math.h>
#include <string.h>

#define ALONE __attribute__((noinline))

enum { MANY = 300, WIDE = 16 };

static struct particle {
    double x, v, f;
    int hits;
} particles[MANY];

ALONE static void neighbours(int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: parallel */
        particles[i].f = particles[i + 1].x - 2 * particles[i].x + particles[i - 1].x;
}

ALONE static void same_field(int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: no */
        particles[i].x = particles[i + 1].x - 2 * particles[i].f + particles[i - 1].x;
}

static union over {
    double whole;
    struct {
        float low, high;
    } half;
    double again;
} overs[MANY];

ALONE static void one_over_another(int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: no */
        overs[i].again = overs[i + 1].whole - 2 * overs[i].whole + overs[i - 1].whole;
}

static struct hidden {
    int first;
    union {
        double a;
        double b;
    };
    double last;
} hidden[MANY];

ALONE static void without_a_name(int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: no */
        hidden[i].b = hidden[i + 1].a - 2 * hidden[i].a + hidden[i - 1].a;
}

ALONE static void behind_it(int n)
{
    for (int i = 1; i < n - 1; i++) /* loop: parallel */
        hidden[i].last = hidden[i + 1].first - 2.0 * hidden[i].first + hidden[i - 1].first;
}

struct offset {
    double x, y, z;
};

ALONE static void own_struct(int n, double *to)
{
    struct offset d;
    for (int i = 0; i < n; i++) { /* loop: private */
        d.x = particles[i].x - 1;
        d.y = particles[i].v + 2;
        d.z = d.x * d.y;
        to[i] = sqrt(d.x * d.x + d.y * d.y) + d.z;
    }
}

ALONE static void struct_kept(int n, double *to)
{
    struct offset d = {0, 0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        d.x = particles[i].x - 1;
        to[i] = d.x * d.y;
        d.y = d.x + 3;
    }
}

ALONE static double struct_of_last(int n, double *to)
{
    struct offset d = {0, 0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        if (to[i] > 3)
            d.x = particles[i].x;
        to[i] = d.x + i;
    }
    return d.x;
}

ALONE static void assigned_whole(int n, const struct offset *from, struct offset *to)
{
    struct offset d, e;
    for (int i = 0; i < n; i++) { /* loop: private */
        d = from[i];
        e = from[n - 1 - i];
        to[i].x = d.x + e.y;
        to[i].y = d.y * e.z;
        to[i].z = d.z - e.x;
    }
}

ALONE static void assigned_late(int n, const struct offset *from, struct offset *to)
{
    struct offset d = {1, 2, 3};
    for (int i = 0; i < n; i++) { /* loop: no */
        to[i].x = d.x + 1;
        d = from[i];
        to[i].y = d.y * 2;
    }
}

ALONE static void set_all(double *v, int from, int by)
{
    for (int k = from; k < WIDE; k++) /* loop: parallel */
        v[k] = by * 0.5 + k;
}

ALONE static void filled_by_call(int n, double *to)
{
    double v[WIDE];
    for (int i = 0; i < n; i++) { /* loop: private */
        set_all(v, 0, i);
        to[i] = v[3] * v[WIDE - 1] + v[i % WIDE];
    }
}

ALONE static void filled_in_part(int n, double *to)
{
    double v[WIDE] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        to[i] = v[i % WIDE] + v[2];
        set_all(v, i % 3, i);
    }
}

ALONE static void pointer_of_its_own(int n, double *flat)
{
    const double *row;
    double *out;
    for (int i = 0; i < n; i++) { /* loop: private */
        row = &flat[i * WIDE];
        out = &flat[i * WIDE + WIDE / 2];
        out[0] = row[1] + row[2];
        out[1] = row[3] * 2;
    }
}

/* What a function gives back by way of memory lies in the caller's frame, where another block has its array.
 */
struct sample {
    double x, y, z, w;
};
ALONE static struct sample sampled(int i)
{
    return (struct sample){i, i % 3, i % 5, 1};
}
ALONE static void sampled_over(struct sample *s, int i)
{
    s->x = s->x * 0.5 + i, s->y = i;
}
static inline void sample_all(int n, double *to)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct sample s = sampled(i);
        to[i] = s.x + s.y * s.z;
    }
}
ALONE static double frame_shared(int n, double *to)
{
    double sum = 0;
    sample_all(n, to);
    if (n > 1) {
        char text[WIDE];
        for (int i = 0; i < n; i++) { /* loop: reduction */
            memset(text, i & 7, sizeof text);
            sum += text[i % WIDE];
        }
    }
    if (n > 2) {
        struct sample kept = {0};
        for (int i = 0; i < n; i++) /* loop: no */
            sampled_over(&kept, i);
        sum += kept.x + kept.y;
    }
    return sum;
}

/* How wide it is, and where it is, lie in one struct. */
struct board {
    int wide, high;
    unsigned char *now, *next;
};

ALONE static void next_board(struct board *b)
{
    for (int y = 1; y < b->high - 1; y++) /* loop: parallel */
        for (int x = 1; x < b->wide - 1; x++)
            b->next[y * b->wide + x] = b->now[(y - 1) * b->wide + x] ^ b->now[(y + 1) * b->wide + x - 1];
}

/* Only a look at what is there tells where to write. */
ALONE static void next_free(struct board *b)
{
    for (int y = 0; y < b->high; y++) { /* loop: no */
        int x = y * 5 % b->wide;
        while (b->next[x])
            x++;
        b->next[x] = (unsigned char)(y + 1);
    }
}

/* The bound of a loop inside is what it writes. */
ALONE static void grown(struct board *b)
{
    for (int y = 0; y < b->high; y++) { /* loop: no */
        int x = 0;
        while (x < b->wide)
            x += 3;
        b->now[x] = (unsigned char)y;
        b->wide = x + y % 2;
    }
}

/* Elements by sums of pointers: another member says how they are made, and no iteration writes that. */
static struct plan {
    int turns, backward;
    struct offset at[MANY];
} plan;
ALONE static void planned(struct plan *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double angle = .1 * i;
        if (p->backward)
            angle = -angle;
        (p->at + i)->x = cos(angle);
        (*(p->at + i)).y = sin(angle);
    }
}
ALONE static void planned_on(struct plan *p, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        if (p->backward)
            (p->at + i)->x = 2;
        (p->at + i)->y += (p->at + i - 1)->y / 2;
    }
}

static unsigned char cells[2][4 * MANY];
static double flat[MANY * WIDE], one[MANY];
static struct offset from[MANY], to[MANY];

int main(int argc, char **argv)
{
    int n = MANY - argc + 1;
    (void)argv;
    for (int i = 0; i < MANY; i++) {
        particles[i].x = i % 7, particles[i].v = i % 5, overs[i].whole = i % 3, hidden[i].a = i % 11,
        hidden[i].first = i % 6;
        from[i] = (struct offset){i % 3, i % 4, i % 5}, one[i] = i % 9;
    }
    for (int i = 0; i < MANY * WIDE; i++)
        flat[i] = i % 13;
    neighbours(n), same_field(n), one_over_another(n), without_a_name(n), behind_it(n);
    digest(particles, sizeof particles), digest(overs, sizeof overs), digest(hidden, sizeof hidden);
    own_struct(n, one), digest(one, sizeof one), struct_kept(n, one), digest(one, sizeof one);
    keep(struct_of_last(n, one)), assigned_whole(n, from, to), digest(to, sizeof to);
    assigned_late(n, from, to), digest(to, sizeof to);
    filled_by_call(n, one), digest(one, sizeof one), filled_in_part(n, one), digest(one, sizeof one);
    pointer_of_its_own(n, flat), digest(flat, sizeof flat);
    keep(frame_shared(n, one)), digest(one, sizeof one);
    struct board board = {30, 30 - argc + 1, cells[0], cells[1]};
    for (int i = 0; i < 900; i++)
        cells[0][i] = (unsigned char)(i % 9);
    next_board(&board), digest(cells, sizeof cells), memset(cells[1], 0, sizeof cells[1]);
    next_free(&board), digest(cells, sizeof cells), grown(&board), digest(cells, sizeof cells);
    planned(&plan, n), digest(&plan, sizeof plan), planned_on(&plan, n), digest(&plan, sizeof plan);
    return finish();
}
