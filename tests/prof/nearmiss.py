#!/usr/bin/env python3
"""nearmiss.py: PROF directories whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss.py MSPROF GENPROF [--seeds N] [--first N] [--kind KIND] [--list] [--keep DIR]

Each kind changes a good directory the way another unit, order, clock or chip would, and shows both. It is noticed when msprof ends
with another status than 0; it is missed when the numbers differ and the status is 0. Prints a line for each kind, and ends with 1
when a kind is missed more often than 1 in 1000.
"""

import os
import random
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judging

API, TRACK, NODE = "<HHIIIQQQ", "<HHIIIQHHHHQQI12x", "<HHIIIQQIQII12x"
LOG, PMU = "<HHHHQ48x", "<HHHHQ16xQQ8QQQ"
FILES = {"api": ("host/data/unaging.api_event.data.slice_0", API), "track": ("host/data/unaging.compact.task_track.slice_0", TRACK),
         "node": ("host/data/unaging.compact.node_basic_info.slice_0", NODE), "log": ("device_0/data/stars_soc.data.0.slice_0", LOG),
         "pmu": ("device_0/data/ffts_profile.data.0.slice_0", PMU)}
# places of fields
BEGIN, END = 5, 6                                # api
STAMP = 5                                        # track, node
STREAM, TASK = 2, 3                              # log, pmu; of a track 7, 8
COUNT = 4                                        # log
TOTAL, FIRST, LAST = 5, 7, 14                    # pmu
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


class Directory:
    """A directory that is being changed."""

    def __init__(self, top, rng, other):
        self.top, self.rng, self.other = top, rng, other

    def read(self, name):
        with open(os.path.join(self.top, name), "rb") as f:
            return f.read()

    def write(self, name, data):
        with open(os.path.join(self.top, name), "wb") as f:
            f.write(data)

    def records(self, what):
        name, form = FILES[what]
        data, size = self.read(name), struct.calcsize(form)
        return [data[at:at + size] for at in range(0, len(data), size)]

    def put(self, what, records):
        self.write(FILES[what][0], b"".join(records))

    def fields(self, what, change):
        """change(list of fields) changes it in place. What a format skips is kept."""
        form, out = FILES[what][1], []
        for record in self.records(what):
            values, new = list(struct.unpack(form, record)), bytearray(record)
            change(values)
            at = 0
            for count, code in re.findall(r"(\d*)([HIQx])", form):
                if code == "x":
                    at += int(count)
                    continue
                for _ in range(int(count or 1)):
                    size = struct.calcsize("<" + code)
                    struct.pack_into("<" + code, new, at, int(values.pop(0)) % 2 ** (8 * size))
                    at += size
            out.append(bytes(new))
        self.put(what, out)

    def texts(self, names, pattern, change):
        """Replaces the numbers behind `pattern`; none may become negative."""
        for name in names:
            text = self.read(name).decode()
            if any(float(change(float(n))) < 0 for n in re.findall(pattern + r"([0-9.]+)", text)):
                return False
            self.write(name, re.sub(pattern + r"([0-9.]+)", lambda m: m[0][:-len(m[1])] + str(change(float(m[1]))), text).encode())
        return None


def of_fields(what, change):
    return lambda job: job.fields(what, change)


def scaled(places, factor):
    def change(v):
        for i in places:
            v[i] = round(v[i] * factor)
    return change


def added(places, more):
    def change(v):
        for i in places:
            v[i] += more
    return change


def exchanged(a, b):
    def change(v):
        v[a], v[b] = v[b], v[a]
    return change


def rotated(first, last, by):
    def change(v):
        part = v[first:last + 1]
        v[first:last + 1] = part[by:] + part[:by]
    return change


# ---- kinds of all files

def moved(what, places):
    """All but the head of a record is moved."""
    def change(record):
        return record[:4] + bytes(places) + record[4:-places] if places > 0 else record[:4] + record[4 - places:] + bytes(-places)
    return lambda job: job.put(what, [change(r) for r in job.records(what)])


def big_endian(what):
    def change(record):
        form, out, at = FILES[what][1], bytearray(record), 0
        for count, code in re.findall(r"(\d*)([HIQx])", form):
            size = struct.calcsize("<" + code)
            for _ in range(int(count or 1)):
                if code != "x" and at >= 4:
                    out[at:at + size] = out[at:at + size][::-1]
                at += size
        return bytes(out)
    return lambda job: job.put(what, [change(r) for r in job.records(what)])


def shuffled(what):
    def change(job):
        records = job.records(what)
        job.rng.shuffle(records)
        job.put(what, records)
    return change


for file in FILES:
    for places in (2, 4, 8, -4, -8):
        KINDS[f"{file}_moved_by_{places}"] = moved(file, places)
    KINDS[f"{file}_big_endian"] = big_endian(file)
    KINDS[f"{file}_every_second"] = lambda job, file=file: job.put(file, job.records(file)[::2])
    KINDS[f"{file}_half"] = lambda job, file=file: job.put(file, job.records(file)[:len(job.records(file)) // 2])
    KINDS[f"{file}_of_half_the_size"] = lambda job, file=file: job.put(file, [r[:len(r) // 2] for r in job.records(file)])
    KINDS[f"{file}_of_twice_the_size"] = lambda job, file=file: job.put(file, [r + bytes(len(r)) for r in job.records(file)])
    KINDS[f"{file}_with_a_head"] = lambda job, file=file: job.put(file, [bytes(12)] + job.records(file))
    KINDS[f"{file}_twice"] = lambda job, file=file: job.put(file, [r for record in job.records(file) for r in (record, record)])
    KINDS[f"{file}_reversed"] = lambda job, file=file: job.put(file, job.records(file)[::-1])
    KINDS[f"{file}_shuffled"] = shuffled(file)
    KINDS[f"{file}_of_another"] = lambda job, file=file: job.put(file, job.other.records(file))

# ---- the host

for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div1000", 1 / 1000)):
    KINDS["api_times_" + name] = of_fields("api", scaled((BEGIN, END), factor))
    KINDS["track_times_" + name] = of_fields("track", scaled((STAMP,), factor))
    KINDS["node_times_" + name] = of_fields("node", scaled((STAMP,), factor))
    KINDS["host_times_" + name] = lambda job, factor=factor: [
        job.fields(f, scaled(p, factor)) for f, p in (("api", (BEGIN, END)), ("track", (STAMP,)), ("node", (STAMP,)))]


def longer(factor):
    def change(v):
        v[END] = v[BEGIN] + round((v[END] - v[BEGIN]) * factor)
    return change


for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100)):
    KINDS["api_longer_" + name] = of_fields("api", longer(factor))
KINDS["api_swapped"] = of_fields("api", exchanged(BEGIN, END))
KINDS["api_end_and_item"] = of_fields("api", exchanged(END, 7))
KINDS["api_type_and_thread"] = of_fields("api", exchanged(2, 3))
KINDS["api_types_shifted"] = of_fields("api", added((2,), 1000))
KINDS["api_threads_shifted"] = of_fields("api", added((3,), 1000))


def end_is_duration(v):
    v[END] -= v[BEGIN]


KINDS["api_end_is_duration"] = of_fields("api", end_is_duration)
KINDS["track_stream_and_task"] = of_fields("track", exchanged(7, 8))
KINDS["track_device_and_stream"] = of_fields("track", exchanged(6, 7))
KINDS["track_task_and_batch"] = of_fields("track", exchanged(8, 9))
KINDS["track_tasks_shifted"] = of_fields("track", added((8,), 3000))
KINDS["track_streams_shifted"] = of_fields("track", added((7,), 1000))
KINDS["track_threads_shifted"] = of_fields("track", added((3,), 1000))
KINDS["track_type_and_kernel"] = of_fields("track", exchanged(10, 11))
KINDS["node_name_and_type"] = of_fields("node", exchanged(6, 8))
KINDS["node_names_shifted"] = of_fields("node", added((6,), 1000))
KINDS["node_types_shifted"] = of_fields("node", added((8,), 1000))
KINDS["node_threads_shifted"] = of_fields("node", added((3,), 1000))
KINDS["node_blocks_div24"] = of_fields("node", scaled((9,), 1 / 24))
for name in ("hash_dic", "type_info_dic"):
    KINDS[name + "_other_numbers"] = lambda job, name=name: job.texts(
        [f"host/data/unaging.additional.{name}.slice_0"], "(?m)^(?:[0-9]+_)?", lambda n: int(n) + 1000)

# ---- the device

for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100), ("div1000", 1 / 1000)):
    KINDS["log_times_" + name] = of_fields("log", scaled((COUNT,), factor))
    KINDS["pmu_cycles_" + name] = of_fields("pmu", scaled((TOTAL,), factor))
    KINDS["pmu_all_" + name] = of_fields("pmu", scaled([TOTAL] + list(range(FIRST, LAST + 1)), factor))
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000)):
    KINDS["pmu_counters_" + name] = of_fields("pmu", scaled(range(FIRST, LAST + 1), factor))


def ends_flipped(v):
    v[0] ^= 1


KINDS["log_ends_flipped"] = of_fields("log", ends_flipped)
KINDS["log_starts_only"] = lambda job: job.put("log", [r for r in job.records("log") if not r[0] & 1])


@kind
def log_durations_x10(job):
    starts = {}

    def change(v):
        key = (v[STREAM], v[TASK])
        if v[0] & 1:
            v[COUNT] = starts[key] + 10 * (v[COUNT] - starts[key])
        else:
            starts[key] = v[COUNT]
    job.fields("log", change)


@kind
def log_end_is_duration(job):
    starts = {}

    def change(v):
        key = (v[STREAM], v[TASK])
        if v[0] & 1:
            v[COUNT] -= starts[key]
        else:
            starts[key] = v[COUNT]
    job.fields("log", change)


@kind
def pmu_cumulative(job):
    sums = [0] * 16

    def change(v):
        for i in [TOTAL] + list(range(FIRST, LAST + 1)):
            sums[i] += v[i]
            v[i] = sums[i]
    job.fields("pmu", change)


for file in ("log", "pmu"):
    KINDS[file + "_stream_and_task"] = of_fields(file, exchanged(STREAM, TASK))
    KINDS[file + "_tasks_shifted"] = of_fields(file, added((TASK,), 3000))
    KINDS[file + "_tasks_next"] = of_fields(file, added((TASK,), 1))
    KINDS[file + "_streams_shifted"] = of_fields(file, added((STREAM,), 1000))
    KINDS[file + "_tasks_zero"] = of_fields(file, scaled((TASK,), 0))
KINDS["pmu_rotated"] = of_fields("pmu", rotated(FIRST, LAST, 1))
KINDS["pmu_rotated_back"] = of_fields("pmu", rotated(FIRST, LAST, 7))
KINDS["pmu_total_and_first"] = of_fields("pmu", exchanged(TOTAL, FIRST))
KINDS["pmu_total_behind"] = of_fields("pmu", exchanged(TOTAL, 6))
KINDS["pmu_total_and_start"] = of_fields("pmu", exchanged(TOTAL, 15))
KINDS["pmu_words_moved"] = of_fields("pmu", rotated(TOTAL, LAST, 1))
KINDS["pmu_words_moved_back"] = of_fields("pmu", rotated(TOTAL, LAST, 9))

# ---- clocks and control files

BOTH = ("host/{}", "device_0/{}.0")


def of_texts(names, pattern, change):
    return lambda job: job.texts(names, pattern, change)


for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100)):
    KINDS["host_frequency_" + name] = of_texts(("host/info.json", "device_0/info.json.0"), r'"Frequency":"', lambda n, factor=factor: n * factor)
    KINDS["counter_frequency_" + name] = of_texts(("device_0/info.json.0",), r'"hwts_frequency":"', lambda n, factor=factor: n * factor)
    KINDS["core_frequency_" + name] = of_texts(("device_0/info.json.0",), r'"aic_frequency":"', lambda n, factor=factor: int(n * factor))
for name, factor in (("x100", 100), ("x1000", 1000), ("div1000", 1 / 1000)):
    KINDS["host_clock_" + name] = of_texts(("host/host_start.log", "device_0/host_start.log.0"),
                                           "clock_monotonic_raw:", lambda n, factor=factor: int(n * factor))
    KINDS["host_counter_" + name] = of_texts(("host/host_start.log", "device_0/host_start.log.0"), "cntvct:", lambda n, factor=factor: int(n * factor))
    KINDS["device_counter_" + name] = of_texts(("device_0/dev_start.log.0",), "cntvct:", lambda n, factor=factor: int(n * factor))
for name, more in (("an_hour_later", 3600), ("an_hour_before", -3600), ("a_minute_later", 60), ("a_minute_before", -60)):
    KINDS["host_counter_" + name] = of_texts(("host/host_start.log", "device_0/host_start.log.0"), "cntvct:", lambda n, more=more: int(n) + more * 100000000)
    KINDS["device_counter_" + name] = of_texts(("device_0/dev_start.log.0",), "cntvct:", lambda n, more=more: int(n) + more * 50000000)
    KINDS["start_info_" + name] = of_texts(("host/start_info", "device_0/start_info.0"), '"clockMonotonicRaw":"', lambda n, more=more: int(n) + more * 10**9)
    KINDS["end_info_" + name] = of_texts(("host/end_info", "device_0/end_info.0"), '"collectionTimeEnd":"', lambda n, more=more: int(n) + more * 10**6)
for chip in (0, 1, 4, 15):
    KINDS[f"chip_{chip}"] = of_texts(("host/info.json", "device_0/info.json.0"), '"platform_version":"', lambda n, chip=chip: chip)

# Counters in exchanged places, and a host that seems to be faster than the device by a plausible factor.
UNTOLD = ("pmu_rotated", "pmu_rotated_back", "host_frequency_x10")


def made(genprof, top, form, seed):
    rng = random.Random(seed)
    more = ["--samples"] if rng.random() < 0.3 else []
    judging.checked(genprof, "--out", top, "--tasks", str(rng.choice((40, 60, 200, 1000))), "--streams", str(rng.choice((1, 3, 8, 20))),
                    "--seed", str(seed), *more)


def changed(name, top, other, form, rng):
    return KINDS[name](Directory(top, rng, Directory(other, rng, None)))


if __name__ == "__main__":
    sys.exit(judging.main(__doc__, KINDS, ("prof",), ("PROF_A", "PROF_B"), made, changed, UNTOLD))
