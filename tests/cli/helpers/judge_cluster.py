"""judge_cluster.py MSPROF [--seeds N] [--topologies A,B] [--faults A,B]: who is blamed in made-up trainings, and who is to blame.

Prints a line for each topology and fault: of how many seeds exactly the culprits were named, and how many ranks that are innocent, of all ranks.
Ends with 1 where less than 98 % are exact, more than 1 % of the runs name an innocent rank, or more than 1 % of the clean runs name one.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from trainings import Training

TOPOLOGIES = {
    "dp8": {"dp": 8}, "dp64": {"dp": 64}, "tp2dp4": {"tp": 2, "dp": 4}, "tp4dp4": {"tp": 4, "dp": 4}, "tp8dp8": {"tp": 8, "dp": 8},
    "pp4dp2": {"pp": 4, "dp": 2}, "pp4dp8": {"pp": 4, "dp": 8}, "pp4dp4receives": {"pp": 4, "dp": 4, "receives": True},
    "tp2pp2dp2": {"tp": 2, "pp": 2, "dp": 2}, "tp4pp4dp4": {"tp": 4, "pp": 4, "dp": 4}, "experts": {"dp": 32, "experts": 8},
    "unequal": {"groups": [3, 5, 8, 16]}, "tp8pp8dp16": {"tp": 8, "pp": 8, "dp": 16}, "dp1024": {"dp": 1024}}


def one(t, r):
    return {r.randrange(t.size)}


def of_host(t, r):
    first = 8 * r.randrange(t.size // 8)
    return set(range(first, first + 8)) if t.size > 8 else set()


def slow(factor, choose):
    def plant(t, r):
        culprits = choose(t, r)
        t.slow = dict.fromkeys(culprits, factor)
        return culprits
    return plant


def late(t, r):
    culprits = one(t, r)
    t.late = dict.fromkeys(culprits, t.work // 10)
    return culprits


def pauses(t, _):
    t.pauses = (5000000, 0.02, None)
    return set()


def clock(t, r):
    t.skew = {r.randrange(t.size): 5000000}
    return set()


def link(t, r):
    first = r.randrange(t.size - 1)
    t.link = r.choice([(first, first + 1), (first + 1, first)])
    return set()


def hang(t, r):
    t.ends = {r.randrange(t.size): t.steps // 2}
    return set()


FAULTS = {
    "clean": lambda t, r: set(), "slow 2 %": slow(1.02, one), "slow 3 %": slow(1.03, one), "slow 8 %": slow(1.08, one), "late": late,
    "host of 8": slow(1.08, of_host), "two": slow(1.08, lambda t, r: set(r.sample(range(t.size), 2))),
    "half": slow(1.08, lambda t, r: set(r.sample(range(t.size), t.size // 2)) if t.size <= 8 else set()),
    "pauses": pauses, "clock": clock, "link": link, "hang": hang}


def judge(msprof, topology, fault, seed):
    """Returns the number of ranks, whether all is as planted, and who is blamed and innocent. None: the fault does not exist there."""
    t = Training(f"{topology} {fault} {seed}", **TOPOLOGIES[topology])
    culprits = FAULTS[fault](t, random.Random(f"{seed}"))
    if not culprits and fault in ("host of 8", "half"):
        return None
    with tempfile.TemporaryDirectory() as top:
        t.write(top)
        run = subprocess.run([msprof, "cluster", "-q", "-dir", top, "--format", "json"], stdout=subprocess.PIPE, check=True)
    told = json.loads(run.stdout)
    notes = "\n".join(row["note"] for row in told["notes"])
    named = {row["rank"] for row in told["stragglers"] if row["straggler"] == "yes"}
    exact = named == culprits
    exact &= {(row["from"], row["to"]) for row in told["links"] if row["slow"] == "yes"} == ({t.link} if t.link else set())
    exact &= {int(n) for n in re.findall(r"rank (\d+) ended early", notes)} == set(t.ends)
    exact &= {int(n) for n in re.findall(r"clock of rank (\d+)", notes)} == set(t.skew)
    causes = {row["cause"] for row in told["stragglers"] if row["straggler"] == "yes"}
    exact &= causes <= ({"host"} if fault == "late" else {"computing"})
    return t.size, exact, named - culprits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("msprof")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--topologies", default=",".join(TOPOLOGIES))
    parser.add_argument("--faults", default=",".join(FAULTS))
    o = parser.parse_args()
    bad = False
    for topology in o.topologies.split(","):
        for fault in o.faults.split(","):
            judged = [j for j in (judge(o.msprof, topology, fault, seed) for seed in range(o.seeds)) if j]
            if not judged:
                continue
            exact = 100 * sum(j[1] for j in judged) / len(judged)
            innocent = 100 * sum(len(j[2]) for j in judged) / sum(j[0] for j in judged)
            accused = 100 * sum(bool(j[2]) for j in judged) / len(judged)
            print(f"{topology:15} {fault:10} {exact:6.1f} % exact, {innocent:5.2f} % of the ranks innocent and named, in {accused:5.1f} % of the runs",
                  flush=True)
            bad |= exact < 98 or innocent > 1 or (fault in ("clean", "pauses") and accused > 1)
    return 1 if bad else 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
