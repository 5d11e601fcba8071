#!/usr/bin/env python3
"""inputs: damaged copies of everything that commands read, and odd values of everything they are told, given to the whole tool.
usage: inputs.py CORECAST SOURCE [MUTANTS of each input (default 100)] [SEED (1)] [KIND…]      KEEP=FOLDER keeps what broke something

Nothing may crash, hang, take more than a GiB, end with an error and no message, end with success and a JSON document that is none, print control characters,
leave temporary files, or touch the output that was there unless it succeeds. A profile's tables are changed and sealed again, so that the checks behind the seal are tried.
"""
import ctypes, ctypes.util, json, os, random, re, resource, shutil, signal, sqlite3, subprocess, sys, tempfile, time

CORECAST, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
MUTANTS = int(sys.argv[3]) if len(sys.argv) > 3 else 100
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
KINDS = sys.argv[5:]
GIB, SECONDS, WALL = 1 << 20, 20, 180  # KiB, of CPU, of a clock while other things run
SANITIZED = "SANITIZED" in os.environ  # the tool is under ASan: address space and memory are its own matter

NUMBERS = ["0", "-1", "1", "2", "3", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "18446744073709551615", "18446744073709551616", "9223372036854775808", "-9223372036854775808",
           "4294967295", "4294967296", "65536", "2147483648", "0x10", "1e9", "1e400", "00", "+5", "1_000", "", " ", "0.1", "1e6", "3.5", "999999", "5%", "100%", "101%", "1k", "7G", "1..0", "0..0",
           "1..4", "1..1000000000", "nan..nan", "-3..-1", "-1..-1", "1..4:*1", "1..4:+0", "1..9:*0.5", "1..4:", "..", "1,2", ",", "1,,2", "1,nan", "1,1,1", "0,1"]
WORDS = NUMBERS + ["a", "A" * 300, "B" * 70000, "main", "main -> *", "*", "?", "a=b", "=", "a=", "=b", "a.b=1", "cores=4", "cores=1..8", "cores=0", "cores=nan..nan", "platform.cores=-1..-1", "cores=1..2:*1",
                   "clock_mhz=0", "\x1b[31mred", "tab\there", "new\nline", "\x7f", "\u202e\u2066", "\ud800".encode("utf-8", "surrogatepass").decode("latin1"), "é", "%s%n%p", "$(touch OWNED)", "`touch OWNED`",
                   ";touch OWNED", "|touch OWNED", "'", '"', "\\", "--", "-", "--json", "p.c", "p.c:5", "f.c:0", "p.c:99999999999", "in.cast", "missing", "dir", "./p", "json", "csv", "all", "auto", "none",
                   "lines=1", "lines=-1", "core=1,mib=2", "core=nan", "20ms", "0fps", "nanms", "independent=p.c:5", "function instructions > 2M", "function instructions > nan", "stream bytes > +5%", "new function",
                   "#pragma omp parallel for", "0-3", "3-0", "0-", "0-99999999999", "0,0", "n=5", "n=nan", "n=1e300", "n=5,n=6"]
BYTES = [b"\0", b"\xff", b"\x7f", b"\x80", b"\x01", b"\n", b"\r\n", b"\t", b",", b'"', b"=", b"[", b"]", b"(", b")", b"{", b"}", b"#", b"\\", b"\x1b[2J", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"-", b":", b"A" * 5000, b"((((" * 300]


def mutant(rng, data, text):
    """A damaged copy: one to four small changes."""
    whole, data = data, bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(9 if text else 5)
        if what == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif what == 1:
            data[at:at + rng.choice([0, 1, 4])] = rng.choice(BYTES)
        elif what == 2:
            del data[at:at + rng.choice([1, 2, 8, 100])]
        elif what == 3:
            piece = bytes(data[at:at + rng.choice([4, 40, 400])])
            data[at:at] = piece * rng.choice([1, 1, 30])
        elif what == 4 and rng.random() < 0.3:
            del data[at:]
        elif what == 5:  # a number becomes another
            found = list(re.finditer(rb"[0-9]+(\.[0-9]+)?", data))
            if found:
                m = rng.choice(found)
                data[m.start():m.end()] = rng.choice(NUMBERS).encode()
        elif what == 6:  # a word becomes another of the file
            found = list(re.finditer(rb"[A-Za-z_][A-Za-z_0-9.]*", data))
            if len(found) > 1:
                m, n = rng.choice(found), rng.choice(found)
                data[m.start():m.end()] = bytes(n.group())
        elif what == 7:  # a line elsewhere, or again and again
            lines = bytes(data).split(b"\n")
            line = rng.choice(lines)
            at = rng.randrange(len(lines) + 1)
            lines[at:at] = [line] * rng.choice([1, 1, 2, 500])
            data = bytearray(b"\n".join(lines))
        elif what == 8:
            data[at:at] = rng.choice(WORDS).encode("utf-8", "surrogateescape")
    return bytes(data) if data != whole else bytes(data[:-1])


XXH = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
XXH.XXH3_64bits.restype = ctypes.c_uint64
XXH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
INTEGERS = [0, 1, -1, 2, 3, 7, 255, 4096, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, -(1 << 63), 1 << 40]
TEXTS = ["", "a", "\x1b[31m", "new\nline", "</script><script>alert(1)</script>", "'\"", "%n", "=1+1", "A" * 5000, "/dev/zero", "dir", "pipe", "../../etc/passwd", "\u202e"]


def sealed_mutant(rng, path, ret):
    """Cells of a profile's tables changed, rows doubled or gone, and the seal made again. False: SQLite refused."""
    body = open(path, "rb").read()[:-16]
    with open(ret, "wb") as f:
        f.write(body)
    db = sqlite3.connect(ret)
    try:
        tables = [t for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'") if db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]]
        for _ in range(rng.randint(1, 3)):
            table = rng.choice(tables)
            keys = [k for (k,) in db.execute(f"SELECT rowid FROM {table}")]
            if not keys:
                continue
            key, how = rng.choice(keys), rng.random()
            if how < 0.05:
                db.execute(f"DELETE FROM {table} WHERE rowid=?", (key,))
                continue
            column = rng.choice([c[1] for c in db.execute(f"PRAGMA table_info({table})")])
            old = db.execute(f"SELECT {column} FROM {table} WHERE rowid=?", (key,)).fetchone()[0]
            if isinstance(old, (int, float)):
                value = rng.choice(INTEGERS) if rng.random() < 0.5 else old + rng.choice([-1, 1, 2, 100]) if abs(old) < 1 << 62 else 0
                value = rng.choice([value, value, value, 1e300, float(value)]) if isinstance(old, float) else value
            elif isinstance(old, bytes):
                value = mutant(rng, old, False)
            elif old is None:
                value = rng.choice([0, 1, "a"])
            else:
                value = rng.choice(TEXTS + NUMBERS) if rng.random() < 0.6 else mutant(rng, old.encode(), True).decode("utf-8", "replace")
            if how < 0.15:
                other = db.execute(f"SELECT {column} FROM {table} WHERE rowid=?", (rng.choice(keys),)).fetchone()[0]
                value = other
            db.execute(f"UPDATE {table} SET {column}=? WHERE rowid=?", (value, key))
        db.commit()
    except (sqlite3.Error, OverflowError):
        return False
    finally:
        db.close()
    data = open(ret, "rb").read()
    with open(ret, "ab") as f:
        f.write(b"CC seal\n" + XXH.XXH3_64bits(data, len(data)).to_bytes(8, "big"))
    return True


def bound():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * (10 if SANITIZED else 1), SECONDS * 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))


def run(argv):
    """status (negative: a signal, None: no end), stdout, stderr, KiB"""
    with open("stdout", "wb") as out, open("stderr", "wb") as err:
        p = subprocess.Popen([CORECAST] + argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=bound, start_new_session=True)
    end = time.time() + WALL * (5 if SANITIZED else 1)
    wait = 0.001
    while True:
        pid, status, usage = os.wait4(p.pid, os.WNOHANG)
        if pid:
            break
        if time.time() > end:
            os.killpg(p.pid, signal.SIGKILL)
            os.wait4(p.pid, 0)
            p.returncode = 0
            return None, b"", b"", 0
        time.sleep(wait)
        wait = min(wait * 1.5, 0.05)
    p.returncode = 0
    code = os.waitstatus_to_exitcode(status)
    return (None if code == -signal.SIGXCPU else code), open("stdout", "rb").read(), open("stderr", "rb").read(), usage.ru_maxrss


def no_constant(name):
    raise ValueError(name)


CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


def judge(argv, result, out):
    """What is wrong with it; None: nothing. `out`: its output, in which was 'old'."""
    code, stdout, stderr, kib = result
    if code is None:
        return "hung", "hung"
    if code < 0 or code >= 128 or b"Sanitizer" in stderr or b"runtime error" in stderr:
        return "crashed", f"status {code}"
    if code == 71 or (kib > GIB and not SANITIZED):
        return "wrong", f"{kib // 1024} MiB, status {code}"
    if code and not stderr.strip() and not stdout.strip():
        return "wrong", f"status {code} without a word"
    if CONTROL.search(stderr) or ("-o" not in argv and "--csv" not in argv and CONTROL.search(stdout)):
        return "wrong", "control characters"
    if os.path.exists("OWNED"):
        os.unlink("OWNED")
        return "wrong", "a value became a command"
    if code == 0 and "--json" in argv:
        try:
            json.loads((open(out, "rb").read() if out else stdout).decode("utf-8"), parse_constant=no_constant)
        except (ValueError, UnicodeDecodeError, RecursionError) as e:
            return "wrong", f"no JSON: {e}"
    if out and code and (not os.path.exists(out) or open(out, "rb").read() != b"old"):
        return "lost", "the old output is gone"
    return left(out, code == 0)


def left(out, whole):
    """What begins like the output and is none; a platform that is written whole has a grid beside it."""
    found = [f for f in os.listdir(".") if out and f.startswith(out + ".")]
    for f in found:
        shutil.rmtree(f) if os.path.isdir(f) else os.unlink(f)
    return ("wrong", f"left behind {found}") if found and not (whole and found == [out + ".grid"]) else None


def tool(*argv):
    return subprocess.run([CORECAST, *argv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode


PROGRAM = """#include <stdlib.h>
int v[4096], w[4096];
static int mix(int a, int i) { return a * 3 + w[i & 4095]; }
int main(int c, char **a)
{
    int n = c > 1 ? atoi(a[1]) : 64, s = 0;
    int *heap = malloc(sizeof *heap * 512);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            v[i] = mix(i, i + k);
    for (int i = 1; i < n; i++) {
        heap[i & 511] = v[i] - v[i - 1];
        s += heap[i & 511];
    }
    return s == 1;
}
"""
PLATFORM = """[platform]
name = t
source = made up
cores = 4
clock_mhz = 1000
[openmp]
unit = ns
[openmp.parallel]
par_open = 30
thr_create = 5 ± 1
[memory.l2]
size = 512k
read = 12
[memory.dram]
read = 100
bandwidth = 1e9
curve = 1:1e9, 4:2.5e9
[memory.local]
size = 64k
[dma]
i0 = 750
i1 = 10
alpha = 0.75
[unit.a]
kind = cpu
clock_mhz = 500
cores = 2
s_int = 2
m_int = 1
float = 1
specific = 0.1
branch = 1
address = 1
load_store = 1
power = 2.3
vector_gain = 2
[unit.b]
kind = gpu
clock_mhz = 100
s_int = 20
m_int = 10
float = 10
specific = 1
branch = 1
address = 1
load_store = 1
power = 9
[link.a.b]
latency = 5e-8
bandwidth = 4e8
"""


def put(name, text):
    with open(name, "w") as f:
        f.write(text)


def prepare():
    put("p.c", PROGRAM)
    subprocess.run(["gcc", "-O1", "-g", "-o", "p", "p.c"], check=True)
    put("p.ini", PLATFORM)
    put("t.csv", "loop,0,200000\n" + "".join(f"it,{i * 50000},{(i + 1) * 50000}\n" for i in range(4)))
    put("s.omp", "it = #define N 4\nit = #define M (N/2)\nit = #pragma omp parallel for schedule(guided, N*2) reduction(+:a[:3]) num_threads(N)\n")
    put("c52.omp", "it = #pragma omp parallel masked taskloop simd grainsize(strict: 2) filter(0) num_threads(3)\n")
    put("e.csv", "# cores = 4\n# programs = 2\ncycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n" + "".join(
        f"{i * 10},{i % 4},{('load', 'store', 'atomic')[i % 3]},{16 * (i % 50)},{64 * (i % 70)},{i % 90},,,4,{'hit' if i % 90 < 3 else 'shared'},f{i % 7},a.c,{i % 9 + 1},x\n" for i in range(600)))
    put("g.ini", "[nodes]\na = 38\nb = 8\nc = 4\nd = 50\n[edges]\na -> b = 6\nb -> a = 5\na -> c = 3\nc -> d = 18\na -> d = 4\n")
    put("tasks.ini", "[tasks]\nname = t\ntime = ms\n[task.x]\ntime.a = 10\ntime.b = 5 .. 7\n[task.y]\ntime.a = 1\ntime.b = 3\nafter = x:100\npin = a\n[task.z]\nafter = y:5000\ntime.a = 4\ntime.a.2 = 2 .. 3\n")
    put("sets", "".join(f"{i % 7} {10 + i % 5} {20 + i % 3}\n" for i in range(60)))
    put("k.csv", "kernel,loops,loc,lut\n" + "".join(f"k{i},{i % 4},{10 + i % 5},{100 + i * 35}\n" for i in range(14)))
    put("d.ini", "[device]\nname = d\nsource = none\n[capacity]\nlut = 100000\n")
    tool("area", "calibrate", "k.csv", "--target", "lut", "-o", "m.model")
    put("sh.csv", "name,share [%]\nmix,10\nmain,50.5\n")
    put("l.omp", "p.c:8 = #pragma omp parallel for\n")
    put("facts", "corecast-bench 1 one\n# a note\ntext openmp unit ns\nvalue platform clock_mhz 2000 1 9 stable\nvalue openmp.parallel par_open 150.5 2 11 stable\npoint memory.dram curve 1 1e10 0 9 stable\n"
        "point memory.dram curve 2 1.5e10 1e8 9 stable\ngrid 16 1 26\ngrid 64 1 74\ngrid 64 16 1109\ngrid 256 4 1049\ntext dma limit 4096\nend\n")
    put("times", "1.5\n2\n3e2\n")
    put("controls.csv", "n,kind\n10,a\n20,b\n30,a\n40,b\n50,a\n")
    put("f.c", "#include <corecast/mark.h>\nint main(void) { volatile int x[9]; for (int i = 0; i < 5; i++) { CC_FRAME(); for (int k = 0; k < 10 * i; k++) x[i] = i ? x[i - 1] : 1; } return 0; }\n")
    subprocess.run(["gcc", "-O1", "-g", "-I", SOURCE + "/include", "-o", "f", "f.c"], check=True)
    tool("record", "-q", "-o", "f.cast", "./f")
    put("old", "old")
    os.mkdir("dir")
    os.mkfifo("pipe")
    tool("record", "-q", "--loops", "dependences", "--tasks", "loops", "--objects", "--locality", "-o", "in.cast", "./p", "600")
    shutil.copy("p.c", "e.c")
    subprocess.run(["gcc", "-O1", "-g", "-o", "e", "e.c"], check=True)
    tool("record", "-q", "--loops", "dependences", "--tasks", "loops", "-o", "e.cast", "./e", "600")
    tool("record", "-q", "--engine", "qemu", "-o", "b.cast", "./p", "300")
    tool("record", "-q", "--tasks", "loops", "--vary", "n=50,100,200,400", "-o", "set", "./p", "{n}")
    tool("trace", "import", "e.csv", "-o", "in.trace")
    shutil.copy("e.csv", "e1.csv")


# name: the input, whether it is text, the commands that read it (FILE: the mutant)
READERS = {
    "platform": ("p.ini", True, ["platform show ./FILE --json", "platform check ./FILE", "predict t.csv -p ./FILE --scenario s.omp --json", "explore in.cast -p ./FILE --json", "map tasks.ini -p ./FILE --json",
                                 "units in.cast -p ./FILE --json", "tile -p ./FILE --image 64x64 --kernel 3x3 --time 20 --json", "report in.cast -p ./FILE --html OUT", "map in.cast --parts 2 -p ./FILE --json"]),
    "scenario": ("s.omp", True, ["predict t.csv -p ./p.ini --scenario FILE --json", "predict t.csv -p ./p.ini --scenario FILE --full"]),
    "scenario-5.2": ("c52.omp", True, ["predict t.csv -p ./p.ini --scenario FILE --json"]),
    "task-csv": ("t.csv", True, ["predict FILE -p ./p.ini --scenario s.omp --json", "predict FILE --tasks"]),
    "graph": ("g.ini", True, ["map FILE --parts 2 --json"]),
    "tasks": ("tasks.ini", True, ["map FILE -p ./p.ini --json", "map FILE -p ./p.ini --objective pareto --json"]),
    "itemsets": ("sets", True, ["mine itemsets --support 20 FILE --list --json"]),
    "kernels": ("k.csv", True, ["area calibrate FILE --target lut -o OUT"]),
    "device": ("d.ini", True, ["area estimate p.c --model ./m.model --device FILE --json"]),
    "model": ("m.model", True, ["area estimate p.c --model ./FILE --json", "area model show ./FILE"]),
    "shares": ("sh.csv", True, ["area estimate p.c --shares FILE --model ./m.model --json"]),
    "facts": ("facts", True, ["characterize --import FILE -o OUT"]),
    "times": ("times", True, ["tile -p ./p.ini --image 64x64 --kernel 3x3 --time 9 --time-samples FILE --json"]),
    "controls": ("controls.csv", True, ["compare --model f.cast --controls FILE --json"]),
    "source": ("p.c", True, ["area metrics FILE --json", "area partition FILE --profile in.cast --model ./m.model --json"]),
    "source-explored": ("p.c", True, ["explore e.cast -p ./p.ini --json", "explore e.cast -p ./p.ini --patch OUT", "report e.cast --view lines --annotate e.c",
                                      "report e.cast --html OUT", "report e.cast --view loops --json"]),
    "trace-csv": ("e.csv", True, ["trace import FILE -o OUT"]),
    "trace": ("in.trace", False, ["trace info --check FILE --json", "trace cat FILE", "trace filter FILE -o OUT", "trace export FILE -o OUT", "trace export FILE --to chrome -o OUT", "mine contention FILE --json",
                                  "mine contention --item path FILE --json", "mine scaling FILE in.trace --json", "report in.cast --trace FILE --html OUT"]),
    "profile": ("in.cast", False, ["report FILE --json", "export FILE --to csv"]),
    "manifest": ("set/manifest.csv", True, ["compare --model bad --json", "predict bad -p ./p.ini --scenario l.omp --at n=70 --json", "map bad --parts 2 --at n=70 --json"]),
}
SEALED = ["report FILE --json", "report FILE --view functions --json", "report FILE --view calltree --json", "report FILE --view comm --json", "report FILE --view comm --by object", "report FILE --view amdahl --json",
          "report FILE --view bandwidth --json", "report FILE --view classes --json", "report FILE --view lines --json", "report FILE --view loops --json", "report FILE --view intensity --json",
          "report FILE --view locality --json", "report FILE --view objects --json", "report FILE --html OUT", "report FILE --view comm --svg OUT", "export FILE --to callgrind --loops -o OUT", "export FILE --to chrome -o OUT",
          "export FILE --to speedscope --loops -o OUT", "export FILE --to collapsed --loops -o OUT", "export FILE --to dot -o OUT", "export FILE --to graphml -o OUT", "explore FILE -p ./p.ini --json",
          "explore FILE -p ./p.ini --patch OUT", "explore FILE -p ./p.ini --set cores=1..4 --json", "compare in.cast FILE --json", "compare FILE b.cast --html OUT", "compare in.cast FILE --fail-if new~function --sarif OUT",
          "predict FILE --tasks --json", "predict FILE -p cortex-a53-quad --scenario l.omp --contention locality --json", "map FILE --parts 3 --json", "map FILE -p ./p.ini --units --json", "units FILE -p ./p.ini --json", "area partition p.c --profile FILE --json"]
# the options of these are given odd values; `-- …` stays behind
TOLD = ["report in.cast", "export in.cast --to csv", "explore in.cast -p ./p.ini", "compare in.cast b.cast", "compare --model set", "predict t.csv -p ./p.ini --scenario s.omp", "map in.cast --parts 2", "map tasks.ini -p ./p.ini",
        "units in.cast -p ./p.ini", "tile -p ./p.ini --image 64x64 --kernel 3x3 --time 20", "area metrics p.c", "area partition p.c --profile in.cast", "area estimate p.c --model ./m.model", "area calibrate k.csv --target lut -o OUT",
        "mine contention in.trace", "mine itemsets --support 20 sets", "mine scaling in.trace in.trace", "trace info in.trace", "trace cat in.trace", "trace filter in.trace -o OUT", "trace import e.csv -o OUT",
        "platform show ./p.ini", "completion bash", "salvage dir"]
NOT_TOLD = {"--verify", "--build", "--run", "--compare", "--race-run", "--keep", "--output", "--patch", "--svg", "--html", "--sarif", "--junit", "--speedup", "--stacks", "--energy", "--gantt", "--chrome", "--runs-svg", "--scenario"}


def options_of(command):
    words = command.split()
    verb = [words[1]] if words[0] in ("area", "mine", "trace", "platform") else []
    verb += [words[2]] if words[:2] == ["area", "model"] else []
    text = subprocess.run([CORECAST, words[0], *verb, "-h"], capture_output=True, text=True).stdout
    return [(m.group(1), bool(m.group(2))) for m in re.finditer(r"^ +(?:-\w, )?(--[a-z0-9-]+)(?:\[=\w+\])?( [A-Z|a-z%.]\S*)?  ", text, re.M)
            if m.group(1) not in NOT_TOLD and not m.group(1).startswith("--svg") and m.group(1) != "--help"]


class Counts:
    def __init__(self):
        self.tried = self.accepted = self.crashed = self.hung = self.wrong = self.lost = 0


def one(rng, kind, template, mutated, counts):
    """Runs a command and counts what became of it."""
    out = "out" if "OUT" in template else None
    words = [w.replace("~", " ") for w in template.replace("FILE", mutated or "").replace("OUT", "out").split()]
    if kind == "told":
        able = options_of(template)
        words = words[:1] + words[1:]
        for name, takes in rng.sample(able, min(len(able), rng.randint(1, 3))):
            words.append(f"{name}={rng.choice(WORDS)}" if takes and rng.random() < 0.5 else name)
            if takes and "=" not in words[-1]:
                words.append(rng.choice(WORDS))
        words = [w.replace("\0", "") for w in words]
    if out:
        shutil.copy("old", out)
    result = run(words)
    counts.tried += 1
    counts.accepted += result[0] == 0
    found = judge(words, result, out)
    if found:
        setattr(counts, found[0], getattr(counts, found[0]) + 1)
        print(f"{found[1]}: {kind} {counts.tried}: {ascii(' '.join(words))[:400]}: {ascii(result[2][-200:])}", flush=True)
        if "KEEP" in os.environ and mutated and os.path.exists(mutated):
            shutil.copy(mutated, os.path.join(os.environ["KEEP"], f"{kind}-{counts.tried}"))
    if out and os.path.exists(out):
        os.unlink(out)


def damage(rng, kind):
    """Makes the mutant, or a copy if there is no `rng`; its name."""
    path, text, _ = READERS[kind]
    data = open(path, "rb").read()
    data = mutant(rng, data, text) if rng else data
    if kind == "manifest":
        if not os.path.exists("bad"):
            shutil.copytree("set", "bad")
        with open("bad/manifest.csv", "wb") as f:
            f.write(data)
        return "bad/manifest.csv"
    if kind == "source-explored":
        with open("e.c", "wb") as f:
            f.write(data)
        os.utime("e.c", (1e9, 1e9))  # not changed since the recording
        return "e.c"
    name = "mutant" + os.path.splitext(path)[1]
    with open(name, "wb") as f:
        f.write(data)
    return name


def undamaged(kind, counts):
    """What is refused unharmed tells nothing when it is refused harmed."""
    commands = TOLD if kind == "told" else SEALED if kind == "sealed" else READERS[kind][2]
    name = None if kind == "told" else "in.cast" if kind == "sealed" else damage(None, kind)
    for template in commands:
        words = [w.replace("~", " ") for w in template.replace("FILE", name or "").replace("OUT", "out").split()]
        code, _, stderr, _ = run(words)
        left("out", True)
        if code and template != "salvage dir":
            counts.wrong += 1
            print(f"status {code} with an input that is whole: {' '.join(words)}: {ascii(stderr[-300:])}", flush=True)


def try_kind(kind):
    rng, counts = random.Random(f"{SEED} {kind}"), Counts()
    undamaged(kind, counts)
    for i in range(MUTANTS):
        if kind == "told":
            one(rng, kind, TOLD[i % len(TOLD)], None, counts)
        elif kind == "sealed":
            if sealed_mutant(rng, "in.cast", "mutant.cast"):
                one(rng, kind, SEALED[i % len(SEALED)], "mutant.cast", counts)
        else:
            commands = READERS[kind][2]
            one(rng, kind, commands[i % len(commands)], damage(rng, kind), counts)
    print(f"{kind}: tried {counts.tried}, accepted {counts.accepted}, crashed {counts.crashed}, hung {counts.hung}, wrong {counts.wrong}, lost {counts.lost}", flush=True)
    return counts


def main():
    work = tempfile.mkdtemp()
    os.chdir(work)
    try:
        prepare()
        kinds = KINDS or [*READERS, "sealed", "told"]
        all_counts = [try_kind(k) for k in kinds]
        total = {k: sum(getattr(c, k) for c in all_counts) for k in ("tried", "accepted", "crashed", "hung", "wrong", "lost")}
        print("damaged inputs: " + ", ".join(f"{k} {v}" for k, v in total.items()))
        return any(total[k] for k in ("crashed", "hung", "wrong", "lost"))
    finally:
        os.chdir("/")
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
