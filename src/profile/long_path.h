/* SQLite takes paths of up to 512 bytes, which is less than file systems do. */
#ifndef CC_PROFILE_LONG_PATH_H
#define CC_PROFILE_LONG_PATH_H

/* The name of a VFS like the usual one, for databases without a journal, whose paths may be as long as any.
 */
const char *cc_long_path_vfs(void);

#endif
