/* The files of the page: what the rooms read there instead of a disk. */
#ifndef CC_PAGE_WASM_FILES_H
#define CC_PAGE_WASM_FILES_H

/* Replaced if there is one of this name. Platforms that ship with the tool are "own/NAME.ini". */
void cc_files_put(const char *name, const char *text);

#endif
