#!/bin/sh
# package-check: the source as `make dist` packs it becomes Debian packages in a clean root that has the build dependencies only, lintian finds neither errors nor warnings,
# and the packages do their work in another root that has their dependencies only. TAP. Needs root, mmdebstrap and a Debian mirror; takes minutes.
# usage: run.sh BUILD SOURCE [SUITE (bookworm)]     ROOTS=FOLDER keeps the roots there for the next time
set -u
build=$1 source=$2 suite=${3:-bookworm}
work=$(mktemp -d)
roots=${ROOTS:-$work}
trap 'rm -rf "$work"' EXIT
n=0 bad=0
ok() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; [ ! -s "$work/log" ] || tail -20 "$work/log" | cut -c1-300 | sed 's/^/# /'; fi; }
inside() { root=$1; shift; chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@" >"$work/log" 2>&1; }
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP needs root"; exit 0; }
command -v mmdebstrap >/dev/null || { echo "1..0 # SKIP no mmdebstrap"; exit 0; }

"$source/tools/dist.sh" "$build" "$work" >"$work/log" 2>&1; ok $? "make dist"
tarball=$(ls "$work"/corecast-*.tar.gz); name=$(basename "$tarball" .tar.gz)
build_root=$roots/build-$suite run_root=$roots/run-$suite
needs=$(sed -n '/^Build-Depends:/,/^[A-Z][^ ]*:/p' "$source/debian/control" | sed '$d' | tr ',\n' '  ' | sed 's/Build-Depends: *//; s/([^)]*)//g; s/\[[^]]*\]//g; s/| *[^ ]*//g; s/debhelper-compat/debhelper/')
[ -d "$build_root" ] || mmdebstrap --variant=buildd --include="$(echo lintian $needs | tr ' ' ',')" "$suite" "$build_root" >"$work/log" 2>&1
[ -d "$run_root" ] || mmdebstrap --variant=apt --include=gcc,libc6-dev,pkgconf "$suite" "$run_root" >"$work/log" 2>&1
ok $? "roots of $suite"

rm -rf "$build_root/src" && mkdir "$build_root/src" && tar xzf "$tarball" -C "$build_root/src"
inside "$build_root" sh -c "cd /src/$name && DEB_BUILD_OPTIONS=parallel=2 dpkg-buildpackage -us -uc"; ok $? "dpkg-buildpackage"
inside "$build_root" sh -c 'cd /src && lintian --allow-root --fail-on error,warning *.changes'; status=$?
ok $status "lintian finds neither errors nor warnings"

rm -rf "$run_root/packages" && mkdir "$run_root/packages" && cp "$build_root"/src/*.deb "$run_root/packages/"
inside "$run_root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends --reinstall --allow-downgrades /packages/corecast_*.deb /packages/corecast-dev_*.deb'; ok $? "installed with what it depends on"
cat >"$run_root/p.c" <<'END'
#include <corecast/mark.h>
static volatile int table[100];
static int sum(void) { int s = 0; for (int i = 0; i < 100; i++) s += table[i]; return s; }
int main(void) { CC_REGION_BEGIN("fill"); for (int i = 0; i < 100; i++) table[i] = i; CC_REGION_END("fill"); return sum() == 4950 ? 0 : 1; }
END
mkdir -p "$run_root/proc"; mount -t proc proc "$run_root/proc"; trap 'umount "$run_root/proc"; rm -rf --one-file-system "$work"' EXIT
inside "$run_root" corecast --version; ok $? "runs"
ok "$([ "$(cat "$work/log")" = "corecast ${name#corecast-}" ]; echo $?)" "and says which tree it is of: $(cat "$work/log")"
inside "$run_root" sh -c 'cd / && gcc -O0 -g $(pkg-config --cflags corecast) p.c -o p && corecast record -o p.cast ./p && corecast report p.cast --view comm --by region --json'; ok $? "record under Valgrind, marks by pkg-config"
ok "$(grep -q '"name": *"fill"' "$work/log"; echo $?)" "the marks are seen"
inside "$run_root" sh -c 'cd / && gcc -O0 -g p.c -o pn $(pkg-config --cflags --libs corecast-native) && corecast record --engine native -o n.cast ./pn'; ok $? "native marks by pkg-config"
if tar tzf "$tarball" | grep -q page/page_bundle.c; then inside "$run_root" sh -c 'corecast report /p.cast --html /p.html && grep -q "</html>" /p.html'; ok $? "the report page"
else n=$((n + 1)); echo "ok $n - the report page # SKIP it was not built"; fi
inside "$run_root" corecast platform show manycore; ok $? "platforms"
inside "$run_root" sh -c 'n=0; for f in /usr/share/corecast/schema/corecast.*.json; do [ -s "$f" ] && n=$((n + 1)); done; echo $n; test $n -eq '"$(ls "$source"/docs/schema/*.json | wc -l)"; ok $? "schemas"
inside "$run_root" sh -c 'for page in $(corecast --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do test -s /usr/share/man/man1/corecast-$page.1.gz || { echo "no page of $page"; exit 1; }; done'; ok $? "a manual page of each command"
inside "$run_root" corecast map /p.cast --parts 2; ok $? "map"
inside "$run_root" sh -c 'apt-get install -y -q --no-install-recommends qemu-user && cd / && corecast record --engine qemu -o q.cast ./p'; status=$?
if [ $status != 0 ] && grep -q "the plugins of corecast are for\|built without plugins" "$work/log"; then n=$((n + 1)); echo "ok $n - record under QEMU # SKIP its qemu-user loads no plugins: $(grep -o 'is QEMU [0-9.]*' "$work/log")"
else ok $status "record under QEMU"; fi
if [ "$(uname -m)" = aarch64 ]; then # several cores of firmware, whose start newer emulators tell in another way
    cp "$source"/examples/firmware/firmware.c "$source"/examples/firmware/link.ld "$source"/examples/firmware/Makefile "$run_root/"
    inside "$run_root" sh -c 'apt-get install -y -q --no-install-recommends make qemu-system-arm && cd / && make -s && for i in 1 2; do timeout 100 corecast simulate -p mips-smp -n 4 --firmware firmware-aarch64 --machine virt --trace t$i || exit; done && cmp t1 t2'; ok $? "firmware of four cores under its qemu-system, twice the same trace"
fi
inside "$run_root" sh -c 'test -s /usr/share/bash-completion/completions/corecast && test -s /usr/share/zsh/vendor-completions/_corecast && test -s /usr/share/fish/vendor_completions.d/corecast.fish'; ok $? "completions"
inside "$run_root" sh -c 'apt-get purge -y -q corecast corecast-dev && ! ls /usr/libexec/corecast /usr/share/corecast /usr/include/corecast 2>/dev/null'; ok $? "nothing is left when it is removed"
echo "1..$n"
exit $bad
