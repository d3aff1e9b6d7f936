"""planted_svp.py DIR SEED [FINDING...]: a job of an SS928 board that has only these findings; without any it is clean.

RULES has the findings, and the rules that they mean. Times are noisy by 1 %, everything is drawn from the seed. Tasks of the core follow each other
without gaps, as on a board, so the device idles within an inference only before a task of the AI CPU. Each inference is within its call.
"""
import os
import random
import sys

import raw

FREQUENCY = 700  # MHz; a tick is 100 cycles
MODEL, MODEL_ID, STREAM, PID, TID = "planted", 7, 16, 10, 11
PICTURES = 20
FIRST_CPU_NUMBER = 2  # boards count tasks of the AI CPU in a way of their own
LOAD, UNLOAD, EXECUTE = 0, 1, 2
NAMES = ("svp_acl_mdl_load_from_mem", "svp_acl_mdl_unload", "svp_acl_mdl_execute")
RULES = {"bound": {"svp_bound"}, "aicpu": {"aicpu"}, "conversion": {"conversion"}, "tiny": {"tiny"}, "sequence": {"sequence"}, "mish": {"known"},
         "idle": {"idle"},
         "between": {"svp_between"}, "first": {"first_slow"}, "jitter": {"jitter"}, "memory": {"memory_calls"}, "once": set(),
             "counters": {"svp_counters"}, "loss": {"loss"}}


class Layer:
    def __init__(self, name, kind, us, unit="core"):
        self.name, self.kind, self.us, self.unit, self.gap_us = name, kind, us, unit, 1  # the gap is before tasks of the AI CPU
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
        layers.append(Layer("detector", "Proposal", r.randint(400, 1200), "cpu"))
    if "conversion" in planted:
        layers.insert(middle, move("turned", r.choice(["Permute", "Reshape"]), r.randint(400, 700)))
    if "tiny" in planted:
        for i in range(r.randint(40, 60)):
            layers.insert(middle + i, move(f"tiny{i}", "Concat", r.randint(6, 8)))
    if "sequence" in planted:
        for i in range(r.randint(6, 9)):
            layers[-1:-1] = [vector(r, 100 + i), vector(r, 200 + i), matrix(r, 300 + i)]
            layers[-4].kind, layers[-3].kind = "Eltwise", "Pooling"
    if "mish" in planted:  # that the core lacks: after some of the matrix layers
        for i in range(r.randint(3, 5)):
            mish = [vector(r, 400 + 3 * i + k) for k in range(3)]
            for layer, kind in zip(mish, ("Softplus", "TanH", "Eltwise")):
                layer.kind = kind
            layers[-1:-1] = mish + [matrix(r, 500 + i)]
    if "idle" in planted:
        late = Layer("late", "DecBBox", 15, "cpu")
        late.gap_us = int(sum(x.us for x in layers) * r.uniform(0.2, 0.4))
        layers.append(late)
    if "counters" in planted:
        layers[1].ratio.update(mac_busy=1.4)
    return layers


def record(r, layer, task, ticks):
    part = {name: int(share * ticks * 100) for name, share in layer.ratio.items()}
    whole = raw.core(task=task, ticks=ticks, read=ticks * 800, write=ticks * 200, **part)
    return whole[:48] + r.randbytes(68) + whole[116:]  # further words of the hardware


class Writer:
    """Files of a job, and the time of its board in us."""

    def __init__(self, top):
        self.data, self.at, self.calls = os.path.join(top, "data"), 1700000000 * 10**6, []
        os.makedirs(self.data)
        with open(os.path.join(top, "info.json.0"), "w", encoding="ascii") as f:
            f.write(f'{{"DeviceInfo": [{{"aic_frequency": "{FREQUENCY}"}}]}}')

    def put(self, name, data, marker=b""):
        with open(os.path.join(self.data, name), "wb") as f:
            f.write(data)
        if marker:
            with open(os.path.join(self.data, name + ".done"), "wb") as f:
                f.write(marker)

    def call(self, kind, us):
        """A call of the board's six from now on. What it does is up to its caller, who moves the time."""
        self.calls.append([kind, self.at, self.at + us])
        return self.calls[-1]

    def inference(self, r, layers, slow, picture):
        """Tasks of the core, one after the other; then those of the AI CPU. Times of both and their markers are whole us;
        the marker of the core tells the time of all."""
        core, cpu, ticks, begin = b"", b"", 0, self.at
        for task, layer in enumerate(x for x in layers if x.unit == "core"):
            mine = max(1, round(layer.us * slow * FREQUENCY / 100 * r.gauss(1, 0.01)))
            core, ticks = core + record(r, layer, task, mine), ticks + mine
        self.at += -(-ticks * 100 // FREQUENCY)
        first = None
        for number, layer in enumerate((x for x in layers if x.unit == "cpu"), FIRST_CPU_NUMBER):
            start = self.at + round(layer.gap_us * slow)
            self.at = start + max(1, round(layer.us * slow * r.gauss(1, 0.01)))
            cpu, first = cpu + raw.cpu(task=number, start=start, end=self.at), first or start
        self.put(f"aicore.0.{MODEL}.{STREAM}.{MODEL_ID}.1.1.{picture}", core,
                 raw.marker(len=len(core), start=begin, end=self.at, hit=len(core) * 29, miss=len(core)))
        if cpu:
            self.put(f"aicpu.0.{MODEL}.{STREAM}.{MODEL_ID}.1.1.{picture}", cpu, raw.marker(len=len(cpu), start=first, end=self.at))

    def put_calls(self, others):
        """The six calls as the board writes them; with others, the file of msprof's recorder, which has all of them."""
        data = b"".join(raw.call(type=kind, begin=begin, end=end, pid=PID, tid=TID) for kind, begin, end in self.calls)
        marker = raw.marker(len=len(data), start=self.calls[0][1], end=self.calls[-1][2]) + f"pid:{PID}\ntid:{TID}\n".encode()
        self.put(f"acl_api.0.{MODEL}.{MODEL_ID}", data, marker)
        if others:
            own = [(begin, raw.host(begin=begin * 1000 + 7, end=end * 1000 + 11, pid=PID, tid=TID, name=NAMES[kind])) for kind, begin, end in self.calls]
            own += [(begin, raw.host(type=3, begin=begin * 1000, end=begin * 1000 + ns, pid=PID, tid=TID + 1, name="svp_acl_rt_memcpy"))
                    for begin, ns in others]
            data = b"".join(record for _, record in sorted(own))
            self.put(f"msprof_api.0.{MODEL}.{MODEL_ID}", data, f"filesize:{len(data)}\n".encode())


def put_model(writer, layers):
    core, cpu = ([x for x in layers if x.unit == unit] for unit in ("core", "cpu"))
    info = b"".join(raw.layer(id=task, name=x.name, type=x.kind, ori=x.name, task=task) for task, x in enumerate(core))
    info += b"".join(raw.layer(id=len(core) + n, name=x.name, type=x.kind, ori=x.name, seg=1 + n) for n, x in enumerate(cpu))
    nets = raw.net(records=len(core)) + b"".join(raw.net(id=1 + n, type=5, operator=x.kind) for n, x in enumerate(cpu))
    writer.put(f"{MODEL}.{MODEL_ID}.layer.info", info)
    writer.put(f"{MODEL}.{MODEL_ID}.net.info", nets)


def harm(r, writer):
    """A record of a call without its first bytes, or a task without its last ones."""
    name = r.choice([f"acl_api.0.{MODEL}.{MODEL_ID}", f"aicore.0.{MODEL}.{STREAM}.{MODEL_ID}.1.1.3"])
    with open(os.path.join(writer.data, name), "r+b") as f:
        if name.startswith("acl"):
            f.seek(32 * 4)
            f.write(bytes([7]) * 8)
        else:
            f.truncate(os.path.getsize(f.name) - 100)


def main(top, seed, *planted):
    r = random.Random(f"{seed} {planted}")
    layers, writer, others = network(r, planted), Writer(top), []
    put_model(writer, layers)
    one = sum(x.us for x in layers)
    writer.at = writer.call(LOAD, 300000)[2] + 1000
    if "once" in planted:  # slow calls before and after all inferences
        others.append((writer.at, 3 * 10**7))
        writer.at += 40000
    for picture in range(PICTURES):
        slow = 1.02 if picture % 2 else 1
        if "first" in planted and picture == 0:
            slow = r.uniform(2, 4)
        if "jitter" in planted and picture in (5, 11, 17):
            slow = r.uniform(1.3, 1.4)
        call = writer.call(EXECUTE, 0)
        writer.at += 12
        writer.inference(r, layers, slow, picture)
        writer.at += 9
        call[2] = writer.at
        others.append((writer.at + 1, 2 * 10**7 if "memory" in planted and picture == 4 else 10**5))
        writer.at += round(one * (r.uniform(0.3, 0.6) if "between" in planted else 0.03))
    writer.call(UNLOAD, 4000)
    if "once" in planted:
        others.append((writer.at + 5000, 3 * 10**7))
    writer.put_calls(others if {"memory", "once"} & set(planted) or ("loss" not in planted and r.random() < 0.5) else [])
    if "loss" in planted:
        harm(r, writer)


if __name__ == "__main__":
    main(*sys.argv[1:])
