#!/bin/sh
# Running a program has one home, and so has finding our own files.   tools/check-run.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 1
failed=0
only() { # only N FILE PATTERN WHAT: no other file of src/ holds the pattern; this one does
    found=$(grep -rnE "$3" src --include='*.[ch]' | grep -vE "^$2:|/test_[a-z_0-9]*\.c:")
    if [ -z "$found" ] && grep -qE "$3" "$2"; then echo "ok $1 - $4"; else
        echo "not ok $1 - $4"
        printf '%s\n' "$found" | sed 's/^/# /'
        failed=1
    fi
}
echo 1..2
only 1 src/run/child.c '\b(fork|vfork|execl[ep]?|execv[ep]?|execvpe|execveat|posix_spawnp?|popen|system|waitpid|waitid)\(' "only run/child.c starts and awaits processes"
only 2 src/base/where.c '"/proc/self/exe"|getenv\("PATH"\)' "only base/where.c looks for our own files and in PATH"
exit $failed
