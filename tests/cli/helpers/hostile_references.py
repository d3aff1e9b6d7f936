#!/usr/bin/env python3
"""hostile_references.py MSPROF JOB DIR: gives learn references of every hostile kind, made below DIR of the tables of a job.

Each must end with exit status 1 or 3 within a minute, say why, and print no control character: alone, beside the whole table, and in
summary of the job beside it. Prints what does not; exit status 1 if any.
"""
import csv
import glob
import io
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# Parts of the whole table: beside it they are believed.
PARTS = ("one task", "four tasks")
ODD_NUMBERS = ("1e308", "1e-308", "nan", "inf", "-inf", "0x10", "1e99999999999", ".", "-", "+5", "1.")


class References:
    """The cases: a name, and the paths that --from names."""

    def __init__(self, job, place):
        self.place, self.cases, self.count, self.d = place, {}, 0, random.Random(5)
        os.makedirs(place)
        with open(glob.glob(job + "/summary/op_summary*.csv")[0], encoding="utf-8", newline="") as f:
            self.rows = list(csv.reader(f))

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
        self.table("a cell of 5 MB", [row[:5] + ["x" * 5000000] + row[6:] if index == 5 else row for index, row in enumerate(self.rows)])
        self.put("NUL in cells", text.replace(",", ",\0", 200))
        self.put("noise", self.d.getrandbits(80000).to_bytes(10000, "little"))
        self.put("a quote that never ends", text[:400] + '"' + text[400:])
        self.table("100,000 columns", [["c%d" % k for k in range(100000)], ["1"] * 100000])
        self.put("200,000 empty rows", ",".join(self.rows[0]) + "\n" + ",,,,\n" * 200000)
        self.table("one title for all columns", [[self.rows[0][5]] * len(self.rows[0]), *self.rows[2:]])

    def make_files(self):
        """Texts of other kinds and encodings."""
        text = "".join(",".join(row) + "\n" for row in self.rows)
        row = text.rindex("\n", 0, len(text) * 2 // 3)
        self.put("a table cut within a row", text[: text.index(",", row + 20) + 2])
        self.put("a table cut within a title", text[:20])
        chinese = ",".join("任务利用率%d" % k for k in range(len(self.rows[0]))) + text[text.index("\n") :]
        self.put("titles in GBK", chinese.encode("gbk"))
        self.put("UTF-16", text.encode("utf-16"))
        for kind in ("db", "csv"):
            file = self.put("a database as ." + kind, "", kind)
            with sqlite3.connect(file) as db:
                db.execute("CREATE TABLE op_summary(%s)" % ",".join('"%s"' % title for title in self.rows[0]))
                db.executemany("INSERT INTO op_summary VALUES(%s)" % ",".join("?" * len(self.rows[0])), self.rows[1:])
            with open(file, "rb") as f:
                self.put("a damaged database as ." + kind, f.read()[:5000], kind)

    def make_json(self):
        objects = [dict(zip(self.rows[0], row)) for row in self.rows[1:]]
        text = json.dumps(objects)
        self.put("brackets", "[" * 100000 + "]" * 100000, "json")
        self.put("objects in objects", '[{"Task ID":' * 20000 + "1" + "}]" * 20000, "json")
        self.put("a table that was cut", text[:-50], "json")
        self.put("an object in place of a table", json.dumps({"rows": objects}), "json")
        self.put("a trace", json.dumps([{"ph": "X", "name": "conv", "ts": 1, "dur": 2, "args": {"Task Id": 1}}] * 40), "json")
        self.put("numbers that are lists", json.dumps([{**row, "Time(us)": [row["Time(us)"]] * 3} for row in objects]), "json")
        self.put("names with control characters", json.dumps([{**row, "Layer Name": "\x1b[31m\x00\u202e", "Time(us)": 1} for row in objects]), "json")
        self.put("one title often", "[{" + ",".join('"Time(us)":1' for _ in range(200)) + "}," + ",".join(['{"Time(us)":123456789}'] * 999) + "]", "json")

    def make_places(self):
        os.symlink("/dev/zero", self.path("zero.csv"))
        os.mkfifo(self.path("pipe.csv"))
        os.mkdir(self.path("empty"))
        os.mkdir(self.path("directory.csv"))
        self.cases.update({"a device": [self.path("zero.csv")], "a directory as .csv": [self.path("directory.csv")],
                           "a pipe": [self.path("pipe.csv")], "an empty directory": [self.path("empty")],
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


def copy_beside(job, to, path):
    """A copy of the job, in whose summary a reference lies beside the whole table."""
    shutil.copytree(job, to)
    name = os.path.join(to, "summary", "op_summary_0.other.9.1.1.0" + os.path.splitext(path)[1])
    if os.path.isfile(path) and not os.path.islink(path):
        shutil.copyfile(path, name)
    elif os.path.isdir(path):
        os.mkdir(name)
    else:
        os.symlink(path, name)
    return to


def main():
    msprof, job, place = sys.argv[1:]
    whole = glob.glob(job + "/summary/op_summary*.csv")[0]
    references = References(job, place)
    references.make_tables()
    references.make_files()
    references.make_json()
    references.make_places()
    complaints = []
    for name, paths in references.cases.items():
        with tempfile.TemporaryDirectory(dir=place) as top:
            why = complaint(msprof, job, os.path.join(top, "out"), paths)
            if not why and name not in PARTS:
                why = complaint(msprof, job, os.path.join(top, "beside"), [whole, *paths])
            if not why and name not in PARTS and len(paths) == 1 and paths[0].endswith((".csv", ".json")):
                why = complaint(msprof, copy_beside(job, os.path.join(top, "job"), paths[0]), os.path.join(top, "in"), [])
        complaints += ["%s: %s" % (name, why)] if why else []
    print("\n".join(complaints) or "%d references, none is believed" % len(references.cases))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
