/* The first NVIDIA GPU as a unit, through the driver's own interface, loaded at run time: no CUDA is needed
 * to build. Kernels are PTX text, which the driver compiles for whatever device is there. A part of units.c,
 * in a file of its own; not compiled apart, so that the program stays one file on the command line.
 */
#ifndef CC_ENGINES_CHARACTERIZE_GPU_H
#define CC_ENGINES_CHARACTERIZE_GPU_H

#include "bench.h"

#include <dlfcn.h>

/* The part of cuda.h that is used. */
typedef int CUresult;
typedef int CUdevice;
typedef void *CUcontext, *CUmodule, *CUfunction, *CUstream;
typedef unsigned long long CUdeviceptr;
enum { CU_MULTIPROCESSORS = 16, CU_MAJOR = 75 };

struct cuda {
    void *library;
    CUresult (*init)(unsigned);
    CUresult (*device_get)(CUdevice *, int);
    CUresult (*device_count)(int *);
    CUresult (*device_name)(char *, int, CUdevice);
    CUresult (*device_attribute)(int *, int, CUdevice);
    CUresult (*context_retain)(CUcontext *, CUdevice);
    CUresult (*context_set)(CUcontext);
    CUresult (*context_synchronize)(void);
    CUresult (*module_load)(CUmodule *, const void *);
    CUresult (*module_function)(CUfunction *, CUmodule, const char *);
    CUresult (*alloc)(CUdeviceptr *, size_t);
    CUresult (*release)(CUdeviceptr);
    CUresult (*copy_in)(CUdeviceptr, const void *, size_t);
    CUresult (*copy_out)(void *, CUdeviceptr, size_t);
    CUresult (*copy_device)(CUdeviceptr, CUdeviceptr, size_t);
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       CUstream, void **, void **);
};

static int cuda_load(struct cuda *c)
{
    c->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!c->library)
        return 0;
    const struct {
        void *slot;
        const char *name;
    } symbols[] = {
        {&c->init, "cuInit"},
        {&c->device_get, "cuDeviceGet"},
        {&c->device_count, "cuDeviceGetCount"},
        {&c->device_name, "cuDeviceGetName"},
        {&c->device_attribute, "cuDeviceGetAttribute"},
        {&c->context_retain, "cuDevicePrimaryCtxRetain"},
        {&c->context_set, "cuCtxSetCurrent"},
        {&c->context_synchronize, "cuCtxSynchronize"},
        {&c->module_load, "cuModuleLoadData"},
        {&c->module_function, "cuModuleGetFunction"},
        {&c->alloc, "cuMemAlloc_v2"},
        {&c->release, "cuMemFree_v2"},
        {&c->copy_in, "cuMemcpyHtoD_v2"},
        {&c->copy_out, "cuMemcpyDtoH_v2"},
        {&c->copy_device, "cuMemcpyDtoD_v2"},
        {&c->launch, "cuLaunchKernel"},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *f = dlsym(c->library, symbols[i].name);
        if (!f)
            return 0;
        memcpy(symbols[i].slot, &f, sizeof f);
    }
    return c->init(0) == 0;
}

/* --- kernels --- */

/* Every kernel: eight registers of the class's type per thread, GPU_ROUNDS rounds of GPU_UNROLL x 8
 * operations, and the cycles the multiprocessor took, written by the first thread of each block. */
enum { GPU_THREADS = 1024, GPU_ROUNDS = 1024, GPU_UNROLL = 8, GPU_BLOCKS = 4096 };

struct gpu_kernel {
    const char *name;
    const char *type;      /* of the eight registers %a0 to %a7 */
    const char *operation; /* on register # */
    int counts;            /* instructions of the class in `operation` */
};

static const struct gpu_kernel gpu_kernels[] = {
    /* add and xor in turn: two of a kind would be merged into one three-operand instruction */
    {"s_int", "b32", "add.u32 #, #, %k; xor.b32 #, #, %m;\n", 2},
    {"m_int", "b32", "mad.lo.u32 #, #, %k, %m;\n", 1},
    {"float", "f32", "fma.rn.f32 #, #, %f, %f;\n", 1},
    {"specific", "f32", "rsqrt.approx.f32 #, #;\n", 1},
    {"address", "b64", "mad.wide.u32 #, %k, 4, #; xor.b64 #, #, %l;\n", 1},
    /* shared memory; each word holds its own address, so that no load can be foreseen */
    {"load_store", "b32", "ld.shared.u32 #, [#];\n", 1},
    /* A branch cannot be repeated over registers: a loop of its own, see gpu_put_branches. */
    {"branch", NULL, NULL, 1},
};

static void gpu_put_head(FILE *out, const struct gpu_kernel *k)
{
    fprintf(out,
            ".visible .entry %s(.param .u64 out, .param .u32 rounds)\n{\n.reg .pred %%p, %%q;\n"
            ".reg .b32 %%t, %%n, %%k, %%m, %%i, %%s, %%x;\n.reg .f32 %%f;\n.reg .b64 %%o, %%c, %%d, %%l;\n"
            ".shared .align 4 .b8 buffer_%s[4096];\n",
            k->name, k->name);
    if (k->type)
        fprintf(out, ".reg .%s %%a<8>;\n", k->type);
    fprintf(out,
            "ld.param.u64 %%o, [out];\nld.param.u32 %%n, [rounds];\nmov.u32 %%t, %%tid.x;\n"
            "mov.b32 %%f, 0x3f7fff00;\nadd.u32 %%k, %%t, 3;\nxor.b32 %%m, %%t, 0x5bd1e995;\n"
            "cvt.u64.u32 %%l, %%m;\nshl.b32 %%s, %%t, 2;\nmov.u32 %%x, buffer_%s;\nadd.u32 %%s, %%s, %%x;\n"
            "st.shared.u32 [%%s], %%s;\nbar.sync 0;\nmov.u64 %%c, %%clock64;\n",
            k->name);
}

static void gpu_put_operations(FILE *out, const struct gpu_kernel *k)
{
    const char *convert = strcmp(k->type, "f32") == 0   ? "rn.f32"
                          : strcmp(k->type, "b64") == 0 ? "u64"
                                                        : "u32";
    for (int i = 0; i < 8; i++)
        if (strcmp(k->name, "load_store") == 0) /* the words of eight different threads */
            fprintf(out,
                    "add.u32 %%i, %%t, %d;\nand.b32 %%i, %%i, 1023;\nshl.b32 %%i, %%i, 2;\n"
                    "add.u32 %%a%d, %%i, %%x;\n",
                    32 * i, i);
        else
            fprintf(out, "cvt.%s.u32 %%a%d, %%t;\n", convert, i);
    fputs("again:\n", out);
    for (int i = 0; i < 8 * GPU_UNROLL; i++)
        for (const char *c = k->operation; *c; c++)
            if (*c == '#')
                fprintf(out, "%%a%d", i % 8);
            else
                fputc(*c, out);
    fputs("sub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra again;\n", out);
}

/* A loop with one other instruction, whose result keeps the loop alive. */
static void gpu_put_branches(FILE *out)
{
    fputs("mov.u32 %i, %n;\nshl.b32 %i, %i, 6;\n"
          "again:\nmad.lo.u32 %m, %m, %k, %k;\nsub.u32 %i, %i, 1;\n"
          "setp.ne.u32 %q, %i, 0;\n@%q bra again;\n",
          out);
}

static void gpu_put_kernel(FILE *out, const struct gpu_kernel *k)
{
    gpu_put_head(out, k);
    if (k->type)
        gpu_put_operations(out, k);
    else
        gpu_put_branches(out);
    fputs("bar.sync 0;\nmov.u64 %d, %clock64;\nsub.u64 %d, %d, %c;\n", out);
    /* Results must seem used: a store that never happens (no thread has this number). */
    fputs("setp.eq.u32 %p, %t, 0xffffffff;\n@!%p bra time;\n", out);
    if (k->type)
        for (int i = 0; i < 8; i++)
            fprintf(out, "st.global.%s [%%o+%d], %%a%d;\n", k->type, 8 * i, i);
    else
        fputs("st.global.u32 [%o], %m;\n", out);
    fputs("time:\nsetp.ne.u32 %p, %t, 0;\n@%p bra done;\nmov.u32 %i, %ctaid.x;\nmul.wide.u32 %l, %i, 8;\n"
          "add.u64 %o, %o, %l;\nst.global.u64 [%o], %d;\ndone:\nret;\n}\n",
          out);
}

/* All threads of all blocks add to one word; and a kernel that does nothing. */
static const char gpu_other_kernels[] =
    ".visible .entry atomic(.param .u64 out, .param .u32 rounds)\n{\n.reg .pred %p;\n"
    ".reg .b32 %n, %x;\n.reg .b64 %o;\nld.param.u64 %o, [out];\n"
    "ld.param.u32 %n, [rounds];\nagain:\natom.global.add.u32 %x, [%o], 1;\n"
    "sub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra again;\nret;\n}\n"
    ".visible .entry nothing(.param .u64 out, .param .u32 rounds)\n{\nret;\n}\n";

/* The oldest PTX that knows a target of the device's generation; the driver compiles it for the device. */
static char *gpu_module_text(int major)
{
    static const struct {
        int major;
        const char *head;
    } heads[] = {{9, "7.8\n.target sm_90"},
                 {8, "7.0\n.target sm_80"},
                 {7, "6.0\n.target sm_70"},
                 {5, "4.0\n.target sm_50"},
                 {0, "3.0\n.target sm_30"}};
    char *text = NULL;
    size_t h = 0, size;
    while (major < heads[h].major)
        h++;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, ".version %s\n.address_size 64\n", heads[h].head);
    for (size_t i = 0; i < sizeof gpu_kernels / sizeof *gpu_kernels; i++)
        gpu_put_kernel(out, &gpu_kernels[i]);
    fputs(gpu_other_kernels, out);
    fclose(out);
    return text;
}

/* --- measuring; what fails gives infinity --- */

struct gpu {
    struct cuda api;
    CUdevice device;
    CUmodule module;
    CUdeviceptr out;
    int multiprocessors;
};

struct gpu_run {
    struct gpu *gpu;
    const char *kernel;
    unsigned blocks, threads, rounds;
    double cycles, ns; /* of the slowest block; of the whole launch */
};

static int gpu_launch(struct gpu_run *r)
{
    struct cuda *api = &r->gpu->api;
    static unsigned long long cycles[GPU_BLOCKS];
    unsigned long long most = 0;
    CUfunction f;
    void *params[] = {&r->gpu->out, &r->rounds};
    if (r->blocks > GPU_BLOCKS || api->module_function(&f, r->gpu->module, r->kernel) != 0)
        return -1;
    double start = bench_now();
    if (api->launch(f, r->blocks, 1, 1, r->threads, 1, 1, 0, NULL, params, NULL) != 0 ||
        api->context_synchronize() != 0)
        return -1;
    r->ns = bench_now() - start;
    if (api->copy_out(cycles, r->gpu->out, r->blocks * sizeof *cycles) != 0)
        return -1;
    for (unsigned i = 0; i < r->blocks; i++)
        most = cycles[i] > most ? cycles[i] : most;
    r->cycles = (double)most;
    return 0;
}

static double gpu_kernel_cycles(void *arg)
{
    struct gpu_run *r = arg;
    return gpu_launch(r) == 0 && r->cycles > 0 ? r->cycles : INFINITY;
}

static double gpu_kernel_ns(void *arg)
{
    struct gpu_run *r = arg;
    return gpu_launch(r) == 0 ? r->ns : INFINITY;
}

/* A long run: its seconds over its cycles. */
static double gpu_cycle_ns(void *arg)
{
    struct gpu_run *r = arg;
    return gpu_launch(r) == 0 && r->cycles > 0 ? r->ns / r->cycles : INFINITY;
}

struct gpu_copy {
    struct cuda *api;
    CUdeviceptr to, from;
    const char *host; /* NULL: from the device's own memory */
    size_t bytes;
    int times; /* before it is waited for */
};

static double gpu_copy_ns(void *arg)
{
    const struct gpu_copy *c = arg;
    double start = bench_now();
    CUresult failed = 0;
    for (int i = 0; i < c->times && !failed; i++)
        failed = c->host ? c->api->copy_in(c->to, c->host, c->bytes)
                         : c->api->copy_device(c->to, c->from, c->bytes);
    if (failed || c->api->context_synchronize() != 0)
        return INFINITY;
    return (bench_now() - start) / c->times;
}

static void gpu_print(const char *key, struct bench_figure f)
{
    if (isfinite(f.median) && f.median > 0)
        bench_print("unit.gpu", key, f);
    else
        printf("# [unit.gpu] %s could not be measured\n", key);
}

static void gpu_throughputs(struct gpu *g)
{
    for (size_t i = 0; i < sizeof gpu_kernels / sizeof *gpu_kernels; i++) {
        const struct gpu_kernel *k = &gpu_kernels[i];
        struct gpu_run r = {g, k->name, (unsigned)g->multiprocessors, GPU_THREADS, GPU_ROUNDS, 0, 0};
        double work = (double)GPU_THREADS * GPU_ROUNDS * GPU_UNROLL * 8 * k->counts;
        gpu_print(k->name, bench_rate(bench_sample(gpu_kernel_cycles, &r, 0), work));
    }
    printf("# [unit.gpu] specific: reciprocal square root; branch: a loop with one multiplication\n");
}

static void gpu_bandwidth(struct gpu *g)
{
    struct gpu_copy c = {&g->api, 0, 0, NULL, (size_t)256 << 20, 8};
    struct bench_figure f = {0};
    if (g->api.alloc(&c.from, c.bytes) == 0 && g->api.alloc(&c.to, c.bytes) == 0)
        f = bench_rate(bench_sample(gpu_copy_ns, &c, 0), 2e9 * (double)c.bytes);
    gpu_print("bandwidth", f);
    g->api.release(c.from);
    g->api.release(c.to);
}

static void gpu_synchronisation(struct gpu *g, double cycle_ns)
{
    enum { ADDITIONS_EACH = 64 };
    struct gpu_run atomic = {g, "atomic", (unsigned)g->multiprocessors, GPU_THREADS, ADDITIONS_EACH, 0, 0};
    struct gpu_run nothing = {g, "nothing", 1, 32, 1, 0, 0};
    double additions = (double)g->multiprocessors * GPU_THREADS * ADDITIONS_EACH;
    struct bench_figure f = bench_sample(gpu_kernel_ns, &atomic, 0);
    gpu_print("atomic", bench_scale(f, 1 / (additions * cycle_ns)));
    f = bench_sample(gpu_kernel_ns, &nothing, 0);
    gpu_print("barrier", bench_scale(f, 1 / cycle_ns));
    printf(
        "# [unit.gpu] atomic: all threads on one word; barrier: an empty kernel, started and waited for\n");
}

static void gpu_transfers(struct gpu *g, const char *host)
{
    enum { LARGEST = 64 << 20 };
    char *from = calloc(1, LARGEST);
    struct gpu_copy c = {.api = &g->api, .host = from, .bytes = 4096, .times = 1};
    int n = 0;
    if (from && g->api.alloc(&c.to, LARGEST) == 0)
        for (; c.bytes <= LARGEST; c.bytes *= 4) {
            double ns = bench_sample(gpu_copy_ns, &c, 0).median;
            if (!isfinite(ns))
                continue;
            if (n++ == 0)
                printf("# [link.%s.gpu] is from plain (pageable) host memory\ntext link.%s.gpu points", host,
                       host);
            printf(" %zu:%.4g", c.bytes, ns * 1e-9);
        }
    if (n)
        printf("\n");
    g->api.release(c.to);
    free(from);
}

/* NULL, or why there is none. */
static const char *gpu_open(struct gpu *g)
{
    CUcontext context;
    int count = 0, major = 0;
    if (!cuda_load(&g->api))
        return "no CUDA driver";
    if (g->api.device_count(&count) != 0 || count == 0 || g->api.device_get(&g->device, 0) != 0)
        return "no CUDA device";
    if (g->api.context_retain(&context, g->device) != 0 || g->api.context_set(context) != 0)
        return "the CUDA device gives no context";
    g->api.device_attribute(&g->multiprocessors, CU_MULTIPROCESSORS, g->device);
    g->api.device_attribute(&major, CU_MAJOR, g->device);
    char *text = gpu_module_text(major);
    CUresult compiled = text ? g->api.module_load(&g->module, text) : -1;
    free(text);
    if (compiled != 0)
        return "the CUDA driver does not compile the kernels";
    if (g->api.alloc(&g->out, GPU_BLOCKS * sizeof(unsigned long long)) != 0)
        return "no memory on the CUDA device";
    return NULL;
}

/* The sections of the GPU and of its link to unit `host`, or a remark that there is none. */
static void gpu_measure(const char *host)
{
    struct gpu g = {0};
    char name[128] = "";
    const char *why = gpu_open(&g);
    if (why) {
        printf("# no [unit.gpu]: %s\n", why);
        return;
    }
    g.api.device_name(name, sizeof name - 1, g.device);
    for (char *c = name; *c; c++)
        *c = (unsigned char)*c < 32 || (unsigned char)*c > 126 ? ' ' : *c;
    printf("# [unit.gpu] is %s; throughputs are those of one of its multiprocessors\n", name);
    printf("text unit.gpu kind gpu\ntext unit.gpu cores %d\ntext unit.gpu superscalar yes\n",
           g.multiprocessors);
    struct gpu_run run = {&g, "float", (unsigned)g.multiprocessors, GPU_THREADS, 200 * GPU_ROUNDS, 0, 0};
    struct bench_figure cycle = bench_sample(gpu_cycle_ns, &run, 0);
    gpu_print("clock_mhz", bench_rate(cycle, 1000));
    printf("# [unit.gpu] clock_mhz: cycles over seconds of a long kernel\n");
    gpu_throughputs(&g);
    gpu_bandwidth(&g);
    gpu_synchronisation(&g, cycle.median);
    gpu_transfers(&g, host);
    g.api.release(g.out);
}

#endif
