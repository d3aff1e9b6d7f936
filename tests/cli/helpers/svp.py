"""Decodes an svp job independently of msprof: a second opinion, straight from the bytes."""
import json
import os
import re
import struct
from collections import namedtuple
from fractions import Fraction

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
Key = namedtuple("Key", "device model model_id batch input_pic pic")
Task = namedtuple("Task", "unit task stream start end counters read write miss access")
Call = namedtuple("Call", "type begin end pid tid name")

MODES = {1: "op", 2: "model", 3: "runtime", 4: "others"}


def core_records(data):
    for at in range(0, len(data), 128):
        f = struct.unpack_from("<HHIII2Q8Q2QIIQ", data, at)
        assert f[0] == 0x5A5A and f[1] == 1
        yield Task("CORE", f[2], f[3], f[5], f[6], dict(zip(COUNTERS, f[7:15])), f[15], f[16], f[17], f[18])


def cpu_records(data):
    for at in range(0, len(data), 32):
        f = struct.unpack_from("<HHIIIQQ", data, at)
        assert f[0] == 0x5A5A and f[1] == 2
        yield Task("CPU", f[2], f[3], f[5], f[6], None, 0, 0, 0, 0)


def call_records(data):
    for at in range(0, len(data), 128):
        f = struct.unpack_from("<HHIQQII64s32x", data, at)
        assert f[0] == 0x5A5A and f[1] == 0
        name = f[7].split(b"\0")[0].decode()
        yield Call(f[2], f[3], f[4], f[5], f[6], name)


class Job:
    """tasks: Key -> [Task]; calls: (device, model, model_id) -> [Call]; layers: (model, id) -> task key -> [layer]"""

    def __init__(self, path):
        self.frequency, self.tasks, self.calls, self.layers, self.nets = {}, {}, {}, {}, {}
        for name in os.listdir(path):
            if re.fullmatch(r"info\.json\.\d+", name):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    self.frequency[int(name[10:])] = json.load(f).get("frequency")
        for name in sorted(os.listdir(os.path.join(path, "data"))):
            with open(os.path.join(path, "data", name), "rb") as f:
                self.add(name, f.read())

    def add(self, name, data):
        task = re.fullmatch(r"(?i:a[ai](core|cpu))\.(\d+)\.(.+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)", name)
        call = re.fullmatch(r"(?i:acl_api|aclmodule)\.(\d+)\.(.+)\.(\d+)", name)
        info = re.fullmatch(r"(.+)\.(\d+)\.(layer|net)\.info", name)
        if task:
            unit, device, model, *rest = task.groups()
            key = Key(int(device), model, *map(int, rest))
            records = core_records if unit.lower() == "core" else cpu_records
            self.tasks.setdefault(key, []).extend(records(data))
        elif call:
            key = int(call[1]), call[2], int(call[3])
            self.calls.setdefault(key, []).extend(call_records(data))
        elif info and info[3] == "net":
            self.nets[info[1], int(info[2])] = json.loads(data)
        elif info:
            layers = self.layers.setdefault((info[1], int(info[2])), {})
            for line in data.splitlines():
                o = json.loads(line)
                layers[o["task"], o.get("stream", 0)] = o["layers"]

    def layers_of(self, key, task):
        return self.layers.get((key.model, key.model_id), {}).get((task.task, task.stream), [])


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
