#!/bin/sh
# The version of this tree: as VERSION says (an unpacked tarball), else of git (the last tag v*, or that of meson.build, and how far we are from it),
# else of meson.build.   tools/version.sh [--release]: that of meson.build only
cd "$(dirname "$0")/.." || exit 1
release=$(sed -n "s/^project(.*[ ,]version: '\([^']*\)'.*/\1/p" meson.build)
[ "${1:-}" != --release ] || { echo "$release"; exit; }
if [ -s VERSION ]; then cat VERSION; exit; fi
# a repository that only happens to lie around us is not ours
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    tag=$(git describe --tags --match 'v[0-9]*' --dirty=.changed 2>/dev/null) && { echo "${tag#v}"; exit; }
    changed=; git diff-index --quiet HEAD -- 2>/dev/null || changed=.changed
    echo "$release+git$(git rev-list --count HEAD).g$(git rev-parse --short=8 HEAD)$changed"
    exit
fi
echo "$release"
