#!/bin/sh
# corecast compare: two versions of a program whose differences are known, conditions, and files for CI.
. "$(dirname "$0")/lib.sh"

program() { # program NAME FACTOR FUNCTION: two loops over N numbers, the first in FUNCTION
    cat >"$1.c" <<END
#include <stdlib.h>
static int data[4096];
static void $3(int n) { for (int i = 0; i < n; i++) data[i] = i * $2; }
static int use(int n) { int s = 0; for (int i = 0; i < n; i++) s += data[i]; return s; }
int main(int c, char **v) { int n = atoi(v[1]); $3(n); return use(n) < 0; }
END
    gcc -g -O1 -fno-inline -o "$1" "$1.c"
}
program a 3 make
mkdir other
program other/a 3 produce
rec() { "$CORECAST" record --libs auto --loops count -o "$@" >/dev/null 2>err || ok 1 "record $*"; }
rec a1.cast ./a 1000
rec a2.cast ./a 2000
rec b.cast other/a 1000
rec o.cast --objects ./a 1000
row() { jq -c ".$1[]|select(.name==\"$2\")|$3" out; } # row TABLE NAME FIELDS

cc compare a1.cast a1.cast --json
is "$RC $(json '[.schema,.version,.identical,.limits]|tostring')" '0 ["corecast.compare",1,true,[]]' "a recording is the same as itself"
is "$(json '.unmatched|tostring')" '{"a":[],"b":[]}' "all of it has a match"

cc compare a1.cast a2.cast --json
is "$(row streams 'make -> use' '[.a,.b,.change,.distinct.a,.distinct.b,.fresh.change]')" '[4000,8000,1,4000,8000,1]' "twice the numbers: twice the bytes"
is "$(jq -c '[.loops[]|.iterations|[.a,.b,.change]]|unique' out)" '[[1000,2000,1]]' "twice the iterations"
is "$(row functions make '[.calls.a,.calls.b,.calls.change]')" '[1,1,0]' "as many calls"
cc compare a1.cast a2.cast
ok $((!($(grep -c '^make -> use .*+100.0 %' out) == 1))) "the text says by how much"

cc compare a1.cast b.cast --json
is "$(row functions produce '[.was,.note,.change]')" '["make","renamed",0]' "a renamed function is found"
is "$(row streams 'produce -> use' '[.was,.a,.b]')" '["make -> use",4000,4000]' "with its streams"
is "$(json '[.loops[]|.iterations.change]|unique|tostring')" '[0]' "and its loops"

cc compare a1.cast o.cast --json
is "$(json '.limits|length')" 1 "objects on one side only are said not to be compared"

# conditions
cc compare a1.cast a2.cast --fail-if 'stream bytes > +5%' --fail-if 'gone function' --sarif s.json --junit j.xml --json
is "$RC $(json '.failed|tostring')" '1 ["stream bytes > +5%"]' "a condition that holds: status 1"
is "$(jq -r '[.version,(.runs[0].results|length),.runs[0].results[0].ruleId]|tostring' s.json)" "[\"2.1.0\",$(json '.violations|length'),\"condition-1\"]" "SARIF has each thing that breaks it"
ok $((!($(grep -c '<testcase' j.xml) == 2 && $(grep -c '<failure' j.xml) == 1))) "JUnit has a case a condition"
if command -v xmllint >/dev/null; then xmllint --noout j.xml 2>err; ok $? "and is XML"; else skip "JUnit is XML" "no xmllint"; fi
cc compare a1.cast a2.cast --fail-if "stream 'make -> *' bytes > 9000"
is "$RC" 0 "a condition that does not hold: status 0"
cc compare a1.cast a2.cast --fail-if 'stream bytes > +5%' --min-share 99%
is "$RC" 0 "what is lighter than --min-share breaks nothing"
cc compare a1.cast a2.cast --fail-if 'object bytes > +5%'
fails 3 'do not both have objects' "a condition on what is not recorded does not pass"
cc compare a1.cast a2.cast --fail-if 'strem bytes > +5%'
fails 2 "did you mean 'stream'" "a misspelt kind"

cc compare a1.cast a2.cast --only streams --svg c.svg --csv=streams
ok $((!($RC == 0 && $(head -1 out | grep -c '^name,was,a,b,change,') == 1 && $(grep -c '<svg' c.svg) == 1))) "CSV and SVG"

# errors
cc compare a1.cast
fails 2 'expected two recordings' "one operand"
cc compare a1.cast absent.cast
fails 3 'absent.cast' "an absent file is named"
head -c 4096 a2.cast >cut.cast
cc compare a1.cast cut.cast
fails 3 'cut.cast' "a damaged file is named"
cc compare a1.cast a2.cast -o a1.cast
fails 2 'a1.cast' "the output is no input"
cc compare a1.cast a2.cast --only things
fails 2 "no kind is called 'things'" "a kind that there is not"
done_testing
