#!/bin/sh
. "$(dirname "$0")/lib.sh"
g=$SOURCE/examples/map/figure8.ini

# --- partition of a graph
cc map "$g" --parts 2 --json
is "$RC $(json .schema) $(json .version)" "0 corecast.map 1" "partition as JSON"
is "$(json '.cut_bytes, .alternatives[0].cut_bytes' | tr '\n' ' ')" "7 22 " "7 bytes cut, 22 when only load counts"
is "$(json '.proven')" true "proven"
is "$(json '[.loads[].load] | add')" 100 "loads add up to the work"
is "$(json '[.assignment[].task] | join(",")')" "a,b,c,d" "every node is assigned"
cc map "$g" --parts 2
is "$(grep -c 'bytes cut *22 *7' out)" 1 "text shows both cuts side by side"
cc map "$g" --parts 2 --tolerance 0 --json; is "$(json .cut_bytes)" 22 "no tolerance: the balanced one"
cc map "$g" --parts 2 --pin c=0 --pin d=1 --json; is "$(json .cut_bytes)" 22 "pins hold"
cc map "$g" --parts 2 --merge c,d --json
is "$(json '[.assignment[].task] | join(" ")') $(json .cut_bytes)" "a b c+d 7" "merged nodes are one"
cc map "$g" --parts 2 --merge a,d --json; is "$(json '.assignment[0].work')" 88 "merged work adds up"
cc map "$g" --parts 2 --merge c,d --pin c=0 --pin d=1; fails 2 "pinned to part 0 and to part 1" "pins that contradict a merge"
cc map "$g" --parts 2 --pin e=0; fails 2 "no node 'e'" "pin of an unknown node"
cc map "$g" --parts 2 --pin a=2; fails 2 "parts are 0 to 1" "pin beyond the parts"
cc map "$g" --parts 2 --pin a; fails 2 "not NAME=VALUE" "pin without a place"
cc map "$g" --parts 0; fails 2 "outside" "no parts"
cc map "$g" --parts 2 --tolerance=-5; fails 2 "percentage" "negative tolerance"
cc map "$g"; fails 2 "how many parts" "neither parts nor platform"
cc map; fails 2 "expected one" "no file"
cc map nowhere.ini --parts 2; fails 3 "cannot open" "absent file"
printf '[nodes]\na = 1\n[edges]\na -> b = 1\n' >bad.ini
cc map bad.ini --parts 2; fails 3 "bad.ini:4: .*no node" "an edge to nowhere, with its line"
printf 'node,a,1\nnode,b,-2\n' >bad.csv
cc map bad.csv --parts 2; fails 3 "bad.csv:2: " "a negative weight, with its line"
printf 'node,"<b>&\033[31m",5\nnode,c,5\nedge,c,"<b>&\033[31m",2\n' >odd.csv
cc map odd.csv --parts 2; is "$RC $(grep -c "$(printf '\033')" out)" "0 0" "control characters in names are escaped"

# --- onto a topology
printf '[platform]\nname = t\nsource = test\n[topology]\nkind = mesh\nsize = 2x2\n' >mesh.ini
cc map "$g" --platform mesh.ini --tolerance 100 --json
is "$RC $(json '.parts')" "0 4" "a topology gives the number of parts"
printf 'node,a,10\nnode,b,10\nnode,c,10\nnode,d,10\nedge,a,b,5\nedge,b,c,5\nedge,c,d,5\nedge,d,a,5\n' >ring.csv
cc map ring.csv --platform mesh.ini --tolerance 0 --json
is "$(json '.hop_bytes, .max_link, .placement_proven' | tr '\n' ' ')" "20 5 true " "a ring on a mesh: one hop a message"
cc map ring.csv --platform mesh.ini --set topology.kind=star --tolerance 0 --json; is "$(json .hop_bytes)" 40 "a star takes two"
cc map ring.csv --platform mesh.ini --set topology.kind=bus --tolerance 0 --json; is "$(json .max_link)" 20 "a bus carries all"
cc map "$g" --platform mesh.ini --parts 5; fails 2 "do not fit" "more parts than nodes"
printf '[platform]\nname = t\nsource = test\n[topology]\nkind = mesh\nsize = 2x2\nmissing = 0-1, 0-2\n' >gap.ini
cc map "$g" --platform gap.ini; fails 3 "gap.ini:7: .*disconnected" "a disconnected topology, with its line"
printf '[platform]\nname = t\nsource = test\n[topology]\nkind = mesh\nsize = 2z2\n' >size.ini
cc map "$g" --platform size.ini; fails 3 "size.ini:6: " "a bad size, with its line"
printf '[platform]\nname = t\nsource = test\n' >none.ini
cc map "$g" --platform none.ini; fails 3 "no \[topology\]" "a platform without a topology"
done_testing
