#!/bin/sh
# fuzz: every reader is fed with damaged copies of good files, under AddressSanitizer and UBSan. Prints what was tried.
# usage: run.sh BUILD SOURCE [SECONDS of each target (default 3)] [TARGET…]
# As many at a time as there are cores, with a build of the readers in BUILD-fuzz. The corpus is kept in BUILD-fuzz/corpus, files that broke a reader in BUILD-fuzz/crashes.
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
here=$build-fuzz
compiler="$(command -v ccache || true) clang"
[ -f "$here/build.ninja" ] ||
    CC=${compiler# } meson setup "$here" "$source" -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=plain -Doptimization=1 '-Dc_args=-gline-tables-only -fno-sanitize-recover=all' -Dc_link_args=--rtlib=compiler-rt >/dev/null
ninja -C "$here" tests/fuzz >"$here/ninja.log" || { cat "$here/ninja.log" >&2; exit 1; }
seeds=$here/seeds
mkdir -p "$seeds" "$here/crashes"
tool=$build/corecast
seed() { mkdir -p "$seeds/$1"; cat >"$seeds/$1/$2"; }
for f in "$source"/platforms/*.ini; do seed ini "$(basename "$f")" <"$f"; seed platform "$(basename "$f")" <"$f"; done
printf 'a,b\n1,"x,""y"\n# c\n\n2, 3\n' | seed csv a
printf 'f.g = #define N 4\nf.g = #pragma omp parallel for schedule(guided, N*2) reduction(+:a[:3],b) ordered nowait \\\n num_threads(N)\nc = #pragma omp task depend(in:x)\n' | seed scenario a
for f in $(find "$source/examples" "$source/bench" -name '*.omp' 2>/dev/null | head -20); do seed scenario "$(basename "$f")" <"$f"; done
seed graph a <"$source/examples/map/figure8.ini"
printf '[tasks]\nname = t\ntime = ms\n[task.x]\ntime.a = 10\ntime.b = 5 .. 7\n[task.y]\nafter = x:100\ntime.a = 1\ntime.b = 3\npin = a\n[task.z]\nafter = y:5000\ntime.a = 4\ntime.a.2 = 2 .. 3\n' | seed tasks a
printf 'corecast-bench 1 one\n# a note\ntext openmp unit ns\nvalue platform clock_mhz 2000 1 9 stable\nvalue openmp.parallel par_open 150.5 2 11 stable\npoint memory.dram curve 1 1e10 0 9 stable\npoint memory.dram curve 2 1.5e10 1e8 9 stable\ngrid 16 1 26\ngrid 64 1 74\ngrid 64 16 1109\ngrid 256 4 1049\ntext dma limit 4096\nend\n' | seed facts a
awk 'BEGIN { print "kernel,loops,loc,lut"; for (i = 0; i < 14; i++) print "k" i "," i % 4 "," 10 + i % 5 "," 100 + i * 35 }' >"$here/k.csv"
"$tool" area calibrate "$here/k.csv" --target lut -o "$here/k.model" >/dev/null 2>&1 && seed area-model a <"$here/k.model"
for f in "$source"/models/*; do [ -f "$f" ] && head -c 20000 "$f" | seed area-model "$(basename "$f")"; done
seed area-device a <"$source/examples/area/virtex5-fx130t.ini"
seed area-shares a <"$source/examples/area/shares.csv"
printf '1 2 3\n2 3\n1 3 7\n' | seed itemsets a
printf 'loop,0,200\nit,0,50\nit,50,100\n' | seed task-csv a
printf '# cores = 2\ncycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n1,0,load,0x10,0x20,3,1,2,4,hit,f,a.c,3,x\n2,1,store,0x14,0x28,9,,,8,shared,g,,,\n' | seed trace-csv a
"$tool" trace import "$seeds/trace-csv/a" -o "$here/t.trace" && seed trace a <"$here/t.trace"
"$build/tests/make-cast" "$here/p.cast" && seed profile a <"$here/p.cast"
printf 'out=/a\nprogram=/b\\n\nmachine=183\nregions=10=x\n' | seed run-file a
printf 'function instructions > +5%%' | seed condition a
printf "stream 'main -> *' bytes >= +1M" | seed condition b
printf 'new function' | seed condition c
printf '# corecast set: ./p {n}\nfile,status,n,mode\n1.cast,ok,10,"a,b"\n2.cast,failed,20,\n' | seed set a
printf 'frame,n,kind\n1,10,a\n2,20,b\n3,30,a\n' | seed controls a
printf 'n\n10\n20\n30\n' | seed controls b
for f in "$source"/examples/units/*.ini; do seed kernels "$(basename "$f")" <"$f"; done
printf '1:2 2:3.5 4:7\n' | seed curve a
printf '# w h t\n16 1 10\n16 8 80\n64 8 200\n' | seed dma-grid a
printf 'kernel,loc,loops,lut,power [mW]\na,10,1,100,3\nb,20,2,<5,\nc,30,3,300,9\n' | seed area-kernels a
head -n 6 "$source"/models/vitis-hls-u280.csv | seed area-kernels real
printf 'function,file,line,metric_set,loc,loops\nf,a.c,3,1,10,1\n' | seed area-table a
for f in "$source"/tests/loops/independent.c "$source"/examples/units/gradient.c; do head -c 4000 "$f" | seed patch-text "$(basename "$f")"; done
printf 'void f(void)\n{\n    for (i = 0; i < n; i++) for (j = 0; j < n; j++) /* for */ "for";\n\tfor\n(;;) ;\n}\r\n' | seed patch-text b
printf 'D\tf\nG\tg\nL\t3\t5\t0\t4\t1\t0\ta.c\tf\ti\tj\t\nK\tsum\nN\tcall\nS\t8\t64\ta\nU\t4\ts\ts += a[i]\nC\n' | seed patch-facts a
awk -F'"' '/^CC_DIRECTIVE/ { print "t" NR " = #pragma omp " $2 }' "$source/src/analysis/scenario/directives.def" | seed scenario directives
awk -F'[(,]' '/^CC_CLAUSE/ { print "t" NR " = #pragma omp " ($3 ~ /TASK/ ? "task" : $3 ~ /TARGET|MAP/ ? "target" : "parallel for") " " $2 ($4 ~ /NEVER/ ? "" : "(to: a[0:4])") }' "$source/src/analysis/scenario/clauses.def" | seed scenario clauses
printf 'int main(void) { return 0; }\n' >"$here/p.c"
gcc -O1 -g -o "$here/p" "$here/p.c"
printf 'cores=4\nplatform.clock_mhz=100\ncache.l2.size=256k\nnoc.width=3 ± 1\nlink.a.b.latency=1e3\n' | seed platform-set a
printf './a\n1\n--\n./b\n--\n./c\n\n0-3,8\n9..12\n5\n' | seed programs a
printf '1.5\n2\n# n\n3e2\n' | seed tile-samples a
# loops in loops, variables of several types, functions inlined into others: for what debug data say
cat >"$here/d.c" <<'END'
struct s { struct s *next; double v[5]; } list[7];
static union { int i; float f; } u;
static inline int add(int a, const struct s *b) { int t[4] = {a}; for (int i = 0; i < 4; i++) t[i] += (int)b->v[i]; return t[a & 3]; }
double walk(struct s *p, int n) { double x = 0; do { switch (n & 7) { case 0: x++; case 1: x += 2; break; case 5: x *= 3; } for (; p; p = p->next) while (n-- > 3) x += p->v[n % 5]; } while (n > 0); return x; }
int main(int c, char **v) { int local[c]; for (int i = 0; i < c; i++) for (int j = 0; j < c; j++) local[i] = add(j, &list[i % 7]); u.i = local[0] + (v != 0); return (int)walk(list, c); }
END
gcc -O0 -g -o "$here/d" "$here/d.c" && seed debug a <"$here/d"
gcc -O2 -gdwarf-5 -static-pie -nostdlib -Wl,-e,main -o "$here/d" "$here/d.c" 2>/dev/null && seed debug b <"$here/d"
clang -O1 -gdwarf-4 -c -o "$here/d" "$here/d.c" 2>/dev/null && seed debug c <"$here/d"
"$build/tests/make-trace" "$here/n.trace" 4 3000 noisy 2>/dev/null && seed trace noisy <"$here/n.trace"
seed program a <"$here/p"
seed marks a <"$here/p"
# a recording with frames, for controls
printf '#include <corecast/mark.h>\nint main(void) { volatile int x[9]; for (int i = 0; i < 3; i++) { CC_FRAME(); x[i] = i ? x[i - 1] : 1; } return 0; }\n' >"$here/f.c"
gcc -O1 -g -I"$source/include" -o "$here/f" "$here/f.c" && "$tool" record -q -o "$here/f.cast" -- "$here/f" >/dev/null 2>&1 || rm -f "$here/f.cast"
export CC_FUZZ_CAST="$here/f.cast"
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
