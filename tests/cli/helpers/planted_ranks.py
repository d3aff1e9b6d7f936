"""planted_ranks.py TOP SEED RANKS [FINDING...]: RANKS copies of the imported PROF directory TOP/base, as the ranks of one training.

Their databases are rewritten: ten steps of four operators and a collective operation each, whose ranks leave it together. FINDING is
straggler (8 % slower), link (half as fast), lost (a rank that is not there) or clock (3 to 40 ms apart). Prints what was planted as JSON.
Without a finding ranks differ by noise alone.
"""
import json
import os
import random
import shutil
import sqlite3
import sys

STEPS, OPERATORS = 10, 4


def rewrite(db, rank, ranks, begin, arrivals, leave, durs, offset, rates):
    text = db.execute("SELECT text FROM control WHERE name = 'info.json' AND device_id IS NOT NULL").fetchone()[0]
    info = json.loads(text)
    info["rank_id"] = rank
    db.execute("UPDATE control SET text = ? WHERE name = 'info.json'", (json.dumps(info),))
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE key = 'wall_offset_ns'", (offset,))
    db.execute("INSERT OR REPLACE INTO name VALUES (7001, 'hcom_allReduce_'), (7002, 'group_world')")
    tasks = [row for row, in db.execute("SELECT id FROM task ORDER BY id")][:STEPS * OPERATORS]
    db.execute(f"DELETE FROM task WHERE id NOT IN ({', '.join(map(str, tasks))})")
    before = begin
    for step in range(STEPS):
        now = before
        for n in range(OPERATORS):
            db.execute("UPDATE task SET start_ns = ?, dur_ns = ?, launch_ns = ?, op_name = kernel_name, node_type = 0, is_op = 1 WHERE id = ?",
                       (now, durs[step][n], now - 50000, tasks[step * OPERATORS + n]))
            now += durs[step][n]
        assert now == arrivals[step]
        db.execute("INSERT INTO comm_op(id, device_id, name, op_type, start_ns, end_ns, step_group, rank_size, on_aicpu) "
                   "VALUES (?, 0, ?, 7001, ?, ?, 7002, ?, 0)",
                   (step + 1, f"hcom_allReduce__002_{step}_1", now, leave[step], ranks))
        db.execute("INSERT INTO step(device_id, model_id, iteration, index_id, start_ns, end_ns) VALUES (0, 1, ?, ?, ?, ?)",
                   (step + 1, step + 1, before, leave[step]))
        before = leave[step]
    for other, rate in rates.items():
        row = db.execute("INSERT INTO hccl_info(transport_type, link_type, size, local_rank, remote_rank) VALUES (0, 1, ?, ?, ?)",
                         (2**26, rank, other)).lastrowid
        db.execute("INSERT INTO task(id, device_id, stream_id, task_id, start_ns, dur_ns, is_op) VALUES (?, 0, 10, ?, ?, ?, 0)",
                   (10**6 + other, other, arrivals[0], int(2**26 / rate)))
        db.execute("INSERT INTO comm_task(id, op_id, info_row) VALUES (?, 1, ?)", (10**6 + other, row))
    db.commit()


def main(top, seed, ranks, *planted):
    r, ranks = random.Random(f"{seed} {ranks} {planted}"), int(ranks)
    late = r.randrange(ranks) if "straggler" in planted else None
    pair = r.sample(range(ranks), 2) if "link" in planted else None
    lost = r.randrange(ranks) if "lost" in planted else None
    skewed = r.randrange(ranks) if "clock" in planted else None
    means = [r.randrange(200, 900) * 1000 for _ in range(OPERATORS)]
    begin = [10**12 + 10**7 + r.randrange(10**6) for _ in range(ranks)]  # of each rank's own clock
    durs = [[[int(m * r.gauss(1, 0.01) * (1.08 if k == late else 1)) for m in means] for _ in range(STEPS)] for k in range(ranks)]
    leave, arrivals, true = [[] for _ in range(ranks)], [[] for _ in range(ranks)], [0] * ranks
    for step in range(STEPS):
        for k in range(ranks):
            true[k] += sum(durs[k][step])
            arrivals[k].append(begin[k] + true[k])
        end = max(true) + r.randrange(100, 300) * 1000
        for k in range(ranks):
            true[k] = end + r.randrange(-2000, 2000)
            leave[k].append(begin[k] + true[k])
    for k in range(ranks):
        if k == lost:
            continue
        path = os.path.join(top, f"PROF_{k:04}")
        shutil.copytree(os.path.join(top, "base"), path, copy_function=shutil.copy2)
        rates = {o: (9 if pair == [k, o] else r.uniform(17, 19)) for o in range(ranks) if o != k}
        # the wall clocks of all ranks agree: the own clock of a rank began when it did
        offset = 10**12 - begin[k] + (r.choice([-1, 1]) * r.randrange(3, 40) * 10**6 if k == skewed else 0)
        rewrite(sqlite3.connect(os.path.join(path, "sqlite", "msprof.db")), k, ranks, begin[k], arrivals[k], leave[k], durs[k], offset, rates)
    print(json.dumps({"late": late, "link": pair, "lost": lost, "clock": skewed, "means": means}))


if __name__ == "__main__":
    main(*sys.argv[1:])
