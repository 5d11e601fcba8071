#!/bin/sh
# A tree that was compiled in one folder and is looked at in another (a clone, a machine that only shows): --source
# says where it is, however the compiler wrote its names. What tells that it is the same is its content, not its time.
. "$(dirname "$0")/lib.sh"

mkdir -p was/src was/include
echo '#define N 4000' >was/include/size.h
cat >was/src/scale.c <<'END'
#include <stdio.h>
#include "size.h"
static double a[N], b[N];
int main(void)
{
    double t = 0;
    for (int i = 0; i < N; i++)
        a[i] = i * 7919 % 4001;
    for (int r = 0; r < 20; r++)
        for (int i = 0; i < N; i++)
            b[i] = a[i] * 2 + b[i] * r;
    for (int i = 0; i < N; i++)
        t += b[i];
    printf("%g\n", t);
    return 0;
}
END
for how in relative absolute; do
    [ -d was ] || mv is was
    case $how in
    relative) (cd was/src && gcc -O1 -g -I../include scale.c -o ../scale) ;;
    absolute) gcc -O1 -g -I"$PWD/was/include" "$PWD/was/src/scale.c" -o was/scale ;;
    esac
    (cd was && "$CORECAST" record -q --loops dependences --tasks all -o ../p.cast ./scale >out 2>err) || exit 99
    mv was is && touch -d '+1 hour' is/src/scale.c
    cc report --view loops --json p.cast
    is "$(json '[.loops[].source] | any')" false "$how: without its source nothing is asked of it"
    cc report --view loops --source is --json p.cast
    is "$(json '[.loops[] | select(.verdict == "parallel" or .verdict == "reduction") | .source] | all') $(json '[.loops[].pragma // empty] | length')" \
        "true 3" "$how: below another folder it is found, with its headers"
    cc explore --source is p.cast -p cortex-a53-quad --patch p.diff
    (cd is && patch -s -p1 --dry-run <../p.diff) >patched 2>&1
    is "$RC $? $(grep -q '^+ *#pragma omp parallel for' p.diff; echo $?)" "0 0 0" "$how: and a patch is made for it there"
done
echo >>is/src/scale.c
cc report --view loops --source is --json p.cast
is "$(json '[.loops[].source] | any')" false "one that was changed since is not asked"
done_testing
