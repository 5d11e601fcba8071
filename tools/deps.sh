#!/bin/sh
# Installs the Debian packages that are missing, and what the report page is bundled with.   tools/deps.sh [-n] [build|check]
#   build  what the tool needs to be built and to run (make, make demo)
#   check  also what only the tests need (make check): other compilers, cross compilers, emulators of whole machines, readers of what we write
#   -n     only list what is missing
list=""
[ "${1:-}" = -n ] && { list=1; shift; }
packages="meson ninja-build pkgconf gcc libc6-dev valgrind qemu-user libdw-dev libelf-dev libcapstone-dev libsqlite3-dev libzstd-dev libxxhash-dev
 libsmartcols-dev libscotch-dev liblapacke-dev libclang-dev libgraphviz-dev"
what=${1:-check}
# Any node and npm will do, wherever they come from.
command -v node >/dev/null || packages="$packages nodejs"
command -v npm >/dev/null || packages="$packages npm"
case $what in
build) ;;
check)
    packages="$packages g++ clang clang-format libclang-rt-dev libomp-dev patch sqlite3 qemu-system-arm qemu-system-misc gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
 gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-mipsel-linux-gnu libc6-dev-mipsel-cross jq graphviz libxml2-utils librsvg2-bin mandoc time procps fish zsh python3-jsonschema chromium"
    case $(uname -m) in
    aarch64) packages="$packages gcc-x86-64-linux-gnu libc6-dev-amd64-cross" ;;
    x86_64) packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
    esac
    ;;
*) echo "usage: tools/deps.sh [-n] [build|check]" >&2; exit 2 ;;
esac
# What the page predicts with is compiled by these; without them all else is built.
optional="clang lld wasi-libc libclang-rt-dev-wasm32"
installed=$(dpkg-query -W -f '${Status} ${Package}\n' 2>/dev/null | sed -n 's/^install ok installed //p')
missing_of() { # PACKAGE...
    for p in "$@"; do
        echo "$installed" | grep -qxF -- "$p" && continue
        case $p in # any version of these will do
        libclang*-dev) echo "$installed" | grep -qx "${p%dev}[0-9]*-dev" && continue ;;
        libclang-rt-dev-wasm32) echo "$installed" | grep -qx "libclang-rt-[0-9]*-dev-wasm32" && continue ;;
        clang) command -v clang >/dev/null && continue ;;
        esac
        printf ' %s' "$p"
    done
}
missing=$(missing_of $packages)
also=$(missing_of $optional)
if [ -n "$list" ]; then echo $missing $also; exit 0; fi
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || { echo "corecast: please install:$missing" >&2; exit 1; }
    run=""
    [ "$(id -u)" = 0 ] || run=sudo
    echo "installing:$missing"
    $run apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive $run apt-get install -y -q --no-install-recommends $missing >/dev/null || exit 1
fi
if [ -n "$also" ] && command -v apt-get >/dev/null; then
    run=""
    [ "$(id -u)" = 0 ] || run=sudo
    echo "installing:$also"
    [ -n "$missing" ] || $run apt-get update -q >/dev/null
    if DEBIAN_FRONTEND=noninteractive $run apt-get install -y -q --no-install-recommends $also >/dev/null; then
        touch "$(dirname "$0")/../page/meson.build" # an existing build folder looks again
    else
        echo "corecast: the report page does without What if, because its compiler could not be installed" >&2
    fi
fi
# Packages of the page, as page/package-lock.json has them; those of `check` are enough for `build`. Without them all else still builds.
cd "$(dirname "$0")/../page" || exit 1
want=$(cksum <package-lock.json)
have=$(cat node_modules/.corecast 2>/dev/null)
[ "$have" = "check $want" ] || [ "$have" = "$what $want" ] && exit 0
omit=--omit=dev
[ "$what" = check ] && omit=
echo "installing the packages of the report page"
if npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=0 $omit >/dev/null; then
    echo "$what $want" >node_modules/.corecast
    touch meson.build # an existing build folder looks again
else
    echo "corecast: the report page is left out, because its packages could not be installed" >&2
fi
exit 0
