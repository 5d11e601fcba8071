#!/bin/sh
# Breaks lines of man pages that are longer than 80 bytes between words, as mandoc -Tlint wants them. Only text that is filled anyway: no macros, no literal displays,
# no tables.   tools/format-man.sh [PAGE…]     "-": standard input
cd "$(dirname "$0")/.." || exit 1
fold() {
    LC_ALL=C awk '
    function len(s,   t) { t = s; return length(s) + 6 * gsub(/[\300-\377]/, "", t) } # mandoc counts what is not ASCII as \[u2026]
    /^\.Bd .*-(literal|unfilled)/ { literal++ }
    /^\.Ed/ { literal = 0 }
    /^\.TS/ { table = 1 }
    /^\.TE/ { table = 0 }
    literal || table || /^[.'"'"']/ || len($0) <= 80 { print; next }
    {
        n = split($0, word, " "); line = word[1]
        for (i = 2; i <= n; i++) {
            # a line that begins with what roff takes for a request has nothing, \&, in front of it
            if (len(line) + 1 + len(word[i]) > 80) { print line; line = (word[i] ~ /^[.'"'"']/ ? "\\&" : "") word[i] }
            else line = line " " word[i]
        }
        print line
    }' "$@"
}
[ "${1:-}" != - ] || { fold; exit; }
[ $# -gt 0 ] || set -- docs/man/*.[157] docs/man/*.in
for page; do
    fold "$page" >"$page.new" || exit 1
    cmp -s "$page" "$page.new" || cat "$page.new" >"$page"
    rm "$page.new"
done
