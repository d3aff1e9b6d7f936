"""promises.py MSPROF JOB PROF: what scripts and other programs may rely on, a line each; docs/STABILITY.md says for how long.

    option COMMAND --NAME      an option of a command
    json COMMAND PATH          a member of a JSON document; rows of tables have titles as keys, which tests/data/titles.txt holds
    view NAME COLUMN           a column of a view of the database that is made for users
    status N                   an exit status of the manual
"""
import json
import os
import re
import sqlite3
import subprocess
import sys

MSPROF, JOBS = sys.argv[1], sys.argv[2:]


def run(*words):
    return subprocess.run([MSPROF, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True).stdout


def commands():
    overview = run("help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"^  (\S+(?: \S+)?)  ", overview, re.M) if not name.startswith("help")]


def options(command):
    for line in run("__complete", *command.split(), "-").splitlines():
        if line.startswith("-"):
            yield f"option {command} {line.split(chr(9))[0]}"


def paths(value, at=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{at}.{key}"
            if key not in ("rows", "evidence", "facts"):
                yield from paths(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, at + "[]")


def documents(job):
    for command in ("show", "query", "check", "advise"):
        yield command, json.loads(run(command, "-q", "-dir", job, "--format", "json"))
    text = run("diff", "-q", job, job, "--format", "json", "--fail-if", "total > 5%")
    if text:  # the job has steps
        yield "diff", json.loads(text)
        run("diff", "-q", "--save", "baseline.json", "-dir", job)
        with open("baseline.json", encoding="utf-8") as f:
            yield "baseline", json.load(f)


def columns(job):
    with sqlite3.connect(os.path.join(job, "sqlite", "msprof.db")) as db:
        for view in ("api_calls", "loss", "parts", "tasks"):
            for row in db.execute("SELECT name FROM pragma_table_info(?)", (view,)):
                yield f"view {view} {row[0]}"


lines = set()
for name in commands():
    lines.update(options(name))
for directory in JOBS:
    for name, document in documents(directory):
        lines.update(f"json {name} {path}" for path in paths(document))
        if "schema" in document:
            lines.add(f"json {name} .schema={document['schema']}")
    lines.update(columns(directory))
with open(os.path.join(os.path.dirname(__file__), "../../../docs/SCRIPTS.md"), encoding="utf-8") as f:
    for status in re.findall(r"^\| ([0-9, ]+) \| ", f.read().split("## Exit status")[1], re.M):
        lines.update(f"status {number}" for number in status.split(", "))
print("\n".join(sorted(lines)))
