#!/bin/sh
# Run by meson dist: a tarball has no git to ask.
"$MESON_SOURCE_ROOT/tools/version.sh" >"$MESON_DIST_ROOT/VERSION"
