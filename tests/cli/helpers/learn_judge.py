"""learn_judge.py: whether a layout that was learned gives the true counter of each record, by a decoder of its own."""
import csv
import glob
import os
import re
import shutil
import subprocess
from fractions import Fraction

import learn_tables

SIZES = {"ss928": 256, "dv500": 256, "cv610": 128}


class Layout:
    """The counters of a .rec file: fields, and what is computed of them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            lines = [line.split("#")[0].split() for line in f]
        self.word = next(line[-1] for line in lines if line[:1] == ["record"])
        self.parts = next((int(line[1]) for line in lines if line[:1] == ["parts"]), 1)
        self.fields = {line[1]: (int(line[2][1:]) // 8, int(line[3][1:])) for line in lines if line[:1] in (["field"], ["input"])}
        self.values = {line[1]: line[2:] for line in lines if line[:1] in (["value"], ["share"])}

    def raw(self, record, name):
        width, at = self.fields[name]
        return int.from_bytes(record[at:at + width], "little")

    def value(self, record, counter, ticks):
        """A counter in cycles or bytes; None: the layout has no such column."""
        parts = 1 if counter.startswith("ddr") else self.parts
        if counter in self.fields:
            return Fraction(self.raw(record, counter), parts)
        words = self.values.get(counter)
        if not words:
            return None
        number = Fraction(self.raw(record, words[0]) - (self.raw(record, words[2]) if "minus" in words else 0))
        if words[-1].startswith("per="):
            return number * ticks * 100 / int(words[-1][4:])
        return number * Fraction(re.sub("scale=", "", words[-1])) / parts


def differences(truth, job, path):
    """Each wrong counter as a sentence, and the counters that the layout does not have."""
    layout, wrong, missing = Layout(path), [], set()
    size = SIZES[truth["chip"]]
    for inference in truth["inferences"]:
        with open(os.path.join(job, inference["file"]), "rb") as f:
            data = f.read()
        for number, task in enumerate(inference["tasks"], inference["first"]):
            record = data[number * size:(number + 1) * size]
            for counter, (num, den) in task["values"].items():
                have = layout.value(record, counter, task["ticks"])
                if have is None:
                    missing.add(counter)
                elif have != Fraction(num, den):
                    wrong.append("%s of record %d of %s is %s, not %s" % (counter, number, inference["file"], have, Fraction(num, den)))
    return layout.word, wrong, sorted(missing)


def exported(msprof, job, board, layouts, out):
    """The op_summary of each inference, exported with what was learned, as sentences where a number is not that of exact arithmetic.
    The tables go first: rows of some are missing, or in another order, which contradicts the records."""
    shutil.rmtree(os.path.join(job, "summary"))
    style = "vendor" if board["mhz"] % 200 else "guide"
    done = subprocess.run([msprof, "export", "summary", "-q", "-dir", job, "--layouts", layouts, "--style", style, "--output", out],
                          capture_output=True, timeout=300, check=False)
    if done.returncode:
        return ["export: exit status %d: %s" % (done.returncode, done.stderr.decode()[-300:])]
    wrong = []
    for inference in board["inferences"]:
        titles, rows = learn_tables.op_summary(inference, board["mhz"], style if style == "vendor" else "default")
        name = learn_tables.file_name(inference["model"], inference, board["mhz"])
        path = glob.glob("%s/*/summary/%s.csv" % (glob.escape(out), glob.escape(name)))
        if not path:
            return ["%s is not exported" % name]
        with open(path[0], encoding="utf-8", newline="") as f:
            have = list(csv.reader(f))
        first = titles.index("Time(us)")
        for number, (mine, theirs) in enumerate(zip([titles, *rows], have)):
            wrong += ["%s: row %d: %s, not %s" % (name, number, b, a) for a, b in zip(mine[first:], theirs[first:]) if a != b]
        if len(have) != len(rows) + 1:
            wrong.append("%s: %d rows, not %d" % (name, len(have), len(rows) + 1))
    return wrong
