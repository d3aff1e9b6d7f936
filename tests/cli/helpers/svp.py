"""Decodes the job of a board independently of msprof: a second opinion, straight from the bytes, by the reader of tests/svp."""
import os
import struct
import sys
from collections import namedtuple
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svp"))
import svp_reader  # pylint: disable=wrong-import-position

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
Key = namedtuple("Key", "device model model_id batch input_pic pic")
Call = namedtuple("Call", "type begin end pid tid name")

MODES = {1: "op", 2: "model", 3: "runtime", 4: "others"}


class Task(namedtuple("Task", "unit task stream start dur ticks mhz counters read write layers")):
    """start and dur are in ns; ticks, of the core, are exact."""

    @property
    def us(self):
        return Fraction(self.dur, 1000) if self.unit == "CPU" else Fraction(self.ticks * 100, self.mhz)

    def is_true(self):
        """Whether no part of the counters is above its whole."""
        c = self.counters
        return c["mac_ppen"] <= c["mac_busy"] and c["vec_ppen"] <= c["vec_busy"] and all(c[name] <= 100 * self.ticks for name in COUNTERS)


class Job:
    """tasks: Key -> [Task]; calls: (device, model, model_id) -> [Call]; caches: Key -> (hits, misses); shown: counters can be true"""

    def __init__(self, path):
        raw = svp_reader.Job(path)
        self.frequency = {device: raw.mhz(device) for device in raw.devices}
        self.tasks, self.calls, self.caches = {}, {}, {}
        for inference in sorted(raw.inferences, key=lambda i: (i["current_pic"] is None, i["current_pic"])):
            key = self.key(inference)
            self.caches[key] = inference["cache_hit"] or 0, inference["cache_miss"] or 0
            self.tasks.setdefault(key, []).extend(self.core_tasks(raw, inference))
        names = self.cpu_names(raw)
        for r in raw.aicpu:
            model = r["model"], r["model_id"]
            layers = [{"name": names[model, r["number"]], "type": names[model, r["number"]]}] if (model, r["number"]) in names else []
            self.tasks.setdefault(self.key(r), []).append(Task("CPU", r["number"], r["stream"] or 0, r["start_us"] * 1000,
                                                               (r["end_us"] - r["start_us"]) * 1000, None, None, None, 0, 0, layers))
        self.shown = all(t.is_true() for tasks in self.tasks.values() for t in tasks if t.unit == "CORE")
        self.read_calls(path, raw)

    @staticmethod
    def key(facts):
        return Key(*(facts[k] for k in ("device", "model", "model_id", "batch", "input_pic_num", "current_pic")))

    def core_tasks(self, raw, inference):
        mhz = self.frequency[inference["device"]]
        for t in inference["tasks"]:
            layers = [{"id": l["layer_id"], "name": l["name"], "type": l["type"], "ori": (l["ori"] or "").split(",") if l["ori"] else []}
                      for l in raw.layers_of_task(inference, t)]
            yield Task("CORE", t["index"], inference["stream"] or 0, t["start_ns"], t["dur_ns"], t["ticks"], mhz, dict(zip(COUNTERS, t["words"])),
                       t["words"][8], t["words"][9], layers)

    @staticmethod
    def cpu_names(raw):
        """Nets on the CPU in order are the numbers of a model in order, if there are as many."""
        numbers = {}
        for r in raw.aicpu:
            numbers.setdefault((r["model"], r["model_id"]), set()).add(r["number"])
        names = {}
        for model, mine in numbers.items():
            nets = [n["cpu_operator"] for n in sorted(raw.nets.get(model, []), key=lambda n: n["net_id"]) if n["type"] == 5 or n["cpu_operator"]]
            if len(nets) == len(mine):
                names.update({(model, number): net for number, net in zip(sorted(mine), nets)})
        return names

    def read_calls(self, path, raw):
        """Where our recorder wrote all calls, those of the board's form are the same ones."""
        for name in sorted(os.listdir(os.path.join(path, "data"))):
            if name.startswith("msprof_api.") and not name.endswith((".done", ".complete")):
                device, model, model_id = name.split(".")[1], ".".join(name.split(".")[2:-1]), name.split(".")[-1]
                with open(os.path.join(path, "data", name), "rb") as f:
                    self.calls[int(device), model, int(model_id)] = list(host_records(f.read()))
        for c in raw.calls:
            key = c["device"], c["model"], c["model_id"]
            if f"msprof_api.{key[0]}.{key[1]}.{key[2]}" not in raw.bytes:
                kind = {"model": 2, "runtime": 3}.get(c["kind"])
                self.calls.setdefault(key, []).append(Call(kind, c["start_us"] * 1000, c["end_us"] * 1000, c["pid"], c["tid"], c["name"]))

    def layers_of(self, _, task):
        return task.layers


def host_records(data):
    for at in range(0, len(data), 128):
        f = struct.unpack_from("<HHIQQII64s32x", data, at)
        assert f[0] == 0x5A5A and f[1] == 0
        yield Call(f[2], f[3], f[4], f[5], f[6], f[7].split(b"\0")[0].decode())


def joined(layers, what):
    """The texts of the layers of a task, as reports print them."""
    items = []
    for layer in layers:
        value = layer.get(what)
        items += value if isinstance(value, list) else [value]
    if what == "ori":  # a layer may have none or several: what there is
        items = [i for i in items if i not in (None, "")]
    if all(i in (None, "") for i in items):
        return "N/A"
    return ",".join("N/A" if i in (None, "") else str(i) for i in items)


def decimal(numerator, denominator, places):
    """Exact quotient, rounded half to even, without needless zeros; N/A where it does not exist."""
    if not denominator:
        return "N/A"
    scaled = round(Fraction(numerator * 10**places, denominator))
    whole, rest = divmod(abs(scaled), 10**places)
    text = f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
    return "-" + text if scaled < 0 else text
