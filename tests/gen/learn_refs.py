"""learn_refs.py: writes the references of a job: CSV files, chrome traces, and a SQLite file.

Writer.written is what truth.json says of the files, so that a judge can make them again.
"""
import csv
import io
import json
import os
import sqlite3
from fractions import Fraction

import learn_tables

SNAKE = ("task_id", "layer_id", "layer_name", "layer_type", "ori_layer_name", "time_us", "time_ratio", "mac_busy_ratio", "mac_ppen_ratio",
         "vec_busy_ratio", "vec_ppen_ratio", "dstr_ratio", "dtrans_ratio", "dld_ratio", "wld_ratio", "memory_bound", "ddr_read_kb",
         "ddr_write_kb", "ddr_total_kb")


def draw_rule(d, is_trace=False):
    """How numbers are rounded; half to even with two decimals, or three in traces, is the usual way."""
    usual = (3, 6) if is_trace else (2, 6)
    decimals = d.weighted(usual, (0, 0.7), (2, 1), (4, 1.5), (6, 1.5))
    return {"decimals": decimals, "mode": d.weighted(("even", 6), ("up", 1.5), ("cut", 2.5)), "fixed": d.chance("fixed", 0.2)}


def draw_references(d, core, calls):
    """Which references there are, and in which form; never fewer than determine the fields."""
    style = "vendor" if d.plain or d.random() < 0.7 else "default"
    rules = {"op_summary": draw_rule(d), "op_statistic": draw_rule(d), "acl_statistic": draw_rule(d),
             "task_time": draw_rule(d, True), "acl": draw_rule(d, True)}
    few = rules["op_summary"]["decimals"] == 0
    without_trace = core["time"]["form"] != "start+duration" and not few and d.chance("no_task_time", 0.15)
    known_unit = calls["time"]["unit"] in ("ns", "us") and calls["time"]["form"] == "start+end"
    return {
        "style": style, "rules": rules,
        "task_time": not without_trace, "op_statistic": not d.chance("no_op_statistic", 0.15),
        "acl": not (known_unit and d.chance("no_acl_trace", 0.15)), "acl_statistic": not d.chance("no_acl_statistic", 0.12),
        "filtered": d.chance("filtered", 0.2), "reordered": d.chance("reordered", 0.15), "short": d.chance("short", 0.12),
        "trace_filtered": d.chance("trace_filtered", 0.1), "no_total": d.chance("no_total", 0.08),
        "bare": d.chance("bare_trace", 0.5), "texts": d.chance("trace_texts", 0.15), "crlf": d.chance("crlf", 0.1),
        "sqlite": d.chance("sqlite", 0.2), "sqlite_only": d.chance("sqlite_only", 0.25),
    }


def thin(d, rows, refs):
    """The rows that a reference shows, in its order; at least 15 stay."""
    rows = list(rows)
    if refs["filtered"]:
        left = [row for row in rows if d.random() < 0.8]
        rows = left if len(left) >= 15 else rows
    if refs["reordered"]:
        d.shuffle(rows)
    if refs["short"]:
        rows = rows[:max(15, int(len(rows) * (0.6 + 0.3 * d.random())))]
    return rows


class Writer:
    """Writes references below a job and collects what truth.json says of them."""

    def __init__(self, d, job, refs):
        self.d, self.job, self.refs, self.written = d, job, refs, []

    def note(self, path, kind, identity, whole, **more):
        self.written.append({"file": path, "kind": kind, "style": self.refs["style"], "rule": self.refs["rules"][kind],
                             "whole": whole, **identity, **more})

    def save(self, path, text):
        path = os.path.join(self.job, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)

    def csv(self, path, titles, rows):
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n" if self.refs["crlf"] else "\n").writerows([titles, *rows])
        self.save(path, out.getvalue())

    def op_summary(self, path, tasks, layers, identity):
        rule, style = self.refs["rules"]["op_summary"], self.refs["style"]
        titles, rows = learn_tables.op_summary(tasks, layers, rule, style)
        total = [] if self.refs["no_total"] else rows[:1]
        shown = thin(self.d, rows[1:], self.refs)
        self.csv(path, titles, total + shown)
        self.note(path, "op_summary", identity, len(shown) == len(rows) - 1)

    def sqlite(self, tasks, layers, identity):
        """The op_summary as a table, in vendor style, with names of its own."""
        d, rule = self.d, self.refs["rules"]["op_summary"]
        _, rows = learn_tables.op_summary(tasks, layers, rule, "vendor")
        table = d.choice(("op_summary", "ge_summary", "AicoreOp", "acl_op_info"))
        names = [name if d.random() < 0.5 else name.replace("_", "") for name in SNAKE] if d.random() < 0.3 else list(SNAKE)
        path = "sqlite/%s.db" % d.choice(("op_summary", "profiling", "aicore_0"))
        os.makedirs(os.path.join(self.job, "sqlite"), exist_ok=True)
        db = sqlite3.connect(os.path.join(self.job, path))
        kinds = ["INTEGER"] + ["TEXT"] * 4 + ["REAL"] * 14
        db.execute("CREATE TABLE %s(%s)" % (table, ", ".join("%s %s" % pair for pair in zip(names, kinds))))
        shown = thin(d, rows[1:], self.refs)
        db.executemany("INSERT INTO %s VALUES (%s)" % (table, ",".join("?" * len(names))), shown)
        db.commit()
        db.close()
        self.note(path, "op_summary", identity, len(shown) == len(rows) - 1, table=table, is_sqlite=True)
        self.written[-1]["style"] = "vendor"

    def statistic(self, path, kind, table, identity):
        self.csv(path, *table)
        self.note(path, kind, identity, True)

    def trace(self, path, kind, events, identity, process):
        """Events of learn_tables as a chrome trace."""
        quote = json.dumps if self.refs["texts"] else str
        is_call = kind == "acl"
        shown = [event for event in events if not self.refs["trace_filtered"] or self.d.random() < 0.85]
        lines = []
        for number, tid in sorted({(int(event[5]) if is_call else 0, int(event[1])) for event in events}):
            thread = "Thread %d" % tid if is_call else "Stream %d" % tid
            lines.append(json.dumps({"name": "process_name", "ph": "M", "pid": number, "args": {"name": process}}))
            lines.append(json.dumps({"name": "thread_name", "ph": "M", "pid": number, "tid": tid, "args": {"name": thread}}))
        for name, tid, begin, took, what, who in shown:
            args = {"Mode": what, "Process Id": int(who), "Thread Id": int(tid)} if is_call else {
                "Task Type": what, "Stream Id": int(tid), "Task Id": int(who)}
            lines.append('{"name": %s, "ph": "X", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": %s}' % (
                json.dumps(name), who if is_call else 0, tid, quote(begin), quote(took), json.dumps(args)))
        text = "[" + ",\n".join(lines) + "]\n"
        self.save(path, text if self.refs["bare"] else '{"traceEvents": %s, "displayTimeUnit": "ms"}\n' % text)
        self.note(path, kind, identity, len(shown) == len(events))


def icache_rate(tasks):
    """The part of a file's name: six decimals, as C prints them."""
    access = sum(task.access for task in tasks)
    return "%.6f" % (float(Fraction(sum(task.miss for task in tasks), access)) if access else 0)
