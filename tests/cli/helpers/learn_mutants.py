#!/usr/bin/env python3
"""learn_mutants.py MSPROF PLACE FIRST COUNT JOB...: learn on damaged copies of jobs that have tables, one a seed.

tests/svp/mutate.py damages the job in its way; then bytes, cells, lines and names of its tables are changed, or a table becomes a database
of SQLite, which is damaged as well. learn may take 4 s of a processor and 8 s for 1 MB, ends with exit status 0, 1 or 3, and prints no
control character. Prints what is not so, and a line of sums; exit status 1 if anything is not so.
"""
import glob
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import learn_heavy

MUTATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svp/mutate.py")
CELLS = (b"", b"0", b"-", b"N/A", b"1e18", b"-1", b"0." + b"0" * 300 + b"1", b"9" * 40, b'"', b"\xff\xfe", b"~", b"1,2,3", b"99999999999999999999",
         b"nan", b"\x1b[31m", b"1e-9")


def change_table(d, data):
    """One change of a table of text."""
    lines = data.split(b"\n")
    kind = d.randrange(9)
    if kind == 0:
        return data[:d.randrange(len(data) + 1)]
    if kind == 1 and data:
        at = d.randrange(len(data))
        return data[:at] + bytes([d.randrange(256)]) + data[at + 1:]
    if kind == 2:
        lines[d.randrange(len(lines))] = d.randbytes(d.randrange(200))
    elif kind in (3, 4, 5):
        row = d.randrange(len(lines))
        cells = lines[row].split(b",")
        cells[d.randrange(len(cells))] = d.choice(CELLS)
        lines[row] = b",".join(cells)
    elif kind == 6:
        lines += d.sample(lines, d.randrange(len(lines))) * d.randrange(1, 30)
    elif kind == 7:
        column, cell = d.randrange(20), d.choice(CELLS)
        lines = [b",".join(cell if k == column else c for k, c in enumerate(line.split(b","))) for line in lines]
    else:
        d.shuffle(lines)
    return b"\n".join(lines)


def damage_tables(d, job):
    for path in sorted(glob.glob(job + "/summary/*")):
        if not os.path.isfile(path) or os.path.islink(path):
            continue
        if d.random() < 0.15:  # a database in place of the table, which has its cells
            with open(path, encoding="utf-8", errors="replace") as f:
                rows = [line.rstrip("\n").split(",") for line in f][:50]
            os.unlink(path)
            with sqlite3.connect(path) as db:
                db.execute("CREATE TABLE op_summary(a, b)")
                db.executemany("INSERT INTO op_summary VALUES(?, ?)", [(row[0], row[-1]) for row in rows])
            db.close()
            with open(path, "rb") as f:
                data = bytearray(f.read())
            for _ in range(d.randrange(20)):
                data[d.randrange(len(data))] = d.randrange(256)
            data = bytes(data[:d.randrange(len(data))] if d.random() < 0.3 else data)
            os.unlink(path)
            path = path.rsplit(".", 1)[0] + d.choice((".db", ".csv", ".json"))
        else:
            with open(path, "rb") as f:
                data = f.read()
            for _ in range(d.randrange(4)):
                data = change_table(d, data)
        with open(path, "wb") as f:
            f.write(data)


def main():
    msprof, place, first, count, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
    worst, bad, ends = 0, 0, {}
    for seed in range(first, first + count):
        d = random.Random(seed)
        source = d.choice(jobs)
        with tempfile.TemporaryDirectory(dir=place) as top:
            job = top + "/JOBMUTANT"
            if d.random() < 0.7:
                subprocess.run([sys.executable, MUTATE, str(seed), source, job], check=True, stdout=subprocess.DEVNULL)
            else:
                shutil.copytree(source, job)
            damage_tables(d, job)
            tables = sorted(glob.glob(job + "/summary/*"))
            size = learn_heavy.size_of(job)
            words = ["--from", d.choice(tables)] if tables and d.random() < 0.3 else []
            took, status, gave_up, why = learn_heavy.complaint(msprof, job, top + "/out", 4 + 8 * size, *words)
        worst = max(worst, took / max(size, 1))
        ends[(status, gave_up)] = ends.get((status, gave_up), 0) + 1
        if why:
            bad += 1
            print("%d: %s: WRONG: %s" % (seed, source, why), flush=True)
    print(learn_heavy.sums(count, worst, ends, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
