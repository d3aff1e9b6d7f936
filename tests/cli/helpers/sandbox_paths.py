#!/usr/bin/env python3
"""sandbox_paths.py MSPROF PLACE JOB PROF LEARN [all]: runs each command with each option that names a path, with the sandbox and without.

JOB, PROF and LEARN are directories of a board, of a card and of a board for learn. Below PLACE each run gets the same new tree, in which
job, inputs, outputs, temporary files and the current directory are all apart. Both runs must print the same, end alike and leave the same
files. Prints what differs; exit status 1 if anything does, or if an option of the help is not known here. An option that several commands
take has every other of its values with the first of them, and one with the others; with `all` all with each.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Values of options by their words in the help: those that name paths, and those that do not.
PATHS = {"DIR", "FILE", "PATH", "BASE"}
OTHERS = {"NAME", "N", "MHZ", "TIME", "COLUMN", "LIST", "FORMAT", "CONDITION", "URL", "NAME=VALUE", "S", "SELECT"}
# Before the sandbox: they read no job. publish needs a server.
OUTSIDE = {"acljson", "collect", "publish"}

JOBS = ["jobs/JOB", "../apart/jobs/JOB/", "jobs", "links/job", "links/none", "inputs/text", "none/deep"]
SIDES = ["jobs/JOB", "jobs", "database/msprof.db", "links/database", "inputs/text", "none"]
WRITTEN = ["outputs/file", "outputs", "outputs/none/file", "links/text", "inputs/text", "file", "../apart/outputs/file"]
VALUES = {
    "-dir": JOBS,
    "--model": ["inputs/text", "links/text", "inputs", "none"],
    "--layouts": ["layouts", "links/layouts", "inputs/text", "inputs/fifo", "none", "."],
    "--reports": ["inputs/reports.json", "links/reports", "inputs", "none"],
    "--from": ["tables", "tables/op_summary.csv", "../apart/tables/op_summary.csv",
               "links/table", "links/tables", "inputs/text", "inputs/fifo", "inputs", "none"],
    "--base": SIDES,
    "--save": WRITTEN,
    "--junit": WRITTEN,
    "--hosts": ["inputs/text", "links/text", "inputs/reports.json", "inputs/fifo", "inputs", "none"],
    "--trace": WRITTEN,
}
OUTPUT_DIR = ["outputs", "outputs/new/deep", "../apart/outputs/../outputs/new", "links/outputs", "links/none", "inputs/text", "inputs/text/deep", ".", "new"]


class Trees:
    def __init__(self, msprof, place, job, prof, learn):
        self.msprof, self.place = msprof, place
        self.whole, self.root = place + "/whole", place + "/apart"
        for name in ("jobs", "profs", "inputs", "outputs", "links", "here", "database", "temporary"):
            os.makedirs(os.path.join(self.whole, name))
        shutil.copytree(job, self.whole + "/jobs/JOB")
        shutil.copytree(job, self.whole + "/jobs/JOBTWO")
        shutil.copytree(prof, self.whole + "/profs/" + os.path.basename(prof))
        shutil.copytree(learn, self.whole + "/learn/JOB")
        os.rename(self.whole + "/learn/JOB/summary", self.whole + "/tables")
        (table,) = os.listdir(self.whole + "/tables")
        os.rename(self.whole + "/tables/" + table, self.whole + "/tables/op_summary.csv")
        shutil.copytree(os.path.dirname(os.path.abspath(__file__)) + "/../../../schema/records", self.whole + "/layouts")
        self.write("inputs/text", "a text\n")
        self.write("inputs/reports.json", '{"json_process":{"freq":false}}')
        os.mkfifo(self.whole + "/inputs/fifo")
        for name, to in (("job", "jobs/JOB"), ("text", "inputs/text"),
                         ("layouts", "layouts"), ("reports", "inputs/reports.json"),
                         ("table", "tables/op_summary.csv"), ("tables", "tables"), ("outputs", "outputs"),
                         ("database", "database/msprof.db"), ("none", "nowhere")):
            os.symlink("../" + to, self.whole + "/links/" + name)
        listed = re.findall(r"^  ([a-z][a-z ]*?)  ", self.ask("help").partition("Commands:")[2].partition("\n\n")[0], re.M)
        self.commands = [line for line in listed if line not in OUTSIDE and not line.startswith("help")]
        subprocess.run([msprof, "import", "-q", "-dir", self.whole + "/jobs/JOBTWO"], check=True)
        os.rename(self.whole + "/jobs/JOBTWO/sqlite/msprof.db", self.whole + "/database/msprof.db")

    def write(self, name, text):
        with open(os.path.join(self.whole, name), "w", encoding="ascii") as f:
            f.write(text)

    def ask(self, *words):
        return subprocess.run([self.msprof, *words], capture_output=True, text=True, check=True).stdout

    def options(self, command):
        """The first name of each option that takes a path, and the word of its value."""
        found = []
        for names, value in re.findall(r"^  (-\S+(?:, -\S+)*)(?: (\S+))?(?:  |$)", self.ask(*command.split(), "--help").partition("Options:")[2], re.M):
            if value in PATHS:
                found.append((names.split(", ")[-1] if "output" in names else names.split(", ")[0], value))
            elif value and value.isupper() and value not in OTHERS:
                sys.exit("%s %s: is '%s' a path?" % (command, names, value))
        return found

    def left(self):
        """The files of the tree; contents but for those that have times."""
        files = []
        for directory, below, names in os.walk(self.root):
            for name in sorted(below + names):
                path = os.path.join(directory, name)
                data = b""
                if os.path.isfile(path) and not os.path.islink(path) and not name.endswith((".db", ".log", ".kept")):
                    with open(path, "rb") as f:
                        data = f.read()
                files.append((path, os.lstat(path).st_mode, hashlib.sha256(data).hexdigest()))
        return sorted(files)

    def run(self, words, sandbox):
        """What comes of a command line in a new tree, in place of the last one."""
        if os.path.exists(self.root):
            with tempfile.TemporaryDirectory(dir=self.place) as gone:
                os.rename(self.root, gone + "/tree")
        subprocess.run(["cp", "-a", self.whole, self.root], check=True)
        done = subprocess.run([self.msprof, *words], cwd=self.root + "/here", capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=600,
                              env=os.environ | {"TMPDIR": self.root + "/temporary", "SQLITE_TMPDIR": self.root + "/temporary", "MSPROF_SANDBOX": sandbox})
        return done.returncode, done.stdout, sorted(done.stderr.splitlines()), self.left()


def arguments(command, option, value):
    """A command line with the option, or without one."""
    job = "profs" if command in ("cluster", "aggregate") else "learn/JOB" if command == "learn" else "jobs/JOB"
    words = command.split()
    if command == "diff" and option != "--save":
        words += ["jobs/JOB", value if option == "side" else "database/msprof.db", "--fail-if", "total > 5%"]
    elif option != "-dir":
        words += ["-dir", job]
    if command == "learn" and option != "--output":
        words += ["--output", "outputs/layouts"]
    if command == "learn" and option != "--from":
        words += ["--from", "tables/op_summary.csv"]
    words += [option, value] if option not in (None, "side") else []
    at = lambda word: "../" + word if "/" in word or word in ("jobs", "profs", "tables", "outputs", "inputs", "layouts", "none") else word
    return [*command.split(), *map(at, words[len(command.split()):])]


def cases(trees, whole):
    seen = set()
    for command in trees.commands:
        yield arguments(command, None, None)
        for option, value in trees.options(command) + ([("side", "")] if command == "diff" else []):
            if (command, option) == ("diff", "-dir"):
                continue
            values = SIDES if option == "side" else VALUES.get(option)
            if option == "--output":
                values = OUTPUT_DIR if value == "DIR" else WRITTEN
            if not values:
                sys.exit("%s %s: a path that is not known here" % (command, option))
            for path in values if whole else values[::2] if (option, value) not in seen else values[:1]:
                yield arguments(command, option, path)
            seen.add((option, value))


def main():
    trees = Trees(*sys.argv[1:6])
    count = differ = 0
    for words in cases(trees, sys.argv[6:] == ["all"]):
        count += 1
        inside, outside = trees.run(words, "on"), trees.run(words, "off")
        for what, a, b in zip(("status", "output", "messages", "files"), inside, outside):
            if a != b:
                differ += 1
                a, b = (set(a) - set(b), set(b) - set(a)) if what == "files" else (a, b)
                print("%s: %s: %s and without the sandbox %s" % (" ".join(words), what, a, b))
    print("%d command lines, %d differ" % (count, differ))
    sys.exit(differ > 0)


main()
