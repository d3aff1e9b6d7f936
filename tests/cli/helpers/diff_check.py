"""diff_check.py DOCUMENT BASE... -- NEW...: recomputes every number of `msprof diff --format json` from the raw bytes of jobs of one model."""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svp"))
import diff_cause
import diff_math
import svp_reader

CPU_NET = 5  # the type of a net of the AI CPU
BLOCKS = 16


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def windows(job):
    """The tasks of each picture in order: start and end in ns, which operator of the model, its name."""
    pictures = {}
    for inference in job.inferences:
        spans = pictures.setdefault(inference["current_pic"], [])
        spans += [(t["start_ns"], t["start_ns"] + t["dur_ns"], ("core", t["index"], t["seg"]), t["oris"]) for t in inference["tasks"]]
    operators = [n["cpu_operator"] for nets in job.nets.values() for n in nets if n["type"] == CPU_NET]
    for cpu in job.aicpu:  # of one net
        pictures[cpu["current_pic"]].append((cpu["start_us"] * 1000, cpu["end_us"] * 1000, ("cpu", cpu["number"], 0), operators[0]))
    return [sorted(pictures[picture]) for picture in sorted(pictures)]


class Run:
    """A job: the times of its items in each of its blocks."""

    def __init__(self, path, blocks):
        job = svp_reader.Job(path)
        steps = windows(job)
        self.steps, self.blocks = len(steps), min(blocks, len(steps))
        self.total, self.count = [0] * self.blocks, [0] * self.blocks
        self.times, self.calls, self.order, self.spans = {}, {}, [], []
        for number, spans in enumerate(steps):
            block = number * self.blocks // self.steps
            seen = {}
            for start, end, op, name in spans:
                ops = seen.setdefault(name, [])
                if op not in ops:
                    ops.append(op)
                nth = ops.index(op)
                self.add(("operator", name, nth), block, end - start)
            self.add_step(block, spans)
        for end in ("idle", "overlap"):
            self.order.remove((end, end, 0))
            self.order.append((end, end, 0))
        self.api = {}
        self.executed = sum(c["name"] in ("svp_acl_mdl_execute", "svp_acl_mdl_execute_async") for c in job.calls) or self.steps
        threads = {}
        for c in job.calls:
            one = threads.setdefault(c["tid"], {}).setdefault(c["name"], [0, 0])
            one[0], one[1] = one[0] + 1, one[1] + (c["end_us"] - c["start_us"]) * 1000
        for names in threads.values():
            role = max(names, key=lambda n: names[n][1])
            for name, (count, total) in names.items():
                one = self.api.setdefault((name, role), [0, 0])
                one[0], one[1] = one[0] + count, one[1] + total

    def add(self, item, block, time, calls=1):
        if item not in self.times:
            self.order.append(item)
        self.times.setdefault(item, [0] * self.blocks)[block] += time
        self.calls[item] = self.calls.get(item, 0) + calls

    def add_step(self, block, spans):
        start, end = spans[0][0], max(s[1] for s in spans)
        busy, at = 0, start
        for a, b, _, _ in spans:
            busy, at = busy + max(0, b - max(a, at)), max(at, b)
        self.spans.append(end - start)
        self.total[block] += end - start
        self.count[block] += 1
        self.add(("idle", "idle", 0), block, end - start - busy)
        self.add(("overlap", "overlap", 0), block, busy - sum(s[1] - s[0] for s in spans))

    def p95(self):
        return sorted(self.spans)[math.ceil(len(self.spans) * 0.95 - 1e-9) - 1]


class Side:
    def __init__(self, paths):
        blocks = max(1, BLOCKS // len(paths))
        self.runs = [Run(p, blocks) for p in paths]
        self.order = list(dict.fromkeys(i for r in self.runs for i in r.order))
        self.steps = sum(r.steps for r in self.runs)
        self.total = sum(sum(r.total) for r in self.runs)
        self.means, before, total = {}, 0, 0
        for item in self.order:
            total += sum(sum(r.times.get(item, [])) for r in self.runs)
            self.means[item] = total // self.steps - before
            before = total // self.steps
        if before != self.total // self.steps:
            fail("the items", before, self.total // self.steps)

    def samples(self, items, unit):
        """items None: the steps themselves."""
        def time(run, block):
            return run.total[block] if items is None else sum(run.times[i][block] for i in items if i in run.times)
        if unit == "jobs" or (unit == "none" and len(self.runs) > 1):
            return [sum(time(r, b) for b in range(r.blocks)) / r.steps for r in self.runs]
        return [time(r, b) / r.count[b] for r in self.runs for b in range(r.blocks)]

    def calls(self, items):
        return sum(r.calls.get(i, 0) for r in self.runs for i in items)


def unit_of(base, new):
    if diff_math.cut(len(base.runs), len(new.runs)) >= 0:
        return "jobs"
    if diff_math.cut(len(base.samples(None, "steps")), len(new.samples(None, "steps"))) >= 0:
        return "steps"
    return "none"


def check_change(what, got, change, verdict):
    for name in ("base_median_ns", "base_mad_ns", "new_median_ns", "new_mad_ns", "shift_ns", "low_ns", "high_ns", "p"):
        if not diff_math.close(got[name], getattr(change, name)):
            fail(f"{what} {name}", got[name], getattr(change, name))
    if got["verdict"] != verdict:
        fail(f"{what} verdict", got["verdict"], verdict)


def items_of(side, kind, names):
    """The items with these names, each once, as often as the names say."""
    items, left = [], list(names)
    for item in side.order:
        if item[0] == kind and item[1] in left:
            left.remove(item[1])
            items.append(item)
    return items


def check_row(row, base, new, unit, rows, used):
    """Returns the samples of both sides."""
    found = []
    for side, name in ((0, row["base_name"]), (1, row["name"])):
        names = name.split(" + ") if name is not None else []
        here = (base, new)[side]
        items = [i for i in items_of(here, row["kind"], names) if row["match"] == "by layers" or (side, i) not in used]
        if len(names) == 1:  # several tasks may have the name: the one with this time
            items = [next(i for i in here.order if i[:2] == (row["kind"], name) and (side, i) not in used and
                          here.means[i] == row[("base_ns", "new_ns")[side]])]
        used.update((side, i) for i in items)
        found.append(items)
    means = [sum(s.means[i] for i in items) for s, items in zip((base, new), found)]
    if [row["base_ns"], row["new_ns"]] != means or row["change_ns"] != means[1] - means[0]:
        fail(row["name"], (row["base_ns"], row["new_ns"]), means)
    calls = [s.calls(items) for s, items in zip((base, new), found)]
    if not diff_math.close(row["base_calls"], calls[0] / base.steps) or not diff_math.close(row["new_calls"], calls[1] / new.steps):
        fail(f"calls of {row['name']}", (row["base_calls"], row["new_calls"]), calls)
    by_calls = 0
    if row["match"] in ("same", "other shape") and row["kind"] == "operator":
        by_calls = math.floor(means[0] * (calls[1] * base.steps / (calls[0] * new.steps) - 1) + 0.5)
    each = means[1] - means[0] - by_calls if row["match"] not in ("new", "gone") else 0
    if (row["calls_ns"], row["each_ns"]) != (by_calls, each):
        fail(f"parts of {row['name']}", (row["calls_ns"], row["each_ns"]), (by_calls, each))
    def samples(side, items):
        return side.samples(items, unit)
    change = diff_math.Change(samples(base, found[0]), samples(new, found[1]), unit)
    verdict = change.verdict(base.total // base.steps, rows)
    if row["match"] in ("new", "gone"):
        verdict = "slower" if means[1] > means[0] else "faster" if means[1] < means[0] else "same"
    check_change(row["name"] or row["base_name"], row, change, verdict)
    return samples(base, found[0]), samples(new, found[1])


def check_calls(rows, base, new):
    unit = "jobs" if diff_math.cut(len(base.runs), len(new.runs)) >= 0 else "none"
    kinds = {k for s in (base, new) for r in s.runs for k in r.api}
    if {(r["name"] or r["base_name"], r["role"] or r["base_role"]) for r in rows} != kinds:
        fail("calls", [(r["name"], r["role"]) for r in rows], kinds)
    executed = {s: sum(r.executed for r in s.runs) for s in (base, new)}
    for row in rows:
        key = row["name"] or row["base_name"], row["role"] or row["base_role"]
        samples = [[r.api.get(key, [0, 0])[1] / r.executed for r in s.runs] for s in (base, new)]
        total = sum(c[1] for r in base.runs for c in r.api.values()) // executed[base]
        change = diff_math.Change(*samples, unit)
        check_change(f"call {key}", row, change, change.verdict(total, len(rows)))
        for name, side in (("base_calls", base), ("new_calls", new)):
            if not diff_math.close(row[name], sum(r.api.get(key, [0])[0] for r in side.runs) / executed[side]):
                fail(f"{name} of {key}", row[name], executed[side])


def main(document, *words):
    with open(document, encoding="utf-8") as f:
        d = json.load(f)
    cut = words.index("--")
    base, new = Side(words[:cut]), Side(words[cut + 1:])
    if d["schema"] != "msprof.diff/1" or len(d["groups"]) != 1:
        fail("document", d["schema"], "msprof.diff/1")
    g, unit = d["groups"][0], unit_of(base, new)
    if (g["samples"], g["base_steps"], g["new_steps"]) != (unit, base.steps, new.steps):
        fail("samples", (g["samples"], g["base_steps"], g["new_steps"]), (unit, base.steps, new.steps))
    if (g["total"]["base_ns"], g["total"]["new_ns"]) != (base.total // base.steps, new.total // new.steps):
        fail("total", g["total"], (base.total // base.steps, new.total // new.steps))
    change = diff_math.Change(base.samples(None, unit), new.samples(None, unit), unit)
    check_change("total", g["total"], change, change.verdict())
    p95 = [[r.p95() for r in s.runs] for s in (base, new)]
    change = diff_math.Change(*p95, "jobs" if unit == "jobs" else "none")
    check_change("p95", g["p95"], change, change.verdict())
    used = set()
    samples = {id(row): check_row(row, base, new, unit, len(g["rows"]), used) for row in g["rows"]}
    diff_cause.check(g, samples, unit, base.total // base.steps)
    if used != {(0, i) for i in base.order} | {(1, i) for i in new.order}:
        fail("items", len(used), len(base.order) + len(new.order))
    parts = g["parts"]
    want = {"new_ns": sum(r["new_ns"] for r in g["rows"] if r["match"] == "new"), "gone_ns": -sum(r["base_ns"] for r in g["rows"] if r["match"] == "gone"),
            "calls_ns": sum(r["calls_ns"] for r in g["rows"]), "each_ns": sum(r["each_ns"] for r in g["rows"])}
    if parts != want or sum(parts.values()) != g["total"]["change_ns"]:
        fail("parts", (parts, sum(parts.values())), (want, g["total"]["change_ns"]))
    check_calls(d["calls"], base, new)


main(*sys.argv[1:])
