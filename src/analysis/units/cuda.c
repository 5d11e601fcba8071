/* Level 2 on an NVIDIA GPU, through the driver API loaded at run time: no CUDA is needed to build. Kernels
 * are PTX text, compiled by the driver for whatever device is there. */
#include "measure.h"
#include "../../base/text.h"

#include <dlfcn.h>
#include <math.h>

/* The part of cuda.h that is used. */
typedef int CUresult;
typedef int CUdevice;
typedef void *CUcontext, *CUmodule, *CUfunction, *CUevent, *CUstream;
typedef unsigned long long CUdeviceptr;
enum { CU_CLOCK_RATE = 13, CU_MULTIPROCESSORS = 16, CU_MAJOR = 75, CU_MINOR = 76 };

struct cuda {
    void *library;
    CUresult (*init)(unsigned);
    CUresult (*device_get)(CUdevice *, int);
    CUresult (*device_count)(int *);
    CUresult (*device_name)(char *, int, CUdevice);
    CUresult (*device_attribute)(int *, int, CUdevice);
    CUresult (*context_retain)(CUcontext *, CUdevice);
    CUresult (*context_set)(CUcontext);
    CUresult (*context_release)(CUdevice);
    CUresult (*context_synchronize)(void);
    CUresult (*module_load)(CUmodule *, const void *);
    CUresult (*module_unload)(CUmodule);
    CUresult (*module_function)(CUfunction *, CUmodule, const char *);
    CUresult (*alloc)(CUdeviceptr *, size_t);
    CUresult (*release)(CUdeviceptr);
    CUresult (*copy_in)(CUdeviceptr, const void *, size_t);
    CUresult (*copy_out)(void *, CUdeviceptr, size_t);
    CUresult (*copy_device)(CUdeviceptr, CUdeviceptr, size_t);
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       CUstream, void **, void **);
};

static bool load_driver(struct cuda *c)
{
    c->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!c->library)
        return false;
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
        {&c->context_release, "cuDevicePrimaryCtxRelease"},
        {&c->context_synchronize, "cuCtxSynchronize"},
        {&c->module_load, "cuModuleLoadData"},
        {&c->module_unload, "cuModuleUnload"},
        {&c->module_function, "cuModuleGetFunction"},
        {&c->alloc, "cuMemAlloc_v2"},
        {&c->release, "cuMemFree_v2"},
        {&c->copy_in, "cuMemcpyHtoD_v2"},
        {&c->copy_out, "cuMemcpyDtoH_v2"},
        {&c->copy_device, "cuMemcpyDtoD_v2"},
        {&c->launch, "cuLaunchKernel"},
    };
    for (size_t i = 0; i < CC_COUNT(symbols); i++) {
        void *f = dlsym(c->library, symbols[i].name);
        if (!f)
            return false;
        memcpy(symbols[i].slot, &f, sizeof f);
    }
    return c->init(0) == 0;
}

/* Every kernel: eight registers of the class's type per thread, ROUNDS rounds of UNROLL x 8 operations, and
 * the cycles the multiprocessor took, written by the first thread of each block. */
enum { THREADS = 1024, ROUNDS = 1024, UNROLL = 8 };

struct kernel_text {
    const char *name;
    const char *registers; /* declaration */
    const char *setup;
    const char *operation; /* of register %s */
    const char *prefix;    /* of the eight registers */
    const char *move;      /* type of mov that sets them */
    int per_operation;     /* instructions of the class in `operation` */
};

static const struct kernel_text kernels[] = {
    /* add and xor in turn: two of a kind would be merged into one three-operand instruction */
    {"s_int", ".reg .b32 %a<8>;", "", "add.u32 %1$s, %1$s, %%k; xor.b32 %1$s, %1$s, %%m;\n", "%a", "b32", 2},
    {"m_int", ".reg .b32 %a<8>;", "", "mad.lo.u32 %1$s, %1$s, %%k, %%m;\n", "%a", "b32", 1},
    {"float", ".reg .f32 %a<8>;", "", "fma.rn.f32 %1$s, %1$s, %%f, %%f;\n", "%a", "f32", 1},
    {"specific", ".reg .f32 %a<8>;", "", "rsqrt.approx.f32 %1$s, %1$s;\n", "%a", "f32", 1},
    {"address", ".reg .b64 %a<8>;", "", "mad.wide.u32 %1$s, %%k, 4, %1$s; xor.b64 %1$s, %1$s, %%l;\n", "%a",
     "b64", 1},
    /* shared memory; each word holds its own address, so that no load can be foreseen */
    {"load_store", ".reg .b32 %a<8>;", "", "ld.shared.u32 %1$s, [%1$s];\n", "%a", "b32", 1},
};

/* A branch cannot be repeated eight times over registers: its kernel is a loop with one other instruction,
 * whose result keeps the loop alive. */
static const char branch_body[] = "mov.u32 %i, %n;\nshl.b32 %i, %i, 6;\n"
                                  "again:\nmad.lo.u32 %m, %m, %k, %k;\nsub.u32 %i, %i, 1;\n"
                                  "setp.ne.u32 %q, %i, 0;\n@%q bra again;\n";

static void add_kernel(struct cc_buf *b, const struct kernel_text *k)
{
    cc_buf_printf(
        b,
        ".visible .entry %s(.param .u64 out, .param .u32 rounds)\n{\n.reg .pred %%p, %%q;\n"
        ".reg .b32 %%t, %%n, %%k, %%m, %%i, %%s, %%x;\n.reg .f32 %%f;\n.reg .b64 %%o, %%c, %%d, %%l;\n"
        ".shared .align 4 .b8 buffer_%s[4096];\n%s\n"
        "ld.param.u64 %%o, [out];\nld.param.u32 %%n, [rounds];\nmov.u32 %%t, %%tid.x;\n"
        "mov.b32 %%f, 0x3f7fff00;\nadd.u32 %%k, %%t, 3;\nxor.b32 %%m, %%t, 0x5bd1e995;\n"
        "cvt.u64.u32 %%l, %%m;\nshl.b32 %%s, %%t, 2;\nmov.u32 %%x, buffer_%s;\nadd.u32 %%s, %%s, %%x;\n"
        "st.shared.u32 [%%s], %%s;\nbar.sync 0;\nmov.u64 %%c, %%clock64;\n",
        k ? k->name : "branch", k ? k->name : "branch", k ? k->registers : "", k ? k->name : "branch");
    if (!k) {
        cc_buf_puts(b, branch_body);
    } else {
        bool memory = strcmp(k->name, "load_store") == 0;
        const char *convert = strcmp(k->move, "f32") == 0   ? "rn.f32"
                              : strcmp(k->move, "b64") == 0 ? "u64"
                                                            : "u32";
        for (int i = 0; i < 8 && !memory; i++)
            cc_buf_printf(b, "cvt.%s.u32 %s%d, %%t;\n", convert, k->prefix, i);
        for (int i = 0; i < 8 && memory; i++) /* the words of eight different threads */
            cc_buf_printf(b,
                          "add.u32 %%i, %%t, %d;\nand.b32 %%i, %%i, 1023;\nshl.b32 %%i, %%i, 2;\n"
                          "add.u32 %s%d, %%i, %%x;\n",
                          32 * i, k->prefix, i);
        cc_buf_puts(b, "again:\n");
        for (int u = 0; u < UNROLL; u++)
            for (int i = 0; i < 8; i++) {
                char name[8];
                snprintf(name, sizeof name, "%s%d", k->prefix, i);
                cc_buf_printf(b, k->operation, name);
            }
        cc_buf_puts(b, "sub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra again;\n");
    }
    cc_buf_puts(b, "bar.sync 0;\nmov.u64 %d, %clock64;\nsub.u64 %d, %d, %c;\n");
    /* Results must seem used: a store that never happens (no thread has this number). */
    cc_buf_puts(b, "setp.eq.u32 %p, %t, 0xffffffff;\n@!%p bra time;\n");
    if (!k)
        cc_buf_puts(b, "st.global.u32 [%o], %m;\n");
    for (int i = 0; k && i < 8; i++)
        cc_buf_printf(b, "st.global.%s [%%o+%d], %s%d;\n", k->move, 8 * i, k->prefix, i);
    cc_buf_puts(
        b, "time:\nsetp.ne.u32 %p, %t, 0;\n@%p bra done;\nmov.u32 %i, %ctaid.x;\nmul.wide.u32 %l, %i, 8;\n"
           "add.u64 %o, %o, %l;\nst.global.u64 [%o], %d;\ndone:\nret;\n}\n");
}

/* All threads of all blocks add to one word. */
static const char atomic_kernel[] =
    ".visible .entry atomic(.param .u64 out, .param .u32 rounds)\n{\n.reg .pred %p;\n"
    ".reg .b32 %n, %x;\n.reg .b64 %o;\nld.param.u64 %o, [out];\n"
    "ld.param.u32 %n, [rounds];\nagain:\natom.global.add.u32 %x, [%o], 1;\n"
    "sub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra again;\nret;\n}\n"
    ".visible .entry nothing(.param .u64 out, .param .u32 rounds)\n{\nret;\n}\n";

static char *module_text(int major)
{
    /* The oldest PTX that knows a target of the device's generation; the driver compiles it for the device.
     */
    static const struct {
        int major;
        const char *head;
    } heads[] = {{9, "7.8\n.target sm_90"},
                 {8, "7.0\n.target sm_80"},
                 {7, "6.0\n.target sm_70"},
                 {5, "4.0\n.target sm_50"},
                 {0, "3.0\n.target sm_30"}};
    size_t h = 0;
    while (major < heads[h].major)
        h++;
    struct cc_buf b = {0};
    cc_buf_printf(&b, ".version %s\n.address_size 64\n", heads[h].head);
    for (size_t i = 0; i < CC_COUNT(kernels); i++)
        add_kernel(&b, &kernels[i]);
    add_kernel(&b, NULL);
    cc_buf_puts(&b, atomic_kernel);
    return b.s;
}

struct gpu {
    struct cuda api;
    CUdevice device;
    CUmodule module;
    CUdeviceptr out;
    int multiprocessors, khz;
    double clock; /* Hz while the kernels ran, measured */
};

/* Cycles of the slowest block, and the seconds of the launch in *ret_seconds; negative on failure. */
static double launch(struct gpu *g, const char *name, unsigned blocks, unsigned threads, unsigned rounds,
                     double *ret_seconds)
{
    CUfunction f;
    unsigned long long cycles[4096] = {0}, most = 0;
    void *params[] = {&g->out, &rounds};
    if (blocks > CC_COUNT(cycles) || g->api.module_function(&f, g->module, name) != 0)
        return -1;
    double start = cc_measure_now();
    if (g->api.launch(f, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL) != 0 ||
        g->api.context_synchronize() != 0)
        return -1;
    *ret_seconds = cc_measure_now() - start;
    if (g->api.copy_out(cycles, g->out, blocks * sizeof *cycles) != 0)
        return -1;
    for (unsigned i = 0; i < blocks; i++)
        most = CC_MAX(most, cycles[i]);
    return (double)most;
}

/* Instructions of the class per cycle of one multiprocessor: the best of three after one that warms up. */
static double throughput(struct gpu *g, const char *name, int per_operation)
{
    double best = 0, seconds;
    for (int t = 0; t < 4; t++) {
        double cycles = launch(g, name, (unsigned)g->multiprocessors, THREADS, ROUNDS, &seconds);
        if (cycles <= 0)
            return NAN;
        best = fmax(best, (double)THREADS * ROUNDS * UNROLL * 8 * per_operation / cycles);
    }
    return best;
}

/* A long run: its cycles over its seconds. */
static double measured_clock(struct gpu *g)
{
    double seconds, best = 0;
    for (int t = 0; t < 3; t++) {
        double cycles = launch(g, "float", (unsigned)g->multiprocessors, THREADS, 200 * ROUNDS, &seconds);
        if (cycles <= 0)
            return g->khz * 1e3;
        best = fmax(best, cycles / seconds);
    }
    return best;
}

static double copy_bandwidth(struct gpu *g)
{
    enum { BYTES = 256 << 20 };
    CUdeviceptr a = 0, b = 0;
    double best = 0;
    if (g->api.alloc(&a, BYTES) == 0 && g->api.alloc(&b, BYTES) == 0)
        for (int t = 0; t < 4; t++) {
            double start = cc_measure_now();
            for (int i = 0; i < 8; i++)
                if (g->api.copy_device(b, a, BYTES) != 0)
                    return NAN;
            g->api.context_synchronize();
            best = fmax(best, 8.0 * 2 * BYTES / (cc_measure_now() - start));
        }
    if (a)
        g->api.release(a);
    if (b)
        g->api.release(b);
    return best > 0 ? best : NAN;
}

static size_t transfer_curve(struct gpu *g, struct cc_copy_point *out)
{
    enum { LARGEST = 64 << 20 };
    CUdeviceptr d = 0;
    size_t n = 0;
    char *host = cc_alloc(LARGEST);
    memset(host, 1, LARGEST);
    if (g->api.alloc(&d, LARGEST) == 0)
        for (size_t bytes = 4096; bytes <= LARGEST && n < CC_COPY_POINTS; bytes *= 4) {
            double best = INFINITY;
            for (int t = 0; t < 9; t++) {
                double start = cc_measure_now();
                if (g->api.copy_in(d, host, bytes) != 0 || g->api.context_synchronize() != 0)
                    break;
                best = fmin(best, cc_measure_now() - start);
            }
            if (isfinite(best))
                out[n++] = (struct cc_copy_point){(double)bytes, best};
        }
    if (d)
        g->api.release(d);
    free(host);
    return n;
}

static void print_figure(FILE *out, const char *key, double v, const char *comment)
{
    if (isfinite(v) && v > 0)
        fprintf(out, "%s = %.4g%s%s\n", key, v, comment ? " ; " : "", comment ? comment : "");
    else
        fprintf(out, "; %s could not be measured\n", key);
}

static void print_gpu(struct gpu *g, FILE *out, const char *host)
{
    char name[128] = "";
    double seconds = 0, empty = INFINITY;
    g->api.device_name(name, sizeof name - 1, g->device);
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < 32 || (unsigned char)*c > 126)
            *c = ' ';
    g->clock = measured_clock(g);
    fprintf(out, "; %s; throughputs are those of one of its multiprocessors\n[unit.gpu]\nkind = gpu\n", name);
    fprintf(out, "clock_mhz = %.0f ; cycles over seconds of a long kernel\ncores = %d\nsuperscalar = yes\n",
            g->clock / 1e6, g->multiprocessors);
    for (size_t i = 0; i < CC_COUNT(kernels); i++)
        print_figure(out, kernels[i].name, throughput(g, kernels[i].name, kernels[i].per_operation),
                     strcmp(kernels[i].name, "specific") == 0 ? "reciprocal square root" : NULL);
    print_figure(out, "branch", throughput(g, "branch", 1), "a loop with one multiplication");
    print_figure(out, "bandwidth", copy_bandwidth(g), NULL);
    double total = (double)g->multiprocessors * THREADS * 64;
    if (launch(g, "atomic", (unsigned)g->multiprocessors, THREADS, 64, &seconds) >= 0 &&
        launch(g, "atomic", (unsigned)g->multiprocessors, THREADS, 64, &seconds) >= 0)
        print_figure(out, "atomic", seconds / total * g->clock, "all threads on one word");
    for (int t = 0; t < 9; t++)
        if (launch(g, "nothing", 1, 32, 1, &seconds) >= 0)
            empty = fmin(empty, seconds);
    print_figure(out, "barrier", empty * g->clock, "an empty kernel, started and waited for");
    struct cc_copy_point curve[CC_COPY_POINTS];
    size_t n = transfer_curve(g, curve);
    if (n) {
        fprintf(out, "\n; from plain (pageable) host memory\n[link.%s.gpu]\n", host);
        cc_measure_print_points(out, curve, n);
    }
}

static const char *open_gpu(struct gpu *g)
{
    CUcontext context;
    int count = 0, major = 0;
    if (!load_driver(&g->api))
        return "no CUDA driver";
    if (g->api.device_count(&count) != 0 || count == 0 || g->api.device_get(&g->device, 0) != 0)
        return "no CUDA device";
    if (g->api.context_retain(&context, g->device) != 0 || g->api.context_set(context) != 0)
        return "the CUDA device gives no context";
    g->api.device_attribute(&g->multiprocessors, CU_MULTIPROCESSORS, g->device);
    g->api.device_attribute(&g->khz, CU_CLOCK_RATE, g->device);
    g->api.device_attribute(&major, CU_MAJOR, g->device);
    CC_CLEANUP(cc_free_ptr) char *text = module_text(major);
    if (g->api.module_load(&g->module, text) != 0)
        return "the CUDA driver does not compile the kernels";
    if (g->api.alloc(&g->out, 4096 * 8) != 0)
        return "no memory on the CUDA device";
    return NULL;
}

int cc_measure_cuda(FILE *out, const char *host, struct cc_err *err)
{
    (void)err;
    struct gpu g = {0};
    const char *why = open_gpu(&g);
    if (why)
        fprintf(out, "; no [unit.gpu]: %s\n", why);
    else
        print_gpu(&g, out, host);
    if (g.out)
        g.api.release(g.out);
    if (g.module)
        g.api.module_unload(g.module);
    return 0;
}
