"""made_up.py: documents of reports that are made up, and the page with one of them, put together as msprof does.

Usage: made_up.py KIND FILE. Kinds are the functions of KINDS.
"""

import json
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "schema", "page")
ADVICE = "Memory binds it (Memory Bound > 1): fuse it with its neighbours, so that its input stays on the chip."
HOSTILE = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "=HYPERLINK(\"http://example.invalid\",\"x\")", "+1+1", "@SUM(A1)", "-2+3",
           "a" * 10000, "卷积层" * 40, "\u2028\u2029\u202eevil", "'\"><svg onload=alert(3)>", "javascript:alert(4)", "&lt;b&gt;&amp;", ""]


def read(name):
    with open(os.path.join(PAGE, name), encoding="utf-8") as f:
        return f.read()


def joined(ending):
    return "".join(read(name) for name in sorted(os.listdir(PAGE)) if name.endswith(ending))


def write_page(document, path, texts=None):
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    texts = texts or read("texts/en.txt")
    places = {**dict(re.findall(r"^([a-z]+) = (.*)$", texts, re.M)), "texts": texts, "data": data, "css": joined(".css"), "js": joined(".js")}
    page = re.sub(r"\{([a-z]+)\}", lambda place: places[place[1]], read("page.html"))
    with open(path, "w", encoding="utf-8") as f:
        f.write(page)


def slices_of(rows):
    """Rows are (start, duration, name, depth), in order of their start."""
    starts = [row[0] for row in rows]
    return {"start": [b - a for a, b in zip([0] + starts, starts)], "dur": [row[1] for row in rows], "name": [row[2] for row in rows],
            "depth": [row[3] for row in rows] if any(row[3] for row in rows) else None, "truncated": False}


def track(name, group, kind, rows):
    return {"name": name, "group": group, "kind": kind, "slices": len(rows), "exact": slices_of(rows), "longest": None, "levels": None}


def levels_of(draw, length, rows):
    """Three levels of bins over rows, and the longest of them."""
    levels = []
    for bins in (512, 4096, 16384):
        busy, top, count = [0] * bins, [-1] * bins, [0] * bins
        most = [0] * bins
        for start, duration, name, _ in rows:
            i = min(bins - 1, start * bins // length)
            busy[i] += duration
            count[i] += 1
            if duration > most[i]:
                most[i], top[i] = duration, name
        levels.append({"bins": bins, "busy": [min(255, 255 * own * bins // length) for own in busy], "top": top, "count": count})
    longest = sorted(sorted(rows, key=lambda row: -row[1])[:1500])
    return {"name": "Stream 0", "group": "Device 0", "kind": "device", "slices": len(rows), "exact": None, "longest": slices_of(longest),
            "levels": levels}


def inference(draw, names, begin, scale=1.0):
    rows, at = [], begin
    for name in range(names):
        duration = int(scale * (20_000 + 900_000 * (name * 37 % 23 / 23) ** 2) * draw.uniform(0.97, 1.03))
        rows.append((at, duration, name, 0))
        at += duration + draw.choice((400, 2_500, 2_500, 60_000))
    return rows, at


def finding(rule, title, subject, severity, saving, advice):
    step = 11_637_643
    return {"rule": rule, "title": title, "subject": subject, "severity": severity, "confidence": "high", "step_ns": step,
            "time_ns": int(1.6 * saving * step), "share": 1.6 * saving, "saving_ns": int(saving * step), "saving_share": saving,
            "formula": "1065.9 us x (1 - 34.3 % / 70 %)", "advice": advice,
            "source": "the guide of the chip: Mac Ppen above 70 % in matrix layers",
            "evidence": [{"Task ID": 10, "Tasks": 2, "Mean(us)": 1065.928, "Type": "Convolution", "Mac Ppen(%)": 34.28, "DLD(%)": 30.83, "Memory Bound": 1.4},
                         {"Task ID": 16, "Tasks": 2, "Mean(us)": 821.5, "Type": "Convolution", "Mac Ppen(%)": 41.07, "DLD(%)": 28.28, "Memory Bound": None}]}


def advise(subjects):
    rules = [("svp_bound", "Layer below its bound", "high", 0.112, ADVICE),
             ("idle", "Device idle within steps", "medium", 0.064, "Start the next task before the last one ends, and keep work off the host in between."),
             ("aicpu", "Operator on the AI CPU", "medium", 0.043, "Replace it by operators that the core has, or move it behind the network."),
             ("conversion", "Operators that only change the format", "low", 0.018, "Give the neighbours the same format."),
             ("tiny", "Many tiny operators", "low", 0.011, "Fuse them."), ("first_slow", "First step much slower", "low", 0.007, "Warm up."),
             ("jitter", "Steps take unequally long", "low", 0.004, "Look at the slowest step.")]
    note = finding("unverified", "Layouts that were not compared with real data", "5 layouts of 7 files", "note", 0, "Compare one number.")
    note.update(saving_ns=None, saving_share=None, time_ns=None, share=None, step_ns=None)
    parts = [("Computing: matrix", 8536.144), ("Computing: vector", 1087.214), ("Computing: data movement", 315.0), ("AI CPU alone", 962.572),
             ("Idle", 736.714)]
    sum_us = sum(mean for _, mean in parts)
    overview = [{"table": "Headline", "rows": [{"Model": "resnet50", "Time(ms)": 11.638}]},
                {"table": "Where the time went", "group": "resnet50", "steps": 20, "mean_ns": 11637643, "per_second": 86,
                 "rows": [{"Part": part, "Mean(us)": mean, "Min(us)": mean * 0.98, "Max(us)": mean * 1.03, "Share(%)": round(100 * mean / sum_us, 2),
                           "Beside(us)": 0 if part != "Idle" else None} for part, mean in parts]},
                {"table": "Pace", "rows": [{"Group": "resnet50", "Steps": 20, "First(us)": 12907.1, "Median(us)": 11607.1, "MAD(us)": 8.4}]},
                {"table": "Longest idle gaps", "rows": [{"Step": 0, "From(us)": 9923.287, "Idle(us)": 60.2, "After": "conv4,relu4", "Before": "fc18",
                                                         "Reason": "host late", "Host in": None}]},
                {"table": "Host call around an inference", "no_data": "device and host have clocks of their own", "rows": []}]
    return {"schema": "msprof.advise/1", "jobs": [{
        "job": "JOBX", "overview": overview,
        "findings": [finding(rule, title, subjects[i % len(subjects)], severity, saving, advice)
                     for i, (rule, title, severity, saving, advice) in enumerate(rules)] + [note],
        "abstained": [{"rule": "svp_between", "reason": "fewer than 3 inferences follow each other"}]}]}


def changed(name, base, new, verdict, match="same"):
    return {"kind": "operator", "name": name if new is not None else None, "base_name": name if base is not None else None, "match": match,
            "base_ns": base or 0, "new_ns": new or 0, "change_ns": (new or 0) - (base or 0),
            "change_share": (new or 0) / base - 1 if base else None, "verdict": verdict}


def diff():
    rows = [changed("conv19,relu19", 1_821_571, 1_214_749, "faster"), changed("fc18,relu18", 1_065_928, 1_196_002, "slower"),
            changed("res22", 300_120, None, "faster", "gone"), changed("conv22,res22", None, 141_000, "slower", "new"),
            changed("conv34", 683_858, 685_002, "same"), changed("idle", 736_714, 700_001, "inconclusive")]
    total = {"base_ns": 12_405_200, "new_ns": 11_637_643, "change_ns": -767_557, "change_share": -767_557 / 12_405_200, "low_ns": -801_000,
             "high_ns": -730_500, "p": 0.0079, "verdict": "faster"}
    facts = [{"name": "model", "weight": 4, "base": "resnet50", "new": "resnet50", "equal": True},
             {"name": "clock", "weight": 3, "base": "600", "new": "700", "equal": False}]
    group = {"title": "resnet50", "what": "inference", "samples": "jobs", "base_steps": 100, "new_steps": 100, "total": total, "p95": total,
             "parts": {"new_ns": 141_000, "gone_ns": -300_120, "calls_ns": 0, "each_ns": -608_437}, "rows": rows}
    return {"schema": "msprof.diff/1", "base": {"jobs": 5, "name": "before"}, "new": {"jobs": 5, "name": "after"},
            "comparable": {"score": 84, "facts": facts}, "groups": [group],
            "calls": [changed("mdl_execute", 12_500_000, 11_730_000, "faster")],
            "conditions": [{"condition": "total > 5%", "result": "passed"}]}


def roofline(names):
    draw = random.Random(5)
    peak, bandwidth = 1.0e13, 2.56e10
    points = []
    for i, name in enumerate(names[:14]):
        work = 10 ** draw.uniform(0.3, 3.4)
        points.append({"name": name, "ops_per_byte": work, "ops_per_s": min(peak, work * bandwidth) * draw.uniform(0.2, 0.95), "share": 0.3 / (i + 2)})
    return {"peak_ops_per_s": peak, "bandwidth_bytes_per_s": bandwidth, "points": points}


def stacks():
    names = ["main", "infer", "mdl_execute", "malloc", "memcpy", "decode", "read", "post", "sort", "draw"]
    calls = [(-1, 0, 1000, 30, 1), (0, 1, 720, 20, 60), (1, 2, 540, 400, 60), (2, 4, 140, 140, 120), (1, 3, 160, 160, 61), (0, 5, 150, 50, 60),
             (5, 6, 100, 100, 900), (0, 7, 100, 40, 60), (7, 8, 40, 40, 60), (7, 9, 20, 20, 60)]
    nodes = [[above, name, total_ms * 1_000_000, self_ms * 1_000_000, count] for above, name, total_ms, self_ms, count in calls]
    return {"names": names, "nodes": nodes}


def operators(draw, names, count=None):
    columns = [{"key": "name", "title": "Operator", "unit": None, "type": "text"}, {"key": "time_us", "title": "Time", "unit": "us", "type": "number"},
               {"key": "share", "title": "Share", "unit": None, "type": "share"}, {"key": "verdict", "title": "Verdict", "unit": None, "type": "text"},
               {"key": "mac", "title": "Mac", "unit": "%", "type": "number"}, {"key": "mean_us", "title": "Mean", "unit": "us", "type": "number"},
               {"key": "tasks", "title": "Tasks", "unit": None, "type": "number"}, {"key": "type", "title": "Type", "unit": None, "type": "text"}]
    rows = []
    for i in range(count or len(names)):
        mean = round(1100 / (1 + i / 3) * draw.uniform(0.9, 1.0), 3)
        rows.append([names[i % len(names)], round(20 * mean, 3), mean / 11_637, ("ok", "low", "DLD")[i % 3],
                     None if i % 4 == 3 else round(draw.uniform(10, 95), 2), mean, 20, ("Convolution", "Pooling", "Eltwise", "Softmax")[i % 4]])
    return {"columns": columns, "rows": sorted(rows, key=lambda row: -row[1]), "omitted": 0, "omitted_time_ns": 0}


def host_track(length, names, first):
    rows = []
    at = 1000
    while at < length - 2_500_000:
        rows += [(at, 2_400_000, first, 0), (at + 40_000, 900_000, first + 1, 1), (at + 80_000, 300_000, first + 2, 2),
                 (at + 1_000_000, 1_200_000, first + 3, 1)]
        at += 2_600_000
    return track("Thread 4711", "Host", "host", rows)


def svp():
    draw = random.Random(928)
    names = [f"conv{i},relu{i}" if i % 3 else f"conv{i}" for i in range(1, 15)]
    names += ["pool15", "res16,relu16", "fc17,relu17", "softmax18", "proposal19", "卷积层_conv20", "detection21", "concat22"]
    rows, steps, at = [], [], 0
    for i in range(20):
        begin = at
        more, at = inference(draw, len(names), at, 1.2 if i == 0 else 1.0)
        rows += more
        steps.append((begin, at - begin, len(names), 0))
        at += 300_000
    length = at
    tracks = [track("Inferences", "Device 0", "step", steps), track("AA core", "Device 0", "device", rows[:]), host_track(length, names, len(names) + 1)]
    table = names + ["resnet50", "mdl_execute", "memcpy", "malloc", "stream_synchronize"]
    points = 600
    counters = [{"name": "DDR read", "unit": "MB/s", "track": "Device 0", "time_ns": [length * i // points for i in range(points)],
                 "value": [None if 300 < i < 320 else round(1500 + 900 * draw.random() + 600 * (i // 30 % 2), 1) for i in range(points)]},
                {"name": "Core busy", "unit": "%", "track": "Device 0", "time_ns": [length * i // points for i in range(points)],
                 "value": [round(60 + 38 * draw.random(), 1) for i in range(points)]}]
    return {"schema": "msprof.report/1", "version": "0.9.0",
            "job": {"name": "JOBQWMZKXVDRALNYTEPHSUCGIFBOJRKW", "family": "svp", "chip": "SS928 family", "collected_s": 1763900000,
                    "settings": [["Core clock", "700 MHz"], ["Model", "resnet50"], ["Batch", "1"]],
                    "verified": "Made-up data. No number on this page was measured."},
            "headline": [{"label": "Time of an inference", "value": 11.638, "unit": "ms", "text": "11.638", "note": "mean of 20"},
                         {"label": "Frames per second", "value": 85.93, "unit": "1/s", "text": "85.93", "note": "start to end"},
                         {"label": "Core busy", "value": 93.7, "unit": "%", "text": "93.7", "note": None},
                         {"label": "DDR per inference", "value": 26.9, "unit": "MB", "text": "26.9", "note": None},
                         {"label": "MAC efficiency", "value": 54.7, "unit": "%", "text": "54.7", "note": "of matrix layers"},
                         {"label": "Slowest of 100", "value": 12.9, "unit": "ms", "text": "12.91", "note": "p99"}],
            "advise": advise(["conv12", "proposal19", "conv4,relu4,res16,relu16"]), "advise_absent": None, "diff": None,
            "operators": operators(draw, names), "counters": counters, "roofline": roofline(names), "stacks": stacks(),
            "timeline": {"begin_ns": "1763900000000000123", "length_ns": length, "tasks": sum(t["slices"] for t in tracks), "names": table, "tracks": tracks,
                         "clock": "Times of the device count its own clock; the host's clock is another one."},
            "notes": [{"kind": "loss", "text": "12 records of the host were lost: the ring of thread 4711 was full."},
                      {"kind": "assumed", "text": "The core ran at 700 MHz, as info.json says."}]}


def with_diff():
    return {**svp(), "diff": diff()}


def apart():
    """Device and host have clocks of their own: that of the host is ten times as long."""
    document = svp()
    lines = document["timeline"]
    host = host_track(10 * lines["length_ns"], None, lines["names"].index("mdl_execute"))
    lines["tracks"][-1] = {**host, "clock": 1}
    lines["clocks"] = [{"begin_ns": lines["begin_ns"], "length_ns": lines["length_ns"]}, {"begin_ns": "5000", "length_ns": 10 * lines["length_ns"]}]
    lines["length_ns"] *= 10
    return document


def hostile():
    document = svp()
    names = document["timeline"]["names"]
    names[:len(HOSTILE)] = HOSTILE
    for row, name in zip(document["operators"]["rows"], HOSTILE):
        row[0] = name
    document["job"].update(name=HOSTILE[0], chip=HOSTILE[1], verified=HOSTILE[9], settings=[[HOSTILE[0], HOSTILE[6]]])
    document["advise"] = advise(HOSTILE)
    document["advise"]["jobs"][0]["findings"][0]["evidence"][0] = {HOSTILE[0]: HOSTILE[1], "x": HOSTILE[6]}
    document["diff"] = diff()
    document["diff"]["groups"][0]["rows"][0]["name"] = HOSTILE[1]
    document["diff"]["base"]["name"] = "/" + "very_long_directory/" * 8
    document["stacks"]["names"][:3] = HOSTILE[:3]
    document["notes"] = [{"kind": HOSTILE[1], "text": HOSTILE[6]}]
    for i, counter in enumerate(document["counters"]):
        counter["name"] = HOSTILE[i]
    document["timeline"]["tracks"][1].update(name=HOSTILE[6], group=HOSTILE[0])
    return document


def large():
    """A million tasks on eight streams: levels of detail, and the longest slices."""
    draw = random.Random(7)
    document = svp()
    names = [f"{kind}_{i}" for i in range(100) for kind in ("MatMul", "Add", "Softmax", "TransData", "LayerNorm")]
    length = 10_000_000_000
    tracks = []
    for stream in range(8):
        rows, at = [], draw.randrange(50_000)
        while len(rows) < 125_000 and at < length - 400_000:
            duration = int(draw.expovariate(1 / 52_000)) + 900
            rows.append((at, duration, min(499, int(draw.expovariate(1 / 60))), 0))
            at += duration + int(draw.expovariate(1 / 24_000))
        tracks.append({**levels_of(draw, length, rows), "name": f"Stream {stream}", "group": f"Device {stream // 4}"})
    document["timeline"] = {"begin_ns": "1763900000000000123", "length_ns": length, "tasks": sum(t["slices"] for t in tracks), "names": names, "tracks": tracks,
                            "clock": "All times count the clock of the device."}
    document["operators"] = {**operators(draw, names, 1000), "omitted": 212, "omitted_time_ns": 3_211_000}
    for counter in document["counters"]:
        counter["time_ns"] = [length * i // len(counter["value"]) for i in range(len(counter["value"]))]
    return document


def empty():
    return {"schema": "msprof.report/1", "version": "0.9.0", "job": {"name": "JOBEMPTY", "family": "svp", "chip": None, "settings": [], "verified": None},
            "headline": [], "advise": None, "advise_absent": "no task of the core has a time", "diff": None,
            "operators": {"columns": [], "rows": [], "omitted": 0, "omitted_time_ns": 0},
            "timeline": {"begin_ns": "0", "length_ns": 0, "clock": None, "tasks": 0, "names": [], "tracks": []}, "counters": [], "roofline": None,
            "stacks": None, "notes": []}


KINDS = {"svp": svp, "with_diff": with_diff, "apart": apart, "hostile": hostile, "large": large, "empty": empty}

if __name__ == "__main__":
    write_page(KINDS[sys.argv[1]](), sys.argv[2])
