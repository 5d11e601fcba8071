#!/bin/sh
# Every key that a platform file may have is read by some code: one that is accepted and ignored misleads.
cd "$(dirname "$0")/.." || exit 1
n=0; bad=0
used=$(mktemp) || exit 1
trap 'rm -f "$used"' EXIT
# costs of the OpenMP runtime are read through one list of them
{
    find src engines -name '*.c' ! -name 'test_*' -exec grep -ohE 'CC_(NUM|STR)_[A-Z0-9_]+' {} + | sed 's/^CC_..._//'
    sed -n 's/^ *X(\([A-Z_]*\)).*/COST_\1/p' src/analysis/predict/model.h
} | sort -u >"$used"
for key in $(sed -n 's/^CC_KEY(\([A-Z0-9_]*\),.*/\1/p' src/platform/schema.def); do
    n=$((n + 1))
    if grep -qx "$key" "$used"; then echo "ok $n - $key is read"; else echo "not ok $n - $key is read"; bad=1; fi
done
[ $n -gt 100 ] || { n=$((n + 1)); echo "not ok $n - the keys of schema.def were found"; bad=1; }
echo "1..$n"
exit $bad
