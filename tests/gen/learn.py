#!/usr/bin/env python3
"""learn.py: makes the JOB of a board whose counters lie where nobody knows, with the tables that the board's own tool would make.

Usage: learn.py --seed N --out DIR [--plain] [--tasks N] [--force FEATURE]...

DIR/JOB.../ has data/, info.json.0 and summary/; DIR/truth.json has the place of each counter, and its value in each record. Places,
widths, scales, noise and what befell the tables are drawn by the seed. --plain: SS928, 40 tasks, 32-bit words, one whole table.
"""
import argparse
import json
import os
import random
from fractions import Fraction

import learn_job
import learn_tables
from learn_tables import COUNTERS, RATIOS

TYPES = ("Convolution", "Convolution", "Convolution", "Pooling", "Eltwise", "InnerProduct", "Softmax", "Permute", "Concat")
MATRIX = ("Convolution", "InnerProduct")
WORDS = ("conv", "pool", "res", "fc", "norm", "层", "卷积", "x")
FEATURES = ("mille", "scaled", "total", "u16", "u32", "u64", "json", "vendor", "default", "cut_rule", "zero_column")


class Draw(random.Random):
    """Draws of one seed; features may be forced."""

    def __init__(self, seed, forced, plain):
        super().__init__(seed)
        self.forced, self.plain = forced, plain

    def has(self, feature, chance):
        drawn = self.random() < chance
        return feature in self.forced or (drawn and not self.plain)


def draw_model(d, number, chip, count):
    """Nets of tasks of one or several layers."""
    nets, layer_id = [], 0
    for seg in range(2 if chip == "ss928" and count > 30 and d.has("nets", 0.2) else 1):
        tasks = []
        for index in range(count if seg == 0 else count // 2):
            layers = []
            for _ in range(d.choice((1, 1, 1, 2, 4)) if index else 1):
                kind = "Preprocess" if index == 0 and seg == 0 else d.choice(TYPES)
                name = "%s%d_%d" % (d.choice(WORDS), seg, layer_id)
                ori = [name, name + "_relu"] if d.random() < 0.3 else [name] if d.random() < 0.9 else []
                layers.append({"id": layer_id, "name": name, "type": kind, "ori": ori})
                layer_id += 1
            tasks.append({"id": index, "layers": layers})
        nets.append({"seg": seg, "tasks": tasks})
    return {"name": d.choice(("resnet50", "yolov5n_noquat", "kws-610-pro", "网络", "net#7")), "id": number, "batch": d.choice((1, 1, 4, 256)), "nets": nets}


def draw_ratios(d, task, zero):
    """The share of each counter of the task's cycles, and bytes a cycle."""
    kinds = [layer["type"] for layer in task["layers"]]
    busy = d.uniform(0.3, 0.99) if any(kind in MATRIX for kind in kinds) else d.uniform(0.1, 0.9) if "Pooling" in kinds else 0
    vec = d.uniform(0.05, 0.98)
    ratios = {"mac_busy": busy, "mac_ppen": busy * d.uniform(0.2, 0.999), "vec_busy": vec, "vec_ppen": vec * d.uniform(0.01, 0.7),
              "dstr": d.uniform(0, 0.9) if d.random() < 0.8 else 0, "dtrans": d.uniform(0, 0.3) if d.random() < 0.35 else 0,
              "dld": d.uniform(0.001, 0.95) if d.random() < 0.85 or "Preprocess" in kinds else 0, "wld": d.uniform(0, 0.8) if busy > 0.3 else 0,
              "ddr_read_bytes": d.uniform(0.001, 16), "ddr_write_bytes": d.uniform(0.001, 8) if d.random() < 0.9 else 0}
    return {name: 0 if name in zero else ratio for name, ratio in ratios.items()}


def draw_scales(d, widths, longest):
    """How much one of each counter is: cycles, "mille", or bytes."""
    mille = d.has("mille", 0.25)
    common = 1 << d.randrange(0, 9) if d.has("scaled", 0.3) else 1
    scales = {}
    for name in RATIOS:
        scale = common if d.random() < 0.8 else 1 << d.randrange(0, 7)
        scale = common if d.plain else scale
        while longest * 100 // scale >> 8 * widths[name]:
            scale *= 2
        scales[name] = "mille" if mille and d.random() < 0.8 else scale
    burst = 1 if d.plain else d.choice((1, 1, 8, 16, 32, 64, 1000, 1024))
    if min(widths["ddr_read_bytes"], widths["ddr_write_bytes"]) == 2:
        burst = d.choice((1000, 1024)) if longest * 100 * 24 // 1024 >> 16 == 0 else None
    if burst is None:
        widths["ddr_read_bytes"] = widths["ddr_write_bytes"] = 4
        burst = 64
    scales["ddr_read_bytes"] = scales["ddr_write_bytes"] = burst
    return scales


def draw_places(d, chip, widths):
    """Places in the hardware's words that share no bytes, each aligned to its width."""
    low, high = learn_job.WORDS[chip]
    if d.plain:
        return {name: low + 4 * index for index, name in enumerate(COUNTERS)}
    while True:
        free, places = set(range(low, high)), {}
        names = list(COUNTERS)
        d.shuffle(names)
        names.sort(key=lambda name: -widths[name])
        for name in names:
            width = widths[name]
            fits = [at for at in range(low, high - width + 1) if at % min(width, 4) == 0 and free.issuperset(range(at, at + width))]
            if not fits:
                break
            places[name] = d.choice(fits)
            free -= set(range(places[name], places[name] + width))
        else:
            return {name: places[name] for name in COUNTERS}


class Noise:
    """What lies in the words that count nothing."""

    def __init__(self, d, free):
        self.d, self.kinds = d, {}
        for word in sorted({at // 4 * 4 for at in free}):
            self.kinds[word] = d.choice(("zero", "zero", "constant", "noise", "small", "sparse", "growing"))
        self.constants = {word: d.getrandbits(32) for word in self.kinds}
        self.grown = dict.fromkeys(self.kinds, 0)

    def word(self, word):
        d, kind = self.d, self.kinds[word]
        self.grown[word] += d.randrange(1, 5000)
        value = {"zero": 0, "constant": self.constants[word], "noise": d.getrandbits(32), "small": d.randrange(0, 1001),
                 "sparse": d.randrange(1, 1 << 20) if d.random() < 0.1 else 0, "growing": self.grown[word]}[kind]
        return (value & 0xffffffff).to_bytes(4, "little")


class Board:
    """Places and scales of the counters, and the encoder of their words."""

    def __init__(self, d, chip, longest):
        self.d, self.chip = d, chip
        forced = next((width for feature, width in (("u16", 2), ("u32", 4), ("u64", 8)) if feature in d.forced), None)
        widths = forced or (4 if d.plain else d.choice((4, 4, 8, 2, None)))
        self.widths = {name: widths or d.choice((2, 4, 4, 8)) for name in COUNTERS}
        if chip == "cv610" and sum(self.widths.values()) > 100:
            self.widths = dict.fromkeys(COUNTERS, 4)
        self.scales = draw_scales(d, self.widths, longest)
        self.is_total = d.has("total", 0.25)
        self.places = draw_places(d, chip, self.widths)
        low, high = learn_job.WORDS[chip]
        used = {at for name, place in self.places.items() for at in range(place, place + self.widths[name])}
        self.noise = Noise(d, [] if d.plain else set(range(low, high)) - used)

    def count(self, task, ratios):
        """What the hardware counts of a task: numbers in the records, and what they mean."""
        cycles = task["ticks"] * 100
        raw, values = {}, {}
        for name in COUNTERS:
            scale, most = self.scales[name], (1 << 8 * self.widths[name]) - 1
            if scale == "mille":
                raw[name] = round(ratios[name] * 1000)
                values[name] = Fraction(raw[name] * cycles, 1000)
            else:
                raw[name] = min(int(ratios[name] * cycles) // scale, most)
                values[name] = Fraction(raw[name] * scale)
        for busy, ppen in (("mac_busy", "mac_ppen"), ("vec_busy", "vec_ppen")):
            while values[ppen] > values[busy]:
                raw[ppen] -= 1
                values[ppen] = Fraction(raw[ppen] * cycles, 1000) if self.scales[ppen] == "mille" else Fraction(raw[ppen] * self.scales[ppen])
        if self.is_total:
            total = raw["ddr_read_bytes"] + raw["ddr_write_bytes"]
            if total >> 8 * self.widths["ddr_write_bytes"]:
                total = raw["ddr_read_bytes"]
                values["ddr_write_bytes"] = Fraction(0)
            raw["ddr_write_bytes"] = total
        return raw, values

    def words(self, raw):
        low, high = learn_job.WORDS[self.chip]
        out = bytearray(high - low)
        for word in self.noise.kinds:
            out[word - low:word - low + 4] = self.noise.word(word)
        for name in COUNTERS:
            at = self.places[name] - low
            out[at:at + self.widths[name]] = raw[name].to_bytes(self.widths[name], "little")
        return bytes(out)


def draw_inferences(d, chip, models, board, zero):
    """What each model ran, one inference behind the other."""
    inferences, now = [], 1795705366000000
    for turn in range(1 if d.plain else d.choice((1, 1, 2, 4))):
        for model in models:
            tasks = []
            for net in model["nets"]:
                for task in net["tasks"]:
                    made = {**task, "seg": net["seg"], "ticks": task["ticks"] + d.randrange(0, 3)}
                    raw, values = board.count(made, draw_ratios(d, task, zero))
                    tasks.append({**made, "values": values, "words": board.words(raw)})
            pic = 2 * turn * (model["batch"] if model["batch"] == 4 else 1)
            inferences.append({"model": model, "pic": pic, "stream": 16, "start_us": now, "tasks": tasks})
            now += d.randrange(10000, 90000) + sum(task["ticks"] for task in tasks)
    return inferences


def befall(d, rows, style):
    """Rows may be filtered, in another order, or cut short; the row of totals may be missing."""
    total, tasks = rows[:1], rows[1:]
    if d.has("filtered", 0.25) and len(tasks) > 20:
        tasks = [row for row in tasks if d.random() < 0.8] or tasks
    if d.has("short", 0.15):
        tasks = tasks[:max(20, len(tasks) * 2 // 3)]
    if d.has("ordered", 0.25):
        time = 5 if style == "vendor" else 4
        tasks.sort(key=lambda row: -float(row[time]))
    return tasks if d.has("no_total", 0.15) else total + tasks


def write_tables(d, job, board, mhz, rounding, encoding):
    """A table of each inference. Returns their names, and those that are whole."""
    os.makedirs(os.path.join(job, "summary"))
    style = "vendor" if "vendor" in d.forced or d.plain or (d.random() < 0.6 and "default" not in d.forced) else "default"
    names = []
    for inference in board["inferences"]:
        form = "json" if d.has("json", 0.25) else "csv"
        titles, rows = learn_tables.op_summary(inference, mhz, style, *rounding, cut=0 if d.plain else d.choice((0, 0, 10, 16)))
        name = learn_tables.file_name(inference["model"], inference, mhz) + "." + form
        with open(os.path.join(job, "summary", name), "wb") as f:
            f.write(learn_tables.encode(titles, befall(d, rows, style), form, encoding))
        names.append(name)
    return names


def truth_of(board, places):
    """The value of each counter in each record, as fractions: [numerator, denominator]."""
    inferences = [{"model": i["model"]["name"], "model_id": i["model"]["id"], "batch": i["model"]["batch"], "pic": i["pic"],
                   "file": i["file"], "first": i["first"],
                   "tasks": [{"id": task["id"], "seg": task["seg"], "ticks": task["ticks"],
                              "values": {name: [value.numerator, value.denominator] for name, value in task["values"].items()}} for task in i["tasks"]]}
                  for i in board["inferences"]]
    return {"chip": board["chip"], "mhz": board["mhz"], "inferences": inferences, **places}


def make(d, out, count):
    chip = "ss928" if d.plain else d.choice(tuple(learn_job.SIZES))
    mhz = 700 if d.plain else d.choice((700, 700, 500, 800, 1228))
    sizes = [count or (40 if d.plain else d.randrange(20, 70)) for _ in range(2 if d.has("models", 0.25) else 1)]
    models = [draw_model(d, number, chip, size) for number, size in enumerate(sizes)]
    longest = 0
    for model in models:
        for net in model["nets"]:
            for task in net["tasks"]:
                task["ticks"] = int(10 ** d.uniform(0.7, 4.2))
                longest = max(longest, task["ticks"] + 3)
    placed = Board(d, chip, longest)
    zero = {d.choice(("dtrans", "dtrans", "wld", "dstr"))} if d.has("zero_column", 0.1) else set()
    board = {"chip": chip, "mhz": mhz, "models": models, "inferences": draw_inferences(d, chip, models, placed, zero)}
    ways = ((2, "even"), (2, "even"), (2, "double"), (2, "cut"), (0, "even"), (4, "even"), (6, "even"), (4, "cut"))
    rounding = (2, "even") if d.plain else d.choice(ways)
    encoding = "utf-8" if d.plain else d.choice(("utf-8", "utf-8", "gbk"))
    job = os.path.join(out, "JOB" + "".join(d.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(29)))
    learn_job.write_job(job, board)
    tables = write_tables(d, job, board, mhz, rounding, encoding)
    places = {"places": placed.places, "widths": placed.widths, "scales": placed.scales, "is_total": placed.is_total, "rounding": rounding,
              "encoding": encoding, "zero": sorted(zero), "tables": tables}
    with open(os.path.join(out, "truth.json"), "w", encoding="utf-8") as f:
        json.dump(truth_of(board, places), f)
    return job, board


def main():
    parser = argparse.ArgumentParser(description="Make a job whose counters lie in unknown places, and its tables.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--tasks", type=int, default=0)
    parser.add_argument("--force", action="append", default=[])
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    make(Draw(options.seed, set(options.force), options.plain), options.out, options.tasks)


if __name__ == "__main__":
    main()
