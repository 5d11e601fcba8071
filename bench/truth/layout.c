/* Linked in front of a program, this moves all of its code and data to other places: the same program in
 * another layout. LAYOUT says how far. */
__asm__(".text\n.skip " LAYOUT " * 208\n.data\n.skip " LAYOUT " * 336\n.bss\n.skip " LAYOUT " * 1104\n");
