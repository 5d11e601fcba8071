#!/bin/sh
# fuzz: every reader is fed with damaged copies of good files, under AddressSanitizer and UBSan. Prints what was tried.
# usage: run.sh BUILD SOURCE [SECONDS of each target (default 3)] [TARGET…]
# As many at a time as there are cores, in the folder of the sanitized build. The corpus is kept in BUILD-clang/corpus, files that broke a reader in BUILD-clang/crashes.
set -eu
if [ "${1:-}" = --one ]; then # HERE SECONDS TARGET
    here=$2 seconds=$3 target=$4
    mkdir -p "$here/corpus/$target" "$here/seeds/$target"
    ln -sf fuzz "$here/tests/fuzz-$target"
    if ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 "$here/tests/fuzz-$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=262144 -print_final_stats=1 \
        -artifact_prefix="$here/crashes/$target-" "$here/corpus/$target" "$here/seeds/$target" >"$here/fuzz-$target.log" 2>&1; then result=; else result=" BROKEN: $(grep -m1 -E 'ERROR|SUMMARY' "$here/fuzz-$target.log")"; fi
    n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$here/fuzz-$target.log")
    echo "fuzz-$target: ${n:-0} executions$result"
    exit 0
fi
build=$1 source=$2 seconds=${3:-3}
shift $(($# < 3 ? $# : 3))
here=$build-clang
"$source/tools/check-sanitized.sh" "$build" --setup
ninja -C "$here" tests/fuzz >/dev/null
seeds=$here/seeds
mkdir -p "$seeds" "$here/crashes"
tool=$build/corecast
seed() { mkdir -p "$seeds/$1"; cat >"$seeds/$1/$2"; }
for f in "$source"/platforms/*.ini; do seed ini "$(basename "$f")" <"$f"; seed platform "$(basename "$f")" <"$f"; done
printf 'a,b\n1,"x,""y"\n# c\n\n2, 3\n' | seed csv a
printf '#define N 4\nf.g = #pragma omp parallel for schedule(guided, N*2) reduction(+:a[:3],b) ordered nowait \\\n num_threads(N)\nc = #pragma omp task depend(in:x)\n' | seed scenario a
for f in $(find "$source/examples" "$source/bench" -name '*.omp' 2>/dev/null | head -20); do seed scenario "$(basename "$f")" <"$f"; done
printf 'digraph g {\n a -> b [weight=3];\n b -> c;\n}\n' | seed graph dot
printf '%%%%MatrixMarket matrix coordinate\n3 3 2\n1 2 4\n2 3 1\n' | seed graph mtx
printf '3 2 1\n2 5\n1 5 3 1\n2 1\n' | seed graph metis
printf 'from,to,bytes\na,b,10\nb,c,20\n' | seed graph csv
printf '[tasks]\nname = t\n[task.x]\na = 10\nb = 5\nafter = y\n[task.y]\na = 1\nbytes = 100\n' | seed tasks a
printf '# note\nsync.barrier 2 100 3\nmemory.read 10\n' | seed facts a
printf '[model]\nname = m\n[measure.lut]\nformula = 1 + 2*a\n' | seed area-model a
for f in "$source"/models/*; do [ -f "$f" ] && head -c 20000 "$f" | seed area-model "$(basename "$f")"; done
printf '[device]\nname = d\nlut = 1000\n' | seed area-device a
printf 'name,share\nf,10\ng,0.5\n' | seed area-shares a
printf '1 2 3\n2 3\n1 3 7\n' | seed itemsets a
printf 'loop,0,200\nit,0,50\nit,50,100\n' | seed task-csv a
printf '# cores = 2\ncycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n1,0,load,0x10,0x20,3,1,2,4,hit,f,a.c,3,x\n2,1,store,0x14,0x28,9,,,8,shared,g,,,\n' | seed trace-csv a
"$tool" trace import "$seeds/trace-csv/a" -o "$here/t.trace" && seed trace a <"$here/t.trace"
"$build/tests/make-cast" "$here/p.cast" && seed profile a <"$here/p.cast"
printf 'out=/a\nprogram=/b\\n\nmachine=183\nregions=10=x\n' | seed run-file a
printf 'int main(void) { return 0; }\n' >"$here/p.c"
gcc -O1 -g -o "$here/p" "$here/p.c"
seed program a <"$here/p"
seed marks a <"$here/p"
# records of a real run: of a tool that is killed before they become a profile
"$tool" record --engine qemu -o "$here/k.cast" -- "$here/p" >/dev/null 2>&1 &
while kill -0 $! 2>/dev/null; do grep -q '^0' "$here"/k.cast.??????/status 2>/dev/null && { kill -KILL $!; break; }; done
wait
for f in "$here"/k.cast.??????/rec.0; do [ -f "$f" ] && head -c 60000 "$f" | seed records cut && seed records whole <"$f"; done
rm -rf "$here"/k.cast*
for f in "$source"/tests/fuzz/regressions/*/*; do [ -f "$f" ] && seed "$(basename "$(dirname "$f")")" "$(basename "$f")" <"$f"; done
if ! "$here/tests/fuzz" >"$here/targets" 2>/dev/null && [ ! -s "$here/targets" ]; then echo "fuzz: no targets" >&2; exit 1; fi
[ $# = 0 ] || printf '%s\n' "$@" >"$here/targets"
xargs -P "$(nproc)" -n 1 "$0" --one "$here" "$seconds" <"$here/targets" | tee "$here/result"
awk '{ n++; tried += $2; broken += /BROKEN/ } END { print "fuzz: " n " readers, " tried " executions, " broken + 0 " broken"; exit broken > 0 }' "$here/result"
