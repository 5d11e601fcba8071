#!/bin/sh
# Programs as people write them whose plan was once missed, or wrong: tests/cli/programs/kinds, each with a word on its kind at its end.
. "$(dirname "$0")/lib.sh"
cp "$SOURCE"/tests/cli/programs/kinds/* .

# part FILE LINE: the directive of that line in the best plan; reason FILE LINE: why it is in none
part() { jq -r --argjson line "$2" '.plans[0].directives[]? | select(.line == $line) | .pragma' "$1.json"; }
reason() { jq -r --arg line ":$2" '.rejected[] | select(.loop | endswith($line)) | .reason' "$1.json"; }
arguments= # of the program
plan() { # plan FILE [COMPILER]: it is compiled and explored
    source=$(ls "$1".c "$1".cc 2>/dev/null)
    case $source in *.cc) by=g++ ;; *) by=gcc ;; esac
    ${2:-$by} -O2 -g -o "$1" "$source" -lm || exit 99
    "$CORECAST" explore -q --platform cortex-a53-quad --contention off --cores 4 --json --patch "$1.diff" -- "./$1" $arguments 2>"$WORK/err" >"$1.json"
}
has() { # has TEXT PART WHAT
    case $1 in *"$2"*) ok 0 "$3" ;; *) ok 1 "$3: $1" ;; esac
}
# holds FILE: what its patch makes of it says the same with 1 to 3 threads
holds() {
    mkdir -p patched && cp "$1.c" patched && "./$1" $arguments >want
    (cd patched && patch -s -p1 <"../$1.diff" && gcc -O2 -Wall -Werror -fopenmp -o "$1" "$1.c" -lm)
    ok $? "$1: the patch applies and compiles without a warning"
    is "$(for n in 1 2 3; do OMP_NUM_THREADS=$n "patched/$1" $arguments; done | sort -u)" "$(cat want)" "$1: the same result"
}

plan board
has "$(part board 33)" "parallel for schedule" "a search for each first move, on a board that is declared in the loop"
holds board
plan bits
has "$(part bits 21)" "reduction(+:total)" "a sum of what a function returns that calls itself"
holds bits
plan pairs
has "$(part pairs 38)" "private(j)" "the nearest of all pairs"
holds pairs
plan blocked
has "$(part blocked 14)" "private(i, s)" "a variable that each iteration sets, then passes to a function"
has "$(part blocked 22)" "parallel for private(i) schedule" "elements that are updated block by block are no reduction"
holds blocked
plan paths
has "$(part paths 16)" "private(j)" "shortest paths: rows behind pointers, a bound that is a variable of the file"
holds paths
plan matrix
has "$(part matrix 24)" "parallel for schedule" "a product of matrices of a template"
plan sack
if [ "$(uname -m)" = x86_64 ]; then # gcc makes two stores of the three there
    has "$(reason sack 10)" "which has no load for what line 14 reads" "a table whose rows need the row before, by three ways to two stores: unknown"
else
    has "$(part sack 10)" "parallel for schedule" "a table whose rows need the row before, by three ways to one store"
    holds sack
fi
for compiler in gcc clang; do
    plan solve $compiler
    has "$(part solve 15)" "parallel for schedule" "$compiler: the product inside a solver's steps"
done
plan each
has "$(jq -r '.rejected[] | select(.loop | startswith("stl_algo.h")) | .reason' each.json)" "which is not the program's own" "std::for_each is told to be the library's loop"
plan kept
is "$(part kept 9)" "" "what is read from before the loop is not private"
cp "$SOURCE/examples/programs/quicksort.c" .
arguments=20
plan quicksort
has "$(part quicksort 20)" "#pragma omp task: " "halves of a sort as tasks that nobody waits for in the function"
is "$(grep -c taskwait quicksort.diff)" 0 "nor does the patch"
holds quicksort
arguments=
plan steps
has "$(reason steps 23)" "fewer bits than what it is compared with" "a counter that clang counts wrong is not shared out"
has "$(reason steps 25)" "check, which it calls" "nor a loop whose function counts errors that the run did not have"
done_testing
