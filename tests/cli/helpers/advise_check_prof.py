"""advise_check_prof.py DATABASE DOCUMENT: recomputes parts, idle time by reason and savings of a PROF directory from the rows of `task`."""
import json
import sqlite3
import sys

CONVERTS = ("TransData", "Cast", "Permute", "Reshape")
CUBE = ("MatMulV2", "BatchMatMul", "Conv2D")


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def main(path, document):
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    names = dict(db.execute("SELECT hash, name FROM name").fetchall())
    spans = []  # start, end, class, launch, row
    for t in db.execute("SELECT * FROM task WHERE is_op = 1 AND start_ns IS NOT NULL"):
        kind = names.get(t["op_type"])
        number = 3 if t["node_type"] == 1 else 0 if kind in CUBE else 2 if kind in CONVERTS else 1
        spans.append((t["start_ns"], t["start_ns"] + t["dur_ns"], number, t["launch_ns"], t))
    for c in db.execute("SELECT * FROM comm_op WHERE start_ns IS NOT NULL"):
        spans.append((c["start_ns"], c["end_ns"], 4, None, None))
    spans.sort(key=lambda s: s[:2])
    steps = db.execute("SELECT start_ns, end_ns FROM step ORDER BY end_ns").fetchall() or [(spans[0][0], max(s[1] for s in spans))]
    total = sum(e - b for b, e in steps)
    marks = sorted({x for s in spans for x in s[:2]} | {x for step in steps for x in step})
    alone, late = {}, 0
    for a, b in zip(marks, marks[1:]):
        if not any(x <= a and b <= y for x, y in steps):
            continue
        active = min((s[2] for s in spans if s[0] <= a and s[1] >= b), default=None)
        alone[active] = alone.get(active, 0) + b - a
        following = next((s for s in spans if s[0] >= b), None)
        gap_start = max([s[1] for s in spans if s[1] <= a] + [x for x, _ in steps if x <= a], default=a)
        if active is None and following and following[3] is not None and following[3] >= gap_start:
            late += b - a
    with open(document, encoding="utf-8") as f:
        job = json.load(f)["jobs"][0]
    table = next(s for s in job["overview"] if s["table"] == "Where the time went")
    titles = {"Computing: matrix": 0, "Computing: vector": 1, "Computing: data movement": 2, "AI CPU alone": 3,
              "Communication, not overlapped": 4, "Idle": None}
    got = {titles[row["Part"]]: row["Mean(us)"] for row in table["rows"] if row["Mean(us)"]}
    if set(got) != set(alone) or any(abs(got[k] - alone[k] / 1000 / len(steps)) > 0.0006 for k in got):
        fail("parts", got, {k: v / 1000 / len(steps) for k, v in alone.items()})
    if sum(alone.values()) != total or table["steps"] != len(steps) or table["mean_ns"] != total // len(steps):
        fail("total", (sum(alone.values()), table["steps"], table["mean_ns"]), (total, len(steps), total // len(steps)))
    for f in job["findings"]:
        mine = [s[4] for s in spans if s[4] and names.get(s[4]["op_name"]) == f["subject"]]
        time = sum(t["dur_ns"] for t in mine) // len(steps)
        want = None
        if f["rule"] == "cube":
            want = time * max(0.8 - mine[0]["aic_pmu0"] / mine[0]["aic_cycles"], 0.95 - mine[0]["aic_pmu4"] / mine[0]["aic_cycles"])
        elif f["rule"] == "vector":
            want = time * (1 - (mine[0]["aiv_pmu0"] + mine[0]["aiv_pmu4"] + mine[0]["aiv_pmu5"]) / mine[0]["aiv_cycles"] / 0.9)
        elif f["rule"] == "blocks":
            cores = 24 if mine[0]["aic_cycles"] else 48
            want = time * (1 - mine[0]["block_num"] / (-(-mine[0]["block_num"] // cores) * cores))
        elif f["rule"] == "host_late":
            want = late // len(steps)
        elif f["rule"] == "communication":
            want = alone[4] // len(steps)
        elif f["rule"] == "prof_clock":
            want = sum((1850 - s[4]["frequency_mhz"]) * (s[4]["dur_ns"] // 1000) for s in spans if s[4]) * 1000 / 1850 / len(steps)
        elif f["rule"] == "prof_memory_calls":
            want = 30000000 // len(steps)
        elif f["rule"] == "prof_packets":
            want = 3 * 10000 // len(steps)
        elif f["rule"] == "idle":
            want = alone[None] // len(steps)
        elif f["rule"] in ("aicpu", "conversion"):
            mine = [s[4] for s in spans if s[2] == 2] if f["rule"] == "conversion" else mine
            want = sum(t["dur_ns"] for t in mine) // len(steps)
        elif f["rule"] == "prof_sync":
            want = min(300 * db.execute("SELECT count(*) FROM api WHERE type = 999").fetchone()[0], alone[None]) // len(steps)
        if want is not None and abs(f["saving_ns"] - want) > 2:  # cut to whole ns
            fail(f["rule"], f["saving_ns"], want)


main(*sys.argv[1:])
