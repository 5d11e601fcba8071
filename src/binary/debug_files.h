/* Debug data that lies in a file of its own. */
#ifndef CC_BINARY_DEBUG_FILES_H
#define CC_BINARY_DEBUG_FILES_H

#include <elfutils/libdwfl.h>

/* For Dwfl_Callbacks: looks as libdwfl does (beside the file, and by build id below /usr/lib/debug), then
 * among what debuginfod's client brought earlier. */
int cc_find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word sum, char **ret_path);

/* All that is told of a unit: itself, or what -gsplit-dwarf put into a file of its own, if that is there. The
 * line table, the folder and the ranges stay with the unit itself. */
Dwarf_Die cc_unit_whole(Dwarf_Die *unit);

#endif
