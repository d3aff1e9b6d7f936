#!/usr/bin/env python3
"""board.py: runs `msprof collect --local` again and again, on a board on which each time something else goes wrong.

Usage: board.py commands|steps [OPTION]... BASE -- MSPROF [ARGUMENT]...

Each run begins in a fresh copy of the directory BASE: `home` is that of the board, `results` get the JOBs. All files that were in
home before must be there afterwards, with the same bytes, modes and, of acl.json, time; nothing of msprof may be left there, nothing
may run on, and no JOB of a run that counts may be lost. In a record of results, @TOP@ and @DEVICE@ stand for the copy; programs in `bin`
go before the system's; where there is `poor`, there are no others.
commands: each command that msprof sends to the board goes wrong in each way of board_sh.py
steps: msprof is killed at each step of the board's processes, and the step comes late (board.c)
Options:
  --inject FILE   the library made of board.c
  --only REGEX    only these commands ("list_jobs#1 fail"), or only steps whose number matches
  --every N       only each Nth step
  --lost REGEX    JOBs that need not be kept: those of warm-ups
  --status N      the exit status of a good run (0)
  --names FILE    append the names of the commands that were run
"""

import concurrent.futures
import getopt
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

MODES = ("fail", "empty", "garbage", "cut", "status", "slow")
OURS = re.compile(r"(^|/)\.msprof\.(lock|source|stats)$")
STATUSES = {0, 1, 3, 4, 5}


def contents(top):
    """path → what may not change"""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in folders + names:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            key = os.path.relpath(path, top)
            if os.path.islink(path):
                found[key] = (os.readlink(path),)
            elif os.path.isdir(path):
                found[key] = (info.st_mode,)
            else:
                with open(path, "rb") as file:
                    data = file.read()
                found[key] = (info.st_mode, info.st_size, hashlib.sha256(data).hexdigest())
                if name == "acl.json":
                    found[key] += (info.st_mtime_ns, info.st_uid)
    return found


class Run:
    """One run in a copy of its own."""

    def __init__(self, task, **more):
        with tempfile.TemporaryDirectory(dir=task.work) as top:
            subprocess.run(["cp", "-rp", task.base + "/.", top], check=True)
            self.before = contents(top + "/home")
            self.log, self.steps = top + "/log", top + "/steps"
            with open(self.steps, "wb") as file:
                file.write(bytes(64))
            path = top + "/poor" if os.path.isdir(top + "/poor") else top + "/bin:" + os.environ["PATH"]
            record = top + "/results/.msprof.collect"
            if os.path.exists(record):
                with open(record, "r+", encoding="utf-8") as file:
                    text = file.read().replace("@TOP@", top).replace("@DEVICE@", str(os.stat(top).st_dev))
                    file.seek(0)
                    file.write(text)
            env = dict(os.environ, HOME=top + "/home", PATH=path, LD_PRELOAD=task.inject, BOARD_LOG=self.log,
                       BOARD_LOCK=top + "/home/msprof/.msprof.lock", **more)
            if task.kind == "commands":
                env["BOARD_SHELL"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "board_sh.py")
            else:
                env["BOARD_STEPS"] = self.steps
            self.top = top
            self.outcome, self.errors = self.execute(task, env)
            self.runs_on = self.wait_for_end()
            with open(self.steps, "rb") as file:
                self.count = int.from_bytes(file.read(8), "little")
            self.sizes = self.read_log()
            self.after, self.results = contents(top + "/home"), contents(top + "/results")

    def execute(self, task, env):
        with open(self.top + "/err", "w+b") as err:
            child = subprocess.Popen(task.words, cwd=self.top, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
            try:
                outcome = child.wait(200)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                outcome = "hangs"
            err.seek(0)
            return outcome, err.read().decode(errors="replace").replace(self.top, "TOP")

    def processes(self):
        """the board's processes, but for zombies"""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if b"BOARD_LOG=" + self.log.encode() + b"\0" not in file.read():
                        continue
                with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                    if file.read().rpartition(")")[2].split()[0] != "Z":
                        yield int(pid)
            except (OSError, IndexError):
                continue

    def wait_for_end(self):
        """whether something still runs on the board after a long time; it is ended"""
        for _ in range(600):
            if not list(self.processes()):
                return False
            time.sleep(0.05)
        for pid in list(self.processes()):
            os.kill(pid, signal.SIGKILL)
        return True

    def read_log(self):
        """name and number of a command → the bytes that it wrote"""
        sizes = {}
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                for line in file:
                    if line.startswith("="):
                        key, size = line[1:].split()
                        sizes[key] = int(size)
        return sizes

    def problem(self, lost):
        """what is wrong; None: nothing"""
        made = {match[1] for match in map(re.compile(r"(?:^|/)made_(JOB\w+)$").search, self.after) if match}
        if self.outcome not in STATUSES | {-signal.SIGKILL}:
            return f"ended with {self.outcome}"
        if self.runs_on:
            return "something runs on"
        for path, was in self.before.items():
            if made.intersection(path.split("/")):
                continue  # to be fetched and removed
            if path not in self.after:
                return f"'{path}' is gone"
            if self.after[path] != was and not OURS.search(path):
                return f"'{path}' has changed"
        for path in self.after.keys() - self.before.keys():
            name = path.rsplit("/", 1)[-1]
            if ".msprof." in name and not OURS.search(path) or name in ("acl.json", "late"):
                return f"'{path}' is left"
            if ".JOB" in path or "JOBOLD" in path:
                return f"'{path}' was added"
        return self.lost_file([job for job in made if not (lost and re.search(lost, job))])

    def lost_file(self, made):
        """a file that a program wrote into a JOB must be there, or here"""
        sample = {path[len("msprof/app/sample/"):]: what[1:] for path, what in self.before.items()
                  if path.startswith("msprof/app/sample/") and len(what) == 3}
        for job in made:
            for path, what in sample.items():
                copies = [self.results.get(f"{job}/{path}"), self.results.get(f".{job}.part/{path}")]
                copies += [value for key, value in self.after.items() if key.endswith(f"/{job}/{path}")]
                if what not in [copy[1:] for copy in copies if copy]:
                    return f"'{path}' of {job} is lost"
        return None


class Task:
    def __init__(self, kind, options, base, words):
        self.kind, self.base, self.words = kind, os.path.abspath(base), words
        self.inject = os.path.abspath(options["--inject"])
        self.only = re.compile(options.get("--only", ""))
        self.every = int(options.get("--every", "1"))
        self.work = None

    def plan(self, good):
        """what to say of each run → its environment"""
        if self.kind == "steps":
            return {f"step {at}": {"BOARD_CUT": str(at)} for at in range(1, good.count + 1, self.every) if self.only.search(str(at))}
        return {f"{key} {mode}": {"BOARD_FAULT": key, "BOARD_MODE": mode, "BOARD_SIZE": str(size)}
                for key, size in good.sizes.items() for mode in MODES if self.only.search(f"{key} {mode}")}


def main():
    options, words = getopt.getopt(sys.argv[2:], "", ["inject=", "only=", "every=", "lost=", "status=", "names="])
    options, base, words = dict(options), words[0], words[2:]
    task = Task(sys.argv[1], options, base, words)
    failed, names = 0, set()
    with tempfile.TemporaryDirectory() as task.work, concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        good = Run(task)
        if good.outcome != int(options.get("--status", "0")) or good.problem(options.get("--lost")):
            sys.exit(f"without a fault: {good.outcome}: {good.problem(options.get('--lost'))}: {good.errors}")
        plan = task.plan(good)
        if not plan:
            sys.exit("nothing to do")
        for what, run in zip(plan, pool.map(lambda more: Run(task, **more), plan.values())):
            problem = run.problem(options.get("--lost"))
            if what.endswith(" slow") and run.outcome != good.outcome:
                problem = problem or f"ended with {run.outcome}"
            names |= {key.split("#")[0] for key in run.sizes}
            if problem:
                failed += 1
                if failed < 20:
                    print(f"{what}: {problem}: {run.errors[-600:]}")
    names |= {key.split("#")[0] for key in good.sizes}
    if "--names" in options:
        with open(options["--names"], "a", encoding="utf-8") as file:
            file.writelines(name + "\n" for name in sorted(names))
    print(f"# {' '.join(words[1:])}: {len(plan)} runs, {failed} failed", file=sys.stderr)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
