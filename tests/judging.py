"""judging.py: what the near misses of all families share: make good data, change it, and see whether msprof notices."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30, check=False)


def checked(*words):
    done = run(*words)
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


def judge(args, name, seed, form, names, made, changed, work):
    """
    `work` is empty. "false": good data is doubted; None: the kind does not apply; else what happens to the change. The good
    data and the changed data have the same name, which is shown.
    """
    top, other = (os.path.join(work, n) for n in names)
    unchanged = os.path.join(work, "good", names[0])
    made(args.generator, top, form, seed)
    made(args.generator, other, form, seed + 10000)
    shutil.copytree(top, unchanged)
    good_status, good = shown(args.msprof, unchanged)
    if good_status:
        return "false"
    if changed(name, top, other, form, random.Random(f"{name} {seed}")) is False:
        return None
    status, document = shown(args.msprof, top)
    result = "noticed" if status else "equal" if document == good else "missed"
    if args.keep and result == "missed":
        shutil.copytree(top, os.path.join(args.keep, f"{name}-{form}-{seed}"), dirs_exist_ok=True)
    return result


def main(about, kinds, forms, names, made, changed, untold=()):
    """made(generator, directory, form, seed) makes good data; changed(kind, directory, another, form, random) changes it.
    Kinds that are `untold` are allowed by every rule: they are printed, and not counted."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("msprof")
    parser.add_argument("generator")
    parser.add_argument("--seeds", type=int, default=25)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    if args.list:
        print("\n".join(kinds))
        return 0
    totals = {}
    for name in args.kind or kinds:
        counts = {}
        for seed in range(args.first, args.first + args.seeds):
            for form in forms:
                with tempfile.TemporaryDirectory(prefix="msprof-nearmiss.") as work:
                    result = judge(args, name, seed, form, names, made, changed, work)
                if result:
                    counts[result] = counts.get(result, 0) + 1
                    if name not in untold or result == "false":
                        totals[result] = totals.get(result, 0) + 1
        print(f"{name:32}", " ".join(f"{k} {v}" for k, v in sorted(counts.items())), "(every rule allows it)" if name in untold else "", flush=True)
    jobs = sum(totals.values())
    print(f"{len(args.kind or kinds)} kinds, {jobs} jobs:", ", ".join(f"{v} {k}" for k, v in sorted(totals.items())))
    return int(totals.get("missed", 0) * 1000 > jobs or totals.get("false", 0) > 0)
