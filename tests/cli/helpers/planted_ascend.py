"""planted_ascend.py DIR FAMILY SEED [FINDING...]: a JOB directory of Ascend cards that has only these findings; without any it is clean.

FAMILY is ascend2022 or ascend910. RULES has the findings of each, and the rules that they mean. 20 iterations of some operators, of which two in a
row are never of vector cores; with a late host, one collection. Durations are noisy by 1 %, everything is drawn from the seed.
"""
import os
import random
import struct
import sys

import ascend2022_mix

COMMON = {"aicpu": {"aicpu"}, "conversion": {"conversion"}, "tiny": {"tiny"}, "sequence": {"sequence"}, "idle": {"idle"}, "first": {"first_slow"},
          "jitter": {"jitter"}, "communication": {"communication"}, "loss": {"loss"}}
RULES = {"ascend910": {**COMMON, "undescribed": set()},
         "ascend2022": {**COMMON, "cube": {"cube"}, "vector": {"vector"}, "no_bound": {"no_bound"}, "blocks": {"blocks"}, "memory": {"memory_calls"},
                        "late": {"idle", "host_late"}, "program": {"idle", "program_idle"}}}
STEPS, CORES, MHZ = 20, 8, ascend2022_mix.MHZ
UNITS = ["vec", "mac", "scalar", "mte1", "mte2", "mte3"]
MATRIX, VECTOR = ["MatMulV2", "Conv2D", "BatchMatMul"], ["Add", "Relu", "Softmax", "LayerNorm"]


class Op:
    def __init__(self, name, kind, us, **units):
        self.name, self.kind, self.us, self.units, self.gap_us = name, kind, us, units, 1
        self.blocks, self.on_cpu, self.described = CORES, False, True


def matrix(r, n):
    op = Op(f"net/mm{n}", r.choice(MATRIX), r.randrange(200, 900), mac=r.uniform(0.82, 0.95), mte2=0.5, vec=0.1)
    op.blocks = CORES * r.randrange(1, 4)
    return op


def vector(r, n):
    op = Op(f"net/vec{n}", r.choice(VECTOR), r.randrange(60, 300), vec=r.uniform(0.82, 0.9), mte2=0.3, mte3=0.2)
    op.blocks = CORES * r.randrange(1, 4)
    return op


def network(r, planted):
    ops = []
    for n in range(r.randrange(12, 18)):
        ops.append(matrix(r, n))
        if r.random() < 0.4:
            ops.append(vector(r, n))
    ops.append(matrix(r, 99))
    matrices = [o for o in ops if o.kind in MATRIX]
    at = r.randrange(2, len(ops) - 2)
    if "cube" in planted:
        bad = r.choice(matrices[:-2])
        bad.us, bad.units = 900, {"mac": r.uniform(0.2, 0.4), "mte2": r.uniform(0.4, 0.7)}
    if "vector" in planted:
        bad = vector(r, 50)
        bad.us, bad.units = 800, {"vec": 0.3, "mte2": 0.2, "mte3": 0.1}
        ops.insert(ops.index(matrices[1]), bad)
        ops.insert(ops.index(bad), matrix(r, 51))
    if "no_bound" in planted:  # busy enough for the rule vector, not for this one
        bad = vector(r, 60)
        bad.us, bad.units = 900, {"vec": 0.72, "mte2": 0.4, "mte3": 0.3}
        ops[:0] = [bad]
    if "blocks" in planted:
        bad = matrices[-2]
        bad.us, bad.blocks = 900, CORES + 1
    if "aicpu" in planted:
        ops.insert(at, Op("net/topk", "TopK", r.randrange(400, 900)))
        ops[at].on_cpu = True
    if "conversion" in planted:
        ops.insert(at, Op("net/trans", r.choice(["TransData", "Cast"]), r.randrange(500, 900), vec=0.9))
    if "tiny" in planted:
        ops[at:at] = [Op(f"net/tiny{i}", "Concat" if i % 2 else "Slice", r.randrange(6, 8), mte2=0.9) for i in range(r.randrange(40, 60))]
        for i in range(at, len(ops), 2):  # matrix operators between them: no sequence
            if ops[i].name.startswith("net/tiny"):
                ops[i] = Op(ops[i].name, "MatMulV2", 6, mac=0.9)
    if "sequence" in planted:
        for i in range(r.randrange(6, 9)):
            ops += [vector(r, 200 + i), vector(r, 300 + i), matrix(r, 400 + i)]
            ops[-3].kind, ops[-2].kind = "Add", "Softmax"
    if "idle" in planted:
        ops[at].gap_us = sum(o.us for o in ops) * r.uniform(0.3, 0.5)
    if "undescribed" in planted:
        ops[at].us, ops[at].described = 3000, False
    return ops


def timed(r, ops, planted):
    """(start, end, op) of each step, in ticks of 20 ns from 0; and the begin and end of the steps."""
    clock, steps, reduced_share = 1000, [], r.uniform(0.2, 0.4)
    late = {"late", "program"} & set(planted)
    for number in range(STEPS):
        slow = r.uniform(2, 4) if "first" in planted and number == 0 else r.uniform(1.3, 1.4) if "jitter" in planted and number in (5, 11, 17) else 1
        begin, tasks = clock, []
        for op in ops:
            ticks = max(1, round(op.us * slow * MHZ * r.gauss(1, 0.01)))
            tasks.append((clock, clock + ticks, op))
            clock += ticks + round(op.gap_us * MHZ)
        reduced = None
        if "communication" in planted:
            length = round((clock - begin) * reduced_share)
            reduced = (clock - 400, clock + length)
            clock += length + 100
        steps.append((begin - 7, clock + 3, tasks, reduced))
        clock += 500
        if late:
            clock += round((clock - begin) * 0.4)
    return steps


def file(top, name, data):
    os.makedirs(os.path.join(top, "data"), exist_ok=True)
    with open(os.path.join(top, "data", name), "wb") as f:
        f.write(data)
    with open(os.path.join(top, "data", name + ".done"), "w", encoding="ascii") as f:
        f.write(f"filesize:{len(data)}\n")


def make_2022(top, r, ops, steps, planted):
    origin, late = ascend2022_mix.ORIGIN, {"late", "program"} & set(planted)
    descriptions = [{"name": o.name, "type": o.kind, "kind": int(o.on_cpu), "block": o.blocks, "model": 1, "step": 0, "stream": 3, "task": n + 1}
                    for n, o in enumerate(ops)]
    tasks, launches, calls = [], [], []
    for number, (_, _, run, _) in enumerate(steps):
        for n, (start, end, op) in enumerate(run):
            known = descriptions[n]
            if late:
                known = dict(known, task=number * len(ops) + n + 1, name=f"{op.name}_{number}")
                launch = start - (20 if n == 0 and number else 200000)
                launches.append((known["task"], ascend2022_mix.ns(origin + launch)))
            cycles = (end - start) * ascend2022_mix.AIC_MHZ // MHZ
            tasks.append({"op": known, "model": 1, "step": 0 if late else number + 1, "start": origin + start, "end": origin + end, "cycles": cycles,
                          "pmu": [int(cycles * op.units.get(u, 0.05)) for u in UNITS] + [10, 1]})
    for number, (begin, end, _, _) in enumerate(steps):
        ns = ascend2022_mix.ns(origin + begin)
        calls.append({"type": 2, "name": "aclmdlExecute", "start": ns, "dur": 1000, "tid": 70})
        slow = "memory" in planted and number in (4, 9)
        calls.append({"type": 3, "name": "aclrtMalloc", "start": ns + 2000, "dur": 15 * 10 ** 6 if slow else 3000, "tid": 70})
    if "late" in planted:  # the thread is in a call until the launch
        for (_, end, _, _), (begin, _, _, _) in zip(steps, steps[1:]):
            first, last = ascend2022_mix.ns(origin + end), ascend2022_mix.ns(origin + begin)
            calls.append({"type": 3, "name": "aclrtSetDevice", "start": first - 10 ** 6, "dur": last - first + 10 ** 6, "tid": 70})
    job = {"devices": [0], "chip": 1, "metrics": "PipeUtilization", "cores": CORES, "of": {0: {
        "tasks": tasks, "ops": [t["op"] for t in tasks] if late else descriptions, "calls": calls,
        "steps": [] if late else [{"model": 1, "step": n + 1, "start": origin + s[0], "end": origin + s[1]} for n, s in enumerate(steps)]}}}
    job["models"] = job["steps"] = 1
    out, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
    ascend2022_mix.make(top, job)
    sys.stdout = out
    if launches:
        file(top, "runtime.api.0.slice_0", b"".join(
            struct.pack("<2HI3Q64s3I20HH106x", 0x5A5A, 40, 78, at, at + 50, 64, b"rtKernelLaunch", 0, 3, 1, task, 0, *[0] * 18, 0) for task, at in launches))
    if "communication" in planted and not late:  # a collection without iterations has no marks
        with open(os.path.join(top, "data", "ts_track.data.0.slice_0"), "rb") as f:
            track = f.read()
        for n, (_, _, _, (begin, end)) in enumerate(steps):
            for tag, at in ((10000, begin), (10001, end)):
                track += struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, origin + at, n + 1, 1, 3, 1, tag, 0)
        file(top, "ts_track.data.0.slice_0", track)
    if "loss" in planted:
        with open(os.path.join(top, "data", "hwts.data.0.slice_0"), "rb") as f:
            hwts = f.read()
        file(top, "hwts.data.0.slice_0", hwts[:640] + bytes([7]) * 128 + hwts[768:])


def make_910(top, steps, planted):
    """100 MHz: two ticks of ours are 40 ns, four of theirs."""
    events, points, cpu = [], [], []
    base = 10 ** 9
    for number, (begin, end, run, reduced) in enumerate(steps):
        if not number:  # points count as far as the log of tasks reaches
            events += [(base + 2 * begin - 200, 0, 9, 60000), (base + 2 * begin - 100, 1, 9, 60000)]
        points += [(base + 2 * begin, 1, 30000, 5)]
        for n, (start, stop, op) in enumerate(run):
            if op.on_cpu:
                cpu.append((base + 2 * start, base + 2 * stop))
                continue
            events += [(base + 2 * start, 0, 5, 30000 + n), (base + 2 * stop, 1, 5, 30000 + n)]
        if reduced:
            points += [(base + 2 * reduced[0], 3, 30001, 5), (base + 2 * reduced[1], 4, 30002, 5)]
        points += [(base + 2 * end, 255, 30003, 5)]
    last = base + 2 * steps[-1][1]
    events += [(last + 100, 0, 9, 60001), (last + 200, 1, 9, 60001)]
    hwts = b"".join(struct.pack("<BBHHHQI44x", kind | n % 16 << 4, 0, 0x6bd3, 0, task, at, stream) for n, (at, kind, stream, task) in enumerate(sorted(events)))
    if "loss" in planted:
        hwts = hwts[:640] + bytes([7]) * 128 + hwts[768:]
    file(top, "hwts.log.data.45.dev.profiler_default_tag.1.slice_0", hwts)
    file(top, "training_trace.46.dev.profiler_default_tag.1.slice_0", b"".join(
        struct.pack("<QHHQ", kind, task, stream, at) for at, kind, task, stream in points))
    described = [(n, op) for n, (_, _, op) in enumerate(steps[0][2]) if op.described and not op.on_cpu]
    file(top, "Framework.host.vm.task_desc_info.1.slice_0", "".join(f"{op.name} {op.blocks} {30000 + n} 5\n" for n, op in described).encode())
    file(top, "Framework.host.vm.graph_desc_info.1.slice_0", "".join(f"op_name:{op.name} op_type:{op.kind}\n" for _, op in described).encode())
    file(top, "Framework.host.vm.point.1.slice_0", b"1 net/first\n2 net/last\n3 net/AllReduce-op1\n4 net/AllReduce-op1\n")
    file(top, "DATA_PREPROCESS.dev.AICPU.1.slice_0", b"".join(
        b"Thread[ 1] process device[0]:aicpu[ 0] task end, tickDrvTopHalf=%d,tickDrvBottomHalf=%d, tickBeforeRun=%d,tickAfterRun=%d, "
        b"dispatchTime=100 us, totalTime=%d us.\0" % (a - 9, a - 5, a, b, (b - a) // 100) for a, b in cpu))
    with open(os.path.join(top, "host_start.log.1"), "w", encoding="ascii") as f:
        f.write("[Device0]\nclock_realtime: 1591183963784568740\nclock_monotonic_raw: 261003032627\n")


def main(top, family, seed, *planted):
    r = random.Random(f"{family} {seed} {planted}")
    ops = network(r, planted)
    steps = timed(r, ops, planted)
    if family == "ascend2022":
        make_2022(top, r, ops, steps, planted)
    else:
        make_910(top, steps, planted)


if __name__ == "__main__":
    main(*sys.argv[1:])
