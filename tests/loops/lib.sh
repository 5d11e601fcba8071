# Sourced by the tests of loops, after cli/lib.sh.

# labels FILE: "line label" of each loop
labels() { awk 'match($0, /\/\* loop: [a-z]+ \*\//) { s = substr($0, RSTART + 9); sub(/ .*/, "", s); print NR, s }' "$1"; }
