"""svp.py: a job of an SS928-family board for second opinions, as tests/svp/svp_reader.py reads it, which knows nothing of msprof."""
import os
import re
import struct
import sys
from collections import namedtuple
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "svp"))
import svp_reader

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
Key = namedtuple("Key", "device model stream model_id batch input_pic pic")
# ticks are those of the core, None of the AI CPU; counters, read and write are None where they cannot be true
Task = namedtuple("Task", "unit task seg stream ticks start dur counters read write")
Call = namedtuple("Call", "type begin end pid tid name detail")
MODES = {1: "op", 2: "model", 3: "runtime", 4: "others", 5: "msproftx"}
OWN_CALL = struct.Struct("<HHIQQII64s32s")  # what msprof's recorder writes beside the calls of the board's form
CPU_NET = 5


def own_calls(data):
    for magic, tag, kind, begin, end, pid, tid, name, detail in OWN_CALL.iter_unpack(data):
        assert (magic, tag) == (0x5A5A, 0)
        yield Call(kind, begin, end, pid, tid, *(text.split(b"\0")[0].decode() for text in (name, detail)))


class Job:
    """tasks: Key -> [Task]; calls: (device, model, model_id) -> [Call]; icache: Key -> (hits, misses); frequency: device -> MHz"""

    def __init__(self, path):
        self.board = svp_reader.Job(path)
        self.frequency = {d: self.board.mhz(d) for d in self.board.devices}
        self.tasks, self.calls, self.icache = {}, {}, {}
        told = [(t["ticks"] * 100, t["words"]) for i in self.board.inferences for t in i["tasks"]]
        self.shown = all(possible(cycles, words) for cycles, words in told)
        for inference in self.board.inferences:
            self.add_inference(inference)
        self.cpu_numbers = {}
        for cpu in self.board.aicpu:
            self.cpu_numbers.setdefault((cpu["model"], cpu["model_id"]), set()).add(cpu["number"])
            start, end = cpu["start_us"] * 1000, cpu["end_us"] * 1000
            self.tasks.setdefault(key_of(cpu), []).append(Task("CPU", cpu["number"], -1, cpu["stream"] or 0, None, start, end - start, None, 0, 0))
        self.add_calls(path)

    def add_inference(self, inference):
        key = key_of(inference)
        self.icache[key] = inference["cache_hit"] or 0, inference["cache_miss"] or 0
        for t in inference["tasks"]:
            counters = dict(zip(COUNTERS, t["words"])) if self.shown else None
            read, write = t["words"][8:10] if self.shown else (None, None)
            self.tasks.setdefault(key, []).append(Task("CORE", t["index"], t["seg"], key.stream, t["ticks"], t["start_ns"], t["dur_ns"], counters, read, write))

    def add_calls(self, path):
        for call in self.board.calls:
            kind = {"model": 2, "runtime": 3}.get(call["kind"], call["type"])
            one = Call(kind, call["start_us"] * 1000, call["end_us"] * 1000, call["pid"], call["tid"], call["name"], "")
            self.calls.setdefault((call["device"], call["model"], call["model_id"]), []).append(one)
        for name in os.listdir(os.path.join(path, "data")):
            own = re.fullmatch(r"msprof_api\.(\d+)\.([^.]*)\.(\d+)", name)
            if own:  # the same calls, and more
                with open(os.path.join(path, "data", name), "rb") as f:
                    self.calls[int(own[1]), own[2], int(own[3])] = list(own_calls(f.read()))

    def layers_of(self, key, task):
        """The layers of a task. The AI CPU has numbers of its own: they are those of the CPU nets in order, where there are as many."""
        model = {"model": key.model, "model_id": key.model_id}
        if task.unit == "CORE":
            return self.board.layers_of_task(model, {"index": task.task, "seg": task.seg})
        numbers = sorted(self.cpu_numbers[key.model, key.model_id])
        nets = self.board.nets.get((key.model, key.model_id), [])
        cpu = sorted((n for n in nets if n["type"] == CPU_NET or n["cpu_operator"]), key=lambda n: n["net_id"])
        if len(numbers) != len(cpu):
            return []
        name = cpu[numbers.index(task.task)]["cpu_operator"]
        return [{"layer_id": None, "name": name, "type": name, "ori": None, "seg": -1, "prof_id": task.task}]


def key_of(facts):
    """A name without a stream is that of a board with one."""
    return Key(facts["device"], facts["model"], facts["stream"] or 0, facts["model_id"], facts["batch"], facts["input_pic_num"], facts["current_pic"])


def possible(cycles, words):
    """Whether the first words can be the counters in the order of their columns."""
    mac, mac_ppen, vec, vec_ppen, *others = words[:8]
    return max(mac, vec, *others) <= cycles and mac_ppen <= mac and vec_ppen <= vec


def joined(layers, what):
    """The texts of the layers of a task, as reports print them. A layer may have no original name."""
    items = [layer.get(what) for layer in layers]
    if what == "ori":
        items = [i for i in items if i is not None]
    if all(i is None for i in items):
        return "N/A"
    return ",".join("N/A" if i is None else str(i) for i in items)


def nameless(task):
    """What stands for the name of a task that no layer has. Numbers begin again in each net."""
    return f"task {task.task}" + (f" of net {task.seg}" if task.unit == "CORE" and task.seg else "")


def decimal(numerator, denominator, places):
    """Exact quotient, rounded half to even, without needless zeros; N/A where it does not exist."""
    if numerator is None or not denominator:
        return "N/A"
    scaled = round(Fraction(numerator) * 10**places / denominator)
    whole, rest = divmod(abs(scaled), 10**places)
    text = f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
    return "-" + text if scaled < 0 else text
