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

# of a verb, help is what it takes, and what belongs to another is refused by name
cc mine contention -h; is "$RC $(grep -c -- --min-lost out) $(grep -c -- '--list\|--svg-growth' out)" "0 1 0" "help of a verb has its options only"
cc help mine itemsets; is "$RC $(grep -c -- --list out) $(grep -c -- --min-lost out)" "0 1 0" "likewise by 'help COMMAND VERB'"
cc mine -h; is "$RC $(grep -c -- '--list \|--min-lost \|--svg-growth ' out) $(grep -c 'usage:\|^       corecast mine' out)" "0 3 3" "help of a command has all"
cc mine itemsets --min-lost 1 x; fails 2 "'mine itemsets' has no option '--min-lost'; it belongs to 'mine contention'" "an option of another verb"
cc mine --min-lost 1 itemsets x; fails 2 "belongs to 'mine contention'" "in front of the verb as well"
cc trace cat --hits x; fails 2 "belongs to 'trace export'" "trace: an option of another verb"
cc trace info --hit-latency 0 x; fails 2 "belongs to 'trace import'" "even if its value is 0"
cc area estimate --zeros auto x; fails 2 "belongs to 'area calibrate'" "even if its value is the default"
cc mine; fails 2 "expected 'contention', 'scaling' or 'itemsets'" "no verb"
cc mine contentoin x; fails 2 "did you mean 'contention'" "a near verb is offered"
cc platform enumerate x; fails 2 "one of 'list', 'show', 'check' or 'new'" "a verb that is none"
cc help mine nothing; fails 2 "has no verb" "help of no verb"
g=$SOURCE/examples/map/figure8.ini
cc map "$g" --forbid a=b; fails 2 "belongs to .*'map TASKS.ini'" "map: an option for another kind of input"
cc map "$g" --parts 2 --tolerance '5 %' --json; is "$RC $(json .tolerance)" "0 5" "a percentage may have its sign"
done_testing
