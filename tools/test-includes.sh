#!/bin/sh
# The check of includes finds what it is for, in a made-up tree with a file in every room.
tool=$(realpath "$(dirname "$0")/check-includes.sh")
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
cd "$tree" || exit 1
n=0; bad=0
report() { # report STATUS WHAT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi
}
rooms=$("$tool" | sed -n 's/^\(not \)\{0,1\}ok [0-9]* - \(.*\) includes only.*/\2/p')
for room in $rooms include src/analysis/functions engines/native; do mkdir -p "$room"; : >"$room/a.h"; done
: >engines/qemu/plugin.h
passes() { # passes FILE INCLUDE WHAT
    mkdir -p "$(dirname "$1")"; echo "$2" >"$1"
    "$tool" "$tree" >out; report $? "$3"
    rm "$1"
}
fails() { # fails FILE INCLUDE WHAT
    mkdir -p "$(dirname "$1")"; echo "$2" >"$1"
    ! "$tool" "$tree" >out && grep -qF "# $1" out; report $? "$3"
    rm "$1"
}
passes src/base/x.c '#include "a.h"' "a room sees itself"
passes src/analysis/functions/x.c '#include "../../base/a.h"' "an analysis sees the base"
passes src/analysis/functions/x.c '#include <stdio.h>' "and the system"
passes src/analysis/functions/test_x.c '#include "../../../engines/qemu/plugin.h"' "a test sees what it tests"
passes src/analysis/functions/x.c 'void f(FILE *out) { fprintf(out, "x"); }' "an analysis writes into what it is given"
passes src/analysis/functions/test_x.c 'puts("x");' "a test prints"
passes src/cli/x.c '#include "../run/a.h"' "a command runs programs"
fails src/analysis/functions/x.c '#include "../../../engines/qemu/plugin.h"' "an analysis sees no engine"
fails src/analysis/functions/x.c '#include "engines/qemu/plugin.h"' "nor from the top folder"
fails src/analysis/functions/x.c '#include <engines/qemu/plugin.h>' "nor in angle brackets"
fails src/analysis/functions/x.c '  #  include  "../../analysis/../run/a.h"' "nor what runs programs, by whatever way"
fails src/analysis/functions/x.h '#include "../../cli/a.h"' "nor the commands, in a header"
fails src/analysis/functions/x.c '    fprintf(stderr, "x");' "an analysis prints nothing"
fails src/draw/x.c '    printf("x");' "nor does a drawing"
fails src/run/x.c '#include "../analysis/functions/a.h"' "what runs programs sees no analysis"
fails src/base/x.c '#include "../platform/a.h"' "the base sees nothing"
fails src/draw/x.c '#include "../cli/a.h"' "drawings see no command"
fails sim/x.c '#include "../src/base/a.h"' "the models see nothing of src"
fails collect/x.c '#include "../src/base/a.h"' "the collector sees nothing of the base"
fails engines/qemu/x.c '#include "../valgrind/a.h"' "an engine sees no other"
fails src/base/x.c '#include "gone.h"' "a file that is not there"
fails src/attic/x.c '' "a file in no room"
rm -r sim
! "$tool" "$tree" >out 2>&1 && grep -q "^not ok .* sim " out; report $? "a room that is gone"
echo "1..$n"
exit $bad
