#!/bin/sh
# The functions that the archives of run-time libraries offer, apart from names that C reserves: src/binary/runtime_names.def.
#     tools/runtime-names.sh libc.a libm.a libgcc.a libgomp.a libstdc++.a … >src/binary/runtime_names.def
# Give the archives of every instruction set at hand: they differ a little.
export LC_ALL=C
[ $# -gt 0 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
echo '/* Made by tools/runtime-names.sh from the archives of glibc 2.36 and GCC 12; sorted by bytes. */'
readelf -sW "$@" 2>/dev/null |
    awk '($4 == "FUNC" || $4 == "IFUNC") && $5 != "LOCAL" && $7 != "UND" { sub(/[.@].*/, "", $8); if ($8 ~ /^[A-Za-z]/) print $8 }' |
    sort -u | sed 's/.*/"&",/' | tr '\n' ' ' | fold -s -w 130 | sed 's/ *$//'
echo
