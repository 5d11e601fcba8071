/* A program and the libraries that it brings along, one of this file's parts each: tests/cli/libs.sh. In C++
 * it uses that language's library as well. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <sys/mman.h>

#ifdef __cplusplus
#include <stdexcept>
extern "C" {
#endif

#define APART __attribute__((noinline, noclone))

#ifdef CALC /* pow is libm's */
double calc_root(double x);

APART double calc_step(double x)
{
    volatile double y = x;
    return pow(y, 0.5) + 1;
}

double calc_root(double x)
{
    return calc_step(x) + calc_step(x + 1);
}
#elif defined MATH
long math_sum(long n);

APART long math_add(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum = sum + i;
    return sum;
}

long math_sum(long n)
{
#ifdef __cplusplus
    std::runtime_error e("sum");
#endif
    return math_add(n) + 1;
}
#elif defined PLUGIN
int plugin_run(int n);

APART int plugin_twice(int n)
{
    volatile int k = n;
    return k + k;
}

int plugin_run(int n)
{
    return plugin_twice(n) + plugin_twice(n + 1);
}
#else
double calc_root(double x);
long math_sum(long n);

APART double use_calc(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += calc_root(i);
    return sum;
}

typedef int plugin_function(int n);

static plugin_function *load(const char *path, void **ret)
{
    *ret = dlopen(path, RTLD_NOW);
    return *ret ? (plugin_function *)dlsym(*ret, "plugin_run") : 0;
}

/* It comes back at another address: something else is where it was. */
APART int use_plugin(const char *path)
{
    void *plugin;
    plugin_function *run = load(path, &plugin), *before = run;
    if (!run)
        return 0;
    int sum = run(1) + run(2);
    dlclose(plugin);
    mmap((void *)((uintptr_t)run & ~(uintptr_t)4095), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    run = load(path, &plugin);
    return run && run != before ? sum + run(3) : 0;
}

int main(int argc, char **argv)
{
    double root = use_calc(7);
    long sum = 0;
    for (int i = 0; i < 5; i++)
        sum += math_sum(100);
    return argc == 2 && root > 7 && sum == 5 * (4950 + 1) && use_plugin(argv[1]) == 2 * (3 + 5 + 7) ? 0 : 1;
}
#endif

#ifdef __cplusplus
}
#endif
