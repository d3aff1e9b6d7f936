"""overview_check.py JOB BY: reads JSON of `msprof show --by BY` from stdin, and recomputes its overview from the raw bytes of a job of one model."""
import json
import sys
from fractions import Fraction

from advise_rows import svp_class
from svp import Job, decimal, joined, nameless


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def same(what, got, want, places):
    if got is None or abs(Fraction(str(got)) - want) > Fraction(1, 2 * 10**places):
        fail(what, got, float(want))


class Step:
    """An inference: its length, and the time in which no task runs."""

    def __init__(self, tasks):
        spans = sorted((t.start, t.start + t.dur) for t in tasks)
        at, self.gaps = spans[0][0], []
        for start, end in spans:
            self.gaps += [start - at] if start > at else []
            at = max(at, end)
        self.idle = sum(self.gaps)
        self.begin, self.end, self.length = spans[0][0], at, at - spans[0][0]

    def call_around(self, calls):
        """The call in which all tasks ran: of those that were open when the first one began, the last to begin."""
        around = [c for c in calls if c.begin <= self.begin <= c.end]
        call = max(around, key=lambda c: c.begin, default=None)
        return call if call and call.end >= self.end else None


def names_of(by, task, layers):
    kinds = joined(layers, "type")
    if by == "type":
        return [None if kinds == "N/A" else kinds]
    if by == "stream":
        return [f"stream {task.stream}"]
    if by == "layer" and layers:
        return [name for layer in layers for name in names_of("name", task, [layer])]
    texts = [t for t in (joined(layers, "ori"), joined(layers, "name")) if t != "N/A"]
    return [texts[0] if texts else nameless(task)]


class Item:
    def __init__(self):
        self.times, self.kinds, self.classes, self.cycles, self.sums = [], set(), set(), 0, {}

    def add(self, task, layers):
        self.times.append(task.dur)
        self.kinds.add(joined(layers, "type"))
        if task.unit == "CORE":
            self.classes.add(min((svp_class(layer["type"]) for layer in layers), default=1))
            self.cycles += task.ticks * 100
            for name, value in (task.counters or {}).items():
                self.sums[name] = self.sums.get(name, 0) + value

    def verdict(self, unit):
        if unit == "CPU":
            return "AA CPU"
        if len(self.classes) > 1 or not self.cycles or not self.sums:
            return None
        share = {name: Fraction(value, self.cycles) for name, value in self.sums.items()}
        if self.classes == {0} and share["mac_ppen"] >= Fraction("0.7") or self.classes != {0} and share["vec_ppen"] >= Fraction("0.5"):
            return "ok"
        for name, limit, word in (("dld", "0.7", "DLD"), ("wld", "0.8", "WLD"), ("dstr", "0.7", "Dstr")):
            if share[name] > Fraction(limit):
                return word
        return "low"


def check_row(row, times, total, verdict, what):
    same(what + " mean", row["Mean(us)"], Fraction(sum(times), 1000 * len(times)), 2)
    same(what + " min", row["Min(us)"], Fraction(min(times), 1000), 2)
    same(what + " max", row["Max(us)"], Fraction(max(times), 1000), 2)
    if total is None and row["Share(%)"] is not None:  # beside the inference
        fail(what + " share", row["Share(%)"], None)
    if total is not None:
        same(what + " share", row["Share(%)"], Fraction(100 * sum(times), total), 2)
    if row["Verdict"] != verdict:
        fail(what + " verdict", row["Verdict"], verdict)


def main(path, by):
    document = json.load(sys.stdin)
    if document["schema"] != "msprof.show/1":
        fail("schema", document["schema"], "msprof.show/1")
    table = next(t for t in document["tables"] if t["table"] == "Overview")
    job = Job(path)
    steps = [Step(tasks) for tasks in job.tasks.values()]
    items = {}
    for key, tasks in job.tasks.items():
        for task in tasks:
            layers = job.layers_of(key, task)
            for name in names_of(by, task, layers):
                items.setdefault((name, task.unit), Item()).add(task, layers)
    lengths, idle = [s.length for s in steps], [s.idle for s in steps]
    total = sum(lengths)
    core = sum(sum(i.times) for (_, unit), i in items.items() if unit == "CORE") if by != "layer" else None
    keys = {"inferences": len(steps), "fps": float(decimal(10**9 * len(steps), total, 2)), "busy_percent": float(decimal(100 * (total - sum(idle)), total, 2)),
            "idle_percent": float(decimal(100 * sum(idle), total, 2))}
    if core:
        keys["core_fps"] = float(decimal(10**9 * len(steps), core, 2))
    for name, want in keys.items():
        if table[name] != want:
            fail(name, table[name], want)
    totals = [r for r in table["rows"] if r["Tasks"] is None]
    rows = [r for r in table["rows"] if r["Tasks"] is not None]
    if [r["Name"] for r in totals[:2]] != ["Inference", "Idle"] or table["rows"][:len(totals)] != totals:
        fail("totals", totals, "Inference, Idle")
    check_row(totals[0], lengths, total, None, "inference")
    check_row(totals[1], idle, total, None, "idle")
    executes = [c for calls in job.calls.values() for c in calls if c.type == 2 and c.name == "svp_acl_mdl_execute"]
    pairs = [(s.length, call.end - call.begin) for s in steps for call in [s.call_around(executes)] if call]
    if bool(pairs) != (len(totals) == 3):
        fail("host", totals, f"{len(pairs)} calls around inferences")
    if len(totals) == 3:
        check_row(totals[2], [call - length for length, call in pairs], None, None, "host")
    gaps = sorted((g for s in steps for g in s.gaps), reverse=True)[:1000]
    shown = [r["Idle(us)"] for t in document["tables"] if t["table"] == "Longest idle gaps" for r in t["rows"]]
    for got, want in zip(shown, gaps):
        same("gap", got, Fraction(want, 1000), 2)
    if len(shown) != len(gaps):
        fail("gaps", len(shown), len(gaps))
    if len(rows) != len(items):
        fail("rows", len(rows), len(items))
    sums = []
    for row in rows:
        unit = "CPU" if row["Verdict"] == "AA CPU" else "CORE"
        item = items[row["Name"], unit]
        check_row(row, item.times, total, item.verdict(unit), str(row["Name"]))
        if row["Tasks"] != len(item.times):
            fail("tasks", row["Tasks"], len(item.times))
        sums.append(sum(item.times))
    if sums != sorted(sums, reverse=True):
        fail("order", sums, "the largest first")


if __name__ == "__main__":
    main(*sys.argv[1:])
