#!/usr/bin/env python3
"""svp_reader.py: an independent reader of the JOB directories of SS928-family boards. It prints one JSON document.

Usage: svp_reader.py JOB              the job
       svp_reader.py --model FILE.om  the layers and nets of a model file
       svp_reader.py --pipe FILE      what a subscription wrote
       svp_reader.py --totals DIR     totals of all jobs, models and pipes below DIR; fails if a byte is not understood

Source: the forms as the maker's library writes them; see svp_forms.py. Files of msprof's own recorder are passed over.
"""

import json
import os
import re
import sys
from fractions import Fraction

import svp_forms as forms

OURS = ("msprof_api.", "recorder.json.")         # files of data/ that msprof's recorder adds; the library has none
IDENTITY = ("device", "model", "stream", "model_id", "batch", "input_pic_num", "current_pic")
FARTHEST = 10                                    # SS928 drops a record whose index is more above the last one


class Job:
    """Reads a job; afterwards `document` has everything."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.bytes = {}
        self.devices = {}
        self.markers = {}
        self.raw = {}                            # name: (kind, facts, data)
        self.layers, self.nets = {}, {}          # (model, model_id): list
        self.inferences, self.aicpu, self.calls, self.cont = [], [], [], []
        self.read_infos()
        self.soc = next(iter(self.devices.values()))["soc"] if self.devices else "SS928"
        self.read_files()
        self.read_models()
        self.read_records()
        self.check_markers()

    @property
    def document(self):
        first = next(iter(self.devices.values()), {"frequency_mhz": None})
        order = sorted(self.inferences, key=lambda i: (i["start_us"] is None, i["start_us"], str(i["model"]), i["current_pic"] or 0))
        return {
            "soc": self.soc, "frequency_mhz": first["frequency_mhz"],
            "devices": [{"device": d, **facts} for d, facts in self.devices.items()],
            "inferences": order, "aicpu": self.aicpu, "calls": self.calls, "cont": self.cont,
            "layers": [{"model": m, "model_id": i, "layers": rows} for (m, i), rows in sorted(self.layers.items())],
            "nets": [{"model": m, "model_id": i, "nets": rows} for (m, i), rows in sorted(self.nets.items())],
            "markers": self.markers, "bytes": self.bytes, "problems": self.problems,
        }

    def problem(self, name, text):
        self.problems.append(f"{name}: {text}")

    def account(self, name, size, record=0, unknown=0):
        self.bytes[name] = {"size": size, "record": record, "other": size - record - unknown, "unknown": unknown}
        if unknown:
            self.problem(name, f"{unknown} bytes not understood")

    def chip(self, device):
        return forms.SOCS[self.devices.get(device, {"soc": self.soc})["soc"]]

    def mhz(self, device):
        rate = self.devices.get(device, {}).get("frequency_mhz")
        return None if rate is None else Fraction(str(rate))

    # -- files

    def read_infos(self):
        found = [(int(m[1]), m[0]) for m in map(re.compile(r"info\.json\.([0-9]{1,9})").fullmatch, os.listdir(self.path)) if m]
        for device, name in sorted(found):
            with open(os.path.join(self.path, name), "rb") as f:
                data = f.read()
            soc, mhz, wrong = forms.read_info(data)
            if wrong:
                self.problem(name, wrong)
            rate = None if mhz is None else int(mhz) if mhz.denominator == 1 else float(mhz)
            self.devices[device] = {"soc": soc, "frequency_mhz": rate}
            self.account(name, len(data), unknown=len(data) if wrong and wrong.startswith("no DeviceInfo") else 0)
        if not found:
            self.problem("info.json", "missing")

    def read_files(self):
        folder = os.path.join(self.path, "data")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for name in names:
            place = os.path.join(folder, name)
            if name.endswith(".complete") or not os.path.isfile(place):
                continue
            with open(place, "rb") as f:
                data = f.read()
            if name.startswith(OURS):
                self.account(name, len(data))
            elif name.endswith(".done"):
                self.markers[name[:-5]], unknown = forms.read_marker(data)
                self.account(name, len(data), unknown=unknown)
            else:
                kind, facts = forms.read_name(name)
                if kind is None:
                    self.problem(name, "a name of no known form")
                    self.account(name, len(data), unknown=len(data))
                else:
                    self.raw[name] = (kind, facts, data)

    def of_kind(self, *kinds):
        return [(name, facts, data) for name, (kind, facts, data) in self.raw.items() if kind in kinds]

    # -- models

    def read_models(self):
        for kind, table, reader in (("layer.info", self.layers, forms.layers_of), ("net.info", self.nets, forms.nets_of)):
            for name, facts, data in self.of_kind(kind):
                items, unknown = forms.read_items(data)
                table[(facts["model"], facts["model_id"])] = reader(items)
                self.account(name, len(data), unknown=unknown)

    def layers_of_task(self, inference, task):
        """Layers whose prof_layer_id is the index, of the net of the record; without a net in the record only if one net has the id."""
        same = [l for l in self.layers.get((inference["model"], inference["model_id"]), []) if l["prof_id"] == task["index"]]
        if task["seg"] is not None:
            return [l for l in same if l["seg"] == task["seg"]]
        return same if len({l["seg"] for l in same}) == 1 else []

    # -- records

    def read_records(self):
        for name, facts, data in self.of_kind("aicore"):
            soc = self.chip(facts["device"])
            tasks, tail = forms.read_tasks(data, soc)
            self.account(name, len(data), record=len(data) - tail, unknown=tail)
            if "current_pic" in facts:
                self.one_inference(name, facts, tasks, len(data))
            else:
                self.shared(name, facts, tasks, len(data), soc.record)
        for name, facts, data in self.of_kind("aicpu"):
            records, unknown = forms.read_aicpu(data, self.chip(facts["device"]))
            self.account(name, len(data), record=len(data) - unknown, unknown=unknown)
            self.aicpu += [{**r, **{k: facts.get(k) for k in IDENTITY}, "file": name} for r in records]
            self.check_length(name, len(data))
            self.check_ends(name, records)
        for name, facts, data in self.of_kind("acl_api"):
            self.read_call_file(name, facts, data)
        for name, facts, data in self.of_kind("cont"):
            self.account(name, len(data), record=len(data))
            self.cont.append({**facts, "file": name, "values": list(data)})
            if len(data) != facts["steps"]:
                self.problem(name, f"{len(data)} bytes, not {facts['steps']}")

    def read_call_file(self, name, facts, data):
        calls, unknown = forms.read_calls(data, self.chip(facts["device"]))
        self.account(name, len(data), record=len(data) - unknown, unknown=unknown)
        if not data:
            self.problem(name, "empty: a model converted without --online_model_type=2?")
        for kind in sorted({c["type"] for c in calls if c["kind"] == "unknown"}):
            self.problem(name, f"unknown type {kind}")
        if any(c.pop("owner") not in (None, facts["model_id"]) for c in calls):
            self.problem(name, "a record of another model")
        if any(b["start_us"] < a["start_us"] for a, b in zip(calls, calls[1:])):
            self.problem(name, "calls are not in order of time")
        self.calls += [{"device": facts["device"], "model": facts["model"], "model_id": facts["model_id"], **c} for c in calls]
        self.check_length(name, len(data))
        self.check_ends(name, calls)

    def one_inference(self, name, facts, tasks, size):
        self.check_length(name, size)
        self.add(name, facts, self.markers.get(name, []), tasks)

    def shared(self, name, facts, tasks, size, record):
        """A file of several inferences: their markers, in order of time, tell how many bytes each has."""
        parts = []
        for marker, pairs in self.markers.items():
            kind, other = forms.read_name(marker)
            if kind == "aicore" and "current_pic" in other and facts.items() <= other.items():
                length = forms.marker_number(pairs, "file_len")
                start = forms.marker_number(pairs, "start_time")
                if length is None or length % record:
                    self.problem(marker + ".done", "file_len is no number of whole records")
                parts.append((start is None, start or 0, other["model_id"], marker, other, pairs, (length or 0) // record))
        at = 0
        for *_, marker, other, pairs, count in sorted(parts, key=lambda p: p[:4]):
            self.add(marker, other, pairs, tasks[at:at + count])
            if at + count > len(tasks):
                self.problem(marker, f"{count} records, but {max(len(tasks) - at, 0)} in the file")
            at += count
        told = sum(forms.marker_number(p[5], "file_len") or 0 for p in parts)
        if told != size:
            self.problem(name, f"file_len of all markers is {told}, the file has {size} bytes")
        if at < len(tasks):
            self.problem(name, f"{len(tasks) - at} records without a marker")
            self.add(name, facts, [], tasks[at:])

    def add(self, name, facts, pairs, tasks):
        inference = {key: facts.get(key) for key in IDENTITY}
        inference.update({
            "start_us": forms.marker_number(pairs, "start_time", most=2 ** 63 // 1000), "end_us": forms.marker_number(pairs, "end_time"),
            "cache_hit": forms.marker_number(pairs, "cache_hit"), "cache_miss": forms.marker_number(pairs, "cache_mis"),
            "rois": [int(n) for key, text in pairs if key == "online_batch_num" for n in text.split(",") if re.fullmatch("[0-9]{1,18}", n)],
        })
        if not pairs:
            self.problem(name, "no .done")
        elif inference["start_us"] is None:
            self.problem(name, "start_time is no time")
        mhz = self.mhz(inference["device"])
        timed = mhz is not None and inference["start_us"] is not None
        ticks, rows = 0, []
        for task in tasks:
            begin = forms.moment_ns(inference["start_us"], ticks, mhz) if timed else None
            ticks += task["ticks"]
            end = forms.moment_ns(inference["start_us"], ticks, mhz) if timed else None
            rows.append({"index": task["index"], "ticks": task["ticks"], "seg": task["seg"], "start_ns": begin,
                         "dur_ns": end - begin if timed else None, "words": task["words"], **forms.describe(self.layers_of_task(inference, task))})
        inference["tasks"] = rows
        self.inferences.append(inference)
        self.check_tasks(name, inference, tasks)

    # -- what does not agree

    def check_tasks(self, name, inference, tasks):
        for i, task in enumerate(tasks):
            if task["picture"] not in (None, inference["current_pic"]):
                self.problem(name, f"record {i} is of picture {task['picture']}")
            before = tasks[i - 1] if i and tasks[i - 1]["seg"] == task["seg"] else None
            if before and not before["index"] <= task["index"] <= before["index"] + FARTHEST:
                self.problem(name, f"index order: {task['index']} after {before['index']}")
            if task["ticks"] == 0:
                self.problem(name, f"record {i} has no ticks")

    def check_length(self, name, size):
        pairs = self.markers.get(name)
        if pairs is not None and forms.marker_number(pairs, "file_len") != size:
            self.problem(name, f"file_len differs from {size}")

    def check_ends(self, name, rows):
        """The marker of calls, and that of AI CPU nets, has the first start and the last end."""
        pairs = self.markers.get(name)
        if pairs is None:
            self.problem(name, "no .done")
        elif rows and forms.marker_number(pairs, "start_time") != rows[0]["start_us"]:
            self.problem(name, "start_time differs from the first record")
        elif rows and forms.marker_number(pairs, "end_time") != rows[-1]["end_us"]:
            self.problem(name, "end_time differs from the last record")

    def check_markers(self):
        shared = [facts for _, facts, _ in self.of_kind("aicore") if "current_pic" not in facts]
        for name in self.markers:
            facts = forms.read_name(name)[1]
            if not (name in self.raw or name.startswith(OURS) or any(facts and s.items() <= facts.items() for s in shared)):
                self.problem(name + ".done", "no such file")


def read_job(path):
    """The document of a JOB directory."""
    return Job(path).document


def totals(top):
    """One line for each thing below top, and the sums; 1 if a byte is not understood."""
    sums = dict.fromkeys(("jobs", "inferences", "tasks", "aicpu", "calls", "cont", "files", "bytes", "models", "subscribed", "unknown"), 0)
    for folder, folders, names in sorted(os.walk(top)):
        if os.path.basename(folder).startswith("JOB") and len(os.path.basename(folder)) == 32:
            job = read_job(folder)
            counts = {"jobs": 1, "inferences": len(job["inferences"]), "tasks": sum(len(i["tasks"]) for i in job["inferences"]),
                      "aicpu": len(job["aicpu"]), "calls": len(job["calls"]), "cont": len(job["cont"]), "files": len(job["bytes"]),
                      "bytes": sum(b["size"] for b in job["bytes"].values()), "unknown": sum(b["unknown"] for b in job["bytes"].values())}
            print(os.path.relpath(folder, top), job["soc"], counts)
            print("".join(f"    {p}\n" for p in job["problems"]), end="")
        else:
            models = [forms.read_model(os.path.join(folder, n)) for n in names if n.endswith(".om")]
            pipes = [forms.read_subscribed(os.path.join(folder, n)) for n in names if n == "subscribe.bin"]
            counts = {"models": len(models), "subscribed": sum(len(p[0]) for p in pipes),
                      "unknown": sum(m["bytes"]["unknown"] for m in models) + sum(p[1] for p in pipes)}
        for key, n in counts.items():
            sums[key] += n
    print(json.dumps(sums))
    return 1 if sums["unknown"] else 0


def main(args):
    if len(args) == 2 and args[0] == "--totals":
        return totals(args[1])
    if len(args) == 2 and args[0] == "--model":
        document = forms.read_model(args[1])
    elif len(args) == 2 and args[0] == "--pipe":
        document = forms.read_subscribed(args[1])[0]
    elif len(args) == 1 and os.path.isdir(args[0]):
        document = read_job(args[0])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print(json.dumps(document, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
