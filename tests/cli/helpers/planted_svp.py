"""planted_svp.py DIR SEED [FINDING...]: a job of a board that has only these findings; without any it is clean.

RULES has the findings, and the rules that they mean. Times are noisy by 1 %, everything is drawn from the seed.
"""
import json
import os
import random
import struct
import sys

FREQUENCY = 700  # MHz; a tick is 100 cycles
MODEL, MODEL_ID = "planted", 7
PICTURES = 20
RULES = {"bound": {"svp_bound"}, "aicpu": {"aicpu"}, "conversion": {"conversion"}, "tiny": {"tiny"}, "sequence": {"sequence"}, "idle": {"idle"},
         "between": {"svp_between"}, "first": {"first_slow"}, "jitter": {"jitter"}, "memory": {"memory_calls"}, "counters": {"svp_counters"}, "loss": {"loss"}}


class Layer:
    def __init__(self, name, kind, us, unit="core"):
        self.name, self.kind, self.us, self.unit, self.gap_us = name, kind, us, unit, 1
        self.ratio = {}


def matrix(r, number):
    layer = Layer(f"conv{number}", r.choice(["Convolution", "Fc", "Deconvolution"]), r.randint(200, 900))
    mac = r.uniform(0.74, 0.95)
    layer.ratio = {"mac_busy": mac + 0.03, "mac_ppen": mac, "vec_busy": 0.2, "vec_ppen": 0.1, "dstr": 0.2, "dld": 0.3, "wld": 0.4}
    return layer


def vector(r, number):
    layer = Layer(f"pool{number}", r.choice(["Pooling", "Eltwise", "LRN"]), r.randint(60, 200))
    layer.ratio = {"vec_busy": 0.9, "vec_ppen": r.uniform(0.53, 0.85), "dstr": 0.3, "dld": 0.3}
    return layer


def move(name, kind, us):
    layer = Layer(name, kind, us)
    layer.ratio = {"dld": 0.5, "dstr": 0.4}
    return layer


def network(r, planted):
    """Matrix layers, and a vector layer after some: never two of those together."""
    layers = [move("input", "Preprocess", 30)]
    for i in range(r.randint(12, 20)):
        layers.append(matrix(r, i))
        if r.random() < 0.3:
            layers.append(vector(r, i))
    layers += [matrix(r, 99), move("report", "Reportop", 30)]
    convs = [x for x in layers if x.name.startswith("conv")]
    middle = r.randint(2, len(layers) - 3)
    if "bound" in planted:
        bad = r.choice(convs[:-1])
        bad.us, bad.name = 900, "slowconv"
        bad.ratio.update(mac_busy=0.4, mac_ppen=r.uniform(0.2, 0.4), wld=r.uniform(0.82, 0.95))
    if "aicpu" in planted:
        layers.insert(middle, Layer("detector", "Proposal", r.randint(400, 1200), "cpu"))
    if "conversion" in planted:
        layers.insert(middle, move("turned", r.choice(["Permute", "Reshape"]), r.randint(400, 700)))
    if "tiny" in planted:
        for i in range(r.randint(40, 60)):
            layers.insert(middle + i, move(f"tiny{i}", "Concat", r.randint(6, 8)))
    if "sequence" in planted:
        for i in range(r.randint(6, 9)):
            layers += [vector(r, 100 + i), vector(r, 200 + i), matrix(r, 300 + i)]
            layers[-3].kind, layers[-2].kind = "Eltwise", "Pooling"
    if "idle" in planted:
        layers[middle].gap_us = sum(x.us for x in layers) * r.uniform(0.2, 0.4)
    if "counters" in planted:
        layers[1].ratio.update(mac_busy=1.4)
    return layers


def record(layer, task, start, ticks):
    if layer.unit == "cpu":
        return struct.pack("<HHIIIQQ", 0x5A5A, 2, task, 1, 0, start, start + ticks)
    part = {k: int(v * ticks * 100) for k, v in layer.ratio.items()}
    names = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
    return struct.pack("<HHIII2Q8Q2QIIQ", 0x5A5A, 1, task, 0, 0, start, start + ticks, *(part.get(n, 0) for n in names), ticks * 800, ticks * 200,
                       ticks // 10, ticks * 3, 0)


def put(path, data):
    with open(path, "wb") as f:
        f.write(data)
    with open(path + ".done", "w", encoding="ascii") as f:
        f.write(f"filesize:{len(data)}\n")


def main(top, seed, *planted):
    r = random.Random(f"{seed} {planted}")
    layers = network(r, planted)
    data = os.path.join(top, "data")
    os.makedirs(data)
    with open(os.path.join(top, "info.json.0"), "w", encoding="utf-8") as f:
        json.dump({"version": 1, "device": 0, "frequency": FREQUENCY, "clock_realtime_ns": 1700000000 * 10**9, "clock_monotonic_ns": 10**11}, f)
    per_us = FREQUENCY / 100
    tick, one = 10**9, sum(x.us + x.gap_us for x in layers)
    calls = b""
    for picture in range(PICTURES):
        slow = 1.02 if picture % 2 else 1
        if "first" in planted and picture == 0:
            slow = r.uniform(2, 4)
        if "jitter" in planted and picture in (5, 11, 17):
            slow = r.uniform(1.3, 1.4)
        files = {"core": b"", "cpu": b""}
        for task, layer in enumerate(layers):
            ticks = max(1, round(layer.us * slow * per_us * r.gauss(1, 0.01)))
            files[layer.unit] += record(layer, task, tick, ticks)
            tick += ticks + round(layer.gap_us * per_us)
        tick += round(one * per_us * (r.uniform(0.3, 0.6) if "between" in planted else 0.03))
        for unit, text in files.items():
            if text:
                if "loss" in planted and picture == 3 and unit == "core":
                    text = text[:128] + bytes([7]) * 128 + text[256:]
                put(os.path.join(data, f"ai{unit}.0.{MODEL}.{MODEL_ID}.1.1.{picture}"), text)
        begin = 10**11 + picture * 10**8
        names = [("svp_acl_mdl_execute", 2, int(one * 1050)), ("svp_acl_rt_memcpy", 3, 2 * 10**7 if "memory" in planted and picture == 4 else 10**5)]
        for name, kind, ns in names:
            calls += struct.pack("<HHIQQII64s32x", 0x5A5A, 0, kind, begin, begin + ns, 10, 11, name.encode())
            begin += ns + 1000
    put(os.path.join(data, f"acl_api.0.{MODEL}.{MODEL_ID}"), calls)
    with open(os.path.join(data, f"{MODEL}.{MODEL_ID}.layer.info"), "w", encoding="utf-8") as f:
        for task, layer in enumerate(layers):
            line = {"task": task, "stream": int(layer.unit == "cpu"), "layers": [
                {"id": task, "name": layer.name, "type": layer.kind, "ori": [layer.name]}]}
            f.write(json.dumps(line) + "\n")
    with open(os.path.join(data, f"{MODEL}.{MODEL_ID}.net.info"), "w", encoding="utf-8") as f:
        json.dump({"model": MODEL, "model_id": MODEL_ID, "batch": 1, "input_pic_num": 1}, f)


if __name__ == "__main__":
    main(*sys.argv[1:])
