#!/usr/bin/env python3
"""nearmiss.py: PROF directories whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss.py MSPROF GENPROF [--seeds N] [--first N] [--good N] [--kind KIND] [--list] [--keep DIR]

tests/judging.py has what a kind is, and what is printed.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judging
import near_samples
from near_records import (Directory, added, applied, cumulative, end_is_duration, exchanged, longer, of_fields, of_texts, pairs, parts, rotated, scaled, shapes)

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

for file in FILES:
    KINDS.update({**shapes(file), **parts(file)})
FILES.update(near_samples.files("device_0/data"))
KINDS.update(near_samples.kinds("device_0/data", without=("ddr",)))  # the chip writes none

# ---- the host

for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div1000", 1 / 1000)):
    KINDS["api_times_" + name] = of_fields("api", scaled((BEGIN, END), factor))
    KINDS["track_times_" + name] = of_fields("track", scaled((STAMP,), factor))
    KINDS["node_times_" + name] = of_fields("node", scaled((STAMP,), factor))
    KINDS["host_times_" + name] = lambda job, factor=factor: [
        job.fields(f, scaled(p, factor)) for f, p in (("api", (BEGIN, END)), ("track", (STAMP,)), ("node", (STAMP,)))]
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100)):
    KINDS["api_longer_" + name] = of_fields("api", longer(BEGIN, END, factor))
KINDS["api_swapped"] = of_fields("api", exchanged(BEGIN, END))
KINDS["api_end_and_item"] = of_fields("api", exchanged(END, 7))
KINDS["api_type_and_thread"] = of_fields("api", exchanged(2, 3))
KINDS["api_types_shifted"] = of_fields("api", added((2,), 1000))
KINDS["api_threads_shifted"] = of_fields("api", added((3,), 1000))
KINDS["api_end_is_duration"] = of_fields("api", end_is_duration(BEGIN, END))
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


LOG_PAIRS = ("log", COUNT, lambda v: (v[STREAM], v[TASK]), lambda v: v[0] & 1)
KINDS["log_durations_x10"] = pairs(*LOG_PAIRS, lambda start, end: start + 10 * (end - start))
KINDS["log_end_is_duration"] = pairs(*LOG_PAIRS, lambda start, end: end - start)
KINDS["pmu_cumulative"] = cumulative("pmu", [TOTAL] + list(range(FIRST, LAST + 1)))
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

# Counters in exchanged places.
UNTOLD = ("pmu_rotated_back",)


def made(genprof, top, form, seed):
    rng = random.Random(seed)
    more = ["--samples"] if rng.random() < 0.3 else []
    judging.checked(genprof, "--out", top, "--tasks", str(rng.choice((40, 60, 200, 1000))), "--streams", str(rng.choice((1, 3, 8, 20))),
                    "--seed", str(seed), *more)
    with open(os.path.join(top, "device_0", "dev_start.log.0"), encoding="ascii") as f:
        own_ns = int(f.readline().split(":")[1])
    near_samples.write(top, "device_0/data", rng, own_ns)


def changed(name, top, other, form, rng):
    return applied(KINDS[name], Directory(top, FILES, rng, Directory(other, FILES, rng)))


if __name__ == "__main__":
    sys.exit(judging.main(__doc__, KINDS, ("prof",), ("PROF_A", "PROF_B"), made, changed, UNTOLD))
