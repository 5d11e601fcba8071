#!/bin/sh
# Names, paths and values that try to become something else: commands, options, other files, formulas.
. "$(dirname "$0")/lib.sh"

# a scenario's name in a command
printf 'loop,0,200000000\n' >t.csv
for i in 0 1 2 3; do echo "it,$((i * 50000000)),$(((i + 1) * 50000000))"; done >>t.csv
printf '[platform]\nname = t\ncores = 4\nclock_mhz = 1000\n[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 0\n' >p.ini
v() { cc validate t.csv --platform p.ini --cores 2 --repeat 1 --serial 'sleep 0.02' "$@"; }
printf '#!/bin/sh\nprintf "%%s|" "$@" >>words\nsleep 0.02\n' >show
chmod +x show
for name in 'x;touch P;' 'x$(touch P)' 'x`touch P`' 'x|touch P' 'x
touch P
' "x';touch P;'" 'x";touch P;"' 'x && touch P' '*' '-n' '${IFS}' '\'; do
    echo 'it = #pragma omp parallel for schedule(static)' >"./$name.omp"
    for how in './show {scenario} end' './show "{scenario}" end'; do
        rm -f words P
        v --scenario "./$name.omp" --run "$how"
        # (on a busy machine it may be too short to be timed, but it has run)
        [ ! -e P ] && [ "$(cat words)" = "$name|end|" ]
        ok $? "validate: '$(printf %s "$name" | tr '\n' '|')' is one word and no command in: $how"
    done
    v --scenario "./$name.omp" --run './show "$(echo {scenario})"'; [ ! -e P ]; ok $? "nor a command inside a command"
done
v --scenario './*.omp' --run "./show '{scenario}'"; fails 2 "single quotes" "validate: {scenario} inside single quotes is refused"

# symbolic links somebody put where a temporary file might be
printf 'cycle,cpu,pc,latency\n1,0,16,1\n2,0,32,9\n' >e.csv
echo precious >precious
ln -s precious t.trace.part
cc trace import e.csv -o t.trace; is "$RC $(cat precious)" "0 precious" "trace import writes through no link beside its output"
ln -s precious u.trace.part
cc trace filter t.trace -o u.trace; is "$RC $(cat precious)" "0 precious" "nor does trace filter"
is "$(ls u.trace* | tr '\n' ' ')" "u.trace u.trace.part " "and nothing else is left"
cc trace filter --limit 1 t.trace -o u.trace; cc trace info u.trace --json; is "$(json .events)" 1 "trace filter --limit"

cc trace export --to chrome --hits --limit 1 t.trace; is "$RC $(json '[.traceEvents[]|select(.ph=="X")]|length')" "0 1" "trace export --to chrome --limit"

# a file named like a shipped platform
printf '[platform]\nname = impostor\nsource = x\nclock_mhz = 1\n' >cortex-a-quad.ini
cp cortex-a-quad.ini cortex-a-quad
cc platform show cortex-a-quad --json; is "$RC $(json '[.values[]|select(.key=="name")|.value]|first|. != "impostor"')" "0 true" "cortex-a-quad is the shipped one"
for name in ./cortex-a-quad cortex-a-quad.ini ./cortex-a-quad.ini; do # who writes a path or a suffix means a file
    cc platform show $name --json; is "$RC $(json '[.values[]|select(.key=="name")|.value]|first')" "0 impostor" "$name is the file"
done
printf '[platform]\ninherits = cortex-a-quad\nname = mine\n' >mine.ini
cc platform show mine.ini --json; is "$RC $(json '[.values[]|select(.key=="clock_mhz")|.value]|first|tonumber > 1')" "0 true" "inheriting by name means the shipped one too"
mkdir sub
printf '[platform]\nname = base\nclock_mhz = 77\n' >sub/base.ini
printf '[platform]\nname = base\nclock_mhz = 66\n' >base.ini
printf '[platform]\nname = x\ninherits = ./base.ini\n' >sub/x.ini
cc platform show sub/x.ini --json; is "$RC $(json '[.values[]|select(.key=="clock_mhz")|.value]|first')" "0 77" "an inherited path is relative to the file that names it"

# programs with rights of their own
gcc -O1 -o plain -x c - <<'C'
int main(void) { return 0; }
C
cp plain capable
if setcap cap_net_raw+ep capable 2>/dev/null || { setfattr -n security.capability -v 0sAQAAAgAgAAAAAAAAAAAAAAAAAAA= capable 2>/dev/null; }; then
    cc record ./capable; fails 126 "setcap" "a program with capabilities is refused"
else
    skip "a program with capabilities is refused" "no right to give them"
fi

# profiles are their owner's alone
umask 022
cc record -o p.cast ./plain; is "$RC $(stat -c %a p.cast)" "0 600" "a profile is readable for its owner only"
cc report p.cast -o r.txt; is "$RC $(stat -c %a r.txt)" "0 644" "a report is as the umask says"

# formulas in tables
for name in '=cmd()' '+1' '-1+2' '@SUM(A1)' "'quoted"; do
    printf 'cycle,cpu,pc,latency,function\n1,0,16,1,"%s"\n' "$name" | sed "s/\"'/\"''/" >f.csv
    cc trace import f.csv -o f.trace
    cc trace export f.trace -o g.csv
    is "$RC $(sed -n '$s/.*,\('"'"'[^,]*\),.*/\1/p' g.csv | cut -d, -f1)" "0 '$name" "CSV: $name is text"
    cc trace import g.csv -o h.trace; cc trace export h.trace -o i.csv
    cmp -s g.csv i.csv; ok $? "and comes back as it was"
done

# descriptions that nobody reads are no success
for args in --help -h --version 'help record' 'record -h' 'report -h' 'trace cat -h'; do
    "$CORECAST" $args >/dev/full 2>err; RC=$?
    [ $RC -ne 0 ] && grep -q 'No space' err; ok $? "$args into a full device fails"
done
# names of functions in what CI servers read
cat >names.c <<'C'
__attribute__((noinline)) int oddoddoddoddoddoddoddoddoddodd(int x) { volatile int y = x; return y + 1; }
int main(int c, char **v) { (void)v; return c > 1 ? oddoddoddoddoddoddoddoddoddodd(c) - 3 : 0; }
C
gcc -O1 -o names names.c && python3 -c "
d = open('names', 'rb').read()
n = b'a<b>&\'\"c]]>\x01\x1b[31m\xff-->\\\\\n'
open('names', 'wb').write(d.replace(b'odd' * 10, n + b'z' * (30 - len(n))))"
"$CORECAST" record -q -o n1.cast ./names && "$CORECAST" record -q -o n2.cast ./names 1
cc compare n1.cast n2.cast --fail-if 'new function' --junit n.xml --sarif n.json
is "$RC $(jq -r '.runs[0].results | length' n.json) $(python3 -c "import xml.etree.ElementTree as e; print(sum(x.tag == 'failure' and 'a<b>&' in x.text and ']]>' in x.text for x in e.parse('n.xml').iter()))")" "1 1 1" \
    "a function's name is text in JUnit and SARIF, whatever it holds"
# a name with control characters is escaped once, in tables as elsewhere
odd=$(printf 'tab\there\nline.c'); printf 'int main(void) { for (volatile int i = 0; i < 99999; i++) ; return 0; }\n' >"$odd"
gcc -g -o odd "$odd" && "$CORECAST" record -q -o odd.cast ./odd
cc report odd.cast --view functions; is "$(grep -c 'tab\\x09here\\x0aline\.c' out)" 1 "a file's name with a tab and a line break, in a table"

# a page that is shown to others: what a profile or a tree of sources claims to be a source is not
if "$CORECAST" report n1.cast --html n.html 2>/dev/null; then
    printf 'TOKEN-1\nTOKEN-2\nTOKEN-3\n' >secret.key
    printf '#line 2 "secret.key"\nint main(void) { volatile int x = 0; for (int i = 0; i < 9; i++) x += i; return x - 36; }\n' >claims.c
    gcc -O0 -g -o claims claims.c && "$CORECAST" record -q -o claims.cast ./claims
    cc report claims.cast --html claims.html
    is "$RC $(grep -c TOKEN claims.html)" "0 0" "a file that is no source by its name is not put into a page"
    echo 'int main(void) { return 0; } /* WORD-OF-MINE */' >mine.c
    gcc -O0 -g -o mine mine.c && "$CORECAST" record -q -o mine.cast ./mine
    cc report mine.cast --html mine.html; is "$RC $(grep -c WORD-OF-MINE mine.html)" "0 1" "a source is"
    ln -sf secret.key mine.c; touch -h -d 2001-01-01 mine.c
    cc report mine.cast --html mine.html; is "$RC $(grep -c TOKEN mine.html)" "0 0" "nor is what a source links to"
else skip "a page has no other files" "the page was not built"; fi
done_testing
