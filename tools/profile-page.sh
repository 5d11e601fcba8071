#!/bin/sh
# docs/format/profile.md lists every fact, column and item of columns.def, each list after a line <!-- NAME -->:
# profile-page.sh writes them, profile-page.sh --check (a test) compares.
cd "$(dirname "$0")/.." || exit 1
page=docs/format/profile.md
make_page() {
    awk -v page="$page" '
function trim(s) { gsub(/^ +| +$/, "", s); return s }
function words(name,   n, w, i, out) { # `a`, `b` or `c`
    n = split(names[name], w, "|")
    for (i = 1; i <= n; i++) out = out (i == 1 ? "" : i < n ? ", " : " or ") "`" w[i] "`"
    return out
}
function kind_text(kind, of) {
    if (kind == "KEY") return "0, 1, 2, …"
    if (kind == "INDEX") return "0, 1, 2, …"
    if (kind == "ID") return "id of `" of "`"
    if (kind == "MAYBE_ID") return "id of `" of "`, or " nothing
    if (kind == "EARLIER") return "lower id, or " nothing
    if (kind == "ANY_ID") return "id"
    if (kind == "COUNT" || kind == "STATUS") return "count"
    if (kind == "MAYBE_COUNT") return "count, or NULL"
    if (kind == "NUMBER") return "32 bits"
    if (kind == "FLAG") return "0 or 1"
    if (kind == "LINE") return "line, or NULL"
    if (kind == "ADDRESS") return "64 bits"
    if (kind == "TEXT") return "text"
    if (kind == "MAYBE_TEXT") return "text, or NULL"
    if (kind == "WORD") return stream ? "32 bits" : words(of)
    return "-"
}
function line(list, name, kind, of, meaning) { rows[list] = rows[list] "| `" name "` | " kind_text(kind, of) " | " meaning " |\n" }
/^CC_[A-Z_]+\(/ {
    macro = $0; sub(/\(.*/, "", macro)
    quoted = match($0, /"[^"]*"\)$/) ? substr($0, RSTART + 1, RLENGTH - 3) : "" # the meaning is last
    split(substr($0, length(macro) + 2), f, ",")
    for (i in f) f[i] = trim(f[i])
}
macro == "CC_NAMES" { s = $0; sub(/^[^"]*"/, "", s); sub(/"\)$/, "", s); gsub(/", "/, "|", s); names[f[1]] = s }
macro == "CC_FACT" { nothing = "absent"; gsub(/"/, "", f[1]); line("facts", f[1], f[3], f[4], quoted) }
macro == "CC_TABLE" { stream = 0; rows[f[1]] = "| column | value | meaning |\n|---|---|---|\n" }
macro == "CC_COLUMN" { nothing = "NULL"; line(f[1], f[2], f[3], f[4], quoted) }
macro == "CC_STREAM" { stream = 1; at = 0; rows[f[1]] = "Stream `" f[1] "`, records `" f[2] "`: " quoted ".\n\n| bytes | field | value | meaning |\n|---|---|---|---|\n" }
macro == "CC_ITEM" {
    nothing = "4294967295"
    size = f[3] == "COUNT" || f[3] == "ADDRESS" ? 8 : 4
    if (f[3] != "PAD")
        rows[f[1]] = rows[f[1]] "| " at "-" at + size - 1 " | `" f[2] "` | " kind_text(f[3], f[4]) " | " quoted " |\n"
    at += size
}
{ macro = "" }
END {
    rows["facts"] = "| key | value | meaning |\n|---|---|---|\n" rows["facts"]
    while ((getline l < page) > 0) {
        if (skipping && l ~ /^\|/) continue
        if (skipping && l ~ /^Stream `/) { getline l < page; continue }
        skipping = 0
        print l
        if (match(l, /^<!-- [a-z_]+ -->$/)) {
            name = substr(l, 6, length(l) - 9)
            if (!(name in rows)) { print "no table " name > "/dev/stderr"; exit 1 }
            printf "%s", rows[name]
            shown[name] = skipping = 1
        }
    }
    for (name in rows) if (!(name in shown)) { print page " has no line <!-- " name " -->" > "/dev/stderr"; exit 1 }
}' src/profile/columns.def
}
if [ "${1:-}" = --check ]; then
    echo 1..1
    if make_page | cmp -s - "$page"; then echo "ok 1 - $page has every column"; else
        echo "not ok 1 - $page has every column"
        echo "# run tools/profile-page.sh and commit the page"
        exit 1
    fi
else
    make_page >"$page.new" && mv "$page.new" "$page" || { rm -f "$page.new"; exit 1; }
fi
