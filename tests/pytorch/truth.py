#!/usr/bin/env python3
"""truth.py ASCEND_PT: are the files of `msprof export pytorch` what FRAMEWORK and the exports of PROF say? Prints what differs; exit status 1 then.

Everything is computed from bytes and exports, by looking at all pairs: no tree, no SQL. PROF has its timeline, tables and analysis.
"""

import csv
import glob
import json
import os
import struct
import sys
from fractions import Fraction


def records(path, fixed):
    data = open(path, "rb").read() if os.path.exists(path) else b""
    at = 0
    while at + 6 <= len(data):
        size = struct.unpack_from("<HI", data, at)[1]
        body, at, fields, k = data[at + 6:at + 6 + size], at + 6 + size, {}, struct.calcsize(fixed)
        if len(body) < size or size < k:
            return
        while k < size:
            tag, n = struct.unpack_from("<HI", body, k)
            fields[tag], k = body[k + 6:k + 6 + n].decode(), k + 6 + n
        yield struct.unpack_from(fixed, body), fields


def ns(text):
    whole, _, part = str(text).strip().partition(".")
    return int(whole + (part + "000")[:3])


def us(value, tail=""):
    return f"{value // 1000}.{value % 1000:03d}{tail}"


class Job:
    def __init__(self, top):
        self.top, self.bad, self.cells = top, 0, 0
        self.prof = glob.glob(f"{top}/PROF_*")[0]
        info = json.load(open(glob.glob(f"{top}/profiler_info*.json")[0], encoding="utf-8"))["config"]["experimental_config"]
        self.level = info["_profiler_level"]
        self.device = int(glob.glob(f"{self.prof}/device_*")[0].rsplit("_", 1)[1])
        begun = json.loads(open(f"{self.prof}/host/start_info", encoding="utf-8").read())
        log = dict(line.strip().split(":") for line in open(f"{self.prof}/host/host_start.log", encoding="utf-8") if ":" in line)
        mhz = Fraction(json.load(open(f"{self.prof}/host/info.json", encoding="utf-8"))["CPU"][0]["Frequency"])
        off = int(begun["collectionTimeBegin"]) * 1000 - int(begun["clockMonotonicRaw"]) + int(log["clock_monotonic_raw"])
        self.time = lambda count: int((count - int(log["cntvct"])) * 1000 / mhz) + off
        self.read()
        self.join()

    def read(self):
        f = f"{self.top}/FRAMEWORK/"
        ops = [{"start": self.time(v[0]), "end": self.time(v[1]), "seq": v[2], "pid": v[3], "tid": v[4], "fwd": v[6], "name": t[2], "t": t}
               for v, t in records(f + "torch.op_range", "<3q4QB?")]
        self.written, self.ops = ops, sorted(ops, key=lambda o: o["start"])
        marks = sorted(((self.time(v[0]), v[1], v[2], v[3], v[4], t[1]) for v, t in records(f + "torch.op_mark", "<q4Q")), key=lambda m: m[0])
        self.queue, self.put, self.taken = os.path.exists(f + "torch.op_mark"), [], []
        for i, m in enumerate(marks):
            before = [b for b in marks[:i] if b[1] // 2 == m[1] // 2 and b[3] == m[3] and b[5] == m[5]]
            if m[1] % 2 and before and before[-1][1] == m[1] - 1:
                (self.taken if m[1] == 3 else self.put).append({"start": before[-1][0], "end": m[0], "corr": m[2], "tid": m[3], "pid": m[4], "name": m[5]})
        self.memory = sorted(((self.time(v[1]),) + v for v, _ in records(f + "torch.memory_usage", "<7q2b3B2Q") if v[7] == 20), key=lambda m: m[0])
        self.trace = [e for e in json.load(open(glob.glob(f"{self.prof}/mindstudio_profiler_output/msprof_2*.json")[0], encoding="utf-8"))]

    def join(self):
        at, begins, ends, self.kernels = {}, {}, {}, {}
        for e in self.trace:
            if e["ph"] == "X":
                at[e["pid"], e["tid"], e["ts"]] = e
            elif e.get("cat") == "HostToDevice":
                (begins if e["ph"] == "s" else ends).setdefault(e["id"], e)
        launches = {}
        for key, e in ends.items():
            if key in begins and (e["pid"], e["tid"], e["ts"]) in at:
                launches.setdefault(ns(begins[key]["ts"]), []).append(at[e["pid"], e["tid"], e["ts"]])
        self.parent = [next((j for j in range(i - 1, -1, -1) if self.ops[j]["end"] >= o["start"]), -1) for i, o in enumerate(self.ops)]
        for o in self.ops:
            o["own"] = []
        if self.queue:
            for launch in sorted(launches):
                q = next((q for q in self.taken if q["end"] >= launch), None)
                if q and q["start"] <= launch:
                    self.kernels.setdefault(q["corr"], []).extend(launches[launch])
            for place, q in enumerate(sorted(self.put, key=lambda q: q["start"])):
                around = [o for o in self.ops if o["start"] <= q["start"] <= o["end"]]
                if around and around[-1]["tid"] == q["tid"]:
                    around[-1]["own"].append((place, q["corr"]))
        else:
            self.kernels = launches
            for place, launch in enumerate(launches):
                i = self.innermost(launch)
                if i >= 0:
                    self.ops[i]["own"].append((place, launch))

    def innermost(self, launch):
        """Down from the whole: of the children the last one that began before the launch, or else the first, if it has not ended."""
        i = -1
        while True:
            below = [j for j, p in enumerate(self.parent) if p == i]
            started = [j for j in below if self.ops[j]["start"] <= launch]
            j = started[-1] if started else below[0] if below else -1
            if j < 0 or self.ops[j]["end"] <= launch:
                return i
            i = j

    def within(self, i):
        return [j for j in range(len(self.ops)) if j == i or i in self.chain(j)]

    def chain(self, j):
        while j >= 0:
            yield j
            j = self.parent[j]

    def asked(self, i):
        return [corr for _, corr in sorted(x for j in self.within(i) for x in self.ops[j]["own"])]

    def steps(self):
        found = []
        marked = [i for i, o in enumerate(self.ops) if self.parent[i] < 0 and "ProfilerStep#" in o["name"]]
        for i in marked if self.kernels else []:
            o = self.ops[i]
            first = lambda k: next((m for m in marked if self.ops[m]["end"] >= k), -1)
            keys = sorted(self.asked(i) if self.queue else [k for k in self.kernels if first(k) == i and o["start"] <= k])
            lists = [self.kernels[k] for k in keys if self.kernels.get(k)]
            if keys:
                found.append((o["name"].split("#")[-1], min(ns(k["ts"]) for k in lists[0]) if lists else o["start"],
                              max([o["end"]] + [ns(k["ts"]) + int(k["dur"] * 1000) for k in (lists[-1] if lists else [])]), o["start"]))
        return found

    def same(self, name, rows):
        path = f"{self.top}/ASCEND_PROFILER_OUTPUT/{name}"
        if not rows:
            if os.path.exists(path):
                self.differ(f"{name}: must not be there")
            return
        with open(path, newline="", encoding="utf-8") as f:
            ours = list(csv.reader(f)) if name.endswith(".csv") else rows[:0] + json.load(f)
        rows = [[str(c) for c in r] for r in rows] if name.endswith(".csv") else rows
        self.cells += sum(map(len, rows))
        for i in range(max(len(rows), len(ours))):
            a, b = (x[i] if i < len(x) else None for x in (rows, ours))
            if a != b:
                self.differ(f"{name}: row {i}: {b!r} is not {a!r}")

    def differ(self, text):
        self.bad += 1
        if self.bad < 20:
            print(text[:600])

    def check(self):
        steps = self.steps()
        with open(glob.glob(f"{self.prof}/mindstudio_profiler_output/op_summary_*.csv")[0], newline="", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        names = {"Op Name": "Name", "OP Type": "Type", "Task Type": "Accelerator Core", "Task Start Time(us)": "Start Time(us)",
                 "Task Duration(us)": "Duration(us)", "Task Wait Time(us)": "Wait Time(us)"}
        start = rows[0].index("Task Start Time(us)")
        told = [[names.get(t, t) for t in rows[0]]] + rows[1:]
        if steps:
            told = [["Step Id"] + told[0]] + [[next((s[0] for s in steps if s[1] <= ns(r[start]) < s[2]), "")] + r for r in rows[1:]]
        self.same("kernel_details.csv", told)
        self.operators()
        self.overlap(steps)
        self.events()

    def operators(self):
        rows = []
        for i, o in enumerate(self.ops):
            own = [k for _, c in sorted(o["own"]) for k in self.kernels.get(c, [])]
            all_of = [k for c in self.asked(i) for k in self.kernels.get(c, [])]
            core = lambda ks: [k["dur"] if k.get("args", {}).get("Task Type") == "AI_CORE" else 0 for k in ks]
            inner = sum(c["end"] - c["start"] for c, p in zip(self.ops, self.parent) if p == i)
            lines = [o["t"].get(tag, "").replace(";", ";\r\n") for tag in (4, 8)]
            if "ProfilerStep#" not in o["name"]:
                rows.append([o["name"], *lines, (o["end"] - o["start"] - inner) / 1000, (o["end"] - o["start"]) / 1000, sum(k["dur"] for k in own),
                             sum(k["dur"] for k in all_of), sum(core(own)), sum(core(all_of))])
        kinds = [f"Device {w} Duration{c}(us)" for c in ("", " With AICore") for w in ("Self", "Total")]
        self.same("operator_details.csv", rows and [["Name", "Input Shapes", "Call Stack", "Host Self Duration(us)", "Host Total Duration(us)"] + kinds] + rows)

    def overlap(self, steps):
        sums, first, begins, ends = {}, {}, {}, {}
        for e in self.trace:
            if e["name"] in ("Computing", "Communication", "Communication(Not Overlapped)", "Free"):
                t, s = float(e["ts"]), None
                s = next((s for s in steps if s[1] / 1000 <= t < s[2] / 1000), None)
                if steps and not s:
                    continue
                sums.setdefault(s, {}).setdefault(e["name"], []).append(e["dur"])
                begins[s], ends[s] = min(t, begins.get(s, t)), max(t + e["dur"], ends.get(s, 0))
                if e["name"] in ("Computing", "Communication"):
                    first[s] = min(t, first.get(s, t))
        rows = []
        for s in sorted(sums, key=lambda s: int(s[0]) if s else 0):
            took = {k: sum(v) for k, v in sums[s].items()}
            alone, both = took.get("Communication(Not Overlapped)", 0), took.get("Communication", 0)
            marked = s[3] / 1000 if s else min((o["start"] for o in self.ops), default=0) / 1000
            rows.append([self.device, s[0] if s else "", took.get("Computing", 0), alone, both - alone, both, took.get("Free", 0),
                         ends[s] - begins[s], 0, alone, first.get(s, -1) - marked if self.ops else 0])
        self.same("step_trace_time.csv", rows and [["Device_id", "Step", "Computing", "Communication(Not Overlapped)", "Overlapped",
                                                   "Communication", "Free", "Stage", "Bubble",
                                                   "Communication(Not Overlapped and Exclude Receive)", "Preparing"]] + rows)

    def events(self):
        def args(o):
            t, lines = o["t"], lambda text: text.replace(";", ";\r\n")
            told = {"Sequence number": o["seq"], "Fwd thread id": o["fwd"]}
            keys = (("Input Dims", 4, lines), ("Input type", 3, lines), ("Call stack", 8, lines), ("Module Hierarchy", 9, str), ("flops", 10, str))
            told.update({k: f(t[tag]) for k, tag, f in keys if tag in t})
            return told

        with open(f"{self.top}/ASCEND_PROFILER_OUTPUT/trace_view.json", encoding="utf-8") as f:
            ours = json.load(f)
        want = [{"ph": "X", "name": o["name"], "pid": o["pid"], "tid": o["tid"], "ts": us(o["start"]), "dur": (o["end"] - o["start"]) / 1000, "cat": "cpu_op",
                 "args": args(o)} for o in self.written]
        if [e for e in ours if e.get("cat") == "cpu_op"] != want:
            self.differ("trace_view.json: other operators")
        left = ("CANN", "AscendCL", "Runtime", "GE", "Node", "Model", "Hccl", "acl_to_npu", "Communication@") if self.level == "Level0" else ()
        kept = [e for e in self.trace if e["name"] != "msprof" and not e["name"].startswith(left or ("\0",)) and e.get("args", {}).get("name", "") not in left]
        n = len(kept)
        if not any(ours[i:i + n] == kept for i in range(len(ours) - n + 1) if ours[i] == kept[0]):
            self.differ("trace_view.json: not the events of PROF")
        pairs = [(o, k) for o in self.ops for _, c in sorted(o["own"]) for k in self.kernels.get(c, [])]
        if not self.queue:
            pairs = [(o, k) for _, o, c in sorted(((p, o, c) for o in self.ops for p, c in o["own"]), key=lambda x: x[0]) for k in self.kernels.get(c, [])]
        want = [(o["pid"], o["tid"], us(o["start"]), k["pid"], k["tid"], k["ts"], ns(k["ts"])) for o, k in pairs]
        arrows = [e for e in ours if e["name"] == "torch_to_npu"]
        if [(a["pid"], a["tid"], a["ts"], b["pid"], b["tid"], b["ts"], b["id"]) for a, b in zip(arrows[::2], arrows[1::2])] != want:
            self.differ("trace_view.json: other arrows")
        self.cells += len(ours) + 6 * len(arrows)


if __name__ == "__main__":
    job = Job(sys.argv[1])
    job.check()
    print(f"{job.cells} cells, {job.bad} differ")
    sys.exit(job.bad > 0)
