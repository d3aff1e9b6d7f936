"""diff_pairs.py MSPROF DIR PAIRS [KIND...]: `msprof diff` on simulated pairs of collections; prints power and false alarms of each kind.

A pair is two baseline files, drawn by a seed. Clean pairs differ in noise only; in the others the whole step, or one operator, makes the
step 3 % slower. The exit status is 1 where the power is below that of the kind, or more than 1 % of the clean pairs have an alarm.
"""
import json
import math
import os
import random
import subprocess
import sys

# How jobs differ: numbers of mean 0 and standard deviation 1.
SHAPES = {
    "normal": lambda r: r.gauss(0, 1),
    "skewed": lambda r: r.expovariate(1) - 1,
    "heavy tails": lambda r: r.gauss(0, 1) / math.sqrt(2 * r.gammavariate(1.5, 1)),  # Student's t with 3 degrees of freedom
    "two states": lambda r: r.choice((-1, 1)),
}
# jobs, inferences of each, noise of an operator, of an inference and of a job, shape of the latter, correlation of inferences, least power
KINDS = {
    "one job of 20 inferences, noise 1 %": (1, 20, 0.01, 0.01, 0, "normal", 0, 0.99),
    "one job of 100 inferences that drift by 1 %": (1, 100, 0.01, 0.01, 0, "normal", 0.9, 0.7),
    "5 jobs of 20 inferences, noise 1 %": (5, 20, 0.01, 0.01, 0, "normal", 0, 0.99),
    "8 jobs that differ by 1 %": (8, 20, 0.01, 0, 0.01, "normal", 0, 0.97),
    "8 jobs that differ by 1 %, skewed": (8, 20, 0.01, 0, 0.01, "skewed", 0, 0.9),
    "8 jobs that differ by 1 %, heavy tails": (8, 20, 0.01, 0, 0.01, "heavy tails", 0, 0.9),
    "8 jobs that differ by 1 %, two states": (8, 20, 0.01, 0, 0.01, "two states", 0, 0.97),
    "5 jobs that differ by 1 %": (5, 20, 0.01, 0, 0.01, "normal", 0, 0.7),
}
BLOCKS, MOST_ALARMS = 16, 0.01


def collection(r, times, kind):
    jobs, steps, op_noise, step_noise, job_noise, shape, alike, _ = kind
    blocks = max(1, BLOCKS // jobs)
    samples, runs, sums = [], [], {name: [] for name in times}
    for job in range(jobs):
        of_job, drift, spans = 1 + job_noise * SHAPES[shape](r), r.gauss(0, 1) if alike else 0, []
        first = len(samples)
        for step in range(steps):
            block = first + step * blocks // steps
            if block == len(samples):
                samples.append({"run": job, "steps": 0, "total_ns": 0})
                for column in sums.values():
                    column.append(0)
            drift = alike * drift + math.sqrt(1 - alike**2) * r.gauss(0, 1)
            of_step, span = of_job * (1 + step_noise * drift), 0
            for name, ns in times.items():
                one = round(ns * of_step * r.gauss(1, op_noise))
                sums[name][block] += one
                span += one
            samples[block]["steps"] += 1
            samples[block]["total_ns"] += span
            spans.append(span)
        runs.append({"steps": steps, "p95_ns": sorted(spans)[-(-steps * 95 // 100) - 1]})
    items = [{"kind": "idle" if name == "idle" else "operator", "name": name, "calls": jobs * steps, "ns": column} for name, column in sums.items()]
    calls = {"title": "calls", "what": "step", "runs": [], "samples": [], "items": []}
    return {"schema": "msprof.baseline/1", "family": "svp", "jobs": jobs, "facts": {},
            "groups": [{"title": "net", "what": "inference", "runs": runs, "samples": samples, "items": items}], "calls": calls}


def compare(msprof, top, base, new):
    paths = []
    for name, side in (("base", base), ("new", new)):
        paths.append(os.path.join(top, name + ".json"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            json.dump(side, f)
    done = subprocess.run([msprof, "diff", "-q", *paths, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["groups"][0]


def changed(group):
    return {row["name"] for row in group["rows"] if row["verdict"] in ("slower", "faster")}


def pair(msprof, top, kind, seed, regression):
    """The verdict about the total, and the operators that changed by theirs."""
    r = random.Random(f"{seed} {regression}")
    times = {f"op{i}": r.randint(20, 900) * 1000 for i in range(r.randint(8, 20))}
    times["idle"] = 20000
    slower = dict(times)
    if regression == "whole":
        slower = {name: ns * 1.03 for name, ns in times.items()}
    elif regression == "operator":
        slower["op0"] += 0.03 * sum(times.values())
    group = compare(msprof, top, collection(r, times, kind), collection(r, slower, kind))
    return group["total"]["verdict"], changed(group)


def main(msprof, top, pairs, *names):
    pairs, bad = int(pairs), False
    for name, kind in KINDS.items():
        if names and name not in names:
            continue
        clean = [pair(msprof, top, kind, seed, "clean") for seed in range(pairs)]
        whole = [pair(msprof, top, kind, seed, "whole") for seed in range(pairs)]
        operator = [pair(msprof, top, kind, seed, "operator") for seed in range(pairs)]
        alarms = sum(total in ("slower", "faster") for total, _ in clean)
        rows = sum(bool(found) for _, found in clean)
        power = sum(total == "slower" for total, _ in whole)
        found = sum("op0" in ops for _, ops in operator)
        others = sum(bool(ops - {"op0"}) for _, ops in operator)
        print(f"{name}: {pairs} pairs: 3 % slower found in {power / pairs:.1%}, operator in {found / pairs:.1%} (another one too in {others / pairs:.1%}); "
              f"false alarms {alarms / pairs:.1%}, of any operator {rows / pairs:.1%}", flush=True)
        bad = bad or max(alarms, rows) > MOST_ALARMS * pairs or min(power, found) < kind[-1] * pairs
    sys.exit(bad)


main(*sys.argv[1:])
