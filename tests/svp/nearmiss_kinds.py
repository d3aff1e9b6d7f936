"""nearmiss_kinds.py: good jobs changed as another firmware, unit, order or chip would: near misses, by name in KINDS."""
import glob
import json
import os
import re
import struct

import svp_forms as forms

WORDS = 12                                       # task_id, ticks, ten counters
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


class Job:
    """A job that is being changed."""

    def __init__(self, top, soc, rng, other):
        self.top, self.soc, self.rng, self.other = top, soc, rng, other
        self.form = forms.SOCS[{"ss928": "SS928", "dv500": "Hi3519DV500", "cv610": "Hi3516CV610"}[soc]]

    def names(self, start, done=False):
        found = sorted(os.path.basename(p) for p in glob.glob(os.path.join(glob.escape(self.top), "data", start + ".*")))
        return [n for n in found if n.endswith(".done") == done]

    def path(self, name):
        return os.path.join(self.top, name if name.startswith("info") else os.path.join("data", name))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def each_record(self, change, start="aicore", size=None):
        """change(record, index of the record in its file) -> bytes"""
        size = size or self.form.record
        for name in self.names(start):
            data = self.read(name)
            self.write(name, b"".join(change(data[at:at + size], at // size) for at in range(0, len(data), size)))

    def words(self, change):
        """change(list of 12 words) changes it in place"""
        def of_record(record, _):
            words = list(struct.unpack_from("<%dI" % WORDS, record))
            change(words)
            return struct.pack("<%dI" % WORDS, *(min(max(int(w), 0), 2**32 - 1) for w in words)) + record[4 * WORDS:]
        self.each_record(of_record)

    def calls(self, change):
        """change(list of fields of a call) changes it in place"""
        def of_record(record, _):
            fields = list(struct.unpack(self.form.call, record))
            change(fields)
            sizes = {"I": 2**32, "Q": 2**64}
            return struct.pack(self.form.call, *(int(v) % sizes[c] for v, c in zip(fields, self.form.call[1:])))
        self.each_record(of_record, "acl_api", struct.calcsize(self.form.call))

    def done(self, change, start="aicore"):
        """change(dictionary) changes it in place"""
        for name in self.names(start, True):
            pairs = dict(line.split(":", 1) for line in self.read(name).decode().splitlines() if ":" in line)
            change(pairs)
            self.write(name, "".join(f"{k}:{v}\n" for k, v in pairs.items()).encode())

    @property
    def begin(self):                             # of the fields of a call
        return 2 if self.soc == "ss928" else 3

    def has(self, start):
        return bool(self.names(start))


# ---- ticks and numbers of tasks

def scaled(index, factor):
    def change(job):
        def of(w):
            for i in index:
                w[i] = round(w[i] * factor)
        job.words(of)
    return change


for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100), ("div1000", 1 / 1000),
                     ("as_us", 100 / 700), ("as_ns", 100000 / 700), ("as_cycles_at_24MHz", 100 * 24 / 700)):
    KINDS["ticks_" + name] = scaled([1], factor)
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000)):
    KINDS["counters_" + name] = scaled(range(2, 10), factor)


def permuted(order):
    def change(job):
        def of(w):
            w[:] = [w[i] for i in order]
        job.words(of)
    return change


for name, order in (("task_and_ticks", [1, 0] + list(range(2, 12))), ("ticks_and_mac_busy", [0, 2, 1] + list(range(3, 12))),
                    ("ticks_and_dstr", [0, 6, 2, 3, 4, 5, 1] + list(range(7, 12))), ("busy_and_ppen", [0, 1, 3, 2, 5, 4] + list(range(6, 12))),
                    ("counters_reversed", [0, 1] + list(range(11, 1, -1))), ("counters_rotated", [0, 1] + [11] + list(range(2, 11))),
                    ("counters_rotated_back", [0, 1] + list(range(3, 12)) + [2]), ("bytes_and_cycles", [0, 1, 10, 11] + list(range(4, 10)) + [2, 3]),
                    ("ticks_behind_counters", [0] + list(range(2, 12)) + [1])):
    KINDS["swapped_" + name] = permuted(order)


@kind
def ticks_cumulative(job):
    total = {}
    def of(record, index):
        words = list(struct.unpack_from("<2I", record))
        total["at"] = (0 if words[0] == 0 else total.get("at", 0)) + words[1]
        return record[:4] + struct.pack("<I", total["at"] % 2**32) + record[8:]
    job.each_record(of)


@kind
def counters_cumulative(job):
    sums = [0] * 10
    def of(w):
        for i in range(10):
            sums[i] = (sums[i] + w[2 + i]) % 2**32
            w[2 + i] = sums[i]
    job.words(of)


@kind
def task_ids_reversed(job):
    ids = []
    job.words(lambda w: ids.append(w[0]))
    top = max(ids)
    def of(w):
        w[0] = top - w[0]
    job.words(of)


@kind
def task_ids_random(job):
    def of(w):
        w[0] = job.rng.randrange(100)
    job.words(of)


@kind
def task_ids_shifted(job):
    def of(w):
        w[0] += 1
    job.words(of)


@kind
def task_ids_doubled(job):
    def of(w):
        w[0] *= 2
    job.words(of)


@kind
def task_ids_zero(job):
    def of(w):
        w[0] = 0
    job.words(of)


@kind
def task_ids_from_1000(job):
    def of(w):
        w[0] += 1000
    job.words(of)


def moved(places):
    def change(job):
        def of(record, _):
            if places > 0:
                return bytes(places) + record[:len(record) - places]
            return record[-places:] + bytes(-places)
        job.each_record(of)
    return change


for places in (1, 2, 4, 8, 16, -1, -2, -4, -8):
    KINDS["moved_by_%d" % places] = moved(places)


@kind
def big_endian(job):
    job.each_record(lambda r, _: struct.pack(">%dI" % (len(r) // 4), *struct.unpack("<%dI" % (len(r) // 4), r)))


@kind
def ticks_big_endian(job):
    job.each_record(lambda r, _: r[:4] + r[7:3:-1] + r[8:])


@kind
def words_of_16_bits(job):
    def halved(r, _):
        words = struct.pack("<%dH" % WORDS, *(w & 0xFFFF for w in struct.unpack_from("<%dI" % WORDS, r)))
        return (words + r[4 * WORDS:]).ljust(len(r), b"\0")[:len(r)]
    job.each_record(halved)


@kind
def words_of_64_bits(job):
    job.each_record(lambda r, _: (struct.pack("<%dQ" % WORDS, *struct.unpack_from("<%dI" % WORDS, r)) + r[8 * WORDS:])[:len(r)])


@kind
def ticks_of_64_bits(job):
    job.each_record(lambda r, _: (r[:4] + r[4:8] + bytes(4) + r[8:])[:len(r)])


# ---- records

@kind
def every_second_record(job):
    job.each_record(lambda r, i: b"" if i % 2 else r)


@kind
def records_twice(job):
    job.each_record(lambda r, _: r + r)


@kind
def records_reversed(job):
    size = job.form.record
    for name in job.names("aicore"):
        data = job.read(name)
        job.write(name, b"".join(data[at:at + size] for at in range(len(data) - size, -1, -size)))


@kind
def records_shuffled(job):
    size = job.form.record
    for name in job.names("aicore"):
        data = job.read(name)
        pieces = [data[at:at + size] for at in range(0, len(data), size)]
        job.rng.shuffle(pieces)
        job.write(name, b"".join(pieces))


@kind
def records_of_half_the_size(job):
    job.each_record(lambda r, _: r[:len(r) // 2])


@kind
def records_of_twice_the_size(job):
    job.each_record(lambda r, _: r + bytes(len(r)))


@kind
def records_with_a_head(job):
    for name in job.names("aicore"):
        job.write(name, bytes(64) + job.read(name))


@kind
def records_of_another_job(job):
    """Of a job with as many records nothing tells that they are another's."""
    if len(job.read(job.names("aicore")[0])) == len(job.other.read(job.other.names("aicore")[0])):
        return False
    for ours, theirs in zip(job.names("aicore"), job.other.names("aicore")):
        job.write(ours, job.other.read(theirs))


@kind
def records_cut(job):
    name = job.rng.choice(job.names("aicore"))
    data = job.read(name)
    job.write(name, data[:len(data) // 2 // job.form.record * job.form.record])


# ---- markers

def told(keys, change, start="aicore"):
    def of(job):
        if not job.has(start):
            return False
        def of_pairs(pairs):
            for key in keys:
                if key in pairs:
                    pairs[key] = int(change(int(pairs[key])))
        return job.done(of_pairs, start)
    return of


for name, change in (("ms", lambda v: v // 1000), ("ns", lambda v: v * 1000), ("s", lambda v: v // 10**6), ("an_hour_later", lambda v: v + 3600 * 10**6),
                     ("since_start", lambda v: v - 1700000000 * 10**6), ("ticks", lambda v: v * 7)):
    KINDS["marker_in_" + name if name in ("ms", "ns", "s", "ticks") else "marker_" + name] = told(["start_time", "end_time"], change)
KINDS["marker_bytes_as_records"] = told(["file_len"], lambda v: v // 256)
KINDS["marker_bytes_doubled"] = told(["file_len"], lambda v: v * 2)


@kind
def marker_swapped(job):
    def of(pairs):
        pairs["start_time"], pairs["end_time"] = pairs["end_time"], pairs["start_time"]
    job.done(of)


@kind
def marker_end_is_duration(job):
    def of(pairs):
        pairs["end_time"] = int(pairs["end_time"]) - int(pairs["start_time"])
    job.done(of)


@kind
def marker_start_zero(job):
    def of(pairs):
        pairs["start_time"] = 0
    job.done(of)


@kind
def markers_of_other_inferences(job):
    names = job.names("aicore", True)
    if len(names) < 2:
        return False
    texts = [job.read(n) for n in names]
    for name, text in zip(names, texts[1:] + texts[:1]):
        job.write(name, text)
    return None


# ---- calls

def call_times(change):
    def of(job):
        def of_fields(f):
            f[job.begin], f[job.begin + 1] = change(f[job.begin], f[job.begin + 1])
        job.calls(of_fields)
    return of


for name, change in (("in_ms", lambda a, b: (a // 1000, b // 1000)), ("in_ns", lambda a, b: (a * 1000, b * 1000)), ("swapped", lambda a, b: (b, a)),
                     ("end_is_duration", lambda a, b: (a, b - a)), ("an_hour_later", lambda a, b: (a + 3600 * 10**6, b + 3600 * 10**6)),
                     ("longer_x10", lambda a, b: (a, a + 10 * (b - a))), ("longer_x1000", lambda a, b: (a, a + 1000 * (b - a))),
                     ("shorter_x10", lambda a, b: (a, a + (b - a) // 10)), ("since_start", lambda a, b: (a - 1700000000 * 10**6, b - 1700000000 * 10**6))):
    KINDS["calls_" + name] = call_times(change)


def move_types(job, by):
    def of(f):
        f[1 if job.soc == "ss928" else 2] += by
    job.calls(of)


@kind
def call_types_shifted(job):
    move_types(job, 1)


@kind
def call_types_of_ten(job):
    move_types(job, 10)


@kind
def call_ids_swapped(job):
    def of(f):
        f[-1], f[-2] = f[-2] + 5, f[-1] + 9
    job.calls(of)


@kind
def calls_reversed(job):
    size = struct.calcsize(job.form.call)
    for name in job.names("acl_api"):
        data = job.read(name)
        job.write(name, b"".join(data[at:at + size] for at in range(len(data) - size, -1, -size)))


@kind
def calls_of_another_job(job):
    for ours, theirs in zip(job.names("acl_api"), job.other.names("acl_api")):
        job.write(ours, job.other.read(theirs))


@kind
def calls_moved_by_4(job):
    size = struct.calcsize(job.form.call)
    job.each_record(lambda r, _: r[:4] + bytes(4) + r[4:-4], "acl_api", size)


@kind
def every_second_call(job):
    job.each_record(lambda r, i: b"" if i % 2 else r, "acl_api", struct.calcsize(job.form.call))


# ---- the AI CPU

def of_aicpu(change):
    def of(job):
        if not job.has("aicpu"):
            return False
        job.each_record(lambda r, _: change(r), "aicpu", forms.AICPU_BYTES)
        return None
    return of


def aicpu_times(change):
    """start and end of a task of the AI CPU become what `change` makes of them"""
    return of_aicpu(lambda r: r[:24] + struct.pack("<QQ", *(v % 2**64 for v in change(*struct.unpack_from("<QQ", r, 24)))) + r[40:])


KINDS["aicpu_in_ns"] = aicpu_times(lambda start, end: (start * 1000, end * 1000))
KINDS["aicpu_swapped"] = of_aicpu(lambda r: r[:24] + r[32:40] + r[24:32] + r[40:])
KINDS["aicpu_moved_by_8"] = of_aicpu(lambda r: bytes(8) + r[:116] + r[124:])
KINDS["aicpu_end_is_duration"] = aicpu_times(lambda start, end: (start, end - start))
KINDS["aicpu_longer_x10"] = aicpu_times(lambda start, end: (start, start + 10 * (end - start)))


# ---- info.json and layers

def frequency(change):
    def of(job):
        name = "info.json.0"
        text = job.read(name).decode()
        job.write(name, re.sub(r'("aic_frequency": ")(\d+)', lambda m: m[1] + str(int(change(int(m[2])))), text).encode())
    return of


for name, change in (("div100", lambda v: v / 100), ("div10", lambda v: v / 10), ("x10", lambda v: v * 10), ("half", lambda v: v / 2),
                     ("twice", lambda v: v * 2.1), ("third", lambda v: v / 3), ("thrice", lambda v: v * 3), ("khz", lambda v: v * 1000),
                     ("one", lambda v: 1)):
    KINDS["frequency_" + name] = frequency(change)


@kind
def layers_of_another_job(job):
    """A model with as many layers has no other numbers: only its names tell, which nothing else knows."""
    tables = [sorted(n for n in os.listdir(os.path.join(j.top, "data")) if n.endswith("layer.info")) for j in (job, job.other)]
    changed = False
    for ours, theirs in zip(*tables):
        nets = [j.read(n.replace("layer.info", "net.info")) for j, n in ((job, ours), (job.other, theirs))]
        if len(nets[0]) != len(nets[1]) or nets[0] != nets[1]:
            changed = changed or tasks_of(nets[0]) != tasks_of(nets[1])
        job.write(ours, job.other.read(theirs))
    return None if changed else False


def tasks_of(nets):
    """The numbers of records that the nets of a net.info tell: prof_layer_num, item 0x20c."""
    found, at = [], 0
    while at + 2 <= len(nets):
        tag = struct.unpack_from("<H", nets, at)[0]
        width = {1: 1, 2: 2, 3: 4}.get(tag >> 13)
        if width:
            if tag & 0x1FFF == 0x20C:
                found.append(int.from_bytes(nets[at + 2:at + 2 + width], "little"))
            at += 2 + width
            continue
        size = {4: 1, 5: 2, 6: 4}.get(tag >> 13)
        if not size:
            break
        length = int.from_bytes(nets[at + 2:at + 2 + size], "little")
        at += 2 + size + (0 if tag & 0x1FFF == 0x40 else length)
    return found


@kind
def chip_of_another_board(job):
    text = {"ss928": '{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"}]}',
            "dv500": '{"DeviceInfo": [{"aic_frequency": "700"},{"soc_version": "V200"},{"aicore_type": "0"}]}',
            "cv610": '{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"}]}'}[job.soc]
    job.write("info.json.0", text.encode())


@kind
def chip_ss928(job):
    if job.soc == "ss928":
        return False
    job.write("info.json.0", b'{"DeviceInfo": [{"aic_frequency": "700"}]}')
    return None
