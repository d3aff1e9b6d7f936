#!/usr/bin/env python3
"""published.py: turns a published op_summary back into a job of a board whose counters lie in places drawn by a seed.

Usage: published.py --seed N --out DIR TABLE.tsv

DIR/JOB.../ has data/ and info.json.0; DIR/op_summary_....csv is the table, the only reference, in which long names are cut.
DIR/truth.json says what was drawn.
"""
import argparse
import csv
import json
import os
from fractions import Fraction

import learn
import learn_job
import published_fit
from learn_tables import COUNTERS

MODEL, MODEL_ID, MHZ = "goturn_nuquant", 11, 700


class Board(learn.Board):
    """Places that are drawn; the counters are those that fit the table."""

    def __init__(self, d, chip, scale, burst, seed):
        self.d, self.chip, self.is_total = d, chip, seed % 3 == 1
        self.widths = {name: (4, 8, d.choice((4, 8)))[seed % 3] for name in COUNTERS}
        if chip == "cv610":
            self.widths = dict.fromkeys(COUNTERS, 4)
        self.scales = {name: burst if name.startswith("ddr") else scale for name in COUNTERS}
        self.places = learn.draw_places(d, chip, self.widths)
        low, high = learn_job.WORDS[chip]
        used = {at for name, place in self.places.items() for at in range(place, place + self.widths[name])}
        self.noise = learn.Noise(d, set(range(low, high)) - used)

    def words_of(self, task):
        raw = {**task, "ddr_read_bytes": task["read"], "ddr_write_bytes": task["write"] + (task["read"] if self.is_total else 0)}
        return self.words(raw)


def fit(table, scale, burst):
    _, totals, rows = table
    return published_fit.Fit(totals, rows, MHZ, Fraction(100000, MHZ), scale, burst).find()


def whole(cell, count):
    """The texts of a cell that may be cut: the rest of the last one, and of what is not seen, is made up."""
    parts = cell.rstrip("~").split(",") if cell else []
    if cell.endswith("~"):
        parts[-1] += "_rest"
        parts += ["more%d" % number for number in range(len(parts), count)]
    return parts


def layers_of(rows, number):
    """The layers of a task."""
    cells = rows[number].cells
    ids = [int(text) for text in cells[1].rstrip("~").rstrip(",").split(",")]
    if cells[1].endswith("~"):
        ids = list(range(ids[0], int(rows[number + 1].cells[1].split(",")[0])))
    names, types = whole(cells[2], len(ids)), whole(cells[3], len(ids))
    return [{"id": layer, "name": names[k], "type": types[k], "ori": whole(cells[4], 1) if k == 0 else []} for k, layer in enumerate(ids)]


def main():
    parser = argparse.ArgumentParser(description="Turn a published op_summary into a job whose counters lie in unknown places.")
    parser.add_argument("table")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    table = published_fit.read_table(options.table)
    titles, totals, rows = table
    seed, d = options.seed, learn.Draw(options.seed, set(), False)
    wanted = ((1, 2, 4)[seed % 3], (1, 4, 8, 2)[seed % 4])
    scale, burst = next(pair for pair in (wanted, (1, 2), (1, 1)) if fit(table, *pair))
    board = Board(d, ("ss928", "dv500", "cv610")[seed // 2 % 3], scale, burst, seed)
    tasks = [{"id": number, "seg": 0, "ticks": task["took"], "words": board.words_of(task), "layers": layers_of(rows, number)}
             for number, task in enumerate(fit(table, scale, burst))]
    model = {"name": MODEL, "id": MODEL_ID, "batch": 256, "nets": [{"seg": 0, "tasks": tasks}]}
    inference = {"model": model, "pic": 0, "stream": 16, "start_us": 1795705366000000, "tasks": tasks}
    job = os.path.join(options.out, "JOB" + "".join(d.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(29)))
    learn_job.write_job(job, {"chip": board.chip, "mhz": MHZ, "models": [model], "inferences": [inference]})
    with open(os.path.join(options.out, "op_summary_0.%s.%d.256.1.0.0.000000.%d.csv" % (MODEL, MODEL_ID, MHZ)), "w", encoding="utf-8", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([titles, totals.cells, *(row.cells for row in rows)])
    with open(os.path.join(options.out, "truth.json"), "w", encoding="utf-8") as f:
        json.dump({"chip": board.chip, "places": board.places, "widths": board.widths, "scales": board.scales, "is_total": board.is_total}, f, indent=1)


if __name__ == "__main__":
    main()
