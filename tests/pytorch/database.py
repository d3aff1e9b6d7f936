#!/usr/bin/env python3
"""database.py ASCEND_PT: do the databases of `msprof export pytorch` say what FRAMEWORK and the database of PROF say? Prints what differs; exit status 1 then.

Operators and marks are read from their bytes; launches and steps look at all pairs. Memory is that of operator_memory.csv.
"""

import csv
import glob
import json
import os
import sqlite3
import sys

import collectives
from truth import Job, ns


def length(ranges):
    """How long at least one of the ranges lasts."""
    total, reached = 0, 0
    for begin, end in sorted(ranges):
        total, reached = total + max(0, end - max(begin, reached)), max(reached, end)
    return total


class Databases(Job):
    def check(self):
        out = f"{self.top}/ASCEND_PROFILER_OUTPUT/"
        self.db = sqlite3.connect(out + "ascend_pytorch_profiler_0.db")
        self.strings = dict(self.rows("SELECT id, value FROM STRING_IDS"))
        self.links = {}
        for number, connection in self.rows("SELECT id, connectionId FROM CONNECTION_IDS ORDER BY rowid"):
            self.links.setdefault(number, []).append(connection)
        self.check_operators()
        self.check_metadata()
        self.check_memory(out)
        analysis = sqlite3.connect(out + "analysis.db")
        ranges = self.check_steps(analysis)
        self.check_collectives(analysis, ranges)
        assert os.path.getsize(out + "analyse.done") == 0

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def equal(self, what, ours, true):
        self.cells += sum(len(row) for row in true)
        if ours != true:
            self.differ(f"{what}: {[pair for pair in zip(ours, true) if pair[0] != pair[1]][:3]}, {len(ours)} rows of {len(true)}")

    def check_metadata(self):
        """Each thing that the program said of itself, as Python writes it, behind what any database says."""
        with open(self.top + "/profiler_metadata.json", encoding="utf-8") as file:
            true = [(key, json.dumps(value)) for key, value in json.load(file).items()]
        self.equal("META_DATA", self.rows("SELECT name, value FROM META_DATA ORDER BY rowid")[-len(true):], true)

    def check_operators(self):
        lines = lambda text: text.replace(";", ";\r\n") if text else None
        self.calls = self.rows("SELECT a.startNs, a.endNs, a.globalTid, a.connectionId FROM CANN_API a JOIN STRING_IDS s ON s.id = a.name "
                               "WHERE s.value = 'launch' AND a.type = 10000 ORDER BY a.startNs")
        base, pid = 5 << 28, self.written[0]["pid"] << 32
        true, launched, found = [], {}, {}
        for start, end, thread, number in self.calls:
            taken = next((m for m in self.taken if m["start"] < start and end < m["end"] and pid | m["tid"] == thread), None)
            put = next((m for m in self.put if taken and m["corr"] == taken["corr"]), None)
            around = [o for o in self.ops if put and o["tid"] == put["tid"] and o["start"] < put["start"] and put["end"] < o["end"]]
            if around:
                launched.setdefault(id(around[-1]), []).append(number)
        chains = {}
        for number, word, depth in self.rows("SELECT id, stack, stackDepth FROM PYTORCH_CALLCHAINS ORDER BY rowid"):
            chains.setdefault(number, []).append(self.strings[word])
            assert len(chains[number]) == depth + 1
        for o in self.ops:
            found = launched.get(id(o), [])
            texts = [lines(o["t"].get(3)), lines(o["t"].get(4)), o["t"].get(8) or None]
            true.append((o["start"], o["end"], pid | o["tid"], o["name"], o["seq"], o["fwd"], *texts, found))
        ours = [(int(r[0]), int(r[1]), r[2], self.strings[r[4]], r[5], r[6], self.strings.get(r[7]), self.strings.get(r[8]),
                 ";".join(chains[r[9]]) if r[9] is not None else None, [n for n in self.links.get(r[3], []) if n < base])
                for r in self.rows("SELECT * FROM PYTORCH_API WHERE type = 50001 ORDER BY rowid")]
        self.equal("operators", ours, true)
        marks = [(m["start"], m["end"], pid | m["tid"], [m["corr"] + base]) for m in self.put + self.taken]
        ours = [(int(r[0]), int(r[1]), r[2], self.links[r[3]]) for r in self.rows("SELECT * FROM PYTORCH_API WHERE type = 50002 ORDER BY rowid")]
        self.equal("queue", ours, marks)

    def check_memory(self, out):
        with open(out + "operator_memory.csv", newline="", encoding="utf-8") as f:
            true = [(r[0], float(r[1]) * 1024, ns(r[2]), r[3] and ns(r[3]), float(r[7]) * 1048576) for r in list(csv.reader(f))[1:]]
        ours = [(self.strings.get(r[0], ""), r[1], r[2], r[3] or "", r[7]) for r in self.rows("SELECT * FROM OP_MEMORY ORDER BY rowid")]
        self.equal("memory", ours, true)

    def check_steps(self, analysis):
        tasks = self.rows("SELECT t.startNs, t.endNs, t.connectionId, c.name FROM TASK t LEFT JOIN COMPUTE_TASK_INFO c USING (globalTaskId)")
        talks = self.rows("SELECT startNs, endNs FROM COMMUNICATION_OP") if self.rows("SELECT 1 FROM sqlite_schema WHERE name = 'COMMUNICATION_OP'") else []
        true, ranges = [], []
        for o in (o for o, p in zip(self.ops, self.parent) if p < 0 and "ProfilerStep#" in o["name"]):
            nodes = self.rows("SELECT startNs, endNs, connectionId FROM CANN_API WHERE type = 10000")
            within = {n for start, end, n in nodes if o["start"] <= start and end <= o["end"]}
            begun = min((t[0] for t in tasks if t[2] in within), default=o["start"])
            ended = max([t[1] for t in tasks if t[2] in within] + [o["end"]])
            ranges.append((o["name"].rpartition("#")[2], begun, ended))
            ran = [(t[0], t[1]) for t in tasks if t[3] is not None and begun <= t[0] < ended]
            moved = [(start, end) for start, end in talks if begun <= start < ended]
            both, busy = ran + moved, length(ran + moved)
            whole = max((t[1] for t in both), default=0) - min((t[0] for t in both), default=0)
            true.append((ranges[-1][0], *(ns / 1000 for ns in (length(ran), length(moved), whole - busy, whole, min(both)[0] - o["start"] if ran else 0))))
        ours = analysis.execute("SELECT step, computing, communication, free, round(stage + bubble, 3), preparing FROM StepTraceTime")
        self.equal("steps", ours.fetchall(), true)
        return ranges

    def check_collectives(self, analysis, ranges):
        folder = glob.glob(f"{self.top}/PROF_*/analyze")
        there = [name for name, in analysis.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'CommAnalyzer%' ORDER BY name")]
        self.equal("tables of collectives", there, ["CommAnalyzerBandwidth", "CommAnalyzerMatrix", "CommAnalyzerTime"] if folder else [])
        for table, true in collectives.tables(folder[0], ranges).items() if folder else ():
            assert true
            self.equal(table, analysis.execute(f"SELECT * FROM CommAnalyzer{table}").fetchall(), true)


if __name__ == "__main__":
    job = Databases(sys.argv[1])
    job.check()
    print(f"{job.cells} cells, {job.bad} differ")
    sys.exit(job.bad > 0)
