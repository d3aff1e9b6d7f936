"""
timeline.py JOB [raw]: every file of JOB/timeline is a sound trace and holds exactly the rows of the
database's views; with "raw", of the raw bytes too. No float is involved.
"""
import json
import os
import re
import sqlite3
import sys
from collections import Counter
from decimal import Decimal


def strict(constant):
    raise AssertionError(f"{constant} is not JSON")


def pairs(items):
    assert len({k for k, _ in items}) == len(items), f"a key twice: {items}"
    return dict(items)


def read(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f, parse_float=Decimal, parse_constant=strict, object_pairs_hook=pairs)


def ns(value):
    assert isinstance(value, (int, Decimal)) and not isinstance(value, bool), f"{value!r} is no number"
    exact = Decimal(value) * 1000
    assert exact == int(exact), f"{value} is not whole nanoseconds"
    return int(exact)


def check_nesting(name, events):
    threads = {}
    for e in events:
        threads.setdefault((e["pid"], e["tid"]), []).append((ns(e["ts"]), -ns(e["dur"])))
    for thread, spans in threads.items():
        ends = []
        for start, minus in sorted(spans):
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or start - minus <= ends[-1], f"{name}: events of {thread} overlap at {start} ns"
            ends.append(start - minus)


def check_names(name, trace):
    events = [e for e in trace if e["ph"] == "X"]
    marks = [e for e in trace if e["ph"] == "M"]
    assert len(events) + len(marks) == len(trace)
    processes = {e["pid"]: e["args"]["name"] for e in marks if e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in marks if e["name"] == "thread_name"}
    assert len(marks) == len(processes) + len(threads), f"{name}: a process or thread is named twice"
    assert {e["pid"] for e in events} == set(processes), f"{name}: processes without a name"
    assert {(e["pid"], e["tid"]) for e in events} == set(threads), f"{name}: threads without a name"
    for e in events:
        assert list(e) == ["name", "ph", "pid", "tid", "ts", "dur", "args"], list(e)
        assert isinstance(e["pid"], int) and isinstance(e["tid"], int) and e["tid"] < 1 << 32
        label = threads[e["pid"], e["tid"]].split(", overlap ")[0]
        args = e["args"]
        if name.startswith("task_time"):
            assert list(args) == ["Task Type", "Stream Id", "Task Id"], args
            beside = args["Task Type"].endswith("_CPU") and label != f"Stream {args['Stream Id']}"  # where both have one clock
            wanted = f"AA CPU, stream {args['Stream Id']}" if beside else f"Stream {args['Stream Id']}"
            assert (e["pid"], processes[e["pid"]], label) == (0, "Task Scheduler", wanted)
        else:
            assert list(args) == ["Mode", "Process Id", "Thread Id"], args
            assert e["pid"] == args["Process Id"] and label == f"Thread {args['Thread Id']}"
            assert str(args["Process Id"]) in processes[e["pid"]]
    return events


def row(name, event):
    first, second, third = event["args"].values()
    return event["name"], first, second, third, ns(event["ts"]), ns(event["dur"])


def from_database(path, name):
    db = sqlite3.connect(f"file:{path}/sqlite/msprof.db?mode=ro", uri=True)
    match = re.fullmatch(r"(?:task_time|acl)_(\d+)\.(.+)\.(\d+)\.(\d+)\.json", name)
    if name.startswith("acl"):
        sql = "SELECT name, type, pid, tid, start_ns, dur_ns FROM api_calls WHERE (device_id, model, model_id) = (?, ?, ?)"
        values = match.groups()[:3]
    elif match:
        sql = "SELECT name, task_type, stream_id, task_id, start_ns, dur_ns FROM tasks WHERE device_id = ? AND"
        sql += " model = ? AND model_id = ? AND batch = ?"
        values = match.groups()
    else:
        sql = "SELECT name, task_type, stream_id, task_id, start_ns, dur_ns FROM tasks WHERE device_id = ?"
        values = [re.fullmatch(r"task_time_(\d+)_\d+\.json", name)[1]]
    return Counter((r[0] or "N/A", *r[1:]) for r in db.execute(sql, values))


def from_raw(job, name):
    from svp import MODES, joined

    if name.startswith("acl"):
        for (device, model, model_id), calls in job.calls.items():
            if name.startswith(f"acl_{device}.{model}.{model_id}."):
                return Counter(
                    (c.name or "N/A", MODES.get(c.type, str(c.type)), c.pid, c.tid, c.begin, c.end - c.begin) for c in calls
                )
    found = Counter()
    for key, tasks in job.tasks.items():
        if name != f"task_time_{key.device}.{key.model}.{key.model_id}.{key.batch}.json":
            continue
        for t in tasks:
            layers = job.layers_of(key, t)
            title = joined(layers, "ori")
            title = joined(layers, "name") if title == "N/A" else title
            found[title, "AA_" + t.unit, t.stream, t.task, t.start, t.dur] += 1
    return found


def main(path, raw=None):
    job = None
    if raw:
        from svp import Job

        job = Job(path)
    directory = os.path.join(path, "timeline")
    names = sorted(set(os.listdir(directory)) - {"trace.json"})  # trace_check.py reads the merged trace
    assert names, "no timeline"
    for name in names:
        trace = read(os.path.join(directory, name))
        events = check_names(name, trace["traceEvents"])
        check_nesting(name, events)
        assert trace["otherData"]["events"] == len(events)
        found = Counter(row(name, e) for e in events)
        wanted = from_database(path, name)
        assert found == wanted, f"{name}: differs from the database: {list((found - wanted) + (wanted - found))[:4]}"
        if job:
            wanted = from_raw(job, name)
            assert found == wanted, f"{name}: differs from the raw data: {list((found - wanted) + (wanted - found))[:4]}"
        print(name, len(events))


main(*sys.argv[1:])
