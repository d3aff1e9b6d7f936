"""advise_seeds.py MSPROF GENPROF SEEDS [FAMILY...]: plants each finding in SEEDS jobs of each family, alone and in pairs ("pair"), and none ("clean").

Prints "FAMILY FINDING: found N of SEEDS, false alarms N, wrong numbers N". A finding is found if its rules are in the advice; a job with any other rule
is a false alarm; notes (severity note) are neither. Numbers are wrong where advise_truth.py computes others. Ends with 1 if less than 99 of 100 are found,
more than 1 of 100 jobs has a false alarm, or a number is wrong.
"""
import contextlib
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile

import advise_truth
import planted_ascend
import planted_prof
import planted_svp

RULES = {"svp": planted_svp.RULES, **planted_ascend.RULES, "prof": planted_prof.RULES}
# these are about the same tasks, or the same time of the host
NOT_TOGETHER = [{"late", "program"}, {"idle", "late"}, {"idle", "program"}, {"tiny", "sequence"}, {"tiny", "vector"}, {"memory", "program"},
                {"bound", "counters"}]
COLLECTED = {"late", "program"}  # in ascend2022: one collection, in which every operator ran once, so that no operator has a large share
WITH_COLLECTED = {"aicpu", "memory"}


def may_pair(family, pair):
    """Whether both findings can be seen in one job."""
    if family == "ascend2022" and pair & COLLECTED:
        return bool(pair & WITH_COLLECTED)
    return pair not in NOT_TOGETHER


def advise(msprof, job):
    done = subprocess.run([msprof, "advise", "-q", "-dir", job, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{job}: {done.stderr}")
    return done.stdout


def plant(job, base, family, seed, planted):
    if family == "svp":
        planted_svp.main(job, seed, *planted)
    elif family == "prof":
        shutil.copytree(base, job, copy_function=shutil.copy2)
        planted_prof.main(os.path.join(job, "sqlite", "msprof.db"), seed, *planted)
    else:
        planted_ascend.main(job, family, seed, *planted)


def one(work):
    """Whether all was found, whether there was a false alarm, and what was wrong of the numbers."""
    msprof, top, base, family, finding, seed = work
    names = sorted(f for f in RULES[family] if f not in ("loss", "steps", "rare", "undescribed"))
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1:] if may_pair(family, {a, b})]
    planted = [] if finding == "clean" else list(random.Random(seed).choice(pairs)) if finding == "pair" else [finding]
    with tempfile.TemporaryDirectory(dir=top) as place:
        job = os.path.join(place, f"{'PROF_' if family == 'prof' else 'JOB'}{family}{finding}{seed}")
        plant(job, base, family, seed, planted)
        text, wrong = advise(msprof, job), None
        rules = {f["rule"] for f in json.loads(text)["jobs"][0]["findings"] if f["severity"] != "note"}
        expected = set().union(*(RULES[family][p] for p in planted))
        if "loss" not in planted:
            path = job + ".json"
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            try:
                advise_truth.check(job, path)
            except SystemExit as e:
                wrong = str(e)
    return expected <= rules, bool(rules - expected), wrong, f"{planted}: {sorted(rules)}"


@contextlib.contextmanager
def mapping():
    """map() by several processes; by this one where they cannot have locks, which lie in /dev/shm."""
    try:
        pool = multiprocessing.Pool(os.cpu_count())
    except OSError:
        yield map
        return
    with pool:
        yield pool.map


def main(msprof, genprof, seeds, *families):
    seeds, bad = int(seeds), False
    with tempfile.TemporaryDirectory() as top, mapping() as map_all:
        base = os.path.join(top, "PROF_base")
        subprocess.run([genprof, "--out", base, "--tasks", "60"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([msprof, "import", "-q", "-dir", base], check=True, stderr=subprocess.DEVNULL)
        for family in families or RULES:
            for finding in ["clean", "pair", *RULES[family]]:
                work = [(msprof, top, base, family, finding, seed) for seed in range(1, seeds + 1)]
                results = list(map_all(one, work))
                found, alarms = sum(r[0] for r in results), sum(r[1] for r in results)
                wrong = [r[2] for r in results if r[2]]
                print(f"{family} {finding}: found {found} of {seeds}, false alarms {alarms}, wrong numbers {len(wrong)}", flush=True)
                for r in results:
                    if not r[0] or r[1] or r[2]:
                        print(f"  {r[3]} {r[2] or ''}", file=sys.stderr)
                bad = bad or 100 * found < 99 * seeds or 100 * alarms > seeds or bool(wrong)
    sys.exit(bad)


if __name__ == "__main__":
    main(*sys.argv[1:])
