#!/usr/bin/env python3
"""columns.py FILE ROW [FIRST]: NAME=VALUE of a row of a CSV file, from the column FIRST on (else the second), in order of name."""
import csv
import sys

with open(sys.argv[1], encoding="utf-8", newline="") as f:
    rows = list(csv.reader(f))
first = rows[0].index(sys.argv[3]) if len(sys.argv) > 3 else 1
print("\n".join(sorted("%s=%s" % pair for pair in zip(rows[0][first:], rows[int(sys.argv[2])][first:]))))
