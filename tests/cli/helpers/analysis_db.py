#!/usr/bin/env python3
"""Compares the database of analyze/ with its JSON files: analysis_db.py DIRECTORY. Prints how many rows each table has."""
import json
import sqlite3
import sys

place = sys.argv[1]


def exact(value):
    """A number as SQLite keeps it in a column of numbers."""
    value = float(value) if isinstance(value, str) else value
    return int(value) if isinstance(value, float) and value == int(value) else value


times, bands, links = [], [], []
for key, told in json.load(open(f"{place}/communication.json")).items():
    if "@" in key:
        name = key.split("@")
        times.append(name + [v for k, v in told["Communication Time Info"].items() if "Ratio" not in k])
        for kind, band in told["Communication Bandwidth Info"].items():
            *numbers, sizes = band.values()
            for size, took in (sizes or {"0": [0, 0]}).items() if sum(numbers) else ():
                bands.append(name + [kind] + numbers + [size, *took])
for key, told in json.load(open(f"{place}/communication_matrix.json")).items():
    if "@" in key:
        links += [key.split("@") + pair.split("-") + list(link.values()) for pair, link in told.items()]
database = sqlite3.connect(f"file:{place}/communication_analyzer.db?mode=ro", uri=True)
for table, rows, texts in ("Time", times, 2), ("Bandwidth", bands, 3), ("Matrix", links, 5):
    rows = [tuple(row[:texts]) + tuple(exact(value) for value in row[texts:]) for row in rows]
    stored = database.execute(f"SELECT * FROM CommAnalyzer{table}").fetchall()
    assert stored == rows, (table, stored[:2], rows[:2])
    print(table, len(rows), end=" ")
