/* Byte-wise compressor: LZ77 with hash chains, adaptive binary range coder, and back again.   compress
 * [BYTES] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 15, WINDOW = 1 << 16, MIN_MATCH = 4, MAX_MATCH = 255, CHAIN = 16 };

static uint8_t *out;
static size_t out_n, out_at;
static uint32_t low, range = ~0u, code;

/* --- range coder: bits with adaptive probabilities, carry-less --- */

/* The part of the range that a bit has; its probability moves towards what it was. */
static void narrow(uint16_t *p, int bit, uint32_t bound)
{
    if (bit) {
        low += bound;
        range -= bound;
        *p -= *p >> 5;
    } else {
        range = bound;
        *p += (4096 - *p) >> 5;
    }
}

/* Whether the first byte is settled, or the range too small to go on without cutting it. */
static int settled(void)
{
    if ((low ^ (low + range)) < 1u << 24)
        return 1;
    if (range >= 1u << 16)
        return 0;
    range = -low & 0xffff;
    return 1;
}

static void put_bit(uint16_t *p, int bit)
{
    narrow(p, bit, (range >> 12) * *p);
    for (; settled(); low <<= 8, range <<= 8)
        out[out_n++] = (uint8_t)(low >> 24);
}

static int get_bit(uint16_t *p)
{
    uint32_t bound = (range >> 12) * *p;
    int bit = code - low >= bound;
    narrow(p, bit, bound);
    for (; settled(); low <<= 8, range <<= 8)
        code = code << 8 | out[out_at++];
    return bit;
}

struct model {
    uint16_t kind[2], literal[256][256], length[256], distance[17][256];
};

static void model_init(struct model *m)
{
    uint16_t *p = (uint16_t *)m;
    for (size_t i = 0; i < sizeof *m / sizeof *p; i++)
        p[i] = 2048;
}

static void put_byte(uint16_t *tree, unsigned v)
{
    unsigned node = 1;
    for (int i = 7; i >= 0; i--) {
        put_bit(&tree[node], v >> i & 1);
        node = node * 2 + (v >> i & 1);
    }
}

static unsigned get_byte(uint16_t *tree)
{
    unsigned node = 1;
    while (node < 256)
        node = node * 2 + (unsigned)get_bit(&tree[node]);
    return node - 256;
}

/* --- matches --- */

static uint32_t hash(const uint8_t *p)
{
    return (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24) * 2654435761u >>
           (32 - HASH_BITS);
}

static int32_t head[1 << HASH_BITS], before[WINDOW];

static unsigned match_length(const uint8_t *a, const uint8_t *b, size_t most)
{
    unsigned n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

static unsigned longest(const uint8_t *s, size_t at, size_t n, size_t *from)
{
    unsigned best = 0;
    size_t most = n - at < MAX_MATCH ? n - at : MAX_MATCH;
    int32_t candidate = at + MIN_MATCH <= n ? head[hash(s + at)] : -1;
    for (int i = 0; i < CHAIN && candidate >= 0 && at - (size_t)candidate < WINDOW; i++) {
        unsigned length = match_length(s + at, s + candidate, most);
        if (length > best) {
            best = length;
            *from = (size_t)candidate;
        }
        candidate = before[candidate % WINDOW];
    }
    return best >= MIN_MATCH ? best : 0;
}

static void remember(const uint8_t *s, size_t at, size_t n)
{
    if (at + MIN_MATCH > n)
        return;
    uint32_t h = hash(s + at);
    before[at % WINDOW] = head[h];
    head[h] = (int32_t)at;
}

static void pack(const uint8_t *s, size_t n, struct model *m)
{
    memset(head, -1, sizeof head);
    for (size_t at = 0; at < n;) {
        size_t from = 0;
        unsigned length = longest(s, at, n, &from);
        put_bit(&m->kind[0], length != 0);
        if (length) {
            put_byte(m->length, length);
            put_byte(m->distance[0], (unsigned)((at - from) >> 8));
            put_byte(m->distance[1], (unsigned)((at - from) & 255));
        } else {
            put_byte(m->literal[at ? s[at - 1] : 0], s[at]);
            length = 1;
        }
        for (; length; length--)
            remember(s, at++, n);
    }
    for (int i = 0; i < 4; i++, low <<= 8)
        out[out_n++] = (uint8_t)(low >> 24);
}

static void unpack(uint8_t *s, size_t n, struct model *m)
{
    low = 0, range = ~0u, code = 0;
    for (int i = 0; i < 4; i++)
        code = code << 8 | out[out_at++];
    for (size_t at = 0; at < n;) {
        if (get_bit(&m->kind[0])) {
            unsigned length = get_byte(m->length), high = get_byte(m->distance[0]),
                     distance = high << 8 | get_byte(m->distance[1]);
            for (; length && at < n; length--, at++)
                s[at] = s[at - distance];
        } else {
            s[at] = (uint8_t)get_byte(m->literal[at ? s[at - 1] : 0]);
            at++;
        }
    }
}

static void make_text(uint8_t *s, size_t n)
{
    static const char *const words[] = {"stream ", "of ",       "bytes ", "flows ", "from ",
                                        "the ",    "producer ", "to ",    "its ",   "consumer, ",
                                        "and ",    "back.\n",   "42 ",    "core "};
    uint32_t x = 1;
    for (size_t i = 0; i < n;) {
        x = x * 1664525u + 1013904223u;
        const char *w = words[(x >> 24) % (sizeof words / sizeof *words)];
        while (*w && i < n)
            s[i++] = (uint8_t)*w++;
        if ((x >> 16 & 15) == 0 && i < n)
            s[i++] = (uint8_t)('a' + (x >> 8) % 26);
    }
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20;
    uint8_t *text = malloc(n), *back = malloc(n);
    struct model *m = malloc(sizeof *m);
    out = calloc(1, 2 * n + 64);
    if (!text || !back || !m || !out)
        return 1;
    make_text(text, n);
    model_init(m);
    pack(text, n, m);
    model_init(m);
    unpack(back, n, m);
    printf("%zu to %zu, %s\n", n, out_n, memcmp(text, back, n) ? "wrong" : "right");
    free(text);
    free(back);
    free(m);
    free(out);
    return 0;
}
