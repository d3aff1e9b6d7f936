#!/usr/bin/env python3
"""growth.py DIR [PATTERN...]: how the work of each command grows when one dimension of a job doubles, as a table.

A job is made three times: of size N, 2N and 4N in one dimension. The work of a command is the number of blocks of instructions that
valgrind counts while it runs, which no other work on the machine changes. What does not grow falls out of
(work of 4N - work of 2N) / (work of 2N - work of N): 2 is linear, 4 quadratic. A factor above 2.5 fails. PATTERN chooses cells of the table,
as DIMENSION:COMMAND with * and ?. Jobs are made in DIR, msprof is that of $BUILD.
"""
import fnmatch
import itertools
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from growth_jobs import BUILD, DIMENSIONS

LIMIT = 2.5
FLAT = 0.1  # growth below this share of the work is none
PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)))


def arguments(command, job):
    words, made = command.split(), job + "." + command.replace(" ", "_")
    if words[0] in ("timeline", "summary", "stacks", "db", "pytorch"):
        words.insert(0, "export")
    if words[0] == "diff":
        return [*words, made, "-dir", job] if "--save" in words else [*words, job, job]
    if words[-1] == "--picture":
        words.append("0")
    return [*words, *(["-o", made] if words[0] in ("report", "aggregate") else []), "-dir", job]


def blocks(command, job):
    """The blocks of instructions that a command runs, on one processor: further threads begin where they are worth it."""
    valgrind = ["taskset", "-c", str(next(PROCESSORS)), "valgrind", "--tool=none", "--stats=yes"]
    done = subprocess.run([*valgrind, os.path.join(BUILD, "msprof"), *arguments(command, job), "-q"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, errors="replace", env={**os.environ, "TMPDIR": os.path.dirname(job)})
    count = re.search(r"scheduler: ([0-9,]+) event checks", done.stderr)
    if done.returncode not in (0, 3) or not count:
        sys.exit(f"msprof {command} on {job} ended with {done.returncode}: {done.stderr[-2000:]}")
    return int(count[1].replace(",", ""))


def factor(work):
    """None where the work does not grow."""
    first, second = work[1] - work[0], work[2] - work[1]
    return None if second < FLAT * work[2] else second / max(first, 1)


def measure(where, dimension, commands):
    """{command: the work of each of three sizes}"""
    size, make, _ = DIMENSIONS[dimension]
    work = {command: [] for command in commands}
    for times in (1, 2, 4):
        with tempfile.TemporaryDirectory(dir=where) as directory:
            job = os.path.join(directory, "JOBGROWS" if dimension.startswith("svp") else "PROF_000001_20231114221320000_GROWSGROWSGROWS")
            make(job, size * times)
            if "import" not in commands and not dimension.startswith("cluster"):
                subprocess.run([os.path.join(BUILD, "msprof"), "import", "-q", "-dir", job], check=False)
            for command in commands:
                work[command].append(blocks(command, job))
    return work


def tell(where, dimension, commands):
    """Prints the factors of a dimension, and returns those that are too high."""
    told = {c: factor(work) for c, work in measure(where, dimension, commands).items()}
    cells = ", ".join(f"{c} {'-' if f is None else format(f, '.2f')}" for c, f in told.items())
    print(f"{dimension} x {DIMENSIONS[dimension][0]}: {cells}", flush=True)
    return [f"{dimension}: {c} {f:.2f}" for c, f in told.items() if f is not None and f > LIMIT]


def main(where, *patterns):
    chosen = {dimension: [c for c in commands if any(fnmatch.fnmatch(f"{dimension}:{c}", p) for p in patterns or ("*",))]
              for dimension, (_, _, commands) in DIMENSIONS.items()}
    unknown = [p for p in patterns if not any(fnmatch.fnmatch(f"{d}:{c}", p) for d, commands in chosen.items() for c in commands)]
    if unknown:
        sys.exit(f"no cell is called {unknown}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(tell, where, dimension, commands) for dimension, commands in chosen.items() if commands]
        slow = [line for job in jobs for line in job.result()]
    if slow:
        sys.exit("more than twice the work for twice the size:\n" + "\n".join(slow))


if __name__ == "__main__":
    main(*sys.argv[1:])
