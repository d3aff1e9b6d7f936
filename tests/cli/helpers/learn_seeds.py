#!/usr/bin/env python3
"""learn_seeds.py: lets msprof learn the layouts of made-up boards, and judges what comes out.

Usage: learn_seeds.py MSPROF FIRST COUNT [--jobs N] [--truth] [--odd-clocks] [--keep DIR] [--force FEATURE]... [--avoid FEATURE]...

A line a seed: reproduced (exit 0, and every reference comes out of the learned layouts), in part (exit 3), nothing (exit 1),
WRONG (exit 0, and something differs), FAILED (another exit, or more than 60 seconds). The exit status is 1 if any is WRONG or
FAILED, or less than 95 % are reproduced. With --truth the layouts are not learned, but written from truth.json: this tests
the generator, the judge and the layout language.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import learn_exports
import learn_judge
import learn_layouts

GENERATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen", "learn.py")
TIMEOUT = 60


def run(*arguments):
    """Exit status and output; None after a timeout."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, (done.stdout + done.stderr).strip()


def last_line(text):
    return text.splitlines()[-1] if text else ""


def copy_raw(job, to):
    os.mkdir(to)
    shutil.copytree(os.path.join(job, "data"), os.path.join(to, "data"))
    for info in glob.glob(os.path.join(job, "info.json.*")):
        shutil.copy(info, to)


def compare_exports(options, truth, copy, layouts):
    """The first difference of what is exported in both styles, or None; and how many cells were compared."""
    cells = 0
    for style in learn_exports.STYLES:
        for what in ("summary", "timeline"):
            status, text = run(options.msprof, "export", what, "-dir", copy, "--layouts", layouts, "--style", style, "-q")
            if status not in (0, 3):
                return "export %s: %s: %s" % (what, status, last_line(text)), cells
        more, different, first = learn_exports.judge(truth, copy, style)
        cells += more
        if different:
            return "%d of %d exported cells differ, style %s: %s" % (different, more, style, first), cells
    return None, cells


def try_layouts(options, truth, job, layouts, place):
    """The first difference that the layouts make, or None; and how many exported cells were compared."""
    copy = os.path.join(place, "JOBCOPY")
    copy_raw(job, copy)
    status, text = run(options.msprof, "import", "-dir", copy, "--layouts", layouts)
    if status not in (0, 3):
        return "import: %s: %s" % (status, last_line(text)), 0
    try:
        differences = learn_judge.judge(truth, job, os.path.join(copy, "sqlite", "msprof.db"))
    except sqlite3.Error as error:
        return "the database: %s" % error, 0
    difference, cells = compare_exports(options, truth, copy, layouts)
    return differences[0] if differences else difference, cells


def judge_truth(options, truth, job, layouts, place):
    os.mkdir(layouts)
    learn_layouts.write_layouts(truth, layouts)
    difference, cells = try_layouts(options, truth, job, layouts, place)
    return ("WRONG", difference, cells) if difference else ("reproduced", "", cells)


def judge_learned(options, truth, job, layouts, place):
    status, text = run(options.msprof, "learn", "-dir", job, "--output", layouts, "-q")
    if status == 3:
        return "in part", last_line(text), 0
    if status == 1:
        return "nothing", last_line(text), 0
    if status is None or status:
        return "FAILED", "timeout" if status is None else "exit %d: %s" % (status, last_line(text)), 0
    difference, cells = try_layouts(options, truth, job, layouts, place)
    return ("WRONG", difference, cells) if difference else ("reproduced", "", cells)


def judge_seed(options, seed):
    with tempfile.TemporaryDirectory() as place:
        place = os.path.join(options.keep, str(seed)) if options.keep else place
        os.makedirs(place, exist_ok=True)
        words = [word for name in options.force for word in ("--force", name)] + [word for name in options.avoid for word in ("--avoid", name)]
        words += ["--odd-clocks"] * options.odd_clocks
        status, text = run(sys.executable, GENERATOR, "--seed", str(seed), "--out", place, *words)
        if status:
            return "FAILED", "the generator: " + last_line(text), 0, []
        with open(os.path.join(place, "truth.json"), encoding="utf-8") as f:
            truth = json.load(f)
        how = judge_truth if options.truth else judge_learned
        return *how(options, truth, os.path.join(place, truth["job"]), os.path.join(place, "layouts"), place), truth["features"]


def main():
    parser = argparse.ArgumentParser(description="Judge what msprof learns of made-up boards.")
    parser.add_argument("msprof")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--odd-clocks", action="store_true")
    parser.add_argument("--keep", help="a new directory for the jobs and layouts")
    parser.add_argument("--force", action="append", default=[])
    parser.add_argument("--avoid", action="append", default=[])
    options = parser.parse_args()
    options.msprof = os.path.abspath(options.msprof)
    seeds = range(options.first, options.first + options.count)
    sums, compared = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, (result, why, cells, features) in zip(seeds, pool.map(lambda seed: judge_seed(options, seed), seeds)):
            sums[result] += 1
            compared += cells
            print("%6d  %-10s  %s" % (seed, result, why if result == "reproduced" or not features else "%s  [%s]" % (why, " ".join(features))), flush=True)
    print("%d exported cells were compared" % compared)
    print("%d seeds: %s" % (options.count, ", ".join("%d %s" % (sums[word], word) for word in ("reproduced", "in part", "nothing", "WRONG", "FAILED"))))
    return 1 if sums["WRONG"] or sums["FAILED"] or 100 * sums["reproduced"] < 95 * options.count else 0


if __name__ == "__main__":
    sys.exit(main())
