#!/usr/bin/env python3
"""their_trace.py JOB [CHANGE]...: writes JOB/timeline as a board's tool does, from the bytes of the job alone (tests/svp/svp_reader.py).

Changes of one file: FILE:shift=US, FILE:dur=N:US, FILE:start=N:US, FILE:name=N:TEXT, FILE:drop=N, FILE:extra=ID; N is the place of an event in time.
FILE is task_time or acl. The tool of boards numbers streams from 0, writes events from the last to the first, and origins are its own.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svp"))
import svp_reader  # noqa: E402


def event(name, tid, start_us, dur_us, args, pid=0):
    e = {"name": name, "pid": pid, "tid": tid, "ts": round(start_us, 3), "dur": round(dur_us, 3), "args": args, "ph": "X"}
    return e if name is not None else {k: v for k, v in e.items() if k != "name"}


def tasks_of(job):
    files, origin = {}, min(i["start_us"] for i in job["inferences"])
    for i in job["inferences"] + job["aicpu"]:
        events = files.setdefault(f"task_time_{i['device']}.{i['model']}.{i['model_id']}.{i['batch']}", [])
        if "tasks" not in i:
            events.append(event(None, 0, i["start_us"] - origin, i["end_us"] - i["start_us"], {"Task Type": "AI_CPU", "Stream Id": 0, "Task Id": i["number"]}))
        for t in i.get("tasks", ()):
            events.append(event(t["oris"] or t["names"], 0, (t["start_ns"] - origin * 1000) / 1000, t["dur_ns"] / 1000,
                                {"Task Type": "AI_CORE", "Stream Id": 0, "Task Id": t["index"]}))
    return files


def calls_of(job):
    batch = {(i["model"], i["model_id"]): i["batch"] for i in job["inferences"]}
    files = {}
    for c in job["calls"]:
        events = files.setdefault(f"acl_{c['device']}.{c['model']}.{c['model_id']}.{batch.get((c['model'], c['model_id']), 1)}", [])
        events.append(event(c["name"], c["tid"], c["start_us"] * 1.0, (c["end_us"] - c["start_us"]) * 1.0,
                            {"Mode": c["kind"], "Process Id": c["pid"], "Thread Id": c["tid"]}, c["pid"]))
    return files


def change(events, what, value):
    at, _, to = value.partition(":")
    if what == "shift":
        for e in events:
            e["ts"] = round(e["ts"] + float(value), 3)
    elif what == "drop":
        del events[int(at)]
    elif what == "extra":
        events.append(event("extra", 0, 5.0, 5.0, {"Task Type": "AI_CORE", "Stream Id": 0, "Task Id": int(value)}))
    elif what == "name":
        events[int(at)]["name"] = to
    else:
        e, key = events[int(at)], "dur" if what == "dur" else "ts"
        e[key] = round(e[key] + float(to), 3)


def main(path, *changes):
    job = svp_reader.read_job(path)
    os.makedirs(os.path.join(path, "timeline"), exist_ok=True)
    for name, events in {**tasks_of(job), **calls_of(job)}.items():
        events.sort(key=lambda e: e["ts"])
        for c in changes:
            file, _, rest = c.partition(":")
            if name.startswith(file + "_"):
                change(events, *rest.split("=", 1))
        head = [{"name": "process_name", "pid": 0, "tid": 0, "args": {"name": "Task Scheduler"}, "ph": "M"}]
        with open(os.path.join(path, "timeline", name + ".json"), "w", encoding="utf-8") as f:
            json.dump(head + events[::-1], f)


if __name__ == "__main__":
    main(*sys.argv[1:])
