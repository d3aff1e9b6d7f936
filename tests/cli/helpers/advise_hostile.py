"""advise_hostile.py MSPROF GENPROF FIRST LAST: asks for advice on damaged and made-up data, a job a seed: flipped bytes, cut files, hostile numbers and names.

No run may crash or print a control character; JSON must be JSON, with savings from 0 to the step. A report has all its data in one element."""
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import planted_ascend
import planted_prof
import planted_svp
import report_truth

NUMBERS = [0, 1, -1, 2**31, 2**32, 2**63 - 1, -2**63, 10**18, None, "text", 1.5, b"blob"]
NAMES = ["\x1b[31mred", "<script>alert(1)</script>", "two\nlines", "tab\t", "'; DROP TABLE task; --", "%s%n", "", "ü" * 3000, "\u202e", "a,b\"c"]
TABLES = {"svp": ["aicore_task", "aicpu_task", "api_call", "source", "op", "layer"],
          "prof": ["task", "api", "step", "comm_op", "hccl_info", "name", "setting", "type_name"],
          "ascend2022": ["task", "op", "step", "setting", "aicore_pmu", "runtime_api", "api_call", "all_reduce", "counter"],
          "ascend910": ["hwts_task", "hwts_op", "step_trace", "trace_point", "aicpu_events", "device"]}


def harm_files(job, r):
    files = [os.path.join(top, n) for top, _, names in os.walk(job) for n in names if "sqlite" not in top and not n.endswith(".done")]
    for _ in range(r.randrange(1, 4)):
        path = r.choice(files)
        with open(path, "rb") as f:
            data = bytearray(f.read())
        if r.random() < 0.2:
            data = data[:r.randrange(len(data) + 1)]
        for _ in range(r.randrange(1, 40)):
            if data:
                data[r.randrange(len(data))] = r.choice([0, 1, 127, 128, 255, r.randrange(256)])
        with open(path, "wb") as f:
            f.write(data)


def harm_database(path, family, r):
    db = sqlite3.connect(path)
    for _ in range(r.randrange(1, 6)):
        table = r.choice(TABLES[family])
        columns = db.execute(f"SELECT name, type FROM pragma_table_info('{table}') WHERE pk = 0").fetchall()
        name, kind = r.choice(columns)
        value = r.choice(NAMES) if kind == "TEXT" else r.choice(NUMBERS)
        some = r.choice(["1", "rowid % 7 = 1", "rowid = (SELECT min(rowid) FROM {})", "rowid = (SELECT max(rowid) FROM {})"]).format(table)
        try:
            if r.random() < 0.1:
                db.execute(f"DELETE FROM {table} WHERE {some}")
            elif r.random() < 0.2:
                db.execute(f"UPDATE {table} SET {name} = -{name} WHERE {some}")
            else:
                db.execute(f"UPDATE {table} SET {name} = ? WHERE {some}", (value,))
        except sqlite3.Error:
            pass  # tables without rowid, and values that the schema refuses
    db.commit()


def run(msprof, job, form):
    done = subprocess.run([msprof, "advise", "-q", "-dir", job, "--format", form], capture_output=True, check=False, timeout=300)
    if done.returncode not in (0, 1, 3) or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
        raise SystemExit(f"{job}: status {done.returncode}\n{done.stderr.decode(errors='replace')[-3000:]}")
    text = done.stdout.decode("utf-8")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text):
        raise SystemExit(f"{job}: a control character in {form}")
    return text, done.stderr.decode(errors="replace")


def report(msprof, job):
    page = job + ".html"
    done = subprocess.run([msprof, "report", "-q", "-dir", job, "-o", page], capture_output=True, check=False, timeout=300)
    if done.returncode not in (0, 1, 3) or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
        raise SystemExit(f"{job}: report: status {done.returncode}\n{done.stderr.decode(errors='replace')[-3000:]}")
    if done.returncode == 1:
        if os.path.exists(page) or not done.stderr:
            raise SystemExit(f"{job}: a report that failed left a file, or no word")
    elif report_truth.document(page)["schema"] != "msprof.report/1":
        raise SystemExit(f"{job}: not a report")


def check(msprof, job):
    report(msprof, job)
    run(msprof, job, "table")
    text, _ = run(msprof, job, "json")
    for advice in json.loads(text)["jobs"]:
        for f in advice.get("findings", []):
            if f["saving_ns"] is not None and not (0 <= f["saving_ns"] and (f["step_ns"] is None or f["saving_ns"] <= f["step_ns"])):
                raise SystemExit(f"{job}: {f['rule']} saves {f['saving_ns']} of {f['step_ns']}")


def one(msprof, base, place, seed):
    r = random.Random(seed)
    family = sorted(TABLES)[seed % 4]
    job = os.path.join(place, f"{'PROF_' if family == 'prof' else 'JOB'}{seed}")
    rules = {"svp": planted_svp.RULES, "prof": planted_prof.RULES, **planted_ascend.RULES}[family]
    planted = r.sample(sorted(set(rules) - {"loss"}), r.randrange(3))
    if family == "prof":
        shutil.copytree(base, job, copy_function=shutil.copy2)
        planted_prof.main(os.path.join(job, "sqlite", "msprof.db"), seed, *planted[:1])
    elif family == "svp":
        planted_svp.main(job, seed, *planted)
    else:
        planted_ascend.main(job, family, seed, *planted)
    if seed // 4 % 2:
        if os.path.exists(os.path.join(job, "sqlite")):
            os.rename(os.path.join(job, "sqlite"), os.path.join(place, "set_aside"))
        harm_files(job, r)
    else:
        subprocess.run([msprof, "import", "-q", "-dir", job], check=False, stderr=subprocess.DEVNULL)
        harm_database(os.path.join(job, "sqlite", "msprof.db"), family, r)
    check(msprof, job)


def main(msprof, genprof, first, last):
    with tempfile.TemporaryDirectory() as top:
        base = os.path.join(top, "PROF_base")
        subprocess.run([genprof, "--out", base, "--tasks", "60"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([msprof, "import", "-q", "-dir", base], check=True, stderr=subprocess.DEVNULL)
        for seed in range(int(first), int(last) + 1):
            with tempfile.TemporaryDirectory(dir=top) as place:
                one(msprof, base, place, seed)


if __name__ == "__main__":
    main(*sys.argv[1:])
