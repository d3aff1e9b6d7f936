"""learn_judge.py: compares the database of a job with truth.json, and makes each reference again from its rows.

The database holds whole nanoseconds, and cycles or parts of them. A count of the drawn unit is the only one with these nanoseconds,
so that its exact value is known again; in the same way a share of the cycles.
"""
import collections
import csv
import json
import os
import sqlite3
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen"))
import learn_tables  # noqa: E402
import learn_world  # noqa: E402
from learn_draw import COUNTERS  # noqa: E402
from learn_world import Call, Layer, Task, counts_per_us, half_even  # noqa: E402

TARGETS = {"CORE": "aicore_task", "CPU": "aicpu_task", "CALL": "api_call"}
SKETCH = ("task_id", "stream_id", "start_ns", "dur_ns")


class Difference(Exception):
    """Says what is not as it should be."""


def exact_ns(ns, rate):
    """The count that is nearest to these nanoseconds, as a fraction of them."""
    count = half_even(ns * rate / 1000)
    exact = count * 1000 / rate
    return exact if half_even(exact) == ns else Fraction(ns)


def exact_share(value, cycles, parts):
    share = half_even(value * 1000 / cycles) * cycles / 1000
    return share if half_even(share * parts) == value * parts else value


class Database:
    """The rows of a database, as learn_world has tasks, calls and layers."""

    def __init__(self, path, truth):
        self.db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.truth = truth
        self.frequency = {int(device): mhz for device, mhz in truth["frequency"].items()}
        self.layers = {}
        rows = self.db.execute("SELECT n.model, n.model_id, l.task_id, l.stream_id, l.layer_id, l.name, l.type, l.ori"
                               " FROM layer l JOIN net n ON n.id = l.net_id ORDER BY l.net_id, l.task_id, l.stream_id, l.position")
        for model, model_id, task, stream, layer, name, kind, ori in rows:
            of = self.layers.setdefault((model, model_id), {}).setdefault((task, stream), [])
            of.append(Layer(layer, name, kind, (ori or "").split("\x1f")))

    def rows(self, file, columns):
        """The records of a file, in the order of the file."""
        target = TARGETS[file["unit"]]
        found = self.db.execute("SELECT first_row, last_row, device_id, model, model_id, current_pic FROM source"
                                " WHERE file = ? AND target = ?", ("data/" + file["name"], target)).fetchall()
        if len(found) != 1:
            raise Difference("%s: %d sources fill %s" % (file["name"], len(found), target))
        first, last, *who = found[0]
        if who != [file["device"], file["model"], file["model_id"], file["pic"]]:
            raise Difference("%s: its identity is %s" % (file["name"], who))
        return self.db.execute("SELECT %s FROM %s WHERE rowid BETWEEN ? AND ? ORDER BY rowid" % (", ".join(columns), target),
                               (first, last)).fetchall()

    def tasks(self, file):
        style, frequency = self.truth["styles"][file["unit"]], self.frequency[file["device"]]
        rate = counts_per_us(style["time"]["unit"], frequency)
        columns = [*SKETCH, *COUNTERS, "ddr_read_bytes", "ddr_write_bytes", "icache_miss", "icache_access"]
        is_core = file["unit"] == "CORE"
        parts, tasks = self.db.execute("SELECT core FROM parts").fetchone()[0], []
        for task_id, stream, start, dur, *rest in self.rows(file, columns if is_core else SKETCH):
            if None in (start, dur) or (is_core and None in rest[:10]):
                raise Difference("%s: task %s has an empty column" % (file["name"], task_id))
            dur = exact_ns(dur, rate)
            cycles = dur * frequency / 1000
            counters = {}
            for name, value in zip(COUNTERS, rest):
                value = Fraction(value, parts)
                counters[name] = exact_share(value, cycles, parts) if style["counters"][name]["permille"] and cycles else value
            tasks.append(Task(file["unit"], task_id, stream, exact_ns(start, rate), dur, cycles, counters, *(rest[8:] if is_core else (0,) * 4)))
        return tasks

    def calls(self, file):
        rate = counts_per_us(self.truth["styles"]["CALL"]["time"]["unit"], 0)
        calls = []
        for kind, start, dur, pid, tid, name in self.rows(file, ("type", "start_ns", "dur_ns", "pid", "tid", "name")):
            if None in (start, dur):
                raise Difference("%s: a call has an empty column" % file["name"])
            calls.append(Call(kind, exact_ns(start, rate), exact_ns(dur, rate), pid, tid, name))
        return calls


# ---------------------------------------------------------------- the records


def plain_task(task):
    counters = [half_even(task.counters[name]) for name in COUNTERS] if task.unit == "CORE" else []
    return [task.task_id, task.stream_id, half_even(task.start_ns), half_even(task.dur_ns), *counters, task.read, task.write]


def plain_call(call):
    return [call.tid, call.pid, half_even(call.start_ns), half_even(call.dur_ns), call.type, call.name]


def compare_records(file, want, have, may_shift):
    """Times may be shifted by one amount where only 32 bits of the clock are known and no reference shows them."""
    want, have = (sorted(rows, key=lambda row: [(value is None, value or 0) for value in row[:-1]]) for rows in (want, have))
    if len(want) != len(have):
        raise Difference("%s: %d records, not %d" % (file["name"], len(have), len(want)))
    shift = min((row[2] for row in have), default=0) - min((row[2] for row in want), default=0) if may_shift else 0
    for expected, row in zip(want, have):
        near = may_shift and abs(row[2] - shift - expected[2]) <= 1
        if row[:2] + row[3:] != expected[:2] + expected[3:] or not (near or row[2] == expected[2]):
            raise Difference("%s: record %s, not %s" % (file["name"], row, expected))


def check_file(world, file, truth):
    """The rows of a file are the true ones. Returns them as exact values."""
    style = truth["styles"][file["unit"]]
    if file["unit"] == "CALL":
        have = world.calls(file)
        want = [plain_call(learn_world.exact_call(style, raw)) for raw in file["rows"]]
        compare_records(file, want, [plain_call(call) for call in have], is_hidden(style, truth, "acl"))
        return have
    have = world.tasks(file)
    frequency = world.frequency[file["device"]]
    exact = [learn_world.exact_task(style, frequency, file["unit"], raw) for raw in file["rows"]]
    compare_records(file, [plain_task(task) for task in exact], [plain_task(task) for task in have], is_hidden(style, truth, "task_time"))
    if file["unit"] == "CORE" and any(task.access for task in have) and rate_of(have) != rate_of(exact):
        raise Difference("%s: the rate of misses is %s, not %s" % (file["name"], rate_of(have), rate_of(exact)))
    return have


def is_hidden(style, truth, kind):
    return style["time"]["bits"] == 32 and not any(reference["kind"] == kind for reference in truth["references"])


def rate_of(tasks):
    access = sum(task.access or 0 for task in tasks)
    return "%.6f" % (sum(task.miss or 0 for task in tasks) / access if access else 0)


# ---------------------------------------------------------------- the references


def read_trace(path):
    with open(path, encoding="utf-8") as f:
        events = json.load(f, parse_float=str, parse_int=str)
    events = events["traceEvents"] if isinstance(events, dict) else events
    rows = []
    for event in events:
        if event["ph"] == "X":
            args = list(event["args"].values())
            rows.append([event["name"], event["tid"], event["ts"], event["dur"], args[0], args[1] if args[0] in learn_tables.KINDS.values() else args[2]])
    return rows


def number_or_text(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def read_reference(job, reference):
    """The rows of a file, with its titles."""
    path = os.path.join(job, reference["file"])
    if path.endswith(".json"):
        return ["name", "tid", "ts", "dur", "what", "who"], read_trace(path)
    if path.endswith(".db"):
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        found = db.execute("SELECT * FROM %s" % reference["table"])
        titles = [column[0] for column in found.description]
        rows = [[number_or_text(cell) for cell in row] for row in found]
        db.close()
        return titles, rows
    with open(path, encoding="utf-8", newline="") as f:
        titles, *rows = csv.reader(f)
    return titles, rows


def compare_tables(reference, titles, have, made):
    """Every row of a reference is made, and all that is made is in the reference if it is whole."""
    if reference.get("is_sqlite"):
        made = [[number_or_text(cell) for cell in row] for row in made]
    left = collections.Counter(map(tuple, made))
    for row in have:
        left[tuple(row)] -= 1
        if left[tuple(row)] < 0:
            best = max(made, key=lambda other: sum(a == b for a, b in zip(row, other)), default=[])
            cell = next((k for k, (a, b) in enumerate(zip(row, best)) if a != b), 0)
            raise Difference("%s: row %s: %s is %s, not %s" % (reference["file"], row[:2], titles[cell], best[cell] if best else "nothing", row[cell]))
    if reference["whole"] and len(have) < len(made) - (reference["kind"] == "op_summary"):
        raise Difference("%s: %d rows, not %d" % (reference["file"], len(made), len(have)))


def make_again(reference, tasks, calls, layers):
    """The rows of a reference from the database: `tasks` of the inference or of the model, `calls` of the model."""
    kind, rule, style = reference["kind"], reference["rule"], reference["style"]
    if kind == "op_summary":
        return learn_tables.op_summary([task for task in tasks if task.unit == "CORE"], layers, rule, style)[1]
    if kind == "op_statistic":
        return learn_tables.op_statistic(tasks, layers, rule, style)[1]
    if kind == "task_time":
        return learn_tables.task_events(tasks, layers, rule, style)
    return learn_tables.acl_statistic(calls, rule, style)[1] if kind == "acl_statistic" else learn_tables.call_events(calls, rule)


def judge(truth, job, database):
    """Differences as sentences; the calls of a job come last."""
    world = Database(database, truth)
    known, found = {}, []
    for file in truth["files"]:
        try:
            known[file["name"]] = check_file(world, file, truth)
        except Difference as difference:
            found.append((file["unit"] == "CALL", str(difference)))
            known[file["name"]] = []
    for reference in truth["references"]:
        mine = [file for file in truth["files"] if (file["device"], file["model_id"]) == (reference["device"], reference["model_id"])
                and reference["pic"] in (None, file["pic"])]
        tasks = [task for file in mine if file["unit"] != "CALL" for task in known[file["name"]]]
        calls = [call for file in mine if file["unit"] == "CALL" for call in known[file["name"]]]
        is_call = reference["kind"] in ("acl", "acl_statistic")
        try:
            if not (calls if is_call else tasks):
                raise Difference("%s: nothing to make it of" % reference["file"])
            made = make_again(reference, tasks, calls, world.layers.get((reference["model"], reference["model_id"]), {}))
            compare_tables(reference, *read_reference(job, reference), made)
        except (Difference, KeyError, TypeError, ZeroDivisionError) as difference:
            found.append((is_call, str(difference)))
    return [text for _, text in sorted(found)]
