#!/bin/sh
# Every command has a page, every long option of -h is in it, and it names no option that -h does not know; likewise the views of report.
cd "$(dirname "$0")/.." || exit 1
n=0; bad=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for command in $("$CORECAST" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    n=$((n + 1))
    page=docs/man/corecast-$command.1
    if [ ! -f "$page" ]; then echo "not ok $n - $command has a page"; bad=1; continue; fi
    if ! sed -n '/^\.Sh NAME/,/^\.Nd/p' "$page" | grep -qx "\.Nm corecast-$command"; then echo "not ok $n - $command: apropos finds it, '.Nm corecast-$command' under NAME"; bad=1; continue; fi
    "$CORECAST" "$command" -h | grep -oE '(^| )--[a-z][a-z0-9-]+' | tr -d ' ' | sort -u >"$work/help"
    sed 's/\\-/-/g' "$page" docs/man/common-options.inc | grep -oE '(^|[^a-z-])--[a-z][a-z0-9-]+' | grep -oE -- '--[a-z][a-z0-9-]+' | sort -u >"$work/page"
    missing=$(comm -3 "$work/help" "$work/page")
    if [ -n "$missing" ]; then echo "not ok $n - $command: -h and its page agree"; echo "$missing" | sed 's/^/# only in one: /'; bad=1
    else echo "ok $n - $command: -h and its page agree"; fi
done
# The views of -h and those of the page.
n=$((n + 1))
"$CORECAST" report -h | sed -n '/^Values of --view:/,$s/^  \([a-z]*\) .*/\1/p' | sort >"$work/help"
sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' docs/man/corecast-report.1 | sort >"$work/page"
missing=$(comm -3 "$work/help" "$work/page")
if [ -n "$missing" ] || [ ! -s "$work/help" ]; then
    echo "not ok $n - every view of report has its entry in the page"; echo "$missing" | sed 's/^/# only in one: /'; bad=1
else echo "ok $n - every view of report has its entry in the page"; fi
# What mandoc says of each page, but for pages that are not installed here.
if command -v mandoc >/dev/null; then
    mkdir -p "$work/man/man1" "$work/man/man5" "$work/man/man7"
    for page in docs/man/*.[157]; do ln -s "$PWD/$page" "$work/man/man${page##*.}/"; done
    for page in docs/man/*.[157]; do
        n=$((n + 1))
        said=$(MANPATH=$work/man mandoc -Tlint "$page" 2>&1 | grep -vE 'outdated mandoc.db|referenced manual not found: Xr ' | sed 's/^mandoc: //')
        if [ -z "$said" ]; then echo "ok $n - $page: mandoc -Tlint is silent"; else echo "not ok $n - $page: mandoc -Tlint is silent"; echo "$said" | head -5 | sed 's/^/# /'; echo "# tools/format-man.sh breaks long lines"; bad=1; fi
    done
fi
echo "1..$n"
exit $bad
