#!/usr/bin/env python3
"""svp_seeds.py: makes the seeds with data of boards of the SS928 family, in the folders of their targets below tests/fuzz/seeds."""
import os
import re
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
INFO = {
    "ss928": b'{"DeviceInfo": [{"aic_frequency": "700"}]}',
    "dv500": b'{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"}]}',
    "cv610": b'{"DeviceInfo": [{"aic_frequency": "700"},{"soc_version": "V200"},{"aicore_type": "0"}]}',
}
CHIPS = ["ss928", "dv500", "cv610"]


def write(target, name, data):
    folder = os.path.join(HERE, "seeds", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)


def place(size, *numbers):
    """A record: (offset, format, number)..."""
    record = bytearray(size)
    for offset, form, number in numbers:
        struct.pack_into("<" + form, record, offset, number)
    return bytes(record)


def aicore(chip, index, ticks, picture=0):
    counters = [(8 + 4 * i, "I", max(8 - i, 1) * ticks) for i in range(10)]
    last = {"ss928": (252, "I", 1), "dv500": (224, "Q", picture), "cv610": (120, "I", picture)}[chip]
    return place(128 if chip == "cv610" else 256, (0, "I", index), (4, "I", ticks), *counters, last)


def call(chip, kind, begin, end):
    if chip == "ss928":
        return struct.pack("<IIQQII", 0x5A5A, kind, begin, end, 100, 101)
    return struct.pack("<IIQQQII", 0x6A6A, 0, kind, begin, end, 100, 101)


def item(tag, value):
    """A number in the narrowest form, or bytes behind their length."""
    if isinstance(value, int):
        width = 1 if value < 256 else 2 if value < 65536 else 4
        return struct.pack("<H", tag | {1: 0x2000, 2: 0x4000, 4: 0x6000}[width]) + value.to_bytes(width, "little")
    if len(value) < 256:
        return struct.pack("<HB", tag | 0x8000, len(value)) + value
    return struct.pack("<HH", tag | 0xA000, len(value)) + value


def layer(number, name, ori, kind, task):
    return item(0x111, item(0x112, number) + item(0x114, name) + item(0x141, ori) + item(0x14B, 0) + item(0x152, kind) + item(0x157, task))


LAYERS = layer(0, b"data\0", b"", b"Input", 0) + layer(1, b"conv1", b"conv1,relu1", b"Convolution", 1) + item(0x13C, b"not a layer")
NETS = item(0x40, item(0x41, 0) + item(0x42, 0) + item(0x20C, 2)) + item(0x40, item(0x41, 1) + item(0x42, 5) + item(0x208, b"op_cpu"))
MODEL = struct.pack("<IIIII", 0x4F434950, 1, 1, 24, 8) + bytes(12) + LAYERS + NETS


def done(size, start, tasks=True, more=b""):
    cache = "cache_hit:10\ncache_mis:2\n" if tasks else ""
    return f"file_len:{size}\nstart_time:{start}\nend_time:{start + 50}\n{cache}".encode() + more


def job(chip):
    """The files of a small job, by their names."""
    start = 1700000000000000
    first = aicore(chip, 0, 7) + aicore(chip, 1, 70)
    second = aicore(chip, 0, 8, 2) + aicore(chip, 1, 3, 2)
    calls = b"".join(call(chip, kind, start - 9 + 100 * i, start + 60 + 100 * i) for i, kind in enumerate([0, 2, 2, 4, 1, 9]))
    files = {"info.json.0": INFO[chip], "data/toy.0.layer.info": LAYERS, "data/toy.0.net.info": NETS, "data/acl_api.0.toy.0": calls,
             "data/acl_api.0.toy.0.done": done(len(calls), start, False, b"pid:100\ntid:101\n")}
    if chip == "ss928":
        for picture, records in (0, first), (2, second):
            name = f"data/aicore.0.toy.16.0.256.1.{picture}"
            files[name] = records
            files[name + ".done"] = done(len(records), start + 100 * picture, True, b"online_batch_num:17,300")
        files["data/aicpu.0.toy.16.0.256.1.0"] = place(128, (24, "Q", start + 20), (32, "Q", start + 30), (124, "I", 2))
        files["data/aicpu.0.toy.16.0.256.1.0.done"] = done(128, start, False)
        files["data/cont.0.xt.0.256.2.0"] = b"\0\1"
    else:
        files["data/aicore.0.256.1"] = first + second
        for picture, records in (0, first), (2, second):
            files[f"data/aicore.0.toy.0.256.1.{picture}.done"] = done(len(records), start + 100 * picture)
    return files


def packed(files):
    """An input of fuzz_job."""
    return b"\0\0" + b"".join(struct.pack("B", len(name)) + name.encode() + struct.pack("<H", len(data)) + data for name, data in files.items())


def recorded():
    """A job of the recorder of msprof: calls of other kinds beside those of the board's form."""
    calls = b"".join(struct.pack("<HHIQQII64s32s", 0x5A5A, 0, kind, 1700000000000000000 + 1000 * kind, 1700000000000002000 + 1000 * kind,
                                 100, 101, name, detail)
                     for kind, name, detail in [(2, b"svp_acl_mdl_execute", b""), (1, b"conv1", b"Convolution"), (5, b"range", b"domain")])
    return {"info.json.0": b'{"DeviceInfo": []}', "data/recorder.json.0": b'{"collector":"host","pid":100,"lost":2}',
            "data/acl_api.0.toy.0": call("ss928", 2, 1700000000000000, 1700000000000002), "data/msprof_api.0.toy.0": calls,
            "data/toy.0.layer.info": LAYERS}


def markers(chip, raw, *texts):
    """An input of fuzz_done."""
    return bytes([CHIPS.index(chip)]) + struct.pack("<H", len(raw)) + raw + b"".join(bytes([len(text)]) + text for text in texts)


def layouts():
    """The names of the layouts, in the order in which fuzz_reader numbers them."""
    records = os.path.join(HERE, "../../schema/records")
    text = "".join(open(os.path.join(records, name), encoding="utf-8").read() for name in os.listdir(records))
    return sorted(re.findall(r"^(?:record|text|items) (\S+)", text, re.M))


def main():
    number = layouts().index
    for chip in CHIPS:
        two = aicore(chip, 0, 7) + aicore(chip, 1, 70)
        write("fuzz_reader", "aicore_" + chip, bytes([number("svp.aicore_" + chip), 0x41]) + two)
        write("fuzz_info", chip, INFO[chip])
        write("fuzz_job", "svp_" + chip, packed(job(chip)))
        write("fuzz_done", chip, markers(chip, two + two, done(len(two), 5, True, b"online_batch_num:17,300"), done(len(two), 4)))
    write("fuzz_job", "svp_recorded", packed(recorded()))
    write("fuzz_info", "host", b'{"DeviceInfo": []}')
    write("fuzz_info", "version1", b'{"version":1,"device":0,"frequency":700}')
    write("fuzz_reader", "acl_api_ss928", bytes([number("svp.acl_api_ss928"), 100]) + call("ss928", 2, 5, 9) + call("ss928", 7, 9, 8))
    write("fuzz_reader", "acl_api_dv500", bytes([number("svp.acl_api_dv500"), 100]) + call("dv500", 2, 5, 9) + call("dv500", 7, 9, 8))
    write("fuzz_reader", "aicpu", bytes([number("svp.aicpu"), 0]) + place(128, (24, "Q", 5), (32, "Q", 9), (124, "I", 2)))
    write("fuzz_reader", "layer", bytes([number("svp.layer_info"), 0]) + LAYERS)
    write("fuzz_reader", "model", bytes([number("svp.model_layers"), 0]) + MODEL)
    raw = aicore("dv500", 0, 7) * 4
    write("fuzz_done", "lies", markers("dv500", raw, b"file_len:9223372036854775807\nstart_time:1\n", b"file_len:100\nstart_time:2\n"))
    write("fuzz_done", "missing", markers("dv500", raw, b"", b"file_len:256\n", b"start_time:9\n", b"file_len:0\nstart_time:3\n"))
    write("fuzz_done", "nul", markers("cv610", aicore("cv610", 0, 7), b"file_len:128\n\0\0\0"))
    write("fuzz_items", "layers", b"\0" + LAYERS)
    write("fuzz_items", "nets", b"\1" + NETS)
    write("fuzz_items", "model", b"\2" + MODEL)
    write("fuzz_items", "narrow", b"\3" + bytes([0xA1, 19, 0x22, 7, 0xA3, 2, 97, 98, 0x63, 1, 2, 3, 4, 0x83, 1, 2, 3, 4, 5, 6, 7, 8, 0x21, 1]))
    write("fuzz_items", "wide", b"\4" + struct.pack("<QBQB3s", 1 << 63 | 1, 12, 1 << 63 | 2, 3, b"abc"))
    write("fuzz_items", "lengths", b"\0" + struct.pack("<HI", 0xC111, 0xFFFFFFFF) + LAYERS + struct.pack("<HH", 0xA111, 0xFFFF) + LAYERS)
    write("fuzz_items", "bounded", b"\0\0" + bytes.fromhex("2060118103152060" "11a1f1ff") * 400)


main()
