#!/usr/bin/env python3
"""nearmiss_910.py: JOB directories of the Ascend 910 whose bytes are near misses of a layout: are wrong numbers shown without a word?

Usage: nearmiss_910.py MSPROF [--seeds N] [--first N] [--good N] [--kind KIND] [--list] [--keep DIR]

tests/judging.py has what a kind is, and what is printed.
"""

import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "cli", "helpers")]
import judging
import planted_ascend
from near_records import Directory, added, applied, exchanged, of_fields, pairs, parts, scaled, shapes

FILES = {"hwts": ("data/hwts.log.data.45.dev.profiler_default_tag.1.slice_0", "<BBHHHQI44x"),
         "trace": ("data/training_trace.46.dev.profiler_default_tag.1.slice_0", "<QHHQ")}
DESC, GRAPH, CPU = ("data/" + name + ".1.slice_0" for name in (
    "Framework.host.vm.task_desc_info", "Framework.host.vm.graph_desc_info", "DATA_PREPROCESS.dev.AICPU"))
# places of fields
TASK, COUNT, STREAM = 4, 5, 6                    # hwts
KINDS = {}

for file in FILES:
    KINDS.update({**shapes(file), **parts(file)})
for name, factor in (("x10", 10), ("x100", 100), ("x1000", 1000), ("div10", 1 / 10), ("div100", 1 / 100), ("div1000", 1 / 1000)):
    KINDS["hwts_times_" + name] = of_fields("hwts", scaled((COUNT,), factor))
    KINDS["trace_times_" + name] = of_fields("trace", scaled((3,), factor))


def type_flipped(v):
    v[0] ^= 1


HWTS_PAIRS = ("hwts", COUNT, lambda v: (v[STREAM], v[TASK]), lambda v: v[0] & 1)
KINDS["hwts_ends_flipped"] = of_fields("hwts", type_flipped)
KINDS["hwts_starts_only"] = lambda job: job.put("hwts", [r for r in job.records("hwts") if not r[0] & 1])
KINDS["hwts_durations_x10"] = pairs(*HWTS_PAIRS, lambda start, end: start + 10 * (end - start))
KINDS["hwts_end_is_duration"] = pairs(*HWTS_PAIRS, lambda start, end: end - start)
KINDS["hwts_core_and_type"] = of_fields("hwts", exchanged(0, 1))
KINDS["hwts_stream_and_task"] = of_fields("hwts", exchanged(STREAM, TASK))
KINDS["hwts_tasks_shifted"] = of_fields("hwts", added((TASK,), 3000))
KINDS["hwts_tasks_zero"] = of_fields("hwts", scaled((TASK,), 0))
KINDS["hwts_an_hour_later"] = of_fields("hwts", added((COUNT,), 3600 * 10 ** 8))
KINDS["hwts_a_minute_before"] = of_fields("hwts", added((COUNT,), -60 * 10 ** 8))
KINDS["trace_type_and_task"] = of_fields("trace", exchanged(0, 1))
KINDS["trace_type_and_counter"] = of_fields("trace", exchanged(0, 3))
KINDS["trace_types_shifted"] = of_fields("trace", added((0,), 1))
KINDS["trace_an_hour_later"] = of_fields("trace", added((3,), 3600 * 10 ** 8))


def words(name, pattern, change):
    """change(numbers of a match) is the new text of the match."""
    return lambda job: job.write(name, re.sub(pattern, lambda m: change(*m.groups()), job.read(name).decode("latin-1")).encode("latin-1"))


def number(name, key, change):
    return words(name, f"({key}=)([0-9]+)", lambda key, n: f"{key}{int(change(int(n)))}")


LINE = r"(?m)^([^ \n]+) ([0-9]+) ([0-9]+) ([0-9]+)$"
KINDS["desc_tasks_shifted"] = words(DESC, LINE, lambda n, b, t, s: f"{n} {b} {int(t) + 3000} {s}")
KINDS["desc_task_and_stream"] = words(DESC, LINE, lambda n, b, t, s: f"{n} {b} {s} {t}")
KINDS["desc_block_and_task"] = words(DESC, LINE, lambda n, b, t, s: f"{n} {t} {b} {s}")
KINDS["desc_name_last"] = words(DESC, LINE, lambda n, b, t, s: f"{b} {t} {s} {n}")
KINDS["desc_blocks_x100000"] = words(DESC, LINE, lambda n, b, t, s: f"{n} {int(b) * 100000} {t} {s}")
KINDS["graph_name_and_type"] = words(GRAPH, r"op_name:([^ ]+) op_type:([^ \n]+)", lambda n, t: f"op_name:{t} op_type:{n}")
KINDS["graph_other_names"] = words(GRAPH, r"op_name:([^ ]+)", lambda n: f"op_name:other/{n}")
for name, factor in (("x10", 10), ("x1000", 1000), ("div10", 1 / 10), ("div1000", 1 / 1000)):
    KINDS["cpu_ticks_" + name] = number(CPU, "tick[A-Za-z]+", lambda n, factor=factor: n * factor)
    KINDS["cpu_total_" + name] = number(CPU, "totalTime", lambda n, factor=factor: n * factor)
KINDS["cpu_before_and_after"] = words(CPU, "tickBeforeRun=([0-9]+),tickAfterRun=([0-9]+)", lambda a, b: f"tickBeforeRun={b},tickAfterRun={a}")
KINDS["cpu_after_is_duration"] = words(CPU, "tickBeforeRun=([0-9]+),tickAfterRun=([0-9]+)", lambda a, b: f"tickBeforeRun={a},tickAfterRun={int(b) - int(a)}")
KINDS["cpu_halves_exchanged"] = words(CPU, "TopHalf=([0-9]+),tickDrvBottomHalf=([0-9]+)", lambda a, b: f"TopHalf={b},tickDrvBottomHalf={a}")
KINDS["cpu_an_hour_later"] = number(CPU, "tick[A-Za-z]+", lambda n: n + 3600 * 10 ** 8)
PLANTED = ((), ("aicpu",), ("communication",), ("aicpu", "communication"), ("tiny", "aicpu"))


def made(_, top, __, seed):
    """A job whose clock is that of its seed."""
    rng = random.Random(seed)
    planted_ascend.main(top, "ascend910", seed, *rng.choice(PLANTED))
    job, more = Directory(top, FILES, rng), seed * 3607 * 10 ** 8
    for file, place in (("hwts", COUNT), ("trace", 3)):
        job.fields(file, added((place,), more))
    number(CPU, "tick[A-Za-z]+", lambda n: n + more)(job)


def changed(name, top, other, _, rng):
    return applied(KINDS[name], Directory(top, FILES, rng, Directory(other, FILES, rng)))


if __name__ == "__main__":
    sys.exit(judging.main(__doc__, KINDS, ("910",), ("JOB" + "A" * 29, "JOB" + "B" * 29), made, changed))
