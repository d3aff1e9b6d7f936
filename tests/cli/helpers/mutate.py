"""
mutate.py MSPROF JOB COUNT SEED: harms one file of a job at random and runs a command, COUNT times.
Status 0 or 3, or 1 with an error message; never a signal, never a database that is not sound.
"""
import os
import random
import re
import sqlite3
import subprocess
import sys


def mutate(r, data):
    data = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 5, 20))):
        at = r.randrange(len(data) + 1)
        what = r.randrange(6)
        if what == 0 and at < len(data):
            data[at] ^= 1 << r.randrange(8)
        elif what == 1 and at < len(data):
            data[at] = r.choice((0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x22, 0x2C, 0x5A))
        elif what == 2:
            del data[at : at + r.choice((1, 2, 3, 7, 32, 128))]
        elif what == 3:
            data[at:at] = r.randbytes(r.choice((1, 2, 3, 7, 32, 128)))
        elif what == 4:
            data[at : at + 8] = r.choice((b"\xff" * 8, b"\0" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 7 + b"\x80"))
        else:
            piece = data[at : at + r.choice((4, 16, 128, 500))]
            to = r.randrange(len(data) + 1)
            data[to:to] = piece
    return bytes(data)


def harm(r, job, names):
    name = os.path.join(job, r.choice(names))
    stat = os.stat(name)
    with open(name, "rb") as f:
        whole = f.read()
    harmed = mutate(r, whole)
    with open(name, "wb") as f:
        f.write(harmed)

    def undo():
        with open(name, "wb") as f:
            f.write(whole)
        os.utime(name, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    return name, undo


def job_commands(msprof):
    """The commands of the overview that work on any job, each as its words."""

    def output(*words):
        return subprocess.run([msprof, *words], capture_output=True, check=True, text=True).stdout

    listed = output("help").split("\nCommands:\n")[1].split("\n\n")[0]
    names = [name.split() for name in re.findall(r"^  ([a-z][a-z ]*[a-z])  ", listed, re.M)]
    # learn writes to where it runs, and has tests of its own
    return [name for name in names if name[0] not in ("help", "learn") and " [-dir] JOB " in output("help", *name).split("\n")[0]]


def main(msprof, job, count, seed):
    r = random.Random(int(seed))
    commands = job_commands(msprof)
    names = ["info.json.0"] + [f"data/{n}" for n in sorted(os.listdir(os.path.join(job, "data")))]
    database = os.path.join(job, "sqlite", "msprof.db")
    for number in range(int(count)):
        name, undo = harm(r, job, names)
        if os.path.exists(database):
            os.unlink(database)
        command = r.choice(commands)
        run = subprocess.run([msprof, *command, "-dir", job], capture_output=True, check=False, timeout=600)
        place = f"mutation {number} of seed {seed}, {name}, {command}: {run.returncode} {run.stderr!r}"
        fine = run.returncode in (0, 3) or (run.returncode == 1 and b"msprof: error: " in run.stderr)
        if not fine or b"\x1b" in run.stdout + run.stderr:
            raise AssertionError(place)
        # only a frequency that is no number fails an import
        assert run.returncode != 1 or b"frequency" in run.stderr or b"devices" in run.stderr, place
        if os.path.exists(database) and number % 10 == 0:
            db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",), place
            sums = ("SELECT file FROM source WHERE state = 'raw' GROUP BY file"
                    " HAVING max(size) <> total(record_bytes) + total(blank_bytes) + total(damaged_bytes)")
            assert db.execute(sums).fetchone() is None, place
            db.close()
        undo()
    print(f"{count} mutations")


main(*sys.argv[1:])
