#!/bin/sh
. "$(dirname "$0")/lib.sh"
# --- itemsets ---
printf '1 2 3\n1 2\n2 3\n\n1 2 3 4\n' >t.dat
cc mine itemsets t.dat --support 2 --json; is "$RC $(json '[.schema,.transactions,.items,.minimum_support,.closed]|join(" ")')" "0 corecast.itemsets 4 4 2 4" "closed sets of a small file"
cc mine itemsets t.dat --support 2 --list --json; is "$(json '[.itemsets[]|(.items|join(","))+":"+(.support|tostring)]|sort|join(" ")')" "1,2,3:2 1,2:3 2,3:3 2:4" "the sets themselves"
cc mine itemsets t.dat --support 50%; is "$(grep -c '4 closed' out)" 1 "support as a share"
cc mine itemsets t.dat --support 2 --list; is "$(wc -l <out)" 4 "the list as text"
a=$("$CORECAST" mine itemsets t.dat --support 1 --json --part 1/2 | jq .closed); b=$("$CORECAST" mine itemsets t.dat --support 1 --json --part 2/2 | jq .closed)
cc mine itemsets t.dat --support 1 --json; is "$(json .closed)" $((a + b)) "parts add up"
"$CORECAST" mine itemsets - --support 2 --json <t.dat >out; is "$(json .closed)" 4 "from standard input"
cc mine itemsets t.dat; fails 2 "--support" "support is required"
cc mine itemsets t.dat --support 0; fails 2 "above 0" "support 0"
cc mine itemsets t.dat --support 101%; fails 2 "up to 100" "support above 100 %"
cc mine itemsets t.dat --support 1 --part 3/2; fails 2 "K/N" "part beyond the parts"
printf '1 2\n1 b\n' >b.dat; cc mine itemsets b.dat --support 1; fails 3 "b.dat:2:" "a word in the file"
cc mine itemsets /nonexistent --support 1; fails 3 "cannot open" "absent file"
cc mine frob x; fails 2 "none of contention" "unknown verb"
cc mine; fails 2 "expected" "no verb"
data=${CORECAST_DATA:-$SOURCE/../shared/data}
reference() { # reference FILE SUPPORT CLOSED
    if [ -f "$data/$1.dat.gz" ]; then
        gzip -dc "$data/$1.dat.gz" >"$1.dat"
        cc mine itemsets "$1.dat" --support "$2" --json; is "$(json .closed)" "$3" "$1 at $2"
    else skip "$1 at $2" "no reference data (set CORECAST_DATA)"; fi
}
reference mushroom 813 4885
reference mushroom 82 51640
reference chess 2557 5084
reference chess 1598 369451
reference T10I4D100K 100 26807
reference T10I4D100K 10 283398
done_testing
