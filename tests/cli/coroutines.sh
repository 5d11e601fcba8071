#!/bin/sh
# Coroutines in closed form: every activation is one call, and inclusive costs stop while a stack does not run. Switches by assembly, ucontext and longjmp.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/coroutines.c
gcc -O1 -g -Wl,-z,now -o coroutines "$PROGRAM" || exit 99

PING_PONG="go 202 main 1 ping 1 ping_pong 1 ping_work 100 pong 1 pong_deep 300 pong_work 100 resume 101 run 2 spin 202 stack_new 2 yield 100"
NESTED="go 256 inner 1 main 1 nested 1 outer 1 resume 128 run 2 spin 127 stack_new 2 take 64 walk 127 yield 126"
ABANDONED="abandoned 1 endless 50 go 400 main 1 resume 200 run 50 spin 251 stack_new 50 yield 200"
MANY="go 8000 little 2000 main 1 many 1 resume 4000 run 2000 spin 4001 stack_new 2000 yield 2000"
SIGNALS="in_handler 40 leave_handler 20 main 1 on_usr1 20 on_usr2 20 signals 1 spin 42"

# record ENGINE KIND PLAY [OPTIONS]
record() {
    e=$1 k=$2 p=$3
    shift 3
    "$CORECAST" record --engine "$e" "$@" -o p.cast -- ./coroutines "$k" "$p" 2>"$WORK/err" &&
        "$CORECAST" report p.cast --view functions --min-share 0 --json >functions 2>"$WORK/err"
}
# calls of the program's own functions; the switch itself is there with some kinds only
calls() {
    jq -r '[.functions[]|select((.object//""|endswith("/coroutines")) and (.name|startswith("_")|not) and .name!="switch_stacks" and (.file//""|endswith("coroutines.c")))|"\(.name) \(.calls)"]|sort|join(" ")' functions
}
# sum FORMULA: whether it holds; i and e are a function's inclusive and exclusive costs, n its calls
holds() {
    jq -r "def f(n): [.functions[]|select(.name==n and (.object//\"\"|endswith(\"/coroutines\")))][0]; def i(n): f(n).inclusive; def e(n): f(n).exclusive; $1" functions
}
play() { # play ENGINE KIND WHAT OPTIONS: all plays
    what=$3 engine=$1 kind=$2
    record $engine $kind ping_pong $4
    is "$(calls)" "$PING_PONG" "$what: ping-pong, calls"
    is "$(holds 'i("pong")==e("pong")+e("pong_deep")+i("pong_work")+i("yield")')" true "$what: pong costs what it runs, not what it waits"
    is "$(holds '((i("pong_work")-i("ping_work"))/10000) as $round|(i("ping_work")-e("ping_work"))/100+200*$round==i("ping_pong")-e("ping_pong")-i("stack_new")-i("resume")')" true \
        "$what: and all of it is below who resumed it"
    is "$(holds 'i("main")>=i("ping_pong") and i("ping_pong")>i("ping") and i("ping")>i("pong")+i("ping_work")')" true "$what: ping resumes pong, and contains it"
    record $engine $kind abandoned $4
    is "$(calls)" "$ABANDONED" "$what: abandoned generators, calls"
    is "$(holds '(i("endless")-e("endless")-i("yield"))%200==0 and i("endless")<i("resume")')" true "$what: abandoned generators, costs"
    record $engine $kind many $4
    is "$(calls)" "$MANY" "$what: two thousand coroutines, calls"
    is "$(holds '(i("little")-e("little")-i("yield"))%2000==0 and i("little")<i("run") and i("run")<i("go")')" true "$what: two thousand coroutines, costs"
}
nested() { # nested WHAT [SHARE]: the engine may be wrong about this share of the inner one's costs
    is "$(calls)" "$NESTED" "$1: a generator in a generator, calls"
    is "$(holds '(e("inner")+e("walk")+i("yield")/2) as $right|(i("inner")-$right|fabs) <= '"${2:-0}*\$right")" true "$1: the inner one's costs"
    is "$(holds 'i("outer")>i("inner")+e("outer") and i("take")>i("outer") and i("nested")>i("take")')" true "$1: the outer one contains it"
}

for kind in a u j; do
    for libs in caller node; do
        what="valgrind, --libs $libs, $kind"
        play valgrind $kind "$what" "--libs $libs"
        record valgrind $kind nested --libs $libs
        nested "$what"
    done
    play qemu $kind "qemu, $kind" ''
    record qemu $kind nested
    nested "qemu, $kind" 0.1
done
for engine in valgrind qemu; do
    record $engine a signals
    is "$(calls)" "$SIGNALS" "$engine: handlers on a stack of their own, left by returning and by longjmp"
    is "$(holds '(i("on_usr1")-e("on_usr1"))*2==i("in_handler") and i("leave_handler")>i("on_usr2")')" true "$engine: their costs"
    is "$(jq -c '[.functions[]|select(.name|test("^vgPlain|sigreturn"))|.name]' functions)" '[]' "$engine: what the engine puts in for signals is no function of the program"
done

# the C library's own switching, elsewhere
for isa in aarch64-linux-gnu arm-linux-gnueabihf riscv64-linux-gnu mipsel-linux-gnu; do
    if same_machine $isa-gcc || ! command -v $isa-gcc >/dev/null || ! $isa-gcc -O1 -g -Wl,-z,now -o coroutines "$PROGRAM"; then
        skip "$isa" "nothing foreign here, or no $isa-gcc"
        continue
    fi
    play qemu u "$isa, u" ''
    record qemu u nested
    nested "$isa, u" 0.1
done

isa=x86_64-linux-gnu
if same_machine $isa-gcc; then
    skip "$isa" "nothing foreign here"
elif command -v $isa-gcc >/dev/null; then
    $isa-gcc -O1 -g -Wl,-z,now -o coroutines "$PROGRAM" || exit 99
    QEMU_LD_PREFIX=/usr/$isa
    export QEMU_LD_PREFIX
    play qemu a "$isa" ''
    record qemu a nested
    nested "$isa" 0.1
else
    skip "$isa" "no $isa-gcc"
fi
done_testing
