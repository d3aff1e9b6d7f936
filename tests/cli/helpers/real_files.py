"""real_files.py JOB FILES: what an export of JOB says of a job, and what the tables FILES of another run of the same job say: equal but for times.

JOB has been exported (summary) and analyzed. Each line of the output is "ok WHAT" or "WRONG WHAT: ...". Rebuilt data has no data types,
formats or states of shapes, and groups have other names.
"""
import collections
import csv
import glob
import json
import os
import re
import sys

job, files = sys.argv[1:3]
NAMES = {"Name": "Op Name", "Type": "OP Type", "Accelerator Core": "Task Type", "Stream ID": "Stream ID", "Context ID": "Context ID", "Block Dim": "Block Num",
         "Mix Block Dim": "Mix Block Num", "Input Shapes": "Input Shapes", "Output Shapes": "Output Shapes"}
WORDS = {"HCCL": "COMMUNICATION"}


def same(what, theirs, ours):
    if theirs == ours:
        print("ok", what)
        return
    if isinstance(theirs, collections.Counter):
        theirs, ours = theirs - ours, ours - theirs
    print(f"WRONG {what}: the job {str(theirs)[:200]}, ours {str(ours)[:200]}")


def rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def made(name):
    return sorted(glob.glob(os.path.join(job, "mindstudio_profiler_output", name + "_[0-9]*.csv")))[-1]


def text(value):
    """Without blanks, and the digits of a group."""
    value = (value or "").strip()
    return re.sub(r"^(hcom_\w+)_\d{3}_(\d+_\d+)$", r"\1_\2", WORDS.get(value, value))


def loaded(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return json.load(f)


def moved(operations):
    """Of each operation: the kinds of links, how much each moved, and in how many pieces of which size."""
    return {text(key.split("@")[0]): {
        link: [round(values["Transit Size(MB)"], 6), sorted((size, n[0]) for size, n in values["Size Distribution"].items())]
        for link, values in operation["Communication Bandwidth Info"].items()} for key, operation in operations.items() if key != "Total Op Info"}


def linked(matrix):
    """Between which ranks what kind of link moved how much, all operations together."""
    sums = collections.Counter()
    for operation in matrix:
        for pair, values in operation.items():
            sums[pair, values["Transport Type"]] += values["Transit Size(MB)"]
    return {key: round(size, 4) for key, size in sums.items()}


theirs, ours = rows(os.path.join(files, "kernel_details.csv")), rows(made("op_summary"))
for theirs_title, ours_title in NAMES.items():
    same(theirs_title, collections.Counter(text(row[theirs_title]) for row in theirs), collections.Counter(text(row[ours_title]) for row in ours))
theirs, ours = rows(os.path.join(files, "op_statistic.csv")), rows(made("op_statistic"))
key = ("OP Type", "Core Type", "Count")
same("types of operators, and how many", *(collections.Counter(tuple(row[k] for k in key) for row in table) for table in (theirs, ours)))
theirs, ours = loaded(files, "communication.json"), loaded(os.path.join(job, "analyze"), "communication.json")
step = next(iter(theirs))
same("what collectives moved over which links", moved(theirs[step]["collective"]), moved({k: v for k, v in ours.items() if "hcom" in k}))
theirs, ours = loaded(files, "communication_matrix.json"), loaded(os.path.join(job, "analyze"), "communication_matrix.json")
theirs = (v for k, v in theirs[step]["collective"].items() if k.startswith("allreduce-total"))
same("what ranks moved to ranks", linked(theirs), linked(v for k, v in ours.items() if "hcom" in k))
