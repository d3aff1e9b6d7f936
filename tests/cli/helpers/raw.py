"""
raw.py KIND KEY=VALUE...: one raw record of an SS928 on standard output.

KIND and keys: core   task net ticks (or start end), the counters, read write
               cpu    task start end, in us
               board  number start end pid tid: a call in us, as the board's library writes it
               call   type begin end pid tid name: a call in ns, as our recorder writes it
raw.py layers TASK:NAME:TYPE:ORI...: a layer.info; an empty text is none
raw.py done KEY=VALUE...: a marker
"""
import struct
import sys

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")


def item(tag, value):
    if isinstance(value, int):
        return struct.pack("<HI", 0x6000 | tag, value)
    return struct.pack("<HI", 0xC000 | tag, len(value)) + value


def layers(texts):
    data = b""
    for number, text in enumerate(texts):
        task, name, kind, ori = text.split(":")
        inner = item(0x112, number) + item(0x157, int(task)) + item(0x14B, 0)
        for tag, value in ((0x114, name), (0x152, kind), (0x141, ori)):
            inner += item(tag, value.encode()) if value else b""
        data += item(0x111, inner)
    return data


def record(kind, pairs):
    v = dict(p.split("=", 1) for p in pairs)
    name = v.pop("name", "svp_acl_mdl_execute").encode()
    n = {k: int(x) for k, x in v.items()}

    def get(*names, default=0):
        return [n.pop(k, default) for k in names]

    if kind == "core":
        start, end = get("start", "end")
        data = struct.pack("<12I", *get("task"), *get("ticks", default=end - start), *get(*COUNTERS, "read", "write")).ljust(252, b"\0")
        data += struct.pack("<I", *get("net"))
    elif kind == "cpu":
        data = bytes(24) + struct.pack("<QQ", *get("start", "end")) + bytes(84) + struct.pack("<I", *get("task"))
    elif kind == "board":
        data = struct.pack("<IIQQII", 0x5A5A, *get("number", default=2), *get("start", "end", "pid", "tid"))
    else:
        data = struct.pack("<HHIQQII64s32x", 0x5A5A, 0, *get("type", default=2), *get("begin", "end", "pid", "tid"), name)
    assert not n, f"unknown keys {list(n)}"
    return data


def main(kind, *values):
    if kind == "layers":
        data = layers(values)
    elif kind == "done":
        data = "".join(v.replace("=", ":", 1) + "\n" for v in values).encode()
    else:
        data = record(kind, values)
    sys.stdout.buffer.write(data)


main(*sys.argv[1:])
