"""diff_math.py: the statistics of msprof diff, computed a second time: exact tests of ranks with whole numbers, intervals, verdicts."""
import statistics
from math import comb, floor, isclose

ALPHA, LEAST, FLOOR_RUNS, FLOOR_STEPS, FLOOR_NONE, SAME = 0.01, 0.005, 0.005, 0.02, 0.05, 0.03
WAYS = {}


def ways(n, m):
    """How many of the orders of n and m samples have each rank sum: counted by where the n stand."""
    if (n, m) not in WAYS:
        table = {(0, 0): 1}
        for place in range(n + m):
            after = {}
            for (taken, total), count in table.items():
                after[taken, total] = after.get((taken, total), 0) + count
                if taken < n:
                    key = taken + 1, total + place - taken
                    after[key] = after.get(key, 0) + count
            table = after
        WAYS[n, m] = [table.get((n, u), 0) for u in range(n * m + 1)]
    return WAYS[n, m]


def tail(n, m, u):
    """How probable a rank sum of at most u is."""
    return sum(ways(n, m)[:u + 1]) / comb(n + m, n)


def cut(n, m):
    """The largest rank sum that is significant; -1: none is."""
    u, below, limit = -1, 0, ALPHA * comb(n + m, n)
    for w in ways(n, m):
        below += w
        if 2 * below > limit:
            break
        u += 1
    return u


def mad(values):
    middle = statistics.median(values)
    return statistics.median(abs(v - middle) for v in values)


class Change:
    """unit: jobs, steps or none."""

    def __init__(self, base, new, unit):
        self.base_median_ns, self.new_median_ns = statistics.median(base), statistics.median(new)
        self.base_mad_ns, self.new_mad_ns = mad(base), mad(new)
        self.p, self.floor = None, 0
        self.equal = sorted(base) == sorted(new)
        if self.equal:
            self.shift_ns = self.low_ns = self.high_ns = 0
            self.p = None if unit == "none" else 1
            return
        size = abs(self.base_median_ns)
        if unit == "none":
            wide = max(FLOOR_NONE * size, max(base) - min(base), max(new) - min(new))
            self.shift_ns = self.new_median_ns - self.base_median_ns
            self.low_ns, self.high_ns = self.shift_ns - wide, self.shift_ns + wide
            return
        self.floor = (FLOOR_RUNS if unit == "jobs" else FLOOR_STEPS) * size
        differences = sorted(y - x for x in base for y in new)
        u, c = min(sum(d <= 0 for d in differences), sum(d >= 0 for d in differences)), cut(len(base), len(new))
        self.p = min(1, 2 * tail(len(base), len(new), u))
        self.shift_ns = statistics.median(differences)
        self.low_ns, self.high_ns = differences[c], differences[-1 - c]

    def decide(self, share):
        limit = share * abs(self.base_median_ns)
        if self.equal:
            return 1 if share < 0 else -1
        if self.low_ns > limit and self.shift_ns >= limit + self.floor:
            return 1
        return -1 if self.high_ns < limit and self.shift_ns <= limit - self.floor else 0

    def verdict(self, total=0, rows=1):
        decided = 0 if self.equal else self.decide(0)
        large = rows <= 1 or abs(self.shift_ns) >= LEAST * total
        if decided and (large or (self.p is not None and self.p <= ALPHA / rows)):
            return "slower" if decided > 0 else "faster"
        small = self.high_ns <= LEAST * total and self.low_ns >= -LEAST * total
        if self.equal or (self.decide(SAME) < 0 < self.decide(-SAME)) or small:
            return "same"
        return "inconclusive"


def mean_ns(total, steps):
    return floor(total // steps)


def close(a, b):
    """Equal but for the rounding of doubles."""
    return (a is None) == (b is None) and (a is None or isclose(a, b, rel_tol=1e-9, abs_tol=1e-6 if abs(b) > 1 else 1e-12))
