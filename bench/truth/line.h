/* A program's data begins at the same place of caches and banks in all its versions: which variables share a
 * line, and whose bank it is, is part of the program, not chance. (Variables that are set before it runs lie
 * in a section of their own.) The runtime's own data comes behind it; so it does in what measures the
 * runtime, which is compiled with this in front: its lock costs 47 to 161 ns on two cores of manycore by
 * the bank that it belongs to. */
static char truth_line[64] __attribute__((aligned(65536), used));
static char truth_line_set[64] __attribute__((aligned(65536), used)) = {1};
