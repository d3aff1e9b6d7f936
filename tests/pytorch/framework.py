#!/usr/bin/env python3
"""framework.py PROF OUT [OPTION...]: makes FRAMEWORK/ and profiler_info_0.json in OUT, of a made-up program whose launches are those of PROF.

The bytes are written as torch_npu's public reader defines them. PROF is imported: the times of its launches come from its msprof.db.
"""

import argparse
import glob
import json
import os
import random
import re
import sqlite3
import struct

OPS = ("aten::mm", "aten::add_", "aten::empty", "npu::npu_fusion_attention", "aten::copy_", "autograd::engine::evaluate_function: MmBackward0", "GE::mix")


def field(tag, text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<HI", tag, len(data)) + data


class Program:
    """What the program did, as records in the order in which they were written."""

    def __init__(self, options, clock):
        self.o, self.clock, self.random = options, clock, random.Random(options.seed)
        self.ops, self.marks, self.memory, self.calls, self.hashes, self.gc = [], [], [], [], {}, []
        self.held, self.total, self.sequence = {}, 0, 0
        self.pid, self.main, self.queue, self.backward = options.pid, options.pid, options.pid + 100, options.pid + 200
        if options.same and not options.queue:
            self.main = options.same

    def ticks(self, ns):
        return self.clock["start"] + (ns - self.clock["raw"]) * self.clock["mhz"] // 1000

    def op(self, begin, end, name, tid, sequence=-1, forward=0):
        o, r = self.o, self.random
        data = struct.pack("<3q4QB?", self.ticks(begin), self.ticks(end), sequence, self.pid, tid, tid, forward, 0, False) + field(2, name)
        if o.shapes and r.random() < 0.8:
            data += field(3, "float;float;Scalar" if r.random() < 0.5 else "c10::Half") + field(4, r.choice(("64,128;128,32;", "", "1,2,3", "7;8")))
        if o.shapes and r.random() < 0.2:
            data += field(7, "1;0.5")
        if o.stack and r.random() < 0.7:
            data += field(8, ";".join(f"/home/u/train.py({r.randrange(200)}): step_{i}, \"q\"" for i in range(r.randrange(1, 4))))
        if o.stack and r.random() < 0.3:
            data += field(9, "Net;Layer.1")
        if o.flops and r.random() < 0.4:
            data += field(10, f"{r.randrange(10 ** 9)}")
        self.ops.append(struct.pack("<HI", 1, len(data)) + data)

    def mark(self, ns, category, corr, tid, name):
        data = struct.pack("<q4Q", self.ticks(ns), category, corr, tid, self.pid) + field(1, name)
        self.marks.append((ns, struct.pack("<HI", 2, len(data)) + data))

    def remember(self, ns, kind, ptr, size, tid, component=0, allocator=0, device=20):
        self.total += (size if kind == 0 else 0) - (size if kind == 1 else 0)
        data = struct.pack("<7q2b3B2Q", ptr, self.ticks(ns), size if kind == 0 else -size, self.total, self.total + (1 << 20), self.total + 4096,
                           140000 + tid, device, 0, component, kind, allocator, tid, self.pid)
        self.memory.append(struct.pack("<HI", 3, len(data)) + data)

    def python(self, ns, tag, name, tid):
        key = self.hashes.setdefault(name, 7000 + 13 * len(self.hashes))
        self.calls.append(struct.pack("<4QB", self.ticks(ns), tid, self.pid, key, tag))

    def allocate(self, ns, tid):
        r = self.random
        if self.held and r.random() < 0.5:
            ptr = r.choice(sorted(self.held))
            size = self.held.pop(ptr)
            for kind in r.choice(((1,), (1, 2), (2, 1), (2,))):
                self.remember(ns, kind, ptr, size, tid)
                ns += 10
        else:
            ptr = 4096 * r.randrange(1, 40)
            self.held[ptr] = size = 512 * r.randrange(1, 4000)
            self.remember(ns, 0, ptr, size, tid, int(r.random() < 0.1), int(r.random() < 0.1), r.choice((20, 20, 20, 0)))

    def nest(self, begin, end, tid, depth):
        """An operator, perhaps with others in it. Returns the range of the innermost one."""
        r = self.random
        name = r.choice(OPS)
        self.sequence += r.random() < 0.5
        inner = (begin, end)
        if depth and end - begin > 200 and r.random() < 0.7:
            if self.o.python:
                self.python(begin + 1, 0, r.choice(("nn/module.py(1): forward", "Linear######7", "Linear######8", "Conv######9", "f")), tid)
            cut = begin + (end - begin) // 3
            if r.random() < 0.5:
                self.nest(begin + 10, cut, tid, depth - 1)
            inner = self.nest(cut + 10, end - 10, tid, depth - 1)
            if self.o.python:
                self.python(end - 1, 1, "", tid)
        self.op(begin, end, name, tid, self.sequence if r.random() < 0.8 else -1)
        if self.o.memory and r.random() < 0.5:
            self.allocate(begin + 20, tid)
        return inner

    def launch(self, number, begin, end, call):
        """One or more operators before a launch, which the queue's thread makes."""
        r, o = self.random, self.o
        inner = self.nest(begin, end, self.main, 3)
        if o.threads and r.random() < 0.3:
            self.op(begin + (end - begin) // 2, end + (end - begin), OPS[5], self.backward, max(0, self.sequence - 1), self.main)
        if o.queue:
            at, name, tid = (inner[0] + inner[1]) // 2, f"aclnn{number % 5}", call[2] if o.same else self.queue + call[2] % 7
            self.mark(at, 0, number, self.main, name)
            self.mark(at + 20, 1, number, self.main, name)
            if r.random() < 0.97:
                self.mark(call[0] - 20, 2, number, tid, name)
                self.mark(call[0] + call[1] + 20, 3, number, tid, name)
                if o.memory and r.random() < 0.2:
                    self.allocate(call[0], tid)

    def run(self, calls):
        """The launches, divided into steps."""
        each = max(1, len(calls) // max(1, self.o.steps))
        ends = [c[0] - 1000 for c in calls]
        begins = [ends[0] - 100000] + ends[:-1]
        if self.o.python:
            self.python(begins[0], 1, "", self.main)
        for i, call in enumerate(calls):
            if begins[i] + 60 < ends[i]:
                self.launch(i, begins[i] + 15, ends[i] - 15, call)
            if self.o.steps and ((i + 1) % each == 0 or i + 1 == len(calls)) and i // each < self.o.steps + 1:
                first = i // each * each
                self.op(begins[first] + 5, ends[i] - 5, f"ProfilerStep#{3 + i // each}", self.main)
            if self.o.gc and i % 50 == 0:
                self.gc.append(struct.pack("<3Q", self.pid, self.ticks(begins[i]), self.ticks(begins[i] + 777)))
        if self.o.python:
            self.python(begins[-1], 0, "tail", self.main)
            self.python(ends[-1], 2, "<built-in x>", self.main)

    def write(self, out):
        files = {"torch.op_range": b"".join(self.ops), "torch.op_mark": b"".join(m for _, m in sorted(self.marks, key=lambda m: m[0])),
                 "torch.memory_usage": b"".join(self.memory), "torch.python_tracer_func": b"".join(self.calls), "torch.gc_record": b"".join(self.gc),
                 "torch.python_tracer_hash": b"".join(struct.pack("<HIQ", 4, 8 + len(field(1, n)), k) + field(1, n) for n, k in self.hashes.items())}
        os.makedirs(os.path.join(out, "FRAMEWORK"), exist_ok=True)
        for name, data in files.items():
            if data:
                with open(os.path.join(out, "FRAMEWORK", name), "wb") as f:
                    f.write(data)


def clock_of(prof):
    with open(os.path.join(prof, "host", "host_start.log"), encoding="utf-8") as f:
        log = f.read()
    with open(os.path.join(prof, "host", "info.json"), encoding="utf-8") as f:
        mhz = float(json.load(f)["CPU"][0]["Frequency"])
    return {"raw": int(re.search(r"clock_monotonic_raw:\s*(\d+)", log)[1]), "start": int(re.search(r"cntvct:\s*(\d+)", log)[1]), "mhz": int(mhz)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("prof")
    p.add_argument("out")
    p.add_argument("--steps", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--pid", type=int, default=4000)
    p.add_argument("--same", action="store_true", help="the process and the threads are those of the launches")
    p.add_argument("--level", default="Level1")
    p.add_argument("--type", default="text")
    for flag in ("queue", "shapes", "stack", "flops", "memory", "python", "threads", "gc", "l2", "simplify", "npu-only"):
        p.add_argument("--" + flag, action="store_true")
    o = p.parse_args()
    db = sqlite3.connect(glob.glob(os.path.join(o.prof, "sqlite", "msprof.db"))[0])
    calls = db.execute("SELECT start_ns, dur_ns, thread_id FROM api WHERE level = 10000 ORDER BY start_ns, connection_id").fetchall()
    if o.same:
        o.pid, o.same = int(db.execute("SELECT value FROM meta WHERE key = 'pid'").fetchone()[0]), calls[0][2]
    program = Program(o, clock_of(o.prof))
    if not o.npu_only:
        program.run(calls)
        program.write(o.out)
    info = {"config": {"common_config": {"with_stack": o.stack, "activities": ["ProfilerActivity.NPU"] + ["ProfilerActivity.CPU"] * (not o.npu_only)},
                       "experimental_config": {"_profiler_level": o.level, "_aic_metrics": "PipeUtilization", "_l2_cache": o.l2, "_sys_io": o.l2,
                                               "_sys_interconnection": o.l2, "_msprof_tx": False, "_op_attr": False,
                                               "_data_simplification": o.simplify, "_record_op_args": False, "_export_type": o.type.split(",")}},
            "start_info": {"syscnt_enable": True, "freq": 100.0, "start_cnt": 1, "start_monotonic": 1},
            "end_info": {"collectionTimeEnd": 1, "MonotonicTimeEnd": 1}, "torch_npu_version": "2.1", "cann_version": "8", "rank_id": 0}
    metadata = {"parallel_group_info": {"g:1": {"group_name": "tp", "global_ranks": [0, 1]}, "h,2": []}, "said \"so\": yes": 'a, "b": c\\', "share": 0.1,
                "on": True, "off": False, "none": None, "count": 3, "ENV_VARIABLES": {"HCCL_ALGO": "level0:NA;level1:H-D_R", "HCCL_RDMA_TC": ""}}
    for name, told in (("profiler_info_0", info), ("profiler_metadata", metadata)):
        with open(os.path.join(o.out, name + ".json"), "w", encoding="utf-8") as f:
            json.dump(told, f)


if __name__ == "__main__":
    main()
