"""diff_job.py DIR NETWORK NOISE [KEY=VALUE | CHANGE]...: a job of an SS928 whose network is drawn from one seed, its noise from another.

Keys: task (noise of each task, 0.01), step (of each inference, 0), run (of the whole job, 0), pictures (20), clock (700), model (planted),
calls (of each kind in a step, 1), scale (of all times, 1). Changes: slow:NAME:FACTOR, drop:NAME, add:NAME:US, twice:NAME, rename:NAME:NEW
(the compiled name; its original layer stays), fuse:NAME:NAME, same:NAME:NAME (the second gets the first's name), thread (other thread ids).
"""
import json
import math
import os
import random
import struct
import sys

START_US = 1700000000 * 10**6
LOAD, UNLOAD, EXECUTE, SYNCHRONIZE = 0, 1, 2, 4  # types of calls
CPU_NUMBER, CPU_NET = 2, 5  # what a record of the AI CPU has, and the type of its net


class Task:
    def __init__(self, name, kind, us, unit="core"):
        self.layers, self.us, self.unit, self.times = [(name, name, kind)], us, unit, 1

    def name(self):
        return ",".join(ori for _, ori, _ in self.layers)


def find(tasks, name):
    return next(t for t in tasks if t.name() == name)


def change(tasks, word):
    what, *names = word.split(":")
    if what == "slow":
        find(tasks, names[0]).us *= float(names[1])
    elif what == "drop":
        tasks.remove(find(tasks, names[0]))
    elif what == "add":
        tasks.insert(len(tasks) // 2, Task(names[0], "Eltwise", float(names[1])))
    elif what == "twice":
        find(tasks, names[0]).times = 2
    elif what == "rename":
        t = find(tasks, names[0])
        t.layers = [(names[1], t.layers[0][1], t.layers[0][2])]
    elif what == "fuse":
        t, u = find(tasks, names[0]), find(tasks, names[1])
        t.layers += u.layers
        t.us += 0.5 * u.us
        tasks.remove(u)
    elif what == "same":
        find(tasks, names[1]).layers = list(find(tasks, names[0]).layers)
    else:
        sys.exit(f"unknown change {word}")


def network(seed):
    r = random.Random(f"network {seed}")
    tasks = [Task("input", "Preprocess", 30)]
    for i in range(r.randint(8, 14)):
        tasks.append(Task(f"conv{i}", "Convolution", r.randint(100, 900)))
        if r.random() < 0.4:
            tasks.append(Task(f"pool{i}", "Pooling", r.randint(60, 200)))
    tasks.append(Task("detector", "Proposal", r.randint(100, 300), "cpu"))
    return tasks + [Task("report", "Reportop", 30)]


def record(number, ticks):
    """A record of the core, whose counters are 0."""
    return struct.pack("<II248x", number, ticks)


def cpu_record(start, end):
    return struct.pack("<24xQQ84xI", start, end, CPU_NUMBER)


def item(tag, value):
    """A number of two bytes, a text, or items."""
    if isinstance(value, int):
        return struct.pack("<HH", 0x4000 | tag, value)
    value = value.encode() + b"\0" if isinstance(value, str) else value
    return struct.pack("<HH", 0xA000 | tag, len(value)) + value


def write_data(top, tasks, settings, r):
    """SS928: tasks of the core follow each other from the moment that the marker tells; the AI CPU has its own clock times.
    A call that executes the model spans its inference."""
    run, model, begin = settings["scale"] * r.gauss(1, settings["run"]), settings["model"], START_US
    calls = [(LOAD, START_US - 200, START_US - 100, 11 + int(settings["thread"]))]
    for picture in range(int(settings["pictures"])):
        slow, core, elapsed, cpu, end = run * r.gauss(1, settings["step"]), b"", 0, b"", begin
        for number, task in enumerate(t for t in tasks if t.unit == "core"):
            for _ in range(task.times):
                ticks = max(1, round(task.us * slow * settings["clock"] / 100 * r.gauss(1, settings["task"])))
                core += record(number, ticks)
                elapsed += ticks
        end += math.ceil(elapsed * 100 / settings["clock"])
        for task in tasks:
            if task.unit == "cpu":  # it begins a little before or after the core has ended
                start, end = end + r.randint(-2, 2), end + round(task.us * slow * r.gauss(1, settings["task"]))
                cpu += cpu_record(start, end)
        put(top, f"aicore.0.{model}.16.7.1.1.{picture}", core, start_time=begin, end_time=end, cache_hit=90, cache_mis=10)
        put(top, f"aicpu.0.{model}.16.7.1.1.{picture}", cpu, start_time=start, end_time=end)
        at = begin
        for _ in range(int(settings["calls"])):
            for kind, us, tid in ((EXECUTE, 8000, 11), (SYNCHRONIZE, 100, 11), (SYNCHRONIZE, 300, 12)):
                until = at + round(us * slow * r.gauss(1, 0.01))
                until = max(until, end) if at == begin else until
                calls.append((kind, at, until, tid + int(settings["thread"])))
                at = until + 100
        begin = max(at, end) + 100
    calls.append((UNLOAD, begin, begin + 100, 11 + int(settings["thread"])))
    data = b"".join(struct.pack("<IIQQII", 0x5A5A, kind, a, b, 10, tid) for kind, a, b, tid in calls)
    put(top, f"acl_api.0.{model}.7", data, start_time=calls[0][1], end_time=calls[-1][2], pid=10)


def put(top, name, data, **marker):
    with open(os.path.join(top, "data", name), "wb") as f:
        f.write(data)
    with open(os.path.join(top, "data", name + ".done"), "w", encoding="ascii") as f:
        f.writelines(f"{key}:{value}\n" for key, value in [("file_len", len(data)), *marker.items()])


def write_model(top, tasks, model):
    """A net of the core, and one of the AI CPU, which is known by its operator alone."""
    core = [t for t in tasks if t.unit == "core"]
    layers = [(number, layer) for number, task in enumerate(core) for layer in task.layers]
    with open(os.path.join(top, "data", f"{model}.7.layer.info"), "wb") as f:
        for i, (number, (name, ori, kind)) in enumerate(layers):
            f.write(item(0x111, item(0x112, i) + item(0x114, name) + item(0x141, ori) + item(0x14B, 0) + item(0x152, kind) + item(0x157, number)))
    with open(os.path.join(top, "data", f"{model}.7.net.info"), "wb") as f:
        f.write(item(0x40, item(0x41, 0) + item(0x42, 0) + item(0x20C, len(core))))
        for task in tasks:
            if task.unit == "cpu":
                f.write(item(0x40, item(0x41, 1) + item(0x42, CPU_NET) + item(0x208, task.name())))


def main(top, seed, noise, *words):
    settings = {"task": 0.01, "step": 0, "run": 0, "pictures": 20, "clock": 700, "model": "planted", "calls": 1, "scale": 1, "thread": 0}
    tasks = network(seed)
    for word in words:
        key, _, value = word.partition("=")
        if word == "thread":
            settings["thread"] = 1000
        elif key in settings and value:
            settings[key] = value if key == "model" else float(value)
        else:
            change(tasks, word)
    os.makedirs(os.path.join(top, "data"))
    with open(os.path.join(top, "info.json.0"), "w", encoding="utf-8") as f:
        json.dump({"DeviceInfo": [{"aic_frequency": str(int(settings["clock"]))}]}, f)
    write_data(top, tasks, settings, random.Random(f"noise {noise}"))
    write_model(top, tasks, settings["model"])


if __name__ == "__main__":
    main(*sys.argv[1:])
