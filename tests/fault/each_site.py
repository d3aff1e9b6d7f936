#!/usr/bin/env python3
"""each_site.py: runs a command again and again; each time one call fails, from another place of the program.

Usage: each_site.py [OPTION]... CALLS BASE -- PROGRAM [ARGUMENT]...

CALLS are words of FAULT_CALLS (inject.c). Each run begins in a fresh copy of the directory BASE, whose name is BASE's, and has
an empty directory of temporary files. It fails if a run is killed, hangs, leaves something half done, ends without a word about a
failure, or says that all went well, and its outputs are not those of a good run.

A directory `home` in it is the home directory. Options:
  --inject FILE   the library made of inject.c
  --seen FILE     places that are done; they are left out, and what is done is added
  --depth N       how many callers tell a place from others (3)
  --errno NAME    the error (EIO)
  --status LIST   exit statuses that may be, separated by ',' (0,1,3)
  --stays REGEX   what may be left behind
  --other REGEX   outputs that may be others, or absent
  --spares NAME   a library in which no allocation fails
  --program NAME  the program whose calls fail (that of PROGRAM)
"""

import concurrent.futures
import getopt
import hashlib
import os
import re
import subprocess
import sys
import tempfile

UNFINISHED = re.compile(r"\.part|-journal$|-wal$|\.tmp$|\.msprof\.")
SAID = re.compile(r"^(msprof|msprof-publish|warning|error|\S+): ", re.M)


def contents(top):
    """path → hash of the bytes, of all files below top"""
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                data = os.readlink(path).encode()
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    data = b"" if name.endswith(".log") else file.read()  # a log has times
            else:
                continue
            found[os.path.relpath(path, top)] = hashlib.sha256(data).hexdigest()
    return found


class Run:
    """One run, in a copy of its own."""

    def __init__(self, task, at, sites=None):
        own = tempfile.TemporaryDirectory(dir=task.work)
        self.top = own.name
        copy, scratch = os.path.join(self.top, os.path.basename(task.base)), os.path.join(self.top, "scratch")
        subprocess.run(["cp", "-rp", task.base, copy], check=True)
        os.mkdir(scratch)
        env = dict(os.environ, TMPDIR=scratch, LD_PRELOAD=task.inject, FAULT_CALLS=task.calls, FAULT_AT=str(at),
                   FAULT_COUNT="1", FAULT_ERRNO=task.errno, FAULT_PROGRAM=task.program)
        if task.spares:
            env["FAULT_SPARES"] = task.spares
        if sites:
            env.update(FAULT_SITES=sites, FAULT_DEPTH=task.depth)
        if os.path.isdir(os.path.join(copy, "home")):
            env["HOME"] = os.path.join(copy, "home")
        self.outcome = "hangs"
        self.output = self.errors = b""
        with open(os.path.join(self.top, "out"), "wb") as out, open(os.path.join(self.top, "err"), "wb") as err:
            child = subprocess.Popen(task.words, cwd=copy, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            try:
                self.outcome = child.wait(120)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.output, self.errors = (self.read(name).replace(self.top.encode(), b"TOP") for name in ("out", "err"))
        self.files = contents(copy)
        self.left = sorted(contents(scratch))
        own.cleanup()

    def read(self, name):
        with open(os.path.join(self.top, name), "rb") as file:
            return file.read()


class Task:
    def __init__(self, options, calls, base, words):
        self.inject = os.path.abspath(options["--inject"])
        self.seen = options.get("--seen")
        self.depth = options.get("--depth", "3")
        self.errno = options.get("--errno", "EIO")
        self.statuses = set(map(int, options.get("--status", "0,1,3").split(",")))
        self.program = options.get("--program", os.path.basename(words[0]))
        self.stays = re.compile(options.get("--stays", r"\b\B"))
        self.other = re.compile(options.get("--other", r"\b\B"))
        self.spares = options.get("--spares")
        self.calls, self.base, self.words = calls, os.path.abspath(base), words
        self.work = None
        self.good = self.stable = None

    def places(self):
        """(number of the call, place) of the places that are not done yet; of two good runs the outputs that are equal are kept"""
        path = os.path.join(self.work, "sites")
        self.good, other = Run(self, 0, path), Run(self, 0)
        if self.good.outcome not in self.statuses:
            sys.exit(f"without a failure it ends with {self.good.outcome}: {self.good.errors.decode(errors='replace')}")
        self.stable = {name for name, data in self.good.files.items() if other.files.get(name) == data}
        if other.output != self.good.output:
            self.good.output = None
        done = set()
        if self.seen and os.path.exists(self.seen):
            with open(self.seen, encoding="ascii") as file:
                done = set(file.read().split())
        with open(path, encoding="ascii") as file:
            found = sorted((int(number), place) for number, place in map(str.split, file))
        return [entry for entry in found if entry[1] not in done]

    def problem(self, run):
        """what is wrong with a run; None: nothing"""
        if run.outcome not in self.statuses:
            return f"ended with {run.outcome}"
        stray = [name for name in run.files if UNFINISHED.search(name) and name not in self.good.files]
        stray = [name for name in stray if not self.stays.search(name)] + run.left
        if stray:
            return "left behind: " + ", ".join(stray)
        for name in self.stable & run.files.keys():
            if run.files[name] != self.good.files[name] and not self.other.search(name):
                return f"'{name}' is not that of a good run"
        if run.outcome != self.good.outcome:
            return None if SAID.search(run.errors.decode(errors="replace")) else "no message"
        if self.good.output is not None and run.output != self.good.output:
            return "says that it succeeded, with another output"
        missing = {name for name in self.stable - run.files.keys() if not self.other.search(name)}
        if missing and not run.errors:
            return "says that it succeeded, without " + ", ".join(sorted(missing))
        return None


def main():
    names = ["inject=", "seen=", "depth=", "errno=", "status=", "program=", "stays=", "other=", "spares="]
    options, words = getopt.getopt(sys.argv[1:], "", names)
    calls, base, *words = [word for i, word in enumerate(words) if word != "--" or i != 2]
    task = Task(dict(options), calls, base, words)
    failed = 0
    with tempfile.TemporaryDirectory() as task.work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        places = task.places()
        for (at, _), run in zip(places, pool.map(lambda place: Run(task, place[0]), places)):
            problem = task.problem(run)
            if problem:
                failed += 1
                if failed < 20:
                    print(f"{' '.join(words[1:])}: {calls.split(',')[0]} fails at call {at}: {problem}: {run.errors.decode(errors='replace')[-300:]}")
    if task.seen:
        with open(task.seen, "a", encoding="ascii") as file:
            file.writelines(place + "\n" for _, place in places)
    print(f"# {' '.join(words[1:])}: {len(places)} places of {calls.split(',')[0]}", file=sys.stderr)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
