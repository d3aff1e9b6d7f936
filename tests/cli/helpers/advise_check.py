"""advise_check.py JOB DOCUMENT: recomputes the numbers of `msprof advise --format json` for a job of one model, from its raw bytes."""
import json
import math
import sys
from fractions import Fraction

from svp import Job

MATRIX = ("conv", "matmul", "lstm", "gru")
MATRIX_EXACT = ("fc", "innerproduct", "gemm", "rnn")
CONVERTS = ("permute", "transpose", "reshape", "flatten", "cast", "transdata")
MOVES = ("preprocess", "reportop", "concat", "split", "slice", "crop") + CONVERTS


def type_class(kind):
    kind = kind.lower()
    if kind in MATRIX_EXACT or any(m in kind for m in MATRIX):
        return 0
    return 2 if kind in MOVES or kind.startswith(("quant", "dequant")) else 1


def ns(ticks, mhz):
    """Ticks of 100 cycles in ns, half to even."""
    return round(Fraction(ticks * 100000, mhz))


def union(spans):
    total, end = 0, None
    for a, b in sorted(spans):
        if end is None or a > end:
            total, end = total + b - a, b
        elif b > end:
            total, end = total + b - end, b
    return total


def rank(values, share):
    """The value with the rank ceil(share * n), share in per cent."""
    return sorted(values)[max(1, math.ceil(Fraction(share * len(values), 100))) - 1]


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def same(what, got, want, places=3):
    if got is None or abs(Fraction(str(got)) - want) > Fraction(1, 2 * 10**places):
        fail(what, got, float(want))


class Step:
    def __init__(self, job, key, tasks, mhz):
        self.spans, self.pic = {}, key.pic
        for t in tasks:
            kinds = [layer.get("type") or "" for layer in job.layers_of(key, t)]
            number = 3 if t.unit == "CPU" else min(map(type_class, kinds), default=1)
            start = ns(t.start, mhz)
            self.spans.setdefault(number, []).append((start, start + ns(t.end - t.start, mhz)))
        every = [s for spans in self.spans.values() for s in spans]
        self.start, self.end = min(a for a, _ in every), max(b for _, b in every)
        self.length, self.alone, lower = self.end - self.start, {}, []
        for number in sorted(self.spans):
            before = union(lower)
            lower += self.spans[number]
            self.alone[number] = union(lower) - before
        self.idle = self.length - union(lower)


def check_parts(overview, steps):
    names = {"Computing: matrix": 0, "Computing: vector": 1, "Computing: data movement": 2, "AI CPU alone": 3, "Idle": None}
    table = next(s for s in overview if s["table"] == "Where the time went")
    total = sum(s.length for s in steps)
    seen = 0
    for row in table["rows"]:
        number = names[row["Part"]]
        values = [s.idle if number is None else s.alone.get(number, 0) for s in steps]
        same(row["Part"], row["Mean(us)"], Fraction(sum(values), 1000 * len(steps)))
        same(row["Part"] + " min", row["Min(us)"], Fraction(min(values), 1000))
        same(row["Part"] + " max", row["Max(us)"], Fraction(max(values), 1000))
        same(row["Part"] + " share", row["Share(%)"], Fraction(100 * sum(values), total), 2)
        seen += sum(values)
    if seen != total:
        fail("parts", seen, total)
    if table["steps"] != len(steps) or table["mean_ns"] != total // len(steps):
        fail("steps", (table["steps"], table["mean_ns"]), (len(steps), total // len(steps)))


def check_pace(overview, steps):
    row = next(s for s in overview if s["table"] == "Pace")["rows"][0]
    lengths = [s.length for s in sorted(steps, key=lambda s: s.start)]
    median = rank(lengths, 50)
    for name, want in (("First(us)", lengths[0]), ("Median(us)", median), ("p95(us)", rank(lengths, 95)), ("p99(us)", rank(lengths, 99)),
                       ("Max(us)", max(lengths)), ("MAD(us)", rank([abs(x - median) for x in lengths], 50))):
        same(name, row[name], Fraction(want, 1000), 1)


def check_gaps(overview, steps):
    gaps = []
    for step in steps:
        at = step.start
        for a, b in sorted(s for spans in step.spans.values() for s in spans):
            if a > at:
                gaps.append((a - at, -at))
            at = max(at, b)
    table = next(s for s in overview if s["table"] == "Longest idle gaps")
    for row, (length, _) in zip(table["rows"], sorted(gaps, reverse=True)):
        same("gap", row["Idle(us)"], Fraction(length, 1000))


def check_findings(job, findings, steps, mhz):
    """The savings of layers below their bound, and of operators on the AI CPU."""
    sums = {}
    for key, tasks in job.tasks.items():
        for t in tasks:
            layers = job.layers_of(key, t)
            s = sums.setdefault((t.unit, ",".join(o for layer in layers for o in layer["ori"])), [0, 0, 0, 0])
            cycles = (t.end - t.start) * 100
            number = 3 if t.unit == "CPU" else min(type_class(layer["type"]) for layer in layers)
            busy = 0 if number > 1 else t.counters["vec_ppen" if number else "mac_ppen"]
            s[0], s[1], s[2], s[3] = s[0] + ns(t.end - t.start, mhz), s[1] + cycles, s[2] + busy, number
    total = sum(s.length for s in steps)
    bound = {}
    for (unit, name), (time, cycles, busy, number) in sums.items():
        limit = Fraction(7, 10) if number == 0 else Fraction(1, 2)
        if unit == "CORE" and number < 2 and Fraction(busy, cycles) < limit:
            saving = int((time // len(steps)) * (1 - float(Fraction(busy, cycles) / limit)))
            if saving >= 0.01 * (total // len(steps)):
                bound[name] = saving
    got = {f["subject"]: f["saving_ns"] for f in findings if f["rule"] == "svp_bound"}
    if set(got) != set(sorted(bound, key=bound.get, reverse=True)[:10]) or any(abs(got[n] - bound[n]) > 1 for n in got):
        fail("svp_bound", got, bound)
    for f in findings:
        if f["rule"] == "aicpu" and f["time_ns"] != sums["CPU", f["subject"]][0] // len(steps):
            fail("aicpu", f["time_ns"], sums["CPU", f["subject"]][0] // len(steps))
        if f["rule"] == "idle" and f["saving_ns"] != sum(s.idle for s in steps) // len(steps):
            fail("idle", f["saving_ns"], sum(s.idle for s in steps) // len(steps))
        if f["saving_ns"] is not None and f["saving_share"] != f["saving_ns"] / f["step_ns"]:
            fail("saving_share", f["saving_share"], f["saving_ns"] / f["step_ns"])


def main(path, document):
    with open(document, encoding="utf-8") as f:
        document = json.load(f)
    if document["schema"] != "msprof.advise/1" or len(document["jobs"]) != 1:
        sys.exit("not one job of msprof.advise/1")
    job, advice = Job(path), document["jobs"][0]
    mhz = job.frequency[0]
    steps = [Step(job, key, tasks, mhz) for key, tasks in job.tasks.items()]
    check_parts(advice["overview"], steps)
    check_pace(advice["overview"], steps)
    check_gaps(advice["overview"], steps)
    check_findings(job, advice["findings"], steps, mhz)
    savings = [-1 if f["saving_ns"] is None else f["saving_ns"] for f in advice["findings"]]
    if savings != sorted(savings, reverse=True):
        fail("order", savings, "descending")


main(*sys.argv[1:])
