#!/bin/sh
# Whose functions have nodes: a program with libraries of its own elsewhere, libm and libstdc++ (programs/libraries.c), under each --libs.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/libraries.c
mkdir bin lib || exit 99

# build COMPILER: names that begin like the system's, a link to a versioned file, a plugin that has the name of one of glibc's but for the number
build() {
    rm -f lib/* bin/*
    $1 -O1 -DCALC -shared -fPIC -Wl,-z,now -Wl,-soname,libcalc.so.1 -o lib/libcalc.so.1.2 "$PROGRAM" -lm &&
        ln -s libcalc.so.1.2 lib/libcalc.so.1 && ln -s libcalc.so.1 lib/libcalc.so &&
        $1 -O1 -DMATH -shared -fPIC -Wl,-z,now -o lib/libmath.so "$PROGRAM" &&
        $1 -O1 -DPLUGIN -shared -fPIC -Wl,-z,now -Wl,-soname,librt.so -o lib/librt.so "$PROGRAM" &&
        $1 -O1 -Wl,-z,now -o bin/prog "$PROGRAM" -x none -Llib -lcalc -lmath -ldl "-Wl,-rpath,$WORK/lib"
}
# functions ENGINE MODE: "name calls file" of those that are no start-up code
functions() {
    "$CORECAST" record --engine "$1" ${2:+--libs "$2"} -o p.cast -- bin/prog lib/librt.so >prog.out 2>"$WORK/err" || echo "failed: $?"
    "$CORECAST" report p.cast --view functions --min-share 0 --json 2>"$WORK/err" |
        jq -r '.functions[]|select(.object!=null)|"\(.name) \(.calls) \(.object|split("/")|last)"' | sort
}
same() { # same FILE FILE WHAT
    cmp -s "$1" "$2"; ok $? "$3"
    cmp -s "$1" "$2" || diff "$1" "$2" | sed 's/^/# /' | head -8
}
exclusive() { "$CORECAST" report p.cast --view functions --min-share 0 --json | jq --arg f "$1" '.functions[]|select(.name==$f)|.exclusive'; }

printf '%s\n' "main 1 prog" "use_calc 1 prog" "use_plugin 1 prog" >want.caller
printf '%s\n' "calc_root 7 libcalc.so.1.2" "calc_step 14 libcalc.so.1.2" "main 1 prog" "math_add 5 libmath.so" "math_sum 5 libmath.so" \
    "plugin_run 3 librt.so" "plugin_twice 6 librt.so" "use_calc 1 prog" "use_plugin 1 prog" >want.auto

build "g++ -x c++" || exit 99
for engine in valgrind qemu; do
    functions $engine "" >got; same want.auto got "$engine: by default libraries that the program brings are the program's"
    is "$("$CORECAST" report p.cast --json | jq -r .libs)" auto "$engine: which the profile knows"
    exclusive 'math_add' >sum.$engine
    root=$(exclusive calc_root) step=$(exclusive 'calc_step') all=$("$CORECAST" report p.cast --json | jq .instructions)
    [ "$step" -gt $((14 * 20)) ]; ok $? "$engine: what libm does for them is theirs ($step)"
    functions $engine caller >got; same want.caller got "$engine: --libs caller shows the program alone"
    functions $engine node >got
    grep -vE '^_|^\.|deregister_tm|register_tm|frame_dummy|call_weak' got | grep -E ' (prog|lib(calc|math|rt)\.so[.0-9]*)$' >own
    same want.auto own "$engine: --libs node shows the same functions of theirs"
    grep -qE '^pow.* 14 libm\.so\.6$' got; ok $? "$engine: and libm's"
    grep -qE '^operator new\(.* 5 libstdc\+\+\.so' got; ok $? "$engine: and libstdc++'s"
done
is "$(cat sum.valgrind)" "$(cat sum.qemu)" "the engines count the same in a library"

# the system's library from a folder of the program's: its SONAME says what it is
if libm=$(ldd bin/prog 2>/dev/null | sed -n 's/.*libm\.so\.6 => \([^ ]*\).*/\1/p') && [ -n "$libm" ]; then
    cp "$libm" lib/libm-copy.so && ln -s libm-copy.so lib/libm.so.6
    functions valgrind auto >got; same want.auto got "the system's libm under another name and in another folder"
fi

for isa in aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu mipsel:mipsel-linux-gnu; do
    name=${isa%%:*} prefix=${isa#*:}-
    [ "$name" = "$(uname -m)" ] && continue
    { command -v ${prefix}gcc >/dev/null && build "${prefix}gcc" 2>/dev/null; } || { skip "$name programs" "no ${prefix}gcc here"; continue; }
    functions qemu auto >got; same want.auto got "$name: libraries that the program brings are the program's"
    functions qemu caller >got; same want.caller got "$name: --libs caller"
done
# a program as it is packaged: both engines see the same, in the environment that it would have without them
seq 300 | sort -r >lines
for engine in valgrind qemu; do
    env -u LD_PRELOAD A=1 "$CORECAST" record --engine $engine -o p.cast env 2>"$WORK/err" | grep -v '^_=' | sort >$engine.env
    env -u LD_PRELOAD A=1 env | grep -v '^_=' | sort >env
    same env $engine.env "$engine: its environment"
    "$CORECAST" record --engine $engine -o p.cast -- sort --parallel=1 -n lines >/dev/null 2>"$WORK/err"
    "$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '.functions[]|"\(.name) \(.calls) \(.object)"' | sort >$engine.sort
    is "$("$CORECAST" report p.cast --view comm --min-share 0 --json | jq '[.edges[]|select(.from=="<input>").sources[]?|select(.call=="execve")|.bytes]|add > 100')" true "$engine: arguments and environment are input"
done
ok $([ "$(wc -l <qemu.sort)" -gt 10 ]; echo $?) "sort has functions"
same valgrind.sort qemu.sort "both engines: the same functions and calls of sort"
done_testing
