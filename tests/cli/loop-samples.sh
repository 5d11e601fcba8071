#!/bin/sh
# Of loops that are followed in samples: what the samples do not show is not called free.
. "$(dirname "$0")/lib.sh"
if ! "$CORECAST" record --engine valgrind -o try.cast true 2>/dev/null; then
    skip "loops under valgrind" "there is no valgrind engine"
    done_testing
    exit
fi
PROGRAM=$SOURCE/tests/cli/programs/samples.c
verdict() { # verdict LABEL
    line=$(grep -n "/\* $1" "$PROGRAM" | cut -d: -f1)
    json "[.loops[]|select(.line == $line)|.verdict]|unique|join(\" \")"
}
for level in 0 2; do
    gcc -g -O$level -o samples "$PROGRAM" || exit 99
    cc record --engine valgrind --loops dependences -o s.cast ./samples
    cc report --view loops --json s.cast
    for what in 'late call' 'looked up first' 'computed by a function' 'a remainder' 'a pointer to what was looked up'; do
        case $(verdict "needs: $what") in unknown | sequential | 'sequential unknown') ok 0 "-O$level: $what" ;; *) is "$(verdict "needs: $what")" "unknown or sequential" "-O$level: $what" ;; esac
    done
    is "$(verdict 'combines: a pointer from a function')" reduction "-O$level: updates may meet though none was seen to"
    is "$(verdict 'free: its own elements')" parallel "-O$level: iterations that have their own elements are free"
    is "$(verdict "free: a field that is combined with others'")" parallel "-O$level: so are those of fields that they change"
    is "$(json '[.loops[]|select(.coverage < 0.9)]|length > 1')" true "-O$level: few of their iterations were followed"
done
done_testing
