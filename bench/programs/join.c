/* Hash join and aggregation, as a database does them: orders join customers, sums by country, the largest
 * first.   join [ORDERS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct customer {
    uint32_t id;
    char country[12];
};
struct order {
    uint32_t customer, item;
    double price;
};
struct entry { /* of a chained hash table */
    struct entry *next;
    const struct customer *row;
};
struct group {
    char country[12];
    double sum;
    uint64_t count;
};

static uint32_t state = 3;
static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t hash_id(uint32_t id)
{
    return id * 2654435761u;
}

static uint32_t hash_text(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

static void make_customers(struct customer *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        v[i].id = i * 7 + 1;
        snprintf(v[i].country, sizeof v[i].country, "country%u", next_random() % 120);
    }
}

static void make_orders(struct order *v, uint32_t n, uint32_t customers)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] = (struct order){next_random() % customers * 7 + next_random() % 2, next_random() % 1000,
                              (double)(next_random() % 10000) / 100};
}

static void build(struct entry **table, uint32_t mask, const struct customer *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct entry *e = malloc(sizeof *e);
        if (!e)
            exit(1);
        uint32_t slot = hash_id(v[i].id) >> 8 & mask;
        *e = (struct entry){table[slot], &v[i]};
        table[slot] = e;
    }
}

static const struct customer *probe(struct entry *const *table, uint32_t mask, uint32_t id)
{
    for (const struct entry *e = table[hash_id(id) >> 8 & mask]; e; e = e->next)
        if (e->row->id == id)
            return e->row;
    return NULL;
}

static void add(struct group *groups, uint32_t mask, const char *country, double price)
{
    uint32_t slot = hash_text(country) & mask;
    while (groups[slot].count && strcmp(groups[slot].country, country) != 0)
        slot = (slot + 1) & mask;
    if (!groups[slot].count)
        memcpy(groups[slot].country, country, sizeof groups[slot].country);
    groups[slot].count++;
    groups[slot].sum += price;
}

static int by_sum(const void *a, const void *b)
{
    double x = ((const struct group *)a)->sum, y = ((const struct group *)b)->sum;
    return (x < y) - (x > y);
}

int main(int argc, char **argv)
{
    uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300000, customers = n / 8 + 1,
             mask = 65535;
    struct customer *c = calloc(customers, sizeof *c);
    struct order *o = calloc(n, sizeof *o);
    struct entry **table = calloc(mask + 1, sizeof *table);
    static struct group groups[512];
    if (!c || !o || !table)
        return 1;
    make_customers(c, customers);
    make_orders(o, n, customers);
    build(table, mask, c, customers);
    uint32_t joined = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct customer *who = probe(table, mask, o[i].customer);
        if (who && o[i].item < 900) {
            add(groups, 511, who->country, o[i].price);
            joined++;
        }
    }
    qsort(groups, 512, sizeof *groups, by_sum);
    printf("%u joined, %s first\n", joined, groups[0].country);
    return 0;
}
