#!/usr/bin/env python3
"""table.py: the summary of gcovr as a table of folders; fails below the wanted shares.

Usage: table.py SUMMARY LINES BRANCHES

SUMMARY is the file of gcovr's --json-summary; LINES and BRANCHES are the least percentages of all files together.
"""

import collections
import json
import os
import sys

KINDS = {"line": "lines", "branch": "branches"}


def percent(covered, total):
    return 100 * covered / total if total else 100


def main():
    wanted = dict(zip(KINDS, map(float, sys.argv[2:4])))
    with open(sys.argv[1], encoding="utf-8") as file:
        files = json.load(file)["files"]
    folders = collections.defaultdict(collections.Counter)
    for entry in files:
        for folder in (os.path.dirname(entry["filename"]), "all"):
            for kind in KINDS:
                folders[folder][kind] += entry[f"{kind}_covered"]
                folders[folder][kind + "s"] += entry[f"{kind}_total"]
    print("| folder | lines | covered | branches | covered |")
    print("|---|---|---|---|---|")
    for folder, counts in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
        cells = [f"{counts[kind + 's']} | {percent(counts[kind], counts[kind + 's']):.1f} %" for kind in KINDS]
        print(f"| `{folder}` | {' | '.join(cells)} |")
    status = 0
    for kind in KINDS:
        share = percent(folders["all"][kind], folders["all"][kind + "s"])
        if share < wanted[kind]:
            print(f"{share:.1f} % of the {KINDS[kind]} are covered, fewer than {wanted[kind]:.0f} %", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
