#!/bin/sh
# corecast record --vary and --inputs: sets of recordings; corecast compare --model: the laws of a program that is known.
. "$(dirname "$0")/lib.sh"

cat >laws.c <<'END'
#include <stdlib.h>
static int a[4096], b[40000];
static void make(int n) { for (int i = 0; i < n; i++) a[i] = i * 7; }
static int pairs(int n) { int s = 0; for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) s += a[i] ^ a[k]; return s; }
static void fill(int n, int m) { for (int i = 0; i < n * m; i++) b[i] = i; }
static int sum(int n, int m) { int s = 0; for (int i = 0; i < n * m; i++) s += b[i]; return s; }
static int either(int n, int fast) { int s = 0; for (int i = 0; i < (fast ? 1 : n); i++) for (int k = 0; k < n; k++) s += a[k]; return s; }
int main(int c, char **v) { int n = atoi(v[1]), m = atoi(v[2]); if (n == 13) abort(); make(n); fill(n, m); return (pairs(n) + sum(n, m) + either(n, v[3][0] == 'f')) == 1; }
END
gcc -g -O1 -fno-inline -o laws laws.c
cc record --plain --vary n=8,16,24,40 --vary m=5,20,60 --vary mode=fast,slow -o laws.set -- ./laws '{n}' '{m}' '{mode}'
is "$RC $(grep -c ',ok,' laws.set/manifest.csv)" "0 24" "all combinations are recorded"
is "$(head -2 laws.set/manifest.csv | tr '\n' ' ')" '# corecast set: ./laws {n} {m} {mode} file,status,n,m,mode ' "the manifest says of what"

# resuming: what is there is kept, what is new or failed is run
before=$(stat -c %y laws.set/run-00001.cast)
cc record --plain --vary n=8,16,24,40,13 --vary m=5,20,60 --vary mode=fast,slow -o laws.set -- ./laws '{n}' '{m}' '{mode}'
is "$RC $(grep -c 'signal 6' laws.set/manifest.csv) $(grep -c ',ok,' laws.set/manifest.csv)" "125 6 24" "runs that die are told, the others kept"
ok $((!($(grep -c '24 kept, 6 failed' err) == 1))) "and counted"
is "$(stat -c %y laws.set/run-00001.cast)" "$before" "what was recorded is not recorded again"
cc record --vary n=8 -o laws.set -- ./other '{n}'
fails 125 'another command' "a set of another command is not touched"

# laws
cc compare --model laws.set --at n=1000,m=300,mode=slow --json
is "$RC $(json '[.schema,.version,.runs,.skipped]|tostring')" '0 ["corecast.compare.model",1,24,6]' "the laws of the set"
law() { json ".models[]|select(.name==\"$1\" and .figure==\"bytes\")|$2"; }
is "$(law 'make -> pairs' .order)" 'n^2' "n squared"
is "$(law 'fill -> sum' .law)" '4 n * m' "a product"
is "$(law 'make -> either' '[.pieces[]|"\(.when): \(.law)"]|tostring')" '["mode = fast: 4 n","mode = slow: 4 n^2"]' "a switch of mode"
is "$(law 'fill -> sum' '.at.value|round')" 1200000 "where it was never run"
is "$(law 'make -> either' '.at.bound|round')" 4000000 "and the bound there"
cc compare --model laws.set --focus 'make -> pairs' --json
is "$(json '.variables[]|select(.name=="n")|.matters')" true "n matters"
is "$(json '.variables[]|select(.name=="m")|.matters')" false "m does not, for a stream of n alone"
cc compare --model laws.set --check --json
is "$(json '.check|[.held>=0.95,.median<0.05]|tostring')" '[true,true]' "runs left out are predicted"
cc compare --model laws.set --svg c.svg --runs-svg r.svg
ok $((!($RC == 0 && $(cat c.svg r.svg | grep -c '<svg') == 2))) "charts"
cc compare --model laws.set --at n=1000
fails 2 "no value for the variable 'm'" "--at needs every number"
cc map laws.set --at n=1000,m=300,mode=slow --parts 2 --json
is "$RC $(json '[.loads[].load]|add')" "0 $("$CORECAST" compare --model laws.set --at n=1000,m=300,mode=slow --json | jq '[.models[]|select(.kind=="function" and .name!="<runtime>" and .figure=="instructions")|.at.value|round]|add')" "map splits an input that was never run"
ok $((!($(grep -c 'beyond what was recorded' err) == 1))) "and says that it is beyond"
cc map laws.set --at n=1000,m=300,mode=slow --parts 4 -p mesh4x4 --rate 30 --json
is "$RC $(json '[.link_bandwidth, .saturates_at * .max_link == .link_bandwidth, .saturates_at_low <= .saturates_at]|tostring')" '0 [400000000,true,true]' "how often it may run before a link of four bytes a cycle is full"
is "$(json '([.links[].bytes]|add) == .hop_bytes and ([.links[]|.used * 4e8 / 30 - .bytes|fabs < 1]|all)')" true "links carry all byte-hops, at 30 runs a second"
cc map laws.set --at n=1000,m=300,mode=slow --parts 4 --rate 30
fails 2 'needs a platform' "a rate needs a network"
cc map laws.set --parts 2
fails 2 'needs --at' "a set alone is not enough"
cc compare --model laws.set --at k=1
fails 2 "no variable 'k'" "and only what there is"
if has_ranks; then
    "$CORECAST" compare --model laws.set --at n=1000,m=300,mode=slow --json >one.json
    mpirun -n 3 "$CORECAST" compare --model laws.set --at n=1000,m=300,mode=slow --json -o three.json 2>err
    is "$? $(cmp one.json three.json 2>&1)" "0 " "three processes of mpirun say the same, bit for bit"
    cp -r laws.set hurt.set && printf x >hurt.set/run-00002.cast
    mpirun -n 3 "$CORECAST" compare --model hurt.set --json -o none.json 2>err
    is "$(($? != 0)) $(grep -om1 'run-00002.cast' err) $(ls none.json 2>/dev/null)" "1 run-00002.cast " "what one of them cannot read is named, and nothing written"
    kill_rank compare --model laws.set --at n=1000,m=300,mode=slow --json -o killed.json
    rank_is_missed killed.json compare
else
    skip "several processes" "there is no Open MPI"
fi

# inputs: files and their sizes
for i in 1 2 3 4 5; do head -c $((i * 300)) /dev/zero >in$i.dat; done
cat >eat.c <<'END'
#include <stdio.h>
static char a[4096];
static int use(size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
int main(int c, char **v) { FILE *f = fopen(v[1], "rb"); size_t n = fread(a, 1, sizeof a, f); return use(n); }
END
gcc -g -O1 -fno-inline -o eat eat.c
cc record --plain --inputs 'in*.dat' --jobs 2 -- ./eat '{input}'
is "$RC $(sed -n '2p;7p' eat.set/manifest.csv | tr '\n' ' ')" "0 file,status,input,input_bytes run-00005.cast,ok,in5.dat,1500 " "a run a file, with its size"
cc compare --model eat.set --json
is "$(json '.models[]|select(.name=="<input> -> use" and .figure=="bytes")|.law')" '1 input_bytes' "bytes by the size of the input"

# frames of one recording, with their control variables
cat >frames.c <<'END'
#include <corecast/mark.h>
static int a[4096];
int main(void)
{
    volatile int s = 0;
    for (int f = 1; f <= 8; f++) {
        CC_FRAME();
        CC_REGION_BEGIN("make");
        for (int i = 0; i < f * f * 10; i++) a[i] = i;
        CC_REGION_END("make");
        CC_REGION_BEGIN("use");
        for (int i = 0; i < f * f * 10; i++) s += a[i];
        CC_REGION_END("use");
    }
    return 0;
}
END
gcc -g -O1 -I"$SOURCE/include" -o frames frames.c
"$CORECAST" record -q -o frames.cast ./frames
{ echo frame,size; for f in 8 1 2 3 4 5 6 7; do echo $f,$((f * f * 10)); done; } >size.csv
flow() { json '.models[]|select(.name=="make -> use" and .kind=="flow")|.law'; }
cc compare --model frames.cast --controls size.csv --json
is "$RC $(json .runs) $(flow)" '0 8 4 size' "frames by their control variables"
cc compare --model frames.cast --json
is "$(flow)" '40 frame^2' "frames by their number"
echo 9,810 >>size.csv
cc compare --model frames.cast --controls size.csv
fails 3 'size.csv:10: frame 9 is not in the recording' "a frame that there is not"
cc compare --model eat.set --controls size.csv
fails 2 'in its manifest' "a set has its variables in the manifest"

# a signal: what runs is finished, the rest is left for the next time
mkdir begun
cat >slow.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    close(openat(open("begun", O_RDONLY), argv[argc - 1], O_CREAT | O_WRONLY, 0600));
    for (int i = 0; access("go", F_OK) && i < 600; i++)
        usleep(100000);
    return 0;
}
END
gcc -o slow slow.c
"$CORECAST" record --plain --vary n=1,2,3,4,5,6 --jobs 2 -- ./slow '{n}' 2>err &
until_true '[ $(ls begun | wc -l) -eq 2 ]'
kill -TERM $!
touch go
wait $!
is "$? $(grep -c ',ok,' slow.set/manifest.csv)" "130 2" "a signal lets what runs come to its end"
is "$(ls slow.set | grep -vc -e '\.cast$' -e '\.out$' -e manifest.csv)" 0 "and leaves nothing else"

# errors
cc record --vary n=1 -- ./laws
fails 125 'does not use the variable' "a variable that is not used"
cc record --vary n= -- ./laws '{n}'
fails 125 'expected NAME=VALUE' "no value"
cc record --vary n=1,,2 -- ./laws '{n}'
fails 125 'empty value' "an empty one"
cc record --inputs 'nothing*' -- ./eat '{input}'
fails 125 'no file matches' "no input"
cc record --jobs 2 -- ./slow
fails 125 'goes with' "--jobs alone"
cc compare --model slow.set
fails 3 'at least 4' "too few recordings for a law"
cc compare --model absent.set
fails 3 'absent.set' "no set"
head -c 3000 laws.set/run-00003.cast >cut && cp cut laws.set/run-00003.cast
cc compare --model laws.set
fails 3 'laws.set/run-00003.cast' "a damaged recording is named"
done_testing
