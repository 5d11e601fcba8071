#!/bin/sh
. "$(dirname "$0")/lib.sh"
cc; fails 2 "" "no command: usage"
cc help; is $RC 0 "help"
cc --version; is $RC 0 "version"
cc platfrom; fails 2 "did you mean 'platform'" "a near command is offered"
for command in $("$CORECAST" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    cc "$command" -h; is $RC 0 "$command -h"
    cc "$command" --no-such-option; is $([ $RC = 2 ] || [ $RC = 125 ]; echo $?) 0 "$command refuses an unknown option"
done
done_testing
