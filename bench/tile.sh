#!/bin/sh
# How long the proven optimum takes: HD and 8K, free aspect ratio, local memory from tight to unlimited.
# Usage: bench/tile.sh [CORECAST]    (user seconds; targets: HD under 1 s, 8K under 10 s, on one core)
corecast=${1:-build/corecast}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '[platform]\nname = bench\nsource = assumed\nclock_mhz = 500\ncores = 8\n[dma]\ni0 = 400\ni1 = 20\nalpha = 0.25\n' >"$dir/p.ini"
printf '%-10s %-9s %-7s %-9s %9s %12s %12s\n' image memory time fronts seconds computed space
for image in 1920x1080 7680x4320; do
    for memory in 256k 4M 64G; do
        for time in 1 20 157; do
            for fronts in no-pareto fronts; do
                flag=; [ $fronts = no-pareto ] && flag=--no-pareto
                s=$( { bash -c "TIMEFORMAT=%U; time '$corecast' tile --platform '$dir/p.ini' --image $image --kernel 5x5 \
                    --time $time --memory $memory --overhead 2000:371:1500 $flag --json >'$dir/out'"; } 2>&1)
                printf '%-10s %-9s %-7s %-9s %9s %12s %12s\n' $image $memory $time $fronts "$s" \
                    "$(jq .evaluated "$dir/out")" "$(jq .space "$dir/out")"
            done
        done
    done
done
