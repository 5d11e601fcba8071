#!/bin/sh
# The Debian packages of the libraries that the tool loads when it first needs them, as a list for debian/control.
#   tools/lazy-packages.sh BUILD NAME…     CAPSTONE, CLANG … as in CC_SONAME_NAME
set -eu
build=$1; shift
list=
for name; do
    soname=$(grep -oE "CC_SONAME_$name=[\\\\\"']*[A-Za-z0-9._+-]+" "$build/compile_commands.json" | head -1 | sed "s/.*[\"'=]//")
    file=$(ldconfig -p | sed -n "s|^\t$soname (.*) => ||p" | head -1)
    [ -n "$file" ] || file=$(ls /usr/lib/llvm-*/lib/"$soname" | head -1)
    package=$(dpkg -S "$(realpath "$file")" "$file" 2>/dev/null | sed 's/:.*//' | head -1)
    [ -n "$package" ] || { echo "no package has $soname" >&2; exit 1; }
    list="$list${list:+, }$package"
done
echo "$list"
