"""diff_cause.py: what most operators of a diff have in common, each row against it, and the sentence of the diff, from samples of both sides."""
import re
import sys

import diff_math

SHARE, SPREAD = 0.75, 0.5
UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
WORDS = {"slower": "slower", "faster": "faster", "same": "the same", "inconclusive": "not decided"}


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def is_matched(row):
    return row["kind"] == "operator" and row["match"] not in ("new", "gone") and row["base_ns"] > 0 and row["new_ns"] > 0


def common_of(rows, samples, unit):
    """(its change, its rows, all that both sides have); the change is None where there is none."""
    mine = [r for r in rows if is_matched(r)]
    whole, passed, factor = sum(r["base_ns"] for r in mine), 0, 1
    for r in sorted(mine, key=lambda r: r["new_ns"] / r["base_ns"]):
        if passed >= whole / 2:
            break
        passed, factor = passed + r["base_ns"], r["new_ns"] / r["base_ns"]
    near = [r for r in mine if abs(r["new_ns"] / r["base_ns"] - factor) <= SPREAD * abs(factor - 1)]
    if len(near) < 3 or sum(r["base_ns"] for r in near) < SHARE * whole:
        return None, near, mine
    sums = [[sum(x) for x in zip(*(samples[id(r)][side] for r in near))] for side in (0, 1)]
    change = diff_math.Change(*sums, unit)
    return (change if change.verdict() in ("slower", "faster") else None), near, mine


def check_rows(rows, samples, unit, change, step):
    for row in rows:
        want = row["verdict"]
        if change and is_matched(row):
            factor = 1 + change.shift_ns / change.base_median_ns
            want = diff_math.Change([x * factor for x in samples[id(row)][0]], samples[id(row)][1], unit).verdict(step, len(rows))
        if row["against_common"] != want:
            fail(f"{row['name']} against the common factor", row["against_common"], want)


def share_of(what, text, want):
    digits = len(text.partition(".")[2])
    if abs(float(text) - 100 * want) > 0.51 * 10**-digits:
        fail(what, text, 100 * want)


def check_sentence(group, change, near, mine):
    text, total = group["verdict"], group["total"]
    told = re.match(r"(.*?): (slower|faster|the same|not decided), (?:mean )?([\d.]+) (\w+) > ([\d.]+) (\w+) (?:an inference|an iteration|in all) "
                    r"\(([-+\d.]+) %[,;] (?:the median ([-+\d.]+) %, )?(?:surely|perhaps) ([-+\d.]+) to ([-+\d.]+) %", text)
    if not told or told[1] != group["title"] or told[2] != WORDS[total["verdict"]]:
        fail("verdict", text, total["verdict"])
    for number, unit, key in ((told[3], told[4], "base_ns"), (told[5], told[6], "new_ns")):
        if abs(float(number) - total[key] / UNITS[unit]) > 0.51 * 10 ** -len(number.partition(".")[2]):
            fail(key, number, total[key])
    share_of("change", told[7], total["change_ns"] / total["base_ns"])
    for place, key in ((9, "low_ns"), (10, "high_ns")):
        share_of(key, told[place], total[key] / total["base_median_ns"])
    common = re.search(r": (?:all|(\d+) of (\d+)) operators ([-+\d.]+) % \(([-+\d.]+) to ([-+\d.]+)\): clock or memory", text)
    if bool(common) != bool(change) or bool(group["common"]) != bool(change):
        fail("common", (text, group["common"]), change and change.shift_ns)
    if common:
        if (group["common"]["operators"], group["common"]["of"]) != (len(near), len(mine)) or (common[1] is None) != (len(near) == len(mine)):
            fail("common operators", text, (len(near), len(mine)))
        for place, want in ((3, change.shift_ns), (4, change.low_ns), (5, change.high_ns)):
            share_of("common", common[place], want / change.base_median_ns)
    differ = sorted((r for r in group["rows"] if r["against_common"] in ("slower", "faster")), key=lambda r: -abs(r["change_ns"]))
    for row in differ[:2]:
        name = {"idle": "idle time", "overlap": "overlap"}.get(row["kind"], row["name"] or row["base_name"])
        if name not in text:
            fail("what differs most", text, name)
    if not differ and ("mostly" in text or "beside" in text):
        fail("what differs", text, "nothing")


def check(group, samples, unit, step):
    """`samples`: of both sides, by the id of the row."""
    change, near, mine = common_of(group["rows"], samples, unit)
    check_rows(group["rows"], samples, unit, change, step)
    check_sentence(group, change, near, mine)
