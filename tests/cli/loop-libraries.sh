#!/bin/sh
# Loops of shared libraries are judged as the program's own are, whatever folder the library lies in, as long as it has
# lines; of one without, nothing is said that would be true of the call alone.
. "$(dirname "$0")/lib.sh"

mkdir -p bin lib
cat >lib.c <<'END'
#include "lib.h"
static double total;
static unsigned place;
void scale(double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
}
void recur(double *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1] * 0.5;
}
double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
double half(double x)
{
    return x / 2;
}
unsigned next(void)
{
    return place++;
}
void last_of(double x)
{
    total += x;
}
END
cat >lib.h <<'END'
void scale(double *a, const double *b, int n);
void recur(double *a, int n);
double sum(const double *a, int n);
double half(double x);
unsigned next(void);
void last_of(double x);
END
cat >prog.c <<'END'
#include <stdio.h>
#include "lib.h"
static double a[400], b[400];
int main(void)
{
    for (int i = 0; i < 400; i++)
        b[i] = half(i);
    scale(a, b, 400);
    recur(a, 400);
    double s = sum(a, 400);
    for (int i = 0; i < 400; i++)
        a[i] += next();
    for (int i = 0; i < 400; i++)
        last_of(a[i]);
    printf("%g %g\n", s, a[17]);
    return 0;
}
END

verdicts() { # of the loops of a file
    json "[.loops[] | select(.file // \"\" | endswith(\"$1\")) | \"\(.line) \(.verdict)\"] | sort | join(\", \")"
}

judge() { # options of the library's compiler, then of record
    gcc -O1 $1 -shared -fPIC lib.c -o lib/libown.so && gcc -O1 -g prog.c -o bin/prog -Llib -lown -Wl,-rpath,"$PWD/lib" || exit 99
    shift
    cc record -q --loops dependences "$@" -o p.cast -- bin/prog
    cc report --view loops --json p.cast
}

judge -g
is "$(verdicts lib.c)" "11 sequential, 17 reduction, 6 parallel" "a library in another folder"
is "$(verdicts prog.c)" "11 sequential, 13 sequential, 6 parallel" "loops that call it"
is "$(json '.loops[] | select(.line == 11 and .function == "recur") | .sentence | test("line 12")')" true "it tells the line"
judge ""
is "$(json '[.loops[] | select(.function == "scale" or .function == "recur" or .function == "sum") | .verdict] | unique | join(" ")')" unknown \
    "a library without lines"
is "$(json '[.loops[] | select(.function == "recur") | .sentence | test("-g")] | all')" true "it says what would help"
is "$(verdicts prog.c)" "11 ordered, 13 ordered, 6 parallel" "calls that keep something"
judge -g --libs caller
is "$(verdicts prog.c)" "11 ordered, 13 ordered, 6 unknown" "charged to its callers"
done_testing
