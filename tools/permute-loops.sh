#!/bin/sh
# permute-loops.sh reversed|shuffled|count SOURCE.c <LOOPS.json: the source with the iterations of every loop that is called parallel or
# private (LOOPS.json: corecast report --view loops --json) in another order, if its head is one line of the form
# for (T i = A; i < B; i++) or i <= B, i += C. A program whose loops are judged rightly then prints the same.
# count: how many loops that would be. Reductions are left alone: rounding would differ.
set -eu
[ $# -eq 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
order=$1 source=$2
free=$(jq -r --arg f "$(basename "$source")" '.loops[]|select(.file != null and (.file|endswith($f)))|select(.verdict == "parallel" or (.verdict == "private" and (.clauses.lastprivate|length) == 0 and (.clauses.private|length) > 0))|.line')
awk -v order="$order" -v free="$free" '
BEGIN {
    n = split(free, list, "\n")
    for (i = 1; i <= n; i++) chosen[list[i]] = 1
    if (order != "count") {
        print "static long cc_order(long t, long n)"
        print "{"
        if (order == "reversed") print "    return n - 1 - t;"
        else {
            print "    long step = n / 2 + 1, a, b;"
            print "    for (;; step++) { for (a = step, b = n; b; ) { long r = a % b; a = b; b = r; } if (a == 1) break; }"
            print "    return (t * step + n / 3) % n;"
        }
        print "}"
        print "#line 1 \"" FILENAME "\""
    }
}
(FNR in chosen) && match($0, /for \((int |long |unsigned |size_t )?[a-z_]+ = [^;]+; [a-z_]+ <=? [^;]+; [a-z_]+(\+\+| \+= [0-9]+)\)/) {
    head = substr($0, RSTART, RLENGTH); before = substr($0, 1, RSTART - 1); after = substr($0, RSTART + RLENGTH)
    s = head; sub(/^for \(/, "", s); sub(/\)$/, "", s)
    split(s, part, /; /)
    type = ""; if (match(part[1], /^(int|long|unsigned|size_t) /)) { type = substr(part[1], 1, RLENGTH - 1); part[1] = substr(part[1], RLENGTH + 1) }
    name = part[1]; sub(/ = .*/, "", name); low = part[1]; sub(/^[^=]*= /, "", low)
    high = part[2]; inclusive = high ~ /<=/; sub(/^[a-z_]+ <=? /, "", high)
    by = 1; if (part[3] ~ /\+=/) { by = part[3]; sub(/.*\+= /, "", by) }
    if (high !~ /&&|\|\|/) {
        count++
        if (order != "count") {
            trips = "((long)(" high ") - (long)(" low ") + " (inclusive ? by : by - 1) ") / " by
            t = "cc_t" FNR; m = "cc_n" FNR
            declare = type == "" ? "" : ", " name "_"
            value = "(" low ") + cc_order(" t ", " m ") * " by
            if (type == "")
                $0 = before "for (long " t " = 0, " m " = " trips "; " t " < " m " && (" name " = " value ", 1); " t "++)" after
            else
                $0 = before "for (long " t " = 0, " m " = " trips ", " name " = 0; " t " < " m " && (" name " = " value ", 1); " t "++)" after
        }
    }
}
order != "count"
END { if (order == "count") print count + 0 }' "$source"
