#!/bin/sh
# The folder of the newest LLVM that has libclang and its headers: Debian keeps each version in one of its own.
{
    ls -d /usr/lib/llvm-*/ 2>/dev/null | sort -rV
    llvm-config --prefix 2>/dev/null
} | while read -r root; do
    root=${root%/}
    [ -f "$root/include/clang-c/Index.h" ] && [ -e "$root/lib/libclang.so" ] && echo "$root" && exit
done | grep . || { echo "no libclang with headers: install libclang-dev" >&2; exit 1; }
