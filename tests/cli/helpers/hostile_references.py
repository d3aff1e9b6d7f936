#!/usr/bin/env python3
"""hostile_references.py MSPROF JOB DIR: gives learn references of every hostile kind, made below DIR of the tables of a job.

Each must end with exit status 1 or 3 within a minute, say why, and print no control character. Prints what does not; exit status 1 if any.
"""
import csv
import glob
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

ODD_NUMBERS = ("1e308", "1e-308", "nan", "inf", "-inf", "0x10", "1e99999999999", ".", "-", "+5", "1.")


class References:
    """The cases: a name, and the paths that --from names."""

    def __init__(self, job, place):
        self.place, self.cases, self.count, self.d = place, {}, 0, random.Random(5)
        os.makedirs(place)
        with open(glob.glob(job + "/summary/op_summary*.csv")[0], encoding="utf-8", newline="") as f:
            self.rows = list(csv.reader(f))
        with open(glob.glob(job + "/timeline/task_time*.json")[0], encoding="utf-8") as f:
            events = json.load(f)
        self.events = events["traceEvents"] if isinstance(events, dict) else events

    def path(self, name):
        return os.path.join(self.place, name)

    def put(self, name, data, kind="csv"):
        self.count += 1
        file = self.path("%d.%s" % (self.count, kind))
        with open(file, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        self.cases[name] = [file]
        return file

    def table(self, name, rows):
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return self.put(name, out.getvalue())

    def edited(self, name, edit):
        """The table with other numbers; rows of tasks begin behind the titles and the totals."""
        changed = [row[:5] + [edit(index, k, cell) for k, cell in enumerate(row[5:])] for index, row in enumerate(self.rows[2:])]
        return self.table(name, [*self.rows[:2], *changed])

    def trace(self, case, **changes):
        self.put(case, json.dumps([{**event, **changes} if event["ph"] == "X" else event for event in self.events]), "json")

    def database(self, name, *statements, rows=()):
        file = self.put(name, b"", "db")
        os.remove(file)
        db = sqlite3.connect(file)
        for statement in statements:
            db.execute(statement)
        if rows:
            db.executemany("INSERT INTO op_summary VALUES (%s)" % ",".join("?" * len(rows[0])), rows)
        db.commit()
        db.close()
        return file

    def make_tables(self):
        text = "".join(",".join(row) + "\n" for row in self.rows)
        other = self.edited("other times", lambda index, k, cell: cell if k else str(float(cell) * 1.5 + index % 7))
        self.cases["two tables that contradict each other"] = [self.put("the table", text, "whole.csv"), other]
        del self.cases["the table"]
        self.table("rows twice, with other numbers", self.rows + [row[:5] + ["%d" % (k + 3) for k in range(len(row) - 5)] for row in self.rows[2:]])
        for name, count in (("no row", 1), ("totals only", 2), ("one task", 3), ("four tasks", 6)):
            self.table(name, self.rows[:count])
        self.put("nothing", "")
        self.edited("numbers of 400 digits", lambda index, k, cell: "9" * 400)
        self.edited("numbers times 1e9", lambda index, k, cell: cell + ("e9" if "." in cell else "000000000"))
        self.edited("negative numbers", lambda index, k, cell: "-" + cell)
        self.edited("odd numbers", lambda index, k, cell: ODD_NUMBERS[(index + k) % len(ODD_NUMBERS)])
        self.table("a cell of 5 MB", [row[:2] + ["x" * 5000000] + row[3:] if index == 5 else row for index, row in enumerate(self.rows)])
        self.put("NUL in cells", text.replace(",", ",\0", 200))
        self.put("noise", self.d.getrandbits(80000).to_bytes(10000, "little"))
        self.put("a quote that never ends", text[:400] + '"' + text[400:])
        self.table("100,000 columns", [["c%d" % k for k in range(100000)], ["1"] * 100000])
        self.put("200,000 empty rows", ",".join(self.rows[0]) + "\n" + ",,,,\n" * 200000)
        self.table("one title for all columns", [[self.rows[0][5]] * len(self.rows[0]), *self.rows[2:]])

    def make_traces(self):
        self.put("brackets", "[" * 100000 + "]" * 100000, "json")
        self.put("objects in objects", '{"traceEvents":' + '[{"args":' * 20000 + "1" + "}]" * 20000 + "}", "json")
        self.put("no events", '{"traceEvents": null}', "json")
        self.put("a trace that was cut", json.dumps(self.events)[:-50], "json")
        self.trace("moments of 1e300", ts=1e300, dur=-1e300)
        self.trace("moments of 2^63", ts=(1 << 63) - 1)
        self.trace("moments that are no numbers", ts=[1], dur={"a": 1})
        self.trace("arguments that are a text", args="x" * 100000)
        self.trace("names with control characters", name="\x1b[31m\x00\u202e")

    def make_databases(self):
        create = "CREATE TABLE op_summary(task_id INTEGER, time_us REAL)"
        self.database("no table", "PRAGMA user_version = 3")
        self.database("blobs", create, rows=[(self.d.randbytes(50), self.d.randbytes(9)) for _ in range(40)])
        self.database("1,500 columns", "CREATE TABLE t(%s)" % ",".join("c%d" % k for k in range(1500)), "INSERT INTO t(c0) VALUES (1)")
        self.database("an endless view", "CREATE VIEW op_summary AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
                      " SELECT i AS task_id, i AS time_us FROM n")
        self.database("generated columns", "CREATE TABLE op_summary(task_id INTEGER, time_us REAL AS (task_id * 1e308 * 10))",
                      "INSERT INTO op_summary(task_id) VALUES (1), (2)")
        self.database("odd names", 'CREATE TABLE "op""summary; DROP"("task id" TEXT, "time(us)" TEXT)', 'INSERT INTO "op""summary; DROP" VALUES (1, 2)')
        with open(self.database("a database", create, rows=[(1, 2.5), (2, 3.5)]), "rb") as f:
            data = f.read()
        self.put("a database that was cut", data[:4000], "db")
        self.put("a damaged database", data[:100] + self.d.randbytes(2000) + data[2100:], "db")
        self.put("a database that is a table", ",".join(self.rows[0]), "db")

    def make_places(self):
        os.symlink("/dev/zero", self.path("zero.csv"))
        os.mkfifo(self.path("pipe.csv"))
        os.mkdir(self.path("empty"))
        self.cases.update({"a device": [self.path("zero.csv")], "a pipe": [self.path("pipe.csv")], "an empty directory": [self.path("empty")],
                           "nothing there": [self.path("nothing.csv")]})


def complaint(msprof, job, out, paths):
    words = [word for path in paths for word in ("--from", path)]
    try:
        done = subprocess.run([msprof, "learn", "-dir", job, "--output", out, *words], capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "takes more than a minute"
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (1, 3):
        return "exit status %d: %s" % (done.returncode, said[-500:])
    if not done.stderr or any(ord(c) < 32 and c != "\n" for c in said):
        return "says nothing, or control characters: %r" % said[-500:]
    return None


def main():
    msprof, job, place = sys.argv[1:]
    references = References(job, place)
    references.make_tables()
    references.make_traces()
    references.make_databases()
    references.make_places()
    complaints = []
    for name, paths in references.cases.items():
        with tempfile.TemporaryDirectory(dir=place) as top:
            why = complaint(msprof, job, os.path.join(top, "out"), paths)
        complaints += ["%s: %s" % (name, why)] if why else []
    print("\n".join(complaints) or "%d references, none is believed" % len(references.cases))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
