"""diff_job.py DIR NETWORK NOISE [KEY=VALUE | CHANGE]...: a job of a board whose network is drawn from one seed, its noise from another.

Keys: task (noise of each task, 0.01), step (of each inference, 0), run (of the whole job, 0), pictures (20), clock (700), model (planted),
calls (of each kind in a step, 1), scale (of all times, 1). Changes: slow:NAME:FACTOR, drop:NAME, add:NAME:US, twice:NAME, rename:NAME:NEW
(the compiled name; its original layer stays), fuse:NAME:NAME, same:NAME:NAME (the second gets the first's name), thread (other thread ids).
"""
import json
import os
import random
import sys

import planted_svp


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


def write_data(top, tasks, settings, r):
    per_us, tick = settings["clock"] / 100, 10**9
    base, run = 10**11, settings["scale"] * r.gauss(1, settings["run"])
    model, calls = settings["model"], b""
    for picture in range(int(settings["pictures"])):
        slow, files = run * r.gauss(1, settings["step"]), {"core": b"", "cpu": b""}
        for number, task in enumerate(tasks):
            layer = planted_svp.Layer(task.name(), task.layers[0][2], task.us, task.unit)
            for _ in range(task.times):
                ticks = max(1, round(task.us * slow * per_us * r.gauss(1, settings["task"])))
                files[task.unit] += planted_svp.record(layer, number, tick, ticks)
                tick += ticks + round(r.randint(0, 2) * per_us)
        tick += round(100 * per_us)
        for unit, text in files.items():
            if text:
                planted_svp.put(os.path.join(top, "data", f"ai{unit}.0.{model}.7.1.1.{picture}"), text)
        for k in range(int(settings["calls"])):
            for name, ns, tid in (("svp_acl_mdl_execute", 8000000, 11), ("svp_acl_rt_memcpy", 100000, 11), ("svp_acl_rt_memcpy", 300000, 12)):
                calls += planted_svp.struct.pack("<HHIQQII64s32x", 0x5A5A, 0, 2 if "mdl" in name else 3, base, base + int(ns * slow * r.gauss(1, 0.01)), 10,
                                                 tid + int(settings["thread"]), name.encode())
                base += ns + 10**6 + k
    planted_svp.put(os.path.join(top, "data", f"acl_api.0.{model}.7"), calls)


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
        json.dump({"version": 1, "device": 0, "frequency": int(settings["clock"]), "clock_realtime_ns": 1700000000 * 10**9,
                   "clock_monotonic_ns": 10**11}, f)
    write_data(top, tasks, settings, random.Random(f"noise {noise}"))
    model = settings["model"]
    with open(os.path.join(top, "data", f"{model}.7.layer.info"), "w", encoding="utf-8") as f:
        for number, task in enumerate(tasks):
            layers = [{"id": number, "name": name, "type": kind, "ori": [ori]} for name, ori, kind in task.layers]
            f.write(json.dumps({"task": number, "stream": int(task.unit == "cpu"), "layers": layers}) + "\n")
    with open(os.path.join(top, "data", f"{model}.7.net.info"), "w", encoding="utf-8") as f:
        json.dump({"model": model, "model_id": 7, "batch": 1, "input_pic_num": 1}, f)


if __name__ == "__main__":
    main(*sys.argv[1:])
