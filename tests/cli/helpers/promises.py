"""promises.py MSPROF JOB PROF: what scripts and other programs may rely on, a line each; docs/STABILITY.md says for how long.

    option COMMAND --NAME      an option of a command, or of the form of Ascend servers ("options")
    value COMMAND --NAME WORD  a word that it accepts
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


def values(command):
    """The words in the heads of options, as in "--style guide|vendor", and the formats."""
    text = run("help", *command.split())
    for names, words in re.findall(r"^  (-[^ ]*(?:, -[^ ]*)*) ([a-z0-9-]+(?:\|[a-z0-9-]+)+)(?=  |$)", text, re.M):
        for word in words.split("|"):
            yield f"value {command} {names.split(', ')[-1]} {word}"
    for words in re.findall(r"output format: ([a-z0-9., ]+?) \(", " ".join(text.split())):
        for word in re.split(r", | or ", words):
            yield f"value {command} --format {word}"


def columns(job):
    with sqlite3.connect(os.path.join(job, "sqlite", "msprof.db")) as db:
        for view in ("api_calls", "loss", "parts", "tasks"):
            for row in db.execute("SELECT name FROM pragma_table_info(?)", (view,)):
                yield f"view {view} {row[0]}"


lines = set()
for name in commands():
    lines.update(options(name))
    lines.update(values(name))
lines.update(f"option options {name}" for name in re.findall(r"^  (--[a-z0-9-]+) ", run("help", "options"), re.M))
lines.update(values("options"))
for directory in JOBS:
    run("import", "-q", "-dir", directory)
    lines.update(columns(directory))
with open(os.path.join(os.path.dirname(__file__), "../../../docs/SCRIPTS.md"), encoding="utf-8") as f:
    for status in re.findall(r"^\| ([0-9, ]+) \| ", f.read().split("## Exit status")[1], re.M):
        lines.update(f"status {number}" for number in status.split(", "))
print("\n".join(sorted(lines)))
