#!/bin/sh
# Every C file is as clang-format (.clang-format) leaves it. `make format` mends.
cd "$(dirname "$0")/.." || exit 1
command -v clang-format >/dev/null || { echo "ok 1 - format # SKIP no clang-format"; echo "1..1"; exit 0; }
files=$(git ls-files '*.c' '*.h' 2>/dev/null)
[ -n "$files" ] || files=$(find src collect engines sim include tests examples bench -name '*.[ch]' 2>/dev/null)
bad=$(clang-format --dry-run $files 2>&1 | sed -n 's/^\([^:]*\):.*/\1/p' | sort -u)
if [ -n "$bad" ]; then echo "not ok 1 - every file is formatted"; echo "$bad" | sed 's/^/# /'; else echo "ok 1 - every file is formatted"; fi
echo "1..1"
[ -z "$bad" ]
