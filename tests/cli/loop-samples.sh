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

# Two recordings of one program say the same, wherever its memory lies: samples are chosen by counts alone.
g++ -g -O2 -w -o containers "$SOURCE/tests/loops/containers.cc" || exit 99
for program in samples containers; do
    for run in 1 2; do
        cc record --engine valgrind --loops dependences -o again.cast ./$program
        cc report --view loops --json again.cast
        cp out "again.$run"
    done
    is "$(jq '.loops|length > 5' again.1)" true "$program: there are loops"
    is "$(cmp again.1 again.2 2>&1)" "" "$program: two recordings say the same of its loops"
done

# Code that ran first while nothing was followed is followed one of the next times.
PROGRAM=$SOURCE/tests/cli/programs/edges.c
for level in 0 1 2; do
    gcc -g -O$level -o edges "$PROGRAM" || exit 99
    cc record --engine valgrind --loops dependences -o e.cast ./edges
    cc report --view loops --json e.cast
    case $(verdict 'needs: iterations longer than a sample') in unknown | sequential) ok 0 "-O$level: long iterations" ;; *) ok 1 "-O$level: iterations that overwrite each other's results, each longer than a sample" ;; esac
    [ $level -lt 2 ] || continue # then the two loops of a nest are one
    is "$(verdict 'free: the last row is its own')" parallel "-O$level: a grid with a last row that is treated in another way"
    is "$(verdict 'needs: the last row takes the one before')" sequential "-O$level: one whose last row needs the one before"
    is "$(json '[.loops[]|select(.share > 0.1 and .coverage < 0.9)]|length > 1')" true "-O$level: of both a part was followed"
done
# A line that did not run is told as such, and so is what a called function only adds to.
cat >cold.c <<'END'
double a[200], c[200];
struct sum { double all; int n; };
static void take(struct sum *s, double x) {
    s->all += x;
    s->n++;
}
int main(int argc, char **argv) {
    struct sum s = {0, 0};
    for (int i = 1; i < 200; i++) {
        a[i] = c[i] + i;
        if (argc > 5)
            c[i] = a[i - 1];
    }
    for (int i = 0; i < 200; i++)
        take(&s, a[i]);
    return s.all > 1e6 && argv;
}
END
gcc -g -O0 -o cold cold.c || exit 99
cc record --engine valgrind --loops dependences -o c.cast ./cold
cc report --view loops --json c.cast
is "$(json '[.loops[]|select(.line == 9)|.verdict + ": " + .sentence]|join(" ")')" "unknown: iterations did not need each other, but line 12 did not run, which reads a: an input that gets there may tell" "a line that did not run"
is "$(json '[.loops[]|select(.line == 14)|.verdict + ": " + .sentence]|join(" ")')" "sequential: take at line 4 only combines s with something (+): if each thread had its own, and these were joined at the end, iterations would not need each other" "updates in a function that is called"
done_testing
