#!/bin/sh
# Recording real programs: streams in closed form, control flow, threads, files, forks; both engines give the same.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -o streams "$SOURCE/tests/cli/programs/streams.c" -lpthread || exit 99
g++ -O1 -g -o exceptions "$SOURCE/tests/cli/programs/exceptions.cc" || exit 99
seq 1 400 | head -c 1200 >f.dat

# record ENGINE ARGS…: into p.cast; what is not quiet is an error
record() {
    e=$1
    shift
    "$CORECAST" record --engine "$e" -o p.cast -- "$@" >prog.out 2>"$WORK/err"
}
# stream FROM TO: "bytes unma fresh" of the last recording
stream() {
    "$CORECAST" report p.cast --view comm --min-share 0 --json 2>"$WORK/err" |
        jq -r --arg f "$1" --arg t "$2" '[.edges[]|select(.from==$f and .to==$t)|"\(.bytes) \(.unma) \(.fresh)"]|join(";")'
}
calls() { "$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r --arg f "$1" '.functions[]|select(.name==$f)|.calls'; }
# everything about the program's own functions that both engines must agree on; names with an underscore are start-up code and libraries
own_facts() {
    "$CORECAST" report p.cast --view functions --min-share 0 --json |
        jq -r --arg p "/$1" '.functions[]|select(.object!=null and (.object|endswith($p)) and .file!=null and (.file|test("\\.(c|cc)$")) and (.name|startswith("_")|not))|"\(.name) \(.calls) \(.exclusive)"' | sort
    "$CORECAST" report p.cast --view functions --min-share 0 --json |
        jq -r --arg p "/$1" '.functions[]|select(.object!=null and (.object|endswith($p)) and .file!=null and (.file|test("\\.(c|cc)$")) and (.name|startswith("_")|not))|.name' | sort >own
    "$CORECAST" report p.cast --view comm --min-share 0 --json |
        jq -r --rawfile own own '($own|split("\n")) as $o | .edges[]|select((.from|IN($o[])) and (.to|IN($o[])))|"\(.from) \(.to) \(.bytes) \(.unma) \(.fresh)"' | sort
}

for engine in valgrind qemu; do
    record $engine ./streams streams
    is "$(stream produce consume_thrice)" "12000 4000 4000" "$engine: written once, read three times"
    is "$(stream write_low read_both);$(stream write_high read_both)" "50 50 50;100 100 100" "$engine: overlapping writers"
    is "$(stream write_odd read_odd)" "200 200 200" "$engine: unaligned writes"
    is "$(stream write_wide read_wide)" "144 144 144" "$engine: 16-byte accesses across each other"
    is "$(stream fill_pack copy_pack);$(stream copy_pack use_pack)" "24 24 24;16 16 16" "$engine: a struct copied and used in part"

    record $engine ./streams files f.dat
    is "$(cat prog.out)" "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" "$engine: output passes through"
    is "$(stream '<input>' use_file)" "600 600 600" "$engine: bytes read from a file, by read and readv"
    is "$(stream '<input>' map_file)" "300 300 300" "$engine: bytes of a mapped file"
    is "$(stream make_text '<output>')" "40 40 40" "$engine: bytes written out"
    is "$("$CORECAST" report p.cast --view comm --min-share 0 --json | jq -r '.edges[]|select(.from=="<input>" and .to=="use_file")|[.sources[]|"\(.call) \(.file|split("/")|last) \(.bytes)"]|sort|join(";")')" \
        "read f.dat 500;readv f.dat 100" "$engine: the input names its system call and file"

    record $engine ./streams pipeline
    got=$("$CORECAST" report p.cast --view comm --by thread --min-share 0 --json | jq '[.edges[]|select(.from!=.to and (.from|startswith("thread")) and (.to=="thread 1"))|.bytes]|add')
    ok $([ "${got:-0}" -ge 3200 ]; echo $?) "$engine: two threads in a pipeline: at least the 3200 bytes of the slots ($got)"

    record $engine ./streams control
    is "$(calls jump_out)" 1100 "$engine: calls left by longjmp"
    is "$(calls after_jumps) $(calls on_signal) $(calls by_value)" "1 20 318" "$engine: after the jumps, signal handlers, callbacks"
    is "$("$CORECAST" report p.cast --view calltree --min-share 0 --json | jq -r '.threads[0].root.children[]|select(.name=="main")|[.children[].name]|sort|join(" ")')" \
        "after_jumps jump_many produce raise_many sort_some" "$engine: the tree is whole after all that"

    record $engine ./exceptions
    is "$(cat prog.out)" "25 1" "$engine: a C++ program runs"
    is "$(calls 'shop::refuse(int)') $(calls 'shop::attempt(int)') $(calls 'shop::basket::add(int)')" "75 25 10" "$engine: exceptions, demangled names"
done

# a million calls deep costs no more per call than a thousand deep a thousand times (generous: the machine may be busy)
record valgrind ./streams deep 1000000
is "$(calls descend)" 1000001 "a million calls deep"
record qemu ./streams deep 1000000
is "$(calls descend)" 1000001 "a million calls deep under qemu"

record valgrind ./streams forks 100
is "$? $(calls fork_once)" "0 100" "100 forks, children not followed"
is "$(calls produce)" "" "what children do is not in the parent's profile"
for engine in valgrind qemu; do
    record $engine ./streams forks 1
    cc report p.cast
    grep -q 'made processes.*--follow' out; ok $? "$engine: and that is said"
done
"$CORECAST" record --follow -o f.cast -- ./streams forks 3
is "$(ls f-*.cast | wc -l)" 3 "--follow gives each child a profile"
child=$(ls f-*.cast | head -1)
is "$("$CORECAST" report "$child" --view functions --min-share 0 --json | jq -r '.functions[]|select(.name=="produce")|.calls')" 1 "of its own work"

# a program does what it is called: by a path, by a link, found in PATH
cat >named.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) { return printf("%s %d\n", argv[0], argc) < 0; }
END
mkdir named && gcc -O1 -g -o named/first named.c && ln -s first named/second || exit 99
for engine in valgrind qemu; do
    for name in ./named/first ./named/second "$PWD/named/second" second; do
        PATH=$PWD/named:$PATH "$CORECAST" record --engine $engine -o p.cast -- "$name" a >prog.out 2>err
        is "$(cat prog.out)" "$name 2" "$engine: $(basename $name) is called what it is called without us"
    done
    is "$(calls main)" 1 "$engine: and recorded"
done

# and finds its environment as it is without us
for engine in valgrind qemu; do
    env -i A=1 PATH="$PATH" B=2 TMPDIR="${TMPDIR:-/tmp}" C=3 "$CORECAST" record --engine $engine -o p.cast -- env >prog.out 2>err
    is "$(tr '\n' ' ' <prog.out)" "A=1 PATH=$PATH B=2 TMPDIR=${TMPDIR:-/tmp} C=3 " "$engine: its environment, in its order"
done

# a program that executes another: whose profile it is is said, also to nobody at a terminal
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast -- env A=1 ./streams streams >prog.out 2>err
    is "$? $(grep -c "'env' executed another program.*corecast record" err)" "0 1" "$engine: of env and the program that it executes only env is recorded, and that is said"
    "$CORECAST" report p.cast | grep -q '^incomplete: .*exec'; ok $? "$engine: and in the profile"
    "$CORECAST" record --engine $engine -o p.cast -- sh -c './streams streams; :' >prog.out 2>err
    is "$? $(grep -c "'sh' made processes.*--follow.*corecast record" err)" "0 1" "$engine: and of processes"
    "$CORECAST" record --engine $engine -o p.cast -- env ./absent >prog.out 2>err
    is "$? $(grep -c 'executed another' err)" "127 0" "$engine: not where there was nothing to execute"
    "$CORECAST" record --follow --engine $engine -o e.cast -- sh -c './streams streams; :' >prog.out 2>err
    is "$? $(ls e-*.cast | wc -l) $("$CORECAST" report e.cast | grep -c '^incomplete')" "0 1 0" "$engine: followed, both have a profile"
    "$CORECAST" report e-*.cast | grep -q '^incomplete: .*exec'; ok $? "$engine: which ends where the child executes another program"
    rm -f e.cast e-*.cast
    "$CORECAST" record --engine $engine -q -o p.cast -- env A=1 ./streams streams >prog.out 2>err
    is "$(cat err)" "" "$engine: and nothing with -q"
done

# both engines agree on the program's own functions, library code apart
gcc -O1 -g -fno-inline -o canny "$SOURCE/examples/canny/canny.c" -lm || exit 99
gcc -O1 -g -static -o streams-static "$SOURCE/tests/cli/programs/streams.c" -lpthread || exit 99
for program in "./streams streams" "./streams-static streams" "./streams control" "./canny 160x120" "./exceptions"; do
    for engine in valgrind qemu; do
        # stubs count to their caller, so the dynamic linker's work on the first call of each is kept out
        LD_BIND_NOW=1 "$CORECAST" record --libs node --engine $engine -o p.cast -- $program >/dev/null 2>"$WORK/err"
        name=${program%% *}
        own_facts "${name#./}" >"facts.$engine"
    done
    cmp -s facts.valgrind facts.qemu && [ "$(wc -l <facts.qemu)" -ge 5 ]
    ok $? "engines agree on '$program' ($(wc -l <facts.qemu) facts)"
    cmp -s facts.valgrind facts.qemu || diff facts.valgrind facts.qemu | sed 's/^/# /' | head -8
done

# closed-form figures of the edge detector at full size
record valgrind ./canny
is "$(stream make_gaussian_kernel gaussian_smooth | cut -d' ' -f2)" 44 "canny: 11 floats of the kernel"
is "$(stream make_gaussian_kernel gaussian_smooth | cut -d' ' -f1)" $((4 * ((800 * 11 - 30) * 600 + (600 * 11 - 30) * 800))) "canny: read once per tap inside the picture"
is "$(stream gaussian_smooth gaussian_smooth | awk '{print ($2 >= 1920000 && $2 < 1921000)}')" 1 "canny: the smoother's own picture of floats"
is "$(stream gaussian_smooth derivative_x_y | cut -d' ' -f1,2)" "3840000 960000" "canny: each short is read four times"
is "$(stream derivative_x_y magnitude_x_y)" "1920000 1920000 1920000" "canny: each derivative is read once"

# other compilers number their files another way
if command -v clang >/dev/null; then
    clang -O1 -g -o streams-clang "$SOURCE/tests/cli/programs/streams.c" -lpthread
    record valgrind ./streams-clang streams
    is "$("$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '.functions[]|select(.name=="produce")|.file|split("/")|last')" streams.c "clang: file of a function"
    if clang -O1 -g -fuse-ld=lld -o streams-lld "$SOURCE/tests/cli/programs/streams.c" -lpthread 2>/dev/null; then # pages of the file lie in several segments
        for engine in valgrind qemu; do
            record $engine ./streams-lld streams
            is "$(stream produce consume_thrice)" "12000 4000 4000" "$engine: a program that lld has linked"
        done
    else
        skip "a program that lld has linked" "no lld here"
    fi
else
    skip "clang: file of a function" "no clang here"
fi

# stripped, static and library modes
cp canny canny-stripped && strip canny-stripped
record valgrind ./canny-stripped 80x60
is "$("$CORECAST" report p.cast --view comm --min-share 0 --json | jq '[.edges[]|select(.unma==44 and .bytes>40000)]|length')" 1 "a stripped program has the same streams"
"$CORECAST" record --libs node -o p.cast -- ./streams files f.dat >/dev/null
is "$([ -n "$(calls read)$(calls __libc_read)$(calls __read)" ]; echo $?)" 0 "--libs node shows the library's functions"
printf 'a\nb\n' | "$CORECAST" record -o p.cast -- ./streams echo >o 2>e
is "$? $(cat o | tr '\n' ,) $(cat e)" "42 a,b, to stderr" "standard input, output, error and exit status are the program's"

# foreign programs
for isa in aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu mipsel:mipsel-linux-gnu; do
    name=${isa%%:*}
    compiler=${isa#*:}-gcc
    [ "$name" = "$(uname -m)" ] && compiler=gcc
    command -v "$compiler" >/dev/null || { skip "$name programs" "no $compiler here"; continue; }
    for mode in "" -static; do
        $compiler -O1 -g $mode -o foreign "$SOURCE/tests/cli/programs/streams.c" -lpthread 2>/dev/null || { skip "$name $mode" "does not link"; continue; }
        "$CORECAST" record -o p.cast -- ./foreign streams 2>"$WORK/err"
        is "$("$CORECAST" report p.cast --json | jq -r .isa) $(stream produce consume_thrice) $(stream copy_pack use_pack | cut -d' ' -f3)" \
            "$name 12000 4000 4000 $([ "$name" = arm ] || [ "$name" = mipsel ] && echo 8 || echo 16)" "$name${mode:+ $mode}: streams in closed form"
    done
done
TMPDIR=$WORK/nonesuch cc record --engine valgrind -o t.cast -- true
[ ! -e t.cast ] && fails 125 "TMPDIR is '.*nonesuch'" "a folder for temporary files that is not there is said at once"
done_testing
