"""option_effects.py MSPROF JOB PROF TOP: prints each option that a command offers and that changes nothing: status, output and files stay.

JOB is of a board, PROF and TOP, a training, of cards; nothing has parsed them yet. The value of an option is one that must be refused, or that must
change the result. Options that change nothing in such a run, because it is whole, quiet and alone, are in NEEDS_A_STATE."""
import hashlib
import os
import re
import shutil
import subprocess
import sys

MSPROF = sys.argv[1]
OF = {"JOB": sys.argv[2], "PROF": sys.argv[3], "TOP": sys.argv[4]}
VALUES = {"--frequency": "33", "--family": "ascend910", "--layouts": "nosuch", "--table": "nosuch", "--top": "1", "--sort": "nosuch", "--by": "type",
          "--columns": "nosuch", "--picture": "99", "--model-id": "99", "--iteration-id": "99", "--iteration-count": "5", "--lang": "zh", "--style": "vendor",
          "--reports": "nosuch", "--device": "99", "--from": "900s", "--to": "1ns", "--rank": "99", "--hosts": "nosuch", "--model": "nosuch", "--output": "out",
          "--trace": "out.tar", "--sql": "SELECT 1", "--base": "nosuch", "--save": "out.json", "--fail-on": "note",
          "--junit": "out.xml", "--rule": "nosuch", "--format": None}  # the last one
NEEDS_A_STATE = {"--no-wait", "--strict", "--jobs", "--dir", "--collection-dir", "--help", "--clear", "--anyway", "--inconclusive", "--quiet", "--type",
                 "--fail-if"}
TABLES = {"query": "Jobs", "show": "AA Core Metrics", "check": "Files", "cluster": "Ranks"}


def options_of(command):
    """What the usage calls the directory, the last format, and of each option its last spelling and the word of its value, or None."""
    text = subprocess.run([MSPROF, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    usage = re.search(r"\[-dir\] ([A-Z_]+)", text)
    heads = re.findall(r"^  (-\S.*?)(?:  |$)", text.split("\nOptions:\n")[1], re.M)
    names = [re.findall(r"--[a-z][a-z-]*", head)[-1] for head in heads]
    formats = re.search(r"output format: [^(]*(json|perfetto)\s", text)
    values = [None if head.endswith(name) else head.split()[-1] for name, head in zip(names, heads)]
    return usage and usage.group(1), formats and formats.group(1), list(zip(names, values))


def tree(top):
    """The names of files and the sizes of texts; names have no times."""
    found = []
    for at, _, names in os.walk(top):
        for name in names:
            path = os.path.join(at, name)
            size = -1 if "/log" in at or name.endswith(("-wal", "-shm")) else os.path.getsize(path)
            found.append((re.sub(r"\d{14}", "T", os.path.relpath(path, top)), size))
    return sorted(found)


def outcome(command, source, words):
    if os.path.exists("work"):  # the same path for each run; those before go with the test
        os.rename("work", f"before{len(os.listdir())}")
    os.mkdir("work")
    shutil.copytree(source, "work/data", copy_function=os.link)
    sides = ["data", "data"] if command == "diff" else ["data"]
    done = subprocess.run([MSPROF, *command.split(), *sides, *words], cwd="work", capture_output=True, check=False)
    return done.returncode, done.stdout, re.sub(rb"\d{14}", b"T", done.stderr), tree("work")


def main(commands):
    for command in commands:
        kind, formats, options = options_of(command)
        if kind not in OF or command in ("publish", "learn", "export all"):  # which need more than data, or do what others do
            continue
        plain = {}
        for name, value in options:
            if name in NEEDS_A_STATE or (command, name) == ("query", "--top"):
                continue
            base = ["--format", "csv"] if name in ("--bom", "--empty-cells") else []
            base += ["--table", TABLES[command]] if base and command in TABLES else []
            words = [name] + ([VALUES[name] or formats] if value else [])
            if str(base) not in plain:
                plain[str(base)] = outcome(command, OF[kind], base)
            if plain[str(base)] == outcome(command, OF[kind], base + words):
                print(command, *words)


main(sys.argv[5:])
