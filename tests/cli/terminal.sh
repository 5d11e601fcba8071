#!/bin/sh
# What a terminal gets and a file does not: long text by a pager, and a line of progress.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { skip "on a terminal" "no python3"; done_testing; exit; }
"$MAKE_CAST" fixture.cast || exit 99
unset PAGER CORECAST_PAGER LESS NO_COLOR
on() { # on ROWS COLUMNS ARGS: the tool on a terminal
    rows=$1 columns=$2
    shift 2
    python3 "$SOURCE/tests/cli/on-terminal.py" "$rows" "$columns" "$CORECAST" "$@" >out 2>err
    RC=$?
}
# -q: on a busy machine there would be a line of progress among what is compared
export CORECAST_PAGER='sed s/^/paged:/'
on 5 100 report -q fixture.cast --view functions --color never
[ "$RC" -eq 0 ] && [ "$(grep -c '^paged:' out)" -gt 7 ] && [ "$(grep -vc '^paged:' out)" -eq 0 ]
ok $? "text of more lines than the terminal has goes through the pager"
sed 's/^paged://' out >paged
on 5 100 report -q fixture.cast --view functions --color never --no-pager
cmp -s out paged
ok $? "--no-pager: the same lines without it"
on 5 100 report fixture.cast --view functions
grep -q "^paged:.*$(printf '\033')\[1m" out
ok $? "colours stay"
on 200 100 report fixture.cast --view functions
[ -s out ] && ! grep -q '^paged:' out
ok $? "what fits is shown as it is"
on 5 100 report fixture.cast --view functions --json
! grep -q '^paged:' out && grep -q '"schema"' out
ok $? "JSON is for programs: no pager"
"$CORECAST" report fixture.cast --view functions >out && ! grep -q '^paged:' out
ok $? "a file gets no pager"
on 5 100 report fixture.cast --view functions -o file.txt
[ "$RC" -eq 0 ] && [ -s file.txt ] && ! grep -q '^paged:' file.txt
ok $? "nor does -o"
PAGER='sed s/^/other:/' on 5 100 report fixture.cast --view functions
grep -q '^paged:' out
ok $? "CORECAST_PAGER outranks PAGER"
unset CORECAST_PAGER
PAGER='sed s/^/other:/' on 5 100 report fixture.cast --view functions
grep -q '^other:' out
ok $? "which is used without it"
PAGER='env | sed -n s/^LESS=/less:/p; cat >/dev/null' on 5 100 report fixture.cast --view functions
is "$(cat out)" "less:FRX" "LESS is FRX for it"
for none in '' cat; do
    CORECAST_PAGER=$none on 5 100 report -q fixture.cast --view functions --color never
    cmp -s out paged
    ok $? "no pager: CORECAST_PAGER='$none'"
done
CORECAST_PAGER=/no/such/pager on 5 100 report -q fixture.cast --view functions --color never
[ "$RC" -eq 0 ] && grep -v 'no/such/pager' out | cmp -s - paged
ok $? "a pager that is not there: shown all the same"
CORECAST_PAGER=true on 5 100 report -q fixture.cast --view functions
[ "$RC" -eq 0 ] && [ ! -s out ]
ok $? "a pager that is left at once is no error"
printf 'main,0,1000\nrow,10,500\nrow,500,990\n' >t.csv && echo 'row = #pragma omp parallel for' >s.omp
of() { "$CORECAST" predict t.csv -p stxp70-asmp -s s.omp -n 2 2>/dev/null | sed -n '/^rests on/,$p' | wc -l; }
[ "$(CORECAST_COLUMNS=40 of)" -gt "$(of)" ]
ok $? "CORECAST_COLUMNS tells how wide text may be"

# --- progress ---

cat >slow.c <<'END'
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 9; i++) {
        if (argc == 2) puts("said"), fflush(stdout);
        for (clock_t until = clock() + CLOCKS_PER_SEC / 5; argc < 3 && clock() < until;) ;
        if (argc == 3) nanosleep(&(struct timespec){0, 200000000}, NULL);
    }
    return 0;
}
END
gcc -g -O1 slow.c -o slow || { ok 1 "slow.c compiles"; done_testing; exit 1; }
ERR=only on 24 100 record -o slow.cast ./slow and wait
[ "$RC" -eq 0 ] && tr '\r' '\n' <out | grep -qE 'corecast: recording ./slow: [0-9.]+( [kMG])? instructions, [0-9.]+( [kMG])? a second, [0-9]+ s, [0-9]+ s of CPU time, [0-9]+ MB$'
ok $? "record tells how many instructions it has followed, how fast, for how long, and what the program uses"
tr '\r' '\n' <out | sed -n '$p' | grep -q "^$(printf '\033')\[Kcorecast: whole profile in 'slow.cast'"
ok $? "and takes the line away"
ERR=only on 24 100 record -q -o slow.cast ./slow and wait
[ "$RC" -eq 0 ] && [ ! -s out ]
ok $? "-q: no line"
on 24 100 record -o slow.cast ./slow aloud
[ "$RC" -eq 0 ] && [ "$(tr '\r' '\n' <out | grep -c said)" -eq 9 ] && [ "$(grep -o 'recording ./slow' out | wc -l)" -le 1 ]
ok $? "a program that writes to the terminal has it for itself"
on 24 100 record -o slow.cast ./slow and wait
[ "$RC" -eq 0 ] && ! grep -q 'recording ./slow' out
ok $? "and one that waits, perhaps for a key"

# Many nodes in five parts: the exact search takes as long as --effort lets it.
awk 'BEGIN { srand(6); print "[nodes]"; for (i = 0; i < 22; i++) print "n" i " = " int(1e6 + rand() * 1e8); print "[edges]"
    for (i = 0; i < 22; i++) for (j = 0; j < i; j++) if (rand() < .5) print "n" i " -> n" j " = " int(1 + rand() * 1e6) }' >graph.ini
ERR=only on 24 150 map graph.ini --parts 5 --effort 4
[ "$RC" -eq 0 ] && tr '\r' '\n' <out | grep -qE 'corecast: splitting: [0-9]+ % of at most [0-9.]+ [kMG] steps, [0-9.]+( [kMG])? a second, at most [0-9]+ s left'
ok $? "map tells its share, rate and the time left at most"
"$CORECAST" record -o slow.cast ./slow and wait >out 2>err
[ ! -s err ]
ok $? "what is no terminal gets no line"
done_testing
