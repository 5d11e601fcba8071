#!/bin/sh
# The functions that compilers call by themselves and link into every program that needs them: collect/helpers.def.
#     tools/helper-names.sh libgcc.a libclang_rt.builtins-*.a libc_nonshared.a … >collect/helpers.def
# Give the archives of every instruction set at hand. Left out are families that collect/helpers.c knows by their first letters.
export LC_ALL=C
[ $# -gt 0 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
echo '/* Made by tools/helper-names.sh from the archives of GCC 12, clang 14 and glibc 2.36; sorted by bytes. */'
{
    echo init_have_lse_atomics # local, and runs before main
    readelf -sW "$@" 2>/dev/null |
        awk '($4 == "FUNC" || $4 == "IFUNC" || $4 == "NOTYPE") && $5 != "LOCAL" && $7 ~ /^[0-9]/ { sub(/@.*/, "", $8); print $8 }'
} | grep -vE '^(__aarch64_|__aeabi_|__atomic_|__avx_|__bid|__gnu_|__riscv_|__splitstack_|__sse_|__sync_|_call_via_)' |
    sort -u | sed 's/.*/"&",/' | tr '\n' ' ' | fold -s -w 130 | sed 's/ *$//'
echo
