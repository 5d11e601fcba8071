/* States that an iteration leaves to the next one and compilers keep in registers: filters, codecs, series,
 * machines; and what only looks like one. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 360 };
typedef struct {
    float b0, b1, b2, a1, a2, z1, z2;
} biquad_t;
static inline float biquad(biquad_t *s, float x)
{
    float y = s->b0 * x + s->z1;
    s->z1 = s->b1 * x - s->a1 * y + s->z2;
    s->z2 = s->b2 * x - s->a2 * y;
    return y;
}
static inline float fir3(const float *h, const float *x)
{
    return h[0] * x[0] + h[1] * x[-1] + h[2] * x[-2];
}
typedef struct {
    float prev;
} delay_t;
static inline float delay1(delay_t *d, float x)
{
    float r = d->prev;
    d->prev = x;
    return r;
}
typedef struct {
    int ring[8], at, sum;
} mean_t;
static inline int mean8(mean_t *m, int x)
{
    m->sum += x - m->ring[m->at];
    m->ring[m->at] = x;
    m->at = (m->at + 1) & 7;
    return m->sum / 8;
}
typedef struct {
    bool on;
    int since;
} debounce_t;
static inline bool debounce(debounce_t *d, int x)
{
    if (x > 60)
        d->on = true;
    else if (x < 30)
        d->on = false;
    d->since = d->on ? d->since + 1 : 0;
    return d->on;
}
typedef struct {
    uint32_t s;
} lfsr_t;
static inline int lfsr(lfsr_t *l)
{
    unsigned b = (l->s ^ l->s >> 2 ^ l->s >> 3 ^ l->s >> 5) & 1;
    l->s = l->s >> 1 | b << 15;
    return (int)(l->s & 0xff);
}
typedef struct {
    double x, p, q, r;
} kalman_t;
static inline double kalman(kalman_t *k, double z)
{
    k->p += k->q;
    double g = k->p / (k->p + k->r);
    k->x += g * (z - k->x);
    k->p *= 1 - g;
    return k->x;
}
typedef struct {
    unsigned tick;
} clock_t_;
static inline unsigned stamp(clock_t_ *c)
{
    return c->tick++;
}
static inline unsigned stamp5(clock_t_ *c)
{
    c->tick += 5;
    return c->tick;
}
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#define SWAP(T, a, b) \
    do {              \
        T t_ = (a);   \
        (a) = (b);    \
        (b) = t_;     \
    } while (0)
void filters(const float *in, float *out);
void codecs(const uint8_t *in, uint8_t *out, int *n);
void series(const int *in, int *out);
void logic(const int *in, int *out);
static float last_gain = 1;
void filters(const float *in, float *out)
{
    biquad_t s = {0.2f, 0.3f, 0.2f, -0.5f, 0.1f, 0, 0};
    delay_t d = {0}, d2 = {0};
    kalman_t k = {0, 1, 0.01, 0.1};
    static const float h[3] = {0.25f, 0.5f, 0.25f};
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = biquad(&s, in[i]);
    for (int i = 2; i < N; i++) /* loop: parallel */
        out[i] = fir3(h, in + i);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = in[i] - delay1(&d, in[i]);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = delay1(&d2, delay1(&d, in[i]));
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = (float)kalman(&k, in[i]);
}

void smooth(const float *in, float *out)
{
    static const float h[3] = {0.25f, 0.5f, 0.25f};
    float y = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        y += 0.1f * (in[i] - y);
        out[i] = y;
    }
    float peak = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        peak = fabsf(in[i]) > peak ? fabsf(in[i]) : peak * 0.99f;
        out[i] = in[i] / (peak + 1e-3f);
    }
    for (int i = 0; i < N; i++) { /* loop: no */
        float want = in[i] > 0.5f ? 0.5f : 1.0f;
        out[i] = in[i] * last_gain;
        last_gain = want;
    }
    float lo = in[0];
    int cross = 0;
    for (int i = 1; i < N; i++) { /* loop: no */
        if ((lo < 0) != (in[i] < 0))
            cross++;
        lo = in[i];
    }
    int cross2 = 0;
    for (int i = 1; i < N; i++) /* loop: reduction */
        cross2 += (in[i - 1] < 0) != (in[i] < 0);
    double area = 0, prev = in[0];
    for (int i = 1; i < N; i++) { /* loop: no */
        area += 0.5 * (prev + in[i]);
        prev = in[i];
    }
    for (int i = 0; i < N; i++) { /* loop: private */
        float a = in[i], acc = 0;
        for (int t = 0; t < 4; t++) /* loop: no */
            acc = acc * a + h[t % 3];
        out[i] += CLAMP(acc, -1.0f, 1.0f);
    }
    printf("%d %d %g %g\n", cross, cross2, area, out[17]);
}

void shifted(const float *in, float *out)
{
    static const float h[3] = {0.25f, 0.5f, 0.25f};
    float x0, x1 = 0, x2 = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        x0 = in[i];
        out[i] += h[0] * x0 + h[1] * x1 + h[2] * x2;
        x2 = x1;
        x1 = x0;
    }
    float ring[4] = {0};
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += ring[(i + 1) & 3];
        ring[i & 3] = in[i];
    }
    float win[4];
    for (int i = 3; i < N; i++) {   /* loop: private */
        for (int t = 0; t < 4; t++) /* loop: parallel */
            win[t] = in[i - t];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3 - a; b++)
                if (win[b] > win[b + 1])
                    SWAP(float, win[b], win[b + 1]);
        out[i] += (win[1] + win[2]) / 2;
    }
}
static uint32_t crc_table[256];
static uint8_t window[64];
static unsigned head;
static void put(uint8_t c)
{
    window[head++ & 63] = c;
}
static int emit(uint8_t *to, int at, uint8_t c, int run)
{
    to[at++] = c;
    to[at++] = (uint8_t)run;
    return at;
}
void codecs(const uint8_t *in, uint8_t *out, int *n)
{
    for (unsigned i = 0; i < 256; i++) { /* loop: parallel */
        uint32_t c = i;
        for (int k = 0; k < 8; k++) /* loop: no */
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
    uint32_t crc = ~0u, a = 1, b = 0, hash = 2166136261u, fletch = 0;
    for (int i = 0; i < N; i++) /* loop: no */
        crc = crc_table[(crc ^ in[i]) & 255] ^ crc >> 8;
    for (int i = 0; i < N; i++) { /* loop: no */
        a = (a + in[i]) % 65521;
        b = (b + a) % 65521;
    }
    for (int i = 0; i < N; i++) /* loop: no */
        hash = (hash ^ in[i]) * 16777619u;
    for (int i = 0; i < N; i++) /* loop: reduction */
        fletch ^= (uint32_t)in[i] << (i & 7);
    printf("%x %x %x %x\n", crc, b << 16 | a, hash, fletch);
}

void differences(const uint8_t *in, uint8_t *out, int *n)
{
    uint8_t prev = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] = (uint8_t)(in[i] - prev);
        prev = in[i];
    }
    uint8_t acc = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        acc = (uint8_t)(acc + out[i]);
        out[i] = acc;
    }
    for (int i = N - 1; i > 0; i--) /* loop: no */
        out[i] = (uint8_t)(out[i] - out[i - 1]);
    for (int i = 1; i < N; i++) /* loop: no */
        out[i] = (uint8_t)(out[i] + out[i - 1]);
    int at = 0, run = 1;
    for (int i = 1; i <= N; i++) { /* loop: no */
        if (i < N && in[i] == in[i - 1] && run < 255)
            run++;
        else {
            at = emit(out, at, in[i - 1], run);
            run = 1;
        }
        if (at > N - 4)
            break;
    }
    *n = at;
}

void packed(const uint8_t *in, uint8_t *out)
{
    unsigned bits = 0, held = 0;
    int o = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        held |= (unsigned)(in[i] & 31) << bits;
        bits += 5;
        while (bits >= 8) { /* loop: no */
            out[o++] = (uint8_t)held;
            held >>= 8;
            bits -= 8;
        }
    }
    static const char b64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0, k = 0; i + 2 < N && k + 3 < N; i += 3, k += 4) {
        uint32_t v = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        out[k] = (uint8_t)b64[v >> 18];
        out[k + 1] = (uint8_t)b64[v >> 12 & 63];
        out[k + 2] = (uint8_t)b64[v >> 6 & 63];
        out[k + 3] = (uint8_t)b64[v & 63];
    }
    for (int i = 0; i < N; i++) /* loop: no */
        put(in[i]);
    int chars = 0;
    for (int i = 0; i < N;) { /* loop: no */
        i += in[i] < 0x80 ? 1 : in[i] < 0xe0 ? 2 : 3;
        chars++;
    }
    printf("%d %d %d\n", chars, o, window[5]);
}

void fronts(const uint8_t *in, uint8_t *out)
{
    uint8_t mtf[16];
    for (int i = 0; i < 16; i++) /* loop: parallel */
        mtf[i] = (uint8_t)i;
    for (int i = 0; i < N; i++) { /* loop: no */
        uint8_t c = in[i] & 15;
        int k = 0;
        while (mtf[k] != c) /* loop: no */
            k++;
        out[i] ^= (uint8_t)k;
        memmove(mtf + 1, mtf, (size_t)k);
        mtf[0] = c;
    }
    int32_t pred = 0, step = 4;
    for (int i = 0; i < N; i++) { /* loop: no */
        int d = in[i] - pred;
        out[i] = (uint8_t)(d / step);
        pred += d / step * step;
        step = CLAMP(step + (d > 2 * step ? 1 : -1), 2, 64);
    }
}

void blocks(const uint8_t *in, uint8_t *out)
{
    uint64_t key[4] = {1, 2, 3, 4};
    for (int i = 0; i + 8 <= N; i += 8) { /* loop: no */
        uint64_t v;
        memcpy(&v, in + i, 8);
        for (int r = 0; r < 4; r++) /* loop: no */
            v = (v ^ key[r]) * 0x9e3779b97f4a7c15u, v ^= v >> 29;
        key[i / 8 & 3] ^= v;
        memcpy(out + i, &v, 8);
    }
    for (int i = 0; i + 8 <= N; i += 8) { /* loop: private */
        uint64_t v;
        memcpy(&v, in + i, 8);
        for (int r = 0; r < 4; r++) /* loop: no */
            v = (v ^ key[r]) * 0x9e3779b97f4a7c15u, v ^= v >> 29;
        memcpy(out + i, &v, 8);
    }
}
static int level;
static int months[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static clock_t_ global_clock;
static int raise(int v)
{
    if (v > level)
        level = v;
    return level;
}
void series(const int *in, int *out)
{
    mean_t m = {{0}, 0, 0};
    lfsr_t l = {0xace1};
    debounce_t db = {false, 0};
    clock_t_ c = {3};
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = mean8(&m, in[i]);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = lfsr(&l);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] = debounce(&db, in[i]);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += (int)stamp(&c);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += (int)stamp5(&c) * in[i];
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += (int)stamp(&global_clock) / 2;
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] -= raise(in[i]);
}

void best_so_far(const int *in)
{
    int best = 0, cur = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        cur = cur + in[i] - 50 > 0 ? cur + in[i] - 50 : 0;
        if (cur > best)
            best = cur;
    }
    int low = 1 << 20, gain = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        if (in[i] < low)
            low = in[i];
        if (in[i] - low > gain)
            gain = in[i] - low;
    }
    int streak = 0, longest = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        streak = in[i] & 1 ? streak + 1 : 0;
        longest = streak > longest ? streak : longest;
    }
    int first = 1 << 20, second = 1 << 20;
    for (int i = 0; i < N; i++) { /* loop: no */
        if (in[i] < first) {
            second = first;
            first = in[i];
        } else if (in[i] < second)
            second = in[i];
    }
    printf("%d %d %d %d\n", best, gain, longest, first + second);
}

void counted(const int *in, int *out)
{
    int hold = -1;
    for (int i = 0; i < N; i++) { /* loop: no */
        if (in[i] > 70)
            hold = in[i];
        out[i] += hold;
    }
    int day = 0, month = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += day + 100 * month;
        if (++day == months[month]) {
            day = 0;
            month = (month + 1) % 12;
        }
    }
    int row = 0, col = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += row * 7 + col;
        if (++col == 17) {
            col = 0;
            row++;
        }
    }
    for (int i = 0; i < N; i++) { /* loop: parallel */
        int r = i / 17, k = i % 17;
        out[i] += r * 7 + k;
    }
    int sign = 1;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += sign * in[i];
        sign = -sign;
    }
    int phase = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] ^= phase;
        phase ^= 1;
    }
}

void followed(const int *in, int *out)
{
    int k = N - 1;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += in[k];
        k = in[k] % N;
    }
    unsigned w = 1;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += (int)(w & 255);
        w <<= 1;
        if (!w)
            w = 1;
    }
    unsigned g = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        g ^= (unsigned)in[i];
        out[i] += (int)g;
    }
}

void pairs(const int *in, int *out)
{
    int was[2] = {0, 1};
    for (int i = 0; i < N; i++) { /* loop: no */
        int t = (was[0] + was[1]) % 1000;
        was[0] = was[1];
        was[1] = t;
        out[i] += t;
    }
    struct {
        int lo, hi;
    } span = {0, 100};
    for (int i = 0; i < N; i++) { /* loop: no */
        int mid = (span.lo + span.hi) / 2;
        out[i] += mid;
        if (in[i] > mid)
            span.lo = mid;
        else
            span.hi = mid + 2;
    }
    int a = 3, b = 5;
    for (int i = 0; i < N; i++) { /* loop: no */
        out[i] += a;
        SWAP(int, a, b);
    }
    const int *src = in, *alt = out;
    long s = 0;
    for (int i = 0; i < N; i++) { /* loop: no */
        s += src[i];
        if (in[i] > 90)
            SWAP(const int *, src, alt);
    }
    printf("%d %ld\n", out[33], s);
}
enum st { IDLE, NUM, WORD, DONE };
static enum st machine;
static int tokens;
static enum st step(enum st s, int c)
{
    switch (s) {
    case IDLE:
        return c < 40 ? NUM : c < 80 ? WORD : IDLE;
    case NUM:
        return c < 40 ? NUM : DONE;
    case WORD:
        return c < 80 && c >= 40 ? WORD : DONE;
    default:
        return IDLE;
    }
}
static int (*handler)(int);
static int even(int v);
static int odd(int v)
{
    handler = even;
    return v + 1;
}
static int even(int v)
{
    handler = odd;
    return v * 2;
}
struct ops {
    int (*run)(struct ops *, int);
    int state;
};
static int run_a(struct ops *o, int v)
{
    int r = o->state;
    o->state = v;
    return r;
}
static int run_b(struct ops *o, int v)
{
    return o->state * v;
}
void logic(const int *in, int *out)
{
    enum st s = IDLE;
    for (int i = 0; i < N; i++) { /* loop: no */
        s = step(s, in[i]);
        tokens += s == DONE;
    }
    for (int i = 0; i < N; i++) { /* loop: no */
        machine = step(machine, in[i]);
        out[i] = machine;
    }
    handler = odd;
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += handler(in[i]);
    struct ops oa = {run_a, 0}, ob = {run_b, 3}, *both[2] = {&oa, &ob};
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += both[i & 1]->run(both[i & 1], in[i]);
    for (int i = 0; i < N; i++) /* loop: parallel */
        out[i] += ob.run(&ob, in[i]);
    for (int i = 0; i < N; i++) /* loop: no */
        out[i] += oa.run(&oa, in[i]);
    bool armed = false;
    for (int i = 0; i < N; i++) { /* loop: no */
        bool fire = armed && in[i] > 50;
        armed = in[i] > 50;
        out[i] += fire;
    }
    int i = 0;
again: /* a loop by hand */
    out[i] += i > 0 ? out[i - 1] & 1 : 0;
    if (++i < N)
        goto again;
}

void counters(const int *in, int *out)
{
    int credit = 0;
    for (int k = 0; k < N; k++) { /* loop: no */
        credit += in[k] & 3;
        if (credit >= 10) {
            out[k]++;
            credit -= 10;
        }
    }
    int skip = 0;
    for (int k = 0; k < N; k++) { /* loop: no */
        if (skip) {
            skip--;
            continue;
        }
        if (in[k] > 100)
            skip = 2;
        out[k]++;
    }
    int done = 0;
    for (int k = 0; k < N; k++) { /* loop: no */
        if (done)
            out[k] = 0;
        else if (in[k] == 97)
            done = 1;
    }
    int limit = 20;
    for (int k = 0; k < N; k++) /* loop: no */
        if (in[k] > 60 && limit > 0) {
            out[k] += 7;
            limit--;
        }
    printf("%d\n", credit + done + limit);
}

void places(const int *in, int *out)
{
    volatile int dummy = 0;
    for (int k = 0; k < N; k++) { /* loop: no */
        out[k] += dummy;
        dummy = in[k];
    }
    union {
        int i;
        float f;
    } u = {0};
    for (int k = 0; k < N; k++) { /* loop: no */
        out[k] += u.i >> 20;
        u.f = (float)in[k];
    }
    struct {
        unsigned a : 4, b : 4;
    } bf = {0, 0};
    for (int k = 0; k < N; k++) { /* loop: no */
        out[k] += (int)bf.a;
        bf.a = (unsigned)in[k] & 15;
        bf.b = 3;
    }
    int w[3] = {1, 2, 3};
    for (int k = 0; k < N; k++) { /* loop: no */
        out[k] += w[0];
        w[0] = w[1];
        w[1] = w[2];
        w[2] = in[k];
    }
    int hist[3] = {0};
    for (int k = 0; k < N; k++) { /* loop: no */
        out[k] += hist[2];
        memmove(hist + 1, hist, sizeof hist - sizeof *hist);
        hist[0] = in[k];
    }
}

void numbers(const int *in, int *out)
{
    double acc = 1;
    for (int k = 0; k < N; k++) { /* loop: no */
        double next = acc * 0.9 + in[k];
        out[k] += next > acc;
        acc = next;
    }
    unsigned long long rng = 88172645463325252ULL;
    for (int k = 0; k < N; k++) { /* loop: no */
        rng ^= rng << 13;
        rng ^= rng >> 7;
        rng ^= rng << 17;
        out[k] += (int)(rng & 7);
    }
    for (int k = 0; k < N; k++) { /* loop: parallel */
        unsigned long long z = (unsigned long long)k * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        out[k] += (int)(z >> 60);
    }
    printf("%d %d %d\n", tokens, machine, out[44]);
}
int main(void)
{
    static float fin[N], fout[N];
    static uint8_t bin[N], bout[2 * N];
    static int iin[N], iout[N];
    for (int i = 0; i < N; i++) { /* loop: parallel */
        fin[i] = sinf((float)i * 0.7f);
        bin[i] = (uint8_t)(i * i / 7 % 251);
        iin[i] = (i * 7919) % 103;
    }
    int n = 0;
    filters(fin, fout);
    smooth(fin, fout);
    shifted(fin, fout);
    codecs(bin, bout, &n);
    differences(bin, bout, &n);
    packed(bin, bout);
    fronts(bin, bout);
    blocks(bin, bout);
    series(iin, iout);
    best_so_far(iin);
    counted(iin, iout);
    followed(iin, iout);
    pairs(iin, iout);
    logic(iin, iout);
    counters(iin, iout);
    places(iin, iout);
    numbers(iin, iout);
    long s = n;
    for (int i = 0; i < N; i++) /* loop: reduction */
        s += iout[i] + bout[i] + (int)(fout[i] * 100);
    printf("%ld\n", s);
    return 0;
}
