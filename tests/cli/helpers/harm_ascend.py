#!/usr/bin/env python3
"""harm_ascend.py MSPROF JOB STEP FLIP EXPORTS: cuts every file of a job at every STEP-th byte and about the ends of its first
and last records, flips bits of every FLIP-th byte of its first records, one at a time, and imports what is left: exit 0
or 3, 3 exactly when something was lost, every byte accounted for, the whole records of a cut file there, and after
every EXPORTS-th import exports that end well."""
import os
import sqlite3
import subprocess
import sys

SIZES = {"AclModule.acl": 128, "hwts.": 64, "aicore.": 128, "Framework.task_desc": 256, "Framework.model_load": 256,
         "Framework.tensor": 256, "ts_track": 40}
KINDS = ("summary", "timeline")


def run(msprof, *words):
    return subprocess.run([msprof, *words, "-q"], capture_output=True, text=True, check=False)


def check(msprof, job, relative, what, kinds, length=None):
    r = run(msprof, "import", "-dir", job)
    place = "%s %s: status %d: %s" % (relative, what, r.returncode, r.stderr)
    assert r.returncode in (0, 3), place
    db = sqlite3.connect("file:%s/sqlite/msprof.db?mode=ro" % job, uri=True)
    lost = db.execute("SELECT count(*) FROM loss").fetchone()[0]
    assert (r.returncode == 3) == (lost > 0), place
    for file, size, accounted in db.execute(
            "SELECT file, max(size), sum(record_bytes + blank_bytes + damaged_bytes) FROM source"
            " WHERE state IN ('raw', 'info') GROUP BY file"):
        assert size == accounted, "%s: %s: %d of %d bytes" % (place, file, accounted, size)
    for prefix, size in SIZES.items():
        if length is not None and relative.startswith("data/" + prefix):
            found = db.execute("SELECT sum(records) FROM source WHERE file = ?", [relative]).fetchone()[0]
            assert found == length // size, "%s: %d records" % (place, found)
    db.close()
    for kind in kinds:
        e = run(msprof, "export", kind, "-dir", job)
        assert e.returncode in (0, 3), "%s: export %s: %d: %s" % (place, kind, e.returncode, e.stderr)


def edges(name, size):
    """The ends of a file and of its first and last record, and the bytes beside."""
    record = next((r for prefix, r in SIZES.items() if name.startswith("data/" + prefix)), size)
    places = {0, record, size // record * record if record else 0, size}
    return {at for place in places for at in (place - 1, place, place + 1) if 0 <= at < size}


def main(msprof, job, step, flip, exports):
    count = 0
    names = sorted(n for n in os.listdir(job) if os.path.isfile(os.path.join(job, n)))
    names += ["data/" + n for n in sorted(os.listdir(os.path.join(job, "data"))) if not n.endswith(".done")]
    for number, name in enumerate(names):
        path = os.path.join(job, name)
        with open(path, "rb") as f:
            whole = f.read()
        stat = os.stat(path)
        for length in sorted(edges(name, len(whole)) | set(range(number % step, len(whole), step))):
            with open(path, "wb") as f:
                f.write(whole[:length])
            check(msprof, job, name, "cut at %d" % length, KINDS if count % exports == 0 else (), length)
            count += 1
        for offset in range(0, min(len(whole), 48), flip):
            with open(path, "wb") as f:
                f.write(whole[:offset] + bytes([whole[offset] ^ 0x81]) + whole[offset + 1:])
            check(msprof, job, name, "flipped at %d" % offset, KINDS if count % exports == 0 else ())
            count += 1
        with open(path, "wb") as f:
            f.write(whole)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    print("%d imports" % count)


main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
