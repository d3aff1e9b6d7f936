"""cluster_archive.py MSPROF ALL SOME PLANTED: what an archive of `msprof cluster --trace` has, from the databases of ./top and what was planted.

ALL is of all ranks; SOME of ranks 0 and 2, from 3 to 6 ms. Rank 0 is an aggregate. Anything that differs ends it with a message.
"""
import glob
import json
import os
import re
import sqlite3
import sys
import tarfile
import tempfile

import perfetto

msprof, whole, some, planted = sys.argv[1:]
planted = json.loads(planted)


def members(path):
    """The traces of an archive, after its form was checked, as Perfetto reads it."""
    with tempfile.TemporaryDirectory() as top, tarfile.open(path, format=tarfile.USTAR_FORMAT) as tar:
        names = tar.getnames()
        tar.extractall(top)
        with open(os.path.join(top, "perfetto_manifest.json"), encoding="utf-8") as f:
            text = f.read()
        assert re.sub(r"\s", "", text).startswith('{"perfetto_manifest"'), text  # how a viewer finds it
        manifest = json.loads(text)["perfetto_manifest"]
        files = [row["path"] for row in manifest["files"]]
        machines = [row["machine"]["name"] for row in manifest["files"]]
        assert manifest["version"] == 1 and sorted(files + ["perfetto_manifest.json"]) == sorted(names), (manifest, names)
        assert len(set(machines)) == len(machines) and all(machines), machines
        return {name: perfetto.read(os.path.join(top, name)) for name in files}


def slices(trace):
    """(process, track, name, start, dur, args) of each slice."""
    for s in trace.slices:
        track = trace.tracks[s.track]
        yield track, s


def check(what, ours, theirs):
    if ours != theirs:
        sys.exit(f"{what}: {theirs}, and not {ours}")


# the collectives of each rank end together, once clocks are aligned
traces = members(whole)
check("files", ["rank_00001.pftrace", "rank_00002.pftrace", "rank_00003.pftrace", "training.pftrace"], sorted(traces))
ends, late, waits = {}, set(), set()
for track, s in slices(traces["training.pftrace"]):
    if "hcom_allReduce_" in s.name:
        ends.setdefault(dict(s.args)["Number"], []).append(s.start + s.dur)
        (late if s.name.startswith("late: ") else waits).add(dict(s.args).get("Waits for"))
check("collectives", {n: 4 for n in range(10)}, {n: len(e) for n, e in ends.items()})
for n, e in ends.items():
    assert max(e) - min(e) < 10000, (n, e)
check("processes", 4 + 1, len(traces["training.pftrace"].processes))  # the ranks, and the notes
check("marks", ({None}, {f"rank {planted['late']}"}), (late, waits))
check("marked", 10, sum(s.name.startswith("late: ") for _, s in slices(traces["training.pftrace"])))
# the traces of ranks have the tasks of their databases, on the same clock: a step of four operators ends where its collective begins
begins = {}
for track, s in slices(traces["training.pftrace"]):
    if "hcom_allReduce_" in s.name:
        begins.setdefault(s.start, s)
for path in glob.glob("top/PROF_*/sqlite/msprof.db"):
    db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    rank = json.loads(db.execute("SELECT text FROM control WHERE name = 'info.json' AND device_id IS NOT NULL").fetchone()[0])["rank_id"]
    tasks = db.execute("SELECT start_ns, dur_ns FROM task WHERE is_op = 1 ORDER BY start_ns").fetchall()
    op = db.execute("SELECT min(start_ns) FROM comm_op").fetchone()[0]
    mine = sorted((s.start, s.dur) for _, s in slices(traces[f"rank_{rank:05}.pftrace"]))
    shift = [start for start, s in begins.items() if dict(s.args)["Number"] == 0 and (start - op + tasks[0][0], tasks[0][1]) in mine]
    assert shift, f"no collective of the training is where that of rank {rank} is"
    missing = [t for t in tasks if (t[0] + shift[0] - op, t[1]) not in mine]
    check(f"tasks of rank {rank}", [], missing)
# what is chosen
first = min(s.start for _, s in slices(traces["training.pftrace"]))
part = members(some)
check("files of some", ["rank_00002.pftrace", "training.pftrace"], sorted(part))
for name, trace in part.items():
    assert trace.slices, name
    for _, s in slices(trace):
        assert s.start <= first + 6000000 and s.start + s.dur >= first + 3000000, (name, s, first)
want = sorted((s.name, s.start) for _, s in slices(traces["training.pftrace"])
              if s.start <= first + 6000000 and s.start + s.dur >= first + 3000000)
have = sorted((s.name, s.start) for _, s in slices(part["training.pftrace"]))
assert set(have) <= set(want) and 0 < len(have) < len(want), (have, want)
