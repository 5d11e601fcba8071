/* Breadth first through a graph: what one node marks, another one looks at.      bfs [THOUSANDS] */
#include <stdio.h>
#include <stdlib.h>

enum { DEGREE = 8 };

int main(int argc, char **argv)
{
    int n = (argc > 1 ? atoi(argv[1]) : 60) * 1000, head = 0, tail = 1, far = 0;
    int *edges = malloc(sizeof *edges * (size_t)n * DEGREE), *depth = malloc(sizeof *depth * (size_t)n),
        *queue = malloc(sizeof *queue * (size_t)n);
    if (!edges || !depth || !queue)
        return 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < DEGREE; k++)
            edges[i * DEGREE + k] = (int)(((unsigned)i * 31u + (unsigned)k * 977u + 1u) % (unsigned)n);
    for (int i = 0; i < n; i++)
        depth[i] = -1;
    queue[0] = 0;
    depth[0] = 0;
    while (head < tail) {
        int at = queue[head++];
        for (int k = 0; k < DEGREE; k++) {
            int to = edges[at * DEGREE + k];
            if (depth[to] < 0) {
                depth[to] = depth[at] + 1;
                queue[tail++] = to;
            }
        }
    }
    for (int i = 0; i < n; i++)
        if (depth[i] > far)
            far = depth[i];
    printf("%d reached, farthest %d\n", tail, far);
    free(edges);
    free(depth);
    free(queue);
    return 0;
}
