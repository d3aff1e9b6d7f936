#!/usr/bin/env python3
"""lines.py FILE...: prints each line that is longer than its kind of file allows; exit status 1 if there is any.

A tab reaches the next multiple of eight. What cannot be divided may be longer: lines of C that hold a string, rows of
a table in a document, and statements of SQL that are kept in an exported database as they are written.
"""

import os
import sys

LIMITS = {".c": 120, ".h": 120, ".md": 220, ".sql": 200, ".sh": 145, ".bash": 145, ".bats": 240, ".py": 160,
          ".js": 120, ".css": 120, ".html": 120}


def may_be_longer(kind, line):
    if kind in (".c", ".h"):
        return '"' in line
    if kind == ".md":
        return line.startswith("|")
    return kind == ".sql" and line.lstrip().startswith("CREATE TABLE out.")


def main(files):
    found = False
    for path in files:
        kind = os.path.splitext(path)[1]
        if kind not in LIMITS:
            continue
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f.read().split("\n"), 1):
                length = len(line.expandtabs(8))
                if length > LIMITS[kind] and not may_be_longer(kind, line):
                    print(f"{path}:{number}: {length} characters, not {LIMITS[kind]} at most")
                    found = True
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
