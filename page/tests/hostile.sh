#!/bin/sh
# A program whose functions have the names that pages break on: quotes, the end of a script, marks that turn text around, 4 KiB; with a
# loop that could run in parallel and one that could not.   hostile.sh >hostile.c
long=$(awk 'BEGIN { for (i = 0; i < 409; i++) printf "long_name_"; print "end" }')
cat <<END
#include <stdio.h>
#include <stdlib.h>
enum { N = 20000 };
static int *a, *b, *c;
#define NAMED(name) __asm__("\"" name "\"") __attribute__((noinline, noclone))
void markup(void) NAMED("</script><img src=x onerror=hacked=1><script>hacked=1</script>");
void quotes(void) NAMED("it's \\\\\"quoted\\\\\" & <b>bold</b> \`tick\` \${x}");
void turned(void) NAMED("safe\\u202egnp.exe\\u200f\\u2066");
void formula(void) NAMED("=cmd|' /C calc'!A0");
void endless(void) NAMED("$long");
void markup(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i * 7;
}
void quotes(void)
{
    for (int i = 0; i < N; i++)
        b[i] = a[i] * 3 + 1;
}
void turned(void)
{
    for (int i = 1; i < N; i++)
        c[i] = c[i - 1] / 2 + b[i];
}
void formula(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += c[i];
    a[0] = sum;
}
void endless(void)
{
    printf("%d\\n", a[0]); /* </script><script>hacked=1</script> */
}
int main(void)
{
    a = malloc(N * sizeof *a), b = malloc(N * sizeof *b), c = calloc(N, sizeof *c);
    /* by their addresses: the assembler of x86-64 takes no such name behind a call */
    static void (*volatile all[])(void) = {markup, quotes, turned, formula, endless};
    for (int i = 0; i < 5; i++)
        all[i]();
    free(a), free(b), free(c);
    return 0;
}
END
