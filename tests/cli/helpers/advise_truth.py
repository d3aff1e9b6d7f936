"""advise_truth.py JOB DOCUMENT: recomputes parts, pace, gaps with their reasons, and every finding of `msprof advise --format json` from the rows of
records: which rules find what, with time and saving. Findings of other numbers, or more or fewer of them, end with a message."""
import fnmatch
import json
import math
import os
import sys
from fractions import Fraction

import advise_rows
import verdict_truth

SEVERAL = {"aicpu": "{} operators on the AI CPU", "cube": "{} cube operators below their bounds", "vector": "{} vector operators that no unit bounds",
           "no_bound": "{} operators in which no unit is busy", "blocks": "{} operators whose last round of blocks leaves cores empty"}  # one of a cause
PATHS = {"dld": "which load their input most of the time (DLD)", "wld": "which load weights most of the time (WLD)",
         "dstr": "which store their output most of the time (Dstr)", None: "in which no unit is busy"}
NAMES = {"Computing: matrix": 0, "Computing: vector": 1, "Computing: data movement": 2, "AI CPU alone": 3, "Communication, not overlapped": 4,
         "Tasks without a description": 5, "Idle": None}
REASONS = {"unknown, no launch links in this job": "unlinked", "host late": "late", "device or synchronisation wait": "wait", "the track ends": "end",
           "program idle: no call of the API": "program"}


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def rank(values, share):
    return sorted(values)[max(1, math.ceil(Fraction(share * len(values), 100))) - 1]


def covered(calls, begin, end):
    """How long any call ran in [begin, end)."""
    total, at = 0, begin
    for a, b in calls:
        a, b = max(a, at), min(b, end)
        if b > a:
            total, at = total + b - a, b
    return total


def prepare(group):
    """Windows with their parts and gaps, and the operators."""
    tasks = sorted(group.tasks, key=lambda t: (t.start, t.start + t.dur, t.row))
    for t in tasks:
        t.end = t.start + t.dur
    group.windows = group.ranges or [(tasks[0].start, max(t.end for t in tasks))]
    group.ops, group.parts, group.gaps, first = {}, [], [], 0
    for t in tasks:
        if any(a <= t.start < b for a, b in group.windows) or not group.ranges:
            op = group.ops.setdefault(t.key, {"tasks": [], "alone": 0})
            op["tasks"].append(t)
    for place, (begin, end) in enumerate(group.windows):
        mine = [t for t in tasks if t.step is None or t.step == group.order[place]]
        marks = sorted({begin, end} | {x for t in mine for x in (t.start, t.end) if begin < x < end})
        parts, open_gap = {}, None
        for a, b in zip(marks, marks[1:]):
            active = [t for t in mine if t.start <= a and t.end >= b and t.end > t.start]
            lowest = min((t.cls for t in active), default=None)
            parts[lowest] = parts.get(lowest, 0) + b - a
            if lowest is not None:
                one = [t for t in active if t.cls == lowest]
                credited = next(t for t in one if t.end == max(x.end for x in one))
                if credited.key in group.ops:
                    group.ops[credited.key]["alone"] += b - a
                open_gap = None
            elif open_gap is None:
                open_gap = [a, b]
                group.gaps.append(open_gap)
            else:  # a task without length may lie between
                open_gap[1] = b
        group.parts.append(parts)
        first = split_gaps(group, mine, first)


def split_gaps(group, tasks, first):
    """Tasks without length divide the gaps of a window; then the reason of each. Returns how many gaps have theirs."""
    points = sorted({t.start for t in tasks if not t.dur})
    cut = []
    for a, b in group.gaps[first:]:
        at = [a] + [p for p in points if a < p < b] + [b]
        cut += zip(at, at[1:])
    del group.gaps[first:]
    for a, b in cut:
        after = next((t for t in tasks if t.start >= b), None)
        if after is None:
            reason = "end"
        elif after.launch is None:
            reason = "unlinked"
        elif after.launch < a:
            reason = "wait"
        else:
            reason = "program" if covered(group.calls, a, after.launch) < (after.launch - a) // 10 else "late"
        group.gaps.append((a, b, reason))
    return len(group.gaps)


def ratio(op, unit, core=None):
    """The busy share of a unit; None: not counted."""
    found = None
    for c in {c for t in op["tasks"] for c, _ in t.units} if core is None else {core}:
        cycles = sum(t.cycles.get(c, 0) for t in op["tasks"])
        if cycles and all((c, unit) in t.units for t in op["tasks"]):
            found = max(found or 0, sum(t.units[c, unit] for t in op["tasks"]) / cycles)
    return found


def known_sequences(is_board):
    """(name, fuses, patterns of each part) of each line of known.txt."""
    with open(os.path.join(os.path.dirname(__file__), "../../../schema/insight/known.txt"), encoding="utf-8") as f:
        lines = [x.split() for x in f if x.strip() and x[0] != "#"][1:]
    return [(x[0], x[2] == "1", [p.split("|") for p in x[4:]]) for x in lines if is_board or x[1] == "any"]


def sequences(group, is_board):
    """(rule, subject, span, saving) of the last window: known ones, then the largest saving first, each task once."""
    begin, end = group.windows[-1]
    def is_last(t):
        return t.step == group.order[-1] and t.cls != 3 if t.step is not None else begin <= t.start < end
    rows = sorted((t for t in group.tasks if t.stream is not None and is_last(t)), key=lambda t: (t.stream, t.start, t.row))
    runs, last = [[]], None
    for t in rows:
        if last is None or t.stream != last.stream or t.kind is None or t.start - last.end > 100000:
            runs.append([])
        if t.kind is not None:
            runs[-1].append(t)
        last = t
    used, found = set(), []

    def cost(places, length):
        spans = [(max(t.end for t in part) - part[0].start, max(t.dur for t in part)) for part in (runs[n][i:i + length] for n, i in places)]
        return sum(s for s, _ in spans), sum(s - x for s, x in spans)

    def take(length, fits):
        places = []
        for n, run in enumerate(runs):
            i = 0
            while i + length <= len(run):
                if fits(run[i:i + length]) and not any((n, i + k) in used for k in range(length)):
                    places.append((n, i))
                    i += length
                else:
                    i += 1
        return places
    for name, fuses, parts in known_sequences(is_board):
        places = take(len(parts), lambda tasks, parts=parts: all(any(fnmatch.fnmatchcase((t.type or "").lower(), p) for p in x) for t, x in zip(tasks, parts)))
        if places:
            used |= {(n, i + k) for n, i in places for k in range(len(parts))}
            n, i = places[0]
            types = " + ".join(t.type or "N/A" for t in runs[n][i:i + len(parts)])
            span, saving = cost(places, len(parts))
            found.append(("known", f"{name} in {len(parts)} pieces ({types}), {len(places)} times", span, span if fuses and is_board else saving))
    counted = {}
    for length in range(10, 1, -1):
        nexts = {}
        for n, run in enumerate(runs):
            for i in range(len(run) - length + 1):
                kinds = tuple(t.kind for t in run[i:i + length])
                if any(kinds[p:] == kinds[:-p] for p in range(1, length // 2 + 1)) or nexts.get(kinds, (-1, 0)) > (n, i):
                    continue
                nexts[kinds] = (n, i + length)
                counted.setdefault(kinds, []).append((n, i))
    order = sorted((k for k in counted if len(counted[k]) >= 6), key=lambda k: (-cost(counted[k], len(k))[1], -len(k), counted[k][0]))
    for kinds in order:
        places = take(len(kinds), lambda tasks, kinds=kinds: tuple(t.kind for t in tasks) == kinds)
        if len(places) >= 6 and sum(x[0] == "sequence" for x in found) < 10:
            used |= {(n, i + k) for n, i in places for k in range(len(kinds))}
            n, i = places[0]
            types = " + ".join(t.type or "N/A" for t in runs[n][i:i + len(kinds)])
            found.append(("sequence", f"{types}, {len(places)} times", *cost(places, len(kinds))))
    return found


def of_operators(group, steps, total, add):
    mean = total // steps
    for op in group.ops.values():
        first = op["tasks"][0]
        time, n = sum(t.dur for t in op["tasks"]), len(op["tasks"])
        each, name = time // steps, first.name
        if first.cls == 3 and time >= 20000 * n and op["alone"] > 0 and op["alone"] >= 0.001 * total:
            add("aicpu", name, each, op["alone"] // steps)
        mac, mte2 = ratio(op, "mac", "aic"), ratio(op, "mte2", "aic")
        is_cube = first.cls == 0 and mac is not None and mte2 is not None and mac < 0.8 and mte2 < 0.95
        if is_cube and time >= 0.01 * total:
            add("cube", name, each, int(each * max(0.8 - mac, 0.95 - mte2)))
        is_vector = False
        for core in ("aic", "aiv"):
            units = [ratio(op, u, core) for u in ("vec", "mte2", "mte3")]
            if first.cls == 1 and None not in units and sum(units) < 0.9 and max(units) < 0.7:
                is_vector = True
                if time >= 0.01 * total:
                    add("vector", name, each, int(each * (1 - sum(units) / 0.9)))
        every = [x for x in (ratio(op, u) for u in {u for t in op["tasks"] for _, u in t.units}) if x is not None]
        others = is_cube or is_vector or advise_rows.converts(first)
        if first.cls < 3 and every and max(every) < 0.8 and time >= 20000 * n and time >= 0.01 * total and not others:
            add("no_bound", name, each, int(each * (1 - max(every) / 0.8)))
        cores = group.cores.get(first.core)
        if first.cls < 3 and first.blocks and cores and time >= 0.01 * total:
            full = -(-first.blocks // cores) * cores
            if 1 - first.blocks / full >= 0.05:
                add("blocks", name, each, int(each * (1 - first.blocks / full)))
    changes = [o for o in group.ops.values() if advise_rows.converts(o["tasks"][0])]
    time = sum(o["alone"] for o in changes)
    if changes and time >= 0.01 * total:
        add("conversion", f"{len(changes)} operators of {group.title}", time // steps, time // steps)
    tiny = [o for o in group.ops.values() if o["tasks"][0].cls < 3 and sum(t.dur for t in o["tasks"]) < 10000 * len(o["tasks"])]
    time = sum(o["alone"] for o in tiny)
    if len(tiny) > 5 and time >= 0.01 * total:
        add("tiny", f"{len(tiny)} operators of {group.title}", time // steps, time // steps)
    slow = sum(t.slow for o in group.ops.values() for t in o["tasks"] if t.cls < 3)
    time = sum(t.dur for o in group.ops.values() for t in o["tasks"] if t.cls < 3)
    if group.mhz and slow and 1000 * slow / group.mhz >= 0.05 * time:
        add("prof_clock", group.title, time // steps, int(1000 * slow / group.mhz / steps))
    for rule, subject, span, saving in sequences(group, group.calls is None):
        if span > 0.01 * mean:
            add(rule, subject, span, saving)


def of_steps(group, lengths, total, add):
    steps, idle = len(lengths), sum(p.get(None, 0) for p in group.parts)
    if idle > 0.1 * total:
        add("idle", group.title, idle // steps, idle // steps)
    alone = sum(p.get(4, 0) for p in group.parts)
    if alone > 0.1 * total:
        add("communication", group.title, alone // steps, alone // steps)
    unknown = sum(p.get(5, 0) for p in group.parts)
    if unknown > 0.1 * total:
        add("undescribed", f"{sum(o['tasks'][0].cls == 5 for o in group.ops.values())} tasks of {group.title}", unknown // steps, None)
    median = rank(lengths, 50)
    if steps >= 4 and lengths[0] > 1.5 * median:
        add("first_slow", group.title, lengths[0], (lengths[0] - median) // steps)
    if steps >= 10 and rank(lengths[1:], 95) > 1.1 * median:
        add("jitter", group.title, rank(lengths, 95), max(0, sum(lengths[1:]) // (steps - 1) - median))


def of_board(group, lengths, add):
    """The rules of boards: bounds of layers, idle time between inferences."""
    steps, total = len(lengths), sum(lengths)
    mean = total // steps
    for op in group.ops.values():
        cls, raws = op["tasks"][0].cls, [t.raw for t in op["tasks"]]
        if raws[0].unit == "CPU":
            continue
        if raws[0].counters is None:
            continue
        sums = {k: sum(x.counters[k] for x in raws) for k in raws[0].counters}
        cycles, time = sum(x.ticks * 100 for x in raws), sum(t.dur for t in op["tasks"])
        limit = Fraction(7, 10) if cls == 0 else Fraction(1, 2)
        busy = Fraction(sums["mac_ppen" if cls == 0 else "vec_ppen"], cycles) if cycles > 0 else limit
        saving = int(time // steps * (1 - float(busy / limit)))
        if cls < 2 and busy < limit and saving >= 0.01 * mean and group.shown:
            paths = {k: sums[k] for k in ("dld", "wld", "dstr")}
            busy_path = max(paths, key=lambda k: paths[k])
            computes = max(sums["mac_busy"], sums["vec_ppen"])
            binds = any(paths[k] * 10 > x * cycles for k, x in (("dld", 7), ("wld", 8), ("dstr", 7))) or (computes and paths[busy_path] > computes)
            cause = f"{{}} layers below {'Mac' if cls == 0 else 'Vec'} bound, {PATHS[busy_path if binds else None]}"
            add("svp_bound", op["tasks"][0].name, time // steps, saving, cause)
    gaps = [b[0] - a[1] for a, b in zip(group.pics, group.pics[1:]) if b[3] - a[3] == 1 and b[0] > a[1]]
    if len(gaps) >= 3 and sum(gaps) // len(gaps) > 0.1 * (sum(gaps) // len(gaps) + mean):
        add("svp_between", group.title, sum(gaps) // len(gaps), sum(gaps) // len(gaps))


def of_packets(group, steps, add):
    for kind, word, limit in ((0, "SDMA", 2**24), (1, "RDMA", 2**20)):
        mine = [p for p in group.packets if p["transport_type"] == kind and (p["size"] or 0) > 0]
        few = [p for p in mine if p["size"] < limit]
        if len(few) > 0.2 * len(mine):
            time = sum(p["dur_ns"] for p in few) // steps
            add("prof_packets", f"{word} of {group.title}: {len(few)} of {len(mine)}", time, time)
        links = {}
        for p in mine:
            remote = advise_rows.NOBODY if p["remote_rank"] is None else p["remote_rank"]
            if p["size"] >= limit and remote < advise_rows.NOBODY and remote != p["local_rank"] and p["dur_ns"] > 0:
                link = links.setdefault((p["local_rank"], p["remote_rank"]), [0, 0])
                link[0], link[1] = link[0] + p["size"], link[1] + p["dur_ns"]
        if len(links) >= 3:
            middle = rank([b / n for b, n in links.values()], 50)
            for (a, z), (size, ns) in links.items():
                if size / ns < 0.7 * middle:
                    add("slow_link", f"{word} from rank {a} to rank {z}", ns // steps, int(ns // steps * (1 - size / ns / middle)))


class OfGroup:
    """The findings of a group: those of one cause are one, and of several groups they name theirs."""

    def __init__(self, title, is_one_of_several):
        self.title, self.end, self.causes = title, f" of {title}" if is_one_of_several else "", {}

    def __call__(self, rule, name, time, saving, cause=None):
        cause = cause or SEVERAL.get(rule) or name
        self.causes.setdefault((rule, cause), []).append((name, time, saving))

    def tell(self, add):
        for (rule, cause), parts in self.causes.items():
            name = cause.format(len(parts)) if len(parts) > 1 else parts[0][0]
            savings = [p[2] for p in parts]
            saving = None if None in savings else sum(max(0, x) for x in savings)
            add(rule, name if self.title in name else name + self.end, sum(p[1] for p in parts), saving, self.title, parts)


def findings(groups, add):
    steps = total = idle = 0
    sums = {}
    for g in groups:
        prepare(g)
        lengths = [b - a for a, b in g.windows]
        mine = OfGroup(g.title, len(groups) > 1)
        of_operators(g, len(lengths), sum(lengths), mine)
        of_steps(g, lengths, sum(lengths), mine)
        of_packets(g, len(lengths), mine)
        if g.calls is None:
            of_board(g, lengths, mine)
        mine.tell(add)
        steps, total = steps + len(lengths), total + sum(lengths)
        idle += sum(p.get(None, 0) for p in g.parts)
        for a, b, reason in g.gaps:
            sums[reason] = sums.get(reason, 0) + b - a
    if groups and groups[0].calls is None:
        add("svp_assumed" if groups[0].shown else "svp_counters", "all tasks of the core", 0, None)
    for reason, rule in (("late", "host_late"), ("program", "program_idle")):
        if sums.get(reason, 0) > 0.1 * total:
            add(rule, "all devices", sums[reason] // steps, sums[reason] // steps)
    for name, time in groups[0].memory.items() if groups else ():
        of_each = max(steps, groups[0].executions)
        add("memory_calls", name, time // of_each, min(time // of_each, total // steps))
    launches = (groups[0].syncs if groups else None) or []
    waited = [x[1] for x in launches if x and x[0] == 2]
    if waited and len(waited) > 0.5 * len(launches):
        add("prof_sync", f"{len(waited)} of {len(launches)} launches", sum(waited) // steps, min(sum(waited), idle) // steps)


def same(what, got, want, places=3):
    if got is None or abs(Fraction(str(got)) - want) > Fraction(1, 2 * 10 ** places):
        fail(what, got, float(want))


def check_overview(groups, overview):
    tables = [t for t in overview if t["table"] == "Where the time went" and "rows" in t and t.get("group")]
    pace = next((t["rows"] for t in overview if t["table"] == "Pace" and t.get("rows")), [])
    if len(tables) != len(groups) or len(pace) != len(groups):
        fail("groups", len(tables), len(groups))
    for g, table, row in zip(groups, tables, pace):
        lengths = [b - a for a, b in g.windows]
        n, total = len(lengths), sum(lengths)
        got = {NAMES[r["Part"]]: r for r in table["rows"]}
        wanted = {k for p in g.parts for k, v in p.items() if v}
        if wanted - set(got):
            fail("parts", got, wanted)
        for k, r in got.items():
            values = [p.get(k, 0) for p in g.parts]
            same(r["Part"], r["Mean(us)"], Fraction(sum(values), 1000 * n))
            same(r["Part"], r["Min(us)"], Fraction(min(values), 1000))
            same(r["Part"], r["Max(us)"], Fraction(max(values), 1000))
            same(r["Part"], r["Share(%)"], Fraction(100 * sum(values), total), 2)
        median = rank(lengths, 50)
        for name, want in (("First(us)", lengths[0]), ("Median(us)", median), ("p95(us)", rank(lengths, 95)), ("p99(us)", rank(lengths, 99)),
                           ("Max(us)", max(lengths)), ("MAD(us)", rank([abs(x - median) for x in lengths], 50))):
            same(name, row[name], Fraction(want, 1000), 1)
        if table["steps"] != n or table["mean_ns"] != total // n:
            fail("steps", (table["steps"], table["mean_ns"]), (n, total // n))
    head = next((t["rows"] for t in overview if t["table"] == "Headline" and t.get("rows")), [])
    for g, row in zip(groups, head if head and "Cube busy(%)" in head[0] else []):
        mac = sum(t.units.get(("aic", "mac"), 0) for o in g.ops.values() for t in o["tasks"] if t.cls < 3 and sum(x.cycles.get("aic", 0) for x in o["tasks"]))
        whole = sum(b - a for a, b in g.windows) / 1000 * (g.mhz or 0) * g.cores.get("aic", 0)
        if row["Cube busy(%)"] is not None and (not whole or abs(row["Cube busy(%)"] - 100 * mac / whole) > 0.006):
            fail("Cube busy", row["Cube busy(%)"], 100 * mac / whole)
        if row["Cube busy(%)"] is None and whole and mac:
            fail("Cube busy", None, 100 * mac / whole)
    gaps = sorted((x for g in groups for x in g.gaps), key=lambda x: x[0] - x[1])
    table = next((t for t in overview if t["table"] == "Longest idle gaps" and t.get("rows")), {"rows": []})
    if len(table["rows"]) != min(5, len(gaps)):
        fail("gaps", len(table["rows"]), len(gaps))
    for row, gap in zip(table["rows"], gaps):
        same("gap", row["Idle(us)"], Fraction(gap[1] - gap[0], 1000))
        of_length = {x[2] for x in gaps if x[1] - x[0] == gap[1] - gap[0]}
        if REASONS[row["Reason"]] not in of_length:
            fail("reason", row["Reason"], of_length)


def check(path, document):
    with open(document, encoding="utf-8") as f:
        advice = json.load(f)
    if advice["schema"] != "msprof.advise/1" or len(advice["jobs"]) != 1:
        fail("document", advice["schema"], "one job of msprof.advise/1")
    advice = advice["jobs"][0]
    family, groups = advise_rows.read(path)
    want = {}

    parts = []

    def add(rule, subject, time, saving, title=None, of=None):
        want.setdefault(rule, []).append((subject, time, saving))
        parts.append((rule, title, saving, of or [(subject, time, saving)]))
    findings(groups, add)
    step = {f["subject"]: f["step_ns"] for f in advice["findings"]}
    for wanted in want.values():  # a saving is at most the step
        wanted[:] = [(s, t, v if v is None else max(0, min(v, step.get(s, v)))) for s, t, v in wanted]
    check_overview(groups, advice["overview"])
    got = {}
    for f in advice["findings"]:
        if f["saving_ns"] is not None and (f["saving_ns"] < 0 or f["saving_ns"] > f["step_ns"] or f["saving_share"] != f["saving_ns"] / f["step_ns"]):
            fail("saving", f["saving_ns"], f["step_ns"])
        rule = "memory_calls" if f["rule"] == "prof_memory_calls" else f["rule"]
        if rule not in ("loss", "unverified", "doubt"):
            got.setdefault(rule, []).append((f["subject"], f["time_ns"] or 0, f["saving_ns"]))
    if set(got) != set(want):
        fail(f"{family}: rules", got, want)
    for rule, wanted in want.items():
        wanted.sort(key=lambda x: (-(x[2] or 0), x[0]))
        mine = sorted(got[rule], key=lambda x: (-(x[2] or 0), x[0]))
        near = 2 * max(len(p[3]) for p in parts if p[0] == rule)
        close = len(mine) == min(10, len(wanted)) and all(abs((a[1] or 0) - (b[1] or 0)) <= near and abs((a[2] or 0) - (b[2] or 0)) <= near
                                                                   for a, b in zip(mine, wanted))
        if not close or not {x[0] for x in mine} <= {x[0] for x in wanted}:
            fail(rule, mine, wanted)
    savings = [-1 if f["saving_ns"] is None else f["saving_ns"] for f in advice["findings"] if f["rule"] not in ("loss", "doubt")]
    if savings != sorted(savings, reverse=True):
        fail("order", savings, "descending")
    verdict_truth.check(groups, parts, advice)
    return f"{family}: {sum(map(len, got.values()))} findings, {len(groups)} groups"


if __name__ == "__main__":
    print(check(*sys.argv[1:]))
