/* Linked into every unit test: files of tests need not survive a power cut, and waiting for the disk was most
 * of the time of those that write thousands. That the tool syncs, and what it does when that fails, is tried
 * by tests/faults and tests/cli/salvage.sh. SQLite calls these as well. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((weak)) int fsync(int fd) /* test_store.c has one that counts */
{
    return fcntl(fd, F_GETFD) < 0 ? -1 : 0; /* a descriptor that is none still fails */
}

__attribute__((weak)) int fdatasync(int fd)
{
    return fsync(fd);
}
