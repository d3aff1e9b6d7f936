"""overview_check_ascend.py JOB BY: reads JSON of `msprof show --by BY` from stdin, and recomputes overview and gaps of a job of Ascend cards from its rows."""
import json
import sys
from fractions import Fraction

import advise_rows

LIMITS = {"mac": 0.8, "mte2": 0.95, "each": 0.7, "together": 0.9}


def fail(what, got, want):
    sys.exit(f"{what}: {got}, not {want}")


def same(what, got, want):
    if got is None or abs(Fraction(str(got)) - want) > Fraction(1, 200):
        fail(what, got, float(want))


def layer_of(name):
    return name.rsplit("/", 1)[0] if "/" in name and name.rsplit("/", 1)[0] else name


def name_of(by, t):
    return {"name": t.name, "type": t.type if t.cls != 4 else None, "layer": layer_of(t.name or ""), "stream": f"stream {t.stream}"}[by]


def gaps_of(tasks, start, end):
    at, found = start, []
    for a, b in sorted((t.start, t.start + t.dur) for t in tasks):
        if min(a, end) > at:
            found.append(min(a, end) - at)
        at = max(at, b)
    return found + ([end - at] if end > at else [])


def ratios(tasks):
    """Of each unit the mean over the operators that have it, by their time; an operator's is that of all its tasks."""
    ops, sums = {}, {}
    for t in tasks:
        ops.setdefault(t.key, []).append(t)
    for mine in ops.values():
        best, time = {}, sum(t.dur for t in mine)
        for core, unit in mine[0].units:
            cycles = sum(t.cycles.get(core, 0) for t in mine)
            if cycles and mine[0].cls < 3:
                best[unit] = max(best.get(unit, 0), sum(t.units[core, unit] for t in mine) / cycles)
        for unit, ratio in best.items():
            s = sums.setdefault(unit, [0, 0])
            s[0], s[1] = s[0] + ratio * time, s[1] + time
    return {unit: a / b for unit, (a, b) in sums.items() if b}


def verdict(tasks, kind):
    classes, share = {t.cls for t in tasks}, ratios(tasks)
    if kind:
        return kind
    if classes == {0}:
        return "ok" if share.get("mac", 0) >= LIMITS["mac"] else "mte2" if share.get("mte2", 0) >= LIMITS["mte2"] else "low" if "mac" in share else None
    if len(classes) > 1 or classes > {2} or "vec" not in share or max(classes) > 2:
        return None
    vec, load, store = share["vec"], share.get("mte2"), share.get("mte3")
    if vec >= LIMITS["each"]:
        return "ok"
    if load is not None and store is not None and max(load, store) >= LIMITS["each"]:
        return "mte2" if load >= store else "mte3"
    return "ok" if load is not None and store is not None and vec + load + store >= LIMITS["together"] else "low"


def check_group(table, g, by):
    ranges = g.ranges or [(min(t.start for t in g.tasks), max(t.start + t.dur for t in g.tasks))]
    total = sum(b - a for a, b in ranges)
    idle = [sum(gaps_of(g.tasks, a, b)) for a, b in ranges]
    tasks = [t for t in g.tasks if not g.ranges or any(a <= t.start < b for a, b in ranges)]
    groups = {}
    for t in tasks:
        if by != "stream" or t.stream is not None:
            kind = {3: "AI CPU", 4: "comm"}.get(t.cls, "") if by != "stream" else ""
            groups.setdefault((name_of(by, t), kind), []).append(t)
    totals = [r for r in table["rows"] if r["Tasks"] is None]
    rows = [r for r in table["rows"] if r["Tasks"] is not None]
    same("length", totals[0]["Mean(us)"], Fraction(total, 1000 * len(ranges)))
    same("shortest", totals[0]["Min(us)"], Fraction(min(b - a for a, b in ranges), 1000))
    same("longest", totals[0]["Max(us)"], Fraction(max(b - a for a, b in ranges), 1000))
    same("idle", totals[1]["Mean(us)"], Fraction(sum(idle), 1000 * len(ranges)))
    same("idle percent", table["idle_percent"], Fraction(100 * sum(idle), total))
    same("busy percent", table["busy_percent"], Fraction(100 * (total - sum(idle)), total))
    if table["iterations"] != (len(ranges) if g.ranges else None):
        fail("iterations", table["iterations"], len(g.ranges))
    if len(rows) != len(groups):
        fail("rows", [r["Name"] for r in rows], list(groups))
    for row in rows:
        kind = row["Verdict"] if row["Verdict"] in ("AI CPU", "comm") else ""
        mine = groups[row["Name"], kind]
        times = [t.dur for t in mine]
        if row["Tasks"] != len(times):
            fail(row["Name"], row["Tasks"], len(times))
        same(row["Name"], row["Mean(us)"], Fraction(sum(times), 1000 * len(times)))
        same(row["Name"], row["Min(us)"], Fraction(min(times), 1000))
        same(row["Name"], row["Max(us)"], Fraction(max(times), 1000))
        same(row["Name"], row["Share(%)"], Fraction(100 * sum(times), total))
        want = None if by == "stream" else verdict(mine, kind)
        if row["Verdict"] != want:
            fail(f"verdict of {row['Name']}", row["Verdict"], want)
    return [gap for a, b in ranges for gap in gaps_of(g.tasks, a, b)]


def main(path, by):
    _, groups = advise_rows.read(path)
    tables = json.load(sys.stdin)["tables"]
    overview = [t for t in tables if t["table"] == "Overview"]
    if [t["device_id"] for t in overview] != [g.id for g in groups]:
        fail("devices", overview, [g.id for g in groups])
    gaps = sorted((x for t, g in zip(overview, groups) for x in check_group(t, g, by)), reverse=True)
    shown = [r["Idle(us)"] for t in tables if t["table"] == "Longest idle gaps" for r in t["rows"]]
    for got, want in zip(shown, gaps):
        same("gap", got, Fraction(want, 1000))
    if len(shown) != min(1000, len(gaps)):
        fail("gaps", len(shown), len(gaps))


if __name__ == "__main__":
    main(*sys.argv[1:])
