#!/bin/sh
# Static programs: what is the program's own and what is the C library's, whatever its functions are called (programs/names.c).
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/names.c
mkdir bin && cd bin || exit 99 # a folder of the program's own

# functions ENGINE PROGRAM: "name calls" of every function of the program
functions() {
    "$CORECAST" record --engine "$1" -o p.cast -- "./$2" >prog.out 2>"$WORK/err" || echo "failed: $?"
    "$CORECAST" report p.cast --view functions --min-share 0 --json 2>"$WORK/err" | jq -r '.functions[]|select(.symbol!=null and .library==false)|"\(.name) \(.calls)"' | sort
}
exclusive() { "$CORECAST" report p.cast --view functions --min-share 0 --json | jq --arg f "$1" '.functions[]|select(.name==$f)|.exclusive'; }
# same FILE WHAT: as `want`
same() {
    cmp -s want "$1"; ok $? "$2"
    cmp -s want "$1" || diff want "$1" | sed 's/^/# /' | head -8
}

gcc -O1 -g -o dynamic "$PROGRAM" || exit 99
functions valgrind dynamic >want
is "$(sed 's/ .*//' want | tr '\n' ' ')" "_IO_own __reserved _reserved btree_insert call_init compare frame_dummy_like freeze group_number lfind load_gp main malloc_all memory_sum printf_all read_int round_away strange " \
    "a dynamic program: its own functions and no other"

for isa in host aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu; do
    name=${isa%%:*} engines=qemu prefix=${isa#*:}-
    [ "$name" = "$(uname -m)" ] && continue
    [ $name = host ] && engines="valgrind qemu" prefix=
    command -v ${prefix}gcc >/dev/null || { skip "$name programs" "no ${prefix}gcc here"; continue; }
    ${prefix}gcc -O1 -g -static -o debug "$PROGRAM" && ${prefix}gcc -O1 -static -o plain "$PROGRAM" || { skip "$name" "does not link"; continue; }
    ${prefix}strip -g -o symbols plain
    ${prefix}strip -o stripped plain
    for engine in $engines; do
        functions $engine debug >got; same got "$name, $engine: static, by its debug data"
        [ "$(exclusive freeze)" -gt 50 ] && [ "$(exclusive printf_all)" -gt 2000 ] && [ "$(exclusive malloc_all)" -gt 100 ]
        ok $? "$name, $engine: what memcpy, printf and malloc do is their callers'"
        functions $engine plain >got; same got "$name, $engine: without debug data, by its files and names"
        functions $engine symbols | grep -vE '^(call_fini|handle_[a-z]*) ' >got # the library's first: README.md of src/binary
        same got "$name, $engine: without its files' names"
    done
    functions qemu stripped >got
    is "$(cat got)" "$([ "$name" = arm ] || echo main 1)" "$name: a stripped program has no names but that of main"
    "$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '.functions[]|select(.library==false)|"\(.name) \(.calls)"' >got
    lost=
    for f in btree_insert freeze load_gp memory_sum printf_all round_away strange; do
        address=$(${prefix}nm plain | sed -n "s/^0*\([0-9a-f]*\) T $f\$/\1/p")
        grep -qx "stripped+0x$address $(sed -n "s/^$f //p" want)" got || lost="$lost $f"
    done
    is "$lost" "" "$name: but its functions are there, by address"
done

# another C library, whose members the linker names `printf.lo`
if command -v musl-gcc >/dev/null && musl-gcc -O1 -g -static -o debug "$PROGRAM" && musl-gcc -O1 -static -o plain "$PROGRAM"; then
    cp want glibc
    sed -i "s/^compare .*/compare $(./plain | sed -n 's/^compared //p')/" want # its qsort is another, which jumps on to the comparison
    for engine in valgrind qemu; do
        functions $engine debug >got; same got "musl, $engine: static, by its debug data"
        functions $engine plain >got; same got "musl, $engine: without debug data, by its files and names"
    done
    mv glibc want
else
    skip "musl" "no musl-gcc here"
fi

# a C library that kept its debug data, and a program that has a file of the same name as the library
mkdir -p glibc-2.99/stdio own
printf 'int library(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n' >glibc-2.99/stdio/vfprintf.c
printf 'int library(int);\nint mine(int n) { return library(n) + 1; }\n' >own/vfprintf.c
printf 'int mine(int);\nint main(void) { return mine(10) != 46; }\n' >main.c
gcc -O1 -g -static -o both main.c own/vfprintf.c glibc-2.99/stdio/vfprintf.c || exit 99
functions valgrind both >got
is "$(tr '\n' ' ' <got)" "main 1 mine 1 " "a unit that was compiled in the library's sources is the library's"
gcc -O1 -static -o both main.c own/vfprintf.c glibc-2.99/stdio/vfprintf.c || exit 99
functions valgrind both >got
is "$(tr '\n' ' ' <got)" "library 1 main 1 mine 1 " "without debug data the file's own name is no evidence"

# the last of its files has one function, whose name is reserved: mapping symbols tell
printf 'int _last(int n) { return n * 3; }\n' >last.c
printf 'int _last(int);\nint main(void) { return _last(5) != 15; }\n' >main.c
for prefix in aarch64-linux-gnu arm-linux-gnueabihf riscv64-linux-gnu; do
    command -v $prefix-gcc >/dev/null && $prefix-gcc -O1 -static -o last main.c last.c || { skip "$prefix: a last file" "does not link"; continue; }
    functions qemu last >got
    is "$(tr '\n' ' ' <got)" "_last 1 main 1 " "$prefix: the last file's function is the program's, though its name is reserved"
done

# linkers that do not name members: lld and gold
for linker in lld gold; do
    command -v ld.$linker >/dev/null && gcc -O1 -static -fuse-ld=$linker -o plain "$PROGRAM" 2>"$WORK/err" || { skip "$linker" "no ld.$linker here"; continue; }
    strip -g -o symbols plain
    for file in plain symbols; do
        functions valgrind $file | grep -vE '^(call_fini|handle_[a-z]*) ' >got; same got "$linker: a program that is linked by it ($file)"
    done
done

# debug data in a file of its own
gcc -O1 -g -static -o split "$PROGRAM" && objcopy --only-keep-debug split split.debug && objcopy --strip-all --add-gnu-debuglink=split.debug split || exit 99
functions valgrind split >got; same got "debug data in a file of its own tells what is the library's"

g++ -O1 -g -o dynamic "$SOURCE/tests/cli/programs/exceptions.cc" && g++ -O1 -g -static -o debug "$SOURCE/tests/cli/programs/exceptions.cc" || exit 99
functions valgrind dynamic >want
functions valgrind debug >got; same got "C++: instances of the library's templates are the program's, as in a dynamic program"
# names of start-up code: what is called like it, but stands elsewhere, is the program's
mkdir -p "$WORK/begin" && cd "$WORK/begin" || exit 99
cat >called.c <<'C'
#define OWN __attribute__((noipa))
static volatile int a[1000];
int __real_main(int n, char **v);
OWN int __wrap_main(int n, char **v) { for (int i = 0; i < 1000; i++) a[i] = i + n - 1; return __real_main(n, v); }
OWN int __do_init(void) { int s = 0; for (int i = 0; i < 1000; i++) s += a[i]; return s; }
OWN int __do_fini(void) { return __do_init() + a[1]; }
OWN int _start_c(int n) { return a[n]; }
OWN int __start(int n) { return a[n] + 1; }
#ifdef ALONE
#define offset() 0
#else
int offset(void);
#endif
int main(void) { return __do_fini() + _start_c(2) + __start(3) - 499500 - 1 - 2 - 4 + offset(); }
C
cat >initial.c <<'C'
static volatile int first[500];
void _init(void) { for (int i = 0; i < 500; i++) first[i] = 1; }
int offset(void) { int s = 0; for (int i = 0; i < 500; i++) s += first[i]; return s ? s - 500 : 0; }
C
cat >bare.c <<'C'
#define OWN __attribute__((noipa))
static int a[1000];
static char b[1000];
OWN void *memset(void *p, int c, unsigned long n) { for (unsigned long i = 0; i < n; i++) ((volatile char *)p)[i] = c; return p; }
OWN int puts(const char *s) { int n = 0; for (int i = 0; i < 1000; i++) n += s[i]; return n; }
OWN int _sum(void) { int s = 0; for (int i = 0; i < 1000; i++) s += a[i]; return s; }
OWN void exit(int status) { for (;;) LEAVE(status); }
#ifdef __x86_64__
__attribute__((force_align_arg_pointer))
#endif
void _start(void) { for (int i = 0; i < 1000; i++) ((volatile int *)a)[i] = i; memset(b, 3, 1000); exit(_sum() - 499500 + puts(b) - 3000); }
C
# streams: those of the program's own with a thousand bytes and more, in hundreds: x86's calls leave an address on the stack, too
streams() { "$CORECAST" report p.cast --view comm --min-share 0 --json | jq -r '.edges[]|select(.bytes>=1000 and .from!=.to and ([.from,.to]|all(startswith("<")|not)))|"\(.from) \(.to) \(.bytes/100|floor)"' | sort | tr '\n' ';'; }
for isa in host aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu; do
    name=${isa%%:*} engines=qemu prefix=${isa#*:}-
    [ "$name" = "$(uname -m)" ] && continue
    [ $name = host ] && engines="valgrind qemu" prefix=
    command -v ${prefix}gcc >/dev/null || { skip "$name: names of start-up code" "no ${prefix}gcc here"; continue; }
    case $(${prefix}gcc -dumpmachine) in
    x86_64*) leave='__asm__ volatile("syscall" : : "a"(231), "D"(s))' ;;
    aarch64*) leave='{ register long c __asm__("x8") = 94, r __asm__("x0") = s; __asm__ volatile("svc 0" : : "r"(c), "r"(r)); }' ;;
    arm*) leave='{ register long r __asm__("r0") = s; __asm__ volatile("push {r7}; mov r7, #248; svc 0; pop {r7}" : : "r"(r)); }' ;;
    *) leave='{ register long c __asm__("a7") = 94, r __asm__("a0") = s; __asm__ volatile("ecall" : : "r"(c), "r"(r)); }' ;;
    esac
    ${prefix}gcc -O1 -nostdlib -static -ffreestanding -fno-stack-protector "-DLEAVE(s)=$leave" -o bare bare.c || exit 99
    for engine in $engines; do
        functions $engine bare >got
        is "$(tr '\n' ' ' <got)" "_start 1 _sum 1 exit 1 memset 1 puts 1 " "$name, $engine: a program with no C library has all of its functions"
        is "$(streams)" "_start _sum 40;memset puts 10;" "$name, $engine: and its streams"
    done
    ${prefix}gcc -O1 -shared -fPIC -nostartfiles -o libinitial.so initial.c && ${prefix}gcc -O1 -o called called.c "-Wl,-rpath,$PWD" ./libinitial.so -Wl,--wrap=main || exit 99
    ${prefix}gcc -O1 -DALONE -static -o alone called.c -Wl,--wrap=main || exit 99
    first="_init 1 "
    [ "$name" != riscv64 ] || first= # where libraries have none
    [ -z "$prefix" ] || export QEMU_LD_PREFIX=/usr/$(${prefix}gcc -dumpmachine)
    for engine in $engines; do
        functions $engine called >got
        is "$(tr '\n' ' ' <got)" "__do_fini 1 __do_init 1 __start 1 __wrap_main 1 ${first}_start_c 1 main 1 offset 1 " "$name, $engine: functions that are called like start-up code"
        is "$(streams)" "__wrap_main __do_init 40;${first:+_init offset 20;}" "$name, $engine: and their streams, of a library's own _init too"
        functions $engine alone >got
        is "$(tr '\n' ' ' <got)$(streams)" "__do_fini 1 __do_init 1 __start 1 __wrap_main 1 _start_c 1 main 1 __wrap_main __do_init 40;" "$name, $engine: in a static program"
    done
    unset QEMU_LD_PREFIX
done
done_testing
