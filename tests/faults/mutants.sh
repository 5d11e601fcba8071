#!/bin/bash
# mutants: programs whose debug data is damaged (.debug_*, .eh_frame, .symtab, .strtab, section headers) are recorded with all that reads it. They must run as ever, with
# their own status, and leave a profile that can be read.   usage: mutants.sh CORECAST SOURCE [MUTANTS (default 200)] [SEED]
set -u
corecast=$1 source=$2 most=${3:-200}
RANDOM=${4:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
printf '#include <stdlib.h>\nstruct point { int x, y; struct point *next; };\nstatic int table[50];\nstatic int sum(struct point *p) { int s = 0; for (; p; p = p->next) s += p->x * p->y + table[p->x %% 50]; return s; }
int main(void) { struct point *all = NULL; for (int i = 0; i < 40; i++) { struct point *p = malloc(sizeof *p); *p = (struct point){i, 2 * i, all}; all = p; table[i] = i; } return sum(all) %% 100; }\n' >p.c
gcc -O1 -g3 -o p p.c || exit 99
./p; want=$?
places=("headers $(readelf -h p | awk '/Start of section headers/ { print $5 }') $(readelf -h p | awk '/Number of section headers/ { print 64 * $5 }')")
while read -r name offset size; do places+=("$name $((16#$offset)) $((16#$size))"); done < <(readelf -SW p | awk '{ sub(/^ *\[ *[0-9]+\] */, "") } $1 ~ /^\.(debug_|eh_frame|symtab|strtab|shstrtab)/ { print $1, $4, $5 }')
tried=0 crashed=0 hung=0 wrong=0 lost=0
odd=('\000' '\377' '\177' '\200' '\001' '\020')
for ((i = 0; i < most; i++)); do
    read -r name offset size <<<"${places[$((i % ${#places[@]}))]}"
    cp p m
    for ((k = 0; k <= i % 4; k++)); do
        printf "${odd[$((RANDOM % 6))]}" | dd of=m bs=1 conv=notrunc seek=$((offset + (RANDOM * 32768 + RANDOM) % size)) 2>/dev/null
    done
    rm -f m.cast
    ./m >/dev/null 2>&1; [ $? = $want ] || continue # not even by itself: that section is more than debug data
    timeout 60 "$corecast" record --objects --loops count -o m.cast ./m >/dev/null 2>err
    status=$?
    tried=$((tried + 1))
    if [ $status = 124 ]; then hung=$((hung + 1)); what=hung
    elif [ $status -ge 128 ]; then crashed=$((crashed + 1)); what="status $status"
    elif [ ! -s m.cast ] || ! timeout 60 "$corecast" report m.cast --view lines >/dev/null 2>&1; then lost=$((lost + 1)); what="no profile"
    elif [ $status != $want ]; then wrong=$((wrong + 1)); what="status $status"
    else continue; fi
    echo "$what: mutant $i of $name, seed ${4:-1}: $(head -1 err)"
    [ -z "${KEEP:-}" ] || cp m "$KEEP/mutant-$i"
done
echo "mutants of debug data: tried $tried, crashed $crashed, hung $hung, wrong $wrong, lost $lost"
[ $((crashed + hung + wrong + lost)) = 0 ]
