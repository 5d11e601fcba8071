#!/bin/sh
# Inputs that would take for ever, or all memory: a clear end within seconds.
. "$(dirname "$0")/lib.sh"
quick() { # quick SECONDS ARGS: as cc, with bounds of time and memory
    limit=$1; shift
    (ulimit -v 8000000; exec timeout -s KILL "$limit" "$CORECAST" "$@") >"$WORK/out" 2>"$WORK/err" </dev/null
    RC=$?
}

# a symbol that claims to be larger than the address space
cat >patch.c <<'C'
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    FILE *f = fopen(argv[1], "r+b");
    static char d[1 << 22];
    size_t n = fread(d, 1, sizeof d, f);
    Elf64_Ehdr *e = (Elf64_Ehdr *)d;
    Elf64_Shdr *s = (Elf64_Shdr *)(d + e->e_shoff);
    for (int i = 0; i < e->e_shnum; i++)
        for (Elf64_Sym *y = (Elf64_Sym *)(d + s[i].sh_offset); s[i].sh_type == SHT_SYMTAB && (char *)y < d + s[i].sh_offset + s[i].sh_size; y++)
            if (strcmp(d + s[s[i].sh_link].sh_offset + y->st_name, argv[2]) == 0)
                y->st_size = strtoull(argv[3], NULL, 0);
    rewind(f);
    return argc != 4 || fwrite(d, 1, n, f) != n;
}
C
printf 'int table[100], other[50];\nint main(void) { for (int i = 0; i < 50; i++) other[i] = table[i]; return 0; }\n' >p.c
gcc -o patch patch.c && gcc -O0 -g -o p p.c || exit 99
for size in 0xac00000000000004 0x400000000; do
    cp p q; ./patch q table $size
    for engine in valgrind qemu; do
        timeout -s KILL 30 "$CORECAST" record --objects --engine $engine -o q.cast ./q 2>err; RC=$?
        is "$RC $("$CORECAST" report q.cast --view objects --json | jq '[.objects[]|select(.name=="table")|.size < 100000]|first')" "0 true" "$engine: a variable of $size bytes"
    done
done

# platform files
awk 'BEGIN { printf "[platform]\nname=x\n["; for (i = 0; i < 5000000; i++) printf "a"; print "]" }' >name.ini
quick 10 platform show ./name.ini; fails 3 "1024 bytes" "a section's name of 5 MB"
awk 'BEGIN { print "[platform]\nname=x"; for (i = 0; i < 200000; i++) printf "[memory.m%d]\nread=1\n", i }' >sections.ini
quick 10 platform show ./sections.ini; fails 3 "32768 sections" "200000 sections"
head -12000 sections.ini >fewer.ini
quick 10 platform show ./fewer.ini; fails 3 "4096 sections" "6000 sections are too many for a platform"
awk 'BEGIN { print "[platform]"; for (i = 0; i < 200000; i++) printf "k%d=1\n", i }' >keys.ini
quick 10 platform show ./keys.ini; fails 3 "keys" "200000 keys"

# what never ends, or never begins
mkfifo pipe
printf '[platform]\nname = t\ncores = 4\nclock_mhz = 1000\n[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 0\n' >p.ini
printf 'it,0,50000000\n' >t.csv
echo 'it = #pragma omp parallel for' >s.omp
for file in pipe /dev/zero; do
    for args in "report $file" "export $file --to csv" "trace info $file" "trace import $file -o x" "platform show ./../../../../../../../$PWD/$file" "predict $file --platform ./p.ini --scenario s.omp" \
        "predict t.csv --platform ./p.ini --scenario $file" "map $file --parts 2" "mine itemsets --support 1 $file" "mine contention $file" "area metrics $file" "area estimate p.c --model $file" \
        "units $file --platform ./p.ini" "record --import $file"; do
        [ $file = /dev/zero ] && [ "${args#platform}" != "$args" ] && args="platform show /dev/zero"
        want=3; [ "${args#record}" = "$args" ] || want=125
        quick 10 $args; fails $want "not a regular file" "$args"
    done
done
printf 'cycle,cpu,pc,latency\n1,0,16,1\n' | "$CORECAST" trace import - -o t.trace 2>err; is $? 0 "standard input may be a pipe"
"$CORECAST" trace info - --json <t.trace | jq .events >n; is "$(cat n)" 1 "and a trace"
cat t.trace | TMPDIR=$PWD "$CORECAST" trace info - --json | jq .events >n; is "$(cat n)" 1 "from a pipe, copied to TMPDIR"
cat t.trace | TMPDIR=/nowhere "$CORECAST" trace info - >/dev/null 2>err; RC=$?; fails 3 "temporary file" "which must be there"

# scenarios and source
echo 'it = #pragma omp parallel for reduction(+:a[n[0]:8])' >r.omp
quick 10 predict t.csv --platform ./p.ini --scenario r.omp --cores 1,2; is $RC 0 "brackets inside the brackets of a reduction"
awk 'BEGIN { printf "int f(int a) {"; for (i = 0; i < 3000; i++) printf "if (a) {"; printf "a++;"; for (i = 0; i < 3000; i++) printf "}"; print "return a; }" }' >deep.c
quick 30 area metrics deep.c; [ $RC -le 3 ]; ok $? "3000 ifs inside each other"
printf 'int f(int a) { return b; }\n' >bad.c
quick 30 area metrics bad.c; is "$RC $(grep -c undeclared out)" "1 1" "source that does not compile"

# options that are small languages: what makes no sense is refused, nothing else
"$MAKE_CAST" small.cast; long=$(head -c 100000 /dev/zero | tr '\0' x); taken=
for text in '' = lines= lines=-1 lines=99999999999999999999 cores=1=2 '%s%n' "$long" "lines=$long"; do
    for words in 'explore small.cast -p manycore --budget' 'explore small.cast -p manycore --assume' 'explore small.cast -p manycore --set' 'compare small.cast small.cast --fail-if' \
        'compare small.cast small.cast --only' 'compare small.cast --model small.cast --at' 'record -o set --vary'; do
        quick 10 $words "$text" $(case $words in record*) echo /bin/true ;; esac)
        case $RC in 2 | 3 | 125) ;; *) taken="$taken $words '$(printf %.30s "$text")': $RC;" ;; esac
    done
done
is "$taken" "" "budgets, assumptions, settings, conditions, variables: 63 texts that make no sense"

# no memory: a message and a status
cat t.trace >big.trace
"$CORECAST" report q.cast --view functions >whole-report 2>/dev/null
"$CORECAST" trace info big.trace --check >whole-trace 2>/dev/null
short=0 wrong=0 none=0
for v in 7000 8000 9000 10000 11000 12000 13000 14000 15000 16000; do
    for what in report trace; do
        case $what in report) args='report q.cast --view functions' ;; *) args='trace info big.trace --check' ;; esac
        (ulimit -v $v; exec "$CORECAST" $args) >part 2>err </dev/null; RC=$?
        if [ $RC = 0 ]; then cmp -s part whole-$what || short=$((short + 1)); else none=$((none + 1)); fi
        case $RC in 0 | 3 | 71 | 127) ;; *) wrong=$((wrong + 1)); echo "# $what with $v KiB: status $RC: $(head -1 err)" ;; esac
    done
done
[ $none -gt 0 ] && [ $short = 0 ] && [ $wrong = 0 ]; ok $? "too little memory ($none of 20): a status, never a part of a table with status 0 nor an abort"

# temporary files where one is told to put them, however long the path
if [ -e "$(dirname "$CORECAST")/engines/native/libcorecast-native.a" ]; then
    long=$PWD/$(awk 'BEGIN { for (i = 0; i < 12; i++) printf "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/" }'); mkdir -p "$long"
    printf '#include <corecast/mark.h>\nint main(void) { CORECAST_TASK_BEGIN("t"); CORECAST_TASK_END("t"); return 0; }\n' >m.c
    if gcc -DCORECAST_NATIVE -I"$SOURCE/include" -o m m.c "$(dirname "$CORECAST")/engines/native/libcorecast-native.a" -lpthread 2>/dev/null; then
        TMPDIR=$long cc record --engine native -o m.cast ./m; is "$RC $(ls "$long" | wc -l)" "0 0" "a TMPDIR of 700 characters"
    fi
fi
# memory that is reserved in order to have room, of which little is used
cat >room.c <<'C'
#include <sys/mman.h>
int main(void)
{
    enum { PLACES = 400 };
    unsigned long size = 8ul << 30, sum = 0;
    char *m = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; m != MAP_FAILED && i < PLACES; i++)
        m[size / PLACES * i] = 1;
    for (int i = 0; m != MAP_FAILED && i < PLACES; i++)
        sum += m[size / PLACES * i];
    return sum != PLACES;
}
C
gcc -O1 -o room room.c || exit 99
if [ -x /usr/bin/time ] && ./room; then
    /usr/bin/time -o memory -f %M "$CORECAST" record -q --engine valgrind -o room.cast ./room; RC=$?
    [ $RC = 0 ] && [ "$(cat memory)" -lt 300000 ]; ok $? "400 words all over 8 GiB ($(cat memory) KiB)"
fi
# sources that are none: they are told to be missing
cp p.c odd.c; gcc -O0 -g -o odd odd.c && "$CORECAST" record -q --loops dependences --tasks loops -o odd.cast ./odd
for kind in 'mkfifo odd.c' 'ln -s /dev/zero odd.c' 'ln -s odd.c odd.c' 'mkdir odd.c' 'truncate -s 100M odd.c' 'cp p odd.c'; do
    rm -rf odd.c; $kind; touch -h -d 2001-01-01 odd.c
    quick 20 explore odd.cast -p cortex-a53-quad --patch odd.diff; was=$RC
    quick 20 report odd.cast --view lines --annotate odd.c
    is "$was $RC $(ls odd.diff* 2>/dev/null)" "3 0 " "a source by '$kind'"
done
done_testing
