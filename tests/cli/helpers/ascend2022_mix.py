#!/usr/bin/env python3
"""ascend2022_mix.py make JOB SEED: a JOB directory of 2022 with several features together; prints the models and the number of iterations.
ascend2022_mix.py compare JOB SEED: compares the summaries in JOB with what follows from the same records. The rows are computed here from the
plan of the job: tasks by their times, never by decoding the files."""
import csv
import json
import os
import random
import struct
import sys

MHZ, AIC_MHZ, HOST_NS, ORIGIN = 50, 800, 10 ** 12, 24_000_000
PIPE = ["vec_ratio", "mac_ratio", "scalar_ratio", "mte1_ratio", "mte2_ratio", "mte3_ratio"]
EVENTS = {"PipeUtilization": "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55", "Memory": "0x15,0x16,0x31,0x32,0xf,0x10,0x12,0x13",
          "ResourceConflictRatio": "0x64,0x65,0x66"}
BANDWIDTH = {0: ("ub_read", 1024), 1: ("ub_write", 1024), 2: ("l1_read", 4096), 3: ("l1_write", 1024),
             6: ("main_mem_read", 2048), 7: ("main_mem_write", 2048)}
TYPES = ["AI_CORE", "AI_CPU", "AI_VECTOR_CORE"]


def plan(seed):
    """The features of a job, and the tasks, iterations and calls of each device; counters are ticks of 20 ns."""
    r = random.Random(seed)
    job = {"devices": [0, 1] if seed % 3 == 0 else [seed % 4], "chip": 4 if seed % 4 == 1 else 1, "metrics": sorted(EVENTS)[seed % 3],
           "cores": r.choice([1, 2, 8]), "steps": [0, 1, 2, 3][seed % 4], "models": 1 + seed % 5 % 2, "dynamic": seed % 7 < 3}
    vector, cpu = seed % 2 == 0, seed % 5 < 3
    job["of"] = {}
    for device in job["devices"]:
        clock, tasks, steps, ops, calls = ORIGIN + 1000, [], [], {}, []
        for model in range(1, job["models"] + 1):
            for step in range(1, max(job["steps"], 1) + 1):
                begin = clock - 7
                for i in range(r.randrange(4, 9) if job["dynamic"] or step == 1 else len(fixed)):
                    key = (model, step if job["dynamic"] and job["steps"] else 0, i)
                    if key not in ops:
                        kind = 1 if cpu and i % 4 == 1 else 2 if vector and i % 4 == 3 else 0
                        ops[key] = {"name": "m%d/op%d_%d" % (model, key[1], i), "type": r.choice(["Conv2D", "Relu", "MatMul"]), "kind": kind,
                                    "block": r.randrange(1, 20), "model": model, "step": key[1], "stream": 10 * model + i % 2, "task": i + 1}
                    length = r.randrange(50, 4000)
                    tasks.append({"op": ops[key], "model": model, "step": step if job["steps"] else 0, "start": clock, "end": clock + length,
                                  "cycles": length * AIC_MHZ // MHZ, "pmu": [r.randrange(length) for _ in range(8)]})
                    clock += length + r.randrange(300)
                fixed = [key for key in ops if key[0] == model]
                steps.append({"model": model, "step": step, "start": begin, "end": clock + 3})
                clock += 500
        for i in range(r.randrange(3, 12)):
            calls.append({"type": r.choice([1, 2, 3, 4]), "name": r.choice("ABC"), "start": HOST_NS + 9000 * i, "dur": r.randrange(1, 9000), "tid": 70 + i % 3})
        for call in calls:
            call["type"] = 1 + ord(call["name"]) % 4
        job["of"][device] = {"tasks": tasks, "steps": steps if job["steps"] else [], "ops": list(ops.values()), "calls": calls}
    return job


def mixed(text, size):
    return struct.pack("<B7x%ds" % size, 1, text.encode())


def make_device(top, job, device):
    """The files of one device."""
    of, data = job["of"][device], {}
    hwts, pmu, cpus, tracks = [], [], [], []
    for n, t in enumerate(of["tasks"]):
        op = t["op"]
        for kind, at in ((0, t["start"]), (1, t["end"])):
            hwts.append(struct.pack("<BBHHHQI44x", kind | (len(hwts) % 16) << 4, 0, 0x6bd3, 0, op["task"], at, op["stream"]))
        if op["kind"] != 1:
            pmu.append(struct.pack("<BBHHHII10Q8I", 5, 2, 0x6bd3, 0, op["task"], 0, 0, t["cycles"], 0, *t["pmu"], op["stream"], *[0] * 7))
        else:
            cpus.append(struct.pack("<HHHHQQQQQQQIIQQQQIIIHBBQ", 0x5a5a, 60, op["stream"], op["task"], 100, t["start"] + 10, 101, 105, 109, 112,
                                    t["end"] - 10, 1, 0, 1, 1, 1, 1, 0, 30, 140, 0, 2, 0, 0))
        tracks.append(struct.pack("<HHIQ32sHHHHQ", 0x5a5a, 41, 78, HOST_NS + n, TYPES[op["kind"]].encode(), op["task"], 0, op["stream"], 0, 0))
    data["hwts.data.%d"], data["aicore.data.%d"], data["DATA_PREPROCESS.AICPU.%d"], data["runtime.task_track.%d"] = hwts, pmu, cpus, tracks
    data["Framework.task_desc_info.%d"] = [
        struct.pack("<HHI", 0x5a5a, 23, o["kind"]) + mixed(o["name"], 120) + mixed(o["type"], 56) +
        struct.pack("<QQIIIIHHIIIII", o["step"], HOST_NS + n, 0, o["block"], o["model"], o["stream"], o["task"], 0, 78, 0, 0, 0, 0)
        for n, o in enumerate(of["ops"])]
    for model in range(1, job["models"] + 1):
        data["Framework.model_load_info_%d.%%d" % model] = [struct.pack("<HHI", 0x5a5a, 20, model) + mixed("net%d" % model, 120) +
                                                            struct.pack("<QQ104x", HOST_NS, HOST_NS + 5)]
    data["ts_track.data.%d"] = [struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, s[what], s["step"], s["model"], 3, 1, tag, 0)
                                for s in of["steps"] for tag, what in ((0, "start"), (1, "end"))]
    data["AclModule.acl_model.%d"] = [struct.pack("<HHIQQII64s4Q", 0x5a5a, 0, c["type"], c["start"], c["start"] + c["dur"], 7, c["tid"],
                                                  c["name"].encode(), 0, 0, 0, 0) for c in of["calls"]]
    for name, records in data.items():
        if records:
            path = os.path.join(top, "data", name % device + ".slice_0")
            with open(path, "wb") as f:
                f.write(b"".join(records))
            with open(path + ".done", "w", encoding="ascii") as f:
                f.write("filesize:%d" % os.path.getsize(path))
    controls = {"info.json": json.dumps({"version": "1.0", "platform_version": str(job["chip"]), "DeviceInfo": [
                    {"id": device, "hwts_frequency": str(MHZ), "aic_frequency": str(AIC_MHZ), "ai_core_num": job["cores"]}]}),
                "start_info": "{}", "end_info": "{}", "host_start.log": "[Device%d]\nclock_monotonic_raw: %d\ncntvct: 5\n" % (device, HOST_NS),
                "dev_start.log": "clock_monotonic_raw: 77\ncntvct: %d\n" % ORIGIN}
    for name, text in controls.items():
        with open(os.path.join(top, "%s.%d" % (name, device)), "w", encoding="ascii") as f:
            f.write(text)


def make(top, job):
    os.makedirs(os.path.join(top, "data"))
    for device in job["devices"]:
        make_device(top, job, device)
    with open(os.path.join(top, "sample.json"), "w", encoding="ascii") as f:
        json.dump({"ai_core_profiling_mode": "task-based", "ai_core_metrics": job["metrics"], "ai_core_profiling_events": EVENTS[job["metrics"]]}, f)
    print(job["models"], job["steps"])


def ns(counter):
    return HOST_NS + (counter - ORIGIN) * 1000 // MHZ


def runs_of(job, device, model, step):
    """The tasks of exports of an iteration in order of start: of the scheduler, and what the AI CPU recorded within them."""
    runs, seen = [], {}
    for t in job["of"][device]["tasks"]:
        op, mine = t["op"], (t["model"], t["step"]) == (model, step) or not step
        if mine and (job["chip"] == 1 or op["kind"] == 0):
            runs.append({"t": t, "op": op, "kind": "AI_CORE", "start": ns(t["start"]), "end": ns(t["end"]), "same": op["kind"] == 0, "first": True})
        if op["kind"] == 1:  # the batches of the AI CPU count over the whole job: operators are known by their first
            again = op["task"] <= seen.get(op["stream"], (0, 0))[0]
            seen[op["stream"]] = (op["task"], seen.get(op["stream"], (0, 0))[1] + again)
            if mine:
                runs.append({"t": t, "op": op, "kind": "AI_CPU", "start": ns(t["start"] + 10), "end": ns(t["end"] - 10), "same": True,
                             "first": seen[op["stream"]][1] == 0})
    before = None
    for run in runs:
        run["wait"] = max(run["start"] - before, 0) / 1000 if before is not None else 0
        before = run["end"]
    return runs


def counters_of(job, t):
    """The columns of a task's counters."""
    cycles, pmu = t["cycles"], t["pmu"]
    block, cores = t["op"]["block"], job["cores"]
    row = {"total_cycles": cycles, "aicore_time(us)": cycles / AIC_MHZ / block * -(-block // cores)}
    if job["metrics"] == "PipeUtilization":
        row.update((title, pmu[i] / cycles) for i, title in enumerate(PIPE))
    elif job["metrics"] == "Memory":
        row.update((name + "_bw(GB/s)", pmu[i] * size / (cycles / AIC_MHZ / 1e6) / 2 ** 33) for i, (name, size) in BANDWIDTH.items())
    else:
        row.update((title, pmu[i] / cycles) for i, title in enumerate(["vec_bankgroup_cflt_ratio", "vec_bank_cflt_ratio", "vec_resc_cflt_ratio"]))
    return row


def op_summary(job, device, model, step):
    rows = []
    for run in runs_of(job, device, model, step):
        if run["same"] and (run["first"] or step):
            op = run["op"]
            row = {"Model ID": op["model"], "Task ID": op["task"], "Stream ID": op["stream"], "Op Name": op["name"], "OP Type": op["type"],
                   "Task Type": run["kind"], "Task Start Time": run["start"], "Task Duration(us)": (run["end"] - run["start"]) / 1000,
                   "Task Wait Time(us)": run["wait"], "Block Dim": op["block"]}
            if step:
                row.update({"Model Name": "net%d" % op["model"], "Infer ID": step})
            row.update(counters_of(job, run["t"]) if run["kind"] == "AI_CORE" else {"total_cycles": "N/A"})
            rows.append(row)
    return rows


def op_statistic(job, device, model, step):
    groups = {}
    for run in runs_of(job, device, model, step):
        if run["same"] and run["first"]:
            groups.setdefault((run["op"]["type"], run["kind"]), []).append((run["end"] - run["start"]) / 1000)
    total = sum(map(sum, groups.values()))
    return [{"OP Type": kind, "Core Type": core, "Count": len(v), "Total Time(us)": sum(v), "Min Time(us)": min(v), "Max Time(us)": max(v),
             "Avg Time(us)": sum(v) / len(v), "Ratio(%)": 100 * sum(v) / total} for (kind, core), v in groups.items()]


def task_time(job, device, model, step):
    return [{"kernel_name": t["op"]["name"], "kernel_type": TYPES[t["op"]["kind"]], "stream_id": t["op"]["stream"], "task_id": t["op"]["task"],
             "task_time(us)": (ns(t["end"]) - ns(t["start"])) / 1000, "task_start(ns)": ns(t["start"]), "task_stop(ns)": ns(t["end"])}
            for t in job["of"][device]["tasks"] if not step or (t["model"], t["step"]) == (model, step)]


def step_trace(job, device, _model, _step):
    return [{"Iteration ID": s["step"], "Model ID": s["model"], "FP Start": "N/A", "Iteration End": s["end"],
             "Iteration Time(us)": (s["end"] - s["start"]) / MHZ} for s in job["of"][device]["steps"]]


def acl_statistic(job, device, _model, _step):
    groups = {}
    for call in job["of"][device]["calls"]:
        groups.setdefault(call["name"], []).append(call)
    total = sum(c["dur"] for v in groups.values() for c in v)
    return [{"Name": name, "Type": "ACL_" + ("OP", "MODEL", "RTS", "OTHERS")[v[0]["type"] - 1], "Count": len(v), "Time(us)": sum(c["dur"] for c in v) / 1000,
             "Time(%)": 100 * sum(c["dur"] for c in v) / total, "Avg(us)": sum(c["dur"] for c in v) / len(v) / 1000,
             "Min(us)": min(c["dur"] for c in v) / 1000, "Max(us)": max(c["dur"] for c in v) / 1000, "Process ID": 7,
             "Thread ID": max(v, key=lambda c: c["dur"])["tid"]} for name, v in groups.items()]


def same(title, want, have):
    if isinstance(want, str):
        return want == have
    try:
        slack = 2e-6 if title.endswith(("_ratio", "(GB/s)", "(%)")) else 1.1e-3  # averages of whole ns are cut to ns
        return abs(float(have.strip('"')) - want) <= slack
    except ValueError:
        return False


def compare(top, job):
    """The keys of rows are their texts and whole numbers; each cell that is expected must be there."""
    wrong = cells = 0
    scopes = [(m, s) for m in range(1, job["models"] + 1) for s in range(1, job["steps"] + 1)] or [(0, 0)]
    for device in job["devices"]:
        for model, step in scopes:
            for report in (op_summary, op_statistic, task_time, step_trace, acl_statistic):
                want = report(job, device, model, step)
                path = os.path.join(top, "summary", "%s_%d_%s.csv" % (report.__name__, device, "%d_%d" % (model, step) if step else "1"))
                have = []
                if os.path.exists(path):
                    with open(path, newline="", encoding="ascii") as f:
                        have = list(csv.DictReader(f))
                names = [k for k in (want[0] if want else ()) if k in ("Op Name", "OP Type", "Core Type", "Task Type", "kernel_name", "task_start(ns)",
                                                                       "Name", "Iteration ID", "Model ID", "Task Start Time")]
                key = lambda row: [round(float(str(row[k]).strip('"'))) if k.endswith(("(ns)", "Time", "ID")) else row[k] for k in names]
                want, have = sorted(want, key=key), sorted(have, key=key)
                if len(want) != len(have):
                    print("%s: %d rows, not %d" % (path, len(have), len(want)))
                    wrong += 1
                for w, h in zip(want, have):
                    for title, value in w.items():
                        cells += 1
                        if not same(title, value, h.get(title, "no such column")):
                            print("%s: %s is %s, not %s in %s" % (path, title, h.get(title), value, w))
                            wrong += 1
    print(cells, "cells")
    return wrong != 0


if __name__ == "__main__":
    JOB = plan(int(sys.argv[3]))
    sys.exit(make(sys.argv[2], JOB) if sys.argv[1] == "make" else compare(sys.argv[2], JOB))
