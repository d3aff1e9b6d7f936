#!/usr/bin/env python3
"""published.py: turns a published op_summary back into a job whose records have a layout of their own, drawn by a seed.

Usage: published.py --seed N --out DIR TABLE.tsv

DIR/JOB…/ has data/ and info.json.0; DIR/op_summary_….csv is the table, the only reference. DIR/truth.json says what was drawn.
Layouts go round: ten seeds in a row have every header, byte order, form of times, unit, scale, kind of padding and form of
layer.info. Encoder and fit are of this test alone: they share nothing with the decoder, nor with learn.py.
"""
import argparse
import csv
import json
import os
import random
from fractions import Fraction

import published_fit
from published_fit import COUNTERS

MODEL, MODEL_ID = "goturn_nuquant", 11
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
HEADERS = (0, 16, 4095, 0, 100, 1000, 7, 64, 0, 2500)
MHZ_OF_CORE = (700, 1400, 700, 2800)


def draw(seed, titles_totals_rows):
    """The layout of a seed, and the tasks in its units."""
    d = random.Random(seed)
    _, totals, rows = titles_totals_rows
    mhz = MHZ_OF_CORE[seed % 4]
    style = {
        "seed": seed, "mhz": mhz, "scale": mhz // 700 if seed % 3 else 1, "burst": (1, 16, 2, 8, 4)[seed % 5],
        "form": ("start+end", "pair", "start+duration")[seed % 3], "bits": 32 if seed % 4 in (1, 2) else 64,
        "endian": "big" if seed % 2 else "little", "header": HEADERS[seed % 10], "padding": ("zeros", "noise", "constant", "noise")[seed % 4],
        "matches": (1, 2, 0, 3)[seed % 4], "kinds": seed % 5 == 3, "total": seed % 3 == 1, "narrow": seed % 2 == 0,
        "aligned": seed % 3 != 0, "layers": ("lines", "keys", "arrays", "text")[seed % 4], "large": seed % 7 == 2,
    }
    while True:
        unit = ("tick100", "cycle", "%dmhz" % (7 * d.randrange(10, 143)), "%dmhz" % d.randrange(800, 1000))[seed % 4]
        ns_of = {"tick100": Fraction(100000, mhz), "cycle": Fraction(1000, mhz)}.get(unit) or Fraction(1000, int(unit[:-3]))
        tasks = published_fit.Fit(totals, rows, mhz, ns_of, style["scale"], style["burst"]).find()
        if tasks:
            return d, {**style, "unit": unit}, tasks


def records_of(d, style, tasks):
    """The values of all records in their order, with 32 bits turning over half way."""
    span = sum(task["took"] for task in tasks)
    now = (1 << 32) - span // 2 if style["bits"] == 32 else d.randrange(1 << 40, 1 << 44)
    for number, task in enumerate(tasks):
        begin, end = now, now + task["took"]
        now = end + d.randrange(1, 40)
        values = {"task_id": number, **{name: task[name] for name in (*COUNTERS, "read")}}
        values["total" if style["total"] else "write"] = task["write"] + (task["read"] if style["total"] else 0)
        if style["form"] == "pair":
            yield {"phase": 17, "clock": begin, **{name: 0 for name in values}, "task_id": number}
            yield {"phase": 34, "clock": end, **values}
        elif style["form"] == "start+end":
            yield {"start": begin, "end": end, **values}
        else:
            yield {"start": begin, "duration": task["took"], **values}


def type_of(d, style, values):
    fitting = [name for name, width in WIDTHS.items() if max(values) >> 8 * width == 0]
    return fitting[0] if style["narrow"] else d.choice(fitting[-2:])


def place(d, style, records):
    """Types and places of the fields, in any order, with gaps; and the size of a record."""
    fields = [("match%d" % number, d.choice(("u8", "u16", "u32"))) for number in range(style["matches"])]
    fields += [("kind", "u8")] if style["kinds"] else []
    for name in records[0]:
        is_time = name in ("start", "end", "clock")
        fields.append((name, "u%d" % style["bits"] if is_time else type_of(d, style, [values[name] for values in records])))
    d.shuffle(fields)
    placed, at = [], 0
    for name, kind in fields:
        at += d.choice((0, 0, 1, 4, 8, 120 if style["large"] else 3))
        at += -at % WIDTHS[kind] if style["aligned"] else 0
        placed.append({"name": name, "type": kind, "offset": at})
        at += WIDTHS[kind]
    return placed, max(16, at + d.choice((0, 0, 5, 16)) + (-at % 8 if style["aligned"] else 0))


def encode(d, style, records):
    fields, size = place(d, style, records)
    style.update({"fields": fields, "size": size})
    marks = {field["name"]: d.randrange(1, 256) * 0x01010101 for field in fields}
    fill = d.randrange(1, 255)

    def record(values, kind):
        noise = d.getrandbits(8 * size).to_bytes(size, "little")
        out = bytearray({"zeros": bytes(size), "constant": bytes([fill]) * size, "noise": noise}[style["padding"]])
        for field in fields:
            width = WIDTHS[field["type"]]
            value = values.get(field["name"], marks[field["name"]] if field["name"] != "kind" else kind)
            value &= (1 << 8 * width) - 1
            out[field["offset"]:field["offset"] + width] = value.to_bytes(width, style["endian"])
        return bytes(out)

    out = bytearray(d.getrandbits(8 * style["header"]).to_bytes(style["header"], "little") if style["header"] else b"")
    for values in records:
        out += record(values, 3)
        if style["kinds"] and d.random() < 0.4:
            out += record({name: d.getrandbits(8) for name in values}, d.choice((5, 9)))
    return bytes(out)


def whole(cell, count):
    """The texts of a cell that may be cut: the rest of the last one, and of what is not seen, is made up."""
    parts = cell.rstrip("~").split(",") if cell else []
    if cell.endswith("~"):
        parts[-1] += "_rest"
        parts += ["more%d" % number for number in range(len(parts), count)]
    return parts


def layers_of(rows):
    """(task, id, name, type, names of origin) of each layer."""
    layers = []
    for number, row in enumerate(rows):
        ids = [int(text) for text in row.cells[1].rstrip("~").rstrip(",").split(",")]
        if row.cells[1].endswith("~"):
            ids = list(range(ids[0], int(rows[number + 1].cells[1].split(",")[0])))
        names, types = whole(row.cells[2], len(ids)), whole(row.cells[3], len(ids))
        for k, layer in enumerate(ids):
            layers.append((number, layer, names[k], types[k], whole(row.cells[4], 1) if k == 0 else []))
    return layers


def layer_info(form, layers):
    if form == "text":
        return "".join("%d;%d;%s;%s;%s\n" % (task, layer, name, kind, ",".join(ori)) for task, layer, name, kind, ori in layers)
    if form == "arrays":
        columns = dict(zip(("op", "no", "title", "kind", "from"), map(list, zip(*layers))))
        return json.dumps({"net": columns}) + "\n"
    keys = ("task", "layers", "id", "name", "type", "ori") if form == "lines" else ("taskNo", "ops", "idx", "label", "opKind", "source")
    lines = []
    for number in range(layers[-1][0] + 1):
        of = [dict(zip(keys[2:], layer[1:])) for layer in layers if layer[0] == number]
        lines.append(json.dumps({keys[0]: number, "stream": 0, keys[1]: of}) + "\n")
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Turn a published op_summary into a job with a layout of its own.")
    parser.add_argument("table")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    table = published_fit.read_table(options.table)
    titles, totals, rows = table
    d, style, tasks = draw(options.seed, table)
    name = "%s.%d" % (MODEL, MODEL_ID)
    job = os.path.join(options.out, "JOB" + "".join(d.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(29)))
    os.makedirs(os.path.join(job, "data"))
    raw = encode(d, style, list(records_of(d, style, tasks)))
    files = {
        "data/aicore.0.%s.256.1.0" % name: raw, "data/aicore.0.%s.256.1.0.done" % name: b"filesize:%d\n" % len(raw),
        "data/%s.layer.info" % name: layer_info(style["layers"], layers_of(rows)).encode(),
        "data/%s.net.info" % name: b'{"batch": 256, "input_pic_num": 1}\n',
        "info.json.0": json.dumps({"version": 1, "device": 0, "frequency": style["mhz"]}).encode() + b"\n",
    }
    for path, data in files.items():
        with open(os.path.join(job, path), "wb") as f:
            f.write(data)
    with open(os.path.join(options.out, "op_summary_0.%s.256.1.0.0.000000.%d.csv" % (name, style["mhz"])), "w", encoding="utf-8", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([titles, totals.cells, *(row.cells for row in rows)])
    with open(os.path.join(options.out, "truth.json"), "w", encoding="utf-8") as f:
        json.dump(style, f, indent=1)


if __name__ == "__main__":
    main()
