"""
truncate.py MSPROF JOB STEP: cuts every file of a job at every STEP-th byte, and about the ends of its first and last
records, and imports what is left: exactly the whole records, exit 0 or 3, never a signal.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys

SIZES = {"aicore": 128, "aicpu": 32, "acl_api": 128}


def is_object(line):
    try:
        return isinstance(json.loads(line.decode()), dict)
    except ValueError:
        return False


def whole_records(name, data):
    size = SIZES.get(name.split(".")[0])
    if size:
        return len(data) // size
    return sum(is_object(line) for line in data.split(b"\n") if line.strip())


def cut(msprof, job, relative, length, marker):
    path = os.path.join(job, relative)
    with open(path, "rb") as f:
        whole = f.read()
    stat = os.stat(path)
    data = whole[:length]
    with open(path, "wb") as f:
        f.write(data)
    run = subprocess.run([msprof, "import", "-q", "-dir", job], capture_output=True, text=True, check=False)
    place = f"{relative} cut at {length}: status {run.returncode}: {run.stderr}"
    assert run.returncode in (0, 3), place
    db = sqlite3.connect(f"file:{job}/sqlite/msprof.db?mode=ro", uri=True)
    records, size, good, blank, bad = db.execute(
        "SELECT records, size, record_bytes, blank_bytes, damaged_bytes FROM source WHERE file = ?", [relative]
    ).fetchone()
    assert (size, good + blank + bad) == (length, length), f"{place}: {size} = {good} + {blank} + {bad}"
    if relative.startswith("data/"):
        wanted = whole_records(os.path.basename(relative), data)
        assert records == wanted, f"{place}: {records} records, not {wanted}"
        lost = bad > 0 or (marker and length < marker)
    else:
        lost = not is_object(data)
    assert run.returncode == (3 if lost else 0), place
    others = db.execute("SELECT count(*) FROM source WHERE damaged_bytes > 0 AND file <> ?", [relative]).fetchone()
    assert others == (0,), place
    db.close()
    with open(path, "wb") as f:
        f.write(whole)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def edges(name, data):
    """Where what is whole changes: the ends of the file and of its first and last two records, and the bytes beside."""
    size = SIZES.get(name.split(".")[0])
    ends = list(range(size, len(data) + 1, size)) if size else [m.end() for m in re.finditer(b"\n", data)]
    places = {0, len(data), *ends[:2], *ends[-2:]}
    return {at for place in places for at in (place - 1, place, place + 1) if 0 <= at <= len(data)}


def main(msprof, job, step):
    count = 0
    names = ["info.json.0"] + [f"data/{n}" for n in sorted(os.listdir(os.path.join(job, "data")))]
    for number, name in enumerate(n for n in names if not n.endswith(".done")):
        size, marker = os.path.getsize(os.path.join(job, name)), None
        if os.path.exists(os.path.join(job, name + ".done")):
            with open(os.path.join(job, name + ".done"), encoding="ascii") as f:
                marker = int(re.fullmatch(r"filesize:(\d+)\n", f.read())[1])
        with open(os.path.join(job, name), "rb") as f:
            ends = edges(os.path.basename(name), f.read())
        for length in sorted(ends | set(range(number % int(step), size, int(step)))):
            cut(msprof, job, name, length, marker)
            count += 1
    print(f"{count} imports")


main(*sys.argv[1:])
