"""summary.py JOB STYLE: every file of JOB/summary must agree with the raw bytes, cell by cell."""
import csv
import json
import os
import sys
from fractions import Fraction

from schema_titles import line, titles
from svp import COUNTERS, MODES, Job, decimal, joined

def of_styles(report):
    return {"guide": line(titles("summary/svp/" + report)), "vendor": line(titles(f"summary/svp/{report}_vendor"))}


CORE, OP, ACL = of_styles("op_summary"), of_styles("op_statistic"), of_styles("acl_statistic")


def core_cells(style, ids, ticks, all_ticks, mhz, counters, read, write, is_total):
    cycles, none = ticks * 100, ["N/A"] * (len(COUNTERS) + 1)
    numbers = [decimal(cycles, mhz, 2), "100" if is_total else decimal(ticks * 100, all_ticks, 2)]
    if counters is None:  # they cannot be true
        return ids + numbers + none + ["N/A"] * 3
    busiest = max(counters["mac_busy"], counters["vec_ppen"])
    numbers += [decimal(counters[c] * 100, cycles, 2) for c in COUNTERS]
    numbers.append("0" if style == "vendor" and not busiest else decimal(max(counters["dstr"], counters["dld"], counters["wld"]), busiest, 2))
    amounts = (read, write, read + write)
    return ids + numbers + [decimal(a, 1000, 2) if style == "vendor" else str(a) for a in amounts]


def op_summary(job, key, style):
    tasks = [t for t in job.tasks[key] if t.unit == "CORE"]
    mhz, ticks = job.frequency[key.device], sum(t.ticks for t in tasks)
    sums = {c: sum(t.counters[c] for t in tasks) for c in COUNTERS} if job.shown else None
    ids = ["-"] * (5 if style == "vendor" else 4)
    read, write = (sum(t.read for t in tasks), sum(t.write for t in tasks)) if job.shown else (None, None)
    rows = [core_cells(style, ids, ticks, ticks, mhz, sums, read, write, True)]
    for t in tasks:
        layers = job.layers_of(key, t)
        number, name, kind, ori = (joined(layers, w) for w in ("layer_id", "name", "type", "ori"))
        ids = [str(t.task), number, name, kind, ori] if style == "vendor" else [number, ori, name, kind]
        rows.append(core_cells(style, ids, t.ticks, ticks, mhz, t.counters, t.read, t.write, False))
    hits, misses = job.icache[key]
    rate = f"{misses / (hits + misses):.6f}" if hits + misses else "N_A"
    place = (key.device, key.model, key.model_id, key.batch, key.input_pic, key.pic)
    return ".".join(map(str, place)) + f".{rate}.{decimal(mhz, 1, 6)}", rows


def time_us(task, mhz):
    return Fraction(task.ticks * 100) / mhz if task.unit == "CORE" else Fraction(task.dur, 1000)


def op_statistic(job, keys, style):
    groups = {}
    for key in keys:
        for t in job.tasks[key]:
            for layer in job.layers_of(key, t) or [{}]:
                kind = layer.get("type")
                groups.setdefault((kind is None, kind, t.stream, t.unit), []).append(time_us(t, job.frequency[key.device]))
    everything = sum(map(sum, groups.values()))
    rows = []
    for number, group in enumerate(sorted(groups, key=lambda g: (g[0], (g[1] or "").encode(), g[2:]))):
        times, (_, kind, stream, unit) = groups[group], group
        total, ratio = decimal(sum(times), 1, 2), decimal(sum(times) * 100, everything, 2)
        both = [total, ratio] if style == "vendor" else [ratio, total]
        rows.append(
            [str(number), str(stream), kind or "N/A", ("AI_" if style == "vendor" else "AA_") + unit, *both]
            + [str(len(times)), decimal(sum(times), len(times), 4), decimal(max(times), 1, 2), decimal(min(times), 1, 2)]
        )
    return rows


def acl_statistic(calls, style):
    groups, rows = {}, []
    vendor = style == "vendor"
    for c in (c for c in calls if c.type != 5):  # ranges contain calls
        key = str(c.pid), str(c.tid), MODES.get(c.type, str(c.type)), c.name or "N/A"
        groups.setdefault(key, []).append((c.end - c.begin) // 1000 if vendor else c.end - c.begin)
    everything = sum(map(sum, groups.values()))
    for key, times in groups.items():
        total = sum(times)
        if vendor:
            cells = [str(total), repr(total / everything * 100), str(len(times)), str(total // len(times))]
            rows.append([*key, *cells, str(min(times)), str(max(times))])
        else:
            cells = [decimal(total * 100, everything, 4), decimal(total, 1000, 3), str(len(times))]
            cells += [decimal(n, d, 3) for n, d in ((total, len(times) * 1000), (max(times), 1000), (min(times), 1000))]
            rows.append([*key, *cells])
    return rows


def expected(job, style):
    files = {}
    for key, tasks in job.tasks.items():
        if any(t.unit == "CORE" for t in tasks):
            name, rows = op_summary(job, key, style)
            files["op_summary_" + name] = CORE[style], rows
        name = f"op_statistic_{key.device}_{key.model_id}_{key.pic}_1"
        keys = [k for k in job.tasks if (k.device, k.model_id, k.pic) == (key.device, key.model_id, key.pic)]
        files[name] = OP[style], op_statistic(job, keys, style)
    for device, _, model_id in job.calls:
        calls = sum((c for k, c in job.calls.items() if (k[0], k[2]) == (device, model_id)), [])
        files[f"acl_statistic_{device}_{model_id}_1"] = ACL[style], acl_statistic(calls, style)
    return files


def check(name, extension, header, wanted, text):
    if extension == ".csv":
        found = list(csv.reader(text.splitlines()))
        assert text.splitlines()[0] == header, f"{name}: header {text.splitlines()[0]}"
        found = found[1:]
    else:
        objects = json.loads(text)
        assert text == json.dumps(objects, indent=4, ensure_ascii=False) + "\n", f"{name}: not indented by 4"
        strings = json.loads(text, parse_float=str, parse_int=str)
        found = [[o[title] for title in header.split(",")] for o in strings]
        assert all(list(o) == header.split(",") for o in objects), f"{name}: keys are not the columns in order"
        for o in objects:
            for title, value in o.items():
                number = not any(w in title for w in ("Name", "Type", "Layer I"))
                vendor_total = title == "Time Ratio(%)" and value == "100"
                if number and isinstance(value, str) and value not in ("N/A", "-") and not vendor_total:
                    raise AssertionError(f"{name}: {title} is the string {value!r}")
    if name.startswith("acl"):
        totals = [float(r[5]) for r in found]
        # whole microseconds may tell another order than the exact times
        assert header != ACL["guide"] or totals == sorted(totals, reverse=True), f"{name}: not sorted by total time"
        found, wanted = sorted(found), sorted(wanted)
    assert len(found) == len(wanted), f"{name}: {len(found)} rows, not {len(wanted)}"
    for number, (is_row, should) in enumerate(zip(found, wanted)):
        assert is_row == should, f"{name} row {number}:\n is     {is_row}\n should {should}"


def main(path, style):
    wanted = expected(Job(path), style)
    directory = os.path.join(path, "summary")
    present = {name for name in os.listdir(directory) if name != ".msprof"}  # the list of our own
    extensions = {os.path.splitext(f)[1] for f in present}
    assert extensions and extensions <= {".csv", ".json"}, present
    assert present == {n + e for n in wanted for e in extensions}, f"files {sorted(present)} not {sorted(wanted)}"
    for name, (header, rows) in wanted.items():
        for extension in sorted(extensions):
            with open(os.path.join(directory, name + extension), encoding="utf-8", newline="") as f:
                check(name, extension, header, rows, f.read())
    print(f"{len(wanted)} files, {sum(len(r) for _, r in wanted.values())} rows")


main(*sys.argv[1:])
