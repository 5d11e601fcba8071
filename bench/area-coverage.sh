#!/bin/sh
# How good are models and intervals on real code, whose metrics hang together? All functions of this source tree with at least
# ten operations are measured; a made-up tool chain gives them LUTs and cycles; models are fitted to 178 of them and tried on the rest.
# Usage: bench/area-coverage.sh CORECAST SOURCE-TREE [ROUNDS]
corecast=${1:-build/corecast}
source=${2:-.}
rounds=${3:-10}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
files=$(find "$source/src/analysis" "$source/src/base" "$source/src/platform" -name '*.c' ! -name 'test_*')
set -- -D_GNU_SOURCE -I/usr/include/libsmartcols -I/usr/lib/llvm-14/include '-DCC_VERSION="0"'
"$corecast" area metrics $files --csv -- "$@" 2>/dev/null >"$dir/all.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next } $at["operations"] >= 10 { $1 = "k" NR; print }' OFS=, "$dir/all.csv" >"$dir/kernels.csv"
echo "$(($(wc -l <"$dir/kernels.csv") - 1)) functions"
round=0
while [ $round -lt "$rounds" ]; do
    awk -F, -v seed=$round '
    function normal(  i, s) { for (i = 0; i < 12; i++) s += rand(); return s - 6 }
    NR == 1 { srand(seed + 1); for (i = 1; i <= NF; i++) at[$i] = i; print $0 ",lut,cycles"; next }
    { lut = (150 + 34 * $at["add_32"] + 20 * $at["compare"] + 60 * $at["loads"] + 8 * $at["live_max"]) * exp(0.15 * normal())
      cycles = exp(1 + 0.9 * log(1 + $at["weighted_operations"]) + 0.2 * normal())
      print $0 "," lut "," cycles }' "$dir/kernels.csv" >"$dir/table.csv"
    awk -v seed=$round 'NR == 1 { srand(seed + 77); print; next } { a[NR] = $0 }
        END { for (i = NR; i > NR - 178; i--) { j = 2 + int(rand() * (i - 1)); print a[j]; a[j] = a[i] } }' "$dir/table.csv" >"$dir/train.csv"
    "$corecast" area calibrate "$dir/train.csv" -o "$dir/model" --json >"$dir/report.json" 2>/dev/null
    "$corecast" area estimate $files --model "$dir/model" --csv -q -- "$@" 2>/dev/null >"$dir/estimates.csv"
    awk -F, 'FILENAME == ARGV[1] { if (FNR == 1) for (i = 1; i <= NF; i++) at[$i] = i; else { lut[$2 ":" $3] = $at["lut"]; cycles[$2 ":" $3] = $at["cycles"]; name[$2 ":" $3] = $1 } next }
        FILENAME == ARGV[2] { train[$1] = 1; next }
        FNR > 1 { k = $2 ":" $3; if (!(k in lut) || (name[k] in train)) next
            true = $4 == "lut" ? lut[k] : cycles[k]; n[$4]++; e = ($6 - true) / true; sum[$4] += e < 0 ? -e : e
            inside[$4] += true >= $7 && true <= $8; flagged[$4] += $NF ~ /extrapolated/ }
        END { for (m in n) printf "%s %d %.4f %.4f %.3f\n", m, n[m], inside[m] / n[m], sum[m] / n[m], flagged[m] / n[m] }' \
        "$dir/table.csv" "$dir/train.csv" "$dir/estimates.csv" >"$dir/round.$round"
    jq -r '.measures[] | "\(.measure) \(.terms) \(.mean_abs_error)"' "$dir/report.json" >"$dir/said.$round"
    round=$((round + 1))
done
cat "$dir"/round.* | awk '{ n[$1]++; c[$1] += $3; e[$1] += $4; f[$1] += $5 }
    END { for (m in n) printf "%-7s 90 %% intervals hold %.1f %% of unseen functions; mean |error| %.1f %%; %.1f %% flagged as extrapolated\n", m, 100 * c[m] / n[m], 100 * e[m] / n[m], 100 * f[m] / n[m] }'
cat "$dir"/said.* | awk '{ n[$1]++; t[$1] += $2; e[$1] += $3 } END { for (m in n) printf "%-7s the models have %.1f terms and say %.1f %%\n", m, t[m] / n[m], 100 * e[m] / n[m] }'
