#!/usr/bin/env python3
"""slowest.py: computes the answer of slowest_ranks from rows of steps.

Usage: slowest.py ANSWER.json STEPS.json RUN
"""

import collections
import json
import statistics
import sys

answer = json.load(open(sys.argv[1], encoding="utf-8"))["tables"][0]["rows"]
steps = [s for s in json.load(open(sys.argv[2], encoding="utf-8")) if s["run"] == sys.argv[3]]
own = collections.defaultdict(list)
for step in steps:
    own[step["name"]].append(int(step["own"]))
mean = statistics.mean(int(step["own"]) for step in steps)
wanted = {name: 100 * statistics.mean(times) / mean - 100 for name, times in own.items()}
assert len(wanted) > 2 and max(wanted.values()) > 0, (wanted, steps)
assert {row["name"]: round(row["over_percent"], 1) for row in answer} == {name: round(over, 1) for name, over in wanted.items()}, (answer, wanted)
assert [row["over_percent"] for row in answer] == sorted((row["over_percent"] for row in answer), reverse=True)
