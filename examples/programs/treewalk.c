/* A list of trees: a walk needs its order, the trees do not need each other.      treewalk [TREES [DEPTH]] */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    unsigned value;
};

static struct node *grow(int depth, unsigned seed)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = seed;
    n->left = depth ? grow(depth - 1, seed * 5 + 1) : NULL;
    n->right = depth ? grow(depth - 1, seed * 7 + 3) : NULL;
    return n;
}

static unsigned walk(const struct node *n)
{
    return n ? n->value % 10 + walk(n->left) + walk(n->right) : 0;
}

static void fell(struct node *n)
{
    if (!n)
        return;
    fell(n->left);
    fell(n->right);
    free(n);
}

int main(int argc, char **argv)
{
    int trees = argc > 1 ? atoi(argv[1]) : 64, depth = argc > 2 ? atoi(argv[2]) : 9, i;
    struct node **roots = malloc(sizeof *roots * (size_t)trees);
    unsigned *sums = calloc((size_t)trees, sizeof *sums), all = 0;
    if (!roots || !sums)
        return 1;
    for (i = 0; i < trees; i++)
        roots[i] = grow(depth, (unsigned)i);
    for (i = 0; i < trees; i++)
        for (int again = 0; again < 8; again++)
            sums[i] += walk(roots[i]);
    for (i = 0; i < trees; i++) {
        all ^= sums[i];
        fell(roots[i]);
    }
    printf("%u\n", all);
    free(roots);
    free(sums);
    return 0;
}
