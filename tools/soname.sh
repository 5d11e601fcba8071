#!/bin/sh
# The name a program that is linked with a library asks the system for, so that what is loaded later is what was compiled for.
#   tools/soname.sh NAME|FILE     "gvc" or the path of a .so
case $1 in
*/*) file=$1 ;;
*) file=$(${CC:-cc} -print-file-name="lib$1.so") ;;
esac
name=$(LC_ALL=C readelf -d "$file" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ -n "$name" ] || { echo "no library '$1' with a SONAME" >&2; exit 1; }
echo "$name"
