#!/bin/sh
# An installed tree works where it was installed to, under DESTDIR, and after it was moved.
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
    cc characterize; fails 4 "'$bench' ended with status 9" "$1: characterize runs this very tree's programs"
    mv "$bench.kept" "$bench"
    "$bench" 0.01 >out 2>err; is "$? $(grep -c . out | sed 's/^[1-9].*/some/')" "0 some" "$1: which are whole"
}

looked_for staged
mkdir "$WORK/a folder, elsewhere"
mv "$WORK/staged/"* "$WORK/a folder, elsewhere/"
looked_for "a folder, elsewhere"
done_testing
