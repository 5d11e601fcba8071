#!/bin/sh
# The manual page of platform files lists every key of schema.def: platform-page.sh writes it, platform-page.sh --check (a test) compares.
cd "$(dirname "$0")/.." || exit 1
page=docs/man/corecast-platform.5
make_page() {
    awk -v template="$page.in" '
/^CC_KEY\(/ {
    n = split($0, q, "\"")
    section = q[2]; key = q[4]
    split(q[5], f, ", *") # "", type, min, max, NULL or ""
    fallback = n >= 9 ? q[6] : ""
    help = n >= 9 ? q[8] : q[6]
    if (!(section in text)) order[++sections] = section
    type = f[2] == "NUM" ? (f[4] > f[3] ? "number, " f[3] " to " f[4] : "number") : f[2] == "CHOICE" ? "one of " fallback : "text"
    gsub(/\|/, ", ", type)
    gsub(/\\/, "\\e", help)
    extra = fallback == "!" ? "; required" : f[2] == "CHOICE" ? "; the first is the default" : fallback != "" ? "; default " fallback : ""
    text[section] = text[section] ".It Cm " key "\n" toupper(substr(help, 1, 1)) substr(help, 2) ".\n.Pq " type extra "\n"
}
END {
    while ((getline line < template) > 0) {
        if (line != "@KEYS@") { print line; continue }
        for (i = 1; i <= sections; i++) {
            name = order[i]
            if (match(name, /@\(.*\)/)) {
                inner = substr(name, RSTART + 2, RLENGTH - 3)
                stem = substr(name, 1, RSTART - 1)
                gsub(/\|/, "], [" stem, inner)
                name = stem inner
            }
            gsub(/\.\*/, ".NAME", name)
            print ".Ss [" name "]\\&\n.Bl -tag -width Ds\n" text[order[i]] ".El"
        }
    }
}' src/platform/schema.def | tools/format-man.sh -
}
if [ "${1:-}" = --check ]; then
    echo 1..1
    if make_page | cmp -s - "$page"; then echo "ok 1 - $page has every key"; else
        echo "not ok 1 - $page has every key"
        echo "# run tools/platform-page.sh and commit the page"
        exit 1
    fi
else
    make_page >"$page.new" && mv "$page.new" "$page"
fi
