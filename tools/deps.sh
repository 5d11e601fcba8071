#!/bin/sh
# Installs the Debian packages the build and the tests need, if any is missing. `tools/deps.sh -n` only lists them.
packages="meson ninja-build pkgconf gcc g++ libc6-dev valgrind libdw-dev libelf-dev libcapstone-dev libsqlite3-dev libzstd-dev
 libxxhash-dev libsmartcols-dev libhwloc-dev libscotch-dev liblapacke-dev libclang-14-dev libgraphviz-dev qemu-user
 qemu-system-arm qemu-system-misc clang clang-format jq graphviz libxml2-utils librsvg2-bin gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
 gcc-riscv64-linux-gnu libc6-dev-riscv64-cross mandoc time libclang-rt-14-dev procps"
case $(uname -m) in
aarch64) packages="$packages gcc-x86-64-linux-gnu libc6-dev-amd64-cross" ;;
x86_64) packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
esac
missing=""
for p in $packages; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "${1:-}" = "-n" ]; then echo $missing; exit 0; fi
command -v apt-get >/dev/null || { echo "corecast: please install:$missing" >&2; exit 1; }
run=""
[ "$(id -u)" = 0 ] || run=sudo
echo "installing:$missing"
$run apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive $run apt-get install -y -q --no-install-recommends $missing >/dev/null
