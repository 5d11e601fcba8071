#!/bin/sh
# include/corecast/mark.h: every compiler at hand, every optimisation level and link form gives the right notes.
. "$(dirname "$0")/lib.sh"
cat >m.c <<'END'
#include <corecast/mark.h>
#include <stdio.h>
#include <stdlib.h>
#define NAME "mac" "ro"
static inline int work(int n)
{
    int s = 0;
    CC_TASK_BEGIN("50% of \"it\" \\ ünïcode");
    for (int i = 0; i < n; i++)
        s += i * i;
    CC_TASK_END("50% of \"it\" \\ ünïcode");
    return s;
}
int main(int argc, char **argv)
{
    char *p = (char *)malloc(100);
    CC_OBJECT(p, 100, "buffer");
    CC_REGION_BEGIN(NAME);
    CC_REGION_END(NAME);
    int s = 0;
    for (int f = 0; f < 3; f++) {
        CC_FRAME();
        s += work(argc * 10 + f);
    }
    CC_RECORD_OFF();
    CC_RECORD_ON();
    CC_REGION_BEGIN_NAMED(argv[0]);
    CC_REGION_END_NAMED(argv[0]);
    printf("%d\n", s);
    free(p);
    return 0;
}
END
cat >want <<'END'
frame: @m.c:22
object:REG
record_off: @m.c:25
record_on: @m.c:26
region_begin:macro @m.c:18
region_begin_named:REG
region_end:macro @m.c:19
region_end_named:REG
task_begin:50% of "it" \ ünïcode @m.c:8
task_end:50% of "it" \ ünïcode @m.c:11
END
notes() { # notes FILE: kind:arguments of each mark, each once (inlining and unrolling copy marks)
    readelf -n "$1" | awk '/Provider: /{p=$2} /Name: /{k=$2} /Arguments:/{sub(/^ *Arguments: /,""); if (p=="corecast") print k ":" $0}' |
        sed -E 's/^([a-z_]+):[48]@.+/\1:REG/' | LC_ALL=C sort -u
}
try() { # try COMPILER FLAGS
    if $1 $2 -Wall -Wextra -Werror -I "$SOURCE/include" m.c -o m 2>err && [ "$(notes m)" = "$(cat want)" ]; then return 0; fi
    notes m | diff - want | sed 's/^/# /'
    return 1
}
for cc in gcc clang g++ x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc "arm-linux-gnueabihf-gcc -marm" \
    riscv64-linux-gnu-gcc mipsel-linux-gnu-gcc mips-linux-gnu-gcc; do
    command -v ${cc%% *} >/dev/null || { skip "$cc" "no such compiler here"; continue; }
    bad=""
    for flags in -O0 -O1 "-O2 -static" "-O3 -fPIC -shared" "-O2 -flto" "-Os -no-pie" "-O3 -ffunction-sections -Wl,--gc-sections"; do
        try "$cc" "$flags" || bad="$bad [$flags]"
    done
    is "$bad" "" "$cc: notes right at every level and link form"
done
gcc -O2 -I "$SOURCE/include" m.c -o m && gcc -O2 -DCORECAST_OFF -I "$SOURCE/include" m.c -o off
is "$(./m)" "$(./off)" "marks do not change the program"
is "$(readelf -n off | grep -c corecast)" 0 "CORECAST_OFF leaves nothing"
# A plain mark costs one no-op: the code of an empty function grows by that alone.
printf '#include <corecast/mark.h>\nvoid f(void);\nvoid f(void){CC_REGION_BEGIN("a");CC_FRAME();CC_REGION_END("a");}\n' >f.c
gcc -O2 -I "$SOURCE/include" -c f.c -o f.o
is "$(objdump -d f.o | grep -c '[[:space:]]nop$')" 3 "three marks are three no-ops"
printf '#include <corecast/mark.h>\nvoid f(const char *n);\nvoid f(const char *n){CC_REGION_BEGIN(n);}\n' >g.c
gcc -I "$SOURCE/include" -c g.c 2>err; [ $? -ne 0 ]; ok $? "a name that is no literal is a compile error"
# Inline functions shared by two units: one copy of code, no note left behind for the dropped one.
printf '#include <corecast/mark.h>\ninline int in(int x){CC_TASK_BEGIN("in");CC_TASK_END("in");return x;}\nint %s(int x){int (*volatile p)(int)=in;return p(x);}\n' a >a.cc
sed 's/int a(/int b(/' a.cc >b.cc; echo 'int a(int);int b(int);int main(){return a(0)+b(0);}' >main.cc
g++ -O1 -I "$SOURCE/include" a.cc b.cc main.cc -o two 2>err
is "$(readelf -n two | grep -c 'Name: task_begin')" 1 "a discarded inline copy takes its note along"
if command -v gdb >/dev/null; then
    is "$(gdb -batch -ex 'info probes stap corecast' ./m 2>/dev/null | grep -c '^stap corecast ')" "$(readelf -n m | grep -c 'Provider: corecast')" "gdb lists every mark"
else skip "gdb lists every mark" "no gdb here"; fi
done_testing
