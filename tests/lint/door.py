#!/usr/bin/env python3
"""door.py: checks tests/lint/door.txt against the calls that open, look at or list files by name.

Usage: door.py, in the directory of the sources

What lies below a directory that somebody else may have written is reached through lib/base/door.h alone. Each other call
is in the table, with its file, its number and its reason. Prints each complaint on a line; the exit status is 1 if there
are any.
"""

import collections
import os
import re
import sys

TABLE = "tests/lint/door.txt"
CALLS = """open openat creat fopen freopen stat lstat fstatat access faccessat opendir fdopendir scandir realpath readlink readlinkat
    glob ftw nftw chdir mkstemp mkostemp mkdtemp tmpfile truncate chmod chown utimensat rename renameat link symlink unlink""".split()
# a member of a struct of that name, as in engine->open(), is another function
PATTERN = re.compile(r"(?<![\w>.])(" + "|".join(CALLS) + r")\(")
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def calls_of(path):
    """Name of a call -> how often a source has it."""
    text = COMMENT_OR_TEXT.sub(lambda found: '""' if found[0].startswith('"') else " ", open(path, encoding="utf-8").read())
    return collections.Counter(PATTERN.findall(text))


def read_table():
    """File -> (Counter of calls, reason)."""
    table = {}
    for line in open(TABLE, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        path, calls, reason = (cell.strip() for cell in line.split("|"))
        counts = collections.Counter({name: int(count) for name, count in (call.split(":") for call in calls.split())})
        table[path] = counts, reason
    return table


def written(counts):
    return " ".join(f"{name}:{counts[name]}" for name in sorted(counts)) or "none"


def main():
    table, complaints = read_table(), []
    sources = sorted(os.path.join(place, name) for top in ("lib", "cli") for place, _, names in os.walk(top)
                     for name in names if name.endswith((".c", ".h")))
    for path in sources:
        there, (told, reason) = calls_of(path), table.pop(path, (collections.Counter(), "-"))
        if there != told:
            complaints.append(f"{path}: {written(there)}, but {TABLE} has {written(told)}: use lib/base/door.h, or say why not")
        if not reason:
            complaints.append(f"{path}: {TABLE} gives no reason")
    complaints += [f"{path}: there is no such file, but {TABLE} has it" for path in table]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
