"""planted_prof.py DATABASE SEED [FINDING...]: rewrites the tasks of a database of genprof, so that it has only these findings.

Without a finding it is clean. RULES has the findings, and the rules that they mean; steps and rare (fewer synchronises) are not findings.
"""
import random
import sqlite3
import sys

RULES = {"cube": {"cube"}, "vector": {"vector"}, "blocks": {"blocks"}, "aicpu": {"aicpu"}, "conversion": {"conversion"}, "tiny": {"tiny"},
         "idle": {"idle"}, "late": {"idle", "host_late"}, "clock": {"prof_clock"}, "communication": {"communication"}, "steps": set(),
         "memory": {"prof_memory_calls"}, "once": set(),
         "no_bound": {"no_bound"}, "sequence": {"sequence"}, "program": {"idle", "program_idle"}, "link": {"slow_link"},
         "packets": {"prof_packets"}, "sync": {"prof_sync"}, "rare": set()}
CORES = {"aic": 24, "aiv": 48}
POSITION = {"aic": {"mac": 0, "mte2": 4}, "aiv": {"vec": 0, "mte2": 4, "mte3": 5}}  # of genprof's counters


def main(path, seed, *planted):
    r = random.Random(f"{seed} {planted}")
    db = sqlite3.connect(path)
    types = [h for h, in db.execute("SELECT DISTINCT op_type FROM task WHERE is_op = 1 ORDER BY 1")]
    words = ["MatMulV2", "Add", "BatchMatMul", "ReduceSum", "Conv2D", "Gelu", "TransData"]
    for h, word in zip(types, words):
        db.execute("UPDATE name SET name = ? WHERE hash = ?", (word, h))
    positions = {(c, n): p for c, n, p in db.execute("SELECT core, name, min(position) FROM core_metric GROUP BY core, name")}
    for core, units in POSITION.items():
        for name, place in units.items():
            if positions[core, name] != place:
                sys.exit(f"{core} {name} is at {positions[core, name]}")
    now, tasks = 10**12 + 10**7, [i for i, in db.execute("SELECT id FROM task ORDER BY id")]
    odd = r.randrange(8, len(tasks) - 8)
    places = {p: odd + 2 * i if odd < len(tasks) // 2 else odd - 2 * i for i, p in enumerate(planted)}  # findings of one job lie apart
    ends = []
    for n, row in enumerate(tasks):
        cube, chosen = n % 3 != 1 and not ("sequence" in planted and n % 3 == 2), {p for p, at in places.items() if at == n}
        kind = r.choice([0, 2, 4] if cube else [1, 3, 5])
        dur = r.randrange(200, 900) * 1000
        ratio = {"mac": r.uniform(0.82, 0.95), "mte2": 0.4} if cube else {"vec": r.uniform(0.82, 0.9), "mte2": 0.2, "mte3": 0.2}
        blocks = CORES["aic" if cube else "aiv"] * r.randrange(1, 4)
        node, gap, early, mhz = (0 if cube else 2), 1000, 10**6, 1850
        if "cube" in planted and cube and n - places["cube"] in (0, 1):
            ratio, dur = {"mac": 0.3, "mte2": 0.5}, 900000
        if "vector" in planted and not cube and -2 < n - places["vector"] < 2:
            ratio, dur = {"vec": 0.3, "mte2": 0.2, "mte3": 0.1}, 900000
        if "no_bound" in chosen:
            ratio, dur = {"vec": 0.75, "mte2": 0.3, "mte3": 0.1}, 900000
            cube, kind, blocks = False, 1, CORES["aiv"]
        if "sequence" in planted and not cube:
            kind = 1 if n % 3 == 1 else 5
        if "blocks" in chosen:
            blocks, dur = CORES["aic" if cube else "aiv"] + 1, 900000
        if "aicpu" in chosen:
            node, dur = 1, 700000
        if "conversion" in chosen:
            kind, dur, ratio = 6, 900000, {}
        if "tiny" in planted and n % 2 and not chosen:
            dur, gap = 9000, 100
        if chosen & {"idle", "late", "program"}:
            gap = 6 * 10**6
            early = gap + 5000 if "idle" in chosen else gap // 2
        if "clock" in planted:
            mhz = r.randrange(1500, 1700)
        if "communication" in chosen:
            db.execute("INSERT INTO comm_op(id, device_id, name, start_ns, end_ns, on_aicpu) VALUES (1, 0, 'hcom_allReduce__000_0_1', ?, ?, 0)",
                       (now - 5000, now + 6 * 10**6))
            gap = 6 * 10**6
        start = now + gap
        cycles = dur * mhz // 1000
        values = {f"{c}_{x}": None for c in CORES for x in ["cycles"] + [f"pmu{i}" for i in range(10)]}
        if node != 1:
            core = "aic" if cube else "aiv"
            values[f"{core}_cycles"] = cycles
            for i in range(8):
                values[f"{core}_pmu{i}"] = 0
            for unit, share in ratio.items():
                values[f"{core}_pmu{POSITION[core][unit]}"] = int(cycles * share)
        db.execute(f"UPDATE task SET start_ns = ?, dur_ns = ?, launch_ns = ?, op_type = ?, op_name = kernel_name, block_num = ?, node_type = ?, is_op = 1, "
                   f"frequency_mhz = ?, {', '.join(f'{k} = ?' for k in values)} WHERE id = ?",
                   (start, dur, start - early, types[kind], blocks, node, mhz, *values.values(), row))
        db.execute("UPDATE task SET op_name = ? WHERE id = ?", (10**15 + n, row))
        db.execute("INSERT OR REPLACE INTO name VALUES (?, ?)", (10**15 + n, f"op{n}"))
        if "sequence" in planted:
            db.execute("UPDATE task SET stream_id = 3 WHERE id = ?", (row,))
        now = start + dur
        ends.append(now)
    if "memory" in planted or "once" in planted:  # once: before the first launch
        db.execute("UPDATE type_name SET name = 'aclrtMalloc' WHERE level = 20000 AND name = 'aclnnOp3'")
        places = "SELECT min(a.connection_id) AS id FROM api a JOIN type_name y USING (level, type) WHERE y.name = 'aclrtMalloc'"
        if "memory" in planted:
            db.execute("UPDATE api SET dur_ns = 30000000, start_ns = (SELECT launch_ns FROM task WHERE is_op = 1 ORDER BY launch_ns LIMIT 1 OFFSET 5) "
                       f"WHERE connection_id = ({places})")
        if "once" in planted:
            db.execute(f"UPDATE api SET dur_ns = 12000000, start_ns = (SELECT min(launch_ns) FROM task WHERE is_op = 1) - 12000001 "
                       f"WHERE connection_id = (SELECT min(a.connection_id) FROM api a JOIN type_name y USING (level, type) "
                       f"WHERE y.name = 'aclrtMalloc' AND a.connection_id > ({places}))")
    if "late" in planted:  # the thread was in the call when the gap began, and in another one before
        last, thread, begin = db.execute("SELECT connection_id, thread_id, start_ns FROM api ORDER BY connection_id DESC LIMIT 1").fetchone()
        db.execute("UPDATE api SET dur_ns = ?, level = 20000, type = 998 WHERE connection_id = ?", (now + 10**9 - begin, last))
        db.execute("INSERT INTO type_name(level, type, name) VALUES (20000, 998, 'aclrtSetDevice')")
        db.execute("UPDATE task SET thread_id = ?", (thread,))
    if "sync" in planted or "rare" in planted:
        db.execute("INSERT INTO type_name(level, type, name) VALUES (20000, 999, 'aclrtSynchronizeStream')")
        launches = db.execute("SELECT thread_id, start_ns FROM api WHERE level = 10000 ORDER BY start_ns").fetchall()
        share = 0.6 if "sync" in planted else 0.4
        for n, (thread, start) in enumerate(launches[:round(share * len(launches))]):
            db.execute("INSERT INTO api(connection_id, level, type, thread_id, start_ns, dur_ns) VALUES (?, 20000, 999, ?, ?, 300)",
                       (10**6 + n, thread, start - 400))
    if "packets" in planted:
        db.execute("INSERT INTO comm_op(id, device_id, name, start_ns, end_ns, on_aicpu) VALUES (3, 0, 'hcom_send__000_0_1', ?, ?, 0)", (now, now + 10**5))
        for n in range(10):
            db.execute("INSERT INTO task(id, device_id, stream_id, task_id, start_ns, dur_ns, is_op) VALUES (?, 0, 9, ?, ?, 10000, 0)",
                       (10**6 + n, n, now + n * 10000))
            small = n in (2, 5, 7)
            row = db.execute("INSERT INTO hccl_info(transport_type, size) VALUES (0, ?)", (2**20 if small else 2**25,)).lastrowid
            db.execute("INSERT INTO comm_task(id, op_id, info_row) VALUES (?, 3, ?)", (10**6 + n, row))
    if "link" in planted:
        slow = r.randrange(1, 8)
        db.execute("INSERT INTO comm_op(id, device_id, name, start_ns, end_ns, on_aicpu) VALUES (2, 0, 'hcom_allGather__000_1_1', ?, ?, 0)", (now, now + 10**5))
        for n in range(1, 8):
            ns = int(2**26 / (8 if n == slow else r.uniform(17, 19)))
            db.execute("INSERT INTO task(id, device_id, stream_id, task_id, start_ns, dur_ns, is_op) VALUES (?, 0, 10, ?, ?, ?, 0)",
                       (2 * 10**6 + n, n, now, ns))
            row = db.execute("INSERT INTO hccl_info(transport_type, size, local_rank, remote_rank) VALUES (0, ?, 0, ?)", (2**26, n)).lastrowid
            db.execute("INSERT INTO comm_task(id, op_id, info_row) VALUES (?, 2, ?)", (2 * 10**6 + n, row))
    if "steps" in planted:
        last = 10**12 + 10**7
        for i in range(4):
            end = ends[(i + 1) * len(ends) // 4 - 1]
            db.execute("INSERT INTO step(device_id, model_id, iteration, start_ns, end_ns) VALUES (0, 1, ?, ?, ?)", (i + 1, last, end))
            last = end
    db.commit()


if __name__ == "__main__":
    main(*sys.argv[1:])
