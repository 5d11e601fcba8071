#!/bin/sh
# The call tree in closed form: lazy binding, callbacks, tail calls, constructors, dlsym; libraries charged to callers or as nodes.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/calls.c
gcc -O1 -g -rdynamic -Wl,-z,lazy -o calls "$PROGRAM" || exit 99

# record ENGINE LIBS PROGRAM
record() { "$CORECAST" record --engine "$1" --libs "$2" -o p.cast -- "$3" >prog.out 2>"$WORK/err"; }
functions() { "$CORECAST" report p.cast --view functions --min-share 0 --json 2>"$WORK/err"; }
# calls NAME…: of each
calls() { for f in "$@"; do functions | jq -r --arg f "$f" '[.functions[]|select(.name==$f)|.calls]|join("+")'; done | tr '\n' ' '; }
tree() { "$CORECAST" report p.cast --view calltree --min-share 0 --json 2>"$WORK/err" | jq -r ".threads[0].root|$1"; }
children() { # children NAME: what the tree has below its only node of that name
    tree "[..|objects|select(.name==\"$1\")]|if length==1 then [.[0].children[]?.name]|sort|join(\" \") else \"\\(length) nodes\" end"
}
whole() { # whole LIBS: main contains 99 % of what runs after start-up
    start=$([ "$1" = node ] && echo _start || echo main)
    functions | jq -r --arg start "$start" '([.functions[]|select(.name=="main")|.inclusive]|add) as $main |
        $main > 2000000 and $main >= 0.99*([.functions[]|select(.name==$start and (.object|endswith("/calls")))|.inclusive]|add)' | grep -qx true &&
        tree '[..|objects|select(.name=="main")|.inclusive]|add' | grep -qx "$(functions | jq '[.functions[]|select(.name=="main")|.inclusive]|add')" && echo whole
}
agrees() { # agrees LIBS WHAT: the recording has the closed form
    is "$(calls main work by_value sort tail_first tail_last text visible before after at_end)" \
        "1 20 $comparisons 1 5 5 1 1 1 1 1 " "$2: calls"
    is "$(whole "$1")" whole "$2: main contains what it calls"
    is "$(children tail_first);$(children tail_last)" "tail_last;work" "$2: tail calls"
    if [ "$1" = node ]; then
        is "$(children main | tr ' ' '\n' | grep -xE 'sort|tail_first|text|visible|work' | tr '\n' ' ')" "sort tail_first text visible work " "$2: what main calls"
        is "$(children sort | tr ' ' '\n' | grep -xE 'by_value|qsort' | tr '\n' ' ')" "qsort " "$2: qsort below its caller, though the loader may have found it"
        is "$(tree '[.children[]|select(..|objects|select(.name=="main"))]|length') $(tree '.children|length')" "1 2" "$2: below the root are the loader's start and the program's"
    else
        is "$(children main | sed "s/^atexit //")" "sort tail_first text visible work" "$2: what main calls"
    fi
}

comparisons=$(./calls count)
for engine in valgrind qemu; do
    for libs in node caller; do
        for now in '' 1; do
            LD_BIND_NOW=$now record $engine $libs ./calls
            agrees $libs "$engine, --libs $libs${now:+, bound at once}"
        done
    done
done

# another instruction set; its loader has no names
for isa in x86_64-linux-gnu riscv64-linux-gnu; do
    if ! command -v $isa-gcc >/dev/null; then
        skip "$isa" "no $isa-gcc"
        continue
    fi
    $isa-gcc -O1 -g -rdynamic -Wl,-z,lazy -o calls "$PROGRAM" || exit 99
    QEMU_LD_PREFIX=/usr/$isa
    export QEMU_LD_PREFIX
    comparisons=$(record qemu caller ./calls; calls by_value | tr -d ' ')
    record qemu node ./calls
    agrees node "$isa, --libs node"
    record qemu caller ./calls
    agrees caller "$isa, --libs caller"
done

# --- calls of places amid a function are none of it
inner() { # inner ENGINE WHAT
    record "$1" auto ./inner
    is "$(calls main twice outer leaf)" "1 3 6 90 " "$2: calls of places amid a function"
    is "$(children outer);$(functions | jq '[.functions[]|select(.name=="outer" or .name=="leaf")|.inclusive]|.[0] > .[1]')" "leaf;true" "$2: and what they call is the function's"
}
unset QEMU_LD_PREFIX
for compiler in x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc; do
    command -v $compiler >/dev/null || { skip "$compiler: calls of places amid a function" "not here"; continue; }
    $compiler -O1 -g -o inner "$SOURCE/tests/cli/programs/inner.c" || exit 99
    inner qemu "$compiler, qemu"
    [ "${compiler%%-*}" = "$(uname -m)" ] && inner valgrind "$compiler, valgrind"
done

# --- functions that end by a jump into a library, which returns for them to code of a library: a constructor, a comparison, a handler at the end
cat >ends.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[500][8], *words[500];
__attribute__((noinline)) int work(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
__attribute__((constructor)) void start(void) { work(10); puts("start"); }
void at_end(void) { work(10); puts("end"); }
int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
__attribute__((noinline)) void order(void) { qsort(words, 500, sizeof *words, by_text); words[0][0] = 'a'; }
int main(void)
{
    for (int i = 0; i < 500; i++) { memset(text[i], 'a', 5); text[i][0] += (char)(i * 37 % 26); text[i][4] += (char)(i % 23); words[i] = text[i]; }
    order();
    atexit(at_end);
    return work(1000) == 7;
}
END
self() { tree "[..|objects|select(.name==\"$1\")|.inclusive-([.children[]?.inclusive]|add // 0)]|add"; }
gcc -O2 -g -fno-optimize-sibling-calls -o called ends.c
gcc -O2 -g -o jumped ends.c
for engine in valgrind qemu; do
    record $engine auto ./called
    order=$(self order) by_text=$(self by_text) n=$(calls by_text)
    record $engine auto ./jumped
    is "$(children main) | $(children order) | $(children start) | $(children at_end) | $(tree '[.children[].name]|sort|join(" ")')" \
        "order work | by_text | work | work | at_end main start" "$engine: functions that end by a jump into a library: who calls whom"
    is "$(calls by_text)" "$n" "$engine: and how often"
    # each call takes less without a frame; what qsort itself takes is its caller's all the same
    [ "$(self by_text)" -lt "$by_text" ] && [ "$(self by_text)" -gt $((by_text / 2)) ] && [ $(($(self order) * 50)) -gt $((order * 49)) ] && [ $(($(self order) * 50)) -lt $((order * 51)) ]
    ok $? "$engine: and what each takes (order $order $(self order), by_text $by_text $(self by_text))"
done

# --- a library that ends a function of its own by a jump to one of ours, which returns into the library
cat >each.c <<'END'
static __attribute__((noinline)) int wrap(int x, int (*f)(int)) { return f(x); }
int each(int n, int (*f)(int)) { int s = 0; for (int i = 0; i < n; i++) s += wrap(i, f) * 3; return s; }
END
cat >wraps.c <<'END'
int each(int n, int (*f)(int));
__attribute__((noinline)) int leaf(int x) { return x + 1; }
int twice(int x) { return leaf(x) * 2; }
int nested(int x) { return each(3, twice) + x; }
__attribute__((noinline)) int all(void) { return each(100, twice) + each(10, nested) + leaf(1); }
int main(void) { return all() == 7; }
END
gcc -O2 -g -shared -fPIC -o libeach.so each.c && mkdir user && gcc -O2 -g -o user/wraps wraps.c -L. -leach -Wl,-rpath,"$PWD" || exit 99
for engine in valgrind qemu; do
    record $engine caller ./user/wraps
    is "$(children main) | $(children all) | $(children nested)" "all | leaf nested twice | twice" "$engine: functions that a library jumps to: who calls whom"
    is "$(calls twice nested leaf all)" "130 10 131 1 " "$engine: and how often"
done

# --- single calls: four of each path, of which three are told apart and the last holds the rest
cat >single.c <<'END'
#include <stdio.h>
static unsigned char a[4][1000], b[4][1000];
__attribute__((noinline)) void make(int k) { for (int i = 0; i < 1000; i++) a[k][i] = (unsigned char)(i * k); }
__attribute__((noinline)) void use(int k, int from) { for (int i = 0; i < 1000; i++) b[k][i] = a[from][i] + 1; }
int main(void) { for (int k = 0; k < 4; k++) make(k); for (int k = 0; k < 4; k++) use(k, 3 - k); return b[3][9] == 77; }
END
gcc -O1 -fno-tree-vectorize -o single single.c
for engine in valgrind qemu; do
    "$CORECAST" record -q --engine $engine --calls 3 -o s.cast ./single 2>err
    is "$("$CORECAST" report s.cast --view comm --by call --min-share 0 --json | jq -r '[.edges[]|select((.from|test("make")) and (.to|test("use")))|"\(.from)>\(.to):\(.bytes)/\(.unma)"]|sort|join(" ")')" \
        "main/make #1>main/use #3 (2 calls):1000/1000 main/make #2>main/use #3 (2 calls):1000/1000 main/make #3 (2 calls)>main/use #1:1000/1000 main/make #3 (2 calls)>main/use #2:1000/1000" "$engine: who read what which call wrote"
    is "$("$CORECAST" report s.cast --view comm --by context --min-share 0 --json | jq -r '[.edges[]|select(.from=="main/make" and .to=="main/use")|.bytes,.fresh,.unma]|@csv')" "4000,4000," "$engine: by context the calls are one again"
    is "$("$CORECAST" report s.cast --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="use" or .name=="make")|.calls]|@csv')" "4,4" "$engine: and by function"
done
"$CORECAST" report s.cast --view comm --by call >out; grep -q "2 nodes hold several calls" out; ok $? "the text says which are not told apart"
"$CORECAST" report s.cast --view comm --by call --svg s.svg 2>err && xmllint --noout s.svg; ok $? "and drawn"
done_testing
