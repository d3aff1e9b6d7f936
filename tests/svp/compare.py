#!/usr/bin/env python3
"""compare.py: does msprof read a JOB directory of an SS928-family board as the independent reader does?

Usage: compare.py BUILD/msprof JOB

A copy of JOB is imported with the given msprof. Then each number and each name of sqlite/msprof.db is compared with
svp_reader.py, which knows only the forms as the maker's library writes them. Prints one line and exits with 0, or the
differences and exits with 1; 2 if nothing could be compared.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import svp_reader

NO_SEG = 4294967295                              # the record of this chip does not name its net
BESIDE = (NO_SEG, -1)                            # op has rows for records without a net, and for the AI CPU: see task_names
TYPES = {"model": 2, "runtime": 3}
COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld", "ddr_read_bytes", "ddr_write_bytes")
TASK = ("task_id", "seg_id", "ticks", "start_ns", "dur_ns")
CALL = ("name", "type", "start_ns", "dur_ns", "pid", "tid")
AICPU = ("task_id", "start_ns", "dur_ns")
SHOWN = 40


class Comparison:
    def __init__(self, job, db):
        self.job, self.db = job, db
        self.differences = []

    def rows(self, sql, *values):
        return [tuple(r) for r in self.db.execute(sql, values)]

    def same(self, what, ours, theirs):
        """Notes a difference between the reader (ours) and the database (theirs)."""
        if ours != theirs:
            self.differences.append(f"{what}: reader {ours!r}, msprof {theirs!r}")
        return ours == theirs

    def same_rows(self, what, columns, ours, theirs):
        self.same(f"{what}: rows", len(ours), len(theirs))
        for i, (a, b) in enumerate(zip(ours, theirs)):
            for column, mine, other in zip(columns, a, b):
                self.same(f"{what}: row {i} {column}", mine, other)

    def records(self, columns, target, source):
        """The records of a row of source, in the order of the file."""
        number, first, last = source
        found = self.rows(f"SELECT {','.join(columns)} FROM {target} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", first, last)
        self.same(f"{target}: rows of source {number} between first_row and last_row", len(found), 0 if first is None else last - first + 1)
        return found

    def sources(self, target, *names):
        """Rows of source as {identity: [(id, first_row, last_row)]}."""
        found = {}
        for row in self.rows(f"SELECT id, first_row, last_row, {','.join(names)} FROM source WHERE target = ?", target):
            found.setdefault(row[3:], []).append(row[:3])
        return found

    def one_source(self, what, sources, identity):
        found = sources.pop(identity, [])
        self.same(f"{what}: rows of source", 1, len(found))
        return found[0] if len(found) == 1 else None

    # -- parts

    def devices(self):
        for device in self.job["devices"]:
            number = device["device"]
            self.same_rows(f"device {number}", ("soc", "frequency_mhz"), [(device["soc"], device["frequency_mhz"])],
                           self.rows("SELECT soc, frequency_mhz FROM device WHERE device_id = ?", number))

    def tasks(self):
        names = ("device_id", "model", "coalesce(stream_id, 0)", "model_id", "batch", "input_pic_num", "current_pic")
        sources = self.sources("aicore_task", *names)
        for inference in self.job["inferences"]:
            identity = tuple(inference[k] for k in svp_reader.IDENTITY)
            identity = identity[:2] + (identity[2] or 0,) + identity[3:]
            what = "aicore " + ".".join(map(str, identity))
            source = self.one_source(what, sources, identity)
            if not source:
                continue
            ours = [(t["index"], NO_SEG if t["seg"] is None else t["seg"], t["ticks"], t["start_ns"], t["dur_ns"]) for t in inference["tasks"]]
            self.same_rows(what, TASK, ours, self.records(TASK, "aicore_task", source))
            self.counters(what, inference["tasks"], self.records(COUNTERS, "aicore_task", source))
            self.task_names(what, inference["tasks"], source)
            self.marker(source[0], self.marker_name(inference))
        for identity in sources:
            self.same(f"aicore {identity}", "nothing", "a row of source")

    def marker_name(self, inference):
        parts = [inference[k] for k in svp_reader.IDENTITY if inference[k] is not None]
        return ".".join(map(str, ["aicore"] + parts))

    def counters(self, what, tasks, theirs):
        """The ten assumed counters are the first ten words, where the database has them at all."""
        for i, (task, row) in enumerate(zip(tasks, theirs)):
            for column, word, value in zip(COUNTERS, task["words"], row):
                if value is not None:
                    self.same(f"{what}: row {i} {column}", word, value)

    def task_names(self, what, tasks, source):
        named = {row: (name, kind) for row, name, kind in
                 self.rows("SELECT row, name, type FROM tasks WHERE source_id = ? AND task_type = 'AA_CORE'", source[0])}
        self.same(f"{what}: rows of tasks", len(tasks), len(named))
        for i, task in enumerate(tasks):
            name = task["names"] if task["oris"] is None else task["oris"]
            self.same(f"{what}: names of row {i}", (name, task["types"]), named.get(source[1] + i))

    def ops(self):
        """All layers of all models, grouped by net and prof_layer_id; not those that tasks without a net have once more."""
        for model in self.job["layers"]:
            ours = {}
            for layer in model["layers"]:
                if layer["prof_id"] is not None:
                    ours.setdefault((layer["seg"], layer["prof_id"]), []).append(layer)
            theirs = {row[:2]: row[2:] for row in self.rows(
                "SELECT seg_id, task_id, CAST(layer_ids AS TEXT), names, types, oris FROM op JOIN net ON net.id = op.net_id"
                " WHERE net.model = ? AND net.model_id = ? AND op.seg_id NOT IN (-1, ?)", model["model"], model["model_id"], NO_SEG)}
            for key in sorted(set(ours) | set(theirs), key=str):
                texts = svp_reader.forms.describe(ours.get(key, []))
                mine = (",".join(map(str, texts["layer_ids"])) or None, texts["names"], texts["types"], texts["oris"])
                self.same(f"op {model['model']}.{model['model_id']} net {key[0]} task {key[1]}", mine, theirs.get(key, (None,) * 4))

    def calls(self):
        """Calls of each file. Where our recorder wrote the same calls in its own form, the library's form is not loaded."""
        sources, compared = self.sources("api_call", "file"), 0
        for name in sorted(self.job["bytes"]):
            kind, facts = svp_reader.forms.read_name(name)
            if kind != "acl_api" or name.replace("acl_api", "msprof_api", 1) in self.job["bytes"]:
                continue
            ours = [(c["name"], TYPES.get(c["kind"]), c["start_us"] * 1000, (c["end_us"] - c["start_us"]) * 1000, c["pid"], c["tid"])
                    for c in self.job["calls"] if all(c[k] == v for k, v in facts.items())]
            source = self.one_source(name, sources, (f"data/{name}",))
            if source:
                theirs = self.records(CALL, "api_call", source)
                known = [(r[0], None if not mine[1] else r[1], *r[2:]) for mine, r in zip(ours, theirs)] + theirs[len(ours):]
                self.same_rows(name, CALL, ours, known)
                self.marker(source[0], name)
                compared += len(ours)
        return compared

    def aicpu_and_cont(self):
        sources = self.sources("aicpu_task", "file")
        for name in sorted({a["file"] for a in self.job["aicpu"]}):
            source = self.one_source(name, sources, (f"data/{name}",))
            if source:
                ours = [(a["number"], a["start_us"] * 1000, (a["end_us"] - a["start_us"]) * 1000) for a in self.job["aicpu"] if a["file"] == name]
                self.same_rows(name, AICPU, ours, self.records(AICPU, "aicpu_task", source))
                self.marker(source[0], name)
        sources = self.sources("cont_step", "file")
        for cont in self.job["cont"]:
            source = self.one_source(cont["file"], sources, (f"data/{cont['file']}",))
            if source:
                self.same_rows(cont["file"], ("cont",), [(v,) for v in cont["values"]], self.records(("cont",), "cont_step", source))

    def marker(self, source, name):
        """The pairs of a marker belong to the row of source of its records, or to its own row."""
        theirs = self.rows("SELECT key, CAST(value AS TEXT) FROM marker_value WHERE source_id = ?"
                           " OR source_id IN (SELECT id FROM source WHERE file = ?)", source, f"data/{name}.done")
        self.same(f"{name}.done", sorted(map(tuple, self.job["markers"].get(name, []))), sorted(theirs))

    def all_bytes(self):
        """Raw files are accounted to the last byte; nothing is damaged that the reader understands."""
        for name, size in self.job["bytes"].items():
            if name.endswith(".done") or name.startswith("info.json."):
                continue
            have, record, damaged = self.rows("SELECT total(record_bytes + blank_bytes + damaged_bytes), total(record_bytes), total(damaged_bytes)"
                                              " FROM source WHERE file = ?", f"data/{name}")[0]
            self.same(f"{name}: bytes", size["size"], int(have))
            recorded = name.startswith("acl_api.") and "msprof_api." + name.split(".", 1)[1] in self.job["bytes"]
            if not size["unknown"]:
                self.same(f"{name}: damaged bytes", 0, int(damaged))
                if size["record"] and not recorded:
                    self.same(f"{name}: bytes of records", size["record"], int(record))
        if not any(b["unknown"] for b in self.job["bytes"].values()):
            self.same("damage", [], self.rows("SELECT file, offset, bytes, reason FROM damage"))

    def run(self):
        self.devices()
        self.tasks()
        self.ops()
        calls = self.calls()
        self.aicpu_and_cont()
        self.all_bytes()
        tasks = sum(len(i["tasks"]) for i in self.job["inferences"]) + len(self.job["aicpu"])
        return tasks, calls, len(self.job["bytes"])


def compare(path, database):
    """(counts, differences) of a JOB directory and a database."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
        comparison = Comparison(svp_reader.read_job(path), db)
        counts = comparison.run()
    return counts, comparison.differences


def main(args):
    if len(args) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(os.path.abspath(args[1])))
        shutil.copytree(args[1], copy, ignore=shutil.ignore_patterns("sqlite", "*.complete"))
        done = subprocess.run([args[0], "import", "-dir", copy], capture_output=True, text=True, errors="replace", umask=0o077, check=False)
        if done.returncode not in (0, 3):
            print(f"compare.py: import exits with {done.returncode}: {done.stderr}", file=sys.stderr)
            return 2
        try:
            counts, differences = compare(copy, os.path.join(copy, "sqlite", "msprof.db"))
        except sqlite3.Error as error:
            print(f"compare.py: {error}", file=sys.stderr)
            return 2
    for line in differences[:SHOWN]:
        print(line)
    text = "{} tasks, {} calls, {} files compared: ".format(*counts)
    print(text + (f"{len(differences)} differences" if differences else "equal"))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
