#!/bin/sh
. "$(dirname "$0")/lib.sh"
printf '[platform]\nname = t\nsource = test\nclock_mhz = 10\n' >t.ini
cc platform show t.ini --json; is "$RC $(json .schema)" "0 corecast.platform" "show as JSON"
is "$(json '.values[]|select(.key=="cores")|.origin')" default "defaults are listed as such"
cc platform show t.ini --csv; is "$RC $(sed -n 1p out) $(grep -cx 'platform,clock_mhz,10,file,"clock of the cores, MHz"' out)" "0 section,key,value,origin,help 1" "as CSV"
cc platform show nowhere; fails 3 "cannot open" "absent platform"
for p in "$SOURCE"/platforms/*.ini; do
    [ -e "$p" ] || continue
    cc platform show "$p"; is $RC 0 "$(basename "$p") loads"
done
done_testing
