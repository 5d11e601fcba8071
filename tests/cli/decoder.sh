#!/bin/sh
# What examples/decoder/README.md says about the example holds, in both engines.
. "$(dirname "$0")/lib.sh"
gcc -g -O1 -fno-inline -I "$SOURCE/include" "$SOURCE/examples/decoder/decoder.c" -o decoder || exit 99
./decoder >plain.out
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o d.cast -- ./decoder >prog.out 2>err
    cmp -s plain.out prog.out; ok $? "$engine: the program does what it does without"
    is "$(wc -c <err)" 0 "$engine: its marks pair up"
    cc report d.cast --view frames --json
    is "$(json '.frames|length')" 19 "$engine: eighteen frames, and what was before"
    # run FRAME REGION: instructions
    run() { jq --argjson f "$1" --arg r "$2" '[.frames[$f].regions[]|select(.name==$r)|.instructions]|add // 0' out; }
    first=$(run 1 decode); second=$(run 2 decode); later=$(run 14 decode)
    [ "$first" -gt $((1000 * second)) ]; ok $? "$engine: the decoder shrinks after the first frame ($first, then $second)"
    [ "$later" -gt $((100 * second)) ] && [ "$later" -lt "$first" ]; ok $? "$engine: and comes back when something new is seen ($later)"
    is "$(json '[range(2;19) as $f|.frames[$f].regions[]|select(.name=="decode")|.instructions]|sort|.[-2] < 1000')" true "$engine: only then"
    is "$(json '[.frames[1].length/.frames[2].length|floor]|first >= 8')" true "$engine: the first frame is much longer"
    is "$(json '[.totals[]|select(.from!=.to)][0]|[.from,.to]|tostring')" '["decode","prepare"]' "$engine: the dominant stream"
    is "$(json '[.totals[]|select(.from=="decode" and .to=="prepare")|.intra/.bytes < 0.1]|first')" true "$engine: crosses frames"
    is "$(json '[.streams[]|select(.from=="decode" and .to=="prepare")|.producer_frame]|unique|tostring')" '[1,14]' "$engine: from the two frames that decode"
    is "$(json '[.streams[]|select(.from=="prepare" and .to=="render" and .producer_frame!=.consumer_frame)]|length')" 0 "$engine: what is prepared is rendered in the same frame"
    cc report d.cast --view comm --by region --json
    is "$(json '. as $d|.edges[]|select(.from=="decode" and .to=="prepare")|.bytes/$d.bytes_between > 0.7 and .fresh*20 < .bytes')" true "$engine: it is most of the traffic, read over and over"
    is "$(json '[.edges[]|select(.from=="decode" and .to=="decode")|.bytes > 1000000]|first')" true "$engine: the decoder reads what it wrote"
    is "$(json .critical_path[-3:]'|tostring')" '["decode","prepare","render"]' "$engine: the critical data path"
    for what in "frames" "comm --by region" "comm --by region --frame 1" "intensity"; do
        # shellcheck disable=SC2086
        cc report d.cast --view $what --svg x.svg
        is "$RC $(xmllint --noout x.svg 2>&1 | wc -l)" "0 0" "$engine: draw $what"
    done
    json='[.frames[]|{f:.index,r:[.regions[]|select(.name=="decode" or .name=="prepare" or .name=="look")]|sort_by(.name)}]'
    "$CORECAST" report d.cast --view frames --json | jq "$json" >"facts.$engine"
done
for engine in valgrind qemu; do
    "$CORECAST" record -q --engine $engine --objects -o o.cast -- ./decoder >prog.out 2>err
    cc report o.cast --view objects --json
    is "$(json '[.objects[]|select(.name=="Haar coefficients")|.kind,.size,.count]|tostring')" '["heap",393216,1]' "$engine: the object the program names"
    is "$(json '(.objects[]|select(.name=="Haar coefficients")|.id) as $id|[.accesses[]|select(.object==$id)|[.function,.bytes_read,.bytes_written]]|sort|tostring')" \
        '[["decode",294912,0],["unpack",0,294912],["widen",783360,783360]]' "$engine: is the decoder's own, each byte of 18 landscapes"
    is "$(json '(.objects[]|select(.name=="Haar coefficients")|.id) as $id|([.objects[]|select(.kind=="heap")|.id]) as $heap|[.accesses|group_by(.object)[]|select(.[0].object|IN($heap[]))|[(map(.bytes_read+.bytes_written)|add),.[0].object]]|max|.[1]==$id')" true "$engine: and has the most traffic of all on the heap"
done
if [ "$(uname -m)" = x86_64 ]; then
    skip "the engines agree on every frame" "the C library picks its functions by what the processor can, and QEMU offers another"
else
    cmp -s facts.valgrind facts.qemu; ok $? "the engines agree on every frame of decode, prepare and look"
fi
# Many frames stay cheap to look at and short to read.
"$CORECAST" record -q -o many.cast -- ./decoder 1000 >prog.out 2>err; is $? 0 "a thousand frames"
cc report many.cast --view frames; [ "$(wc -l <out)" -lt 70 ]; ok $? "fit on a page ($(wc -l <out) lines)"
grep -q 'frames between are not shown' out; ok $? "which says so"
cc report many.cast --view frames --json; is "$(json '[(.frames|length),([.streams[]|select(.from=="decode" and .to=="prepare")]|length > 999)]|tostring')" '[1001,true]' "JSON has all"
cc report many.cast --view frames --svg x.svg; [ "$(wc -c <x.svg)" -lt 1500000 ]; ok $? "the drawing stays small"
done_testing
