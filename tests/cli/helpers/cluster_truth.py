"""cluster_truth.py MSPROF TOP: what `msprof cluster --format json` finds, computed a second time from the databases, and what it says.

Prints a line of JSON: verdicts as {"late": ..., "link": ..., "lost": ..., "clock": ...}. Any number that differs ends it with a message.
"""
import glob
import json
import re
import sqlite3
import statistics
import subprocess
import sys

msprof, top = sys.argv[1:]
told = json.loads(subprocess.run([msprof, "cluster", "-q", "-dir", top, "--format", "json"], stdout=subprocess.PIPE, check=False).stdout)
ranks, meets, steps, means, ends, does = {}, {}, {}, {}, {}, {}
for path in sorted(glob.glob(top + "/PROF_*/sqlite/msprof.db")):
    db = sqlite3.connect(path)
    rank = json.loads(db.execute("SELECT text FROM control WHERE name = 'info.json' AND device_id IS NOT NULL").fetchone()[0])["rank_id"]
    offset = int(db.execute("SELECT value FROM meta WHERE key = 'wall_offset_ns'").fetchone()[0])
    ranks[rank] = path
    for n, (start, end) in enumerate(db.execute("SELECT start_ns, end_ns FROM comm_op ORDER BY start_ns")):
        meets.setdefault(n, {})[rank] = end - start
        ends.setdefault(n, {})[rank] = end + offset
    steps[rank] = [end - start for start, end in db.execute("SELECT start_ns, end_ns FROM step ORDER BY iteration")]
    held = [end - start for start, end in db.execute("SELECT start_ns, end_ns FROM comm_op ORDER BY start_ns")]  # one a step
    busy = [ns for ns, in db.execute("SELECT (SELECT sum(dur_ns) FROM task t WHERE is_op = 1 AND t.start_ns >= s.start_ns AND t.start_ns < s.end_ns) "
                                     "FROM step s ORDER BY iteration")]
    does[rank] = [(b, span - b - h) for b, h, span in zip(busy, held, steps[rank])]
    for name, mean in db.execute("SELECT n.name, avg(t.dur_ns) FROM task t JOIN name n ON n.hash = t.op_name WHERE t.is_op = 1 GROUP BY 1"):
        means.setdefault(name, {})[rank] = mean


def check(what, ours, theirs, near=0.0006):
    if theirs is None or abs(ours - float(theirs)) > near:
        sys.exit(f"{what}: {theirs}, and not {ours}")


def median(values):
    return statistics.median(values)


for row in told["ranks"]:
    check(f"step of {row['rank']}", statistics.mean(steps[row["rank"]]) / 1000, row["step_us"], 0.001)
    parts = sum(float(row[k]) for k in ("computing_us", "ai_cpu_us", "communication_not_overlapped_us", "free_us"))
    check(f"parts of {row['rank']}", parts, row["step_us"], 0.01)
    check(f"wait of {row['rank']}", statistics.mean(m[row["rank"]] - min(m.values()) for m in meets.values()) / 1000, row["wait_us"], 0.001)
votes = dict.fromkeys(ranks, 0)
for rank, mine in does.items():
    for n, (busy, free) in enumerate(mine):
        others = sorted(d[n][0] for d in does.values()), sorted(d[n][1] for d in does.values())
        own = max(0, busy - others[0][(len(ranks) - 1) // 2]) + max(0, free - others[1][(len(ranks) - 1) // 4])
        votes[rank] += own >= statistics.mean(steps[rank]) / 100
if {row["rank"]: row["votes"] for row in told["stragglers"] if row["votes"]} != {r: v for r, v in votes.items() if v}:
    sys.exit(f"votes: {told['stragglers']}, and not {votes}")
for row in told["operators"]:
    m = sorted(means[row["operator"]].values())
    for key, value in ("mean_us", statistics.mean(m)), ("min_us", m[0]), ("median_us", median(m)), ("max_us", m[-1]):
        check(f"{key} of {row['operator']}", value / 1000, row[key], 0.001)
apart = {rank: int(median([e[rank] - e[min(ranks)] for e in ends.values()])) for rank in ranks}
middle = sorted(apart.values())[(len(ranks) - 1) // 2] if len(ranks) > 2 else 0
for row in told["clocks"]:
    check(f"clock of {row['rank']}", (apart[row["rank"]] - middle) / 1000, row["offset_us"], 0.002)
notes = "\n".join(row["note"] for row in told["notes"])
late = [row["rank"] for row in told["stragglers"] if row["straggler"] == "yes"]
slow = [[row["from"], row["to"]] for row in told["links"] if row["slow"] == "yes"]
lost = [int(n) for n in re.findall(r"rank (\d+) is missing", notes)]
clock = [int(n) for n in re.findall(r"clock of rank (\d+)", notes)]
print(json.dumps({"late": late, "link": slow, "lost": lost, "clock": clock}))
