"""victim.py FIRST COUNT VICTIM PRELOADED MSPROF PRELOAD [refused|older]: runs victims with COUNT seeds from FIRST on.

Victims with an odd seed are those of the preload. Each has files and directories of its own, which are compared
byte by byte with what was written before; and each call that it noted must be in its result, or counted as lost.
"""
import json
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys

FIRST, COUNT = int(sys.argv[1]), int(sys.argv[2])
VICTIM, PRELOADED, MSPROF, PRELOAD = (os.path.abspath(path) for path in sys.argv[3:7])
REFUSED = sys.argv[7:8]
ENDS = ["finalize", "return", "kill", "_exit"]
NAMES = "('own', 'aclrtMalloc', 'svp_acl_rt_malloc')"


def own_files(place):
    for directory in range(3):
        (place / f"mine/d{directory}").mkdir(parents=True)
        for number in range(12):
            text = f"precious {directory} {number} ".encode()
            (place / f"mine/d{directory}/file{number}").write_bytes((text * 4096)[:4096])


def contents(place):
    return {str(path.relative_to(place)): path.read_bytes() if path.is_file() else None
            for path in sorted((place / "mine").rglob("*"))}


def facts_of(result):
    files = [*result.parent.glob(f"msprof.{result.name}/data/recorder.json.0"), *result.glob("host/info.json")]
    return json.loads(files[0].read_text())


def pid_of(result):
    return int(facts_of(result)["pid"])


def told_lost(result):
    return facts_of(result)["lost"]


def found(result):
    subprocess.run([MSPROF, "import", "-q", "-dir", result], check=True, capture_output=True)
    with sqlite3.connect(f"file:{result}/sqlite/msprof.db?mode=ro", uri=True) as db:
        of = "api_call WHERE name" if result.name.startswith("JOB") else \
            "api a JOIN type_info_dic t USING (level, type) WHERE t.name"
        return db.execute(f"SELECT count(*) FROM {of} IN {NAMES}").fetchone()[0]


def run(seed, place):
    kind, end, preloaded = ["JOB", "PROF"][seed // 2 % 2], ENDS[seed // 4 % 4], seed % 2
    own_files(place)
    (place / "out").mkdir()
    (place / "acl.json").write_text('{"profiler": {"switch": "on", "output": "./out", "runtime_api": "on"}}')
    before = contents(place)
    env = dict(os.environ, LD_PRELOAD=PRELOAD) if preloaded else os.environ
    with subprocess.Popen([PRELOADED if preloaded else VICTIM, str(seed), "notes", end, kind, *REFUSED], cwd=place,
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as victim:
        told = victim.communicate()
    assert victim.returncode == (-9 if end == "kill" else 0), (seed, kind, end, victim.returncode, told)
    after = contents(place)
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    assert not changed, (seed, kind, end, changed)
    noted, running = struct.unpack("<2Q", (place / "notes").read_bytes()[:16])
    results = {pid_of(result): result for result in (place / "out").glob("[JP]*")}
    for pid, result in results.items():
        if pid != victim.pid:
            found(result)  # of a child: it can be read
    result = results[victim.pid]
    there = found(result)
    lost = told_lost(result)
    assert there <= noted + running + 1, (seed, kind, end, there, noted)
    assert REFUSED == ["refused"] or there + lost >= noted, (seed, kind, end, there, lost, noted)
    return noted, there, lost


sums = [0, 0, 0]
for seed in range(FIRST, FIRST + COUNT):
    place = pathlib.Path(f"victim{seed}").absolute()
    place.mkdir()
    sums = [a + b for a, b in zip(sums, run(seed, place))]
print("{} seeds, 0 bytes changed, {} calls: {} there, {} lost".format(COUNT, *sums))
