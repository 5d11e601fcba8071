#!/bin/sh
# The tree of git's HEAD as corecast-VERSION.tar.gz, with a file VERSION that says what git said, and the report page as BUILD made it, if it did: the same bytes each time.
# tools/dist.sh BUILD [FOLDER]
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
build=$(cd "${1:-build}" 2>/dev/null && pwd -P || echo "${1:-build}")
to=$(cd "${2:-.}" && pwd -P)
cd "$source"
version=$(tools/version.sh); version=${version%.changed}
[ -d .git ] || { echo "dist: this is no clone of the repository" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive --prefix="corecast-$version/" -o "$work/a.tar" HEAD
mkdir "$work/corecast-$version"
echo "$version" >"$work/corecast-$version/VERSION"
page=$build/page/page_bundle.c
if grep -q 'cc_page_missing\[\] = ""' "$page" 2>/dev/null; then
    mkdir "$work/corecast-$version/page"
    cp "$page" "$work/corecast-$version/page/"
else
    echo "dist: without the report page, which was not built in '$build'" >&2
fi
(cd "$work" && find "corecast-$version" -type f | LC_ALL=C sort) |
    tar --append -f "$work/a.tar" -C "$work" --owner=root:0 --group=root:0 --mode=644 --mtime="@$(git log -1 --format=%ct)" -T -
gzip -9n <"$work/a.tar" >"$to/corecast-$version.tar.gz"
echo "$to/corecast-$version.tar.gz"
