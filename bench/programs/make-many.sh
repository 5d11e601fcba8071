#!/bin/sh
# Writes a C program of N functions (default 5000) that call each other five deep, so that there are 5 N calling contexts. Forty
# functions share some data, and all read a small table.   make-many.sh [N] >many.c
awk -v n="${1:-5000}" 'BEGIN {
    print "#include <stdio.h>\n#include <stdlib.h>\nstatic long pool[16384], table_of_all[64];"
    for (i = 0; i < n; i++) printf "long f%d(long x, int depth);\n", i
    for (i = 0; i < n; i++) {
        printf "__attribute__((noinline)) long f%d(long x, int depth)\n{\n", i
        printf "    long *p = &pool[%d + (x * %d & 31)], s = *p + table_of_all[%d];\n", int(i / 40) * 64, i * 2 + 1, i * 13 % 64
        printf "    for (int i = 0; i < 4; i++)\n        s += p[i] ^ x;\n"
        printf "    *p = s;\n    if (depth > 0)\n        s += f%d(s, depth - 1);\n", int(i / 40) * 40 + (i * 7 + 11) % 40
        printf "    return s;\n}\n"
    }
    print "static long (*const table[])(long, int) = {"
    for (i = 0; i < n; i++) printf "f%d,%s", i, i % 8 == 7 ? "\n" : " "
    print "};\nint main(int argc, char **argv)\n{"
    print "    for (int i = 0; i < 64; i++)\n        table_of_all[i] = i;"
    printf "    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 20, sum = 0;\n    for (long r = 0; r < rounds; r++)\n"
    printf "        for (int i = 0; i < %d; i++)\n            sum += table[(i * 31 + r) %% %d](r + i, 4);\n", n, n
    print "    printf(\"%ld\\n\", sum);\n    return 0;\n}"
}'
