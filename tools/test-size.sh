#!/bin/sh
# The check of sizes finds what it is for, in a made-up tree.
tool=$(realpath "$(dirname "$0")/check-size.sh")
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
cd "$tree" || exit 1
mkdir src
n=0; bad=0
report() { # report STATUS WHAT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi
}
lines() { i=0; while [ $i -lt "$1" ]; do echo "    x++;"; i=$((i + 1)); done; }
passes() { "$tool" "$tree" >out; report $? "$1"; }
fails() { ! "$tool" "$tree" >out && grep -qF "$1" out; report $? "$2"; }

{ echo 'static int sums(int a, int (*f)(int, int), const char *b,'; echo '                int c, int d, int e, int g)'; echo '{'; lines 56; echo '}'; } >src/x.c
passes "60 lines, 7 parameters, one of them a function"
{ echo 'static int sums(int a, int b)'; echo '{'; lines 58; echo '}'; } >src/x.c
fails "src/x.c:1: sums has 61 lines" "61 lines"
printf 'int y;\n\nstatic void wide(int a, int b, int c, int d,\n                 int e, int f, int g, int h)\n{\n}\n' >src/x.c
fails "src/x.c:3: wide has 8 parameters" "8 parameters, over two lines"
printf '#define TWICE(a) \\\n    a a\nint none(void)\n{\n}\nstruct s {\n    int a, b, c, d, e, f, g, h, i;\n};\n' >src/x.c
lines 790 >>src/x.c
passes "a file of 798 lines"
lines 3 >>src/x.c
fails "src/x.c has 801 lines" "and of 801"
printf 'int none(void)\n{\n}\n' >src/x.c
mkdir docs && : >docs/page.md
fails "docs/page.md" "a page that is empty"
lines 900 >docs/page.md
passes "and one of 900 lines"
echo 'int x;' >src/x.c
fails "0 functions were found" "a tree without functions"
echo "1..$n"
exit $bad
