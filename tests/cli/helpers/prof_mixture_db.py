"""prof_mixture_db.py GENREC MSPROF SEED DIR: the tables of `export db` of a random mixture (prof_mixture.py), computed from its scene.

Texts are compared with the rows; STRING_IDS must hold the texts of all rows, and no others. Numbers that join tables are compared by
what they join: connections by the beginning of their call, tasks by their start.
"""
import glob
import sqlite3
import subprocess
import sys
from collections import Counter

from prof_mixture import GROUPS, NONE, PID, WALL, Directory, Scene

def ns(us):
    return (WALL + us) * 1000


def calls(s):
    return Counter((ns(begin), ns(end), level, PID << 32 | thread, name) for name, level, _, thread, begin, end, _ in s.calls)


def launching(s, t):
    """The call that a task is connected with: the node of its thread around its launch, else the outermost call."""
    around = [c for c in s.calls if c[3] == t["thread"] and c[4] <= t["at"] <= c[5]]
    nodes = [c for c in around if c[1] == 10000]
    return ns((nodes or [c for c in around if c[1] == 20000])[0][4])


def tasks(s):
    return Counter((ns(t["start"]), ns(t["start"] + t["dur"]), t["device"], launching(s, t), PID, t["host"], NONE, t["stream"], t["task"], NONE)
        for t in s.tasks)


def operators(s):
    """At level 0 an operator has a name alone."""
    rows = Counter()
    for t in s.tasks:
        if "op" not in t:
            continue
        said = (0, 0, *("N/A",) * 8, "", "N/A", "N/A")
        if s.level != "l0":
            shapes = '"{},3"'.format(t["shapes"][0]), '"{}"'.format(t["shapes"][1])
            said = (t["blocks"], 0, t["core"], t["type"], "ND", "FLOAT16", shapes[0], "FRACTAL_NZ", "DT_BF16", shapes[1], "",
                ("static", "dynamic")[t["aging"]], ("NO", "YES")[t["flag"]])
        rows[t["op"], ns(t["start"]), *said] += 1
    return rows


def collectives(s):
    """Operations with the span of their master steps, and the steps."""
    ops, steps, index = Counter(), Counter(), Counter()
    for c in s.comms:
        masters = [t for t, _, _, plane in c["steps"] if plane == 0]
        key = c["device"], c["group"]
        name, group = f"{c['item']}_{c['group'] % 1000:03d}_{index[key]}_1", s.names[c["group"] - 8 * 10**18 - 1]
        index[key] += 1
        ops[name, ns(min(t["start"] for t in masters)), ns(max(t["start"] + t["dur"] for t in masters)), ns(c["at"] + 2), group, 64, c["item"],
            c["device"], 2] += 1
        for t, _, item, plane in c["steps"]:
            steps[name, ns(t["start"]), s.names[item - 8 * 10**18 - 1], plane, group, 4096, 1 - plane] += 1
    return ops, steps


def words(s):
    """The texts that the rows above need; the names of counters are those of the rows of counters, which the caller compares."""
    ops, steps = collectives(s)
    found = {"release", "allocate"} | {c[4] for c in calls(s)} | {t[5] for t in tasks(s)}
    for row in operators(s):
        found.update(v for v in row if isinstance(v, str))
    for row in (*ops, *steps):
        found.update(v for v in row if isinstance(v, str))
    if operators(s):
        found.add("N/A")
    return found | ({"0", "N/A"} if ops else set())  # without an algorithm: the hash 0, which no dictionary has


def counted(s):
    """Some rows of counters: the cycles of each task with counters, and the ratio of the group of a cube core."""
    rows = Counter()
    title, places = GROUPS[s.metrics][1:]
    for t in s.tasks:
        if "cycles" in t:
            cube = t["kind"] == 0
            prefix = "" if s.chip == 7 else "aic_" if cube else "aiv_"  # a core of chip 7 has both units
            rows[ns(t["start"]), prefix + "total_cycles", float(t["cycles"])] += 1
            if cube:
                rows[ns(t["start"]), prefix + title, round(sum(t["pmu"][i] for i in places) / t["cycles"], 9)] += 1
    return rows


def found(s, path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = {name for name, in db.execute("SELECT name FROM sqlite_schema")}
    rows = lambda table, sql: Counter(db.execute(sql)) if table in tables else Counter()
    text = lambda column: f"(SELECT value FROM STRING_IDS WHERE id = {column})"
    start = "(SELECT startNs FROM TASK t WHERE t.globalTaskId = x.globalTaskId)"
    call = "(SELECT startNs FROM CANN_API a WHERE a.connectionId = x.connectionId)"
    infos = ", ".join(text(c) for c in ("taskType", "opType", "inputFormats", "inputDataTypes", "inputShapes", "outputFormats", "outputDataTypes",
        "outputShapes", "attrInfo", "opState", "hf32Eligible"))
    return dict(
        CANN_API=rows("CANN_API", f"SELECT startNs, endNs, type, globalTid, {text('name')} FROM CANN_API"),
        TASK=rows("TASK", f"SELECT startNs, endNs, deviceId, {call}, globalPid, {text('taskType')}, contextId, streamId, taskId, modelId FROM TASK x"),
        COMPUTE_TASK_INFO=rows("COMPUTE_TASK_INFO", f"SELECT {text('name')}, {start}, blockNum, mixBlockNum, {infos} FROM COMPUTE_TASK_INFO x"),
        COMMUNICATION_OP=rows("COMMUNICATION_OP", f"SELECT {text('opName')}, startNs, endNs, {call}, {text('groupName')}, count, {text('opType')},"
            " deviceId, rankSize FROM COMMUNICATION_OP x"),
        COMMUNICATION_TASK_INFO=rows("COMMUNICATION_TASK_INFO", f"SELECT {text('name')}, {start}, {text('taskType')}, planeId, {text('groupName')},"
            " size, isMaster FROM COMMUNICATION_TASK_INFO x"),
        TASK_PMU_INFO=rows("TASK_PMU_INFO", f"SELECT {start}, {text('name')}, round(value, 9) FROM TASK_PMU_INFO x"),
        STRING_IDS={v for v, in db.execute("SELECT value FROM STRING_IDS")})


def differences(s, path):
    ops, steps = collectives(s)
    want = dict(CANN_API=calls(s), TASK=tasks(s), COMPUTE_TASK_INFO=operators(s), COMMUNICATION_OP=ops, COMMUNICATION_TASK_INFO=steps)
    have = found(s, path)
    wrong = [f"{k}: missing {list(want[k] - have[k])[:2]}, too many {list(have[k] - want[k])[:2]}" for k in want if want[k] != have[k]]
    pmu, rows = have["TASK_PMU_INFO"], counted(s)
    if rows - pmu:
        wrong.append(f"TASK_PMU_INFO: missing {list(rows - pmu)[:2]}")
    names = {name for _, name, _ in pmu}
    if {at for at, _, _ in pmu} != {at for at, _, _ in rows} or len(pmu) != len(names) * len({at for at, _, _ in rows}):
        wrong.append("TASK_PMU_INFO: not each task with counters has a row of each name")
    texts = words(s) | names
    if have["STRING_IDS"] != texts:
        wrong.append(f"STRING_IDS: missing {texts - have['STRING_IDS']}, too many {have['STRING_IDS'] - texts}")
    return wrong


def main(genrec, msprof, seed, top):
    scene = Scene(int(seed))
    Directory(scene, genrec, top).write()
    subprocess.run([msprof, "export", "db", "-q", "-dir", top], check=True)
    wrong = differences(scene, glob.glob(f"{top}/msprof_*.db")[0])
    for line in wrong:
        print(f"seed {seed}, chip {scene.chip}, {scene.level}, {scene.metrics}, devices {scene.devices}: {line}", file=sys.stderr)
    print(seed, scene.chip, scene.level, len(scene.comms))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
