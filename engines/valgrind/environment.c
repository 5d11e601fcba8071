/* The program's environment as it was before Valgrind was told where its files are and added a library of its
 * own: else the loader looks in that for every symbol, and programs that copy their environment do more. */
#include "engine.h"

void VG_(set_SP)(ThreadId tid, Addr sp);

/* Valgrind's part of LD_PRELOAD comes first; what is left of it is the program's own. True: nothing is. */
static Bool only_preloads_core(HChar *text)
{
    static const HChar name[] = "LD_PRELOAD=";
    HChar *value = text + sizeof name - 1, *core, *rest;
    if (VG_(strncmp)(text, name, sizeof name - 1) != 0 || !(core = VG_(strstr)(value, "/vgpreload_core-")))
        return False;
    rest = VG_(strchr)(value, ':');
    if (!rest)
        return True;
    if (core < rest)
        VG_(memmove)(value, rest + 1, VG_(strlen)(rest + 1) + 1);
    return False;
}

/* On the stack are, upwards: the number of arguments, these, 0, the environment, 0, and what must stay where
 * it is. Two words less keep the stack aligned. */
void cc_vg_restore_environment(ThreadId tid)
{
    enum { MOST = 2 };
    UWord *stack = (UWord *)VG_(get_SP)(tid), *all = stack + stack[0] + 2, n = 0, at[MOST], found = 0;
    for (; all[n]; n++) {
        Bool added = only_preloads_core((HChar *)all[n]) ||
                     VG_(strncmp)((HChar *)all[n], "VALGRIND_LIB=", VG_(strlen)("VALGRIND_LIB=")) == 0;
        if (added && found < MOST)
            at[found++] = n;
    }
    if (found != MOST || (HChar **)all != VG_(client_envp))
        return;
    UWord to = n;
    for (UWord i = n; i-- > 0;)
        if (i != at[0] && i != at[1])
            all[--to] = all[i];
    VG_(memmove)(stack + MOST, stack, (stack[0] + 2) * sizeof *stack);
    VG_(client_envp) += MOST;
    VG_(set_SP)(tid, (Addr)(stack + MOST));
}
