"""learn_exports.py: compares what msprof exports with learned layouts, cell by cell, with what truth.json says.

The tables are made of exact fractions, in the form that exports have: two decimals, half to even; three in traces and in times of
calls. Records that the truth lacks, and cells that differ in a digit, are differences.
"""
import csv
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen"))
import learn_tables  # noqa: E402
import learn_world  # noqa: E402
from learn_judge import is_hidden  # noqa: E402
from learn_world import Layer  # noqa: E402

STYLES = {"guide": "default", "vendor": "vendor"}


def rule(decimals, fixed=False):
    return {"decimals": decimals, "mode": "even", "fixed": fixed}


def events_of(path):
    """The events of an export. A lane of tasks that overlap is no thread; the arguments have the thread."""
    with open(path, encoding="utf-8") as f:
        events = [event for event in json.load(f, parse_float=str, parse_int=str)["traceEvents"] if event["ph"] == "X"]
    rows = []
    for event in events:
        what, one, two = event["args"].values()
        tid, who = (two, one) if what in learn_tables.KINDS.values() else (one, two)
        rows.append([event["name"], tid, event["ts"], event["dur"], what, who])
    return rows


class Exports:
    """The exports of a job in one style, beside the truth."""

    def __init__(self, truth, job, style):
        self.truth, self.job, self.style = truth, job, style
        self.cells, self.different, self.first = 0, 0, None
        self.layers = {}
        for model in truth["models"]:
            of = {(task["task_id"], task["stream_id"]): [Layer(*layer) for layer in task["layers"]] for task in model["tasks"]}
            self.layers[model["name"], model["id"]] = of

    def exact(self, file):
        style = self.truth["styles"][file["unit"]]
        if file["unit"] == "CALL":
            return [learn_world.exact_call(style, raw) for raw in file["rows"]]
        frequency = self.truth["frequency"][str(file["device"])]
        return [learn_world.exact_task(style, frequency, file["unit"], raw) for raw in file["rows"]]

    def compare(self, what, want, have):
        """Count the cells of the rows in order, and those that differ."""
        for number in range(max(len(want), len(have))):
            row = want[number] if number < len(want) else []
            made = have[number] if number < len(have) else []
            for place in range(max(len(row), len(made))):
                self.cells += 1
                if row[place:place + 1] != made[place:place + 1]:
                    self.different += 1
                    self.first = self.first or "%s: row %d, %d: %s, not %s" % (what, number, place, made[place:place + 1], row[place:place + 1])

    def table(self, name, want):
        """`name` is a pattern; `want` has titles and rows. Records of a file may be in another order than the truth."""
        found = glob.glob(os.path.join(glob.escape(self.job), "summary", name))
        rows = []
        for path in found[:1]:
            with open(path, encoding="utf-8", newline="") as f:
                rows = list(csv.reader(f))
        titles, cells = want
        self.compare(name, [titles, *sorted(cells)], rows[:1] + sorted(rows[1:]))

    def trace(self, name, want, hidden):
        """Events in any order; without moments where no reference has them."""
        found = glob.glob(os.path.join(glob.escape(self.job), "timeline", name))
        have = [event for path in found[:1] for event in events_of(path)]
        want, have = ([[cell if not (hidden and place == 2) else "" for place, cell in enumerate(map(str, event))] for event in events]
                      for events in (want, have))
        self.compare(name, sorted(want), sorted(have))

    def statistic_of_calls(self, calls):
        if self.style == "vendor":
            return learn_tables.acl_statistic(calls, rule(3), self.style)
        titles, rows = learn_tables.acl_statistic(calls, rule(3), self.style)
        _, finer = learn_tables.acl_statistic(calls, rule(4), self.style)
        return titles, [row[:4] + fine[4:5] + row[5:] for row, fine in zip(rows, finer)]

    def inference(self, file, others):
        """The tables of an inference: its tasks of the core, and all its tasks."""
        layers, tasks = self.layers[file["model"], file["model_id"]], self.exact(file)
        self.table("op_summary_%d.%s.%d.*.*.%d.0.*.csv" % (file["device"], glob.escape(file["model"]), file["model_id"], file["pic"]),
                   learn_tables.op_summary(tasks, layers, rule(2), self.style))
        tasks = tasks + [task for other in others for task in self.exact(other)]
        self.table("op_statistic_%d_%d_%d_1.csv" % (file["device"], file["model_id"], file["pic"]),
                   learn_tables.op_statistic(tasks, layers, rule(2), self.style))

    def calls(self, file, tasks):
        """The tables that a model has once."""
        who = "%d.%s.%d." % (file["device"], glob.escape(file["model"]), file["model_id"])
        calls, styles = self.exact(file), self.truth["styles"]
        self.table("acl_statistic_%d_%d_1.csv" % (file["device"], file["model_id"]), self.statistic_of_calls(calls))
        self.trace("acl_%s*.json" % who, learn_tables.call_events(calls, rule(3, True)), is_hidden(styles["CALL"], self.truth, "acl"))
        events = learn_tables.task_events([task for other in tasks for task in self.exact(other)], self.layers[file["model"], file["model_id"]],
                                          rule(3, True), self.style)
        hidden = any(is_hidden(styles[other["unit"]], self.truth, "task_time") for other in tasks)
        self.trace("task_time_%s*.json" % who, events, hidden)

    def all(self):
        files = self.truth["files"]
        for file in files:
            mine = [other for other in files if (other["device"], other["model_id"]) == (file["device"], file["model_id"])]
            if file["unit"] == "CORE":
                self.inference(file, [other for other in mine if other["unit"] == "CPU" and other["pic"] == file["pic"]])
            elif file["unit"] == "CALL":
                self.calls(file, [other for other in mine if other["unit"] != "CALL"])
        return self


def judge(truth, job, style):
    """Cells that were compared, cells that differ, and the first difference or None."""
    exports = Exports(truth, job, STYLES[style]).all()
    return exports.cells, exports.different, exports.first


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as f:
        print(*judge(json.load(f), sys.argv[2], sys.argv[3]))
