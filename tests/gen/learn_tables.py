"""learn_tables.py: the tables that the vendor's tool prints, from exact tasks and calls, with fractions throughout.

A rule is a dict: decimals, mode (even, up, cut) and whether zeros at the end are kept. Each table is a list of titles
and a list of rows of texts; the row of totals comes first.
"""
from fractions import Fraction

from learn_draw import COUNTERS

RATIOS = ("Mac Busy Ratio", "Mac Ppen Ratio", "Vec Busy Ratio", "Vec Ppen Ratio", "Dstr Ratio", "Dtrans Ratio", "DLD Ratio", "WLD Ratio")
KINDS = {1: "op", 2: "model", 3: "runtime", 4: "others"}


def number(value, rule, decimals=None):
    """A number that is not negative as text, rounded by the rule."""
    decimals = rule["decimals"] if decimals is None else decimals
    scaled = Fraction(value) * 10 ** decimals
    whole = scaled.numerator // scaled.denominator
    if rule["mode"] == "even":
        whole = round(scaled)
    elif rule["mode"] == "up":
        whole += scaled - whole >= Fraction(1, 2)
    if not decimals:
        return str(whole)
    text = "%d.%0*d" % (whole // 10 ** decimals, decimals, whole % 10 ** decimals)
    return text if rule["fixed"] else text.rstrip("0").rstrip(".")


class Sum:
    """The tasks of an inference as one task."""

    def __init__(self, tasks):
        self.cycles = sum((t.cycles for t in tasks), Fraction(0))
        self.dur_ns = sum((t.dur_ns for t in tasks), Fraction(0))
        self.read, self.write = sum(t.read for t in tasks), sum(t.write for t in tasks)
        self.counters = {name: sum((t.counters[name] for t in tasks), Fraction(0)) for name in COUNTERS}


def bound(task, rule, style):
    below = max(task.counters["mac_busy"], task.counters["vec_ppen"])
    if not below:
        return "0" if style == "vendor" else "N/A"
    return number(max(task.counters[name] for name in ("dstr", "dld", "wld")) / below, rule)


def metrics(task, total, rule, style):
    share = "100" if task is total else number(task.dur_ns / total.dur_ns * 100, rule)
    sizes = (task.read, task.write, task.read + task.write)
    return [number(task.dur_ns / 1000, rule), share, *(number(task.counters[name] / task.cycles * 100, rule) for name in COUNTERS),
            bound(task, rule, style), *(number(Fraction(size, 1000), rule) if style == "vendor" else str(size) for size in sizes)]


def op_summary(tasks, layers, rule, style):
    """`layers`: (task, stream) -> layers of the model."""
    if style == "vendor":
        titles = ["Task ID", "Layer ID", "Layer Name", "Layer Type", "Ori Layer Name", "Time(us)", "Time Ratio(%)",
                  *(title + "(%)" for title in RATIOS), "Memory Bound", "DDR Read(KB)", "DDR Write(KB)", "DDR Total(KB)"]
    else:
        titles = ["Layer Id", "Ori Layer Name", "Layer Name", "Layer Type", "Time(us)", "Time Ratio", *RATIOS, "Memory Bound",
                  "DDR Read(byte)", "DDR Write(byte)", "DDR Total(byte)"]
    total = Sum(tasks)
    rows = [["-"] * (5 if style == "vendor" else 4) + metrics(total, total, rule, style)]
    for task in tasks:
        of = layers.get((task.task_id, task.stream_id), [])
        ids, names = ",".join(str(layer.id) for layer in of), ",".join(layer.name for layer in of)
        types, ori = ",".join(layer.type for layer in of), ",".join(name for layer in of for name in layer.ori)
        who = [str(task.task_id), ids, names, types, ori] if style == "vendor" else [ids, ori, names, types]
        rows.append(who + metrics(task, total, rule, style))
    return titles, rows


def op_statistic(tasks, layers, rule, style):
    """Fused tasks count once for each of their layers, with their whole time."""
    groups = {}
    for task in tasks:
        for layer in layers.get((task.task_id, task.stream_id), []):
            groups.setdefault((layer.type, task.stream_id, task.unit), []).append(task.dur_ns / 1000)
    total = sum((sum(times) for times in groups.values()), Fraction(0))
    last = ["Count", "Avg(us)", "Max(us)", "Min(us)"]
    if style == "vendor":
        titles = ["Task ID", "Stream ID", "OP Type", "Task Type", "Total Time(us)", "Total Time Ratio(%)", *last]
    else:
        titles = ["Task ID", "Stream ID", "OP Name", "Task Type", "Total Time Ratio(%)", "Total Time(us)", *last]
    rows = []
    for (kind, stream, unit), times in sorted(groups.items()):
        both = [number(sum(times), rule), number(sum(times) / total * 100, rule)]
        rows.append([str(len(rows)), str(stream), kind, ("AI_" if style == "vendor" else "AA_") + unit, *both[::1 if style == "vendor" else -1],
                     str(len(times)), number(sum(times) / len(times), rule, max(rule["decimals"], 4)),
                     number(max(times), rule), number(min(times), rule)])
    return titles, rows


def acl_statistic(calls, rule, style):
    """In vendor style times are whole microseconds, and ratios have all digits of a double."""
    groups = {}
    for call in calls:
        groups.setdefault((call.pid, call.tid, KINDS[call.type], call.name), []).append(call.dur_ns / 1000)
    rows = []
    if style == "vendor":
        titles = ["Process ID", "Thread ID", "Type", "Name", "Total Time(us)", "Total Time Ratio(%)", "Count", "Avg(us)", "Min(us)", "Max(us)"]
        whole = {key: [us.numerator // us.denominator for us in times] for key, times in groups.items()}
        total = sum(sum(times) for times in whole.values())
        for key, times in sorted(whole.items()):
            share = repr(sum(times) / total * 100) if total else "0"
            rows.append([*map(str, key), str(sum(times)), share, str(len(times)), str(sum(times) // len(times)), str(min(times)), str(max(times))])
        return titles, rows
    titles = ["Process ID", "Thread ID", "Type", "Name", "Total Time Ratio(%)", "Total Time(us)", "Count", "Avg(us)", "Max(us)", "Min(us)"]
    total = sum((sum(times) for times in groups.values()), Fraction(0))
    for key, times in sorted(groups.items()):
        rows.append([*map(str, key), number(sum(times) / total * 100, rule), number(sum(times), rule), str(len(times)),
                     number(sum(times) / len(times), rule), number(max(times), rule), number(min(times), rule)])
    return titles, rows


def task_events(tasks, layers, rule, style):
    """Events of task_time: [name, stream, ts, dur, task type, task]."""
    events = []
    for task in tasks:
        of = layers.get((task.task_id, task.stream_id), [])
        name = ",".join(name for layer in of for name in layer.ori) or ",".join(layer.name for layer in of)
        unit = ("AI_" if style == "vendor" else "AA_") + task.unit
        events.append([name, str(task.stream_id), number(task.start_ns / 1000, rule), number(task.dur_ns / 1000, rule), unit, str(task.task_id)])
    return events


def call_events(calls, rule):
    """Events of acl: [name, tid, ts, dur, mode, pid]."""
    return [[call.name, str(call.tid), number(call.start_ns / 1000, rule), number(call.dur_ns / 1000, rule), KINDS[call.type], str(call.pid)]
            for call in calls]
