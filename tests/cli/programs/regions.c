/* Marks with known effects: regions PART. Every word is written and read once per call of put and sum. */
#include <corecast/mark.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
enum { N = 1000, FRAMES = 8 };
static int a[N], b[N], c[N];
static volatile int result;

static NOINLINE void put(int *to, int n)
{
    for (int i = 0; i < n; i++)
        ((volatile int *)to)[i] = i;
}

static NOINLINE int sum(const int *from, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += ((const volatile int *)from)[i];
    return s;
}

/* Frame k reads what frame k - 1 wrote to a, what it wrote itself to b, and what frame 1 wrote to c. */
static void frames(void)
{
    for (int k = 1; k <= FRAMES; k++) {
        CC_FRAME();
        CC_REGION_BEGIN("read");
        if (k > 1)
            result += sum(a, N);
        CC_REGION_END("read");
        CC_REGION_BEGIN("write");
        put(a, N);
        put(b, k);
        if (k == 1)
            put(c, N);
        CC_REGION_END("write");
        CC_REGION_BEGIN("use");
        result += sum(b, k);
        result += sum(c, 100);
        CC_REGION_END("use");
    }
}

static NOINLINE void deeper(int depth)
{
    CC_REGION_BEGIN("recursive");
    put(a, 10);
    if (depth > 1)
        deeper(depth - 1);
    CC_REGION_END("recursive");
}

/* outer writes a; inner (inside it) reads a and writes b; outer reads b; a region that calls itself. */
static void nested(void)
{
    CC_REGION_BEGIN("outer");
    put(a, N);
    CC_REGION_BEGIN("inner");
    result += sum(a, N);
    put(b, 500);
    CC_REGION_END("inner");
    result += sum(b, 500);
    CC_REGION_END("outer");
    deeper(5);
    CC_REGION_BEGIN("outer");
    CC_REGION_BEGIN("recursive");
    result += sum(a, 10);
    CC_REGION_END("recursive");
    CC_REGION_END("outer");
}

static void *in_thread(void *which)
{
    if (which) {
        CC_REGION_BEGIN("second");
        for (int i = 0; i < 100; i++)
            put(b, N);
        CC_REGION_END("second");
    } else {
        CC_REGION_BEGIN("first");
        for (int i = 0; i < 100; i++)
            put(a, N);
        CC_REGION_END("first");
    }
    return NULL;
}

static void threads(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, in_thread, NULL);
    pthread_create(&t[1], NULL, in_thread, t);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    CC_REGION_BEGIN("join");
    result += sum(a, N);
    result += sum(b, 300);
    CC_REGION_END("join");
}

static void on_signal(int number)
{
    CC_REGION_BEGIN("handler");
    put(b, number + 100);
    CC_REGION_END("handler");
}

static void signals(void)
{
    signal(SIGUSR1, on_signal);
    CC_REGION_BEGIN("main part");
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR1);
        result += sum(b, SIGUSR1 + 100);
    }
    CC_REGION_END("main part");
}

/* Odd names: quotes, backslash, newline, UTF-8, markup, the empty one, 4 KiB, and one that a graph has. */
static void names(void)
{
    static const char *const odd[] = {"\"quoted\" 'single' \\",
                                      "two\nlines\tand \x1b[31m",
                                      "größe ∑ 帧",
                                      "<b>&amp;%n%s",
                                      "",
                                      "<input>",
                                      "\xff\xfe"};
    char *big = malloc(4097);
    memset(big, 'x', 4096);
    big[4096] = 0;
    for (size_t i = 0; i <= sizeof odd / sizeof odd[0]; i++) {
        const char *name = i < sizeof odd / sizeof odd[0] ? odd[i] : big;
        CC_REGION_BEGIN_NAMED(name);
        put(a, N);
        CC_REGION_END_NAMED(name);
    }
    CC_REGION_BEGIN("50% of \"it\" \\ ünïcode");
    put(a, N);
    CC_REGION_END("50% of \"it\" \\ ünïcode");
    free(big);
}

static void many(int n)
{
    for (int i = 0; i < n; i++) {
        CC_REGION_BEGIN("many");
        result += i;
        CC_REGION_END("many");
    }
}

static void wrong(void)
{
    CC_REGION_END("never begun");
    CC_REGION_BEGIN("left");
    CC_REGION_BEGIN("right");
    put(a, N);
    CC_REGION_END("left"); /* crosses */
    put(b, N);
    CC_REGION_END("right");
    for (int i = 0; i < 3; i++)
        CC_TASK_END("no task");
    CC_REGION_BEGIN("never ended");
    result += sum(b, N);
}

static NOINLINE int heap_reader(const int *from)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        s += ((const volatile int *)from)[i];
    return s;
}

static NOINLINE void stack_writer(volatile int *to)
{
    for (int i = 0; i < N; i++)
        to[i] = i;
}

static NOINLINE int idle(int n)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile("" : "+r"(n));
    return n;
}

static void intensity(void)
{
    int *heap = malloc(sizeof a), local[N];
    memset(heap, 1, sizeof a);
    result += heap_reader(heap);
    stack_writer(local);
    result += local[3] + idle(7);
    free(heap);
}

/* What happens while recording is off counts nowhere, but who wrote stays known. */
static void off(void)
{
    CC_RECORD_OFF();
    CC_REGION_BEGIN("unseen");
    put(a, N);
    for (int i = 0; i < 100; i++)
        result += sum(a, N);
    CC_REGION_END("unseen");
    CC_RECORD_ON();
    CC_REGION_BEGIN("seen");
    result += sum(a, 700);
    put(b, N);
    CC_REGION_END("seen");
    CC_RECORD_OFF();
    result += sum(b, N);
    put(c, N);
    CC_RECORD_ON();
    CC_REGION_BEGIN("after");
    result += sum(b, 600);
    CC_REGION_END("after");
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"frames", frames}, {"nested", nested}, {"threads", threads},     {"signals", signals},
                 {"names", names},   {"wrong", wrong},   {"intensity", intensity}, {"off", off}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(part, parts[i].name) == 0)
            parts[i].run();
    if (strcmp(part, "many") == 0 && argc > 2)
        many(atoi(argv[2]));
    return 0;
}
