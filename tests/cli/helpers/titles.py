#!/usr/bin/env python3
"""titles.py MSPROF DIR STYLE: the titles of each table of show, query and check are the same in table, CSV and JSON."""
import csv
import json
import subprocess
import sys

msprof, job, style = sys.argv[1:]


def run(*words):
    done = subprocess.run([msprof, *words], capture_output=True, text=True)
    assert done.returncode in (0, 3), (words, done.stderr)
    return done.stdout


def of_tables(text):
    """The titles of each grid, in order: cells of the lines between its top rule and the rule below the titles."""
    grids, cells = [], None
    for line in text.splitlines():
        if line.startswith(("╒", "+-")) and cells is None:
            cells = []
        elif line.startswith(("╞", "+=")):
            grids.append([c for column in zip(*cells) for c in column if c])
            cells = None
        elif cells is not None:
            cells.append([c.strip() for c in line.strip("│|").split("│" if "│" in line else "|")])
    return grids


def compare(command, *words):
    seen = 0
    doc = json.loads(run(command, "-dir", job, "--format", "json", *words))["tables"]
    for name in dict.fromkeys(t["table"] for t in doc):
        tables = [t for t in doc if t["table"] == name]
        text = run(command, "-dir", job, "--table", name, *words)
        rows = list(csv.reader(run(command, "-dir", job, "--table", name, "--format", "csv", *words).splitlines()))
        assert text.startswith(name + " :"), text[:200]
        keys = [k for k in tables[0] if k not in ("table", "rows", "no_data", "more_rows")]
        wanted = list(dict.fromkeys(k for t in tables for r in t["rows"] for k in r))
        assert rows[0][:len(keys)] == keys, (name, rows[0], keys)
        assert not wanted or rows[0][len(keys):] == wanted, (name, rows[0], wanted)
        assert all(len(r) == len(rows[0]) for r in rows), name
        per_table = [list(t["rows"][0]) for t in tables if t["rows"]]
        assert of_tables(text) == per_table, (name, of_tables(text), per_table)
        assert len(rows) - 1 == sum(len(t["rows"]) for t in tables) or not wanted, name
        seen += len(wanted)
    return seen


total = compare("show", "--each", "--style", style) + compare("query") + compare("check")
assert total > 20, total
