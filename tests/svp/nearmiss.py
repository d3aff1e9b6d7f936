#!/usr/bin/env python3
"""nearmiss.py: jobs whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss.py MSPROF GENJOB [--seeds N] [--kind KIND] [--list] [--keep DIR]

Each kind changes good jobs of three chips the way another firmware, unit, order or chip would, and shows both. A job is noticed
when msprof ends with another status than 0; it is missed when the numbers differ and the status is 0. Prints a line for
each kind, and ends with 1 when a kind is missed more often than 1 in 1000.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from nearmiss_kinds import Job, KINDS


# ---- judging

def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30, check=False)


def made(genjob, top, soc, seed):
    rng = random.Random(seed)
    options = ["--models", str(rng.choice((1, 1, 2))), "--pictures", str(rng.choice((1, 3, 8))), "--tasks", str(rng.choice((6, 24, 60)))]
    done = run(genjob, "--out", top, "--soc", soc, "--seed", str(seed), *options)
    if done.returncode:
        sys.exit(done.stderr.decode())


def shown(msprof, top):
    """The status, and the numbers that are shown."""
    done = run(msprof, "show", "-q", "--format", "json", top)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    return done.returncode, document


def judge(args, name, seed, soc, work):
    """`work` is empty. A good job, and the same one after the change: of the same name, which is shown."""
    top, other = os.path.join(work, "JOB" + "A" * 29), os.path.join(work, "JOB" + "B" * 29)
    unchanged = os.path.join(work, "good", "JOB" + "A" * 29)
    made(args.genjob, top, soc, seed)
    made(args.genjob, other, soc, seed + 10000)
    shutil.copytree(top, unchanged)
    good_status, good = shown(args.msprof, unchanged)
    if good_status:
        return "false"
    rng = random.Random(f"{name} {seed}")
    if KINDS[name](Job(top, soc, rng, Job(other, soc, rng, None))) is False:
        return None
    status, document = shown(args.msprof, top)
    result = "noticed" if status else "equal" if document == good else "missed"
    if args.keep and result == "missed":
        shutil.copytree(top, os.path.join(args.keep, f"{name}-{soc}-{seed}"), dirs_exist_ok=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("msprof")
    parser.add_argument("genjob")
    parser.add_argument("--seeds", type=int, default=25)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    if args.list:
        print("\n".join(KINDS))
        return 0
    totals = {}
    for name in args.kind or KINDS:
        counts = {}
        for seed in range(args.first, args.first + args.seeds):
            for soc in ("ss928", "dv500", "cv610"):
                with tempfile.TemporaryDirectory(prefix="msprof-nearmiss.") as work:
                    result = judge(args, name, seed, soc, work)
                if result:
                    counts[result] = counts.get(result, 0) + 1
                    totals[result] = totals.get(result, 0) + 1
        print(f"{name:32}", " ".join(f"{k} {v}" for k, v in sorted(counts.items())), flush=True)
    jobs = sum(totals.values())
    print(f"{len(args.kind or KINDS)} kinds, {jobs} jobs:", ", ".join(f"{v} {k}" for k, v in sorted(totals.items())))
    return int(totals.get("missed", 0) * 1000 > jobs or totals.get("false", 0) > 0)


if __name__ == "__main__":
    sys.exit(main())
