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

# debug data in a file of its own
gcc -O1 -g -static -o split "$PROGRAM" && objcopy --only-keep-debug split split.debug && objcopy --strip-all --add-gnu-debuglink=split.debug split || exit 99
functions valgrind split >got; same got "debug data in a file of its own tells what is the library's"

g++ -O1 -g -o dynamic "$SOURCE/tests/cli/programs/exceptions.cc" && g++ -O1 -g -static -o debug "$SOURCE/tests/cli/programs/exceptions.cc" || exit 99
functions valgrind dynamic >want
functions valgrind debug >got; same got "C++: instances of the library's templates are the program's, as in a dynamic program"
done_testing
