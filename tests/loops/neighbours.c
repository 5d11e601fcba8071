/* Loops several of whose iterations write one element, by what masks, rests and choices make of the counter:
 * of neighbours a compiler that goes on by several at a time makes the last one only. Those below are free.
 */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { W = 4 };
static int a[600], b[600];

ALONE void meet1(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i & ~1] = b[i];
    }
}
ALONE void meet2(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i & -4] = b[i];
    }
}
ALONE void meet3(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i & ~(W - 1)] = b[i];
    }
}
ALONE void meet4(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i | 1] = b[i];
    }
}
ALONE void meet5(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i | 3] = b[i];
    }
}
ALONE void meet6(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i - i % 4] = b[i];
    }
}
ALONE void meet7(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i - (i & 1)] = b[i];
    }
}
ALONE void meet8(int n)
{
    for (unsigned i = 0; i < n; i++) { /* loop: no */
        a[i / 4 * 4] = b[i];
    }
}
ALONE void meet9(int n)
{
    for (unsigned i = 0; i < n; i++) { /* loop: no */
        a[i >> 1 << 1] = b[i];
    }
}
ALONE void meet10(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int k = i & ~1;
        a[k + 1] = b[i];
    }
}
ALONE void meet11(int *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        *(p + (i & ~1)) = b[i];
    }
}
ALONE void meet12(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int *p = &a[i & ~1];
        *p = b[i];
    }
}
ALONE void meet14(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[(i ^ 1) & ~1] = b[i];
    }
}
ALONE void meet15(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i & 1 ? i - 1 : i] = b[i];
    }
}
ALONE void meet16(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i & 1)
            a[i - 1] = b[i];
        else
            a[i] = b[i];
    }
}
ALONE void meet17(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[k] = b[i];
        k += i & 1;
    }
}
ALONE void meet18(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[(i + 1) / 2] = b[i];
    }
}
ALONE void meet19(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i & 0xfe] = b[i];
    }
}
ALONE void meet20(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[(short)(i & 0xfffc)] = b[i];
    }
}
ALONE void meet22(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i * 2 / 4] = b[i];
    }
}
ALONE void meet25(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i % 2 == 0 ? i : i - 1] = b[i];
    }
}
ALONE void meet26(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i - i % 2] = b[i];
        a[i + 200] = 1;
    }
}
ALONE void meet27(int n)
{
    for (int i = 0; i < n; i += 2) { /* loop: no */
        a[i & ~2] = b[i];
    }
}
ALONE void own1(int n)
{
    for (int i = 0; i < n; i += 2) { /* loop: parallel */
        a[i & ~1] = b[i];
    }
}
ALONE void own2(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[i << 1 | 1] = b[i];
    }
}
ALONE void own3(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[i ^ 1] = b[i];
    }
}
ALONE void own4(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[(i & ~3) + 3 - (i & 3)] = b[i];
    }
}
ALONE void own5(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[i] = b[i & ~1];
    }
}

typedef void loop(int n);

ALONE void own6(int n)
{
    for (int i = 0; i < n; i += 2) /* loop: parallel */
        a[i / 2] = b[i] + b[i + 1];
}
ALONE void own7(int n)
{
    for (int i = 4; i < n; i += 4) { /* loop: parallel */
        a[i >> 1] += b[i];
        a[i >> 1] ^= b[i + 1];
    }
}
ALONE void own8(int n)
{
    for (int i = 1; i < n; i += 8) /* loop: parallel */
        a[i / 4] = a[i / 4] * 2 + b[i];
}
ALONE void half1(int n)
{
    for (int i = -1; i < n; i += 2) /* loop: no */
        a[i / 2] = a[i / 2] * 2 + b[i + 1];
}
ALONE void half2(int n)
{
    for (int i = 0; i < n; i += 2) /* loop: no */
        a[i / 4] = a[i / 4] * 2 + b[i];
}
ALONE void half3(int n)
{
    for (int i = 0; i < 3 * n; i += 2) /* loop: no */
        a[(unsigned char)i / 2] = a[(unsigned char)i / 2] * 2 + b[i & 255];
}
ALONE void half4(int n)
{
    for (int i = 0; i < n; i += 2) /* loop: no */
        a[i / 2] = a[i / 2 + 1] + b[i];
}
ALONE void half5(int n)
{
    for (int i = 2; i < n; i += 2) /* loop: no */
        a[i / 2] = a[i / 2 - 1] * 2 + b[i];
}
ALONE void half6(int n)
{
    for (int i = 0; i < n; i += 3) /* loop: no */
        a[i / 4] = a[i / 4] * 2 + b[i];
}
ALONE void half7(int n)
{
    for (int i = 0; i < n; i += 2) { /* loop: no */
        a[i / 2] = b[i];
        a[i / 3] += 5;
    }
}

int main(int argc, char **argv)
{
    static loop *const loops[] = {meet1,  meet2,  meet3,  meet4,  meet5,  meet6,  meet7,  meet8,
                                  meet9,  meet10, meet12, meet14, meet15, meet16, meet17, meet18,
                                  meet19, meet20, meet22, meet25, meet26, meet27, own1,   own2,
                                  own3,   own4,   own5,   own6,   own7,   own8,   half1,  half2,
                                  half3,  half4,  half5,  half6,  half7};
    int n = 199 + argc;
    (void)argv;
    for (int i = 0; i < 600; i++)
        b[i] = i * 7 % 31;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        loops[i](n);
        digest(a, sizeof a), memset(a, 0, sizeof a);
    }
    meet11(a, n);
    digest(a, sizeof a);
    return finish();
}
