/* A viewer of small landscapes: each frame decodes the ones that came into view, prepares what is seen of
 * them and renders it. Decoded landscapes are kept, so the first frame does most of the decoding. Our own
 * code and formats; the scene is made up.
 *
 * usage: decoder [FRAMES] */
#include <corecast/mark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 64,   /* points on a side of a landscape */
    COUNT = 24,  /* landscapes, in a circle around the viewer */
    LEVELS = 4,  /* of the transform */
    NEW = 14,    /* from this frame on the viewer also sees what is behind */
    WIDTH = 160, /* of the picture */
    HEIGHT = 120,
};

struct code { /* a landscape as stored: runs of zeros, each with the value after it */
    unsigned char *bytes;
    size_t n;
};

struct point { /* what is drawn of a landscape */
    short height, light;
};

static struct code codes[COUNT];
static int *coefficients;      /* of all landscapes: the decoder's own, large memory */
static short *decoded[COUNT];  /* heights; NULL: not decoded yet */
static int scale[LEVELS + 1];  /* of each level's values; made when first needed */
static short root[1 << 12];    /* square roots for the light; the same */
static struct point *prepared; /* of the landscapes that are seen, one after the other */
static unsigned char picture[HEIGHT][WIDTH];
static short horizon[WIDTH];

/* --- storing --- */

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

/* Coarse values are many, fine ones few: that is what makes such codes short. */
static void make_code(struct code *c, unsigned seed)
{
    size_t run = 0;
    c->bytes = malloc(2 * SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) {
        int y = i / SIZE, x = i % SIZE, fine = (x > y ? x : y) >= SIZE / 8;
        int value = fine ? (next_random(&seed) % 24 == 0) * (int)(next_random(&seed) % 7)
                         : (int)(next_random(&seed) % 64);
        if (!value && run < 255) {
            run++;
            continue;
        }
        c->bytes[c->n++] = (unsigned char)run;
        c->bytes[c->n++] = (unsigned char)value;
        run = 0;
    }
    c->bytes[c->n++] = (unsigned char)run;
    c->bytes[c->n++] = 0;
}

/* --- decoding --- */

static int level_of(int x, int y)
{
    int level = 0;
    for (int most = x > y ? x : y; most >= SIZE >> LEVELS; most >>= 1)
        level++;
    return level;
}

static void make_tables(void)
{
    for (int i = 0; i <= LEVELS; i++)
        scale[i] = 64 >> i;
    for (int i = 0, r = 0; i < 1 << 12; i++) {
        while ((r + 1) * (r + 1) <= i)
            r++;
        root[i] = (short)r;
    }
}

static void unpack(const struct code *c, int *to)
{
    int at = 0;
    for (size_t i = 0; i + 1 < c->n && at < SIZE * SIZE; i += 2) {
        for (int run = c->bytes[i]; run > 0 && at < SIZE * SIZE; run--)
            to[at++] = 0;
        if (at < SIZE * SIZE) {
            to[at] = c->bytes[i + 1] * scale[level_of(at % SIZE, at / SIZE)];
            at++;
        }
    }
}

/* One step of the inverse Haar transform along a line of n values, `stride` apart. */
static void widen(int *line, int n, int stride)
{
    int sums[SIZE];
    for (int i = 0; i < n / 2; i++) {
        int mean = line[i * stride], difference = line[(n / 2 + i) * stride];
        sums[2 * i] = mean + difference / 2;
        sums[2 * i + 1] = mean - difference / 2;
    }
    for (int i = 0; i < n; i++)
        line[i * stride] = sums[i];
}

static void decode(int which)
{
    int *c = coefficients + which * SIZE * SIZE;
    short *out = malloc(SIZE * SIZE * sizeof *out);
    unpack(&codes[which], c);
    for (int n = 2 * (SIZE >> LEVELS); n <= SIZE; n *= 2) {
        for (int x = 0; x < n; x++)
            widen(c + x, n, SIZE);
        for (int y = 0; y < n; y++)
            widen(c + y * SIZE, n, 1);
    }
    for (int i = 0; i < SIZE * SIZE; i++)
        out[i] = (short)(c[i] / 8);
    decoded[which] = out;
}

/* --- a frame --- */

/* Which landscapes are seen, and how coarsely: every step-th point. 0: not at all. */
static int look(int frame, unsigned char step[COUNT])
{
    int seen = 0;
    for (int i = 0; i < COUNT; i++) {
        int turn = (4 * i - frame / 6 + 4 * COUNT) % (4 * COUNT),
            side = turn < 2 * COUNT ? turn : 4 * COUNT - turn;
        int limit = frame >= NEW ? 36 : 32;
        step[i] = side > limit ? 0 : side > 24 ? 8 : side > 12 ? 4 : 2;
        seen += step[i] != 0;
    }
    return seen;
}

/* Height and light of each point that is drawn: the light needs its four neighbours. */
static size_t prepare(const short *h, int step, struct point *to)
{
    size_t n = 0;
    for (int y = 1; y < SIZE - 1; y += step) {
        for (int x = 1; x < SIZE - 1; x += step) {
            const short *p = h + y * SIZE + x;
            int dx = p[1] - p[-1], dy = p[SIZE] - p[-SIZE], steep = dx * dx + dy * dy;
            to[n++] = (struct point){p[0], (short)(255 - root[steep >> 2 < 4095 ? steep >> 2 : 4095] * 2)};
        }
    }
    return n;
}

static void render(const struct point *points, size_t n, int which)
{
    for (size_t i = 0; i < n; i++) {
        int x = (int)(i * 7 + (size_t)which * 31) % WIDTH, top = points[i].height / 4 + 20;
        if (top > HEIGHT - 1)
            top = HEIGHT - 1;
        if (top > horizon[x]) {
            picture[top][x] = (unsigned char)points[i].light;
            horizon[x] = (short)top;
        }
    }
}

static void draw_frame(int frame)
{
    unsigned char step[COUNT];
    size_t counts[COUNT] = {0}, used = 0;
    CC_REGION_BEGIN("look");
    look(frame, step);
    CC_REGION_END("look");
    CC_REGION_BEGIN("decode");
    if (!scale[0])
        make_tables();
    for (int i = 0; i < COUNT; i++)
        if (step[i] && !decoded[i])
            decode(i);
    CC_REGION_END("decode");
    CC_REGION_BEGIN("prepare");
    for (int i = 0; i < COUNT; i++)
        if (step[i])
            used += counts[i] = prepare(decoded[i], step[i], prepared + used);
    CC_REGION_END("prepare");
    CC_REGION_BEGIN("render");
    memset(horizon, 0, sizeof horizon);
    used = 0;
    for (int i = 0; i < COUNT; i++) {
        render(prepared + used, counts[i], i);
        used += counts[i];
    }
    CC_REGION_END("render");
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 18;
    size_t bytes = COUNT * SIZE * SIZE * sizeof *coefficients;
    unsigned long sum = 0;
    for (unsigned i = 0; i < COUNT; i++)
        make_code(&codes[i], i + 1);
    coefficients = malloc(bytes);
    CC_OBJECT(coefficients, bytes, "Haar coefficients");
    prepared = malloc(COUNT * SIZE * SIZE * sizeof *prepared);
    for (int f = 1; f <= frames; f++) {
        CC_FRAME();
        draw_frame(f);
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum = sum * 31 + picture[y][x];
    printf("%d frames, picture %08lx\n", frames, sum & 0xffffffff);
    return 0;
}
