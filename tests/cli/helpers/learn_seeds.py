#!/usr/bin/env python3
"""learn_seeds.py MSPROF FIRST COUNT [--force FEATURE]... [--keep DIR]: what learn learns of made-up boards, a line a seed.

A seed is reproduced when learn ends with exit status 0 and its layout gives the true counter of each record. Exit status 3 must come with
a word about what is missing; a layout that says `learned` and is wrong, or exit status 0 with a wrong counter, is WRONG. The exit status
is 0 when nothing is wrong, and at least 39 of 40 seeds are reproduced.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen"))
import learn  # noqa: E402 (of tests/gen)
import learn_judge  # noqa: E402


def run_learn(msprof, job, out):
    began = time.monotonic()
    done = subprocess.run([msprof, "learn", "-dir", job, "--output", out], capture_output=True, timeout=300, check=False)
    return done, time.monotonic() - began


def judge(msprof, seed, forced, top):
    """A word for how it ended, and a sentence."""
    job, board = learn.make(learn.Draw(seed, set(forced), False), top, 0)
    with open(os.path.join(top, "truth.json"), encoding="utf-8") as f:
        truth = json.load(f)
    done, seconds = run_learn(msprof, job, os.path.join(top, "out"))
    said = (done.stdout + done.stderr).decode(errors="replace")
    what = "%s %s %s %.2f s" % (truth["chip"], truth["rounding"], sorted(set(map(str, truth["scales"].values()))), seconds)
    path = os.path.join(top, "out", "learned.rec")
    if done.returncode not in (0, 1, 3):
        return "FAILED", "exit status %d: %s" % (done.returncode, said[-300:])
    if done.returncode == 1:
        return "nothing", said[-300:].strip()
    word, wrong, missing = learn_judge.differences(truth, job, path)
    if done.returncode == 0:
        wrong = wrong or learn_judge.exported(msprof, job, board, os.path.join(top, "out"), os.path.join(top, "exported"))
        if wrong or missing or word != "learned":
            return "WRONG", "; ".join([word, *wrong[:2], *missing])
        return "reproduced", what
    if word == "learned":
        return "WRONG", "exit status 3, and the layout says learned"
    return "in part", "%s: %d wrong, without %s" % (what, len(wrong), " ".join(missing))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("msprof")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--force", action="append", default=[])
    parser.add_argument("--keep", help="keep the jobs that are not reproduced in this directory")
    options = parser.parse_args()
    counts = collections.Counter()
    for seed in range(options.first, options.first + options.count):
        with tempfile.TemporaryDirectory() as top:
            word, sentence = judge(options.msprof, seed, options.force, top)
            if options.keep and word != "reproduced":
                subprocess.run(["cp", "-r", top, os.path.join(options.keep, str(seed))], check=True)
        counts[word] += 1
        print("%d %s %s" % (seed, word, sentence), flush=True)
    print("%d seeds: %d reproduced, %d in part, %d nothing, %d WRONG, %d FAILED"
          % (options.count, *(counts[word] for word in ("reproduced", "in part", "nothing", "WRONG", "FAILED"))))
    return 0 if not counts["WRONG"] + counts["FAILED"] and counts["reproduced"] * 40 >= options.count * 39 else 1


if __name__ == "__main__":
    sys.exit(main())
