#!/usr/bin/env python3
"""nearmiss_2022.py: JOB directories of 2022 whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss_2022.py MSPROF [--seeds N] [--first N] [--good N] [--kind KIND] [--list] [--keep DIR]

tests/judging.py has what a kind is, and what is printed.
"""

import json
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "cli", "helpers")]
import ascend2022_mix
import judging
import near_samples
import planted_ascend
from near_records import (Directory, added, applied, cumulative, end_is_duration, exchanged, longer, of_fields, of_texts, pairs, parts, rotated, scaled, shapes)

FILES = {"hwts": ("data/hwts.data.0.slice_0", "<BBHHHQI44x"), "pmu": ("data/aicore.data.0.slice_0", "<BBHHHII10Q8I"),
         "acl": ("data/AclModule.acl_model.0.slice_0", "<HHIQQII64s32x"), "desc": ("data/Framework.task_desc_info.0.slice_0", "<HHI128s64sQQIIIIHH5I"),
         "track": ("data/ts_track.data.0.slice_0", "<BBHIQQQHHHH")}
# places of fields
TASK, COUNT, STREAM = 4, 5, 6                    # hwts
TOTAL, FIRST, LAST, PMU_STREAM = 7, 9, 16, 17    # pmu
BEGIN, END = 3, 4                                # acl
DESC_TIME, DESC_MODEL, DESC_STREAM, DESC_TASK = 6, 9, 10, 11
KINDS = {}

for file in FILES:
    KINDS.update({**shapes(file), **parts(file)})
FILES.update(near_samples.files("data"))
KINDS.update(near_samples.kinds("data"))

for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100), ("div1000", 1 / 1000)):
    KINDS["hwts_times_" + name] = of_fields("hwts", scaled((COUNT,), factor))
    KINDS["pmu_cycles_" + name] = of_fields("pmu", scaled((TOTAL,), factor))
    KINDS["pmu_all_" + name] = of_fields("pmu", scaled([TOTAL] + list(range(FIRST, LAST + 1)), factor))
    KINDS["acl_times_" + name] = of_fields("acl", scaled((BEGIN, END), factor))
    KINDS["track_times_" + name] = of_fields("track", scaled((4,), factor))
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000)):
    KINDS["pmu_counters_" + name] = of_fields("pmu", scaled(range(FIRST, LAST + 1), factor))
    KINDS["desc_times_" + name] = of_fields("desc", scaled((DESC_TIME,), factor))
for name, factor in (("x100", 100), ("x1000", 1000)):
    KINDS["acl_longer_" + name] = of_fields("acl", longer(BEGIN, END, factor))


def type_flipped(v):
    v[0] ^= 1


KINDS["hwts_ends_flipped"] = of_fields("hwts", type_flipped)
KINDS["hwts_starts_only"] = lambda job: job.put("hwts", [r for r in job.records("hwts") if not r[0] & 1])
HWTS_PAIRS = ("hwts", COUNT, lambda v: (v[STREAM], v[TASK]), lambda v: v[0] & 1)
KINDS["hwts_durations_x10"] = pairs(*HWTS_PAIRS, lambda start, end: start + 10 * (end - start))
KINDS["hwts_end_is_duration"] = pairs(*HWTS_PAIRS, lambda start, end: end - start)
KINDS["hwts_core_and_type"] = of_fields("hwts", exchanged(0, 1))
for file, stream in (("hwts", STREAM), ("pmu", PMU_STREAM)):
    KINDS[file + "_stream_and_task"] = of_fields(file, exchanged(stream, TASK))
    KINDS[file + "_tasks_shifted"] = of_fields(file, added((TASK,), 3000))
    KINDS[file + "_tasks_zero"] = of_fields(file, scaled((TASK,), 0))
    KINDS[file + "_streams_shifted"] = of_fields(file, added((stream,), 1000))
KINDS["pmu_tasks_next"] = of_fields("pmu", added((TASK,), 1))
KINDS["pmu_cumulative"] = cumulative("pmu", [TOTAL] + list(range(FIRST, LAST + 1)))
KINDS["pmu_total_and_first"] = of_fields("pmu", exchanged(TOTAL, FIRST))
KINDS["pmu_total_behind"] = of_fields("pmu", exchanged(TOTAL, TOTAL + 1))
KINDS["pmu_rotated"] = of_fields("pmu", rotated(FIRST, LAST, 1))
KINDS["pmu_rotated_back"] = of_fields("pmu", rotated(FIRST, LAST, 7))
KINDS["pmu_words_moved"] = of_fields("pmu", rotated(TOTAL, LAST, 1))
KINDS["pmu_words_moved_back"] = of_fields("pmu", rotated(TOTAL, LAST, 9))
KINDS["acl_swapped"] = of_fields("acl", exchanged(BEGIN, END))
KINDS["acl_end_is_duration"] = of_fields("acl", end_is_duration(BEGIN, END))
KINDS["acl_process_and_thread"] = of_fields("acl", exchanged(5, 6))
KINDS["acl_types_shifted"] = of_fields("acl", added((2,), 100))
KINDS["acl_type_and_thread"] = of_fields("acl", exchanged(2, 6))
KINDS["desc_stream_and_task"] = of_fields("desc", exchanged(DESC_STREAM, DESC_TASK))
KINDS["desc_tasks_shifted"] = of_fields("desc", added((DESC_TASK,), 3000))
KINDS["desc_streams_shifted"] = of_fields("desc", added((DESC_STREAM,), 1000))
KINDS["desc_models_shifted"] = of_fields("desc", added((DESC_MODEL,), 1000))
KINDS["desc_model_and_stream"] = of_fields("desc", exchanged(DESC_MODEL, DESC_STREAM))
KINDS["track_counter_and_index"] = of_fields("track", exchanged(4, 5))
KINDS["track_index_and_model"] = of_fields("track", exchanged(5, 6))
KINDS["track_tags_shifted"] = of_fields("track", added((9,), 1))
KINDS["track_task_and_tag"] = of_fields("track", exchanged(8, 9))

# ---- clocks and control files

INFO, HOST, DEVICE = ("info.json.0",), ("host_start.log.0",), ("dev_start.log.0",)
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100)):
    KINDS["counter_frequency_" + name] = of_texts(INFO, r'"hwts_frequency": "', lambda n, factor=factor: n * factor)
    KINDS["core_frequency_" + name] = of_texts(INFO, r'"aic_frequency": "', lambda n, factor=factor: n * factor)
for name, factor in (("x1000", 1000), ("div1000", 1 / 1000)):
    KINDS["host_clock_" + name] = of_texts(HOST, "clock_monotonic_raw: ", lambda n, factor=factor: int(n * factor))
    KINDS["device_counter_" + name] = of_texts(DEVICE, "cntvct: ", lambda n, factor=factor: int(n * factor))
for name, more in (("an_hour_later", 3600), ("a_minute_later", 60), ("a_minute_before", -60)):
    KINDS["host_clock_" + name] = of_texts(HOST, "clock_monotonic_raw: ", lambda n, more=more: int(n) + more * 10 ** 9)
    KINDS["device_counter_" + name] = of_texts(DEVICE, "cntvct: ", lambda n, more=more: int(n) + more * 10 ** 6 * ascend2022_mix.MHZ)
    KINDS["start_info_" + name] = of_texts(("start_info.0",), '"clockMonotonicRaw": "', lambda n, more=more: int(n) + more * 10 ** 9)
KINDS["end_info_a_minute_before"] = of_texts(("end_info.0",), '"clockMonotonicRaw": "', lambda n: int(n) - 60 * 10 ** 9)
# Fewer calls than were made, names of a model with as many operators, counters in exchanged places.
UNTOLD = ("acl_every_second", "acl_half", "acl_of_half_the_size", "desc_of_another", "pmu_rotated_back")
PLANTED = ((), (), ("aicpu",), ("communication",), ("blocks", "aicpu"), ("late",), ("tiny", "communication"))
OWN_NS, SECONDS = 500 * 10 ** 9, 1


def calls(rng):
    """Calls of two threads, which fill most of half a second."""
    out = []
    for thread in (78, 79):
        at = ascend2022_mix.HOST_NS + rng.randrange(10 ** 6)
        while at < ascend2022_mix.HOST_NS + 5 * 10 ** 8:
            end = at + rng.randrange(10 ** 6, 9 * 10 ** 6)
            kind, name = rng.choice(((2, b"aclmdlExecute"), (3, b"aclrtMalloc"), (3, b"aclrtMemcpy")))
            out.append(struct.pack("<HHIQQII64s32x", 0x5A5A, 0, kind, at, end, 77, thread, name))
            at = end + rng.randrange(10 ** 6)
    return out


def made(_, top, __, seed):
    """A job of a core, so that its cycles are those of the task; with a collection, calls and samples."""
    rng = random.Random(seed)
    ascend2022_mix.HOST_NS, ascend2022_mix.ORIGIN = (1000 + seed * 3607) * 10 ** 9, (100 + seed * 3607) * 10 ** 6 * ascend2022_mix.MHZ
    planted_ascend.main(top, "ascend2022", seed, *rng.choice(PLANTED))
    job, begin = Directory(top, FILES, rng), ascend2022_mix.HOST_NS
    for name, what, at in (("start_info", "Begin", begin), ("end_info", "End", begin + SECONDS * 10 ** 9)):
        job.write(name + ".0", json.dumps({"collectionTime" + what: str(1735689600000000 + (at - begin) // 1000), "clockMonotonicRaw": str(at)}).encode())
    job.write("info.json.0", job.read("info.json.0").replace(b'"ai_core_num": 8', b'"ai_core_num": 1').replace(b'"version"', b'"pid": "77", "version"'))
    job.write("dev_start.log.0", job.read("dev_start.log.0").replace(b"raw: 77", b"raw: %d" % OWN_NS))
    job.put("acl", calls(rng))
    near_samples.write(top, "data", rng, OWN_NS)


def changed(name, top, other, _, rng):
    return applied(KINDS[name], Directory(top, FILES, rng, Directory(other, FILES, rng)))


if __name__ == "__main__":
    sys.exit(judging.main(__doc__, KINDS, ("2022",), ("JOB" + "A" * 29, "JOB" + "B" * 29), made, changed, UNTOLD))
