"""verdict_truth.py: the sentence with which `msprof advise` begins, from the steps, parts and findings that advise_truth.py computed itself."""
import re
import sys
from fractions import Fraction

UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
PARTS = {0: "matrix", 1: "vector", 2: "data movement", 3: "AI CPU", 4: "communication", 5: "undescribed", None: "idle"}
SENTENCE = re.compile(r"(?P<title>.*?): (?P<time>[\d.]+) (?P<unit>ns|us|ms|s) (?:an inference|an iteration|in all)"
                      r"(?P<parts>(?:, [A-Za-z ]+ [\d.]+ %)*)(?P<rest>; .*)?")


def fail(what, got, want):
    sys.exit(f"verdict: {what}: {got}, not {want}")


def near(what, text, want):
    """The digits that are shown are right."""
    step = Fraction(1, 10 ** len(text.partition(".")[2]))
    if abs(Fraction(text) - want) > step * Fraction(51, 100):
        fail(what, text, float(want))


def check_parts(group, text, total):
    told = {name: share for name, share in re.findall(r", ([A-Za-z ]+) ([\d.]+) %", text)}
    sums = {}
    for part in group.parts:
        for cls, ns in part.items():
            sums[cls] = sums.get(cls, 0) + ns
    largest = max(sums.values())
    wanted = {PARTS[c] for c, ns in sums.items() if c is None and ns * 10 >= total}
    if not any(PARTS[c] in told for c, ns in sums.items() if ns == largest) or not wanted <= set(told):
        fail("parts", told, sums)
    for cls, ns in sums.items():
        if PARTS[cls] in told:
            near(PARTS[cls], told[PARTS[cls]], Fraction(100 * ns, total))
    if group.calls is None and group.shown:
        raws = [t.raw for o in group.ops.values() for t in o["tasks"] if t.cls == 0 and t.raw.counters]
        cycles = sum(x.ticks * 100 for x in raws)
        if cycles:
            near("Mac", told.get("Mac", "-1"), Fraction(100 * sum(x.counters["mac_ppen"] for x in raws), cycles))


def check_start(parts, title, is_first, mean, text):
    mine = [p for p in parts if (p[1] == title or (p[1] is None and is_first)) and p[2]]
    start = re.match(r"; start with (.*?): up to ([\d.]+) (ns|us|ms|s)(?: \((\d+) such together: ([\d.]+) (ns|us|ms|s)\))?(?:;|$)", text)
    if not mine or not start:
        if mine or start or not text.startswith("; no rule finds time to save"):
            fail("start", text, mine)
        return
    most = max(min(p[2], mean) if p[0] != "svp_between" else p[2] for p in mine)
    fits = [p for p in mine if p[2] >= most - 2 * len(p[3])]
    for p in fits:
        one = max(x[2] for x in p[3]) if p[0] == "svp_between" else min(mean, max(x[2] for x in p[3]))
        told = Fraction(start[2]) * UNITS[start[3]]
        if abs(told - min(one, p[2])) <= Fraction(6, 1000) * told + 2 and len(p[3]) == int(start[4] or 1):
            return
    fail("start", text, fits)


def check(groups, parts, advice):
    """`parts`: (rule, title of the group or None, saving, the findings that are one) of each finding."""
    lines = (advice["verdict"] or "").split("\n")
    if not groups:
        if not lines[0].startswith("No verdict: "):
            fail("none", lines[0], "No verdict")
        return
    totals = {g.title: sum(b - a for a, b in g.windows) for g in groups}
    order = sorted(groups, key=lambda g: -totals[g.title])
    if len(lines) != min(len(groups), 4) + (len(groups) > 4):
        fail("sentences", len(lines), len(groups))
    for place, (line, group) in enumerate(zip(lines, order[:4])):
        told = SENTENCE.fullmatch(line)
        total = totals[group.title]
        if not told or totals.get(told["title"]) != total:
            fail("sentence", line, group.title)
        group = next(g for g in groups if g.title == told["title"])
        near("time", told["time"], Fraction(total // len(group.windows), UNITS[told["unit"]]))
        check_parts(group, told["parts"], total)
        check_start(parts, group.title if len(groups) > 1 else told["title"], not place, total // len(group.windows), told["rest"] or "")
