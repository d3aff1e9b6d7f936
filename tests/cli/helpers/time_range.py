"""
time_range.py WHOLE PART FROM_NS TO_NS [DEVICE]: the traces below PART are those below WHOLE, but only with what touches the range.
FROM_NS and TO_NS count from the first task or call; "-" is no limit. With "apart" before them tasks and calls count for themselves.
With DEVICE, events of processes of other devices are missing, too. Prints the numbers of events that are there and that are not.
"""
import glob
import json
import os
import sys
from collections import Counter
from decimal import Decimal


def read(path):
    with open(path, encoding="utf-8") as f:
        trace = json.load(f, parse_float=Decimal)
    if isinstance(trace, list):
        return trace
    base = trace["otherData"].get("base_ns")
    for event in trace["traceEvents"] if base else []:
        if "ts" in event:  # the merged trace counts from its own first event, and numbers its tracks
            event["ts"] += Decimal(base) / 1000
            event["track"] = event.pop("tid")
            event["tid"] = 0
            event["pid"] = 0
    return trace["traceEvents"]


def span(event):
    """Start and end in ns."""
    start = Decimal(event["ts"]) * 1000
    return start, start + Decimal(event.get("dur", 0)) * 1000


def key(event):
    """A lane depends on what else is there, so the number of the thread of a lane does not count."""
    event = dict(event)
    event.pop("track", None)
    if str(event["tid"]).isdigit() and int(event["tid"]) >= 1 << 31:
        event["tid"] = "lane"
    return json.dumps(event, default=str, sort_keys=True)


def of_another_device(event, device):
    return device is not None and event["pid"] & 31 not in (device, 31)


def clock_of(name, event):
    """Calls have a mode, or a name of ACL; other events are those of the device."""
    is_call = name.startswith("acl_") or "Mode" in event.get("args", {}) or event["name"].startswith("acl")
    return "host" if is_call else "device"


def is_first(name, event):
    """Whether an event is a task or a call, from which times count."""
    if event["ph"] != "X":
        return False
    if isinstance(event["ts"], str):  # a PROF directory: layers CANN and Ascend Hardware, but no iterations
        return event["pid"] >> 5 & 31 in (7, 14) and "cat" not in event
    return name.startswith(("acl_", "task_time_"))


def check(name, whole, part, first, low, high, device):
    """Returns how many events are there, and how many are not."""
    def wanted(event, start, end):
        begin = first[clock_of(name, event)]
        return start <= begin + high and end >= begin + low

    spans = {}
    for e in whole:
        if e["ph"] == "X":
            spans.setdefault((e["pid"], e["tid"], str(e["ts"])), []).append(span(e))
    expected = Counter()
    for e in whole:
        if e["ph"] == "M" or of_another_device(e, device):
            continue
        if e["ph"] in "sft":  # the end of an arrow comes and goes with its event
            touching = spans.get((e["pid"], e["tid"], str(e["ts"])), [span(e)])
            if any(wanted(e, *s) for s in touching):
                expected[key(e)] += 1
        elif wanted(e, *span(e)):
            expected[key(e)] += 1
    seen = Counter(key(e) for e in part if e["ph"] != "M")
    assert seen == expected, (name, list((seen - expected).elements())[:3], list((expected - seen).elements())[:3])
    names = {(e["name"], e["pid"], e["tid"]) for e in part if e["ph"] == "M"}
    for e in part:
        if e["ph"] == "X" and "track" not in e and any(n[0] == "thread_name" for n in names):
            assert ("process_name", e["pid"], 0) in names or any(n[:2] == ("process_name", e["pid"]) for n in names), e
    assert not any(e["ph"] == "M" and e["name"] != "msprof" and of_another_device(e, device) for e in part)
    return sum(expected.values()), sum(e["ph"] != "M" for e in whole) - sum(expected.values())


def main(words):
    whole_dir, part_dir = words[:2]
    apart = words[2] == "apart"
    low, high = (Decimal(w) if w != "-" else None for w in words[2 + apart:4 + apart])
    device = int(words[4 + apart]) if len(words) > 4 + apart else None
    whole = {os.path.basename(p): read(p) for p in sorted(glob.glob(f"{whole_dir}/*.json"))}
    part = {os.path.basename(p): read(p) for p in sorted(glob.glob(f"{part_dir}/*.json"))}
    if len(part) < len(whole):  # a merged trace without an event is not there
        assert set(whole) - set(part) == {"trace.json"}, (list(whole), list(part))
        part["trace.json"] = []
        part = dict(sorted(part.items()))
    if "trace.json" not in whole:
        part = dict(zip(whole, part.values()))  # names have the moment of the export
    first = {}
    for name, trace in whole.items():
        for event in trace:
            if is_first(name, event):
                for clock in [clock_of(name, event)] if apart else ["host", "device"]:
                    first[clock] = min(first.get(clock, span(event)[0]), span(event)[0])
    there = missing = 0
    for name, trace in whole.items():
        events = part[name]
        a, b = check(name, trace, events, first, low if low is not None else Decimal("-1e30"),
                     high if high is not None else Decimal("1e30"), device)
        there += a
        missing += b
    print(there, missing)


main(sys.argv[1:])
