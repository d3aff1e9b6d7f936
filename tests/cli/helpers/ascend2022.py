#!/usr/bin/env python3
"""ascend2022.py JOB [KEY=VALUE]...: a JOB directory of the 2022 generation, encoded from the published structures.

Tasks run one after the other on stream 3, task ids from 1, 100 us each and 10 us apart, from counter
24,000,000 on at 24 MHz. Keys: tasks, steps (iterations of model 1; 0: none), metrics, events, pmu, cycles, chip, block,
hash=1 (names are hashes with dictionaries), slices (each file with records enough is cut into that many), extra=1 (one record of each rarer file), calls,
dynamic=1 (each iteration has the same tasks, with operators of its own), samples=1 (of the cores, in place of counters of tasks),
version (of the collection)."""
import json
import os
import struct
import sys

GROUPS = {
    "ArithmeticUtilization": "0x49,0x4a,0x4b,0x4c,0x4d,0x4e,0x4f",
    "PipeUtilization": "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55",
    "Memory": "0x15,0x16,0x31,0x32,0xf,0x10,0x12,0x13",
    "MemoryL0": "0x1b,0x1c,0x21,0x22,0x27,0x28,0x29,0x2a",
    "ResourceConflictRatio": "0x64,0x65,0x66",
    "MemoryUB": "0x10,0x13,0x37,0x38,0x3d,0x3e,0x43,0x44",
}
MONO = 1_000_000_000_000
ORIGIN = 24_000_000


def main(job, *words):
    o = dict(w.split("=", 1) for w in words)
    tasks, steps = int(o.get("tasks", 6)), int(o.get("steps", 0))
    metrics = o.get("metrics", "PipeUtilization")
    events = o.get("events", GROUPS.get(metrics, ""))
    pmu = [int(v) for v in o["pmu"].split(",")] if "pmu" in o else [1000 * (i + 1) for i in range(8)]
    pmu = (pmu + [0] * 8)[:8]
    cycles, chip, block = int(o.get("cycles", 15000)), o.get("chip", "1"), int(o.get("block", 1))
    slices = int(o.get("slices", 1))
    mode = "sample-based" if o.get("samples") == "1" else "task-based"
    data = os.path.join(job, "data")
    os.makedirs(data)

    def control(name, text):
        with open(os.path.join(job, name), "w", encoding="ascii") as f:
            f.write(text)

    def stream(name, records):
        whole = b"".join(records)
        parts = slices if len(records) >= 2 * slices else 1  # real records lie across two slices at most
        for k in range(parts):
            part = whole[len(whole) * k // parts:len(whole) * (k + 1) // parts]
            path = os.path.join(data, "%s.slice_%d" % (name, k))
            with open(path, "wb") as f:
                f.write(part)
            with open(path + ".done", "w", encoding="ascii") as f:
                f.write("filesize:%d" % len(part))

    names = {}

    def mixed(text, size):
        if o.get("hash") != "1":
            return struct.pack("<B7x%ds" % size, 1, text.encode())
        number = 0x8000000000000000 + sum(ord(c) * 131 ** i for i, c in enumerate(text)) % 2 ** 62
        names[number] = text
        return struct.pack("<B7xQ%dx" % (size - 8), 0, number)

    control("info.json.0", json.dumps({
        "jobInfo": "made", "version": o.get("version", "1.0"), "platform_version": chip, "DeviceInfo": [{
            "id": 0, "hwts_frequency": "24", "aic_frequency": "300", "ai_core_num": 1}]}))
    control("sample.json", json.dumps({
        "ai_core_profiling_mode": mode, "ai_core_metrics": metrics, "ai_core_profiling_events": events,
        "aiv_profiling_mode": mode, "aiv_profiling_events": "0x15"}))
    for which, text in (("start", "Begin"), ("end", "End")):
        control(which + "_info.0", json.dumps({"collectionDate" + text: "2025-01-01 00:00:00.000000"}) + "\n")
    control("host_start.log.0", "[Device0]\nclock_realtime: 1735689600000000000\nclock_monotonic_raw: %d\ncntvct: 5\n" % MONO)
    control("dev_start.log.0", "clock_realtime: 1735689600000000000\nclock_monotonic_raw: 77\ncntvct: %d\n" % ORIGIN)

    hwts, aicore, desc, tensor, track = [], [], [], [], []
    per_step = tasks // steps if steps else tasks
    for i in range(tasks):
        start, end = ORIGIN + 2640 * i, ORIGIN + 2640 * i + 2400
        dynamic = o.get("dynamic") == "1"
        task = i % per_step + 1 if dynamic else i + 1
        if steps and i % per_step == 0:
            track.append(struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, start - 5, i // per_step + 1, 1, 3, 1, 0, 0))
        for kind, at in ((0, start), (1, end)):
            hwts.append(struct.pack("<BBHHHQI44x", kind | (len(hwts) % 16) << 4, 0, 0x6bd3, 0, task, at, 3))
        aicore.append(struct.pack("<BBHHHII10Q8I", 5, 2, 0x6bd3, 0, task, 0, 0, cycles, 0, *pmu, 3, *[0] * 7))
        desc.append(struct.pack("<HHI", 0x5a5a, 23, 0) + mixed("net/Op_%d" % i, 120) + mixed("Type%d" % (i % 2), 56) +
                    struct.pack("<QQIIIIHHIIIII", i // per_step + 1 if dynamic else 0, MONO + i, i % 2, block, 1, 3, task, 0, 78, 0, 0, 0, 0))
        if steps:
            slots = [0, 1, 0, 8, 3, 0, 0, 0, 0, 0, 0] + [1, 2 | 4 << 8, 1, 64, 0, 0, 0, 0, 0, 0, 0]
            tensor.append(struct.pack("<HHIQIHHI55IQ", 0x5a5a, 24, 1, i // per_step + 1 if dynamic else 0, 3, task, 0, 2, *slots, *[0] * 33, MONO + i))
            if i % per_step == per_step - 1:
                track.append(struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, end + 5, i // per_step + 1, 1, 3, 1, 1, 0))
    calls = []
    for i in range(int(o.get("calls", 3))):
        begin = MONO + 1000 + 50000 * i
        calls.append(struct.pack("<HHIQQII64s4Q", 0x5a5a, 0, 2, begin, begin + 10000 + i, 77, 78,
                                 b"aclmdlExecute", 0, 0, 0, 0))
    stream("AclModule.acl_model.0", calls)
    stream("hwts.data.0", hwts)
    if mode == "sample-based":
        samples(stream, pmu, cycles)
    else:
        stream("aicore.data.0", aicore)
    stream("Framework.task_desc_info.0", desc)
    stream("Framework.model_load_info_1.0", [struct.pack("<HHI", 0x5a5a, 20, 1) + mixed("resnet", 120) +
                                             struct.pack("<QQ104x", MONO, MONO + 5)])
    if steps:
        stream("Framework.tensor_data_info.0", tensor)
        stream("ts_track.data.0", track)
    if o.get("extra") == "1":
        extras(stream, mixed, o.get("version"))
    if names:
        stream("Framework.hash_dic.0", [b"%d:%s\n" % (n, t.encode()) for n, t in names.items()])


def samples(stream, pmu, cycles):
    """Two samples of core 0, two of twice the cycles of core 1, one of vector core 5."""
    def sample(core, n, number):
        return struct.pack("<BBHHH8QQQBB6x", 1, 2, 96, 0, 0, *pmu, cycles * n, ORIGIN + 2400 * number, 8, core)

    stream("aicore.data.0", [sample(0, 1, 0), sample(1, 2, 0), sample(0, 1, 1), sample(1, 2, 1)])
    stream("aiVectorCore.data.0", [sample(5, 1, 0)])


def extras(stream, mixed, version):
    """One record of each of the rarer files."""
    stream("AclModule.acl_op.0", [struct.pack("<HHIQQII64s4Q", 0x5a5a, 0, 1, MONO - 100, MONO + 3, 77, 78, b"aclopExecute", 0, 0, 0, 0)])
    stream("Framework.model_time_info_1_5.0", [struct.pack("<HHI", 0x5a5a, 22, 1) + mixed("resnet", 120) +
                                               struct.pack("<II6Q64x", 5, 78, 10, 20, 30, 50, 60, 90)])
    stream("Framework.fusion_op_info_1.0", [struct.pack("<HHI", 0x5a5a, 21, 1) + mixed("conv_relu", 120) +
                                            struct.pack("<15Q", 1024, 2048, 512, 0, 3584, 2, 11, 12, *[0] * 6, 0)])
    stream("Framework.step_info.0", [struct.pack("<HHIIHHQQIB27x", 0x5a5a, 25, 1, 3, 4, 0, MONO, 1, 78, 0)])
    stream("Framework.id_map_info.0", [struct.pack("<HHIIIQH6x", 0x5a5a, 26, 7, 1, 9, MONO, 0)])
    stream("Framework.dynamic_op_execute.0", [struct.pack("<HHI7Q", 0x5a5a, 27, 78, 21, 22, MONO, MONO + 4000, 0, 0, 0)])
    stream("runtime.task_track.0", [struct.pack("<HHIQ32sHHHHQ", 0x5a5a, 41, 78, MONO, b"KERNEL_AICORE", 1, 0, 3, 0, 0)])
    stream("runtime.api.0", [struct.pack("<HHI3Q64s3I20HH106x", 0x5a5a, 40, 78, MONO, MONO + 1500, 64, name, 0, 3, 1,
                                         1, *[0] * 19, 1) for name in (b"KernelLaunch", b"KernelLaunch", b"MemCopySync")])
    stream("hwts.aiv_data.0", [struct.pack("<BBHHHQI44x", 0, 0, 0x6bd3, 0, 1, ORIGIN, 3)])
    stream("aiVectorCore.data.0", [struct.pack("<BBHHHII10Q8I", 5, 2, 0x6bd3, 0, 1, 0, 0, 900, 0, *range(8), 3, *[0] * 7)])
    stream("DATA_PREPROCESS.AICPU.0", [struct.pack("<HHHHQQQQQQQIIQQQQIIIHBBQ", 0x5a5a, 60, 3, 9, 1000, ORIGIN + 2400, 1100,
                                                   1300, 1350, 1400, ORIGIN + 4800, 78, 0, 1, 2, 3, 4, 0, 250, 900, 0, 0, 0, 0)])
    stream("DATA_PREPROCESS.AICPU_MODEL.0", [struct.pack("<HHIQQIHHQ24x", 0x5a5a, 61, 0, 5, 1, 1, 2, 0, 6)])
    stream("DATA_PREPROCESS.DP.0", [struct.pack("<HHIQ16s64sQQ2Q", 0x5a5a, 100, 0, 12345, b"Last queue", b"iterator", 3, 4, 0, 0)])
    stream("l2_cache.data.0", [struct.pack("<HHHH8Q", 0, 3, 1, 0, *range(8))])
    stream("ddr.data.0", [struct.pack("<5I", 1000 * i, 4096, i % 2, 0, 0xffffffff) for i in range(1, 5)])
    if version == "2.0":
        stream("hbm.data.0", [struct.pack("<IIIIQQ", 9, 9, i % 2, 0, 4096, 1000000 * i) for i in range(1, 5)])
        stream("llc.data.0", [struct.pack("<IIIIQ", 9, 64, i % 8, 0, 1000000 * i) for i in range(8)])
    else:
        stream("hbm.data.0", [struct.pack("<QQII", 1000 * i, 4096, i % 2, 0) for i in range(1, 5)])
        stream("llc.data.0", [struct.pack("<QQII", 1000 * i, 64, i % 8, 0) for i in range(8)])
    stream("pcie.data.0", [struct.pack("<Q22I", 1000, 0, *range(21))])
    stream("tscpu.data.0", [struct.pack("<II20QIIQQ14Q", 0xabababab, 0, *[0] * 20, 0, 0, 4096, 5, *range(14))])


main(*sys.argv[1:])
