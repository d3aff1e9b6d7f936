"""
raw.py KIND KEY=VALUE...: one raw record on standard output. KIND has these keys:
core: task ticks seg, the counters, read write, soc (ss928, dv500, cv610) and pic; cpu: task start end; call: type begin end pid tid, soc and model;
host, a call as msprof's recorder writes it: type begin end pid tid name detail; marker: len start end hit miss;
layer: id name type ori task seg; net: id type records operator.
Times are us since 1970, those of host ns.
"""
import struct
import sys

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld", "read", "write")
LEFT = 0xEE  # what the buffer of the board held before
MARKS = {"len": "file_len", "start": "start_time", "end": "end_time", "hit": "cache_hit", "miss": "cache_mis"}


def core(soc="ss928", task=0, ticks=0, seg=0, pic=0, **counters):
    assert not set(counters) - set(COUNTERS), f"unknown keys {set(counters)}"
    head = struct.pack("<12I", task, ticks, *(counters.get(name, 0) for name in COUNTERS))
    if soc == "cv610":
        return head.ljust(120, b"\0") + struct.pack("<II", pic, 0)
    if soc == "dv500":
        return head.ljust(224, b"\0") + struct.pack("<Q24x", pic)
    return head.ljust(252, b"\0") + struct.pack("<I", seg)


def cpu(task=0, start=0, end=0):
    return bytes([LEFT]) * 24 + struct.pack("<QQ", start, end) + bytes([LEFT]) * 84 + struct.pack("<I", task)


def call(soc="ss928", type=2, begin=0, end=0, pid=0, tid=0, model=0):
    if soc == "ss928":
        return struct.pack("<IIQQII", 0x5A5A, type, begin, end, pid, tid)
    return struct.pack("<IIQQQII", 0x6A6A, model, type, begin, end, pid, tid)


def host(type=2, begin=0, end=0, pid=0, tid=0, name="svp_acl_mdl_execute", detail=""):
    return struct.pack("<HHIQQII64s32s", 0x5A5A, 0, type, begin, end, pid, tid, name.encode(), detail.encode())


def marker(**values):
    """The marker of a file: of the pairs those that are given."""
    return "".join(f"{MARKS[key]}:{values[key]}\n" for key in MARKS if key in values).encode()


def item(tag, value):
    """A number of two bytes or a text, by the form in the tag."""
    if isinstance(value, int):
        return struct.pack("<HH", tag, value)
    value = value.encode() + b"\0" if isinstance(value, str) else value
    return struct.pack("<HB" if tag >> 13 == 4 else "<HH", tag, len(value)) + value


def layer(id=0, name="", type="", ori="", task=0, seg=0):
    return item(0xA111, item(0x4112, id) + item(0x8114, name) + item(0xA141, ori) + item(0x414B, seg) + item(0x8152, type) + item(0x4157, task))


def net(id=0, type=0, records=0, operator=""):
    return item(0xA040, item(0x4041, id) + struct.pack("<HB", 0x2042, type) + item(0x420C, records) + (item(0x8208, operator) if operator else b""))


def main(kind, *pairs):
    makers = {"core": core, "cpu": cpu, "call": call, "host": host, "marker": marker, "layer": layer, "net": net}
    values = dict(p.split("=", 1) for p in pairs)
    texts = ("soc", "name", "detail", "ori", "operator") + (("type",) if kind == "layer" else ())
    sys.stdout.buffer.write(makers[kind](**{k: v if k in texts else int(v) for k, v in values.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
