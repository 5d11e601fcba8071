#!/bin/sh
# What goes wrong while recording: a clear message, the right status, nothing lost.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -o streams "$SOURCE/tests/cli/programs/streams.c" -lpthread || exit 99
facts() { "$CORECAST" report "${1:-p.cast}" --json 2>"$WORK/err" | jq -c '[.complete,.reason,.exit.code,.exit.signal]'; }

cc record; fails 125 "no program" "nothing to record"
cc record ./nowhere; fails 127 "No such file" "an absent file"
cc record no-such-command-anywhere; fails 127 "not found" "an unknown command"
printf 'hello' >text; chmod +x text
cc record ./text; fails 126 "not an ELF program" "a text file"
printf '#!/bin/sh\n' >script; chmod +x script
cc record ./script; fails 126 "/bin/sh ./script" "a script, with its interpreter as a hint"
printf '#!/usr/bin/env bash\n' >script; cc record ./script; fails 126 "program: bash ./script" "a script of what env finds"
printf '#! \n' >script; cc record ./script; fails 126 "INTERPRETER ./script" "a script of nothing"
cc record ./; fails 126 "directory" "a folder"
cp streams plain; chmod -x plain
cc record ./plain; fails 126 "not executable" "a program that may not be run"
head -c 200 streams >cut; chmod +x cut
cc record ./cut; fails 126 "ELF" "half a program"
cp streams setuid; chmod u+s setuid
cc record ./setuid; fails 126 "setuid" "a setuid program is refused"
printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\002\0\026\0\001\0\0\0' >s390; head -c 100 /dev/zero >>s390; chmod +x s390
cc record ./s390; fails 126 "machine corecast does not know" "a machine we do not know"
mkfifo pipe; chmod +x pipe
cc record ./pipe; fails 126 "not a program" "a pipe"
for p in ./nowhere no-such-command-anywhere ./text ./script ./ ./plain ./cut ./setuid ./s390 ./pipe ./text/below; do
    cc record $p; mv err err-record; record=$RC
    cc simulate --platform mips-smp -- $p
    cmp -s err err-record; is "$RC $?" "$record 0" "simulate says of $p what record says: $record"
done
cc record -o /nowhere/x.cast ./streams; fails 125 "cannot write" "an output that cannot be written"
cc record --engine native --region x=main ./streams; fails 125 "--region.*belongs to" "the native engine has no regions of functions"
cc record --engine native --channel main:main ./streams; fails 125 "--channel.*belongs to" "nor channels"
cc record --region x ./streams; fails 125 "NAME=FUNCTION" "a region without a function"
cc record --region x=nowhere_at_all ./streams; fails 125 "nowhere_at_all" "a region of a function that is none"
# a limit that we meet, not the program
(ulimit -f 200; "$CORECAST" record -o p.cast --engine valgrind ./streams streams) >out 2>err; RC=$?
fails 125 "no file may have more than [0-9]+ KiB: see 'ulimit -f'" "a limit on the size of files"
mkdir folder.cast
cc record -o folder.cast ./streams; fails 125 "not a regular file" "an output that is a folder"
foreign=riscv64-linux-gnu-gcc
[ "$(uname -m)" = riscv64 ] && foreign=arm-linux-gnueabihf-gcc
if command -v $foreign >/dev/null; then
    $foreign -O1 -static -o alien "$SOURCE/tests/cli/programs/streams.c" -lpthread
    mkdir empty
    RC=0; PATH=$WORK/empty "$CORECAST" record ./alien >out 2>err || RC=$?
    fails 125 "there is no 'qemu-" "a foreign program without its emulator"
    cc record --engine valgrind ./alien; fails 125 "this machine only" "a foreign program under valgrind"
fi

for engine in valgrind qemu; do
    rm -f p.cast
    "$CORECAST" record --engine $engine -o p.cast ./streams crash 2>/dev/null
    is "$? $(facts)" '139 [false,"killed by SIGSEGV",null,11]' "$engine: a crash leaves an incomplete profile that says so"
    gcc -O1 -o said -x c - <<'C'
#include <stdio.h>
int main(int argc, char **argv) { printf("%s\n", argc > 1 ? argv[1] : ""); return 5; }
C
    got=$("$CORECAST" record --engine $engine -o p.cast ./streams exec ./said)
    is "$? $got $(facts | cut -d, -f1)" "5 said [false" "$engine: exec: the new program runs, the old one's profile is incomplete"
    for pair in KILL:9 INT:2 TERM:15; do
        signal=${pair%:*} number=${pair#*:}
        rm -f p.cast
        cp streams "spin-$engine-$signal"
        # a background job of a script ignores SIGINT, and would pass that on
        env --default-signal=INT "$CORECAST" record --engine $engine -o p.cast "./spin-$engine-$signal" spin >/dev/null 2>&1 &
        tool=$!
        for i in $(seq 300); do grep -qs . p.cast.??????/rec.0 && break; sleep 0.05; done # until there is a snapshot
        if [ $signal = TERM ]; then kill -TERM $tool; else pkill -$signal -P $tool; fi
        wait $tool
        code=$?
        is "$code $(facts)" "$((128 + number)) [false,\"killed by SIG$signal\",null,$number]" "$engine: SIG$signal leaves an incomplete profile"
    done
done
is "$(ls -d p.cast* | tr '\n' ' ')" "p.cast " "no folder or file is left behind"

# a full disk: the old output stays
if mkdir full && mount -t tmpfs -o size=48k tmpfs full 2>/dev/null; then
    echo old >full/p.cast
    "$CORECAST" record -o full/p.cast ./streams streams 2>"$WORK/err"
    RC=$?
    fails 125 "could not be recorded: No space left" "a full disk: no success without a profile, the message says why"
    is "$(cat full/p.cast)" old "and the old file is untouched"
    umount full
else
    skip "a full disk" "no right to mount"
fi
gcc -O1 -g -o handler "$SOURCE/tests/cli/programs/handler.c" || exit 99
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast -- ./handler >prog.out 2>"$WORK/err"
    "$CORECAST" report p.cast --view functions --min-share 0 --json >f.json
    is "$(jq -r '[.functions[]|select(.name=="work" or .name=="handler" or .name=="interrupted")|.calls]|sort|tostring' f.json)" "[1,5,5]" "$engine: a handler that does more than what it interrupts"
    jq -r '.functions[]|select(.name=="work")|.exclusive' f.json >work.$engine
    is "$(jq '[.functions[]|select(.name=="interrupted")|.exclusive < 5000]|first' f.json)" true "$engine: its time is its own"
done
cmp -s work.valgrind work.qemu; ok $? "both engines agree on it"

# paths with every character that means something on the way to an engine: of the program, its own library, the output
printf 'int own(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n' >own.c
printf 'int own(int);\nint main(void) { return own(4) + own(5) != 16; }\n' >uses.c
gcc -O1 -g -shared -fPIC -o libown.so own.c && gcc -O1 -g -o uses uses.c -L. -lown '-Wl,-rpath,$ORIGIN' || exit 99
for folder in 'a,b' ',,' 'file=x,run=y' 'a b' "a'b\"c" '100%p%%' 'a\nb\\' 'a
b'; do
    mkdir "$folder" && cp uses libown.so "$folder" || exit 99
    for engine in valgrind qemu; do
        "$CORECAST" record --engine $engine -o "$folder/p$folder.cast" -- "$folder/uses" 2>"$WORK/err"
        is "$? $("$CORECAST" report "$folder/p$folder.cast" --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="own")|.calls]|tostring')" "0 [2]" "$engine: a folder '$(printf %s "$folder" | tr '\n\\' '||')'"
    done
done

# more addresses at once than Valgrind has
cat >reserve.c <<'C'
#include <sys/mman.h>
int main(void)
{
    char *p = mmap(0, 1ul << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? 3 : 0;
}
C
gcc -O1 -o reserve reserve.c || exit 99
cc record --engine valgrind -o p.cast ./reserve; fails 3 "asked for 1024 GiB of addresses at once" "a reservation that Valgrind has no room for is told of"
cc record --engine qemu -o p.cast ./reserve; is "$RC $(grep -c GiB "$WORK/err")" "0 0" "QEMU has it"

# as long as file systems allow, in one name and in all
name=$(printf %0240d 0)
long=$PWD
for i in 1 2 3; do long=$long/$name; mkdir "$long" || exit 99; done
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o "$long/p.cast" -- ./uses 2>"$WORK/err"
    is "$? $("$CORECAST" report "$long/p.cast" --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="own")|.calls]|tostring')" "0 [2]" "$engine: a path of ${#long} bytes"
done
is "$(cd "$long" && "$CORECAST" report p.cast --json | jq .complete)" true "and read from there"
long=$long/$name; mkdir "$long" || exit 99
cc record --engine valgrind -o "$long/p.cast" ./uses; fails 125 "use --engine qemu" "a path that is too long for Valgrind"
[ -z "$(ls "$long")" ]; ok $? "and nothing is left there"
cc record --engine qemu -o "$long/p.cast" ./uses; is $RC 0 "QEMU takes it"
done_testing
