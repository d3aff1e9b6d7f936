"""judging.py: what the near misses of all families share: make good data, change it, and see whether msprof notices.

A kind changes good data the way another firmware, unit, order, clock or chip would; both are shown. A change is noticed when msprof ends with another
status than 0; it is missed when the numbers differ and the status is 0. Prints a line for each kind, and the rates: of good data that was doubted, and
of changes that were missed. Ends with 1 when any good data is doubted, more than 1 change of 1000 is missed, or a kind that was asked for changes nothing.
"""

import argparse
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)


def checked(*words):
    done = run(*words)
    if done.returncode:
        sys.exit(done.stderr.decode())


def shown(msprof, top, all_tables):
    """The status, and the numbers that are shown; with all_tables those of the exported tables, too, by names without times."""
    done = run(msprof, "show", "-q", "--format", "json", top)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    tables = {}
    if all_tables and not done.returncode:
        run(msprof, "export", "summary", "-q", "-dir", top)
        for path in glob.glob(os.path.join(glob.escape(top), "*", "*.csv")):
            with open(path, "rb") as f:
                tables[re.sub(r"_[0-9]{14}", "", os.path.basename(path))] = f.read()
    return done.returncode, (document, tables)


class Good:
    """Good data of seeds, each made once below `base`, and what is shown of it."""

    def __init__(self, args, names, made, base):
        self.args, self.names, self.made, self.base, self.seen = args, names, made, base, {}

    def path(self, form, seed, which):
        """The data of the seed, or another's."""
        path = os.path.join(self.base, f"{form} {seed} {which}", self.names[which])
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path))
            self.made(self.args.generator, path, form, seed + 10000 * which)
        return path

    def shown(self, form, seed, all_tables):
        if (form, seed, all_tables) not in self.seen:
            copy = os.path.join(self.base, f"{form} {seed} {all_tables} shown", self.names[0])
            shutil.copytree(self.path(form, seed, 0), copy)
            self.seen[form, seed, all_tables] = shown(self.args.msprof, copy, all_tables)
        return self.seen[form, seed, all_tables]


def judge(good, name, seed, form, changed, work):
    """
    `work` is empty. "false": good data is doubted; None: the kind does not apply; else what happens to the change. The good
    data and the changed data have the same name, which is shown.
    """
    args, all_tables = good.args, name.startswith("samples_")
    status, right = good.shown(form, seed, all_tables)
    if status:
        return "false"
    top = os.path.join(work, good.names[0])
    shutil.copytree(good.path(form, seed, 0), top)
    if changed(name, top, good.path(form, seed, 1), form, random.Random(f"{name} {seed}")) is False:
        return None
    status, document = shown(args.msprof, top, all_tables)
    result = "noticed" if status else "equal" if document == right else "missed"
    if args.keep and result == "missed":
        shutil.copytree(top, os.path.join(args.keep, f"{name}-{form}-{seed}"), dirs_exist_ok=True)
    return result


def judge_good(args, count, forms, names, made):
    """How many of `count` good data of each form are doubted; names those."""
    doubted = 0
    for seed in range(args.first, args.first + count):
        for form in forms:
            with tempfile.TemporaryDirectory(prefix="msprof-nearmiss.") as work:
                top = os.path.join(work, names[0])
                made(args.generator, top, form, seed)
                done = run(args.msprof, "import", "-q", top)
                if done.returncode:
                    doubted += 1
                    print(f"good {form} {seed}:", done.stderr.decode().strip().splitlines()[-1:])
    return doubted


def judge_kinds(good, kinds, forms, changed, untold):
    """How many changes were noticed, equal and missed."""
    args, totals = good.args, {}
    for name in kinds if args.seeds else ():
        counts = {}
        for seed in range(args.first, args.first + args.seeds):
            for form in forms:
                with tempfile.TemporaryDirectory(prefix="msprof-nearmiss.") as work:
                    result = judge(good, name, seed, form, changed, work)
                if result:
                    counts[result] = counts.get(result, 0) + 1
                    if name not in untold or result == "false":
                        totals[result] = totals.get(result, 0) + 1
        if not counts and args.kind:
            sys.exit(f"{name} changes none of these jobs")
        print(f"{name:32}", " ".join(f"{k} {v}" for k, v in sorted(counts.items())), "(every rule allows it)" if name in untold else "", flush=True)
    return totals


def main(about, kinds, forms, names, made, changed, untold=()):
    """made(generator, directory, form, seed) makes good data; changed(kind, directory, another, form, random) changes it.
    Kinds that are `untold` are allowed by every rule: they are printed, and not counted."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("msprof")
    parser.add_argument("generator", nargs="?")
    parser.add_argument("--seeds", type=int, default=25)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--good", type=int, default=0)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    if args.list:
        print("\n".join(kinds))
        return 0
    doubted = judge_good(args, args.good, forms, names, made)
    if args.good:
        jobs = args.good * len(forms)
        print(f"good data: {jobs} jobs, {doubted} doubted ({100 * doubted / jobs:.2f} %)", flush=True)
    with tempfile.TemporaryDirectory(prefix="msprof-nearmiss.") as base:
        totals = judge_kinds(Good(args, names, made, base), args.kind or kinds, forms, changed, untold)
    jobs, missed, false = sum(totals.values()), totals.get("missed", 0), totals.get("false", 0)
    if jobs:
        print(f"{len(args.kind or kinds)} kinds, {jobs} changed jobs:", ", ".join(f"{v} {k}" for k, v in sorted(totals.items())),
              f"- missed {100 * missed / jobs:.2f} %, good ones doubted {100 * false / jobs:.2f} %")
    return int(missed * 1000 > jobs or false + doubted > 0)
