#!/usr/bin/env python3
"""svp_made.py OUT KIND: writes a small JOB directory of a board whose every number is known.

KIND: turns    two models take turns in a file of Hi3519DV500
      streams  a model on two streams of an SS928 in turn, with two nets on the CPU
      broken   counters of one task of an SS928 contradict each other
      nets     two nets of a model of Hi3519DV500, where task 0 is in both
      ring N   N calls after the only sampled inference of an SS928, the last of which unloads the model
      calls    an inference within a call, one behind an asynchronous call, and one before all calls
"""

import os
import struct
import sys

BEGIN = 1795705000000000  # us


def item(tag, value):
    if isinstance(value, int):
        return struct.pack("<HI", 0x6000 | tag, value)
    value = value.encode() if isinstance(value, str) else value
    return struct.pack("<HH", 0xA000 | tag, len(value)) + value


def layers(nets):
    """nets: {number of the net: number of tasks}"""
    rows = [(net, task) for net, tasks in nets.items() for task in range(tasks)]
    return b"".join(item(0x111, item(0x112, i) + item(0x114, f"l{net}_{task}") + item(0x141, f"o{net}_{task},r{net}_{task}") + item(0x14b, net)
                         + item(0x152, ("Convolution", "Pooling")[task % 2]) + item(0x157, task)) for i, (net, task) in enumerate(rows))


class Job:
    def __init__(self, out, soc):
        self.out, self.soc = out, soc
        os.makedirs(os.path.join(out, "data"))
        more = ',{"magic_num": "6A6A"}' if soc == "dv500" else ""
        self.write("../info.json.0", ('{"DeviceInfo": [{"aic_frequency": "700"}' + more + "]}").encode())

    def write(self, name, data, mode="wb"):
        with open(os.path.join(self.out, "data", name), mode) as f:
            f.write(data)

    def model(self, name, number, nets, cpu=()):
        self.write(f"{name}.{number}.layer.info", layers(nets))
        self.write(f"{name}.{number}.net.info", b"".join(
            [item(0x40, item(0x41, n) + item(0x42, 0) + item(0x20c, tasks)) for n, tasks in nets.items()]
            + [item(0x40, item(0x41, len(nets) + i) + item(0x42, 5) + item(0x208, text)) for i, text in enumerate(cpu)]))

    def records(self, tasks, picture, broken):
        """Task n has 7 * (n + 1) ticks, n + 1 us at 700 MHz."""
        data = b""
        for n in range(tasks):
            ticks = 7 * (n + 1)
            words = [n, ticks, 50 * ticks, 40 * ticks, 20 * ticks, 10 * ticks, ticks, 2 * ticks, 3 * ticks, 4 * ticks, 1000, 2000]
            if broken and n == 1:
                words[3] = words[2] + 1
            head = struct.pack("<12I", *words)
            data += head.ljust(224, b"\0") + struct.pack("<Q", picture) + bytes(24) if self.soc == "dv500" else head.ljust(256, b"\0")
        return data

    def marker(self, name, size, start, end, more=""):
        self.write(f"{name}.done", f"file_len:{size}\nstart_time:{start}\nend_time:{end}\n{more}".encode())

    def inference(self, model, number, stream, picture, start, tasks=3, broken=False, cpu_us=0):
        """The AI CPU is at work for cpu_us after the tasks of the core, within the time of the marker."""
        data = self.records(tasks, picture, broken)
        name = f"aicore.0.{model}.{stream}.{number}.1.1.{picture}"
        if self.soc == "dv500":
            name = f"aicore.0.{model}.{number}.1.1.{picture}"
            self.write("aicore.0.1.1", data, "ab")
        else:
            self.write(name, data)
        self.marker(name, len(data), start, start + tasks * (tasks + 1) // 2 + cpu_us, "cache_hit:30\ncache_mis:10\n")

    def aicpu(self, model, number, stream, picture, start, numbers):
        data = b"".join(bytes(24) + struct.pack("<QQ", start + 5 * i, start + 5 * i + 4) + bytes(84) + struct.pack("<I", n) for i, n in enumerate(numbers))
        name = f"aicpu.0.{model}.{stream}.{number}.1.1.{picture}"
        self.write(name, data)
        self.marker(name, len(data), start, start + 5 * len(numbers))

    def calls(self, model, number, rows, done=True):
        """rows: (number of the call, start, end, thread)"""
        form = ("<IIQQQII", 0x6a6a, number) if self.soc == "dv500" else ("<IIQQII", 0x5a5a)
        data = b"".join(struct.pack(*form, kind, start, end, 100, thread) for kind, start, end, thread in rows)
        self.write(f"acl_api.0.{model}.{number}", data)
        if done:
            self.marker(f"acl_api.0.{model}.{number}", len(data), rows[0][1], rows[-1][2])


def turns(job):
    for number, model in enumerate("ab"):
        job.model(model, number, {0: 3})
    for picture in range(6):
        for number, model in enumerate("ab"):
            job.inference(model, number, 0, picture, BEGIN + 100 * picture + 50 * number)


def streams(job):
    job.model("m", 4, {0: 3}, ("First", "Second"))
    for picture in range(4):
        job.inference("m", 4, 2 + picture % 2, picture, BEGIN + 100 * picture, cpu_us=14)
        job.aicpu("m", 4, 2 + picture % 2, picture, BEGIN + 100 * picture + 10, (2, 5))


def broken(job):
    job.model("m", 0, {0: 3})
    for picture in range(2):
        job.inference("m", 0, 16, picture, BEGIN + 100 * picture, broken=picture == 1)


def nets(job):
    job.model("m", 0, {0: 1, 1: 3})
    job.inference("m", 0, 0, 0, BEGIN)


def ring(job, count):
    job.model("m", 0, {0: 3})
    job.inference("m", 0, 16, 0, BEGIN + 50)
    job.calls("m", 0, [(0, BEGIN, BEGIN + 40, 100)] + [(2 if i < count - 1 else 1, BEGIN + 45 + 20 * i, BEGIN + 60 + 20 * i, 100) for i in range(count)])


def calls(job):
    job.model("m", 0, {0: 3})
    for picture, start in enumerate((BEGIN, BEGIN + 120, BEGIN + 340)):
        job.inference("m", 0, 16, picture, start)
    job.calls("m", 0, [(2, BEGIN + 100, BEGIN + 200, 100), (3, BEGIN + 300, BEGIN + 310, 101)], done=False)


def main(args):
    if len(args) < 2:
        sys.exit(__doc__)
    job = Job(args[0], "dv500" if args[1] in ("turns", "nets") else "ss928")
    {"turns": turns, "streams": streams, "broken": broken, "nets": nets, "ring": ring, "calls": calls}[args[1]](job, *map(int, args[2:]))


if __name__ == "__main__":
    main(sys.argv[1:])
