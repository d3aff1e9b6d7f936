"""learn_job.py: writes the JOB directory of a board of the SS928 family by docs/SS928.md: info.json.N, data/, markers, layers.

A test's own encoder: it shares nothing with the decoder. Records come with their hardware's words as bytes.
"""
import os
import struct

INFO = {
    "ss928": '{"DeviceInfo": [{"aic_frequency": "%d"}]}',
    "dv500": '{"DeviceInfo": [{"aic_frequency": "%d"},{"magic_num": "6A6A"}]}',
    "cv610": '{"DeviceInfo": [{"aic_frequency": "%d"},{"soc_version": "V200"},{"aicore_type": "0"}]}',
}
# of a record: its bytes, and the hardware's words in it
SIZES = {"ss928": 256, "dv500": 256, "cv610": 128}
WORDS = {"ss928": (8, 116), "dv500": (8, 224), "cv610": (8, 120)}


def u16(value):
    return struct.pack("<H", value)


def item(tag, value):
    """An item of tag, length and value: a number, a text, or items."""
    if isinstance(value, int):
        form, data = next((form, struct.pack(code, value)) for form, code, top in ((1, "<B", 1 << 8), (2, "<H", 1 << 16), (3, "<I", 1 << 32)) if value < top)
        return u16(form << 13 | tag) + data
    value = value if isinstance(value, bytes) else value.encode() + b"\0"
    return u16(5 << 13 | tag) + u16(len(value)) + value


def layer_info(model):
    """One item a layer; the layers of a task have its number."""
    out = bytearray()
    for net in model["nets"]:
        for task in net["tasks"]:
            for layer in task["layers"]:
                out += item(0x111, item(0x112, layer["id"]) + item(0x114, layer["name"]) + item(0x141, ",".join(layer["ori"]))
                            + item(0x14b, net["seg"]) + item(0x152, layer["type"]) + item(0x157, task["id"]))
    return bytes(out)


def net_info(model):
    return b"".join(item(0x40, item(0x41, net["seg"]) + item(0x42, 0) + item(0x20c, len(net["tasks"]))) for net in model["nets"])


def record(chip, task, pic):
    """The bytes of a record: index, ticks, words, and what is behind them."""
    low, high = WORDS[chip]
    head = struct.pack("<II", task["id"], task["ticks"])
    assert len(task["words"]) == high - low
    if chip == "ss928":
        return head + task["words"] + bytes(252 - high) + struct.pack("<I", task["seg"])
    if chip == "dv500":
        return head + task["words"] + struct.pack("<Q", pic) + bytes(24)
    return head + task["words"] + struct.pack("<I", pic) + bytes(4)


def calls_of(chip, model, spans):
    """The model is loaded, executed once for each span of an inference, and unloaded: kind, start, end."""
    last = max(end for _, end in spans)
    calls = [(0, spans[0][0] - 400, spans[0][0] - 100), *((2, begin - 20, end + 30) for begin, end in spans), (1, last + 100, last + 200)]
    calls.sort(key=lambda call: call[2])
    if chip == "ss928":
        data = b"".join(struct.pack("<IIQQII", 0x5a5a, kind, begin, end, 77, 77) for kind, begin, end in calls)
    else:
        data = b"".join(struct.pack("<IIQQQII", 0x6a6a, model["id"], kind, begin, end, 77, 77) for kind, begin, end in calls)
    return data, calls[0][1], calls[-1][2]


def done(length, start_us, end_us, *more):
    return "".join("%s:%d\n" % pair for pair in (("file_len", length), ("start_time", start_us), ("end_time", end_us), *more)).encode()


def took_us(board, inference):
    return sum(task["ticks"] for task in inference["tasks"]) * 100 // board["mhz"]


def write_job(job, board):
    """`board`: chip, mhz, models, and inferences: model, pic, stream, start_us, tasks with id, seg, ticks and words."""
    chip = board["chip"]
    os.makedirs(os.path.join(job, "data"))
    files = {"info.json.0": (INFO[chip] % board["mhz"]).encode()}
    for model in board["models"]:
        name = "%s.%d" % (model["name"], model["id"])
        files["data/%s.layer.info" % name] = layer_info(model)
        files["data/%s.net.info" % name] = net_info(model)
        spans = sorted((i["start_us"], i["start_us"] + took_us(board, i)) for i in board["inferences"] if i["model"] is model)
        data, start, end = calls_of(chip, model, spans)
        files["data/acl_api.0." + name] = data
        files["data/acl_api.0.%s.done" % name] = done(len(data), start, end, ("pid", 77), ("tid", 77))
    for inference in sorted(board["inferences"], key=lambda i: i["start_us"]):
        model = inference["model"]
        data = b"".join(record(chip, task, inference["pic"]) for task in inference["tasks"])
        tail = "%d.%d.%d" % (model["batch"], 1, inference["pic"])
        own = "data/aicore.0.%s.%s%d.%s" % (model["name"], "%d." % inference["stream"] if chip == "ss928" else "", model["id"], tail)
        raw = own if chip == "ss928" else "data/aicore.0.%d.1" % model["batch"]
        inference["file"], inference["first"] = raw, len(files.get(raw, b"")) // SIZES[chip]
        files[raw] = files.get(raw, b"") + data
        files[own + ".done"] = done(len(data), inference["start_us"], inference["start_us"] + took_us(board, inference), ("cache_hit", 99311), ("cache_mis", 174))
    for name, data in files.items():
        with open(os.path.join(job, name), "wb") as f:
            f.write(data)
