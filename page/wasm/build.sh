#!/bin/sh
# Compiles the rooms that the page's What if uses, and whatif.c, to WebAssembly.
#   build.sh CLANG SOURCE OUTPUT.wasm DEPENDENCIES
#   build.sh list SOURCE          the files it is made of
#   build.sh try SOURCE CLANG     whether CLANG and its libraries can do it
set -e
src=$2/src
wasm=$2/page/wasm
sources="$wasm/whatif.c $wasm/files.c $wasm/without.c"
for f in base/arena base/base base/csv base/curve base/err base/ini base/json base/map base/opt base/result base/result_print base/table base/table_data base/text \
    isa/class platform/dma platform/link platform/platform platform/show \
    analysis/htg/build analysis/htg/pack analysis/htg/profile analysis/units/interval cli/predict/show cli/predict/full; do
    sources="$sources $src/$f.c"
done
for room in predict scenario tile; do
    for f in "$src/analysis/$room"/*.c; do
        case $f in */test_*) ;; *) sources="$sources $f" ;; esac
    done
done
target="--target=wasm32-wasi -mexec-model=reactor"
case $1 in
list)
    printf '%s\n' $sources
    exit
    ;;
try)
    out=$(mktemp)
    trap 'rm -f "$out"' EXIT
    printf '%s\n' '#include <stdio.h>' '#include <xxhash.h>' 'FILE *f; __int128 a; int main(void) { char *s; size_t n; f = open_memstream(&s, &n); return (int)(a * a / 3); }' |
        "$3" $target -x c - -o "$out"
    exit
    ;;
esac
clang=$1
out=$3
dependencies=$4
objects=$out.d
mkdir -p "$objects"
# Headers of the host lie behind those of wasi-libc: of them only xxhash.h is used, and that whole. Contractions: see meson.build
flags="$target -O2 -std=gnu11 -ffp-contract=off -D_GNU_SOURCE -DNDEBUG -DXXH_INLINE_ALL -Daccess=cc_files_access -I$src -w"
command -v ccache >/dev/null && clang="ccache $clang"
printf '%s\n' $sources | xargs -P 2 -I {} sh -c 'o=$1/$(echo "$2" | tr / _).o && shift 2 && "$@" -o "$o" -MMD -MF "$o.dep"' sh "$objects" {} $clang $flags -c {}
set --
for f in $sources; do set -- "$@" "$objects/$(echo "$f" | tr / _).o"; done
{
    printf '%s:' "$out"
    for o in "$@"; do sed 's/^[^:]*://; s/\\$//' "$o.dep"; done | tr '\n' ' '
    echo
} >"$dependencies"
exec $clang $target -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=1048576 -o "$out" "$@"
