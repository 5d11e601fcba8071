/* Functions of a file where it is mapped, and of damaged copies of it. */
#include "symbols.h"
#include "tap.h"

#include <inttypes.h>
#include <unistd.h>

static uint64_t found, told_in_all;

void landmark(void); /* what is looked for */
void landmark(void)
{
    told_in_all++;
}

static void told(uint64_t address, const char *name)
{
    told_in_all++;
    if (strcmp(name, "landmark") == 0)
        found = address;
}

/* Where this program's file lies, and its bytes. */
static char *own_file(uint64_t *from, uint64_t *offset, size_t *size)
{
    static char bytes[1 << 22];
    char line[512], path[512];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    FILE *maps = fopen("/proc/self/maps", "r"), *f = fopen("/proc/self/exe", "rb");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, path)) {
            sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64, from, offset);
            break;
        }
    *size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (maps)
        fclose(maps);
    if (f)
        fclose(f);
    return bytes;
}

static void save(const char *path, const char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(bytes, 1, size, f);
        fclose(f);
    }
}

int main(void)
{
    uint64_t from = 0, offset = 0, state = 1;
    size_t size;
    char *bytes = own_file(&from, &offset, &size), path[] = "/tmp/corecast-symbols-XXXXXX";
    int fd = mkstemp(path), rounds = tap_rounds(100);
    symbols_read("/proc/self/exe", from, offset, told);
    OK_U64(found, (uint64_t)(uintptr_t)landmark, "a function is found where it is");
    told_in_all = 0;
    symbols_read("/nowhere", from, offset, told);
    symbols_read("/", from, offset, told);
    save(path, "short", 5);
    symbols_read(path, from, offset, told);
    OK_U64(told_in_all, 0, "no file, a folder and a short file have none");
    for (int i = 0; i < rounds; i++) {
        char kept[4];
        size_t at[4];
        for (int k = 0; k < 4; k++) { /* headers are hit more often than they are large */
            state = state * 6364136223846793005u + 1442695040888963407u;
            at[k] = (state >> 33) % (k % 2 ? size : k ? 1024 : 64);
            kept[k] = bytes[at[k]];
            bytes[at[k]] = (char)(state >> 25);
        }
        bytes[0] = 0x7f;
        save(path, bytes, i % 3 ? size : (state >> 33) % size);
        symbols_read(path, from, offset, told);
        for (int k = 4; k-- > 0;)
            bytes[at[k]] = kept[k];
    }
    OK(told_in_all > 0, "%d damaged copies are read without harm", rounds);
    close(fd);
    unlink(path);
    return TAP_DONE();
}
