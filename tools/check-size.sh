#!/bin/sh
# Files end at 800 lines, functions at 60 lines and 7 parameters; no file and no page is empty. Reads what clang-format leaves: a body begins and ends with a brace in
# the first column.   tools/check-size.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 1
find src collect trace sim engines include tests bench tools docs ./*.md -name '*.[ch]' -o -name '*.inc' -o -name '*.def' -o -name '*.sh' -o -name '*.md' 2>/dev/null | sort | awk '
function parameters(head,   i, c, depth, commas, text) { # of the last group of parentheses
    depth = 0; commas = 0; text = ""
    for (i = length(head); i > 0; i--) {
        c = substr(head, i, 1)
        if (c == ")") depth++
        if (depth == 1 && c == ",") commas++
        if (depth > 0) text = c text
        if (c == "(" && --depth == 0) break
    }
    return text ~ /^\([ \t]*(void)?[ \t]*\)$/ ? 0 : commas + 1
}
function named(head) {
    sub(/\(.*/, "", head); sub(/.*[ *]/, "", head)
    return head
}
function check(file,   line, n, head, start, in_body, name, count) {
    n = 0; head = ""; in_body = 0
    while ((getline line < file) > 0) {
        n++
        if (file !~ /\.[ch]$/) continue
        if (in_body) {
            if (line !~ /^}/) continue
            functions++
            if (n - start + 1 > 60) long = long "# " file ":" start ": " name " has " n - start + 1 " lines\n"
            in_body = 0; head = ""
        } else if (line == "{") {
            if (head !~ /\)[ \t]*$/) continue
            name = named(head); in_body = 1
            count = parameters(head)
            # signatures that others prescribe: QEMU and libdwfl their callbacks, libclang what is passed on to it
            if (count > 7 && file !~ /_lazy\.c$/ && !(file ~ /^engines\// && name == "on_syscall") && name != "cc_find_debuginfo" && name !~ /^GOMP_/) wide = wide "# " file ":" start ": " name " has " count " parameters\n"
        } else if (line ~ /^[ \t]*$|^[#}]|;[ \t]*$|^[ \t]*\/?\*|^[ \t]*\/\// || head == "") {
            head = line ~ /^[A-Za-z_]/ ? line : ""
            start = n
        } else head = head " " line
    }
    close(file)
    if (n == 0) empty = empty "# " file "\n"
    if (n > 800 && file !~ /\.md$/) large = large "# " file " has " n " lines\n"
}
{ check($0) }
END {
    printf "%sok 1 - no file has more than 800 lines\n%s", large == "" ? "" : "not ", large
    printf "%sok 2 - no function has more than 60 lines\n%s", long == "" ? "" : "not ", long
    printf "%sok 3 - no function has more than 7 parameters\n%s", wide == "" ? "" : "not ", wide
    printf "%sok 4 - no file is empty\n%s", empty == "" ? "" : "not ", empty
    printf "%sok 5 - %d functions were found\n1..5\n", functions ? "" : "not ", functions
    exit large != "" || long != "" || wide != "" || empty != "" || !functions
}'
