"""advise_seeds.py MSPROF DIR SEEDS FINDING...: jobs with each finding, and clean ones; prints "FINDING found of seeds, false alarms".

A finding is found if its rule is in the advice; every other rule is a false alarm. Notes (severity note) are neither.
"""
import json
import os
import subprocess
import sys

import planted_svp

OUT = os.fdopen(os.dup(1), "w")


def advise(msprof, job):
    done = subprocess.run([msprof, "advise", "-q", "-dir", job, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"{job}: {done.stderr}")
    return {f["rule"] for f in json.loads(done.stdout)["jobs"][0]["findings"] if f["severity"] != "note"}


def main(msprof, top, seeds, *findings):
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
    for finding in findings:
        found = alarms = 0
        for seed in range(int(seeds)):
            job = os.path.join(top, f"JOB{finding}{seed}")
            planted = [] if finding == "clean" else [finding]
            planted_svp.main(job, seed, *planted)
            rules = advise(msprof, job)
            found += {planted_svp.RULES[p] for p in planted} <= rules
            alarms += bool(rules - {planted_svp.RULES[p] for p in planted})
        print(f"{finding} {found} of {seeds}, {alarms} false alarms", file=OUT, flush=True)


main(*sys.argv[1:])
