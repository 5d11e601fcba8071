/* Memory and code. */
#include "hostile.h"

#include <dlfcn.h>
#include <link.h>

static volatile int sink;

#if defined(__aarch64__)
enum { CODE = 2 };
static void emit(uint32_t *to, int value)
{
    to[0] = 0x52800000u | (uint32_t)(value & 0xffff) << 5; /* mov w0, #value */
    to[1] = 0xd65f03c0u;                                   /* ret */
}
#elif defined(__x86_64__)
enum { CODE = 2 };
static void emit(uint32_t *to, int value)
{
    unsigned char code[] = {0xb8, (unsigned char)value, (unsigned char)(value >> 8), 0, 0, 0xc3};
    memcpy(to, code, sizeof code);
}
#elif defined(__arm__)
enum { CODE = 2 };
static void emit(uint32_t *to, int value)
{
    to[0] = 0xe3000000u | (uint32_t)(value >> 12) << 16 | (uint32_t)(value & 0xfff); /* movw r0, #value */
    to[1] = 0xe12fff1eu;                                                             /* bx lr */
}
#elif defined(__riscv)
enum { CODE = 2 };
static void emit(uint32_t *to, int value)
{
    to[0] = 0x00000513u | (uint32_t)(value & 0xfff) << 20; /* li a0, value */
    to[1] = 0x00008067u;                                   /* ret */
}
#elif defined(__mips__)
enum { CODE = 2 };
static void emit(uint32_t *to, int value)
{
    to[0] = 0x03e00008u;                              /* jr ra, before which comes */
    to[1] = 0x24020000u | (uint32_t)(value & 0x7fff); /* li v0, value */
}
#else
#error "no code is made for this machine"
#endif

static uint32_t *code_page(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        die("mmap");
    return p;
}

/* Many functions, each made and called. */
static int jit(void)
{
    enum { N = 500 };
    uint32_t *code = code_page(N * CODE * 4);
    for (int i = 0; i < N; i++)
        emit(code + i * CODE, i);
    __builtin___clear_cache((char *)code, (char *)(code + N * CODE));
    for (int i = 0; i < N; i++) {
        if (((int (*)(void))(code + i * CODE))() != i)
            return 1;
        work(i);
    }
    return 0;
}

/* One place, its code made anew each time; Valgrind sees that where it is told to discard, so the page is
 * another each time its old place is used again. */
static int jit_again(void)
{
    for (int i = 0; i < 200; i++) {
        uint32_t *code = code_page(4096);
        emit(code, i);
        __builtin___clear_cache((char *)code, (char *)(code + CODE));
        int got = ((int (*)(void))code)();
        munmap(code, 4096);
        if (got != i)
            return 1;
        work(i);
    }
    return 0;
}

static int sparse(void)
{
    size_t size = (size_t)64 << 30;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return 0; /* an engine may have less room */
    for (size_t at = 0; at < size; at += (size_t)256 << 20) {
        p[at] = 1;
        sink += p[at];
        work((int)at);
    }
    return 0;
}

static int fixed(void)
{
    char *base = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 200; i++) {
        char *p = mmap(base + (i * 4096L * 37) % (60 << 20), 65536, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (p == MAP_FAILED)
            die("mmap");
        memset(p, i, 65536);
        work(p[1]);
    }
    return 0;
}

static int many_mappings(void)
{
    enum { N = 3000 };
    static char *p[N];
    for (int i = 0; i < N; i++) {
        p[i] =
            mmap(NULL, 4096, i % 2 ? PROT_READ | PROT_WRITE : PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p[i] == MAP_FAILED)
            die("mmap");
        if (i % 2)
            p[i][0] = 1;
    }
    for (int i = 0; i < N; i++)
        munmap(p[i], 4096);
    work(1);
    return 0;
}

static int remaps(void)
{
    size_t size = 4096;
    int *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p[0] = 77;
    for (int i = 0; i < 12; i++) {
        p = mremap(p, size, size * 2, MREMAP_MAYMOVE);
        if (p == MAP_FAILED)
            die("mremap");
        size *= 2;
        p[size / 4 - 1] = i;
        work(p[0]);
    }
    return p[0] == 77 ? 0 : 1;
}

static int breaks(void)
{
    for (int i = 0; i < 50; i++) {
        char *p = sbrk(1 << 16);
        if (p == (void *)-1)
            return 0; /* Valgrind's heap of this kind is small */
        p[0] = 1;
        work(p[0]);
    }
    return 0;
}

static int protects(void)
{
    char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 300; i++) {
        mprotect(p, 4096, PROT_NONE);
        mprotect(p, 4096, PROT_READ | PROT_WRITE);
        p[i] = 1;
        work(p[i]);
    }
    return 0;
}

static int opens_libraries(void)
{
    for (int i = 0; i < 200; i++) {
        void *m = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
        if (!m)
            die("dlopen");
        double (*f)(double) = (double (*)(double))(uintptr_t)dlsym(m, "cos");
        sink += (int)f(0);
        dlclose(m);
        work(i);
    }
    return 0;
}

/* Its own code through the kernel's back door. Nobody promises that a translator sees it; it must only not
 * fall over. */
static int writes_itself(void)
{
    int fd = open("/proc/self/mem", O_RDWR);
    if (fd >= 0) {
        uint64_t word = 0;
        if (pread(fd, &word, sizeof word, (off_t)(uintptr_t)&work) == sizeof word)
            (void)!pwrite(fd, &word, sizeof word, (off_t)(uintptr_t)&work);
        close(fd);
    }
    for (int i = 0; i < 100; i++)
        work(i);
    return 0;
}

static int reads_itself(void)
{
    static const char *const files[] = {"/proc/self/maps", "/proc/self/exe", "/proc/self/auxv",
                                        "/proc/self/status"};
    char block[4096];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int fd = open(files[i], O_RDONLY);
        while (fd >= 0 && read(fd, block, sizeof block) > 0)
            work(block[0]);
        if (fd >= 0)
            close(fd);
    }
    return 0;
}

static int heap_storm(void)
{
    enum { N = 4096 };
    static void *p[N];
    unsigned r = 1;
    for (int i = 0; i < 40000; i++) {
        r = r * 1664525u + 1013904223u;
        unsigned k = r >> 20 & (N - 1);
        if (p[k]) {
            free(p[k]);
            p[k] = NULL;
        } else {
            p[k] = malloc(r >> 8 & 8191);
        }
    }
    work(1);
    return 0;
}

static int edges(void)
{
    char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(p + 4096, 4096);
    for (int i = 0; i < 64; i++) {
        uint64_t v;
        memcpy(p + 4096 - 8 - i, "12345678", 8);
        memcpy(&v, p + 4096 - 8 - i, 8);
        sink += (int)v;
        p[2 * 4096] = 1;
        work(i);
    }
    return 0;
}

static int no_dynamic_linker_data(void)
{
    struct link_map *m = dlopen(NULL, RTLD_NOW);
    sink += m != NULL;
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

const struct kind memory[] = {
    {"jit", jit},
    {"jit-again", jit_again},
    {"sparse", sparse},
    {"fixed", fixed},
    {"many-mappings", many_mappings},
    {"remap", remaps},
    {"brk", breaks},
    {"protect", protects},
    {"dlopen", opens_libraries},
    {"write-itself", writes_itself},
    {"read-itself", reads_itself},
    {"heap-storm", heap_storm},
    {"page-edges", edges},
    {"dlopen-self", no_dynamic_linker_data},
    {NULL, NULL},
};
