#!/bin/sh
# Traffic over time: phases and sums in closed form, in both engines.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -fno-stack-protector -o phases "$SOURCE/tests/cli/programs/phases.c" || exit 99
gcc -O1 -g -o channels "$SOURCE/tests/cli/programs/channels.c" -lpthread || exit 99
BYTES=$((4 << 20))

view() { cc report p.cast --view bandwidth "$@"; }
# sum FUNCTION FIELD: over its slices
sum() { jq --arg f "$1" "[.functions[]|select(.name==\$f)|.slices[].$2]|add" out; }

for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast -- ./phases 2 >prog.out 2>err
    ok $? "$engine: recorded"
    "$CORECAST" record --engine $engine -o t.cast -- ./channels >prog.out 2>err
    "$CORECAST" report t.cast --view summary --json >sum.json
    cc report t.cast --view bandwidth --json
    is "$(json '[.functions[].read]|add') $(json '[.functions[].written]|add')" "$(jq -r '"\(.bytes_read) \(.bytes_written)"' sum.json)" "$engine: threads: nothing is lost"
    view --json
    is "$(json .schema)" corecast.bandwidth "$engine: JSON"
    # beside the stack: on some machines a call leaves its return address there
    is "$(($(sum fill written) - $(sum fill stack_written))) $(($(sum fill read) - $(sum fill stack_read)))" "$((2 * BYTES)) 0" "$engine: all bytes written, none read"
    is "$(($(sum total read) - $(sum total stack_read))) $(($(sum total written) - $(sum total stack_written)))" "$((2 * BYTES)) 0" "$engine: all bytes read, none written"
    is "$(json '[.functions[]|select(.name=="deep")|(.read+.written-.stack_read-.stack_written)*100 < .read+.written]|first')" true "$engine: a function that touches its stack only, but for a constant"
    is "$(json '[.functions[]|.name as $n|select(([.slices[].read]|add)!=.read or ([.slices[].written]|add)!=.written)]|length')" 0 "$engine: slices sum to the totals"
    is "$(json '([.functions[].bytes]|add) == .bytes and ([.phases[].bytes]|add) == .bytes')" true "$engine: functions and phases sum to all"
    is "$(json '[.phases[]|select(.last-.first > 10)|.functions[0] // "-"]|join(" ")')" "fill total fill total - deep" "$engine: the phases"
    is "$(json '[.phases[]|select(.last-.first > 10)|.kind]|.[0]==.[2] and .[1]==.[3] and .[0]!=.[1]')" true "$engine: those that come back are of one kind"
    is "$(json '.slices as $n|.phases|.[0].first==0 and .[-1].last==$n-1 and ([range(1;length) as $i|.[$i].first==.[$i-1].last+1]|all)')" true "$engine: phases cover the run"
    is "$(json '[.functions[]|select(.name=="fill")|(.peak <= 2.01 and .peak > 1.9)]|first')" true "$engine: eight bytes in four instructions at most"
    # what the slices hold is what the nodes hold
    "$CORECAST" report p.cast --view summary --json >sum.json
    is "$(json '[.functions[].read]|add')" "$(jq .bytes_read sum.json)" "$engine: all that was read is in some slice"
    is "$(json '[.functions[].written]|add')" "$(jq .bytes_written sum.json)" "$engine: and all that was written"
done

view --json --traffic reads --stack without
is "$(json '[.functions[]|select(.name=="fill" or .name=="deep")]|length')" 0 "reads beside the stack: two functions have none"
is "$(json '[.functions[]|select(.name=="total")|.bytes]|first')" $((2 * BYTES)) "and one has all"
view --json --stack only
is "$(json '.functions[0].name')" deep "the stack only"
view
ok $(grep -q "phases of" out && grep -q "^deep" out; echo $?) "text"
view --svg t.svg
ok $(grep -q "</svg>" t.svg && grep -q "phase 1" t.svg; echo $?) "drawing"
view --focus fill --json
is "$(json '[.functions[].name]|join(" ")')" fill "only what is asked for"
"$CORECAST" record --plain -o plain.cast --channel fill:total -- ./phases >prog.out 2>err
cc report plain.cast --view bandwidth
fails 3 "without slices" "a plain recording has no slices"
cc report plain.cast --view channel --json
is "$(json '"\(.bytes) \(.in_order) \(.suggestion.kind)"')" "$BYTES 1 fifo" "but may have a channel"
"$CORECAST" record --slice 1000000 -o s.cast -- ./phases >prog.out 2>err
cc report s.cast --view bandwidth --json
is "$(json .slice)" 1000000 "slices as long as they were asked for"
view --traffic sideways
fails 2 "traffic" "a traffic that is none"
done_testing
