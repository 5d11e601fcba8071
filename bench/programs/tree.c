/* Pointers: a binary search tree and a hash table under random keys.   tree [COUNT] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right, *chain;
    uint64_t key, count;
};

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static struct node *insert(struct node **root, uint64_t key)
{
    while (*root) {
        if ((*root)->key == key) {
            (*root)->count++;
            return *root;
        }
        root = key < (*root)->key ? &(*root)->left : &(*root)->right;
    }
    *root = calloc(1, sizeof **root);
    if (!*root)
        exit(1);
    (*root)->key = key;
    (*root)->count = 1;
    return *root;
}

static void hash_in(struct node **table, uint64_t mask, struct node *n)
{
    if (n->count > 1)
        return;
    uint64_t at = (n->key * 0x9e3779b97f4a7c15u >> 20) & mask;
    n->chain = table[at];
    table[at] = n;
}

static struct node *hash_find(struct node **table, uint64_t mask, uint64_t key)
{
    struct node *n = table[(key * 0x9e3779b97f4a7c15u >> 20) & mask];
    while (n && n->key != key)
        n = n->chain;
    return n;
}

static struct node *tree_find(struct node *n, uint64_t key)
{
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static uint64_t total(const struct node *n)
{
    return n ? total(n->left) + total(n->right) + n->count : 0;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 400000, mask = 1;
    while (mask < count)
        mask = mask * 2 + 1;
    struct node *root = NULL, **table = calloc(mask + 1, sizeof *table);
    if (!table)
        return 1;
    for (uint64_t i = 0; i < count; i++)
        hash_in(table, mask, insert(&root, next_random() % (2 * count)));
    uint64_t found = 0;
    for (uint64_t i = 0; i < 3 * count; i++) {
        uint64_t key = next_random() % (2 * count);
        found += tree_find(root, key) != NULL;
        found += hash_find(table, mask, key) != NULL;
    }
    printf("%llu %llu\n", (unsigned long long)total(root), (unsigned long long)found);
    return 0;
}
