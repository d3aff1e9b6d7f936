#!/usr/bin/env python3
"""learn_boards.py: writes the job of one of three invented boards, with the tables of its tool.

Usage: learn_boards.py hostile|chip|lines --out DIR

hostile: columns that are equal, a copy that differs in one record, copies of times, counters that count nothing, ids that begin anew.
chip: what public drivers of two accelerators log: records of an operation's stalls with a time of the kernel, and 16-byte entries
  of a profiler (time, kind of entry, number, data) with starts, ends, instants and samples in one file.
lines: records are lines of text: one JSON object a task.

Each has its own encoder. DIR/JOB…/ has data/, info.json.0, summary/ and timeline/; DIR/truth.json the tasks as the tool tells them.
"""
import argparse
import csv
import json
import os
import random
import struct
from fractions import Fraction

MODEL = "squeeze.3"
RATIOS = ("Mac Busy", "Mac Ppen", "Vec Busy", "Vec Ppen", "Dstr", "Dtrans", "DLD", "WLD")


def text(value, decimals):
    """Rounded half to even, as Python rounds fractions."""
    return ("%.*f" % (decimals, round(value, decimals))) if decimals else str(round(value))


def draw_tasks(d, count, mhz, first=0):
    """Tasks with start and took in us, and counters in cycles."""
    tasks, now = [], Fraction(d.randrange(10**9, 10**10))
    for number in range(first, first + count):
        cycles = d.randrange(2000, 200000)
        counters = {name: d.randrange(cycles // 50, cycles) for name in RATIOS}
        tasks.append({"id": number, "stream": d.choice((3, 4)), "cycles": cycles, "start": now, "took": Fraction(cycles, mhz), **counters,
                      "read": d.randrange(1000, 4000000), "write": d.randrange(1000, 2000000)})
        now += tasks[-1]["took"] + Fraction(d.randrange(100, 5000), mhz)
    return tasks


class Board:
    def __init__(self, name, out):
        self.d = random.Random("board " + name)
        self.job = os.path.join(out, "JOB" + "".join(self.d.choice("BCDFGHJKLMNPQRSTVWXZ") for _ in range(29)))
        self.truth = os.path.join(out, "truth.json")
        for folder in ("data", "summary", "timeline"):
            os.makedirs(os.path.join(self.job, folder))

    def save(self, path, data):
        with open(os.path.join(self.job, path), "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())

    def common(self, mhz, tasks):
        self.save("info.json.0", json.dumps({"version": 1, "device": 0, "frequency": mhz}) + "\n")
        self.save("data/%s.7.net.info" % MODEL, '{"batch": 1, "input_pic_num": 1}\n')
        lines = [json.dumps({"task": task["id"], "stream": task["stream"], "layers": [
            {"id": 100 + task["id"], "name": "fire%d" % task["id"], "type": "Conv%d" % (task["id"] % 3), "ori": ["f%d" % task["id"]]}]})
            for task in tasks]
        self.save("data/%s.7.layer.info" % MODEL, "\n".join(lines) + "\n")
        with open(self.truth, "w", encoding="utf-8") as f:
            json.dump([[task["id"], float(task["start"]), float(task["took"])] for task in tasks], f)

    def raw(self, unit, data):
        name = "data/%s.0.%s.7%s" % (unit, MODEL, "" if unit == "acl_api" else ".1.1.0")
        self.save(name, data)
        self.save(name + ".done", "filesize:%d\n" % len(data))

    def op_summary(self, tasks, ratios, has_bytes=True):
        path = os.path.join(self.job, "summary", "op_summary_0.%s.7.1.1.0.csv" % MODEL)
        with open(path, "w", encoding="utf-8", newline="") as f:
            out = csv.writer(f, lineterminator="\n")
            sizes = ["DDR Read(KB)", "DDR Write(KB)"] if has_bytes else []
            out.writerow(["Task ID", "Layer ID", "Layer Name", "Layer Type", "Ori Layer Name", "Time(us)", *("%s Ratio(%%)" % name for name in ratios), *sizes])
            for task in tasks:
                row = [task["id"], 100 + task["id"], "fire%d" % task["id"], "Conv%d" % (task["id"] % 3), "f%d" % task["id"], text(task["took"], 3)]
                row += [text(Fraction(task[name] * 100, task["cycles"]), 3) for name in ratios]
                out.writerow(row + ([text(Fraction(task["read"], 1000), 3), text(Fraction(task["write"], 1000), 3)] if has_bytes else []))

    def task_time(self, tasks, others=()):
        events = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Task Scheduler"}}]
        for kind, of in (("AI_CORE", tasks), ("AI_CPU", others)):
            events += [{"name": "fire%d" % task["id"], "ph": "X", "pid": 0, "tid": task["stream"], "ts": float(text(task["start"], 3)),
                        "dur": float(text(task["took"], 3)), "args": {"Task Type": kind, "Stream Id": task["stream"], "Task Id": task["id"]}}
                       for task in of]
        self.save("timeline/task_time_0.%s.7.1.json" % MODEL, json.dumps({"traceEvents": events}) + "\n")


def hostile(board):
    """160 bytes, big-endian, behind a header; the tasks are in no order of their numbers."""
    d, mhz = board.d, 650
    tasks = draw_tasks(d, 60, mhz)
    for task, number in zip(tasks, d.sample(range(60), 60)):
        task["id"] = number
        task["Vec Busy"] = task["Mac Busy"]  # two equal columns
        task["Dtrans"] = 0
    out = bytearray(struct.pack(">IIQ", 0xfeedc0de, len(tasks), 160) + bytes(17))
    for index, task in enumerate(tasks):
        start, end = task["start"] * mhz, task["start"] * mhz + task["cycles"]
        copy = task["Mac Ppen"] + 500 * (index == 30)  # differs in one record
        record = struct.pack(">HHIQQQQ", 0xbeef, task["stream"], task["id"], int(start) + 77, int(start), int(end) + 77, int(end))
        record += struct.pack(">IIIIIIIIII", copy, task["Mac Ppen"], task["Mac Busy"], task["Vec Busy"], task["Vec Ppen"], task["Dstr"],
                              0, task["DLD"], task["WLD"], index)
        record += struct.pack(">QQQ", task["read"], task["read"] + task["write"], task["write"])
        record += struct.pack(">IIQ", index * 1000, d.getrandbits(32), int(start) - 5) + d.getrandbits(8 * 32).to_bytes(32, "big")
        out += record.ljust(160, b"\xee")
    board.raw("aicore", bytes(out))
    board.common(mhz, tasks)
    board.op_summary(tasks, RATIOS)
    board.task_time(tasks)


def chip(board):
    """Stalls and latencies of an operation in 32 bits each; and 16-byte entries: time, kind 0 start, 1 end, 2 instant, 3 sample."""
    d, mhz = board.d, 800
    tasks, cpu = draw_tasks(d, 48, mhz), draw_tasks(d, 30, mhz, 200)
    out = bytearray()
    for task in tasks:
        # the kernel logs the start in ns: the cycles of an operation are a whole number of them here
        task["cycles"] -= task["cycles"] % 4
        task["took"] = Fraction(task["cycles"], mhz)
        out += struct.pack("<QII", int(task["start"] * 1000), task["id"], task["stream"])
        out += struct.pack("<10I", task["Dstr"], task["WLD"], task["DLD"], d.randrange(5000), 0, 0, 0, 0, 0, task["cycles"])
    board.raw("aicore", bytes(out))
    entries = []
    for task in cpu:
        begin = int(task["start"] * mhz)
        entries += [(begin, 0, task["id"], d.getrandbits(32)), (begin + task["cycles"], 1, task["id"], 0)]
        entries += [(begin + d.randrange(task["cycles"]), d.choice((2, 3)), d.randrange(14), d.getrandbits(32)) for _ in range(d.randrange(3))]
    board.raw("aicpu", b"".join(struct.pack("<QHHI", *entry) for entry in sorted(entries)))
    for task in cpu:
        task["start"] = Fraction(int(task["start"] * mhz), mhz)
        task["stream"] = 0
    for task in tasks:
        task["start"] = Fraction(int(task["start"] * 1000), 1000)
    board.common(mhz, [*tasks, *cpu])
    board.op_summary(tasks, ("Dstr", "DLD", "WLD"), False)
    board.task_time(tasks, cpu)


def lines(board):
    mhz = 700
    tasks = draw_tasks(board.d, 40, mhz)
    rows = [{"t": task["id"], "s": task["stream"], "from": int(task["start"] * 1000), "cycles": task["cycles"],
             "pmu": [task[name] for name in RATIOS], "rd": task["read"], "wr": task["write"]} for task in tasks]
    board.raw("aicore", "".join(json.dumps(row) + "\n" for row in rows).encode())
    board.common(mhz, tasks)
    board.op_summary(tasks, RATIOS)
    board.task_time(tasks)


def main():
    boards = {"hostile": hostile, "chip": chip, "lines": lines}
    parser = argparse.ArgumentParser(description="Write the job of an invented board.")
    parser.add_argument("board", choices=sorted(boards))
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    boards[options.board](Board(options.board, options.out))


if __name__ == "__main__":
    main()
