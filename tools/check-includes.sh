#!/bin/sh
# Who may include whom, by the file an include really names. One line a room:  room: the rooms it may look into.
# A room sees itself; tests may look at whatever they test. And nobody below the command line prints: results are returned.   tools/check-includes.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 1
rules='
src/base:
src/isa: src/base
src/binary: src/base src/isa collect/loop_record.h
src/platform: src/base sim/sim.h
trace: src/base
src/profile: src/base src/isa src/binary src/platform trace collect engines/native/trace.h
src/run: src/base src/isa src/binary src/platform trace src/profile collect/options.h collect/options.def collect/loop_record.h sim/shared.h sim/sim.h engines/native/trace.h
src/analysis: src/base src/isa src/binary src/platform trace src/profile sim/sim.h
src/analysis/loops/flow: src/base src/profile
src/analysis/loops/source: src/base src/analysis/metrics
src/draw: src/base src/isa src/binary src/platform trace src/profile src/analysis
src/cli: src/base src/isa src/binary src/platform trace src/profile src/run src/analysis src/draw
collect: src/isa
sim: trace
engines/valgrind: collect src/isa
engines/qemu: collect src/isa
engines/native: include
engines/simulate: sim trace src/isa include collect/alloc.h engines/qemu/plugin.h engines/qemu/decode.h engines/qemu/registers.h
engines/characterize:
engines/openmp:
'
files=$(find src collect trace sim engines include -name '*.[ch]' -o -name '*.inc' -o -name '*.def' | sort)
printing=$(find src/analysis src/draw src/profile src/platform src/isa src/binary -name '*.[ch]' ! -name 'test_*' -exec grep -nE '\<(stderr|stdout)\>|(^|[^a-z_])(printf|puts|putchar|perror)\(' {} + 2>/dev/null)
export printing
printf '%s\n' "$rules" "$files" | awk '
function normal(path,   n, part, i, out, top) { # without . and ..
    n = split(path, part, "/"); top = 0
    for (i = 1; i <= n; i++) {
        if (part[i] == "." || part[i] == "") continue
        if (part[i] == ".." && top > 0) { top--; continue }
        out[++top] = part[i]
    }
    path = out[1]
    for (i = 2; i <= top; i++) path = path "/" out[i]
    return path
}
function room_of(path,   r, best) {
    best = ""
    for (r in allowed) if (index(path, r "/") == 1 && length(r) > length(best)) best = r
    return best
}
function may(room, target,   n, w, i) {
    if (index(target, room "/") == 1) return 1
    n = split(allowed[room], w, " ")
    for (i = 1; i <= n; i++) if (target == w[i] || index(target, w[i] "/") == 1) return 1
    return 0
}
function check(file, line,   name, here, target, room, ours) {
    ours = match(line, /"[^"]+"/)
    if (!ours) match(line, /<[^>]+>/)
    name = substr(line, RSTART + 1, RLENGTH - 2)
    here = file; sub(/[^\/]*$/, "", here)
    target = normal(here name)
    # the compiler also looks into the top folder, for both kinds of brackets
    if (!ours || !(target in exists)) target = normal(name)
    if (!(target in exists)) target = normal("src/" name)
    if (name ~ /^(pub_tool|libvex)_/) return # of Valgrind
    if (!ours && !(target in exists)) return # of the system
    if (!(target in exists)) { wrong[room_of(file)] = wrong[room_of(file)] "# " file " includes " name ", which is no file of ours\n"; return }
    room = room_of(file)
    if (!may(room, target)) wrong[room] = wrong[room] "# " file " includes " target "\n"
}
/^[a-z\/]+:/ { room = $1; sub(/:$/, "", room); order[++rooms] = room; allowed[room] = substr($0, length(room) + 3); next }
NF { exists[$1] = 1; list[++n] = $1 }
END {
    for (i = 1; i <= n; i++) {
        file = list[i]
        if (file ~ /\/test_[a-z_0-9]*\.[ch]$/) continue
        room = room_of(file)
        if (room == "" && file !~ /^include\//) { homeless = homeless "# " file "\n"; continue }
        seen[room] = 1
        while ((getline line < file) > 0) if (line ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) check(file, line)
        close(file)
    }
    for (i = 1; i <= rooms; i++) {
        room = order[i]
        failed = room in wrong || !(room in seen) # first: naming wrong[room] makes it
        printf "%sok %d - %s includes only what it may\n%s", failed ? "not " : "", i, room, wrong[room]
        if (!(room in seen)) print "# there is no such room"
        if (failed) bad = 1
    }
    printf "%sok %d - every file is in a room\n%s", homeless == "" ? "" : "not ", ++rooms, homeless
    printing = ENVIRON["printing"]
    gsub(/\n/, "\n# ", printing)
    printf "%sok %d - no analysis prints\n%s", printing == "" ? "" : "not ", ++rooms, printing == "" ? "" : "# " printing "\n"
    print "1.." rooms
    exit bad || homeless != "" || printing != ""
}'
