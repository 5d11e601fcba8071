#!/usr/bin/env python3
"""Whether files are traces as Perfetto's importer of JSON takes them: what it would drop, misplace or count as an error is told.
tests/cli/trace-events.py FILE…    exits with 1 if there is something

The rules are those of the trace event format: complete events have a name, process, thread, begin and length; those of one thread nest or are apart;
arrows have both ends, in order, each inside an event of its thread; metadata names what exists."""
import json
import numbers
import sys

EPS = 1e-6


def number(v):
    return isinstance(v, numbers.Real) and not isinstance(v, bool) and v == v and abs(v) != float("inf")


def slices_of(events, wrong):
    tracks = {}
    for i, e in enumerate(events):
        if e.get("ph") != "X":
            continue
        if not isinstance(e.get("name"), str) or not number(e.get("ts")) or not number(e.get("dur")) or e["ts"] < 0 or e["dur"] < 0:
            wrong.append(f"event {i}: no name, begin or length: {e}")
            continue
        if not all(isinstance(e.get(k), int) and e[k] >= 1 for k in ("pid", "tid")):
            wrong.append(f"event {i}: process and thread are numbers from 1 on: {e}")
            continue
        tracks.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
    return tracks


def check_nesting(tracks, wrong):
    for track, spans in tracks.items():
        spans.sort(key=lambda s: (s[0], -s[1]))
        open_ends = []
        for begin, end in spans:
            while open_ends and open_ends[-1] <= begin + EPS:
                open_ends.pop()
            if open_ends and end > open_ends[-1] + EPS:
                wrong.append(f"thread {track}: {begin} to {end} overlaps one that ends at {open_ends[-1]}")
                return
            open_ends.append(end)


def check_arrows(events, tracks, wrong):
    ends = {}
    for i, e in enumerate(events):
        if e.get("ph") not in ("s", "f"):
            continue
        pair = ends.setdefault((e.get("id"), e.get("cat"), e.get("name")), {})
        if e["ph"] in pair:
            wrong.append(f"event {i}: a second end of arrow {e.get('id')}")
        pair[e["ph"]] = e
        spans = tracks.get((e.get("pid"), e.get("tid")), [])
        if not any(b - EPS <= e.get("ts", -1) <= x + EPS for b, x in spans):
            wrong.append(f"event {i}: an end of an arrow outside of all events: {e}")
        if e["ph"] == "f" and e.get("bp") != "e":
            wrong.append(f"event {i}: an arrow that ends at the next event, not at the one around it")
    for key, pair in ends.items():
        if set(pair) != {"s", "f"}:
            wrong.append(f"arrow {key}: one end")
        elif pair["s"]["ts"] > pair["f"]["ts"] + EPS:
            wrong.append(f"arrow {key}: ends before it begins")


def check_names(events, tracks, wrong):
    named = set()
    for i, e in enumerate(events):
        if e.get("ph") == "M":
            if e.get("name") in ("process_name", "thread_name") and not isinstance(e.get("args", {}).get("name"), str):
                wrong.append(f"event {i}: names nothing: {e}")
            if e.get("name") == "thread_name":
                named.add((e.get("pid"), e.get("tid")))
        elif e.get("ph") == "C" and not all(number(v) for v in e.get("args", {"": None}).values()):
            wrong.append(f"event {i}: a counter without a number: {e}")
        elif e.get("ph") not in ("X", "s", "f", "C", "i", "b", "e"):
            wrong.append(f"event {i}: of an unknown kind: {e}")
    for track in tracks:
        if track not in named:
            wrong.append(f"thread {track} has no name")


def check(path):
    wrong = []
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    events = document.get("traceEvents") if isinstance(document, dict) else document
    if not isinstance(events, list) or not events:
        return [f"{path}: no events"]
    tracks = slices_of(events, wrong)
    check_nesting(tracks, wrong)
    check_arrows(events, tracks, wrong)
    check_names(events, tracks, wrong)
    return [f"{path}: {w}" for w in wrong]


found = [w for path in sys.argv[1:] for w in check(path)]
print("\n".join(found[:20]))
sys.exit(1 if found else 0)
