#!/usr/bin/env python3
"""prof_compare.py EXPECTED MADE...: compare exports of a PROF directory with a reference's, file by file.

A file is paired by its name without the time of the export. CSV: the same bytes. Traces: the same events, whatever their
order, and one more of kind M called "msprof". Databases: the same tables, columns and rows, where numbers that
name a string stand for the string.
"""
import csv
import json
import os
import re
import sqlite3
import sys
from collections import Counter

# numbers of strings, by column
STRINGS = {
    "MSTX_EVENTS": {"message", "domainId"},
    "TASK_PMU_INFO": {"name"},
    "CANN_API": {"name"},
    "TASK": {"taskType"},
    "COMPUTE_TASK_INFO": {"name", "taskType", "opType", "inputFormats", "inputDataTypes", "inputShapes", "outputFormats",
                          "outputDataTypes", "outputShapes", "attrInfo", "opState", "hf32Eligible", "gridDim", "blockDim"},
}


def key_of(path):
    return re.sub(r"_\d{14}(?=\.)", "", os.path.basename(path))


def compare_csv(expected, made):
    with open(expected, newline="") as a, open(made, newline="") as b:
        left, right = list(csv.reader(a)), list(csv.reader(b))
    if open(expected, "rb").read() == open(made, "rb").read():
        return []
    faults = []
    for number, (x, y) in enumerate(zip(left, right)):
        if x != y:
            cells = [f"{t}: {u!r} != {v!r}" for t, u, v in zip(left[0] + [""] * 99, x, y) if u != v]
            faults.append(f"row {number}: {'; '.join(cells[:4])}" if len(x) == len(y) else f"row {number}: {len(x)} cells, not {len(y)}")
    if len(left) != len(right):
        faults.append(f"{len(left)} rows, not {len(right)}")
    return faults or ["other bytes"]


def compare_json(expected, made):
    def events(path):
        return Counter(json.dumps(e, sort_keys=True) for e in json.load(open(path)) if (e["name"], e["ph"]) != ("msprof", "M"))
    left, right = events(expected), events(made)
    return [f"missing: {e}" for e in (left - right)] + [f"too many: {e}" for e in (right - left)]


def rows_of(db, table):
    names = dict(db.execute("SELECT id, value FROM STRING_IDS"))
    columns = [c[1] for c in db.execute(f"PRAGMA table_info({table})")]
    strings = STRINGS.get(table, set())
    return Counter(tuple(names.get(v, v) if c in strings else float(v) if isinstance(v, float) else v
                         for c, v in zip(columns, row)) for row in db.execute(f"SELECT * FROM {table}"))


def compare_db(expected, made):
    left, right = (sqlite3.connect(f"file:{p}?mode=ro&immutable=1", uri=True) for p in (expected, made))
    schemas = [dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")) for db in (left, right)]
    faults = [f"schema of {n}: {schemas[0].get(n)!r} != {schemas[1].get(n)!r}"
              for n in sorted(set(schemas[0]) | set(schemas[1])) if schemas[0].get(n) != schemas[1].get(n)]
    for table in sorted(set(schemas[0]) & set(schemas[1])):
        if table == "STRING_IDS" or not schemas[0][table].startswith("CREATE TABLE"):
            continue
        a, b = rows_of(left, table), rows_of(right, table)
        faults += [f"{table}: missing {r}" for r in (a - b)][:5] + [f"{table}: too many {r}" for r in (b - a)][:5]
    values = [Counter(v for (v,) in db.execute("SELECT value FROM STRING_IDS")) for db in (left, right)]
    if values[0] != values[1]:
        faults.append(f"STRING_IDS: missing {values[0] - values[1]}, too many {values[1] - values[0]}")
    return faults


def main():
    compare = {"csv": compare_csv, "json": compare_json, "db": compare_db}
    made = {key_of(p): p for p in sys.argv[2:]}
    seen, bad = 0, 0
    for name in sorted(os.listdir(sys.argv[1])):
        if key_of(name) not in made or not name.split(".")[-1] in compare:
            continue
        seen += 1
        faults = compare[name.split(".")[-1]](os.path.join(sys.argv[1], name), made[key_of(name)])
        bad += bool(faults)
        for fault in faults[:20]:
            print(f"{key_of(name)}: {fault}")
    if seen != len(made):
        print(f"{len(made)} files, but {seen} of them are expected")
    return bad or seen != len(made)


sys.exit(1 if main() else 0)
