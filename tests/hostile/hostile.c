#include "hostile.h"

static int calls;

ALONE int work(int x)
{
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    volatile int sum = 0;
    for (int i = 0; i < 50; i++)
        sum += i ^ x;
    return sum;
}

/* Straight to the descriptor: streams may be gone, and a buffer would be written twice after a fork. */
void say_calls(void)
{
    char line[64];
    int n = snprintf(line, sizeof line, "calls %d\n", __atomic_load_n(&calls, __ATOMIC_RELAXED));
    (void)!write(1, line, (size_t)n);
}

void die(const char *what)
{
    perror(what);
    _exit(99);
}

int main(int argc, char **argv)
{
    static const struct kind *const all[] = {processes, stacks, memory, limits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const struct kind *k = all[i]; k->name; k++) {
            if (argc > 1 && strcmp(argv[1], k->name) == 0) {
                int status = k->run();
                say_calls();
                return status;
            }
            if (argc == 1)
                puts(k->name);
        }
    return argc == 1 ? 0 : 98;
}
