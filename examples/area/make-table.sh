#!/bin/sh
# Writes metrics.csv and hardware.csv: generated kernels, their real metrics, and a made-up tool chain whose
# coefficients are known (below). No hardware was built: the table is there to try calibrate and to test it.
# Usage: make-table.sh CORECAST [FOLDER]
set -eu
corecast=${1:?the corecast program}
to=${2:-$(dirname "$0")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# 64 kernels with independent numbers of additions, multiplications, divisions, floating operations, loops, arrays.
awk '
function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function below(n) { return int(uniform() * n) }
BEGIN {
    seed = 20261115
    for (k = 0; k < 64; k++) {
        printf "int kernel%02d(const int *in, int *out, float gain)\n{\n", k
        vars = 1 + below(8)
        for (v = 0; v < vars; v++) printf "    int v%d = in[%d];\n", v, v
        size = 16 * (1 + below(64))
        printf "    int buffer[%d];\n    float f = gain;\n", size
        loops = 1 + below(3)
        for (l = 0; l < loops; l++) {
            printf "    for (int i = 0; i < %d; i++) {\n", 8 * (1 + below(16))
            for (n = below(12); n > 0; n--) printf "        v%d += v%d;\n", below(vars), below(vars)
            for (n = below(7); n > 0; n--) printf "        v%d *= v%d;\n", below(vars), below(vars)
            for (n = below(6); n > 0; n--) printf "        v%d ^= v%d;\n", below(vars), below(vars)
            for (n = below(6); n > 0; n--) printf "        v%d >>= %d;\n", below(vars), 1 + below(7)
            for (n = below(3); n > 0; n--) printf "        f *= gain;\n"
            for (n = below(3); n > 0; n--) printf "        f += v%d;\n", below(vars)
            for (n = below(5); n > 0; n--) printf "        buffer[(i + %d) %% %d] = v%d;\n", below(9), size, below(vars)
            for (n = below(5); n > 0; n--) printf "        v%d += buffer[(i * %d) %% %d];\n", below(vars), 1 + below(5), size
            for (n = below(3); n > 0; n--) printf "        if (v%d > v%d)\n            v%d = i;\n", below(vars), below(vars), below(vars)
            printf "    }\n"
        }
        for (v = 0; v < vars; v++) printf "    out[%d] = v%d;\n", v, v
        printf "    return (int)f;\n}\n\n"
    }
}' >"$work/kernels.c"

# What to offer to the models. Sums of others (operations, tokens) are left out: a model made of them fits as well, but
# reads badly.
metrics=loops,ifs,nesting,basic_blocks,calls,live_max,array_bits,local_arrays,def_use_pairs,add_32,mul_32,div_32,div_64,\
shift_const,shift_var,logic,compare,select,fadd_32,fmul_32,fdiv_32,convert_float,loads,stores,memory_ports,\
critical_path,weighted_operations
(cd "$work" && "$corecast" area metrics kernels.c --csv --columns "$metrics") >"$to/metrics.csv"

# The made-up tool chain. Noise is a sum of twelve uniform numbers, which is close to normal.
awk -F, '
function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function normal(  i, s) { for (i = 0; i < 12; i++) s += uniform(); return s - 6 }
function count(v) { return v < 0 ? 0 : int(v + 0.5) }
NR == 1 { seed = 12; split("image audio crypto video", domains, " "); for (i = 1; i <= NF; i++) at[$i] = i
          print "kernel,domain,lut,ff,dsp,bram,cycles,power [mW]"; next }
{
    lut = 180 + 34 * $at["add_32"] + 45 * $at["logic"] + 210 * $at["div_32"] + 40 * normal()
    ff = 90 + 25 * $at["stores"] + 18 * $at["loads"] + 15 * normal()
    dsp = 3 * $at["mul_32"] + 2 * $at["fmul_32"] + 0.4 * normal()
    bram = int(($at["array_bits"] + 18431) / 18432)
    cycles = exp(0.4 + 0.9 * log(1 + $at["weighted_operations"]) + 0.08 * normal())
    power = 20 + 0.02 * lut + 4 * $at["fmul_32"] + 2 * normal()
    if (NR == 9) { lut = 0; ff = 0; dsp = 0; bram = 0; cycles = 0; power = 0 } # optimised away
    printf "%s,%s,%d,%d,%d,%d,%s,%s\n", $at["function"], domains[NR % 4 + 1], count(lut), count(ff), count(dsp), bram,
        NR % 11 == 5 ? "NA" : sprintf("%d", count(cycles)), NR % 13 == 6 ? "" : sprintf("%.1f", power)
}' "$to/metrics.csv" >"$to/hardware.csv"
