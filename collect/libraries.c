/* Shared libraries that belong to the system or to a language rather than to the program, by their SONAME.
 *
 * Names are whole: nothing is said of "libmath.so" or of "librt.so" without the number that the C library's
 * has. '#' stands for digits and dots, or nothing; '*' for anything. */
#include "internal.h"

static const char *const runtime[] = {
    /* glibc, and the loader on each machine */
    "libc.so.6", "libc.so.6.1", "libm.so.6", "libm.so.6.1", "libmvec.so.1", "libpthread.so.0", "librt.so.1",
    "libdl.so.2", "libutil.so.1", "libanl.so.1", "libresolv.so.2", "libnsl.so.1", "libnss_*",
    "libthread_db.so.1", "libBrokenLocale.so.1", "libc_malloc_debug.so.0", "libmemusage.so",
    "libpcprofile.so", "ld-linux*.so.#", "ld.so.1", "ld64.so.#",
    /* musl, uClibc */
    "libc.so", "ld-musl-*", "libc.musl-*", "ld-uClibc.so.#", "ld64-uClibc.so.#", "libc.so.0", "libc.so.1",
    "libuClibc-*",
    /* of the compilers: gcc's, then clang's */
    "libgcc_s.so.#", "libstdc++.so.#", "libgomp.so.#", "libatomic.so.#", "libitm.so.#", "libssp.so.#",
    "libquadmath.so.#", "libgfortran.so.#", "libobjc.so.#", "libobjc_gc.so.#", "libgnat-#.so#",
    "libgnarl-#.so#", "libasan.so.#", "libhwasan.so.#", "liblsan.so.#", "libtsan.so.#", "libubsan.so.#",
    "libc++.so.#", "libc++abi.so.#", "libunwind.so.1", "libomp.so#", "libomp5.so", "libiomp5.so",
    "libclang_rt.*",
    /* the kernel's, and what Valgrind brings along */
    "linux-vdso.so.1", "linux-gate.so.1", "vgpreload_*"};

static bool is_version(char ch)
{
    return (ch >= '0' && ch <= '9') || ch == '.';
}

/* Patterns have at most one '*', and two '#'; each takes as much as it can. */
static bool matches(const char *name, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '*') {
            do
                if (matches(name, pattern + 1))
                    return true;
            while (*name++);
            return false;
        }
        if (*pattern == '#') {
            size_t n = 0;
            while (is_version(name[n]))
                n++;
            while (n && !matches(name + n, pattern + 1))
                n--;
            name += n;
        } else if (*name++ != *pattern)
            return false;
    }
    return !*name;
}

bool cc_runtime_library(const char *soname)
{
    for (size_t i = 0; i < sizeof runtime / sizeof *runtime; i++)
        if (matches(soname, runtime[i]))
            return true;
    return false;
}
