/* Loops with counts in closed form, whatever the compiler makes of them: OPAQUE hides from it how far a
 * variable has come. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline, noclone, used))
#ifdef __clang__
#undef KEEP
#define KEEP __attribute__((noinline, used))
#endif
#define OPAQUE(v) __asm__ volatile("" : "+r"(v)::"memory")

static int sink;

KEEP void plain(int n)
{
    for (int i = 0; i < n; i++) /* plain */
        OPAQUE(i);
}

KEEP void backwards(int n)
{
    while (n-- > 0) /* backwards */
        OPAQUE(n);
}

KEEP void until(int n)
{
    do {
        OPAQUE(n);
    } while (--n > 0); /* until */
}

KEEP void triangle(int n)
{
    for (int i = 0; i < n; i++) { /* outer */
        OPAQUE(i);
        for (int j = 0; j < i; j++) /* inner */
            OPAQUE(j);
    }
}

KEEP void leaves(int n)
{
    for (int i = 0; i < n; i++) { /* skips */
        OPAQUE(i);
        if (i % 3 == 0)
            continue;
        for (int j = 0; j < n; j++) { /* breaks */
            OPAQUE(j);
            if (j == i)
                break;
            if (i == 7 && j == 5)
                goto out;
        }
    }
out:
    sink++;
}

KEEP int choose(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* cases */
        OPAQUE(i);
        switch (i % 8) {
        case 0:
            s += 3;
            OPAQUE(s);
            break;
        case 1:
            s *= 5;
            OPAQUE(s); /* and on */
        case 2:
            s ^= 9;
            OPAQUE(s);
            break;
        case 3:
            s -= 2;
            OPAQUE(s);
            break;
        case 4:
            s <<= 1;
            OPAQUE(s);
            break;
        case 5:
            OPAQUE(s);
            continue;
        case 6:
            s++;
            OPAQUE(s);
            break;
        default:
            s = s ? 1 : 2;
            OPAQUE(s);
        }
    }
    return s;
}

KEEP int recurse(int depth)
{
    int s = 1;
    for (int i = 0; i < depth; i++) { /* recursion */
        OPAQUE(i);
        s += recurse(depth - 1);
    }
    return s;
}

static int *now, *then;
static inline __attribute__((always_inline)) void step(int n)
{
    for (int i = 0; i < n; i++) /* steps */
        then[i] = now[i] + 1;
    int *was = now;
    now = then;
    then = was;
}

KEEP void tell(int g)
{
    OPAQUE(g);
    sink++;
}

/* Two ways round, each with a test of its own, and the end of each in the inlined function. */
KEEP int generations(int n)
{
    int a[64] = {0}, b[64] = {0}, s = 0;
    now = a;
    then = b;
    for (int g = 0; g < n; g++) { /* copied */
        step(64);
        for (int i = 0; i < 64; i++)
            s += now[i];
        if (g % 5 == 4)
            tell(s);
    }
    return s;
}

static jmp_buf home;
KEEP void deep(int n)
{
    for (int i = 0;; i++) {
        OPAQUE(i);
        if (i == n) /* deep */
            longjmp(home, 1);
        OPAQUE(i);
    }
}

KEEP void jumps(int n)
{
    for (int k = 0; k < n; k++) { /* jumps */
        OPAQUE(k);
        if (setjmp(home) == 0)
            for (int i = 0; i < n; i++) { /* jumped */
                OPAQUE(i);
                if (i == 5)
                    deep(n);
            }
    }
}

KEEP void *work(void *arg)
{
    int n = *(int *)arg;
    for (int i = 0; i < n; i++) /* threads */
        OPAQUE(i);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20, counts[3] = {n, 2 * n, 3 * n};
    pthread_t t[3];
    plain(n);
    plain(0);
    sink += generations(n);
    plain(2 * n);
    backwards(n);
    until(n);
    triangle(n);
    leaves(n);
    sink += choose(n);
    recurse(5);
    jumps(n);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, &counts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
