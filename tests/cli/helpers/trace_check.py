"""trace_check.py JOB [--family F] [--lax]: compares trace.pftrace with trace.json of a directory, and both with the database of the job.

The same events on the same tracks of the same processes, to the nanosecond, with the same arguments, nesting, samples and arrows; in the database's views
the same tasks and calls; in the JSON no overlap on a track, no event without a name, small numbers.
"""
import argparse
import collections
import json
import re
import sqlite3
import sys
from fractions import Fraction

import perfetto

Json = collections.namedtuple("Json", "processes tracks slices samples notes starts ends")


class Real(str):
    """A number with a point, as its text."""


def ns(text, base):
    value = Fraction(text) * 1000
    assert value.denominator == 1, text
    return base + int(value)


def read_json(path):
    with open(path) as f:
        trace = json.load(f, parse_float=Real)
    base = int(trace["otherData"]["base_ns"])
    found = Json({}, {}, [], [], [next(iter(n.items())) for n in trace["otherData"]["notes"]], {}, {})
    for e in trace["traceEvents"]:
        assert e["name"] and 0 < e["pid"] < 2**31 and 0 <= e.get("tid", 0) < 2**31, e
        assert "ts" not in e or float(e["ts"]) >= 0, e
        if e["name"] == "process_name":
            assert e["pid"] not in found.processes
            found.processes[e["pid"]] = e["args"]["name"]
        elif e["name"] == "thread_name":
            assert e["tid"] not in found.tracks
            found.tracks[e["tid"]] = (e["pid"], e["args"]["name"])
        elif e["ph"] == "X":
            assert found.tracks[e["tid"]][0] == e["pid"]
            args = tuple(sorted((k, float(v) if isinstance(v, Real) else v) for k, v in e["args"].items()))
            found.slices.append((e["tid"], ns(e["ts"], base), ns(e["dur"], 0), e["name"], args))
        elif e["ph"] == "C":
            found.samples.extend((e["pid"], f"{e['name']} {k}".rstrip(), ns(e["ts"], base), float(v)) for k, v in e["args"].items())
        elif e["ph"] in "sf":
            place = found.starts if e["ph"] == "s" else found.ends
            assert e["id"] not in place and (e["ph"] == "s" or e["bp"] == "e")
            place[e["id"]] = (e["tid"], ns(e["ts"], base))
        else:
            assert e["ph"] == "M", e
    first = min([s[1] for s in found.slices] + [s[2] for s in found.samples])
    assert first == base, (first, base)
    return found


def depths(slices):
    """The depth of each slice of a track: sorted by start, the longer one first."""
    stack, found = [], []
    for track, start, dur, name, args in sorted(slices, key=lambda s: (s[0], s[1], -s[2])):
        if stack and stack[-1][0] != track:
            stack = []
        while stack and stack[-1][1] <= start:
            stack.pop()
        assert not stack or start + dur <= stack[-1][1], ("overlap", track, start, dur, name)
        found.append((track, start, dur, len(stack)))
        stack.append((track, start + dur))
    return found


def same(what, a, b):
    if a != b:
        print(f"{what}: {sum(a.values())} and {sum(b.values())}; only first {list((a - b).items())[:3]}, "
              f"only second {list((b - a).items())[:3]}", file=sys.stderr)
        sys.exit(1)


def compare(p, j):
    count = collections.Counter
    notes = {u for u, (parent, _, _, counter) in p.tracks.items() if p.processes[parent][1] == "msprof"}
    same("processes", count({(pid, name): 1 for pid, name in p.processes.values() if name != "msprof"}), count(j.processes.items()))
    same("tracks", count((u, p.processes[t[0]][0], t[1]) for u, t in p.tracks.items() if not t[3] and u not in notes),
         count((tid, pid, name) for tid, (pid, name) in j.tracks.items()))
    same("slices", count((s.track, s.start, s.dur, s.name, s.args) for s in p.slices), count(j.slices))
    # slices of no length have no place of their own in an order of times
    same("nesting", count((s.track, s.start, s.dur, s.depth) for s in p.slices if s.dur), count(d for d in depths(j.slices) if d[2]))
    same("samples", count((p.processes[p.tracks[t][0]][0], p.tracks[t][1], time, v) for t, time, v in p.samples), count(j.samples))
    same("notes", count(n[2] for n in p.notes), count(": ".join(n).replace("\x1f", ",") for n in j.notes))
    compare_arrows(p, j)


def compare_arrows(p, j):
    ends = collections.defaultdict(list)
    for s in p.slices:
        for flow in s.flows:
            ends[flow].append((s.start, s.track))
    assert all(len(e) == 2 for e in ends.values()), "an arrow has not two ends"
    assert set(j.starts) == set(j.ends) == set(ends), "the arrows differ"
    for flow, pair in ends.items():
        assert j.starts[flow][1] <= j.ends[flow][1]
        assert sorted(pair) == sorted([j.starts[flow][::-1], j.ends[flow][::-1]]), flow
    return len(ends)


def vendor(path):
    """The slices of a trace in the vendor's form: (name, start, dur, thread or stream), times of the day in nanoseconds."""
    with open(path) as f:
        events = json.load(f, parse_float=Real)
    return collections.Counter((e["name"] or "N/A", ns(e["ts"], 0), round(Fraction(e.get("dur", 0)) * 1000),
                                e["tid"] if e["pid"] >> 5 & 31 in (6, 7, 14) and not e.get("cat") else None) for e in events if e["ph"] == "X")


def number_of(track):
    """The thread or stream in the name of a track."""
    found = re.match(r"(?:Thread|Stream) (-?\d+)", track)
    return int(found[1]) if found else None


ROW = "SELECT coalesce(nullif(name, ''), 'N/A'), start_ns, max(coalesce(dur_ns, 0), 0), {}, {} FROM {} WHERE start_ns IS NOT NULL"
STREAM = "'Stream ' || stream_id"
# by the begin of their processes, the slices that views of a family have: name, start, length, process, track
VIEWS = {
    "svp": {"ACL, ": ROW.format("'ACL, process ' || pid", "'Thread ' || tid", "api_calls"),
            "NPU ": ROW.format("'NPU ' || device_id || ', ' || coalesce(model || '.' || model_id || '.' || batch, 'unknown model')",
                               "CASE task_type WHEN 'AA_CPU' THEN 'AA CPU, stream ' ELSE 'Stream ' END || stream_id", "tasks")},
    "ascend910": {"NPU ": ROW.format("'NPU ' || device_id", STREAM, "tasks")},
    "ascend2022": {"AscendCL, ": ROW.format("'AscendCL, process ' || pid", "'Thread ' || tid", "api_calls"),
                   "Task Scheduler, ": ROW.format("'Task Scheduler, NPU ' || device_id", STREAM, "tasks")},
    "prof": {}}  # the vendor's form has them


def compare_views(p, db, family):
    """The slices of tasks and calls are the rows of the views, on their tracks."""
    db.text_factory = lambda b: b.decode(errors="replace")
    for begin, sql in VIEWS[family].items():
        wanted = collections.Counter((n.replace("\x1f", ","), s, min(d, 2**63 - 1 - s), process, track) for n, s, d, process, track in db.execute(sql))
        found = collections.Counter()
        for s in p.slices:
            process, track = p.processes[p.tracks[s.track][0]][1], p.tracks[s.track][1]
            if process.startswith(begin) and not track.startswith(("Inferences", "Iterations")):
                found[s.name, s.start, s.dur, process, track] += 1
        same(begin, wanted, found)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("job")
    options.add_argument("--dir", default="timeline")
    options.add_argument("--vendor", help="a trace in the vendor's form with the same slices")
    options.add_argument("--part", action="store_true", help="the trace has not all rows of the database")
    options.add_argument("--lax", action="store_true", help="do not look for unknown fields, which takes long")
    o = options.parse_args()
    p, j = perfetto.read(f"{o.job}/{o.dir}/trace.pftrace", not o.lax), read_json(f"{o.job}/{o.dir}/trace.json")
    compare(p, j)
    db = sqlite3.connect(f"file:{o.job}/sqlite/msprof.db?mode=ro", uri=True)
    family = db.execute("SELECT value FROM meta WHERE key = 'family'").fetchone()[0]
    if not o.part:
        compare_views(p, db, family)
    if o.vendor:
        same("the vendor's form", vendor(o.vendor), collections.Counter((s.name, s.start, s.dur, number_of(p.tracks[s.track][1])) for s in p.slices))
    print(f"{len(p.slices)} slices, {len(p.samples)} samples, {len(j.starts)} arrows, {len(p.tracks)} tracks, {len(p.notes)} notes")


if __name__ == "__main__":
    main()
