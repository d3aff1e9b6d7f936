"""
stacks.py FOLDED TRACE...: the folded stacks are those of the X events of the traces, each computed by itself: a call is in the shortest
call of its thread that contains it, and weighs its time without the union of the calls in it. With "sum" in front of FOLDED only the
sum of each thread is compared: the union of its calls, also where calls overlap.
"""
import json
import sys
from bisect import bisect_left
from collections import Counter
from decimal import Decimal


def load(paths):
    threads = {}
    for path in paths:
        with open(path, encoding="utf-8") as f:
            trace = json.load(f, parse_float=Decimal)
        events = trace if isinstance(trace, list) else trace["traceEvents"]
        for e in events:
            if e["ph"] != "X" or isinstance(trace, list) and e["pid"] >> 5 & 31 != 7:
                continue
            start = int(Decimal(e["ts"]) * 1000)
            process = "CANN" if isinstance(trace, list) else f"ACL, process {e['pid']}"
            tid = e["args"].get("Thread Id", e["tid"])
            threads.setdefault((process, f"Thread {tid}"), []).append((start, start + int(Decimal(e["dur"]) * 1000), e["name"]))
    return threads


def union(spans):
    total, reached = 0, None
    for start, end in sorted(spans):
        if reached is None or start > reached:
            total, reached = total + end - start, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


def stacks_of(thread, calls):
    calls = sorted((c for c in calls if c[1] > c[0]), key=lambda c: (c[0], -c[1]))
    starts = [c[0] for c in calls]
    parents, children = [None] * len(calls), {}
    for i, (start, end, _) in enumerate(calls):
        # the shortest of those before that contain it; of equal ones the last
        best = None
        for j in range(i - 1, max(-1, bisect_left(starts, start) - 60), -1):
            if calls[j][0] <= start and calls[j][1] >= end and (best is None or calls[j][1] - calls[j][0] < calls[best][1] - calls[best][0]):
                best = j
        parents[i] = best
        children.setdefault(best, []).append((start, end))
    result = Counter()
    for i, (start, end, _) in enumerate(calls):
        path, at = [], i
        while at is not None:
            path.append(calls[at][2])
            at = parents[at]
        own = end - start - union(children.get(i, []))
        if own:
            result[";".join((*thread, *reversed(path)))] += own
    return result


def main(words):
    only_sums = words[0] == "sum"
    folded, traces = words[only_sums], words[only_sums + 1:]
    seen = Counter()
    lines = 0
    with open(folded, encoding="utf-8") as f:
        for line in f:
            path, weight = line.rstrip("\n").rsplit(" ", 1)
            seen[path] += int(weight)
            lines += 1
    assert lines == len(seen) > 0, "a path twice"
    threads = load(traces)
    if only_sums:
        sums = Counter()
        for path, weight in seen.items():
            sums[tuple(path.split(";")[:2])] += weight
        assert sums == Counter({t: union((c[0], c[1]) for c in calls) for t, calls in threads.items()}), sums
    else:
        expected = Counter()
        for thread, calls in threads.items():
            expected += stacks_of(thread, calls)
        assert seen == expected, (list((seen - expected).items())[:3], list((expected - seen).items())[:3])
    print(lines, max(path.count(";") for path in seen) - 1)


main(sys.argv[1:])
