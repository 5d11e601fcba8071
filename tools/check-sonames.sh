#!/bin/sh
# Libraries that are loaded when needed are asked for by the exact name of the one that was compiled for, and by no other.
cd "$(dirname "$0")/.." || exit 1
n=0; bad=0
check() { # check STATUS WHAT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi
}
for library in gvc capstone lapacke scotch clang; do
    case $library in
    clang) name=$(tools/soname.sh "$(tools/llvm-root.sh)/lib/libclang.so") ;;
    *) name=$(tools/soname.sh $library) ;;
    esac
    tr '\0' '\n' <"$CORECAST" | grep -qaxF "$name"; check $? "the tool asks for $name"
    ! tr '\0' '\n' <"$CORECAST" | grep -qaxF "lib$library.so"; check $? "and not for lib$library.so"
done
! grep -nE '"lib[a-z0-9-]*\.so' $(find src -name '*_lazy.c'); check $? "no name is written in a source"
echo "1..$n"
exit $bad
