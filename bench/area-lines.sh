#!/bin/sh
# Writes N functions of 20 lines each (and three includes): area-lines.sh N
awk -v n="${1:-500}" 'BEGIN {
    print "#include <stdio.h>\n#include <math.h>\n#include <string.h>"
    for (i = 0; i < n; i++)
        printf "int fn%d(int *a, int n)\n{\n    int s = 0, t[16];\n    for (int i = 0; i < 16; i++)\n        t[i] = a[i] * %d;\n" \
               "    for (int i = 0; i < n; i++) {\n        if (a[i] > s && a[i] != 3)\n            s += a[i] >> 2;\n" \
               "        else if (a[i] < -5)\n            s -= t[i & 15] / 3;\n        switch (s & 3) {\n" \
               "        case 0: s ^= 5; break;\n        case 1: s |= i; break;\n        default: s++;\n        }\n    }\n" \
               "    while (s > 100)\n        s = s / 2 + t[3];\n    return s;\n}\n", i, i
}'
