#!/usr/bin/env python3
"""nearmiss.py: jobs whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss.py MSPROF GENJOB [--seeds N] [--first N] [--good N] [--kind KIND] [--list] [--keep DIR]

Jobs of three chips. tests/judging.py has what a kind is, and what is printed.
"""

import os
import random
import sys

from nearmiss_kinds import Job, KINDS

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judging


def made(genjob, top, soc, seed):
    rng = random.Random(seed)
    judging.checked(genjob, "--out", top, "--soc", soc, "--seed", str(seed), "--models", str(rng.choice((1, 1, 2))),
                    "--pictures", str(rng.choice((1, 3, 8))), "--tasks", str(rng.choice((6, 24, 60))))


def changed(name, top, other, soc, rng):
    return KINDS[name](Job(top, soc, rng, Job(other, soc, rng, None)))


if __name__ == "__main__":
    sys.exit(judging.main(__doc__, KINDS, ("ss928", "dv500", "cv610"), ("JOB" + "A" * 29, "JOB" + "B" * 29), made, changed))
