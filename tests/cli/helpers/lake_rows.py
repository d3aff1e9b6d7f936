#!/usr/bin/env python3
"""lake_rows.py: are the rows of a lake those that a database was sent? Usage: lake_rows.py ROWS LAKE [ANSWERS]

ROWS are lines of fleet_loader.py, which decodes PostgreSQL's form; ANSWERS what tests/fleet/engines.mjs read in the lake. Without these the files
are read here. Prints the rows of each table."""

import collections
import glob
import gzip
import json
import os
import sys

TYPES = {"BIGINT": "int", "VARCHAR": "text", "DOUBLE": "real", "Int64": "int", "String": "text", "Float64": "real"}


def files(lake, table):
    for path in glob.glob(f"{lake}/{table}/day=*/*.ndjson.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def read(lake):
    """The rows of the load that the job's row tells, which is the newest."""
    own = {}
    for row in files(lake, "job"):
        own[row["job"]] = max(row["load"], own.get(row["job"], 0))
    return {table: [row for row in files(lake, table) if own[row["job"]] == row["load"]]
            for table in os.listdir(lake) if os.path.isdir(f"{lake}/{table}")}


def cells(row):
    """A row as texts: engines give numbers beyond 2^53 so."""
    return tuple(sorted((key, None if value is None else repr(float(value)) if key == "best_gbs" else str(value))
                        for key, value in row.items() if key not in ("load", "day", "table")))


sent = collections.defaultdict(list)
for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    sent[row["table"]].append(row)
if len(sys.argv) > 3:
    answers = json.load(open(sys.argv[3], encoding="utf-8"))
    there = {table: answer["rows"] for table, answer in answers.items()}
    for table, answer in answers.items():
        for column, name in answer["types"].items():
            kind = TYPES.get(name.replace("Nullable(", "").rstrip(")"))
            values = [row[column] for row in sent[table] if row.get(column) is not None]
            wanted = {type(value).__name__ for value in values} - {{"int": "int", "text": "str", "real": "float"}.get(kind)}
            assert column == "day" or kind and not wanted, (table, column, name, wanted)
else:
    there = read(sys.argv[2])
for table in sorted(there):
    left, right = collections.Counter(map(cells, sent[table])), collections.Counter(map(cells, there[table]))
    assert left == right, (table, list((left - right).items())[:2], list((right - left).items())[:2])
    print(table, sum(right.values()))
assert set(sent) <= set(there), set(sent) - set(there)
