#!/usr/bin/env python3
"""The guides, executed: every command line of docs/guide in the order of the page, in a folder of its own, and what it prints compared. TAP.

    tests/guide/run.py [--update] CORECAST SOURCE [GUIDE…]     --update: writes what is printed now into the page

A block of a page is indented by four spaces or fenced. Lines that begin with "$ " are commands, what follows is their output; a block without such lines has
commands that begin with a word of COMMANDS. A line "…" (or "...") of the page stands for any lines, one that ends in " …" for the rest of its line.
Spaces do not count. Numbers may differ by TOLERANCE on the machine the pages were written on, and are not compared where they are times. Elsewhere compilers make other code: rows
have other numbers and another order there, so that only lines without numbers (headings, sentences) and without the machine's name are looked for, one after another.
A file that is shown by cat and not there is written as it is shown. tests/guide/setup/GUIDE.sh makes what a reader would have; tests/guide/exceptions has the commands that are not run, whose numbers are times or move with
the addresses of a run, or whose findings differ elsewhere."""
import fnmatch
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile

COMMANDS = ("corecast ", "gcc ", "seq ", "callgrind_annotate ")
TOLERANCE, ABOUT = 0.06, 0.3
NUMBER = re.compile(r"(?<![\w.])0x[0-9a-f]+|(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
WRITTEN_ON = "aarch64"
AT_HOME = platform.machine() == WRITTEN_ON


class Line(str):
    """A line of a block, and where in the page it stands."""
    def __new__(cls, text, number):
        line = str.__new__(cls, text)
        line.number = number
        return line


def blocks_of(text):
    """Lists of lines, without their indentation."""
    block, fence = [], False
    for number, line in enumerate(text.split("\n") + [""]):
        if line.startswith("```"):
            if block:
                yield block
            block, fence = [], not fence
        elif fence or line.startswith("    "):
            block.append(Line(line if fence else line[4:], number))
        elif block and not line.strip():
            block.append(Line("", number))
        elif block:
            yield block
            block = []
    if block:
        yield block


def steps_of(text):
    """Pairs of a command and the lines it is said to print."""
    for block in blocks_of(text):
        dollar = any(line.startswith("$ ") for line in block)
        if not dollar and not block[0].startswith(COMMANDS):
            continue
        command, output = None, []
        rest = iter(block)
        for line in rest:
            is_command = line.startswith("$ ") if dollar else line.startswith(COMMANDS)
            if not is_command:
                output.append(line)
                continue
            if command:
                yield command, output
            command, output = line[2:] if dollar else line, []
            while command.endswith(("\\", "|")) or command.count("'") % 2 or wants_end(command):
                command += "\n" + next(rest)
        if command:
            yield command, output


def wants_end(command):
    here = re.search(r"<<(\w+)", command)
    return here and not re.search(r"^%s$" % here.group(1), command, re.M)


def same_line(want, got, tolerance):
    want, got = " ".join(want.split()), " ".join(got.split())
    if want.endswith(" …"):
        want = want[:-2]
        got = got[:len(want) + 40]
        prefix = True
    else:
        prefix = False
    a, b = NUMBER.findall(want), NUMBER.findall(got)
    if prefix:
        b = b[:len(a)]
    blur_a, blur_b = NUMBER.sub("#", want), NUMBER.sub("#", got)
    if not (blur_b.startswith(blur_a) if prefix else blur_a == blur_b):
        return False
    pairs = [(x, y) for x, y in zip(a, b) if not x.startswith("0x")]  # addresses do not count
    return tolerance is None or all(abs(float(x) - float(y)) <= tolerance * max(abs(float(x)), abs(float(y))) + last_digit(x) for x, y in pairs)


def last_digit(number):
    """Half of what a printed figure can have lost by rounding, twice over."""
    digits = number.split("e")[0].split(".")
    return 10.0 ** -len(digits[1]) if len(digits) > 1 else (0 if abs(int(digits[0])) < 20 else 1)


def compare(want, got, tolerance, pairs=None):
    """None, or the first line of the page that is not there. pairs: gets the lines that belong together."""
    want = [w for w in want if w.strip() and (AT_HOME or not (NUMBER.search(w) or WRITTEN_ON in w))]
    notes = any(w.startswith("corecast: ") for w in want)  # a page may leave out what stands on standard error
    got = [g for g in got if g.strip() and (notes or not g.startswith("corecast: "))]
    if not want:
        return None
    at, anywhere = 0, not AT_HOME
    for line in want:
        if line.strip() in ("…", "..."):
            anywhere = True
            continue
        while at < len(got) and anywhere and not same_line(line, got[at], tolerance):
            at += 1
        if at >= len(got) or not same_line(line, got[at], tolerance):
            return "page: %s\n#  got: %s" % (line.rstrip(), got[at].rstrip() if at < len(got) else "(nothing)")
        if pairs is not None:
            pairs.append((line, got[at]))
        at, anywhere = at + 1, not AT_HOME
    return None


def update(lines, want, got):
    """What is printed now, in place of the output of a step, in the lines of its page. Whether it could be."""
    pairs = []
    shown = [w for w in want if w.strip()]
    if not shown:
        return True
    if compare(want, got, None, pairs) is None:
        for old, new in pairs:
            indent = lines[old.number][:len(lines[old.number]) - len(old)]
            lines[old.number] = (indent + new.rstrip()) if not old.endswith(" …") else lines[old.number]
        return True
    if any("…" in w or w.strip() == "..." for w in shown):
        return False
    first, last = shown[0].number, shown[-1].number
    indent = lines[first][:len(lines[first]) - len(shown[0])]
    notes = any(w.startswith("corecast: ") for w in shown)
    new = [(indent + g.rstrip()).rstrip() for g in got if notes or not g.startswith("corecast: ")]
    while new and not new[-1]:
        new.pop()
    lines[first] = "\n".join(new)
    for i in range(first + 1, last + 1):
        lines[i] = None
    return True


def exceptions_of(path):
    """GUIDE<tab>kind<tab>pattern of the command<tab>why"""
    with open(path) as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]


def why_not_run(exceptions):
    """None, or the reason: a command is left out everywhere, or where the program it needs is not installed."""
    for _, kind, _, why in exceptions:
        if kind == "skip" or kind.startswith("needs ") and not shutil.which(kind[len("needs "):]):
            return why
    return None


class Guide:
    def __init__(self, corecast, source, name):
        self.name, self.source = name, source
        self.work = os.path.realpath(tempfile.mkdtemp(prefix="guide-"))
        self.folder = self.work
        for entry in ("include", "engines", "tests", "platforms", "docs"):
            os.symlink(os.path.join(source, entry), os.path.join(self.work, entry))
        os.mkdir(self.work + "/bin")
        os.symlink(corecast, self.work + "/bin/corecast")
        shutil.copytree(os.path.join(source, "examples"), os.path.join(self.work, "examples"))
        # of the same size everywhere: where a program's stack lies, and so what its caches do, depends on it
        self.environment = dict(PATH=self.work + "/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME=self.work, LC_ALL="C.UTF-8", SOURCE=self.work, COLUMNS="200")

    def shell(self, command):
        """Status and output; remembers where it went by cd."""
        script = "cd '%s' || exit 99\n%s\nstatus=$?\npwd >'%s/.where'\nexit $status\n" % (self.folder, command, self.work)
        p = subprocess.Popen(["bash", "-c", script], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            out, _ = p.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            return 124, ["(took more than 300 s)"]
        if os.path.exists(self.work + "/.where"):
            with open(self.work + "/.where") as f:
                self.folder = f.read().strip() or self.folder
        return p.returncode, out.decode("utf-8", "replace").replace(os.path.realpath(self.work) + "/", "").split("\n")

    def end(self):
        shutil.rmtree(self.work)


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def say(self, ok, what, note=""):
        self.n += 1
        self.failed += not ok
        print("%s %d - %s%s" % ("ok" if ok else "not ok", self.n, what.replace("#", "\\#"), note), flush=True)


def write_shown(command, want, guide):
    """cat FILE of a file that is not there: the page is where it comes from."""
    match = re.fullmatch(r"cat ([\w.-]+)", command)
    if match and not os.path.exists(os.path.join(guide.folder, match.group(1))):
        with open(os.path.join(guide.folder, match.group(1)), "w") as f:
            f.write("\n".join(want) + "\n")


def tolerance_of(exceptions):
    kinds = [e[1] for e in exceptions]
    if not AT_HOME or "times" in kinds:
        return None
    return ABOUT if "about" in kinds else TOLERANCE


def try_guide(tap, corecast, source, name, exceptions, updating):
    page = os.path.join(source, "docs/guide", name + ".md")
    with open(page) as f:
        text = f.read()
    lines, steps = text.split("\n"), list(steps_of(text))
    guide = Guide(corecast, source, name)
    setup = os.path.join(source, "tests/guide/setup", name + ".sh")
    if os.path.exists(setup):
        status, out = guide.shell(". '%s'" % setup)
        tap.say(status == 0, "%s: what a reader would have" % name)
        if status:
            print("# " + "\n# ".join(out[-6:]))
    for command, want in steps:
        title = "%s: %s" % (name, command.split("\n")[0][:110])
        mine = [e for e in exceptions if e[0] == name and fnmatch.fnmatch(command.split("\n")[0], e[2])]
        why = why_not_run(mine)
        if why:
            tap.say(True, title, " # SKIP " + why)
            continue
        if not AT_HOME and any(e[1] == "home" for e in mine):
            want = []
        if command.startswith("cd "):
            guide.folder = guide.work  # pages begin their sections at the top
        write_shown(command, want, guide)
        status, got = guide.shell(command)
        differs = compare(want, got, tolerance_of(mine))
        if differs and updating and status == 0 and update(lines, want, got):
            differs = None
        failed = status != 0 and not any(e[1] == "fails" for e in mine)
        tap.say(not failed and differs is None, title)
        if failed:
            print("# status %d\n# " % status + "\n# ".join(got[-6:]))
        elif differs:
            print("# " + differs)
    guide.end()
    if updating:
        with open(page + ".new", "w") as f:
            f.write("\n".join(line for line in lines if line is not None))
        os.replace(page + ".new", page)


def main():
    updating = sys.argv[1:2] == ["--update"]
    arguments = sys.argv[2 if updating else 1:]
    corecast, source = os.path.realpath(arguments[0]), os.path.realpath(arguments[1])
    names = arguments[2:] or sorted(f[:-3] for f in os.listdir(os.path.join(source, "docs/guide")) if f.endswith(".md"))
    tap = Tap()
    exceptions = exceptions_of(os.path.join(source, "tests/guide/exceptions"))
    for name in names:
        try_guide(tap, corecast, source, name, exceptions, updating)
    print("1..%d" % tap.n)
    return 1 if tap.failed else 0


sys.exit(main())
