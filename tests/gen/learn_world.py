"""learn_world.py: draws what happened on the board: models, layers, tasks and calls, as the raw counts of the records.

Counts are whole numbers in the units of the style, so that a record holds all of the truth. exact_task and exact_call
give the same as fractions: ns, cycles, bytes.
"""
from collections import namedtuple
from fractions import Fraction

from learn_draw import COUNTERS

Layer = namedtuple("Layer", "id name type ori")
Task = namedtuple("Task", "unit task_id stream_id start_ns dur_ns cycles counters read write miss access")
Call = namedtuple("Call", "type start_ns dur_ns pid tid name")

MODELS = ("resnet50", "yolov5n_noquat", "kws-610-pro", "yolov8s.v2.1", "goturn_nuquant", "fasterrcnn_alexnet", "m")
TYPES = ("Convolution", "PoolingMax", "LRN", "Fc", "Eltwise", "Power", "Reshape", "Preprocess", "Softmax", "Concat", "Relu")
CPU_TYPES = ("DetectionOutput", "DecBbox", "Nms")
SHORT_NAMES = ("aclInit", "aclrtMalloc", "aclrtMemcpy", "aclmdlExecute", "aclrtFree", "aclFinalize", "aclrtSynch", "opRun")
LONG_NAMES = ("svp_acl_mdl_load_from_mem", "svp_acl_mdl_unload", "svp_acl_mdl_execute", "svp_acl_ext_process_aicpu_task",
              "svp_acl_rt_malloc", "svp_acl_rt_memcpy", "svp_acl_rt_free", "svp_acl_init", "svp_acl_op_execute")


def counts_per_us(unit, frequency):
    if unit == "tick100":
        return Fraction(frequency, 100)
    if unit == "cycle":
        return Fraction(frequency)
    return Fraction({"ns": 1000, "us": 1}.get(unit) or int(unit[:-3]))


def half_even(value):
    """The whole number nearest to a fraction; a tie goes to the even one."""
    return round(Fraction(value))


def exact_task(style, frequency, unit, raw):
    """A task as fractions, of the raw values of its record."""
    rate = counts_per_us(style["time"]["unit"], frequency)
    dur = raw["took"] * 1000 / rate
    cycles = dur * frequency / 1000
    counters, scale = {}, 1
    if unit == "CORE":
        scale = style["bytes"]["scale"]
        for name in COUNTERS:
            how = style["counters"][name]
            counters[name] = raw[name] * cycles / 1000 if how["permille"] else Fraction(raw[name] * how["scale"])
    return Task(unit, raw["task_id"], raw["stream_id"], raw["began"] * 1000 / rate, dur, cycles, counters,
                raw.get("read", 0) * scale, raw.get("write", 0) * scale, raw.get("icache_miss", 0), raw.get("icache_access", 0))


def exact_call(style, raw):
    rate = counts_per_us(style["time"]["unit"], 0)
    return Call(raw["kind"], raw["began"] * 1000 / rate, raw["took"] * 1000 / rate, raw["pid"], raw["tid"], raw["text"])


# ---------------------------------------------------------------- models


def draw_layers(d, number, position, unit, first_id):
    """The layers of one task."""
    count = 1 + (d.weighted((0, 6), (1, 2), (2, 1), (3, 1), (4, 0.5)) if d.random() < 0.5 else 0)
    layers = []
    for k in range(count):
        kind = d.choice(CPU_TYPES if unit == "CPU" else TYPES)
        name = "%s%d_%d" % (kind.lower()[:4], number + 1, position * 5 + k)
        ori = [name] + ["%s_%s" % (d.choice(("relu", "bn", "scale")), name) for _ in range(d.weighted((0, 5), (1, 2), (2, 1)))]
        layers.append(Layer(first_id + k, name, kind, ori))
    return layers


def draw_model(d, number, options):
    count = options.tasks or (400 if d.chance("many", 0.04) else d.between(20, 60))
    streams = [0] * 1 if d.plain else d.sample(range(0, 12), d.weighted((1, 3), (2, 3), (3, 2), (4, 1)))
    if len(streams) == 1 and d.random() < 0.5:
        streams = [0]
    cpu_share = 0.12 if options.has_cpu else 0
    task_id, layer_id, tasks = d.weighted((0, 4), (1, 3), (d.between(2, 90), 1)), d.weighted((0, 3), (1, 1)), []
    step = d.weighted((1, 5), (3, 1))
    for position in range(count):
        unit = "CPU" if d.random() < cpu_share or (options.has_cpu and position == count - 1) else "CORE"
        layers = draw_layers(d, number, position, unit, layer_id)
        tasks.append({"unit": unit, "task_id": task_id, "stream_id": d.choice(streams), "layers": layers,
                      "us": 2 * (1 + 1200 ** d.random()), "shape": draw_shape(d)})
        task_id += d.between(1, step)
        layer_id += len(layers)
    name = MODELS[d.randrange(len(MODELS))] + ("" if number == 0 else str(number))
    return {"name": name, "id": d.between(1, 90) + 100 * number, "batch": d.weighted((1, 4), (256, 1), (d.between(2, 300), 2)),
            "pics": d.weighted((1, 5), (d.between(2, 16), 2)), "tasks": tasks}


def draw_shape(d):
    """How busy a task keeps each part of the core, as shares of its cycles; and its bytes."""
    is_matrix = d.random() < 0.6
    quiet = {"mac_busy": 0.05 if is_matrix else 0.7, "mac_ppen": 0.05 if is_matrix else 0.7, "dtrans": 0.55, "wld": 0.35, "dstr": 0.2}
    shares = {name: 0 if d.random() < quiet.get(name, 0.08) else d.random() ** d.choice((1, 1, 3)) for name in COUNTERS}
    shares["mac_ppen"] *= shares["mac_busy"]
    shares["vec_ppen"] *= shares["vec_busy"]
    return {**shares, "read": 0 if d.random() < 0.08 else 4e7 ** (0.4 + 0.6 * d.random()),
            "write": 0 if d.random() < 0.2 else 1e7 ** (0.4 + 0.6 * d.random())}


# ---------------------------------------------------------------- tasks and calls


def draw_base(d, style, rate, span):
    """The count at which a file begins."""
    if style["time"]["bits"] == 32:
        if d.random() < 0.7 and span < 1 << 31:
            return max((1 << 32) - int(span * (0.1 + 0.8 * d.random())) - 1, 1000)
        return d.between(1 << 20, 1 << 31)
    return int(d.between(10 ** 6, 4 * 10 ** 9) * rate)


def draw_run(d, style, frequency, tasks, unit):
    """The raw values of the tasks of one unit in one inference, in order of their starts."""
    rate = counts_per_us(style["time"]["unit"], frequency)
    plan = [(task, max(1, int(Fraction(task["us"] * (0.95 + 0.1 * d.random())) * rate))) for task in tasks if task["unit"] == unit]
    overlap, free, rows = d.random() < 0.4, {}, []
    now = draw_base(d, style, rate, sum(took for _, took in plan) * 1.1)
    for task, took in plan:
        gap = int(d.random() ** 4 * 20 * rate)
        now = max(now + 1 + gap if overlap else now, free.get(task["stream_id"], 0)) if rows else now
        raw = {"task_id": task["task_id"], "stream_id": task["stream_id"], "began": now, "took": took}
        free[task["stream_id"]] = now + took + gap
        now = now if overlap else now + took + gap
        if unit == "CORE":
            add_counters(d, style, raw, took * frequency / rate, task["shape"])
        rows.append(raw)
    return rows


def add_counters(d, style, raw, cycles, shape):
    for name in COUNTERS:
        how = style["counters"][name]
        share = Fraction(min(1.0, shape[name] * (0.96 + 0.08 * d.random())))
        raw[name] = int(share * 1000) if how["permille"] else int(share * cycles / how["scale"])
    for name in ("read", "write"):
        raw[name] = int(shape[name] * (0.98 + 0.04 * d.random()) / style["bytes"]["scale"])
    if style["icache"]:
        raw["icache_access"] = int(cycles / 8) + d.between(1, 999)
        raw["icache_miss"] = int(raw["icache_access"] * d.random() * 0.01)


def draw_names(d, style):
    """The names of calls, with their kinds and numbers."""
    room = style["chars"] or 64
    names = [name for name in LONG_NAMES if len(name) <= room]
    names = names if len(names) >= 5 and d.random() < 0.6 else [name for name in SHORT_NAMES if len(name) <= room]
    numbers = d.sample(range(1, 250), len(names)) if d.random() < 0.6 else d.sample(range(1 << 16, 1 << 31), len(names))
    kinds = {}
    for name in names:
        kinds[name] = 2 if "mdl" in name else 3 if "rt" in name else 1 if "op" in name.lower() else 4
    return {name: {"number": number, "kind": kinds[name]} for name, number in zip(names, numbers)}


def draw_calls(d, style, names, count):
    """The raw values of the calls of one model, in order of their starts."""
    rate = counts_per_us(style["time"]["unit"], 0)
    pid = d.between(300, 32000)
    tids = [pid + k for k in range(d.weighted((1, 3), (2, 2), (3, 1)))]
    usual = {name: 3 * 9000 ** d.random() for name in names}
    plan = []
    for _ in range(count):
        name = d.choice([*names])
        plan.append((name, max(1, int(Fraction(usual[name] * (0.8 + 0.4 * d.random())) * rate))))
    now, free, rows = draw_base(d, style, rate, sum(took for _, took in plan) * 1.3), {}, []
    for name, took in plan:
        tid = d.choice(tids)
        now = max(now + 1 + int(d.random() * 30 * rate), free.get(tid, 0)) if rows else now
        free[tid] = now + took
        rows.append({"kind": names[name]["kind"], "began": now, "took": took, "pid": pid, "tid": tid, "text": name,
                     "name_number": names[name]["number"]})
    return rows
