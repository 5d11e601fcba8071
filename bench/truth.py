#!/usr/bin/env python3
"""How well predictions meet simulated machines, where nothing is noise: the programs of bench/truth, recorded once as serial programs with --locality, predicted for
three platforms, and run there as OpenMP programs by `corecast simulate`. What counts is the time of the kernel. Prints a table (Markdown) and how often the
stated intervals held the simulated time.

The compiler makes other code of a loop that it moves into a function for threads. So each program is recorded twice, both times sequentially: as it is, and
compiled with -fopenmp against bench/truth/sequential.c, which runs that code and none of a runtime. Marks count for the compiler when it decides what to put into which function:
explicit tasks have none there, and are told to the recorder by the functions that the compiler made of them. The table's times on n processors are predicted from the
second, its sequential times from the first; the last lines also say what it is from the first alone.

Where code and data come to lie is a matter of chance that no prediction knows, and some programs depend on it: which thread is first at a lock, which lines
meet in a set (a program's own data lies at one place of caches and banks in all of them: truth.h). So each OpenMP program, and the one that measures the runtime, is linked in LAYOUTS (3) layouts, a program whose times then lie more than a tenth apart in MOST (9);
the middle counts, and how far they lie apart stands in parentheses, where it is 2 % or more. Programs run in an environment of their own: the size of the caller's moves stacks, and `lists` on 16 of manycore took 0.77 or 1.14 ms by that.

bench/truth.py [PROGRAM…]     environment: BUILD, KEEP=FOLDER (files stay there, and what is there already is not made again), PLATFORMS=NAME:CORES,CORES…, LAYOUTS, MOST, COSTS (layouts of what measures the runtime: LAYOUTS), JOBS
(one for each CPU), GUEST_CC (a cross compiler makes programs of its instruction set, which qemu runs), QUICK=1 (a look: one program in three, one layout)"""
import bisect
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORECAST = os.environ.get("CORECAST") or os.path.join(os.environ.get("BUILD") or os.path.join(SOURCE, "build"), "corecast")
PROGRAMS = {  # scenario: source, class
    "random": ("random", "compute"),
    "fractal": ("fractal", "compute, uneven"),
    "bodies": ("bodies", "floating point"),
    "product": ("product", "cache"),
    "transpose": ("transpose", "strides"),
    "heat": ("heat", "shared cache"),
    "triad": ("triad", "bandwidth"),
    "sparse": ("sparse", "gathers"),
    "paths": ("paths", "fine regions"),
    "lu": ("lu", "fine regions, shrinking"),
    "dot": ("dot", "reduction"),
    "count": ("count", "critical section"),
    "queens": ("queens", "tasks"),
    "triangle-static": ("triangle", "imbalanced"),
    "triangle-dynamic": ("triangle", "imbalanced"),
    "triangle-guided": ("triangle", "imbalanced"),
}
HELD_OUT = {  # no constant was fitted to these, but what they showed is in the model
    "chase": ("chase", "dependent loads"),
    "scatter": ("scatter", "scattered stores"),
    "align": ("align", "wave front"),
    "sort": ("sort", "recursive tasks"),
    "blur": ("blur", "bytes, cyclic rows"),
    "parts": ("parts", "sections"),
    "levels": ("levels", "graph, guided"),
    "pack": ("pack", "ordered"),
    "histo": ("histo", "atomics"),
    "tally": ("tally", "false sharing"),
    "means": ("means", "false sharing, regular"),
    "relax": ("relax", "phases of a region"),
    "tiles": ("tiles", "tasks that depend"),
    "fib": ("fib", "fine tasks, deep"),
    "rows": ("rows", "taskloop"),
    "wave": ("wave", "butterflies"),
    "words": ("words", "many fetches"),
    "lists": ("lists", "a task for each node"),
    "bank": ("bank", "a wanted lock"),
    "bins": ("bins", "array reduction, nowait"),
    "conv": ("conv", "two loops as one"),
    "scan": ("scan", "passes with a single"),
    "stages": ("stages", "pipeline of tasks"),
    "hash": ("hash", "atomic capture, guided"),
    "primes": ("primes", "compute, divisions"),
    "gram": ("gram", "cache, triangular"),
    "life": ("life", "shared cache, branches"),
    "drift": ("drift", "bandwidth, guided"),
    "swaps": ("swaps", "fine regions, exchanges"),
    "area": ("area", "tasks, uneven"),
}
STRANGERS = {  # written when the model had been made; nothing in it was found with these
    "rank": ("rank", "sparse, uneven rows"),
    "groups": ("groups", "own sums, critical"),
    "plate": ("plate", "steps, greatest change"),
    "letters": ("letters", "copies, then columns"),
    "prefix": ("prefix", "sums in blocks"),
    "quick": ("quick", "tasks of uneven parts"),
    "spread": ("spread", "graph, lists, atomics"),
    "solve": ("solve", "triangular, dynamic"),
    "close": ("close", "counters in one line"),
    "apart": ("apart", "counters a line apart"),
    "frames": ("frames", "slots of a pipeline"),
    "horner": ("horner", "compute, chunks"),
    "lookup": ("lookup", "searches, guided"),
    "bricks": ("bricks", "exchanges, barriers"),
    "knap": ("knap", "table, row by row"),
    "karat": ("karat", "recursive tasks, stacks"),
    "sieve": ("sieve", "segments, dynamic"),
    "finds": ("finds", "guided, a shared list"),
    "median": ("median", "tiles, branches"),
    "cells": ("cells", "atomics, phases"),
    "logs": ("logs", "ordered, dynamic"),
    "chain": ("chain", "diagonals, dynamic"),
    "nearest": ("nearest", "least of all"),
    "sums": ("sums", "task groups, recursion"),
    "steps": ("steps", "two loops, a barrier"),
    "ring": ("ring", "uneven cells, regions"),
    "blocks": ("blocks", "rows of blocks, taskwaits"),
    "braid": ("braid", "tasks that depend, ring"),
    "decay": ("decay", "loops, single, barriers"),
    "fan": ("fan", "tasks, one to four to one"),
    "market": ("market", "two locks"),
    "quarters": ("quarters", "uneven sections, steps"),
    "diag": ("diag", "uneven chains, triangle"),
    "quads": ("quads", "recursive tasks of four"),
    "columns": ("columns", "bandwidth, strides"),
    "votes": ("votes", "array reduction, counters"),
    "assembly": ("assembly", "pipeline, two loops as one"),
    "ledger": ("ledger", "two named locks, atomics"),
    "trellis": ("trellis", "tasks behind three others"),
    "film": ("film", "pipeline of five stages"),
    "desk": ("desk", "three locks, atomics"),
    "mixer": ("mixer", "sections without waiting, a loop"),
    "tower": ("tower", "tasks that make chains of tasks"),
    "turns": ("turns", "ordered, dynamic"),
    "vectors": ("vectors", "reductions of a struct and an array"),
    "skewed": ("skewed", "guided, the first work longest"),
    "bites": ("bites", "two taskloops"),
    "heads": ("heads", "ordered first"),
    "crumbs": ("crumbs", "fetches of short chunks"),
    "cup": ("cup", "recursive tasks after long work"),
    "desks": ("desks", "a few tasks, own work, a wait"),
    "gates": ("gates", "false sharing of records"),
    "caves": ("caves", "uneven tree of tasks"),
    "strata": ("strata", "tasks behind two others, rows with a lock"),
    "clades": ("clades", "uneven tree of task groups"),
    "nests": ("nests", "regions in a region, long"),
    "knots": ("knots", "regions in a region, short"),
    "twins": ("twins", "regions in sections"),
    "tides": ("tides", "barriers, uneven rows"),
    "rays": ("rays", "roots, guided"),
    "merges": ("merges", "regions, fewer at each"),
    "tints": ("tints", "graph, dynamic, reduction"),
    "gathered": ("gathered", "atomics of floats"),
    "factor": ("factor", "tasks of tiles that depend"),
    "digits": ("digits", "own counts, single, moves"),
    "crossing": ("crossing", "nowait, a lock, a barrier"),
    "bloom": ("bloom", "hashes, dynamic"),
    "boughs": ("boughs", "recursive tasks below a trunk"),
    "belts": ("belts", "ordered, chunks of one"),
    "poles": ("poles", "series, cyclic"),
    "heaps": ("heaps", "lists, critical"),
    "inlets": ("inlets", "regions in a region, dynamic"),
    "reels": ("reels", "ordered, short"),
    "casts": ("casts", "ordered, dynamic chunks of two"),
    "front": ("front", "graph by levels, atomics"),
    "tills": ("tills", "two locks of unlike length, guided"),
    "deal": ("deal", "single with copyprivate, loops"),
    "crews": ("crews", "taskloops one after the other"),
    "lots": ("lots", "sections without waiting, a struct's sum"),
    "ferns": ("ferns", "recursive tasks, one half each"),
    "mails": ("mails", "uneven tasks of one maker"),
    "links": ("links", "tasks behind two others, a grid"),
    "cones": ("cones", "regions in a region, reductions"),
    "wells": ("wells", "guided, reduction, critical"),
    "canopy": ("canopy", "recursive tasks, final ones"),
    "docks": ("docks", "uneven sections, a lock"),
    "hops": ("hops", "graph, own queues, a lock"),
    "ovens": ("ovens", "makers and users, tasks that depend"),
    "vees": ("vees", "multigrid, loops that shrink"),
    "sifts": ("sifts", "own buffers, emptied under a lock"),
    "pivots": ("pivots", "a lock, a barrier, a single, loops that shrink"),
    "pairs": ("pairs", "tables on the stack, uneven"),
    "isles": ("isles", "rounds until nothing changes"),
    "swarm": ("swarm", "walks down a tree, guided"),
    "bests": ("bests", "own best ones, critical"),
    "traits": ("traits", "own slots as needed, critical"),
    "purses": ("purses", "variables of the opener, critical"),
}
PROGRAMS.update(HELD_OUT)
PROGRAMS.update(STRANGERS)
QUICK = bool(os.environ.get("QUICK"))
LAYOUTS = int(os.environ.get("LAYOUTS") or (1 if QUICK else 3))
COSTS = int(os.environ.get("COSTS") or LAYOUTS)
MOST = max(LAYOUTS, int(os.environ.get("MOST") or (1 if QUICK else 9)))
APART = 0.1
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
JOBS = int(os.environ.get("JOBS") or len(os.sched_getaffinity(0)))
CC = os.environ.get("GUEST_CC") or "gcc"
# Tasks are told by their functions, without marks in the compiler's way, where Valgrind records: QEMU's engine loses count of a function that goes on by a jump into another
# one whose caller is itself (sort)
FUNCTIONS = not os.environ.get("GUEST_CC")
COMPILE = [CC, "-O2", "-w", "-c", f"-I{SOURCE}/include"]
PLATFORMS = {"cortex-a53-quad": [1, 2, 4], "mips-smp": [1, 2, 4], "manycore": [1, 2, 4, 8, 16]}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done


def schedule_of(scenario):
    text = open(f"{SOURCE}/bench/truth/{scenario}.omp", encoding="utf-8").read()
    found = re.search(r"schedule\([^)]*\)", text)
    return found.group(0) if found else "schedule(static)"


def build(command):
    """Unless what it makes is there."""
    if not os.path.exists(command[command.index("-o") + 1]):
        run(command)


def compile_all(pool, work, names):
    build([CC, "-O2", "-g", "-c", f"{SOURCE}/bench/truth/sequential.c", "-o", f"{work}/sequential.o"])
    for k in range(1, max(MOST, COSTS)):
        build([CC, "-c", f'-DLAYOUT="{k}"', f"{SOURCE}/bench/truth/layout.c", "-o", f"{work}/layout{k}.o"])
    list(pool.map(lambda scenario: compile_one(work, scenario), names))
    build(COMPILE + ["-fopenmp", "-DBENCH_SYSTEM_CLOCK", "-include", f"{SOURCE}/bench/truth/line.h", f"{SOURCE}/engines/characterize/openmp.c", "-o", f"{work}/openmp.o"])
    for k in range(COSTS):
        link(work, f"{work}/openmp", k)


def compile_one(work, scenario):
    source = f"{SOURCE}/bench/truth/{PROGRAMS[scenario][0] if scenario in PROGRAMS else scenario}.c"
    command = COMPILE + (["-DSCHEDULE=" + schedule_of(scenario)] if scenario in PROGRAMS else []) + [source]
    build(command + ["-o", f"{work}/{scenario}-serial.o"])
    build(command + ["-fopenmp", "-o", f"{work}/{scenario}-marked.o"])
    build(command + ["-fopenmp"] + ["-DTRUTH_FUNCTIONS"] * FUNCTIONS + ["-o", f"{work}/{scenario}-one.o"])
    build(command + ["-fopenmp", "-DCORECAST_OFF", "-o", f"{work}/{scenario}-omp.o"])
    build([CC, "-static", f"{work}/{scenario}-serial.o", "-o", f"{work}/{scenario}", "-lm"])
    for kind in "marked", "one":
        build([CC, "-static", f"{work}/{scenario}-{kind}.o", f"{work}/sequential.o", "-o", f"{work}/{scenario}-{kind}", "-lm"])
    for k in range(LAYOUTS):
        link(work, f"{work}/{scenario}-omp", k)


def link(work, program, k):
    """What the program calls in the libraries shares lines of a small cache with it, or does not: in front alone, both would move by the same."""
    room = [f"{work}/layout{k}.o"] if k else []
    build([CC, "-static", "-fopenmp"] + room + [program + ".o"] + room + ["-o", program + layout(k), "-lm"])


def layout(k):
    return f".{k}" if k else ""


def simulate(work, platform, cores, command, keep):
    """Standard output and error of the program."""
    if not os.path.exists(keep):
        environment = dict(ENVIRONMENT, OMP_NUM_THREADS=str(cores), OMP_PROC_BIND="true")
        done = run([CORECAST, "simulate", "-q", "--platform", platform, "--cores", str(cores), "-o", keep + ".sim", "--"] + command, env=environment)
        with open(keep, "w", encoding="utf-8") as f:
            f.write(done.stdout + done.stderr)
    return open(keep, encoding="utf-8").read()


def simulate_layouts(work, platform, scenario, cores):
    """How long the kernel of the OpenMP program takes, in ns, in all its layouts."""
    times = []
    for k in range(MOST):
        if k >= LAYOUTS and max(times) / min(times) - 1 <= APART:
            break
        if k >= LAYOUTS:
            link(work, f"{work}/{scenario}-omp", k)
        times.append(kernel(simulate(work, platform, cores, [f"{work}/{scenario}-omp{layout(k)}"], f"{work}/{platform}-{scenario}-{cores}{layout(k)}")))
    return times


def costs_of(texts):
    """The lines of the first layout that tell a cost, each with its values in all layouts."""
    found = []
    for text in texts:
        words = [line.split() for line in text.splitlines()]
        found.append({tuple(w[:3] if w[0] == "value" else w[:4]): w for w in words if w[:1] in (["value"], ["point"])})
    return [(word, [float(f[key][len(key)]) for f in found if key in f]) for key, word in found[0].items()]


def first_regions(work, platform, cores, k):
    """A process has a first region once only: those of each number of threads in a process of their own."""
    return "".join(simulate(work, platform, n, [f"{work}/openmp{layout(k)}", "first"], f"{work}/{platform}-{n}.first{layout(k)}") for n in cores)


def runtime_costs(work, platform, cores):
    """The platform with what its OpenMP runtime costs when the simulator runs it."""
    path = f"{work}/{platform}.ini"
    texts = [first_regions(work, platform, cores, k) + simulate(work, platform, max(cores), [f"{work}/openmp{layout(k)}", "0.0005"], f"{work}/{platform}.bench{layout(k)}")
             for k in range(COSTS)]
    keep, skipping = [], False
    for line in open(f"{SOURCE}/platforms/{platform}.ini", encoding="utf-8"):
        if line.startswith("["):
            skipping = line.startswith("[openmp")
        if not skipping:
            keep.append(line)
    curves = {}
    sections = {"openmp": ["source = measured on the simulated machine", "unit = ns"]}
    for word, values in costs_of(texts):
        middle = statistics.median(values)
        if word[0] == "value":
            spread = max(float(word[4]), (max(values) - min(values)) / 2)
            sections.setdefault(word[1], ["source = measured on the simulated machine"]).append(f"{word[2]} = {middle:g} ± {spread:g}")
        else:
            curves.setdefault((word[1], word[2]), []).append(f"{word[3]}:{middle:g}")
    for (section, key), points in curves.items():
        sections[section].append(f"{key} = {', '.join(points)}")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(keep)
        for name, lines in sections.items():
            f.write(f"\n[{name}]\n" + "\n".join(lines) + "\n")
    return path


def predict(work, scenario, platform, cores, recording=""):
    text = run([CORECAST, "predict", "-q", f"{work}/{scenario}{recording}.cast", "--platform", platform, "--scenario", f"{SOURCE}/bench/truth/{scenario}.omp", "--cores",
                ",".join(map(str, cores)), "--json", "--force"]).stdout
    return json.loads(text)["scenarios"][0]


def directives(scenario):
    path = f"{SOURCE}/bench/truth/{scenario}.omp"
    return re.findall(r"^(\S+) = #pragma omp (\w+)", open(path, encoding="utf-8").read(), re.M) if os.path.exists(path) else []


def functions(work, scenario):
    """--region NAME=FUNCTION for the tasks that the recorded program has no marks of: the program with marks tells in which function each is."""
    waits = {name for name, kind in directives(scenario) if kind == "taskwait"} - {name for name, kind in directives(scenario) if kind == "task"}
    found = {(name, "GOMP_taskwait") for name in waits}
    tasks = {name for name, kind in directives(scenario) if kind == "task"}
    if not tasks:
        return []
    starts = sorted((int(w[0], 16), w[2]) for w in map(str.split, run(["nm", f"{work}/{scenario}-marked"]).stdout.splitlines()) if len(w) == 3 and w[1] in "tT")
    notes = re.findall(r"Name: task_begin\s+Location: (0x\w+).*\s+Arguments: (\S+) @", run(["readelf", "-n", f"{work}/{scenario}-marked"]).stdout)
    for place, name in notes:
        if name in tasks:
            found.add((name, starts[bisect.bisect(starts, (int(place, 16), "~")) - 1][1]))
    return [word for name, function in sorted(found) for word in ("--region", f"{name}={function}")]


def record(work, scenario, recording):
    path = f"{work}/{scenario}{recording}.cast"
    if not os.path.exists(path):
        regions = functions(work, scenario) if recording and FUNCTIONS else []
        run([CORECAST, "record", "-q", "--locality"] + regions + ["-o", path, "--", f"{work}/{scenario}{recording}"], env=ENVIRONMENT)


def kernel(text):
    return float(re.search(r"kernel (\d+)", text).group(1))


def summary(title, points):
    if not points:
        return
    errors = [abs(p[0]) for p in points]
    worst = max(points, key=lambda p: abs(p[0]))
    print(f"{title}: {len(points)} points, {len({p[4] for p in points})} programs: mean error {100 * sum(errors) / len(errors):.1f} %, "
          f"worst {100 * abs(worst[0]):.1f} % ({worst[4]} on {worst[1]} of {worst[3]}), {sum(e > 0.15 for e in errors)} above 15 %, "
          f"{sum(e > max(0.15, p[5]) for e, p in zip(errors, points))} of them beyond the layouts' own spread (mean {100 * sum(p[5] for p in points) / len(points):.1f} %); "
          f"stated intervals hold {100 * sum(p[2] for p in points) / len(points):.0f} %")


def main():
    work = os.environ.get("KEEP") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    names = sys.argv[1:] or list(PROGRAMS)[:: 3 if QUICK else 1]
    platforms = PLATFORMS
    if os.environ.get("PLATFORMS"):
        platforms = {p.split(":")[0]: [int(c) for c in p.split(":")[1].split(",")] for p in os.environ["PLATFORMS"].split()}
    points = {"": [], "-one": []}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        compile_all(pool, work, names + ["empty"])
        jobs = {}
        for platform, cores in platforms.items():
            jobs[platform, "ini"] = pool.submit(runtime_costs, work, platform, sorted(cores))
        recordings = [pool.submit(record, work, scenario, r) for scenario in names + ["empty"] for r in points]
        for platform, cores in platforms.items():
            for scenario in names + ["empty"]:
                jobs[platform, scenario, 0] = pool.submit(simulate, work, platform, 1, [f"{work}/{scenario}"], f"{work}/{platform}-{scenario}-0")
                for n in cores if scenario in PROGRAMS else []:
                    jobs[platform, scenario, n] = pool.submit(simulate_layouts, work, platform, scenario, n)
        for job in recordings:
            job.result()
        predictions = {(platform, scenario, r): pool.submit(predict, work, scenario, jobs[platform, "ini"].result(), cores, r)
                       for platform, cores in platforms.items() for scenario in names for r in points}
        for platform, cores in platforms.items():
            ini = jobs[platform, "ini"].result()
            clock = float(re.search(r"clock_mhz = (\d+)", open(ini, encoding="utf-8").read()).group(1)) / 1000
            start = {r: predict(work, "empty", ini, [1], r)["sequential_time"] for r in points}
            reading = kernel(jobs[platform, "empty", 0].result()) * clock
            print(f"\n{platform}: kernels, speed-up predicted / simulated and error; the last column: error of the sequential time\n")
            print("| program | class | " + " | ".join(str(n) for n in cores) + " | time |\n" + "|---" * (len(cores) + 3) + "|")
            for scenario in names:
                p = {r: predictions[platform, scenario, r].result() for r in points}
                serial = kernel(jobs[platform, scenario, 0].result()) * clock - reading
                alone = p[""]["sequential_time"] - start[""]
                for recording, found in points.items():
                    row = []
                    for n, s in zip(cores, p[recording]["schedules"]):
                        times = sorted(time * clock - reading for time in jobs[platform, scenario, n].result())
                        measured, spread = serial / statistics.median(times), times[-1] / times[0] - 1
                        predicted, high, low = (alone / (s[t] - start[recording]) for t in ("time", "time_low", "time_high"))
                        error = predicted / measured - 1
                        inside = low <= measured <= high
                        found.append((error, n, inside, platform, scenario, spread))
                        apart = f" ({100 * spread:.0f})" if spread >= 0.02 else ""
                        row.append(f"{predicted:.2f} / {measured:.2f} {100 * error:+.1f} %{apart}{'' if inside else ' ↕'}")
                kind = PROGRAMS[scenario][1] + (" (stranger)" if scenario in STRANGERS else " (held out)" if scenario in HELD_OUT else "")
                print(f"| {scenario} | {kind} | " + " | ".join(row) + f" | {100 * (alone / serial - 1):+.1f} % |", flush=True)
    print()
    for recording, text in (("-one", ""), ("", ", from the serial program alone")):
        for title, chosen in (("all", names), ("held out", [n for n in names if n in HELD_OUT]), ("strangers", [n for n in names if n in STRANGERS])):
            summary(title + text, [p for p in points[recording] if p[4] in chosen])
    if not os.environ.get("KEEP"):
        shutil.rmtree(work)


main()
