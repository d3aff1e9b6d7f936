"""
raw.py KIND KEY=VALUE...: one raw record on standard output (KIND is core, cpu or call).
Keys of core and cpu: task stream start end, the counters, read write miss access; of call: type begin end pid tid name.
"""
import struct
import sys

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")


def main(kind, *pairs):
    v = dict(p.split("=", 1) for p in pairs)
    name = v.pop("name", "svp_acl_mdl_execute").encode()
    n = {k: int(x) for k, x in v.items()}

    def get(*names, default=0):
        return [n.pop(k, default) for k in names]

    if kind == "core":
        data = struct.pack("<HHIII", 0x5A5A, 1, *get("task", "stream"), 0)
        data += struct.pack("<12Q", *get("start", "end", *COUNTERS, "read", "write"))
        data += struct.pack("<IIQ", *get("miss", "access"), 0)
    elif kind == "cpu":
        data = struct.pack("<HHIIIQQ", 0x5A5A, 2, *get("task", "stream"), 0, *get("start", "end"))
    else:
        data = struct.pack("<HHIQQII64s32x", 0x5A5A, 0, *get("type", default=2), *get("begin", "end", "pid", "tid"), name)
    assert not n, f"unknown keys {list(n)}"
    sys.stdout.buffer.write(data)


main(*sys.argv[1:])
