#!/bin/sh
# Include direction: base <- profile, platform <- analysis <- report <- cli; engines and collect know only collect.
cd "$(dirname "$0")/.." || exit 1
n=0; bad=0
check() { # check FOLDER ALLOWED-REGEX
    [ -d "$1" ] || return
    n=$((n + 1))
    found=$(grep -rnE '^#include "' --include='*.[ch]' "$1" | grep -vE ':#include "[^/"]+"' | grep -vE ":#include \"(\.\./)*($2)/" |
        grep -vE '/test_[a-z_]*\.c:')
    if [ -n "$found" ]; then bad=$((bad + 1)); echo "not ok $n - $1 includes only what it may"; echo "$found" | sed 's/^/# /'
    else echo "ok $n - $1 includes only what it may"; fi
}
check src/base 'base'
check src/platform 'base|platform'
check src/profile 'base|profile|collect'
check src/analysis 'base|platform|profile|analysis|[a-z]+'
check src/report 'base|platform|profile|analysis|report'
check src/cli 'base|platform|profile|analysis|report|cli'
check collect 'collect'
check engines 'collect|sim|include|qemu'
n=$((n + 1))
up=$(grep -rnE '^#include "(\.\./)+(report|cli)/' --include='*.[ch]' src/analysis src/platform src/profile src/base 2>/dev/null)
if [ -n "$up" ]; then echo "not ok $n - nothing looks up the layers"; echo "$up" | sed 's/^/# /'; bad=1; else echo "ok $n - nothing looks up the layers"; fi
echo "1..$n"
[ "$bad" -eq 0 ]
