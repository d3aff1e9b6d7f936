"""report_truth.py JOB FILE.html: recomputes every number of a report's page from the raw bytes of a board's job, else from the tables of its database."""
import json
import math
import os
import re
import sqlite3
import sys

import advise_rows
import svp

SLICES, EXACT, LONGEST, BINS, LANES, NODES, STRETCHES = 20000, 14000, 2000, 32768, 64, 2000, 1024
WIDTHS = {"FLOAT": 4, "FLOAT16": 2, "INT8": 1, "UINT8": 1, "BOOL": 1, "INT16": 2, "INT32": 4, "INT64": 8, "DT_BF16": 2}
CLASSES = ["Computing: matrix", "Computing: vector", "Computing: data movement", "AI CPU alone", "Communication, not overlapped",
           "Tasks without a description"]


def fail(what, got, want):
    sys.exit(f"{what}: {str(got)[:600]} is not {str(want)[:600]}")


def equal(what, got, want):
    if got != want:
        fail(what, got, want)


def close(what, got, want, places):
    if (got is None) != (want is None) or (got is not None and abs(got - want) > 0.5001 * 10 ** -places + 1e-12 * abs(want)):
        fail(what, got, want)


def document(path):
    """The data of a page: nothing but its own end may end the element."""
    with open(path, "rb") as f:
        text = f.read().decode("utf-8")
    found = re.findall(r'<script type="application/json" id="data">([^<>&\u2028\u2029\x00-\x09\x0b-\x1f\x7f-\x9f]*)</script>', text)
    equal("elements with data", len(found), 1)
    return json.loads(found[0])


# -------------------------------------------------------------------- what a job has


def svp_tracks(path, groups):
    board, tracks = svp.Job(path), {}
    for g in groups:
        for number, t in enumerate(g.tasks):
            name = f"Stream {t.stream}" if t.raw.unit == "CORE" else f"AI CPU, stream {t.stream}"
            tracks.setdefault(("device", f"Device {g.device}", name), []).append((t.start, t.start + t.dur, t.name, number))
        tracks["step", g.title, "Inferences"] = [(s[0], s[1], f"Inference {s[3]}", s[3]) for s in g.pics]
    for calls in board.calls.values():
        for number, c in enumerate(calls):
            tracks.setdefault(("host", "Host", f"Thread {c.tid}"), []).append((c.begin, max(c.begin, c.end), c.name, number))
    return tracks


def ascend_tracks(db, family, groups):
    tracks = {}

    def put(kind, group, name, rows):
        for number, (start, dur, text) in enumerate(rows):
            tracks.setdefault((kind, group, name), []).append((start, start + max(0, dur), text, number))
    if family == "prof":
        names = dict(db.execute("SELECT hash, name FROM name").fetchall())
        kinds = dict(db.execute("SELECT kind, name FROM task_kind").fetchall())
        kinds.update((k + 256, n) for k, n in db.execute("SELECT kind, name FROM subtask_kind").fetchall())
        types = {(x[0], x[1]): x[2] for x in db.execute("SELECT level, type, name FROM type_name")}
        types.update(((i >> 32, i & 0xffffffff), n) for i, n in db.execute("SELECT id, name FROM call_kind WHERE name IS NOT NULL"))
        for t in db.execute("SELECT * FROM task WHERE start_ns IS NOT NULL AND has_parts IS NULL ORDER BY id"):
            text = names.get(t["op_name"]) or names.get(t["kernel_name"]) or kinds.get(t["device_type"])
            put("device", f"Device {t['device_id']}", f"Stream {t['stream_id']}", [(t["start_ns"], t["dur_ns"], text)])
        for a in db.execute("SELECT * FROM api ORDER BY connection_id"):
            put("host", "Host", f"Thread {a['thread_id']}", [(a["start_ns"], a["dur_ns"], types.get((a["level"], a["type"])))])
        for g in groups:
            order = []
            for c in g.collectives:
                order += [c["step_group"]] if c["step_group"] not in order else []
                put("device", f"Device {g.id}", f"Communication {order.index(c['step_group']) + 1}", [(c["start_ns"], c["end_ns"] - c["start_ns"], c["name"])])
    if family == "ascend2022":
        for t in db.execute("SELECT t.*, o.name FROM task t LEFT JOIN op o ON o.id = t.op_id WHERE t.unit IS NOT 1 AND t.start_ns IS NOT NULL ORDER BY t.id"):
            text = t["name"] or f"task {t['task_id']} of stream {t['stream_id']}"
            put("device", f"Device {t['device_id']}", f"Stream {t['stream_id']}", [(t["start_ns"], t["dur_ns"], text)])
        for table, thread in (("api_call", "tid"), ("runtime_api", "thread_id")):
            for a in db.execute(f"SELECT {thread} AS tid, name, start_ns, dur_ns FROM {table} WHERE start_ns IS NOT NULL ORDER BY rowid"):
                put("host", "Host", f"Thread {a['tid']}", [(a["start_ns"], a["dur_ns"], a["name"])])
    if family == "ascend910":
        for t in db.execute("SELECT t.*, o.name FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id WHERE t.start_ns IS NOT NULL ORDER BY t.rowid"):
            text = t["name"] or f"task {t['task_id']} of stream {t['stream_id']}"
            put("device", f"Device {t['device_id']}", f"Stream {t['stream_id']}", [(t["start_ns"], t["dur_ns"], text)])
    for g in groups:
        if family != "prof":
            put("device", f"Device {g.id}", "Communication", [(t.start, t.dur, t.name) for t in g.tasks if t.cls == 4])
        if family == "ascend910":
            for t in g.tasks:
                if t.cls == 3 and t.key[0] == "p":
                    put("device", f"Device {g.id}", f"AI CPU {t.key[1]}", [(t.start, t.dur, f"AI CPU {t.key[1]}")])
        put("step", g.title, "Iterations", [(a, b - a, None) for a, b in g.windows if g.ranges])
    return tracks


# -------------------------------------------------------------------- the time line


def sweep(slices):
    """Slices by start, the longest first, with their depth and their parent; and the stretches of the deepest lane."""
    lanes, stretches, depths, parents, now = [], [], [], [], slices[0][0]

    def advance(to):
        nonlocal now
        while now < to:
            while lanes and slices[lanes[-1]][1] <= now:
                lanes.pop()
            if not lanes:
                break
            until = min(to, slices[lanes[-1]][1])
            stretches.append((now, until, lanes[-1]))
            now = until
        now = to
    for i, (start, end, *_) in enumerate(slices):
        advance(start)
        while lanes and slices[lanes[-1]][1] <= now:
            lanes.pop()
        around = [k for k in reversed(lanes) if slices[k][1] > now and slices[k][1] >= end]
        parents.append(around[0] if around else None)
        place = next((k for k, x in enumerate(lanes) if slices[x][1] <= now), len(lanes))
        place = min(place, LANES - 1)
        if place == len(lanes):
            lanes.append(i)
        else:
            lanes[place] = i
        depths.append(place)
    advance(max(s[1] for s in slices))
    return depths, parents, stretches


def check_levels(what, levels, slices, stretches, length, names, room):
    equal(f"{what}: bins", [x["bins"] for x in levels], ([512] if room > 512 else []) + [room])
    for level in levels:
        n = level["bins"]
        edges = [length * i // n for i in range(n + 1)]
        starts, busy, by_name, at = [0] * n, [0] * n, [{} for _ in range(n)], 0
        for start, *_ in slices:
            while at + 1 < n and edges[at + 1] <= start:
                at += 1
            starts[at] += 1
        at = 0
        for begin, end, i in stretches:
            while begin < end:
                while at + 1 < n and edges[at + 1] <= begin:
                    at += 1
                until = min(end, edges[at + 1])
                busy[at] += until - begin
                name = slices[i][2]
                by_name[at][name] = by_name[at].get(name, 0) + until - begin
                begin = until
        equal(f"{what}: starts", level["count"], starts)
        for i in range(n):
            width = edges[i + 1] - edges[i]
            equal(f"{what}: busy {i}", level["busy"][i], int(255 * busy[i] / width + 0.5) if width else 0)
            top = level["top"][i]
            if (top < 0) != (not by_name[i]) or (top >= 0 and by_name[i].get(names[top]) != max(by_name[i].values())):
                fail(f"{what}: top {i}", top, by_name[i])


def check_track(key, track, slices, length, names, plan):
    slices.sort(key=lambda s: (s[0], -s[1]))
    depths, parents, stretches = sweep(slices)
    equal(f"{key}: slices", track["slices"], len(slices))
    shown = track["exact"] or track["longest"]
    got, at = [], 0
    for i, start in enumerate(shown["start"]):
        at += start
        got.append((at, shown["dur"][i], names[shown["name"][i]], shown["depth"][i] if shown["depth"] else 0))
    want = [(s[0], s[1] - s[0], s[2], d) for s, d in zip(slices, depths)]
    if key[0] == "step" and want and want[0][2] is None:  # the numbers of iterations are checked by their times
        want, got = [w[:2] for w in want], [g[:2] for g in got]
    equal(f"{key}: exact", track["exact"] is not None, key in plan["exact"])
    equal(f"{key}: truncated", shown["truncated"], track["exact"] is None)
    if track["exact"]:
        equal(f"{key}: slices", sorted(got), sorted(want))
    else:
        want.sort(key=lambda w: (-w[1], w[0]))
        equal(f"{key}: longest", sorted(x[:2] for x in got), sorted(x[:2] for x in want[:plan["longest"]]))
        equal(f"{key}: a slice that nothing recorded", set(got) - set(want), set())
        check_levels(key, track["levels"], slices, stretches, length, names, plan["bins"])
    if any(a > b for a, b in zip(got, got[1:])) and [g[0] for g in got] != sorted(g[0] for g in got):
        fail(f"{key}: order", "not by start", "by start")
    return parents, stretches


def divide(tracks):
    """Which tracks have all their slices, and how much the others have."""
    total = sum(map(len, tracks.values()))
    plan = {"exact": set(tracks), "longest": 0, "bins": 4096}
    if total <= SLICES:
        return plan
    plan["exact"], used = set(), 0
    by_count = sorted(tracks, key=lambda k: len(tracks[k]))
    for key in by_count:
        if used + len(tracks[key]) > EXACT:
            break
        used += len(tracks[key])
        plan["exact"].add(key)
    others = len(tracks) - len(plan["exact"])
    plan["longest"] = min(LONGEST, (SLICES - EXACT) // others)
    while others * plan["bins"] > BINS and plan["bins"] > 64:
        plan["bins"] //= 2
    return plan


def add_stacks(nodes, slices, parents, stretches):
    paths, own = [], {}
    for begin, end, i in stretches:
        own[i] = own.get(i, 0) + end - begin
    for i, (start, end, name, *_) in enumerate(slices):
        paths.append((paths[parents[i]] if parents[i] is not None else ()) + (name,))
        node = nodes.setdefault(paths[-1], [0, 0, 0])
        node[0] += end - start
        node[1] += own.get(i, 0)
        node[2] += 1


def check_stacks(stacks, nodes):
    if not nodes:
        return equal("flame graph", stacks, None)
    paths, got = [], {}
    for parent, name, *numbers in stacks["nodes"]:
        equal("a parent before its child", parent < len(paths), True)
        paths.append((paths[parent] if parent >= 0 else ()) + (stacks["names"][name],))
        got[paths[-1]] = numbers
    equal("nodes", len(got), min(NODES, len(nodes)))
    for path, numbers in got.items():
        equal(f"node {path}", numbers, nodes[path])
    if len(nodes) > NODES:
        equal("nodes that are left out", min(n[0] for n in got.values()) >= max(n[0] for p, n in nodes.items() if p not in got), True)
    return None


def check_timeline(data, tracks):
    line, nodes = data["timeline"], {}
    tracks = {k: v for k, v in tracks.items() if v}
    every = [s for slices in tracks.values() for s in slices]
    begin = min((s[0] for s in every), default=0)
    length = max((s[1] for s in every), default=0) - begin
    equal("length", line["length_ns"], length)
    equal("begin", line["begin_ns"], str(begin))
    equal("clocks", line["clocks"], [{"begin_ns": str(begin), "length_ns": length}] if every else [])
    equal("clocks of tracks", {t["clock"] for t in line["tracks"]} - {0}, set())
    equal("slices", line["tasks"], sum(map(len, tracks.values())))
    got = {(t["kind"], t["group"], t["name"]): t for t in line["tracks"]}
    equal("tracks", set(got), set(tracks))
    plan = divide(tracks)
    for key, slices in tracks.items():
        relative = [(s[0] - begin, s[1] - begin, *s[2:]) for s in slices]
        parents, stretches = check_track(key, got[key], relative, length, line["names"], plan)
        if key[0] == "host":
            add_stacks(nodes, relative, parents, stretches)
    check_stacks(data["stacks"], nodes)
    return begin


# -------------------------------------------------------------------- tables and curves


def operators(groups):
    found = []
    for g in groups:
        ops = {}
        for t in g.tasks:
            if g.calls is None or not g.ranges or any(a <= t.start < b for a, b in g.ranges):
                ops.setdefault(t.key, []).append(t)
        found += [(sum(t.dur for t in o), o, sum(b - a for a, b in g.windows)) for o in ops.values()]
    return sorted(found, key=lambda f: -f[0])


def check_operators(table, groups, family):
    keys = [c["key"] for c in table["columns"]]
    rows = [dict(zip(keys, r)) for r in table["rows"]]
    want = operators(groups)
    equal("operators", (len(rows), table["omitted"]), (min(1000, len(want)), max(0, len(want) - 1000)))
    equal("omitted time", table["omitted_time_ns"], sum(w[0] for w in want[1000:]))
    left = {}
    for total, tasks, span in want[:1000]:
        left.setdefault((total, len(tasks), max(t.dur for t in tasks), min(t.dur for t in tasks)), []).append((tasks, span))
    for row in rows:
        key = (round(row["time_us"] * 1000), row["tasks"], round(row["max_us"] * 1000), round(row["min_us"] * 1000))
        same = left.get(key) or fail("operator", row, "one of the data")
        name = [x for x in same if family != "svp" or x[0][0].name == row["name"]]
        tasks, span = name[0] if name else fail("operator", row["name"], [x[0][0].name for x in same])
        same.remove(name[0])
        close("mean", row["mean_us"], key[0] / key[1] / 1000, 3)
        close("share", row["share"], key[0] / span if span else None, 9)
        equal("class", row["class"], "AI CPU" if family == "svp" and tasks[0].raw.unit == "CPU" else CLASSES[tasks[0].cls] if len(same) == 0 else row["class"])
        if family == "svp":
            shown = groups[0].shown
            core = [t.raw for t in tasks if t.raw.unit == "CORE"]
            cycles = sum(t.ticks * 100 for t in core)
            for unit in ("mac_ppen", "vec_ppen"):
                close(unit, row[unit], sum(t.counters[unit] for t in core) / cycles if cycles and shown else None, 4)
            close("DDR", row["ddr_read_kb"], sum(t.read for t in core) / len(tasks) / 1000 if shown else None, 3)
            close("DDR", row["ddr_write_kb"], sum(t.write for t in core) / len(tasks) / 1000 if shown else None, 3)
    times = [r["time_us"] for r in rows]
    equal("the longest first", times, sorted(times, reverse=True))


def check_headline(headline, groups, family):
    got = {h["label"]: h for h in headline}
    for h in headline:
        equal("text", h["text"], f"{h['value']:.{len(h['text'].partition('.')[2])}f}")
    groups = [g for g in groups if g.windows]
    if not groups:
        return equal("headline", headline, [])
    g = max(groups, key=lambda g: sum(b - a for a, b in g.windows))
    windows = g.windows
    total, steps = sum(b - a for a, b in windows), len(windows)
    what = "inference" if family == "svp" else "iteration" if g.ranges else "collection"
    close("time", got[f"Time per {what}"]["value"], total / steps / 1e6, 3)
    rate = got.get("Frames per second" if family == "svp" else "Iterations per second")
    if rate or what != "collection":
        close("rate", rate["value"], 1e9 * steps / total, 2)
    busy = 0
    for place, (a, b) in enumerate(windows):
        mine = [t for t in g.tasks if t.step is None or t.step == g.order[place]]
        at = a
        for start, end in sorted((t.start, t.start + t.dur) for t in mine):
            start, end = max(at, start), min(b, end)
            if end > start:
                busy, at = busy + end - start, end
    close("busy", got["Device busy"]["value"], 100 * busy / total, 1)
    if family == "svp" and not g.shown:
        equal("counters in the headline", [h for h in got if "DDR" in h or "Mac" in h], [])
    elif family == "svp":
        core = [t for t in g.tasks if t.raw.unit == "CORE"]
        moved = sum(t.raw.read + t.raw.write for t in core)
        matrix = [t.raw for t in core if t.cls == 0]
        cycles = sum(t.ticks * 100 for t in matrix)
        close("mac", got["Mac efficiency"]["value"] if cycles else 0, 100 * sum(t.counters["mac_ppen"] for t in matrix) / cycles if cycles else 0, 1)
        if moved:
            close("DDR", got["DDR per inference"]["value"], moved / steps / 1e6, 3)
            close("DDR", got["DDR traffic"]["value"], 1000 * moved / total, 1)
    return None


def thinned(points):
    if len(points) <= 2 * STRETCHES:
        return sorted(points)
    first, last, parts = min(points)[0], max(points)[0], {}
    for time, value in points:
        part = min(int((time - first) / (last - first + 1) * STRETCHES), STRETCHES - 1)
        low, high = parts.get(part, ((time, value), (time, value)))
        parts[part] = (min(low, (time, value), key=lambda p: (p[1], p[0])), max(high, (time, value), key=lambda p: (p[1], -p[0])))
    return sorted(p for low, high in parts.values() for p in {low, high})


def curves(db, family, groups):
    found = {}
    if family == "svp" and groups and groups[0].shown:
        for g in groups:
            for t in g.tasks:
                if t.raw.unit == "CORE" and t.dur:
                    for name, value in (("DDR read", t.raw.read * 1000 / t.dur), ("DDR written", t.raw.write * 1000 / t.dur)):
                        found.setdefault((f"Device {g.device}", g.title, name), []).append((t.start, value))
                if t.raw.unit == "CORE" and t.raw.ticks:
                    found.setdefault((f"Device {g.device}", g.title, "Mac Ppen"), []).append((t.start, t.raw.counters["mac_ppen"] / t.raw.ticks))
        for g in groups:  # nothing moves after an inference
            for end in [b for _, b in g.windows] if any(t.raw.unit == "CORE" for t in g.tasks) else []:
                for name in ("DDR read", "DDR written", "Mac Ppen"):
                    found.setdefault((f"Device {g.device}", g.title, name), []).append((end, 0))
    if family == "prof":
        for table, columns in (("ddr_rate", (("DDR read", "read_mbs"), ("DDR written", "write_mbs"))),
                               ("hccs_rate", (("HCCS received", "rx_mbs"), ("HCCS sent", "tx_mbs")))):
            for name, column in columns:
                for device, time, value in db.execute(f"SELECT device_id, time_ns, {column} FROM {table} WHERE {column} IS NOT NULL"):
                    found.setdefault((f"Device {device}", "", name), []).append((time, value))
        for device, stack, kind, time, value in db.execute("SELECT device_id, hbm_id, type, time_ns, mbs FROM hbm_rate"):
            found.setdefault((f"Device {device}, HBM {stack}", "", "HBM written" if kind else "HBM read"), []).append((time, value))
        for device, cache, time, rate, mbs in db.execute("SELECT device_id, l3t_id, time_ns, hit_rate, mbs FROM llc_rate"):
            found.setdefault((f"Device {device}, cache {cache}", "", "Hit rate"), []).append((time, 100 * rate))
            found.setdefault((f"Device {device}, cache {cache}", "", "Cache traffic"), []).append((time, mbs))
        for device, time, received, sent in db.execute("SELECT device_id, time_ns, rx_p_avg, tx_p_avg FROM pcie_sample WHERE tx_p_max >= tx_p_min"):
            for name, value in (("PCIe received", received), ("PCIe sent", sent)):
                found.setdefault((f"Device {device}", "", name), []).append((time, value * 1e6 / 2**20))
        for time, use in db.execute("SELECT time_ns, use FROM host_cpu_use WHERE cpu = 'Avg'"):
            found.setdefault(("Host", "", "CPU"), []).append((time, use))
        for time, use in db.execute("SELECT time_ns, use FROM host_memory_use"):
            found.setdefault(("Host", "", "Memory"), []).append((time, use))
    return found


def check_curves(counters, want, begin):
    left = {}
    titles = {}  # of a device: where it has several models, each curve has the title of its model
    for track, title, _ in want:
        titles.setdefault(track, set()).add(title)
    for (track, title, name), points in want.items():
        left.setdefault((title if len(titles[track]) > 1 else track, name), []).append(points)
    equal("curves of one name", [key for key, curves in left.items() if len(curves) > 1], [])
    for c in counters:
        points = [(t + begin, v) for t, v in zip(c["time_ns"], c["value"])]
        if c["name"] in ("Core clock", "Memory of the program", "Memory of the device"):
            continue  # see prof_text.bats for their samples
        same = left.get((c["track"], c["name"])) or fail("curve", (c["track"], c["name"]), set(left))
        found = [p for p in same if len(p) == c["samples"] and [x[0] for x in thinned(p)] == [x[0] for x in points]]
        if not found:
            fail(f"times of {c['name']}", points[:9], thinned(same[0])[:9])
        for got, wanted in zip(points, thinned(found[0])):
            close(c["name"], got[1], wanted[1], 6)
        same.remove(found[0])
    equal("curves that are missing", {k: len(v) for k, v in left.items() if v}, {})


def check_roofline(roofline, db, family, groups):
    """Points by name and time: operations of the cube by cycles, bytes by the tensors of the first task."""
    groups = [g for g in groups if g.windows]
    g = max(groups, key=lambda g: sum(b - a for a, b in g.windows)) if groups and family in ("prof", "ascend2022") else None
    chip = db.execute("SELECT chip FROM setting WHERE device_id = ?", (g.id,)).fetchone()[0] if g else None
    want = {}
    for total, tasks, span in operators([g]) if g and chip in (0, 1) and g.cores.get("aic") else []:
        cycles = sum(t.units.get(("aic", "mac"), 0) for t in tasks)
        first = db.execute("SELECT * FROM task WHERE id = ?", (tasks[0].row,)).fetchone()
        x = db.execute("SELECT * FROM tensor WHERE id = ?" if family == "prof" else "SELECT * FROM op_tensor WHERE op_id = ?",
                       (first["tensor_id" if family == "prof" else "op_id"],)).fetchone() if tasks[0].cls == 0 and cycles and total else None
        sides = [(x[f"{side}_shapes"], x[f"{side}_types"]) for side in ("input", "output")] if x else []
        if any(shapes is None or (shapes != '""' and not set(types.split(";")) <= set(WIDTHS)) for shapes, types in sides):
            continue
        count = 0
        for shapes, types in sides:
            for shape, kind in zip(shapes.strip('"').split(";"), types.split(";")) if shapes != '""' else ():
                count += WIDTHS[kind] * math.prod(int(dim) for dim in shape.split(","))
        if count:
            want.setdefault(tasks[0].name, []).append((8192 * cycles / (len(tasks) * count), 8192 * cycles * 1e9 / total, total / span))
    if not want:
        return equal("points", roofline["points"] if roofline else [], [])
    close("peak", roofline["peak_ops_per_s"], 8192e6 * g.mhz * g.cores["aic"], 0)
    equal("points", len(roofline["points"]), sum(map(len, want.values())))
    for p in roofline["points"]:
        got = (p["ops_per_byte"], p["ops_per_s"], p["share"])
        if not any(all(abs(a - b) <= 1e-9 * abs(b) for a, b in zip(got, x)) for x in want.get(p["name"], [])):
            fail(f"roofline of {p['name']}", got, want.get(p["name"]))
    return None


def check(path, page):
    data = document(page)
    equal("schema", data["schema"], "msprof.report/1")
    equal("advice", (data["advise"]["schema"], len(data["advise"]["jobs"])), ("msprof.advise/1", 1))
    family, groups = advise_rows.read(path)
    for g in groups:  # steps in which nothing ran do not count
        ran = any(t.start < b and t.start + t.dur > a and t.dur for a, b in g.ranges for t in g.tasks)
        g.windows = g.ranges if ran else [] if g.ranges else [(min(t.start for t in g.tasks), max(t.start + t.dur for t in g.tasks))]
    db = sqlite3.connect(f"file:{os.path.join(path, 'sqlite', 'msprof.db')}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    equal("family", data["job"]["family"], family)
    tracks = svp_tracks(path, groups) if family == "svp" else ascend_tracks(db, family, groups)
    begin = check_timeline(data, tracks)
    if family == "svp":
        equal("begin of the collection", data["job"]["collected_s"], begin // 1_000_000_000)
    check_operators(data["operators"], groups, family)
    check_headline(data["headline"], groups, family)
    check_curves(data["counters"], curves(db, family, groups), begin)
    check_roofline(data["roofline"], db, family, groups)
    return f"{family}: {data['timeline']['tasks']} slices, {len(data['operators']['rows'])} operators, {len(data['counters'])} curves"


if __name__ == "__main__":
    print(check(*sys.argv[1:]))
