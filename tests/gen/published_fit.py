"""published_fit.py: finds whole counts of which a published op_summary says the ratios, times and sizes, to the last digit.

A table prints two decimals, so each cell allows an interval. The memory bound, a quotient of two counts, and the sums in the row of
totals select among them. All numbers are fractions. Knows nothing of the project's own generators.
"""
import csv
import math
import random
from fractions import Fraction

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
UNDER, OVER = ("mac_busy", "vec_ppen"), ("dstr", "dld", "wld")
HALF = Fraction(1, 200)


class Row:
    def __init__(self, cells):
        self.cells = cells
        numbers = [Fraction(cell) for cell in cells[5:]]
        self.time, self.share, self.bound = numbers[0], numbers[1], numbers[10]
        self.ratios = dict(zip(COUNTERS, numbers[2:10]))
        self.read, self.write, self.total = numbers[11:]


def read_table(path):
    """The titles, the row of totals, and the rows of tasks."""
    with open(path, encoding="utf-8", newline="") as f:
        titles, *rows = list(csv.reader(f, delimiter="\t"))
    return titles, Row(rows[0]), [Row(cells) for cells in rows[1:]]


def prints(value, shown):
    """Whether a value is printed so, in every way of rounding to the nearest."""
    return abs(value - shown) < HALF


def interval(shown, unit, half=HALF):
    """The least and the most whole numbers of a unit that are printed so."""
    low, high = math.floor((shown - half) / unit) + 1, math.ceil((shown + half) / unit) - 1
    return max(low, 0), high


def nearest(low, high, wanted):
    """The whole numbers from low to high, those near the wanted one first."""
    return sorted(range(low, high + 1), key=lambda number: abs(number - wanted))


class Fit:
    """The counts of all rows: took, counters in `scale` cycles, read and write in `burst` bytes; ns_of: one count of time."""

    def __init__(self, totals, rows, mhz, ns_of, scale, burst):
        self.totals, self.rows = totals, rows
        self.mhz, self.ns_of, self.scale, self.burst = mhz, ns_of, scale, burst
        self.tasks = []

    def cycles(self, took):
        return took * self.ns_of * self.mhz / 1000

    def try_time(self, row, took):
        """The counters of a row that took so long, or None."""
        unit = Fraction(100) * self.scale / self.cycles(took)
        ranges = {name: interval(row.ratios[name], unit) for name in COUNTERS}
        if any(low > high for low, high in ranges.values()):
            return None
        exact = {name: row.ratios[name] / unit for name in COUNTERS}
        below, above = (max(names, key=lambda name: exact[name]) for names in (UNDER, OVER))
        for number in nearest(*ranges[below], exact[below])[:200]:
            if not number:
                return ({name: (low, high) for name, (low, high) in ranges.items()}, exact) if not row.bound else None
            low, high = interval(row.bound, Fraction(1, number))
            low, high = max(low, ranges[above][0]), min(high, ranges[above][1])
            if low <= high:
                most = min(high, max(low, round(exact[above])))
                for names, chosen, value in ((UNDER, below, number), (OVER, above, most)):
                    for name in names:
                        ranges[name] = (value, value) if name == chosen else (ranges[name][0], min(ranges[name][1], value))
                return (ranges, exact) if all(low <= high for low, high in ranges.values()) else None
        return None

    def fit_row(self, row):
        """Times of the vendor's records are sevenths of a microsecond: the nearest count first."""
        wanted = Fraction(round(row.time * 7), 7) * 1000 / self.ns_of
        for took in nearest(*interval(row.time, self.ns_of / 1000), wanted)[:40]:
            found = self.try_time(row, took) if took else None
            if found:
                ranges, exact = found
                values = {name: min(high, max(low, round(exact[name]))) for name, (low, high) in ranges.items()}
                return {"took": took, "values": values, "ranges": ranges}
        return None

    def move(self, name, wanted):
        """Move the sum of a counter to what the row of totals says, each row as little as possible."""
        cycles = sum(self.cycles(task["took"]) for task in self.tasks)
        low, high = interval(wanted, Fraction(100) * self.scale / cycles, HALF * Fraction(9, 10))
        now = sum(task["values"][name] for task in self.tasks)
        for task in self.tasks:
            least, most = task["ranges"][name]
            by = max(least - task["values"][name], min(most - task["values"][name], low - now if now < low else min(0, high - now)))
            task["values"][name] += by
            now += by

    def pairs_of(self, row):
        """The reads and writes that a row allows, the nearest first."""
        one = Fraction(self.burst, 1000)
        (read_low, read_high), (write_low, write_high) = interval(row.read, one), interval(row.write, one)
        pairs = [(read, write) for read in range(read_low, read_high + 1) for write in range(write_low, write_high + 1)
                 if prints((read + write) * one, row.total)]
        return sorted(pairs, key=lambda pair: abs(pair[0] * one - row.read) + abs(pair[1] * one - row.write))

    def wrong(self, read, write):
        """By how much sums are not what the row of totals says."""
        one = Fraction(self.burst, 1000)
        wanted = ((read, self.totals.read), (write, self.totals.write), (read + write, self.totals.total))
        return sum(max(Fraction(0), abs(sum_of * one - shown) - HALF * Fraction(9, 10)) for sum_of, shown in wanted)

    def fit_bytes(self):
        """Choose read and write of each row so that the sums are right, from several beginnings."""
        pairs = [self.pairs_of(row) for row in self.rows]
        for start in range(60 if all(pairs) else 0):
            draw = random.Random(start)
            chosen = [(draw.choice(of) if start else of[0]) for of in pairs]
            for number, of in enumerate(pairs):
                read, write = (sum(pair[i] for pair in chosen) - chosen[number][i] for i in (0, 1))
                chosen[number] = min(of, key=lambda pair: self.wrong(read + pair[0], write + pair[1]))
            if self.wrong(*(sum(pair[i] for pair in chosen) for i in (0, 1))) == 0:
                for task, pair in zip(self.tasks, chosen):
                    task["bytes"] = pair
                return True
        return False

    def is_exact(self):
        """Whether the table comes out, computed anew."""
        us = [task["took"] * self.ns_of / 1000 for task in self.tasks]
        good = prints(sum(us), self.totals.time)
        for row, task, time in zip(self.rows, self.tasks, us):
            good &= prints(time, row.time) and prints(time / sum(us) * 100, row.share)
        cycles = [self.cycles(task["took"]) for task in self.tasks]
        sums = {name: sum(task["values"][name] for task in self.tasks) for name in COUNTERS}
        for row, values, of in [*((row, task["values"], of) for row, task, of in zip(self.rows, self.tasks, cycles)),
                                (self.totals, sums, sum(cycles))]:
            good &= all(prints(Fraction(values[name] * self.scale * 100) / of, row.ratios[name]) for name in COUNTERS)
            below = max(values[name] for name in UNDER)
            good &= prints(Fraction(max(values[name] for name in OVER), below) if below else 0, row.bound)
        return good

    def find(self):
        """The tasks as dicts of whole numbers, or None when no counts give the table."""
        for row in self.rows:
            task = self.fit_row(row)
            if not task:
                return None
            self.tasks.append(task)
        for name in COUNTERS:
            self.move(name, self.totals.ratios[name])
        if not self.fit_bytes() or not self.is_exact():
            return None
        return [{"took": task["took"], **task["values"], "read": task["bytes"][0], "write": task["bytes"][1]} for task in self.tasks]
