"""prof_mixture.py GENREC MSPROF SEED DIR: makes one PROF directory in which features meet, exports it, and compares.

Random scenes of a seed: one to three devices, operators of eager and of static threads, flips of streams, collective operations,
copies and events, on one chip, with one group of counters, at one level. The scene is a list of tasks with their truth; records
are written from it by genrec, and the rows that reports must have are computed from the same list, with no knowledge of joins.
"""
import csv
import glob
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict

HOST, DEVICE, MONO, WALL = 10**11, 5 * 10**10, 10**12, 1700000000000000
PID, MHZ, CORES, NONE = 4242, 1850, 24, 4294967295
# group: events of the cube core, and of the ratio that is checked: its title and the positions that are added up
GROUPS = {
    "PipeUtilization": ("0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55", "mac_ratio", (1,)),
    "PipeUtilizationExct": ("0x416,0x417,0x9,0x302,0xc,0x303,0x54,0x55", "mac_ratio", (0, 1)),
    "ArithmeticUtilization": ("0x49,0x4a,0x4b,0x4c,0x4d,0x4e,0x4f", "mac_fp16_ratio", (0,)),
}
CORE = {0: ("KERNEL_AICORE", "AI_CORE"), 1: ("KERNEL_AICPU", "AI_CPU"), 2: ("KERNEL_AIVEC", "AI_VECTOR_CORE")}
VECTOR = {2: 1}  # the device's number for tasks and counters of the vector core
HOST_TYPES = {"KERNEL_AICORE": 200, "KERNEL_AICPU": 201, "KERNEL_AIVEC": 202, "MEMCPY_ASYNC": 203, "EVENT_RECORD": 204, "NOTIFY_RECORD": 205,
    "NOTIFY_WAIT": 206, "FLIP_TASK": 98}


class Scene:
    """What happened: tasks, calls and collective operations. Times are in us since the beginning."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.devices = sorted(r.sample(range(5), r.choice((1, 1, 2, 3))))
        self.chip, self.level = (7, "l1") if seed % 4 == 3 else (5, r.choice(("l0", "l1", "l1", "l2")))
        self.metrics = r.choice(sorted(GROUPS))
        self.names, self.tasks, self.calls, self.comms, self.flips = [], [], [], [], []
        self.clock = defaultdict(lambda: 1000)  # of threads
        self.moment = 5000  # of the devices: no two tasks begin together
        self.ids, self.ends = {}, defaultdict(int)
        with_comm = seed % 3 != 0
        for _ in range(r.randrange(30, 60)):
            r.choice([self.operator, self.operator, self.operator, self.other] + [self.collective] * with_comm)(r.choice(self.devices))

    def hash(self, name):
        if name not in self.names:
            self.names.append(name)
        return 8 * 10**18 + 1 + self.names.index(name)

    def task_id(self, device, stream, thread, at):
        """The next number of a stream; stream 1 begins again behind its flip after a few tasks, and each time uses the same numbers."""
        n, batch = self.ids.get((device, stream), (65530 if stream % 40 == 1 else 0, 0))
        if n == 65534:
            n, batch = 1, batch + 1
            self.flips.append((device, stream, batch, thread, at - 1, self.moment + 1))
            self.moment += 3
        elif n == 4 and stream % 40 == 1:
            n = 65530
        self.ids[device, stream] = n + 1, batch
        return n, batch

    def run(self, device, stream, thread, at, host_type, kernel, truth):
        self.moment = max(self.moment, self.ends[device, stream])
        task, batch = self.task_id(device, stream, thread, at)
        self.moment += self.r.randrange(1, 9)
        dur = self.r.randrange(1, 40)
        self.ends[device, stream] = self.moment + dur
        self.tasks.append(dict(device=device, stream=stream, task=task, batch=batch, thread=thread, at=at, host=host_type, kernel=kernel,
            start=self.moment, dur=dur, **truth))
        return self.tasks[-1]

    def operator(self, device):
        number = self.r.randrange(3)
        stream, thread = 40 * device + number, PID + 10 * device + number % 2  # a stream has one thread: its numbers ascend with time
        at = self.clock[thread]
        self.clock[thread] += 20 + self.r.randrange(30)
        kind = self.r.choice((0, 0, 1, 2))
        name = f"op_{len(self.tasks)}"
        self.calls += [("acl", 20000, 0x50001, thread, at, at + 14, 0), ("launch", 10000, 5, thread, at + 2, at + 12, self.hash(name)),
                       ("Kernel", 5000, 11, thread, at + 4, at + 8, 0)]
        blocks = self.r.choice((1, 20, 24, 48))
        t = self.run(device, stream, thread, at + 6, CORE[kind][0], self.hash(name),
                     dict(op=name, type=self.r.choice(("Add", "Cast", "MatMulV2")), kind=kind, core=CORE[kind][1], blocks=blocks, node=at + 10,
                         aging=thread % 2, flag=len(self.tasks) % 2, shapes=(2 + len(self.tasks) % 5, 7)))
        if kind != 1:
            cycles = self.r.randrange(1000, 90000)
            t.update(cycles=cycles, pmu=[self.r.randrange(cycles) for _ in range(8)])
        self.moment += t["dur"] if self.r.randrange(2) else 0

    def other(self, device):
        thread = PID + 10 * device
        at = self.clock[thread]
        self.clock[thread] += 20
        kind = self.r.choice(("MEMCPY_ASYNC", "EVENT_RECORD"))
        self.calls += [("rts", 20000, 0x30001, thread, at, at + 9, 0), ("Copy" if kind == "MEMCPY_ASYNC" else "Record", 5000,
            14 + (kind != "MEMCPY_ASYNC"), thread, at + 2, at + 8, 0)]
        self.run(device, 40 * device + 5, thread, at + 4, kind, 0, {})

    def collective(self, device):
        thread, group, n = PID + 10 * device, self.r.randrange(2), self.r.randrange(2, 6)
        at = self.clock[thread]
        self.clock[thread] += 20 * n + 30
        item = self.r.choice(("hcom_allReduce_", "hcom_allGather_"))
        self.calls += [("acl", 20000, 0x70001, thread, at, at + 20 * n + 20, 0), ("HcclOp", 10000, 7, thread, at + 2, at + 20 * n + 16,
            self.hash(item))]
        steps = []
        for k in range(n):
            c, master = at + 4 + 20 * k, k % 2 == 0
            kind = self.r.choice(("NOTIFY_RECORD", "NOTIFY_WAIT", "MEMCPY_ASYNC"))
            self.calls += [(kind.title(), 5500, 0x10001 if master else 0x10002, thread, c, c + 16, self.hash(kind.title())), ("Rt" + kind, 5000,
                HOST_TYPES[kind] - 180, thread, c + 2, c + 12, 0)]
            t = self.run(device, 40 * device + 10 + k % 2, thread, c + 6, kind, self.hash(kind.title()), {})
            steps.append((t, c + 10, self.hash(kind.title()), k % 2))
        self.comms.append(dict(device=device, thread=thread, at=at, end=at + 20 * n + 14, item=item, group=self.hash(f"group_{group}"), steps=steps,
            first=at + 10))


def counts(us, of_host):
    return HOST + us * 100 if of_host else DEVICE + us * 50


class Directory:
    """The records of a scene, written by genrec."""

    def __init__(self, scene, genrec, top):
        self.scene, self.genrec, self.top, self.files = scene, genrec, top, defaultdict(list)

    def add(self, layout, file, **fields):
        self.files[layout, file].append(" ".join(f"{k}={v}" for k, v in fields.items()))

    def host(self):
        s, types = self.scene, {}
        for name, level, kind, thread, begin, end, item in sorted(s.calls, key=lambda c: c[5]):
            types[level, kind] = {0x10001: "master", 0x10002: "slave"}.get(kind, name) if level == 5500 else name
            self.add("prof.api", "host/data/unaging.api_event.data.slice_0", level=level, type=kind, thread_id=thread, begin=counts(begin, 1),
                end=counts(end, 1), item_id=item)
        types.update({(5000, number): name for name, number in HOST_TYPES.items()})
        track = "host/data/unaging.compact.task_track.slice_0"
        launches = [(t["at"], t["thread"], t["device"], t["stream"], t["task"], t["batch"], t["host"], t["kernel"]) for t in s.tasks]
        launches += [(at, thread, device, stream, 0, batch, "FLIP_TASK", 0) for device, stream, batch, thread, at, _ in s.flips]
        for at, thread, device, stream, task, batch, kind, kernel in sorted(launches):
            self.add("prof.task_track", track, level=5000, type=802, thread_id=thread, data_len=24, stamp=counts(at, 1), device_id=device,
                stream_id=stream, task_id=task, batch_id=batch,
                     task_type=HOST_TYPES[kind], kernel_name=kernel)
        for t in s.tasks:
            if "op" in t and (s.level != "l0" or t["aging"]):  # at level 0 what is said of operators counts for nothing
                age, kind = ("aging", "prof.node_basic_info_aging") if t["aging"] else ("unaging", "prof.node_basic_info")
                self.add(kind, f"host/data/{age}.compact.node_basic_info.slice_0", level=10000, thread_id=t["thread"], data_len=40,
                    stamp=counts(t["node"], 1), op_name=s.hash(t["op"]),
                         op_type=s.hash(t["type"]), task_type=t["kind"], block_num=t["blocks"], op_flag=t["flag"])
                self.add("prof.tensor_info", "host/data/unaging.additional.tensor_info.slice_0", level=10000, thread_id=t["thread"],
                    stamp=counts(t["node"], 1), op_name=s.hash(t["op"]), tensor_num=2,
                        tensors="u32:0,2,1,{},3,0,0,0,0,0,0,1,29,27,{},0,0,0,0,0,0,0".format(*t["shapes"]))
        for c in s.comms:
            self.add("prof.node_basic_info", "host/data/unaging.compact.node_basic_info.slice_0", level=10000, thread_id=c["thread"], data_len=40,
                stamp=counts(c["end"], 1),
                     op_name=s.hash(c["item"]), op_type=s.hash(c["item"]), task_type=9)
            self.add("prof.hccl_op_info", "host/data/unaging.compact.hccl_op_info.slice_0", level=10000, thread_id=c["thread"],
                stamp=counts(c["end"], 1), group_name=c["group"], count=64)
            for t, at, item, plane in c["steps"]:
                self.add("prof.hccl_info", "host/data/unaging.additional.hccl_info.slice_0", level=5500, thread_id=c["thread"], stamp=counts(at, 1),
                    item_id=item, group_name=c["group"],
                         rank_size=2, plane_id=plane, context_id=NONE, size=4096)
        self.text("host/data/unaging.additional.hash_dic.slice_0", "".join(f"{s.hash(n)}:{n}\n" for n in s.names))
        self.text("host/data/unaging.additional.type_info_dic.slice_0", "".join(f"{a}_{b}:{n}\n" for (a, b), n in types.items()))

    def device(self):
        logs = [(at, end, t) for t in self.scene.tasks for end, at in ((0, t["start"]), (1, t["start"] + t["dur"]))]
        for at, end, t in sorted(logs, key=lambda log: log[:2]):
            d = t["device"]
            self.add("prof.acsq", f"device_{d}/data/stars_soc.data.{d}.slice_0", end=end, stream_id=t["stream"], task_id=t["task"],
                counter=counts(at, 0), task_type=VECTOR.get(t.get("kind"), 0))
        for t in sorted(self.scene.tasks, key=lambda t: t["start"]):
            d = t["device"]
            if "cycles" in t:
                self.add("prof.task_pmu", f"device_{d}/data/ffts_profile.data.{d}.slice_0", stream_id=t["stream"], task_id=t["task"],
                    total_cycles=t["cycles"], ffts_type=VECTOR.get(t["kind"], 0) if self.scene.chip == 5 else 0,
                         **{f"pmu{i}": v for i, v in enumerate(t["pmu"])}, begin=counts(t["start"], 0), end=counts(t["start"] + t["dur"], 0))
        for d, stream, batch, _, _, at in self.scene.flips:
            self.add("prof.ts_flip", f"device_{d}/data/ts_track.data.{d}.slice_0", counter=counts(at, 0), stream_id=stream, flip_num=batch)

    def text(self, name, text):
        """A file, and its marker where it is data."""
        os.makedirs(os.path.dirname(f"{self.top}/{name}"), exist_ok=True)
        with open(f"{self.top}/{name}", "w", encoding="utf-8") as f:
            f.write(text)
        if "/data/" not in name:
            return
        with open(f"{self.top}/{name}.done", "w", encoding="utf-8") as f:
            f.write(f"filesize:{len(text.encode())}\n")

    def control(self, part, suffix, number):
        s, events = self.scene, GROUPS[self.scene.metrics][0]
        device = {"id": number, "ai_core_num": CORES, "aiv_num": 48, "hwts_frequency": "50.000000", "aic_frequency": str(MHZ),
            "aiv_frequency": str(MHZ)}
        self.text(f"{part}/info.json{suffix}", json.dumps({"version": "1.0", "platform_version": str(s.chip), "pid": str(PID), "drvVersion": 467732,
            "rank_id": -1, "devices": str(number or 0),
                  "CPU": [{"Id": 0, "Frequency": "100.000000"}], "DeviceInfo": [device] if suffix else []}))
        self.text(f"{part}/start_info{suffix}", json.dumps({"collectionTimeBegin": str(WALL), "clockMonotonicRaw": str(MONO)}))
        self.text(f"{part}/end_info{suffix}", json.dumps({"collectionTimeEnd": str(WALL + 10**6), "clockMonotonicRaw": str(MONO + 10**9)}))
        self.text(f"{part}/host_start.log{suffix}", f"[Host]\nclock_realtime:{WALL * 1000}\nclock_monotonic_raw:{MONO}\ncntvct:{HOST}\ncntvct_diff:0\n")
        if suffix:
            self.text(f"{part}/dev_start.log{suffix}", f"clock_monotonic_raw:{MONO}\ncntvct:{DEVICE}\n")
        self.text(f"{part}/sample.json", json.dumps({"profLevel": s.level, "ai_core_profiling_mode": "task-based", "ai_core_metrics": s.metrics,
            "ai_core_profiling_events": events,
                  "aiv_metrics": s.metrics, "aiv_profiling_events": events, "devices": str(number or 0)}))

    def write(self):
        self.control("host", "", None)
        for d in self.scene.devices:
            self.control(f"device_{d}", f".{d}", d)
            os.makedirs(f"{self.top}/device_{d}/data")
        self.host()
        self.device()
        for (layout, file), lines in self.files.items():
            subprocess.run([self.genrec, layout, f"{self.top}/{file}"], input="\n".join(lines) + "\n", text=True, check=True)


def short(us):
    return round(us, 3)


def expected(s):
    """Rows of the reports, from the scene alone."""
    at0, old, l0 = s.level == "l0", s.chip == 7, s.level == "l0"
    ops = [t for t in s.tasks if "op" in t]
    rows = []
    for t in ops:
        known = (None, "static", "dynamic")[0 if at0 else 1 + t["aging"]] or "N/A"
        rows.append((t["device"], t["start"], t["dur"], (str(t["task"]), str(t["stream"]), t["op"], *(("N/A",) * 3 if l0 else (t["type"], known,
            t["core"])), "0" if l0 else str(t["blocks"])), t))
    index = Counter()
    for c in s.comms:  # counted in the order of launches
        masters = [t for t, _, _, plane in c["steps"] if plane == 0]
        start, end = min(t["start"] for t in masters), max(t["start"] + t["dur"] for t in masters)
        key = (c["device"], c["group"])
        name = f"{c['item']}_{c['group'] % 1000:03d}_{index[key]}_1"
        index[key] += 1
        rows.append((c["device"], start, end - start, ("N/A", "N/A", name, c["item"], "N/A", "COMMUNICATION", "0"), None))
    rows.sort(key=lambda row: (str(row[0]), row[1], row[4] is None))
    summary, before = [], None
    for device, start, dur, words, t in rows:
        wait = 0 if before is None else max(0, start - before)
        before = start + dur
        title, places = GROUPS[s.metrics][1:]
        prefix = "" if old else "aic_"
        seen = {} if t is None or "cycles" not in t or t["kind"] != 0 else {
            "aicore_time(us)": 0 if l0 else t["cycles"] / MHZ / t["blocks"] * -(-t["blocks"] // CORES), prefix + "total_cycles": t["cycles"],
            prefix + title: sum(t["pmu"][i] for i in places) / t["cycles"]}
        summary.append((str(device), *words, short(start + WALL), short(dur), short(wait), seen))
    times = [(str(t["device"]), str(t["stream"]), str(t["task"]), t["core"] if "op" in t and not l0 else t["host"], short(t["start"] + WALL),
        short(t["dur"]))
             for t in sorted(s.tasks, key=lambda t: (t["device"] if old else 0, t["start"]))]
    sums = defaultdict(list)
    for t in ops:
        sums[str(t["device"]), t["type"], t["core"]].append(t["dur"])
    of_device = Counter()
    for (device, _, _), v in sums.items():
        of_device[device] += sum(v)
    statistic = [] if l0 else sorted((-sum(v), *k, len(v), min(v), sum(v) * 1000 // len(v) / 1000, max(v), round(100 * sum(v) / of_device[k[0]],
        3)) for k, v in sums.items())
    calls = defaultdict(list)
    words = {20000: "acl", 10000: "node", 5500: "communication", 5000: "runtime"}
    for name, level, _, _, begin, end, _ in s.calls:
        calls[words[level], name].append(end - begin)
    tracks = Counter()
    for t in s.tasks:
        tracks["Ascend Hardware", t["device"], t["stream"]] += 1
    for c in s.calls:
        tracks["CANN", 31, c[3]] += 1
    return dict(op_summary=summary, task_time=times, op_statistic=statistic, api_statistic=sorted((d, *k, len(v), sum(v), min(v), max(v)) for k,
        v in calls.items() for d in (map(str, s.devices) if old else ["host"])), tracks=tracks)


def table(top, name):
    found = glob.glob(f"{top}/mindstudio_profiler_output/{name}_[0-9]*.csv")
    if not found:
        return []
    with open(found[0], newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def found(s, top):
    """What the exports hold, in the form of expected()."""
    old, (_, title, _) = s.chip == 7, GROUPS[s.metrics]
    prefix = "" if old else "aic_"
    number = lambda x: short(float(x))
    summary = []
    for r in table(top, "op_summary"):
        seen = {k: r[k] for k in ("aicore_time(us)", prefix + "total_cycles", prefix + title) if r.get(k) not in (None, "N/A")}
        summary.append((r["Device_id"], *(r[k] for k in ("Task ID", "Stream ID", "Op Name", "OP Type", "OP State", "Task Type", "Block Num")),
            number(r["Task Start Time(us)"]),
                        number(r["Task Duration(us)"]), number(r["Task Wait Time(us)"]), {k: float(v) for k, v in seen.items()}))
    times = [(r["Device_id"], r["stream_id"], r["task_id"], r["kernel_type"], number(r["task_start(us)"]),
        number(r["task_time(us)"])) for r in table(top, "task_time")]
    rows = table(top, "op_statistic")
    statistic = [(-number(r["Total Time(us)"]), r["Device_id"], r["OP Type"], r["Core Type"], int(r["Count"]), number(r["Min Time(us)"]),
        number(r["Avg Time(us)"]), number(r["Max Time(us)"]),
                  number(r["Ratio(%)"])) for r in rows]
    order = [(r[1] if old else 0, r[0]) for r in statistic]
    assert order == sorted(order), "op_statistic is not in order of time"
    calls = sorted((r["Device_id"], r["Level"], r["API Name"], int(r["Count"]), number(r["Time(us)"]), number(r["Min(us)"]),
        number(r["Max(us)"])) for r in table(top, "api_statistic"))
    with open(glob.glob(f"{top}/mindstudio_profiler_output/msprof_[0-9]*.json")[0], encoding="utf-8") as f:
        events = json.load(f)
    process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    tracks = Counter((process[e["pid"]], e["pid"] & 31, e["tid"]) for e in events if e["ph"] == "X" and process[e["pid"]] in ("Ascend Hardware",
        "CANN"))
    return dict(op_summary=summary, task_time=times, op_statistic=sorted(statistic), api_statistic=calls, tracks=tracks)


def alike(want, have, near):
    """equal, but for the last digit of computed metrics"""
    if isinstance(want, dict) and not isinstance(want, Counter):
        return all(k in have and abs(v - have[k]) <= near for k, v in want.items())
    if isinstance(want, (list, tuple)):
        return len(want) == len(have) and all(alike(p, q, near) for p, q in zip(want, have))
    return want == have


def main(genrec, msprof, seed, top):
    scene = Scene(int(seed))
    Directory(scene, genrec, top).write()
    for kind in ("summary", "timeline"):
        subprocess.run([msprof, "export", kind, "-q", "-dir", top], check=True)
    want, have, wrong = expected(scene), found(scene, top), 0
    near = 0.0051 if scene.chip == 7 else 0.0006  # the times of cores of the older style have two decimals
    for name in want:
        if not alike(want[name], have[name], near):
            wrong = 1
            print(f"seed {seed}, chip {scene.chip}, {scene.level}, {scene.metrics}, devices {scene.devices}: {name} differs", file=sys.stderr)
            if isinstance(want[name], Counter):
                print(f"  missing {want[name] - have[name]}\n  too many {have[name] - want[name]}", file=sys.stderr)
            else:
                print(f"  rows: {len(want[name])} expected, {len(have[name])} there", file=sys.stderr)
                print(*next(((f"  expected {p}\n  there    {q}",) for p, q in zip(want[name], have[name]) if not alike(p, q, near)), ()),
                    file=sys.stderr)
    print(seed, scene.chip, scene.level, len(scene.devices), *(len(x) for x in (scene.tasks, scene.comms, scene.flips)))
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
