#!/bin/sh
# An installed tree works where it was installed to, under DESTDIR, after it was moved, from a place nobody can write to, and through a link; what is not
# there is named with the places that were looked at.
. "$(dirname "$0")/lib.sh"
BUILT=$(dirname "$CORECAST")
DESTDIR=$WORK/staged meson install -C "$BUILT" --no-rebuild --quiet >out 2>err; ok $? "installed under DESTDIR"
printf 'int main(int argc, char **argv) { (void)argv; volatile int n = 0; while (n < 1000 * argc) n++; return 0; }\n' >p.c
gcc -O1 -g p.c -o p || exit 99

looked_for() { # looked_for WHAT: everything the tool looks for is there
    CORECAST=$(find "$WORK/$1" -path '*/bin/corecast')
    prefix=$(dirname "$(dirname "$CORECAST")")
    cc --version; is $RC 0 "$1: runs"
    cc platform show manycore --json; is $RC 0 "$1: a shipped platform"
    printf '[platform]\nname = here\nsource = test\ncores = 7\n' >"$prefix/share/corecast/platforms/only-here.ini"
    cc platform show only-here; is "$RC $(grep -c 'cores *7' out)" "0 1" "$1: one of this very tree"
    for engine in valgrind qemu; do
        program=$engine; [ $engine = qemu ] && program=qemu-$(uname -m)
        command -v "$program" >/dev/null || { skip "$1: record, $engine" "no $program"; continue; }
        cc record --engine $engine -o p.cast -- ./p && cc report p.cast --view functions --json
        is "$RC $(json '[.functions[].name] | any(. == "main")')" "0 true" "$1: record, $engine"
    done
    if command -v "qemu-$(uname -m)" >/dev/null; then
        cc simulate --platform manycore -n 1 --json -- ./p; is "$RC $(json .complete)" "0 true" "$1: simulate"
    else
        skip "$1: simulate" "no qemu-user"
    fi
    bench=$(find "$prefix" -name corecast-bench-openmp)
    [ -n "$bench" ] || { skip "$1: characterize" "no OpenMP"; return; }
    mv "$bench" "$bench.kept"; printf '#!/bin/sh\nexit 9\n' >"$bench"; chmod +x "$bench"
    cc characterize --repeat 1; fails 4 "'$bench' ended with status 9" "$1: characterize runs this very tree's programs"
    mv "$bench.kept" "$bench"
    "$bench" 0.01 >out 2>err; is "$? $(grep -c . out | sed 's/^[1-9].*/some/')" "0 some" "$1: which are whole"
}

looked_for staged
mkdir "$WORK/a folder, elsewhere"
mv "$WORK/staged/"* "$WORK/a folder, elsewhere/"
looked_for "a folder, elsewhere"
tree=$(dirname "$(dirname "$CORECAST")")
PKG_CONFIG_PATH=$(find "$tree" -name pkgconfig); export PKG_CONFIG_PATH
printf '#include <corecast/mark.h>\nint main(void) { volatile int x = 1; CC_REGION_BEGIN("r"); x++; CC_REGION_END("r"); return 0; }\n' >m.c
eval "gcc $(pkg-config --cflags corecast) m.c -o m" && cc record -o m.cast ./m && cc report m.cast --view comm --by region --json
is "$RC $(json '[.nodes[].name] | any(. == "r")')" "0 true" "pkg-config corecast: marks that are seen"
eval "gcc $(pkg-config --cflags corecast-native) m.c -o m $(pkg-config --libs corecast-native)" && cc record --engine native -o m.cast ./m; is "$RC" 0 "pkg-config corecast-native: marks with time stamps"
is "$(pkg-config --modversion corecast)" "$("$SOURCE/tools/version.sh" --release)" "pkg-config knows the release"
for f in share/bash-completion/completions/corecast share/zsh/site-functions/_corecast share/fish/vendor_completions.d/corecast.fish share/man/man1/corecast-record.1; do
    ok $([ -s "$tree/$f" ]; echo $?) "installed: $f"
done

ln -s "$CORECAST" linked
"$WORK/linked" platform show manycore >out 2>err; is $? 0 "through a link"

# where nobody may write
if unshare -m true 2>/dev/null; then
    cat >readonly.sh <<'END'
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 77
touch "$1/x" 2>/dev/null && exit 78
"$2" record -o ro.cast -- ./p && "$2" report ro.cast --view functions --json >ro.json && "$2" platform show manycore >/dev/null
END
    unshare -m sh readonly.sh "$tree" "$CORECAST" >out 2>err; rc=$?
    if [ $rc = 77 ]; then skip "a read-only place" "cannot mount"; else is "$rc $(jq -r '[.functions[].name] | any(. == "main")' ro.json)" "0 true" "a read-only place"; fi
else
    skip "a read-only place" "cannot mount"
fi

# what is missing is named
mkdir lone; cp "$CORECAST" lone/corecast; CORECAST=$WORK/lone/corecast
cc platform show manycore; fails 3 "not installed in '$WORK/lone/platforms/'" "platforms that are not there"
cc record --engine valgrind -o x.cast ./p; fails 125 "valgrind engine is not installed: there is no '$WORK/lone/engines/valgrind/corecast-[a-z0-9]*-linux', '" "an engine that is not there"
cc record --engine qemu -o x.cast ./p; fails 125 "qemu engine is not installed: there is no '$WORK/lone/engines/qemu/libcorecast-qemu.so', '" "nor the other"
cc area estimate p.c; fails 3 "model that ships is not installed: there is no '$WORK/lone/models/vitis-hls-u280.model', '" "a model that is not there"
cc characterize --repeat 1; fails 4 "'corecast-bench-openmp' is not installed: there is no '$WORK/lone/engines/characterize/" "a benchmark that is not there"
CORECAST=$tree/bin/corecast
helper=$(find "$tree" -name 'vgpreload_core*')
if [ -n "$helper" ]; then
    rm "$helper"; ln -s /nowhere/core.so "$helper"
    cc record --engine valgrind -o x.cast ./p; fails 125 "needs '/nowhere/core.so' of Valgrind" "Valgrind itself is gone"
    cc record --engine auto -o x.cast ./p; is "$RC" 0 "auto takes the other engine then"
fi

# a QEMU that our plugins are not for, and one that loads none
mkdir fake; fake() { printf '#!/bin/sh\n[ "$1" = --version ] && echo "qemu-x version %s (Debian)" && exit\n[ "$1" = --help ] && echo "%s" && exit\nexit 1\n' "$1" "${2:-}" >"fake/qemu-$(uname -m)"; chmod +x "fake/qemu-$(uname -m)"; }
PATH=$WORK/fake:$PATH
fake 6.2.0
cc record --engine qemu -o x.cast ./p; fails 125 "is QEMU 6.2; the plugins of corecast are for 7.2 and newer" "record names the version of a QEMU it does not know"
fake 10.0.2
cc record --engine qemu -o x.cast ./p; fails 125 "is QEMU 10.0, built without plugins" "and says why another does not do"
cc simulate -p manycore -n 1 -- ./p; fails 125 "is QEMU 10.0, built without plugins" "simulate likewise"
fake 10.0.2 "-plugin FILE"
cc simulate -p manycore -n 1 -- ./p; fails 125 "is QEMU 10.0 and takes plugins: what it said itself" "one that takes plugins failed for another reason"
is "$(ls x.cast* 2>/dev/null | grep -v '^x.cast$')" "" "nothing is left of these"
done_testing
