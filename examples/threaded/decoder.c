/* A pipeline decoder, as for motion JPEG: one thread fetches blocks, the others compute (dequantise, inverse
 * DCT) and dispatch them into a frame: decoder [THREADS [BLOCKS]]. The cause to find: the transform works
 * from one large array into another and the result is copied twice on its way to the frame, so that idct and
 * block_memcpy on all cores fill the data memory's time. FIXED: the transform works in a block that stays in
 * the cache and writes straight into the frame. */
#include "threads.h"

enum { BLOCK = 64, MAX_BLOCKS = 1024, FRAME_COLUMNS = 8 };
static int blocks;
static int16_t stream[MAX_BLOCKS][BLOCK]; /* what was fetched */
static atomic_int fetched, computed;
static int32_t frame[MAX_BLOCKS * BLOCK];
#ifndef FIXED
static int32_t coefficient[MAX_BLOCKS][BLOCK], pixel[MAX_BLOCKS][BLOCK], dispatched[MAX_BLOCKS][BLOCK];
#endif
static const int32_t cosine[8] = {256, 251, 237, 213, 181, 142, 98, 50};

__attribute__((noinline)) static void fetch_block(int b, uint32_t *seed)
{
    for (int i = 0; i < BLOCK; i++)
        stream[b][i] = (int16_t)(next_random(seed) % 64 - 32);
}

__attribute__((noinline)) static void dequantise(int32_t *out, const int16_t *in)
{
    for (int i = 0; i < BLOCK; i++)
        out[i] = in[i] * (1 + i / 8);
}

/* A separable transform of the same shape as an inverse DCT: rows, then columns. */
__attribute__((noinline)) static void idct(int32_t *out, int32_t *in, int stride)
{
    for (int row = 0; row < 8; row++)
        for (int x = 0; x < 4; x++) {
            int32_t u = in[row * 8 + x], v = in[row * 8 + 7 - x];
            in[row * 8 + x] = (u + v) * cosine[x] >> 8;
            in[row * 8 + 7 - x] = (u - v) * cosine[7 - x] >> 8;
        }
    for (int col = 0; col < 8; col++)
        for (int y = 0; y < 4; y++) {
            int32_t u = in[y * 8 + col], v = in[(7 - y) * 8 + col];
            out[y * stride + col] = (u + v) * cosine[y] >> 8;
            out[(7 - y) * stride + col] = (u - v) * cosine[7 - y] >> 8;
        }
}

__attribute__((noinline, unused)) static void block_memcpy(int32_t *to, const int32_t *from, int stride)
{
    for (int row = 0; row < 8; row++)
        for (int col = 0; col < 8; col++)
            to[row * stride + col] = from[row * 8 + col];
}

static int32_t *place(int b)
{
    return frame + b / FRAME_COLUMNS * FRAME_COLUMNS * BLOCK + b % FRAME_COLUMNS * 8;
}

__attribute__((noinline)) static void compute_block(int b)
{
#ifdef FIXED
    int32_t work[BLOCK];
    dequantise(work, stream[b]);
    idct(place(b), work, FRAME_COLUMNS * 8);
#else
    dequantise(coefficient[b], stream[b]);
    idct(pixel[b], coefficient[b], 8);
    block_memcpy(dispatched[b], pixel[b], 8);
    block_memcpy(place(b), dispatched[b], FRAME_COLUMNS * 8);
#endif
}

static void *work(void *arg)
{
    if (arg == 0) {
        uint32_t seed = 7;
        for (int b = 0; b < blocks; b++) {
            fetch_block(b, &seed);
            atomic_store_explicit(&fetched, b + 1, memory_order_release);
        }
    }
    for (int b; (b = atomic_fetch_add(&computed, 1)) < blocks;) {
        while (atomic_load_explicit(&fetched, memory_order_acquire) <= b)
            ;
        compute_block(b);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    nthreads = argument(argc, argv, 1, 4, 1, MAX_THREADS);
    blocks = argument(argc, argv, 2, 192, 1, MAX_BLOCKS);
    run_threads(work);
    long sum = 0;
    for (int i = 0; i < blocks * BLOCK; i += 61)
        sum += frame[i] * (i % 7 + 1);
    printf("%ld\n", sum);
    return 0;
}
