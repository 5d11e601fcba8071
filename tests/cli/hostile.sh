#!/bin/sh
# A few of the programs that are hard to measure (all of them: make hostile): those that restrict themselves lose nothing, with either engine.
. "$(dirname "$0")/lib.sh"
kinds='file-size few-descriptors little-memory seccomp-denies seccomp-strict writes-too-much illegal abort overwrite-fds below-stack foreign-stack'
[ "$(id -u)" = 0 ] && kinds="$kinds chroot setuid"
bash "$SOURCE/tests/hostile/run.sh" "$CORECAST" "$SOURCE" $kinds >all 2>&1
for kind in $kinds; do
    grep "^[a-z]* $kind: " all >"$WORK/err"; [ $? -ne 0 ]; ok $? "$kind: status, output and calls as without us"
done
tail -1 all | grep -q ' crashed 0, hung 0, wrong 0, lost 0$'; ok $? "$(tail -1 all)"
done_testing
