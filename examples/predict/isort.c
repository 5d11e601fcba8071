/* Integer sort by counting: the counts of all blocks of keys are reduced into one array, then the keys are
 * put out. */
#include "common.h"

enum { KEYS = 1 << 22, RANGE = 2048, BLOCKS = 256, ROUNDS = 16 };
static uint16_t *keys, *sorted;
static uint32_t count[RANGE];

static BODY void count_block(const uint16_t *from, uint32_t *into)
{
    for (int i = 0; i < KEYS / BLOCKS; i++)
        into[from[i]]++;
}

/* Writes all keys of one block of values to their place. */
static BODY void put_values(int first, int last, size_t at)
{
    for (int v = first; v < last; v++)
        for (uint32_t k = 0; k < count[v]; k++)
            sorted[at++] = (uint16_t)v;
}

int main(void)
{
    enum { STEP = 32 };
    static size_t start[RANGE / STEP];
    uint32_t r = 7;
    uint64_t hash = 0;
    keys = memory(KEYS * sizeof *keys);
    sorted = memory(KEYS * sizeof *sorted);
    for (int i = 0; i < KEYS; i++) /* sums of four: like the keys of a well-known benchmark */
        keys[i] = (uint16_t)((next_random(&r) % 512 + next_random(&r) % 512 + next_random(&r) % 512 +
                              next_random(&r) % 512));
    for (int round = 0; round < ROUNDS; round++) {
        memset(count, 0, sizeof count);
        CC_TASK_BEGIN("isort.rank");
        OMP(parallel for schedule(SCHEDULE) reduction(+ : count[:RANGE]))
        for (int b = 0; b < BLOCKS; b++) {
            CC_TASK_BEGIN("isort.count");
            count_block(keys + (size_t)b * (KEYS / BLOCKS), count);
            CC_TASK_END("isort.count");
        }
        CC_TASK_END("isort.rank");
        size_t at = 0;
        for (int v = 0; v < RANGE; v++) {
            if (v % STEP == 0)
                start[v / STEP] = at;
            at += count[v];
        }
        CC_TASK_BEGIN("isort.output");
        OMP(parallel for schedule(dynamic))
        for (int b = 0; b < RANGE / STEP; b++) {
            CC_TASK_BEGIN("isort.put");
            put_values(b * STEP, (b + 1) * STEP, start[b]);
            CC_TASK_END("isort.put");
        }
        CC_TASK_END("isort.output");
        hash = hash * 31 + sorted[KEYS / 3] + sorted[KEYS / 2];
        keys[(unsigned)round * 1000003u % KEYS] = (uint16_t)round;
    }
    printf("isort %016llx %016llx\n", (unsigned long long)hash, (unsigned long long)hash_bytes(sorted, KEYS));
    return 0;
}
