# Sourced by the tests of loops, after cli/lib.sh.

# labels FILE: "line label" of each loop; "line:column label" where the label says the column, of several loops in a line
labels() {
    awk '{ for (s = $0; match(s, /\/\* loop:[0-9]* [a-z]+ \*\//); s = substr(s, RSTART + RLENGTH)) {
        split(substr(s, RSTART + 8, RLENGTH - 11), of, " ")
        print of[2] ? NR ":" of[1] : NR, of[2] ? of[2] : of[1] } }' "$1"
}
