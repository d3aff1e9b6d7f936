#!/usr/bin/env python3
"""learn.py: writes a job of a made-up board, whose records have a layout drawn by a seed, and the vendor's tables of it.

Usage: learn.py --seed N --out DIR [--tasks N] [--plain] [--odd-clocks] [--force FEATURE]... [--avoid FEATURE]...

DIR/JOB…/ has data/, info.json.N, and the references in summary/, timeline/, sqlite/. DIR/truth.json says what was drawn. The
same seed and options give the same bytes. Features are the first arguments of chance() in learn_*.py, such as pair, wrap, kinds,
numbered, damage; also permille, multiple, layers_FORM, dictionary_FORM. core.pair is the pairs of one kind of records. --plain
avoids all features; --odd-clocks draws clocks of records that do not divide the clock of the core.
"""
import argparse
import json
import os

import learn_draw
import learn_encode
import learn_info
import learn_refs
import learn_tables
import learn_world

FREQUENCIES = (700, 600, 800, 1000, 500, 750, 696, 672)


class Job:
    def __init__(self, d, options):
        self.d, self.options = d, options
        self.path = os.path.join(options.out, "JOB" + "".join(d.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(29)))
        core, calls = learn_draw.draw_core(d), learn_draw.draw_calls(d)
        self.styles = {"CORE": core, "CALL": calls, "CPU": learn_draw.draw_cpu(d)}
        d.what = ""
        for style in self.styles.values():
            style["idle_starts"] = d.random() < 0.5
        self.refs = learn_refs.draw_references(d, core, calls)
        options.has_cpu = self.refs["task_time"] and d.chance("cpu", 0.3)
        self.forms = {"layers": learn_info.draw_layer_form(d), "net": learn_info.draw_net_form(d),
                      "dictionary": learn_info.draw_dictionary_form(d)}
        self.names = learn_world.draw_names(d, calls)
        self.files = []  # dicts: unit, name, device, model, pic, rows
        self.draw_world()

    def draw_world(self):
        d = self.d
        models = 1 if self.options.tasks else 1 + d.chance("models", 0.25) + d.chance("third_model", 0.05)
        devices = 1 + d.chance("devices", 0.12)
        self.frequency = {device: d.choice(learn_draw.ODD_CORES if d.odd_clocks else FREQUENCIES) for device in range(devices)}
        self.models = [learn_world.draw_model(d, number, self.options) for number in range(models)]
        prefixes = {"CORE": "AAcore" if d.chance("aacore", 0.1) else "aicore", "CPU": "aicpu", "CALL": "acl_api"}
        if prefixes["CORE"] == "AAcore":
            prefixes.update(CPU="aacpu", CALL="AclModule")
        interval, count = d.choice((1, 5, 10)), 1
        if d.chance("inferences", 0.35):
            count = d.between(2, 4)
        if sum(len(model["tasks"]) for model in self.models) > 300:
            count = 1
        for device in self.frequency:
            for model in self.models:
                self.draw_files(prefixes, device, model, [interval * k for k in range(count)])
        core = [file for file in self.files if file["unit"] == "CORE"]
        if d.chance("short_name", 0.05) and len(core) == 1:
            core[0]["name"] = "%s.%d.1.1" % (prefixes["CORE"], core[0]["device"])

    def draw_files(self, prefixes, device, model, pics):
        who = "%d.%s.%d" % (device, model["name"], model["id"])
        for pic in pics:
            for unit in ("CORE", "CPU"):
                rows = learn_world.draw_run(self.d, self.styles[unit], self.frequency[device], model["tasks"], unit)
                if rows:
                    name = "%s.%s.%d.%d.%d" % (prefixes[unit], who, model["batch"], model["pics"], pic)
                    self.files.append({"unit": unit, "name": name, "full": name, "device": device, "model": model, "pic": pic, "rows": rows})
        rows = learn_world.draw_calls(self.d, self.styles["CALL"], self.names, self.d.between(25, 70))
        name = "%s.%s" % (prefixes["CALL"], who)
        self.files.append({"unit": "CALL", "name": name, "full": name, "device": device, "model": model, "pic": None, "rows": rows})

    # ------------------------------------------------------------ raw files

    def save(self, name, data):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)

    def write_raw(self):
        for unit, style in self.styles.items():
            files = [file for file in self.files if file["unit"] == unit]
            if not files:
                continue
            columns = learn_encode.columns_of(style, [file["rows"] for file in files], unit)
            learn_draw.place_fields(self.d, style, columns)
            encoder = learn_encode.Encoder(self.d, style)
            for file in files:
                data, lost = encoder.file(file["rows"], unit)
                file["rows"] = [row for index, row in enumerate(file["rows"]) if index not in lost]
                self.save("data/" + file["name"], data)
                self.save("data/" + file["full"] + ".done", b"filesize:%d\n" % len(data))
        for model in self.models:
            name = "data/%s.%d" % (model["name"], model["id"])
            self.save(name + ".layer.info", learn_info.layer_info(self.forms["layers"], model["tasks"]).encode())
            self.save(name + ".net.info", learn_info.net_info(self.forms["net"], model).encode())
        if self.styles["CALL"]["numbered"]:
            text = learn_info.dictionary(self.forms["dictionary"], self.names)
            self.save("data/" + self.forms["dictionary"]["file"], text.encode())
        for device, frequency in self.frequency.items():
            info = {"version": 1, "device": device, "frequency": frequency}
            self.save("info.json.%d" % device, json.dumps(info).encode() + b"\n")

    # ------------------------------------------------------------ references

    def exact(self, file):
        if file["unit"] == "CALL":
            return [learn_world.exact_call(self.styles["CALL"], raw) for raw in file["rows"]]
        frequency = self.frequency[file["device"]]
        return [learn_world.exact_task(self.styles[file["unit"]], frequency, file["unit"], raw) for raw in file["rows"]]

    def write_references(self):
        writer = learn_refs.Writer(self.d, self.path, self.refs)
        core = [file for file in self.files if file["unit"] == "CORE"]
        has_db = self.refs["sqlite"] and len(core) == 1
        for file in core:
            layers = layers_of(file["model"])
            tasks = self.exact(file)
            name = "summary/op_summary_%s.%s.%d.csv" % (
                file["full"].split(".", 1)[1], learn_refs.icache_rate(tasks), self.frequency[file["device"]])
            if has_db:
                writer.sqlite(tasks, layers, identity(file))
            if not (has_db and self.refs["sqlite_only"]):
                writer.op_summary(name, tasks, layers, identity(file))
            if self.refs["op_statistic"]:
                tasks += [task for other in self.files if other["unit"] == "CPU" and identity(other) == identity(file)
                          for task in self.exact(other)]
                name = "summary/op_statistic_%d_%d_%d_1.csv" % (file["device"], file["model"]["id"], file["pic"])
                table = learn_tables.op_statistic(tasks, layers, self.refs["rules"]["op_statistic"], self.refs["style"])
                writer.statistic(name, "op_statistic", table, identity(file))
        for file in self.files:
            if file["unit"] == "CALL":
                self.write_call_references(writer, file)
        return writer.written

    def write_call_references(self, writer, file):
        """The references that a model has once: its calls, and the tasks of all inferences."""
        model, device, rules = file["model"], file["device"], self.refs["rules"]
        calls, who = self.exact(file), {**identity(file), "pic": None}
        tail = "%d.%s.%d.%d.json" % (device, model["name"], model["id"], model["batch"])
        if self.refs["acl_statistic"] or not self.refs["acl"]:
            table = learn_tables.acl_statistic(calls, rules["acl_statistic"], self.refs["style"])
            writer.statistic("summary/acl_statistic_%d_%d_1.csv" % (device, model["id"]), "acl_statistic", table, who)
        if self.refs["acl"]:
            writer.trace("timeline/acl_" + tail, "acl", learn_tables.call_events(calls, rules["acl"]), who, "ACL")
        if self.refs["task_time"]:
            tasks = [task for other in self.files if other["unit"] != "CALL" and other["device"] == device and other["model"] is model
                     for task in self.exact(other)]
            events = learn_tables.task_events(tasks, layers_of(model), rules["task_time"], self.refs["style"])
            writer.trace("timeline/task_time_" + tail, "task_time", events, who, "Task Scheduler")

    def write(self):
        self.write_raw()
        references = self.write_references()
        has_cpu = any(file["unit"] == "CPU" for file in self.files)
        features = sorted(name for name in self.d.features if has_cpu or not name.startswith("cpu."))
        styles = {unit: style for unit, style in self.styles.items() if "size" in style}
        truth = {
            "seed": self.options.seed, "job": os.path.basename(self.path), "features": features,
            "frequency": self.frequency, "styles": styles, "forms": self.forms, "references": references,
            "models": [{**model, "tasks": [{key: task[key] for key in ("unit", "task_id", "stream_id", "layers")} for task in model["tasks"]]}
                       for model in self.models],
            "files": [{"unit": file["unit"], "name": file["name"], **identity(file), "rows": file["rows"]} for file in self.files],
        }
        with open(os.path.join(self.options.out, "truth.json"), "w", encoding="utf-8") as f:
            json.dump(truth, f, indent=1)


def layers_of(model):
    return {(task["task_id"], task["stream_id"]): task["layers"] for task in model["tasks"]}


def identity(file):
    return {"device": file["device"], "model": file["model"]["name"], "model_id": file["model"]["id"], "pic": file["pic"]}


def main():
    parser = argparse.ArgumentParser(description="Write a job whose layout is drawn by a seed.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tasks", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--odd-clocks", action="store_true")
    parser.add_argument("--force", action="append", default=[])
    parser.add_argument("--avoid", action="append", default=[])
    options = parser.parse_args()
    d = learn_draw.Draw(options.seed, options.force, options.avoid, options.plain, options.odd_clocks)
    Job(d, options).write()


if __name__ == "__main__":
    main()
