#!/bin/sh
# Programs and libraries without symbols: the same functions, calls and instructions as with them, by where they begin.
. "$(dirname "$0")/lib.sh"
PROGRAMS=$SOURCE/tests/cli/programs
mkdir full bare lib bin || exit 99

# facts ENGINE ARGS…: "file name calls exclusive inclusive" of every function; "file+0x1234" gets the name that the table of names has for it
facts() {
    e=$1
    shift
    "$CORECAST" record --engine "$e" $LIBS -o p.cast -- "$@" >prog.out 2>"$WORK/err" || echo "failed: $?"
    "$CORECAST" report p.cast --view functions --min-share 0 --json 2>"$WORK/err" |
        jq -r '.functions[]|select(.object!=null)|"\(.object|split("/")|last) \(.name|gsub(" ";"")) \(.calls) \(.exclusive) \(.inclusive)"' |
        awk 'FNR == NR { name[$1 "+0x" $2] = $3; next } { if ($2 in name) $2 = name[$2]; print }' names - | grep -vE ' (frame_dummy|(de)?register_tm_clones) ' | sort # nothing but a symbol tells these apart
}
names_of() { # names_of NM FILE…: "file address name" of the functions in each
    nm=$1
    shift
    for f in "$@"; do
        $nm "$f" | awk -v f="${f##*/}" '$2 ~ /[tTwWi]/ { sub(/^0+/, "", $1); print f, $1, $3 }'
    done
}
same() { # same FILE FILE LEAST WHAT
    cmp -s "$1" "$2" && [ "$(wc -l <"$1")" -ge "$3" ]; ok $? "$4 ($(wc -l <"$1") functions)"
    cmp -s "$1" "$2" || diff "$1" "$2" | sed 's/^/# /' | head -8
}
# both ENGINE LEAST WHAT ARGS…: the program in bin/, full and bare. A store-conditional of the loader's fails once in a while, and is done again: so once more
both() {
    engine=$1 least=$2 what=$3
    shift 3
    for try in 1 2; do
        cp full/prog bin/ && cp full/lib* lib/ 2>/dev/null
        facts "$engine" "$@" >want
        cp bare/prog bin/ && cp bare/lib* lib/ 2>/dev/null
        facts "$engine" "$@" >got
        cmp -s want got && break
    done
    same want got "$least" "$engine: $what"
}
bare() { # bare STRIP NM: what is in full/ into bare/
    rm -f bare/*
    for f in full/*; do "$1" -o "bare/${f##*/}" "$f"; done
    names_of "$2" full/* >names
}

seq 1 400 | head -c 1200 >f.dat
LIBS=
gcc -O2 -o full/prog "$PROGRAMS/streams.c" -lpthread || exit 99
bare strip nm
for engine in valgrind qemu; do
    both $engine 8 "a stripped program" bin/prog streams
    both $engine 5 "with longjmp, signals and callbacks" bin/prog control
    both $engine 3 "with files" bin/prog files f.dat
done

# names from elsewhere, in the order in which they are looked for; nothing is looked up in `names` any more
cp names table && echo "- - -" >names
cp full/prog bin/ && facts valgrind bin/prog streams >want
cp bare/prog bin/ && facts valgrind bin/prog streams >got
is "$(grep -v ' prog+0x' got | cut -d' ' -f2,3)" "main 1" "without any names main has one, for the entry code hands it over"
is "$(sed 's/ prog+0x[^ ]*\| main/ */' got | cut -d' ' -f3- | sort)" "$(cut -d' ' -f3- want | sort)" "the others are where they begin"
objcopy --only-keep-debug full/prog prog.debug
id=$(readelf -n full/prog | sed -n 's/.*Build ID: *//p')
mkdir -p "cache/$id" bin/.debug && : >"cache/$id/debuginfo"
DEBUGINFOD_CACHE_PATH=$WORK/cache facts valgrind bin/prog streams >again
same got again 8 "an empty file of debuginfod's: no server had one"
cp prog.debug "cache/$id/debuginfo"
DEBUGINFOD_CACHE_PATH=$WORK/cache facts valgrind bin/prog streams >again
same want again 8 "names from debuginfod's cache"
mkdir -p home/.cache && mv cache home/.cache/debuginfod_client
XDG_CACHE_HOME='' HOME=$WORK/home facts valgrind bin/prog streams | cut -d' ' -f1-3 >again # the loader looks through the environment
cut -d' ' -f1-3 want >names.want
same names.want again 8 "where it usually is"
mv home/.cache/debuginfod_client home/.debuginfod_client_cache
XDG_CACHE_HOME=$WORK/home/.cache HOME=$WORK/home facts valgrind bin/prog streams | cut -d' ' -f1-3 >again
same names.want again 8 "where its first versions had it, which wins as long as it is there"
cp prog.debug bin/.debug/ && objcopy --add-gnu-debuglink=prog.debug bare/prog bin/prog
facts valgrind bin/prog streams >again
same want again 8 "names from a file beside it"
rm -r bin/.debug
if command -v xz >/dev/null; then
    awk '{ print $3 }' table >keep && objcopy -S --keep-symbols=keep prog.debug mini && xz -k mini && objcopy --add-section .gnu_debugdata=mini.xz bare/prog bin/prog
    facts valgrind bin/prog streams >again
    same want again 8 "names from .gnu_debugdata"
else
    skip "names from .gnu_debugdata" "no xz here"
fi

# a library, and one function in it split by the compiler
cat >libcold.c <<'X'
#include <stdlib.h>
int note(volatile int *p);
/* nobody knows what they leave alone, so that their callers have frames, by which moved parts are known */
static __attribute__((noipa)) int leaf(volatile int *p) { return *p + 1; }
static __attribute__((noipa, cold)) void rare(volatile int *p) { *p += leaf(p); }
static __attribute__((noinline)) int middle(volatile int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += leaf(p);
        if (*p == 7) { rare(p); rare(p); sum += note(p); *p += 100; sum += leaf(p); }
        *p += 1;
    }
    return sum;
}
static __attribute__((noinline)) int deep(volatile int *p, int n) /* whose moved part returns */
{
    if (n % 3 == 0) { rare(p); *p += leaf(p) + note(p); return *p; }
    return deep(p, n - 1) + leaf(p) + 1;
}
int outer(int n) { volatile int x = 0; return middle(&x, n) + middle(&x, n / 2) + deep(&x, 14) + leaf(&x); }
X
echo 'int outer(int n); static __attribute__((noinline)) int near(int n) { return outer(n) + 1; } int main(void) { return near(20) + outer(4) == 0; }' >cold.c
echo 'int note(volatile int *p) { int s = 0; for (int i = 0; i < 9; i++) s += *p; return s & 1; }' >libnote.c
gcc -O2 -shared -fPIC -o full/libnote.so libnote.c && gcc -O2 -freorder-blocks-and-partition -shared -fPIC -o full/libcold.so libcold.c -Lfull -lnote "-Wl,-rpath,$WORK/lib" && gcc -O2 -o full/prog cold.c -Lfull -lcold -lnote "-Wl,-rpath,$WORK/lib" || exit 99
bare strip nm
is "$(nm full/libcold.so | grep -c '\.cold')" 2 "functions were split"
for engine in valgrind qemu; do
    both $engine 5 "a stripped library" bin/prog
    is "$(grep -c '^libcold.so outer 2 ' got)" 1 "$engine: its exported function keeps its name"
    is "$(grep -cE '^libcold.so (rare|leaf|middle|deep) ' got)" 4 "$engine: and the others are apart"
done

LIBS="--libs node"
export LD_BIND_NOW=1
for engine in valgrind qemu; do
    both $engine 5 "a stripped library among all others" bin/prog
done
unset LD_BIND_NOW
LIBS=
# musl's start code, with and without a place it is linked to
if [ "$(uname -m)" = x86_64 ]; then
    cat >start.c <<'X'
__asm__(".globl _start\n_start: xor %rbp,%rbp\n mov %rsp,%rdi\n .weak _DYNAMIC\n .hidden _DYNAMIC\n lea _DYNAMIC(%rip),%rsi\n and $-16,%rsp\n call _start_c\n");
int main(int argc, char **argv);
static volatile long filled[100];
__attribute__((noipa)) static long fill(int n) { for (int i = 0; i < 100; i++) filled[i] = n + i; return filled[99]; }
int main(int argc, char **argv) { return fill(argc) + fill(argv[0] != 0) - 200; }
__attribute__((noipa)) int begin(int (*f)(int, char **), int argc, char **argv) { int status = f(argc, argv); for (;;) __asm__ volatile("syscall" ::"a"(231), "D"(status)); }
__attribute__((used)) void _start_c(long *p) { begin(main, p[0], (void *)(p + 1)); }
X
    for how in -no-pie -static-pie; do
        case $how in -no-pie) flags="-static -no-pie -fno-pie" ;; *) flags="-static-pie -fPIE" ;; esac
        gcc -O1 -fno-stack-protector -fcf-protection=none -nostdlib $flags -s -o bin/prog start.c || exit 99
        for engine in valgrind qemu; do
            "$CORECAST" record -q --engine $engine -o p.cast -- bin/prog; RC=$?
            is "$RC $("$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="main").calls]|join(" ")')" "0 1" "$engine: main of a program that starts as musl's do, $how"
        done
    done
fi
# names of one function: today's before an old version's, what is offered before what is reserved, though that is weak
cat >libold.c <<'X'
void __work(int *p) { *p += 2; }
void work(int *p) __attribute__((weak, alias("__work")));
void work_old(int *p) __attribute__((alias("__work")));
__asm__(".symver work_old, do@OLD");
int look(const int *p) { return *p + 3; }
int see(const int *p) __attribute__((weak, alias("look")));
int look_here(const int *p) __attribute__((alias("look")));
X
echo 'OLD { }; NEW { global: work; __work; look; look_here; see; local: *; } OLD;' >libold.map
echo 'void work(int *p); int see(const int *p); int main(void) { int a = 1; work(&a); return see(&a) - 6; }' >old.c
gcc -O1 -shared -fPIC -Wl,--version-script=libold.map -o full/libold.so libold.c && strip -o lib/libold.so full/libold.so && gcc -O1 -o bin/prog old.c -Llib -lold "-Wl,-rpath,$WORK/lib" || exit 99
"$CORECAST" record -o p.cast -- bin/prog && "$CORECAST" report p.cast --view functions --min-share 0 --json >named.json
is "$(jq -r '[.functions[] | select(.object // "" | endswith("libold.so")) | .name] | sort | join(" ")' named.json)" "look work" "of several names the one that people use"
rm -f full/* lib/* bin/*
# other machines: bounds by .eh_frame on x86-64; riscv64's and arm's code has none, and functions are found by being called
for isa in aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu; do
    name=${isa%%:*} prefix=${isa#*:}-
    [ "$name" = "$(uname -m)" ] && continue
    command -v ${prefix}gcc >/dev/null && ${prefix}gcc -O2 -o full/prog "$PROGRAMS/streams.c" -lpthread 2>/dev/null || { skip "$name programs" "no ${prefix}gcc here"; continue; }
    bare ${prefix}strip ${prefix}nm
    both qemu 8 "$name: a stripped program" bin/prog streams
    [ "$name" = arm ] || is "$("$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="main")|.calls]|join(" ")')" 1 "$name: main has its name"
done
done_testing
