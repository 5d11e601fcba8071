/* Linked in front of a program and again behind it, this moves all of its code and data to other places, the
 * libraries' by twice as much, and what the runtime takes from the heap by some lines: the same program in
 * another layout. LAYOUT says how far. */
#include <stdlib.h>
__asm__(".text\n.skip " LAYOUT " * 208\n.data\n.skip " LAYOUT " * 336\n.bss\n.skip " LAYOUT
        " * 1104\n.text\n");

static void *volatile layout_block; /* it stays */

__attribute__((constructor)) static void move_heap(void)
{
    layout_block = malloc(64 * 3 * (size_t)(LAYOUT[0] - '0'));
}
