#!/bin/sh
# Functions of a header in another folder are the program's as those of its own file are: what they keep, once they
# are put into a loop, is in no load or store of it.
. "$(dirname "$0")/lib.sh"

mkdir -p src include/deep
cat >include/deep/keep.h <<'END'
static inline int number(void)
{
    static int last;
    return last++;
}
static inline void mark(int *to, int i)
{
    to[0] = i;
}
static inline double half(double x)
{
    return x / 2;
}
END
cat >src/main.c <<'END'
#include <stdio.h>
#include "deep/keep.h"
static double a[4000], b[4000];
int main(void)
{
    int t[2] = {0, 0};
    for (int i = 0; i < 4000; i++)
        b[i] = half(i);
    for (int i = 0; i < 4000; i++)
        a[i] = b[i] + number();
    for (int i = 0; i < 4000; i++) {
        mark(t, i);
        a[i] += b[i] * t[0];
    }
    printf("%g %d\n", a[17], t[0]);
    return 0;
}
END
cp src/main.c src/main.cc
for how in gcc/main.c g++/main.cc; do
    ${how%/*} -O2 -g -Iinclude "src/${how#*/}" -o prog || exit 99
    cc record -q --loops dependences -o p.cast -- ./prog
    cc report --view loops --json p.cast
    is "$(json '[.loops[] | "\(.line) \(.verdict)"] | sort | join(", ")')" "11 unknown, 7 parallel, 9 unknown" "$how"
done
# build tools give compilers whole paths: where these ran is not in the binary then
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -O2 -g -Iinclude "$PWD/src/main.c" -o prog || exit 99
    cc record -q --loops dependences -o p.cast -- ./prog
    cc report --view loops --json p.cast
    is "$(json '[.loops[] | "\(.line) \(.verdict) \(.source)"] | sort | join(", ")')" "11 unknown true, 7 parallel true, 9 unknown true" "$compiler with a whole path: headers beside the source's folder"
done
# what is not found, or was compiled by itself and put in by the linker, has a body that nobody could read
gcc -O2 -g -Iinclude src/main.c -o prog || exit 99
cc record -q --loops dependences -o p.cast -- ./prog
mv include/deep/keep.h gone.h
cc report --view loops --json p.cast
is "$(json '[.loops[] | "\(.line) \(.verdict)"] | sort | join(", ")')" "11 unknown, 7 unknown, 9 unknown" "the header is gone"
cat >src/apart.c <<'END'
int number(void)
{
    static int last;
    return last++;
}
END
cat >src/whole.c <<'END'
#include <stdio.h>
int number(void);
static double a[4000];
int main(void)
{
    for (int i = 0; i < 4000; i++)
        a[i] = i + number();
    printf("%g\n", a[17]);
    return 0;
}
END
for how in -fno-lto/sequential -flto/unknown; do
    gcc -O2 -g "${how%/*}" src/apart.c src/whole.c -o prog || exit 99
    cc record -q --loops dependences -o p.cast -- ./prog
    cc report --view loops --json p.cast
    is "$(json '.loops[] | select(.line == 6) | .verdict')" "${how#*/}" "$how"
done
# whatever name the compiler was given for the file, the loads of its methods are found
cat >src/moved.cc <<'END'
#include <cstdio>
#include <vector>
struct body {
    double x, v;
    void move(double dt) { x += v * dt; }
};
__attribute__((noinline)) static void move_all(std::vector<body> &all, double dt)
{
    for (auto &b : all)
        b.move(dt);
}
int main()
{
    std::vector<body> all(500, body{1, 2});
    move_all(all, 0.1);
    printf("%g\n", all[3].x);
    return 0;
}
END
for name in src/moved.cc ./src/moved.cc "$PWD/src/moved.cc"; do
    g++ -O2 -g "$name" -o prog || exit 99
    cc record -q --loops dependences -o p.cast -- ./prog
    cc report --view loops --json p.cast
    is "$(json '.loops[] | select(.line == 9) | .verdict')" parallel "compiled as ${name#"$PWD"}"
done
# a header with a function of a thousand loops, of which none ran, takes neither half a minute nor the source away
{
    echo 'static void large(double *a, int n) {'
    i=0
    while [ $i -lt 1000 ]; do
        echo "int k$i = n + $i; for (int i = 0; i < k$i; i++) a[i] += k$i;"
        i=$((i + 1))
    done
    echo '}'
} >include/deep/large.h
cat >src/beside.c <<'END'
#include "deep/large.h"
static double a[4000];
int main(int argc, char **argv)
{
    for (int i = 0; i < 4000; i++)
        a[i] = i;
    if (argc > 1)
        large(a, argc);
    return a[7] > 8;
}
END
gcc -O1 -g -Iinclude src/beside.c -o prog || exit 99
cc record -q --loops dependences -o p.cast -- ./prog
cc report --view loops --json p.cast
is "$(json '.loops[] | select(.line == 5) | "\(.verdict) \(.source)"')" "parallel true" "a large function beside the loop"
done_testing
