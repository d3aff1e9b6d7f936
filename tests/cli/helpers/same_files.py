#!/usr/bin/env python3
"""same_files.py EXPECTED OURS: each file of EXPECTED is in OURS and says the same.

CSV files are equal byte for byte. Traces hold the same events, key by key and value by
value, in any order; ours has one more, "msprof", with the notes of the job."""
import json
import os
import sys


def events(path):
    with open(path, encoding="utf-8") as f:
        trace = json.load(f)
    return sorted(json.dumps(e, sort_keys=True) for e in trace if e["name"] != "msprof")


def differences(expected, ours):
    if expected.endswith(".json"):
        a, b = events(expected), events(ours)
        for e in a:
            if e not in b:
                yield "missing " + e
        for e in b:
            if e not in a:
                yield "new     " + e
        if not a:
            yield "no event expected"
        if len(a) != len(b):
            yield "%d events, not %d" % (len(b), len(a))
        return
    with open(expected, "rb") as f, open(ours, "rb") as g:
        a, b = f.read().split(b"\n"), g.read().split(b"\n")
    for i in range(max(len(a), len(b))):
        if a[i:i + 1] != b[i:i + 1]:
            yield "line %d: %r, not %r" % (i + 1, b[i:i + 1], a[i:i + 1])


def main():
    count = bad = 0
    for name in sorted(os.listdir(sys.argv[1])):
        count += 1
        ours = os.path.join(sys.argv[2], name)
        found = list(differences(os.path.join(sys.argv[1], name), ours)) if os.path.exists(ours) else ["not there"]
        bad += bool(found)
        for line in found[:10]:
            print("%s: %s" % (name, line))
    extra = set(os.listdir(sys.argv[2])) - set(os.listdir(sys.argv[1])) - {".msprof"}  # the list of our exports
    for name in sorted(extra):
        print(name + ": not expected")
    print("%d files compared, %d differ" % (count, bad + len(extra)))
    return 1 if bad or extra or not count else 0


sys.exit(main())
