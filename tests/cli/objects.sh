#!/bin/bash
# record --objects: closed forms for every kind of object, in both engines, and what may confuse it.
. "$(dirname "$0")/lib.sh"
if [ ! -e "$(dirname "$CORECAST")/engines/valgrind/corecast-$(uname -m | sed 's/aarch64/arm64/;s/x86_64/amd64/')-linux" ]; then
    skip "objects" "no valgrind engine here"
    echo 1..1
    exit 0
fi
programs=$SOURCE/tests/cli/programs
gcc -O1 -g -fno-inline -I"$SOURCE/include" -o prog "$programs/objects.c" -lpthread
gcc -O1 -g -fno-inline -static -I"$SOURCE/include" -o fixed "$programs/objects.c" -lpthread
g++ -O0 -g -o things "$programs/objects.cc"

# jq EXPRESSION on the objects view; object SELECTOR FIELDS; access FUNCTION SELECTOR FIELDS
view() { jq -r "$1" view.json; }
object() { view "[.objects[] | select($1)] | map([$2] | map(tostring) | join(\" \")) | join(\";\")"; }
access() { view "[.objects[] | select($2) | .id] as \$ids | [.accesses[] | select(.function == \"$1\" and (.object as \$o | \$ids | index(\$o)))] | map([$3] | map(tostring) | join(\" \")) | join(\";\")"; }

# of the program's own kind, and of another where there is a compiler for it
foreign=x86_64-linux-gnu
[ "$(uname -m)" = x86_64 ] && foreign=aarch64-linux-gnu
runs="valgrind:prog valgrind:fixed qemu:prog"
"$foreign-gcc" -O1 -g -fno-inline -I"$SOURCE/include" -o foreign "$programs/objects.c" -lpthread 2>/dev/null && runs="qemu:foreign $runs"
for run in $runs; do
    engine=${run%:*} program=${run#*:}
    cc record --engine "$engine" --objects -o p.cast ./$program
    if [ $RC -ne 0 ] && [ "$engine" = qemu ]; then
        skip "qemu" "no qemu engine here"
        continue
    fi
    ok $RC "$program runs under $engine"
    cc report p.cast --view objects --json
    cp out view.json
    is "$(view .schema)" corecast.objects "$program: the view"
    is "$(view '.limits | length')" 0 "$engine: nothing that it cannot see"
    table='.name == "table"'
    is "$(object "$table" '.kind, .type, .size, .count')" "global int[256] 1024 1" "a global array"
    is "$(access fill "$table" '.writes, .bytes_written, .unma, .reads')" "256 1024 1024 0" "written once"
    is "$(access sum "$table" '.reads, .bytes_read, .unma, .writes')" "256 1024 1024 0" "and read once"
    is "$(access mend "$table" '.unma, .unma_read, .unma_written, .bytes_written')" "400 400 120 120" "read and written: addresses of each"
    is "$(view '[.objects[].name | select(. != null and test("corecast_"))] | length')" 0 "the marks' own temporaries are no data of the program"
    local_='.name == "main:local"'
    is "$(object "$local_" '.kind, .type, .size')" "stack int[100] 400" "an array of main"
    is "$(access fill "$local_" '.writes, .unma')" "100 400" "that another function fills"
    malloc='.site[0].function == "heap_blocks" and .allocator == "malloc"'
    is "$(object "$malloc" '.kind, .count, .freed, .total, .peak, .live, .leaked')" "heap 10 10 40000 4000 0 false" "ten blocks of one site"
    is "$(access fill "$malloc" '.writes, .bytes_written')" "10000 40000" "what is written to them"
    calloc='.site[0].function == "heap_blocks" and .allocator == "calloc"'
    is "$(object "$calloc" '.count, .total') $(access sum "$calloc" '.reads, .bytes_read, .unma')" "1 400 100 400 400" "an address in use again"
    realloc='.site[0].function == "moving" and .allocator == "realloc"'
    is "$(object "$realloc" '.count, .freed, .total, .peak, .live')" "1 1 262144 262144 0" "realloc in place and moving"
    is "$(access sum "$realloc" '.bytes_read, .unma')" "262144 262144" "and its accesses"
    mmap='.site[0].function == "huge"'
    is "$(object "$mmap" '.allocator, .size, .live') $(access fill "$mmap" '.bytes_written, .unma')" "mmap 6442450944 0 8192 8192" "a sparse object of 6 GiB"
    threads='.site[0].function == "worker"'
    is "$(object "$threads" '.count, .freed, .total' | tr ';' '\n' | awk '{ c += $1; f += $2; t += $3 } END { print c, f, t }')" "200 200 8000" "two threads that allocate at once"
    handler='.site[0].function == "on_signal"'
    is "$(object "$handler" '.count, .live, .leaked') $(access fill "$handler" '.writes')" "1 80 true 20" "a block of a signal handler, not freed"
    is "$(object '.named and .name == "tile"' '.count, .total, .peak, .live')" "2 320 200 0" "objects of one name"
    is "$(access fill '.named and .name == "tile"' '.writes')" 80 "and their accesses"
    is "$(object '.named and (.name | startswith("a \"quoted\"\nname of ü"))' '.total')" 40 "an odd name"
    is "$(view '[.objects[].name | length] | max | . >= 1000')" true "a long name"
    is "$(object '.name == "untouched"' '.never_accessed, .reads')" "true 0" "one that nobody touches"
    is "$(view '[.accesses[] | select(.function != "<input>" and .function != "<output>") | .bytes_read] | add')" \
        "$("$CORECAST" report p.cast --json | jq .bytes_read)" "no byte read is lost"
done

cc report p.cast --view objects
grep -q "not freed at the end" out && grep -q "never accessed" out
ok $? "the table lists leaks and what nobody accessed"
cc report p.cast --view comm --by object --json
is "$(jq -r '.by, (.edges[] | select(.from == "fill" and .to == "table") | .bytes), (.edges[] | select(.from == "table" and .to == "sum") | .bytes)' out | tr '\n' ' ')" \
    "object 1024 1024 " "the flow through an object"
is "$(jq -r '.edges[] | select(.from == "mend" or .to == "mend") | select(.from == "table" or .to == "table") | [.from, .bytes, .unma] | join(" ")' out | tr '\n' ';')" \
    "table 1200 400;mend 120 120;" "distinct addresses of each direction"
is "$(jq -r '[.edges[] | select(.unma != null and .unma > .bytes)] | length' out)" 0 "never more than bytes"
cc report p.cast --view comm --by object --frame 1
fails 2 "not by object" "one frame by object is refused"
cc report p.cast --view comm --by object --json
is "$(jq -r '.nodes[] | select(.name == "tile") | [.kind, .size, .peak] | join(" ")' out)" "object 320 200" "its node has sizes"
cc report p.cast --view comm --by object --svg graph.svg && grep -q "Data flow by object" graph.svg
ok $? "drawn"
cc report p.cast --view objects --svg objects.svg && grep -q "</svg>" objects.svg
ok $? "the view is drawn"

cc record --objects -o q.cast ./things
ok $RC "a C++ program"
cc report q.cast --view objects --json
cp out view.json
is "$(object '.allocator == "new" and .count == 7' '.freed, .total, .leaked')" "7 280 false" "new and delete"
is "$(object '.allocator == "new[]" and .total == 400' '.count, .freed') $(access main '.allocator == "new[]" and .total == 400' '.reads, .writes')" "1 1 100 100" "new[] and delete[]"
is "$(object '.allocator == "new" and .leaked' '.count, .live')" "1 4" "one that is not deleted"
line=$(grep -n "reserve(5)" "$programs/objects.cc" | cut -d: -f1)
is "$(object '.total == 200' '.count, .freed, .name')" "1 1 new in main (objects.cc:$line)" "elements made in place are no blocks; the vector's is the program's"

cc record -o s.cast ./things
cc report s.cast --view objects
fails 3 "recorded without data objects" "a recording without them"
cc report s.cast --view comm --by object
fails 3 "recorded without data objects" "and its flow"

# --- regions and chosen objects in one graph
cat >regions.c <<'END'
#include <corecast/mark.h>
#include <stdlib.h>
static int table[256], *img;
__attribute__((noinline)) void init(void) { for (int i = 0; i < 256; i++) table[i] = i; }
__attribute__((noinline)) void produce(void) { for (int i = 0; i < 4096; i++) img[i] = i * 7; }
__attribute__((noinline)) long consume(void) { long s = 0; for (int r = 0; r < 2; r++) for (int i = 0; i < 4096; i++) s += img[i] + table[img[i] & 255]; return s; }
int main(void)
{
    img = malloc(4096 * sizeof *img);
    CC_OBJECT(img, 4096 * sizeof *img, "image");
    CC_REGION_BEGIN("make"); init(); produce(); CC_REGION_END("make");
    CC_REGION_BEGIN("use"); long s = consume(); CC_REGION_END("use");
    table[3] += (int)s + table[4];
    return 0;
}
END
gcc -O1 -g -fno-tree-vectorize -I"$SOURCE/include" -o regions regions.c
"$CORECAST" record -q --objects -o r.cast ./regions 2>err
flows() { cc report r.cast --view comm --by region "$@" --min-share 0 --json; jq -r '[.edges[]|select(.from=="image" or .to=="image" or .from=="table" or .to=="table")|"\(.from)>\(.to):\(.bytes)"]|sort|join(" ")' out; }
is "$(flows --object image --object table)" "image>use:32768 main()>table:4 make>image:16384 make>table:1024 table>main():8 table>use:32768" "what regions write to objects and read from them; a function of several regions stands for itself"
is "$(flows --object image)" "image>use:32768 make>image:16384" "only those that were asked for"
is "$(flows --object image >/dev/null; jq -r '.edges[]|select(.from=="make" and .to=="use")|.bytes' out)" 65536 "beside the streams between regions"
cc report r.cast --view comm --object image; fails 2 "goes with '--by region'" "objects without regions"
cc report r.cast --view comm --by region --object imag3; fails 3 "imag3" "an object that is not there"
cc report r.cast --view comm --by region --object image --svg r.svg; xmllint --noout r.svg; ok $? "and drawn"
done_testing
