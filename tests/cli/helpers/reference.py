"""reference.py MSPROF SHARED COMPAT: exports each recorded case and compares it with what the reference tools made of it.

SHARED is the folder of the reference data, with oracle/ and data/. COMPAT lists the differences that stay, one in a row:
| `prof CASE` | FILE or table | why |. A difference that is not listed, and a row without a difference, is a complaint on stderr.
The last lines on stdout are the numbers of what was compared.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

binary, shared, compat = (os.path.abspath(path) for path in sys.argv[1:4])
oracle = os.path.join(shared, "oracle")
KINDS = {"prof": "PROF directories of today", "job2022": "JOB directories of 2022"}
RANKS = ("level1/rank0", "level1/rank1", "level0/rank0")
# The last digit of SQLite's round() depends on the processor: one cell has that which x86 gave the reference.
OF_X86 = {("job2022", "seed9", "summary/op_summary_0_1.csv")}
complaints = 0


def complain(text):
    global complaints
    complaints += 1
    print(text, file=sys.stderr)


def listed():
    """The differences that COMPAT lists: (kind, case, file)."""
    found = set()
    with open(compat, encoding="utf-8") as f:
        for line in f:
            row = re.match(r"\| `(prof|job2022) (\w+)` \| `([^`]+)` \| .+ \|$", line)
            if row:
                found.add(row.groups())
    return found | (OF_X86 if os.environ.get("MSPROF_EMULATED") else set())


def run(script, *arguments):
    process = subprocess.run([sys.executable, os.path.join(oracle, script), *arguments], capture_output=True, text=True, timeout=900)
    if process.stderr:
        complain(f"{script} {arguments[0]}: {process.stderr.splitlines()[-1]}")
    return process.stdout.splitlines()


def compare(kind, work, excused):
    """Compares all recorded cases of a kind; prints how many of their files and tables are equal."""
    expected = os.path.join(work, "expected")
    with tarfile.open(os.path.join(shared, "data", "ascend-cases", kind + ".tar.xz")) as archive:
        archive.extractall(expected, filter="data")
    expected = os.path.join(expected, kind)
    differs, details, case, cases = set(), {}, None, 0
    lines = run("check.py", kind, binary, expected, os.path.join(work, "made"))
    for line in lines:
        head = re.match(r"(\w+): \d+ of \d+ equal$", line)
        row = re.match(r"    (table \w+|\S+\.(?:csv|json)|export \w+)[: ]", line)
        if head:
            case, cases = head.group(1), cases + 1
        elif row:
            key = (kind, case, row.group(1))
            differs.add(key)
            details.setdefault(key, line.strip())
    for key in sorted(differs - excused):
        complain(f"{key[0]} {key[1]}: {details[key][:300]}")
    for key in sorted(k for k in excused - differs if k[0] == kind):
        complain(f"{key[0]} {key[1]} {key[2]}: listed as a difference, and equal")
    total, equal = (int(number) for number in re.findall(r"\d+", lines[-1])[:2])
    print(f"{KINDS[kind]}: {cases} cases, {total} files and tables: {equal} equal, {total - equal} differ, {len(differs & excused)} of them listed")


def files_of(job, folder):
    """Compares what is made of a job with the tables of another run of it, where these are there."""
    if not os.path.exists(os.path.join(folder, "kernel_details.csv")):
        return []
    subprocess.run([binary, "analyze", "-dir", job], check=True, capture_output=True, timeout=900)
    return run(os.path.join(os.path.dirname(os.path.abspath(__file__)), "real_files.py"), job, folder)


def real(work):
    """Compares raw data that was rebuilt from databases of a real job with these databases, and with its tables."""
    asked = wrong = 0
    for rank in RANKS:
        source, folder = os.path.join(work, "profiler.db"), os.path.join(shared, "data", "real-910b", rank)
        shutil.copyfile(os.path.join(folder, "profiler.db"), source)
        lines = run("realcheck.py", binary, source, os.path.join(work, "real"))
        for line in lines + files_of(glob.glob(os.path.join(work, "real", "PROF_*"))[0], folder):
            asked += line.startswith(("ok ", "WRONG "))
            if line.startswith("WRONG "):
                wrong += 1
                complain(f"{rank}: {line}")
    print(f"a real job on 910B, {len(RANKS)} exports of its ranks: {asked} questions, {wrong} answered otherwise")


with tempfile.TemporaryDirectory(prefix="msprof_scratch_") as top:
    excused = listed()
    for kind in KINDS:
        compare(kind, os.path.join(top, kind), excused)
    real(top)
sys.exit(complaints > 0)
