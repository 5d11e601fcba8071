/* Functions that find the element they write by more than a sum of what they get: a rest, a hash, a search,
 * what lies in memory. That no two iterations met there is the input's doing. */
#include "loops.h"

enum { SIZE = 2048, TABLE = 1021 };
static int slots[SIZE], used[SIZE], counts[SIZE], turned[SIZE], order_of[N], grid[64][64];
static struct entry {
    int key, value, used;
} entries[SIZE];
static struct table {
    int n, slots[SIZE];
} one, many[64];

static __attribute__((noinline)) void put(int key, int value)
{
    unsigned h = (unsigned)key * 2654435761u % SIZE;
    while (entries[h].used && entries[h].key != key) /* loop: no */
        h = (h + 1) % SIZE;
    entries[h].used = 1;
    entries[h].key = key;
    entries[h].value += value;
}
static __attribute__((noinline)) void set_rest(int key, int value)
{
    slots[key % TABLE] = value;
}
static __attribute__((noinline)) void set_half(int key, int value)
{
    slots[key / 2] = value;
}
static __attribute__((noinline)) void set_masked(int key, int value)
{
    unsigned at = (unsigned)key & 1023;
    slots[at] = value;
}
static __attribute__((noinline)) void set_there(int at, int value)
{
    slots[at + 3] = value;
}
static __attribute__((noinline)) void set_by_table(int at, int value)
{
    slots[order_of[at]] = value;
}
static __attribute__((noinline)) void set_first_free(int at, int value)
{
    while (used[at]) /* loop: either */
        at++;
    used[at] = 1;
    turned[at] = value;
}
static __attribute__((noinline)) void count(int key)
{
    counts[key % TABLE]++;
}
static __attribute__((noinline)) void set_of_grid(int at, int value)
{
    grid[at / 64][at % 64] = value;
}
static __attribute__((noinline)) void put_into(struct table *t, int key, int value)
{
    t->slots[(unsigned)key * 40503u % SIZE] = value;
}
static __attribute__((noinline)) void put_there(struct table *t, int key, int value)
{
    t->slots[key] = value;
}
static __attribute__((noinline)) void by_way(int key, int value)
{
    put_into(&one, key, value);
    set_rest(key, value);
}
static __attribute__((noinline)) void set_some(int *to, int at, int n)
{
    for (int k = 0; k < n; k++) /* loop: either */
        to[at + k] = at - k;
}

KERNEL(puts_hashed)
{
    for (int i = 0; i < n; i++) /* loop: input */
        put(i * 3, i);
}
KERNEL(sets_rest)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_rest(i, i);
}
KERNEL(sets_half)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_half(2 * i, i);
}
KERNEL(sets_masked)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_masked(i, i);
}
KERNEL(sets_there)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        set_there(i, i);
}
KERNEL(sets_by_table)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_by_table(i, i);
}
KERNEL(sets_first_free)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_first_free(i * 2, i);
}
KERNEL(counts_rest)
{
    for (int i = 0; i < n; i++) /* loop: input */
        count(i);
}
KERNEL(sets_grid)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        set_of_grid(i, i);
}
KERNEL(puts_into_one)
{
    for (int i = 0; i < n; i++) /* loop: input */
        put_into(&one, i, i);
}
KERNEL(puts_into_many)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        put_into(&many[i], i, i);
}
KERNEL(puts_there)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        put_there(&one, i, i + 1);
}
KERNEL(puts_by_way)
{
    for (int i = 0; i < n; i++) /* loop: input */
        by_way(i, i + 2);
}
KERNEL(sets_some)
{
    for (int i = 0; i < n; i++) /* loop: either */
        set_some(slots, i * 2, 2);
}
KERNEL(collides)
{
    for (int i = 0; i < n; i++) /* loop: no */
        set_rest(i / 2, i);
}
KERNEL(collides_in_one)
{
    for (int i = 0; i < n; i++) /* loop: no */
        put_into(&one, i * 512, i);
}
KERNEL(table_of_its_own)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct table own = {0, {0}};
        put_into(&own, i, i);
        turned[i] = own.slots[i % 7];
    }
}

/* a row and a place that are added, or by other divisions; what a conversion cuts off */
static __attribute__((noinline)) void set_folded(int at, int value)
{
    slots[at / 1100 + at % 1100] = value;
}
static __attribute__((noinline)) void set_wrapped(int at, int value)
{
    slots[at % 1100 / 1] = value;
}
static __attribute__((noinline)) void set_wrapped_row(int at, int value)
{
    grid[at / 64 % 32][at % 64] = value;
}
static __attribute__((noinline)) void set_cut(int at, int value)
{
    slots[(unsigned short)at] = value;
}
static __attribute__((noinline)) void set_cut_before(int at, int value)
{
    unsigned short k = (unsigned short)at;
    slots[k] = value;
}
static __attribute__((noinline)) void set_row_and_place(int at, int value)
{
    slots[(at >> 4) * 20 + (at & 15)] = value;
}
KERNEL(sets_folded)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_folded(i, i);
}
KERNEL(sets_wrapped)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_wrapped(i, i);
}
KERNEL(sets_wrapped_row)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_wrapped_row(i, i);
}
KERNEL(sets_cut)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_cut(i, i);
}
KERNEL(sets_cut_before)
{
    for (int i = 0; i < n; i++) /* loop: input */
        set_cut_before(i, i);
}
KERNEL(sets_row_and_place)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        set_row_and_place(i, i);
}

int main(void)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        order_of[i] = (i * 7) % N;
    int n = N / 4;
    puts_hashed(n), sets_rest(n), sets_half(n), sets_masked(n), sets_there(n), sets_by_table(n),
        sets_first_free(n), counts_rest(n);
    digest(slots, sizeof slots);
    sets_grid(n), puts_into_one(n), puts_into_many(n / 4), puts_there(n), puts_by_way(n), sets_some(n),
        collides(n), collides_in_one(n), table_of_its_own(n);
    digest(slots, sizeof slots), digest(entries, sizeof entries), digest(turned, sizeof turned),
        digest(counts, sizeof counts);
    digest(grid, sizeof grid), digest(&one, sizeof one), digest(many, sizeof many);
    sets_folded(N), sets_wrapped(N), sets_wrapped_row(N), sets_cut(N), sets_cut_before(N),
        sets_row_and_place(N);
    digest(slots, sizeof slots), digest(grid, sizeof grid);
    return finish();
}
