"""advise_rows.py: the tasks of a job as Python objects, for advise_truth.py: from the raw bytes of a board, else from tables of records and joins."""
import fnmatch
import os
import sqlite3
from types import SimpleNamespace

import svp

UNIT_EVENTS = {0x08: "vec", 0x09: "scalar", 0x0a: "mac", 0x0b: "mte1", 0x0c: "mte2", 0x0d: "mte3"}
NOBODY = 4294967295


def task(**values):
    base = {"cls": 1, "launch": None, "name": None, "type": None, "key": None, "stream": None, "kind": None, "blocks": None, "core": "aic", "units": {},
            "cycles": {}, "slow": 0, "number": None, "step": None, "converts": None}
    base.update(values)
    return SimpleNamespace(**base)


def matches(kind, patterns):
    return any(fnmatch.fnmatchcase(kind, p) for p in patterns)


MATRIX = ["*matmul*", "*conv2d*", "*conv3d*", "*flashattention*", "gemm"]
CONVERTS = ["transdata", "cast", "transpose*", "permute", "reshape"]
MOVES = ["concat*", "split*", "slice*", "stridedslice*", "gather*", "pad*", "tile*"] + CONVERTS


SVP_MATRIX = ["*conv*", "fc", "innerproduct", "*matmul*", "gemm", "*lstm*", "*gru*", "rnn"]
SVP_CONVERTS = ["permute", "transpose", "reshape", "flatten", "cast", "transdata", "quant*", "dequant*"]
SVP_MOVES = ["preprocess", "reportop", "concat", "split", "slice", "crop"] + SVP_CONVERTS


def class_of(kind):
    kind = (kind or "").lower()
    return 0 if matches(kind, MATRIX) else 2 if matches(kind, MOVES) else 1


def converts(t):
    return t.converts if t.converts is not None else t.cls < 3 and matches((t.type or "").lower(), CONVERTS)


def job(number, tasks, ranges, **more):
    base = {"cores": {}, "calls": [], "memory": {}, "executions": 0, "packets": [], "mhz": None, "changes": False, "syncs": None, "collectives": []}
    base.update(more)
    return SimpleNamespace(id=number, title=f"device {number}", tasks=tasks, ranges=ranges, **base)


def svp_class(kind):
    kind = (kind or "").lower()
    return 0 if matches(kind, SVP_MATRIX) else 2 if matches(kind, SVP_MOVES) else 1


def svp_task(raw, layers, step, row):
    """A fused task is of the lowest class of its layers, and converts if all do."""
    kinds = [layer["type"] or "" for layer in layers]
    cls = 3 if raw.unit == "CPU" else min(map(svp_class, kinds), default=1)
    name, types = svp.joined(layers, "ori"), svp.joined(layers, "type")
    if name == "N/A":
        name = svp.joined(layers, "name")
    alone = cls in (0, 3) or not kinds or types.lower() in ("preprocess", "reportop")
    return task(start=raw.start, dur=max(0, raw.dur), cls=cls, type=types, stream=raw.stream,
                name=svp.nameless(raw) if name == "N/A" else name,
                key=(raw.unit, raw.task, raw.seg), converts=bool(kinds) and all(matches(k.lower(), SVP_CONVERTS) for k in kinds), step=step, row=row,
                kind=None if alone else types, number=raw.task, raw=raw)


def launch_of(start, calls):
    """When an inference was launched that began at start: by the last call that was open then, else by the last asynchronous one before."""
    around = [c.begin for c in calls if c.name == "svp_acl_mdl_execute" and c.begin <= start <= c.end]
    before = [c.begin for c in calls if c.name == "svp_acl_mdl_execute_async" and c.begin <= start]
    return max(around or before, default=None)


def of_loop(calls):
    """The calls between the first and the last execution of a model by their process, and how many executions there are; a call is (pid, name, begin, end)."""
    loops, count = {}, 0
    for pid, name, begin, end in calls:
        if "execute" in name.lower().partition("mdl")[2]:
            first, last = loops.get(pid, (begin, end))
            loops[pid], count = (min(first, begin), max(last, end)), count + 1
    return [c for c in calls if c[0] not in loops or loops[c[0]][0] <= c[2] <= loops[c[0]][1]], count


def memory_times(calls):
    times = {}
    for _, name, begin, end in calls:
        low = name.lower()
        if end - begin >= 10 ** 7 and any(w in low for w in ("mem", "malloc", "free")) and "load" not in low:
            times[name] = times.get(name, 0) + end - begin
    return times


def read_svp(path):
    board, groups = svp.Job(path), {}
    for key in board.tasks:
        groups.setdefault((key.device, key.model, key.model_id), []).append(key)
    jobs = []
    for number, (group, keys) in enumerate(sorted(groups.items()), 1):
        tasks, steps = [], []
        for step, key in enumerate(keys):
            mine = [svp_task(t, board.layers_of(key, t), step, row) for row, t in enumerate(board.tasks[key])]
            launch = launch_of(min(t.start for t in mine), board.calls.get(group, []))
            for t in mine:
                t.launch = launch
            tasks += mine
            steps.append((min(t.start for t in mine), max(t.start + t.dur for t in mine), step, key.pic))
        calls, executions = of_loop([(c.pid, c.name, c.begin, c.end) for mine in board.calls.values() for c in mine])
        found = job(number, tasks, [s[:2] for s in sorted(steps)], memory=memory_times(calls), executions=executions, calls=None,
            pics=sorted(steps), device=group[0], shown=board.shown)
        alike = sum(other[:2] == group[:2] for other in groups)
        found.title = group[1] + (f", id {group[2]}" if alike > 1 else "") + (f" on device {group[0]}" if len(board.frequency) > 1 else "")
        found.order = [s[2] for s in sorted(steps)]
        jobs.append(found)
    return jobs


def valid_ranges(steps):
    """(model, start, end): those of one model that do not overlap, else none."""
    steps = sorted(steps, key=lambda s: s[2])
    if len({s[0] for s in steps}) > 1 or any(b[1] < a[2] for a, b in zip(steps, steps[1:])):
        return []
    return [s[1:] for s in steps]


def read_prof(db):
    names = dict(db.execute("SELECT hash, name FROM name").fetchall())
    types = {(x["level"], x["type"]): x["name"] for x in db.execute("SELECT * FROM type_name")}
    api = [dict(a) for a in db.execute("SELECT * FROM api ORDER BY connection_id")]
    groups = []
    for device, in db.execute("SELECT DISTINCT device_id FROM source WHERE device_id IS NOT NULL ORDER BY 1").fetchall():
        setting = db.execute("SELECT * FROM setting WHERE device_id = ?", (device,)).fetchone()
        metric = db.execute("SELECT core, name, position FROM core_metric WHERE device_id = ? AND what = 'pipe'", (device,)).fetchall()
        tasks = []
        for t in db.execute("SELECT * FROM task WHERE device_id = ? AND start_ns IS NOT NULL AND is_op = 1 ORDER BY id", (device,)):
            kind = names.get(t["op_type"])
            cls = 3 if t["node_type"] == 1 else class_of(kind)
            units, cycles = {}, {c: t[f"{c}_cycles"] or 0 for c in ("aic", "aiv")}
            for m in metric:
                units.setdefault((m["core"], m["name"]), 0)
                units[m["core"], m["name"]] += t[f"{m['core']}_pmu{m['position']}"] or 0
            tasks.append(task(start=t["start_ns"], dur=max(0, t["dur_ns"]), cls=cls, launch=t["launch_ns"], name=names.get(t["op_name"]), type=kind,
                              key=(t["op_name"], t["op_type"], t["block_num"], 0), stream=t["stream_id"], blocks=t["block_num"] or None, units=units,
                              cycles=cycles, number=t["task_id"], kind=None if cls in (0, 3) else t["op_type"], row=t["id"],
                              slow=max(0, setting["mhz"] - t["frequency_mhz"]) * (t["dur_ns"] // 1000) if setting["mhz"] and t["frequency_mhz"] else 0))
        for t in tasks:
            t.core = "aic" if sum(x.cycles["aic"] for x in tasks if x.key == t.key) else \
                "aiv" if sum(x.cycles["aiv"] for x in tasks if x.key == t.key) or t.cls else "aic"
        collectives = db.execute("SELECT * FROM comm_op WHERE device_id = ? AND start_ns IS NOT NULL", (device,)).fetchall()
        tasks += [task(start=c["start_ns"], dur=c["end_ns"] - c["start_ns"], cls=4, name="communication", key=("c", c["op_type"]), row=c["id"])
                  for c in collectives]
        tasks += [task(start=t["start_ns"], dur=max(0, t["dur_ns"]), cls=2, launch=t["launch_ns"], name=names.get(t["kernel_name"]),
                       key=("m", t["kernel_name"]), row=t["id"])
                  for t in db.execute("SELECT t.* FROM task_copy c JOIN task t USING (id) WHERE device_id = ? AND is_op = 0 AND start_ns IS NOT NULL "
                                      "AND id NOT IN (SELECT id FROM comm_task)", (device,))]
        packets = [dict(p) for p in db.execute(
            "SELECT h.transport_type, h.size, h.local_rank, h.remote_rank, t.dur_ns FROM comm_task c JOIN task t USING (id) "
            "JOIN hccl_info h ON h.rowid = c.info_row WHERE t.device_id = ? AND h.transport_type IN (0, 1)", (device,))]
        steps = [(s["model_id"], s["start_ns"], s["end_ns"]) for s in
                 db.execute("SELECT * FROM step WHERE device_id = ? AND start_ns IS NOT NULL AND end_ns > start_ns", (device,))]
        memory = {}
        (first, last), = db.execute("SELECT min(launch_ns), max(launch_ns) FROM task WHERE is_op = 1")
        for a in api:
            if first is not None and not first <= a["start_ns"] <= last:
                continue  # made once
            name = types.get((a["level"], a["type"]), "")
            low = name.lower()
            if a["dur_ns"] >= 10 ** 7 and any(w in low for w in ("mem", "malloc", "free")) and "load" not in low:
                memory[name] = memory.get(name, 0) + a["dur_ns"]
        groups.append(job(device, tasks, valid_ranges(steps), packets=packets, mhz=setting["mhz"], memory=memory,
                          cores={c: n for c, n in (("aic", setting["cores"]), ("aiv", setting["aiv_cores"])) if n},
                          calls=[(a["start_ns"], a["start_ns"] + a["dur_ns"]) for a in api], collectives=collectives))
    launches, last = [], {}
    for a in sorted(api, key=lambda a: (a["start_ns"], a["connection_id"])):
        name = types.get((a["level"], a["type"]), "")
        kind = 1 if a["level"] == 10000 and name == "launch" else 2 if a["level"] == 20000 and "synchronize" in name.lower() else 0
        if kind == 1:
            launches.append(last.get(a["thread_id"]))
        if kind:
            last[a["thread_id"]] = (kind, a["dur_ns"])
    has_wait = any("synchronize" in n.lower() for (level, _), n in types.items() if level == 20000)
    for g in groups:
        g.syncs = launches if has_wait else []
    return [g for g in groups if any(t.start is not None for t in g.tasks)]


def read_2022(db):
    groups = []
    for s in db.execute("SELECT * FROM setting ORDER BY device_id").fetchall():
        def ns(counter, s=s):
            return s["host_ns"] + round((counter - s["device_counter"]) * 1000 / s["counter_mhz"])
        device = s["device_id"]
        position = {UNIT_EVENTS[c["event"]]: c["position"] for c in db.execute("SELECT * FROM counter WHERE device_id = ?", (device,))
                    if c["event"] in UNIT_EVENTS}
        launch = {}
        for r in db.execute("SELECT * FROM runtime_api"):
            for i in range(min(r["task_num"], 10)):
                launch.setdefault((r["stream_id"], r[f"task{i + 1}_id"], r[f"task{i + 1}_batch"]), []).append(r["start_ns"])
        rows = db.execute("SELECT t.*, o.name, o.type, o.task_type, o.block_dim, o.id AS op, p.total_cycles, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, "
                          "p.pmu6, p.pmu7 FROM task t LEFT JOIN op o ON o.id = t.op_id LEFT JOIN aicore_pmu p ON p.rowid = t.pmu_row "
                          "WHERE t.device_id = ? AND t.unit IS NOT 1 AND t.start_ns IS NOT NULL ORDER BY t.id", (device,)).fetchall()
        linked = sum(map(len, launch.values())) >= db.execute("SELECT count(*) FROM task WHERE unit IS NOT 1").fetchone()[0]
        tasks = []
        for t in rows:
            cls = 5 if t["op"] is None else 3 if t["task_type"] == "AI_CPU" else class_of(t["type"])
            before = [x for x in launch.get((t["stream_id"], t["task_id"], t["batch_id"]), []) if x <= t["start_ns"]] if linked else []
            tasks.append(task(start=t["start_ns"], dur=max(0, t["dur_ns"]), cls=cls, launch=max(before, default=None), type=t["type"], blocks=t["block_dim"],
                              name=t["name"] if t["op"] is not None else f"stream {t['stream_id']} task {t['task_id']}",
                              key=(t["name"], t["type"], t["block_dim"]) if t["op"] is not None else (t["stream_id"], t["task_id"]), stream=t["stream_id"],
                              units={("aic", u): t[f"pmu{p}"] or 0 for u, p in position.items()}, cycles={"aic": t["total_cycles"] or 0}, row=t["id"],
                              kind=None if cls in (0, 3, 5) else t["type"], number=t["task_id"]))
        reduced = [(ns(a["start_counter"]), round((a["end_counter"] - a["start_counter"]) * 1000 / s["counter_mhz"]), a["number"], a["rowid"]) for a in
                   db.execute("SELECT rowid, * FROM all_reduce WHERE device_id = ? AND end_counter IS NOT NULL", (device,))]
        tasks += [task(start=a, dur=d, cls=4, name=f"all-reduce {n}", key=("c", n), row=row) for a, d, n, row in reduced]
        steps = [(x["model_id"], ns(x["start_counter"]), ns(x["end_counter"])) for x in
                 db.execute("SELECT * FROM step WHERE device_id = ? AND end_counter > start_counter", (device,))]
        host = [(c["pid"], c["name"], c["start_ns"], c["start_ns"] + c["dur_ns"]) for c in db.execute("SELECT * FROM api_call")]
        calls = [(c["start_ns"], c["start_ns"] + c["dur_ns"]) for c in db.execute("SELECT start_ns, dur_ns FROM runtime_api")] + [c[2:] for c in host]
        host, executions = of_loop(host)
        groups.append(job(device, tasks, valid_ranges(steps), cores={"aic": s["aic_num"]} if s["aic_num"] > 1 else {}, mhz=s["aic_mhz"],
                          memory=memory_times(host), executions=executions, calls=sorted(calls), collectives=reduced))
    return [g for g in groups if any(t.cls != 4 for t in g.tasks)]


def read_910(db):
    groups = []
    points = dict(db.execute("SELECT point, op_name FROM trace_point").fetchall())
    for d in db.execute("SELECT * FROM device ORDER BY device_id").fetchall():
        device, tasks = d["device_id"], []
        for t in db.execute("SELECT t.rowid AS row, t.*, o.name, o.type, o.block_dim FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id "
                            "WHERE t.device_id = ? ORDER BY t.rowid", (device,)):
            known = t["hwts_op_id"] is not None
            cls = class_of(t["type"]) if known else 5
            tasks.append(task(start=t["start_ns"], dur=max(0, t["dur_ns"]), cls=cls, type=t["type"], stream=t["stream_id"], blocks=t["block_dim"], row=t["row"],
                              name=t["name"] if known else f"stream {t['stream_id']} task {t['task_id']}", number=t["task_id"],
                              key=(t["hwts_op_id"],) if known else (t["stream_id"], t["task_id"]), kind=None if cls in (0, 5) else t["type"]))
        if not tasks:
            continue
        first, last = min(t.start for t in tasks), max(t.start + t.dur for t in tasks)
        trace = [(p["time_ns"], p["type"]) for p in db.execute("SELECT p.* FROM source s JOIN step_trace p ON p.rowid BETWEEN s.first_row AND s.last_row "
                                                               "WHERE s.target = 'step_trace' AND s.device_id = ? ORDER BY p.time_ns", (device,))]
        open_at, at, ranges, collectives = {}, min((a for a, _ in trace), default=0), [], []
        for now, kind in trace:
            if kind == 255:
                if at >= first and now <= last and now > at:
                    ranges.append((at, now))
                at = now
            elif 3 <= kind <= 254 and kind % 2 and kind in points and points.get(kind + 1) == points[kind]:
                open_at[kind] = now
            elif kind - 1 in open_at:
                begin = open_at.pop(kind - 1)
                collectives.append((begin, now, kind - 1))
        mhz = d["counter_mhz"]
        for n, c in enumerate(sorted(collectives)):
            tasks.append(task(start=c[0], dur=c[1] - c[0], cls=4, name=points[c[2]], key=("c", c[2]), row=n))
        for e in db.execute("SELECT e.rowid AS row, e.* FROM source s JOIN aicpu_events e ON e.rowid BETWEEN s.first_row AND s.last_row "
                            "WHERE s.target = 'aicpu_events' AND s.device_id = ? AND e.run_end_tick >= e.run_begin_tick", (device,)):
            tasks.append(task(start=int(e["run_begin_tick"] * 1000 / mhz), dur=int((e["run_end_tick"] - e["run_begin_tick"]) * 1000 / mhz), cls=3, row=e["row"],
                              name=f"processor {e['aicpu']} of the AI CPU", key=("p", e["aicpu"])))
        groups.append(job(device, tasks, ranges, collectives=collectives))
    return groups


def read(top):
    db = sqlite3.connect(f"file:{os.path.join(top, 'sqlite', 'msprof.db')}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    family = db.execute("SELECT value FROM meta WHERE key = 'family'").fetchone()[0]
    return family, read_svp(top) if family == "svp" else {"prof": read_prof, "ascend2022": read_2022, "ascend910": read_910}[family](db)
