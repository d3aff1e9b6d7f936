"""promises.py MSPROF JOB PROF: what scripts and other programs may rely on, a line each; docs/STABILITY.md says for how long.

    option COMMAND --NAME      an option of a command
    view NAME COLUMN           a column of a view of the database that is made for users
    status N                   an exit status of the manual
"""
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


def columns(job):
    with sqlite3.connect(os.path.join(job, "sqlite", "msprof.db")) as db:
        for view in ("api_calls", "loss", "parts", "tasks"):
            for row in db.execute("SELECT name FROM pragma_table_info(?)", (view,)):
                yield f"view {view} {row[0]}"


lines = set()
for name in commands():
    lines.update(options(name))
for directory in JOBS:
    run("import", "-q", "-dir", directory)
    lines.update(columns(directory))
with open(os.path.join(os.path.dirname(__file__), "../../../docs/SCRIPTS.md"), encoding="utf-8") as f:
    for status in re.findall(r"^\| ([0-9, ]+) \| ", f.read().split("## Exit status")[1], re.M):
        lines.update(f"status {number}" for number in status.split(", "))
print("\n".join(sorted(lines)))
