/* What --version says, from git or the tarball (tools/version.sh): the exact tree. Files name CC_VERSION, the
 * release. */
#ifndef CC_CLI_VERSION_H
#define CC_CLI_VERSION_H

extern const char cc_exact_version[];

#endif
