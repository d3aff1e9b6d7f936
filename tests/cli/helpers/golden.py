"""golden.py MSPROF WORK write|compare DIR: the JSON documents of msprof, and those of a version in DIR; docs/STABILITY.md.

WORK has JOB, a job of a board; PROF, a directory of an Ascend card; top, ranks of a training; BOARD, a job whose layouts
are to be learned. `compare` prints what a document of DIR has and that of this msprof lacks: a member, its type, or its value where
the name has a unit, for a unit is in the values alone. Members and tables may be added.
"""
import json
import os
import re
import subprocess
import sys

MSPROF, WORK, TASK, GOLDEN = sys.argv[1:]
UNIT = re.compile(r"(_(ns|us|ms|s|bytes|kb|mhz)|\((us|ns|ms|KB|MB|MHz|GB/s|%)\))$")
TIMES = ("opened_s", "mtime_ns")  # of this moment


def run(*words):
    done = subprocess.run([MSPROF, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True, cwd=WORK)
    if done.returncode > 3:
        sys.exit(f"msprof {' '.join(words)}: {done.stderr}")
    return done.stdout


def documents():
    """The name of each document, and its text."""
    for family in ("JOB", "PROF"):
        for command in ("show", "query", "check", "advise"):
            more = ["--top", "3"] if command in ("show", "check") else []
            yield f"{command}.{family}", run(command, "-q", "-dir", family, "--format", "json", *more)
    run("diff", "-q", "--save", "baseline.json", "-dir", "JOB")
    with open(os.path.join(WORK, "baseline.json"), encoding="utf-8") as f:
        yield "baseline", f.read()
    yield "diff", run("diff", "-q", "JOB", "JOB", "--format", "json", "--fail-if", "total > 5%", "--top", "3")
    yield "rules", run("advise", "--list", "--format", "json")
    yield "cluster", run("cluster", "-q", "-dir", "top", "--format", "json")
    run("aggregate", "-q", "-dir", os.path.join("top", sorted(os.listdir(os.path.join(WORK, "top")))[0]), "-o", "aggregate.json")
    with open(os.path.join(WORK, "aggregate.json"), encoding="utf-8") as f:
        yield "aggregate", f.read()
    yield "learn", run("learn", "-q", "-dir", "BOARD", "--format", "json")


def kind(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def pairs(golden, now):
    """Items of two lists that are about the same: tables by name, those of a name in their order; others by place."""
    if not all(isinstance(item, dict) and "table" in item for item in golden + now):
        return zip(golden, now)
    left = list(now)
    return [(item, left.pop(next(i for i, other in enumerate(left) if other["table"] == item["table"])))
            for item in golden if any(other["table"] == item["table"] for other in left)]


def findings(golden, now):
    """Pairs of findings of a rule, and whether they are of the same subject: which operators are one finding may change."""
    for item in golden:
        mine = [other for other in now if other["rule"] == item["rule"]]
        same = [other for other in mine if other["subject"] == item["subject"]]
        yield from ((item, other, bool(same)) for other in (same or mine)[:1])


def lost(golden, now, at, key="", values=True):
    """What `now` lacks of `golden`, a line each; values: units, too."""
    if kind(golden) != kind(now):
        if golden is not None and now is not None:
            yield f"{at}: {kind(golden)}, now {kind(now)}"
    elif isinstance(golden, dict):
        for name, value in golden.items():
            if name in now:
                yield from lost(value, now[name], f"{at}.{name}", name, values)
            else:
                yield f"{at}.{name}: missing"
    elif isinstance(golden, list):
        if golden and not now:
            yield f"{at}[]: empty"
        names = {other.get("table") for other in now if isinstance(other, dict)}
        yield from (f"{at}[] {item['table']}: missing" for item in golden if isinstance(item, dict) and item.get("table", None) not in names)
        if at.endswith(".findings"):
            for value, other, is_same in findings(golden, now):
                yield from lost(value, other, f"{at}[]", key, is_same)
            return
        for value, other in pairs(golden, now):
            yield from lost(value, other, f"{at}[]", key, values)
    elif key == "schema" and golden != now:
        yield f"{at}: {golden}, now {now}"
    elif values and kind(golden) == "number" and UNIT.search(key) and key not in TIMES and golden != now:
        yield f"{at}: {golden}, now {now}"


for name, text in documents():
    path = os.path.join(GOLDEN, name + ".json")
    if TASK == "write":
        json.loads(text)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    else:
        with open(path, encoding="utf-8") as f:
            for line in sorted(set(lost(json.load(f), json.loads(text), name))):
                print(line)
