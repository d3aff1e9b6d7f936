"""unordered.py GENPROF GENREC MSPROF SEED DIR: exports PROF directories whose records are in another order, and compares.

For each directory that a generator writes: all files shuffled, each file shuffled alone, records dealt to slices and shuffled there, and files cut
into slices of any size, so that records lie over several of them. Each export must be that of the ordered directory to the byte; the
exit status must be the same. Where an order is unknown, which is said with exit status 3, exports may differ: not where files are cut alone, whose
records stay in order, nor in half of all ways.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys

import prof_mixture

SIZES = {"api_event": 40, "compact": 64, "additional": 256, "stars_soc": 64, "ffts_profile": 128, "ts_track": 40, "npu_mem": 32, "npu_module_mem": 24,
    "hbm": 24, "llc": 24, "pcie": 192, "l2_cache": 72}
LINES = ("hash_dic", "type_info_dic")  # texts


def size_of(path):
    name = os.path.basename(path)
    if any(word in name for word in LINES) or name.endswith(".done"):
        return 0
    return next((size for word, size in SIZES.items() if name.startswith(word + ".") or f".{word}." in name), 0)


def records(path):
    size = size_of(path)
    with open(path, "rb") as f:
        data = f.read()
    assert len(data) % size == 0, path
    return [data[i:i + size] for i in range(0, len(data), size)]


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    with open(path + ".done", "w", encoding="utf-8") as f:
        f.write(f"filesize:{len(data)}\n")


def shuffle(path, r):
    all_of_them = records(path)
    r.shuffle(all_of_them)
    write(path, b"".join(all_of_them))


def cut(path, r):
    """Slices of any size: some of a few bytes."""
    data = b"".join(records(path))
    places = sorted(r.randrange(len(data)) for _ in range(r.randrange(1, 6)))
    places += [min(len(data), places[0] + 3), min(len(data), places[0] + 5)]
    places = [0] + sorted(places) + [len(data)]
    for i, (begin, end) in enumerate(zip(places, places[1:])):
        write(path[:-1] + str(i), data[begin:end])


def deal(path, r):
    """Three slices, each with records from everywhere."""
    slices = [[], [], []]
    for record in records(path):
        r.choice(slices).append(record)
    for i, some in enumerate(slices):
        r.shuffle(some)
        write(path[:-1] + str(i), b"".join(some))


def export(msprof, top):
    """The exit statuses, what was said of an order, and the bytes of all files by name without their time."""
    status, said, files = [], "", {}
    for kind in ("summary", "timeline", "db"):
        done = subprocess.run([msprof, "export", kind, "-dir", top], capture_output=True, text=True, check=False)
        status.append(done.returncode)
        said += "".join(line for line in done.stderr.splitlines() if "order" in line)
    for path in glob.glob(f"{top}/mindstudio_profiler_output/*") + glob.glob(f"{top}/msprof_*.db"):
        with open(path, "rb") as f:
            files[re.sub(r"_\d{14}", "", os.path.basename(path))] = f.read()
    return status, said, files


def main(genprof, genrec, msprof, seed, work):
    r, wrong, compared, unknown, tried = random.Random(int(seed)), 0, 0, 0, 0
    made = f"{work}/made"
    os.makedirs(made)
    subprocess.run([genprof, "--out", f"{made}/PROF_1", "--tasks", "70", "--devices", "2", "--streams", "3", "--threads", "3", "--samples", "--seed", seed],
        check=True, stdout=subprocess.DEVNULL)
    for i in (2, 3):
        prof_mixture.Directory(prof_mixture.Scene(int(seed) * 2 + i), genrec, f"{made}/PROF_{i}").write()
    for job in sorted(os.listdir(made)):
        names = [os.path.relpath(p, f"{made}/{job}") for p in sorted(glob.glob(f"{made}/{job}/*/data/*")) if size_of(p)]
        assert names
        ways = [("all shuffled", shuffle, names), ("dealt", deal, names), ("cut", cut, names)]
        ways += [(f"{name} shuffled", shuffle, [name]) for name in names[int(seed) % 3::3]]  # each file by one of three seeds
        want = None
        for number, (what, change, changed) in enumerate([("ordered", None, [])] + ways):
            top = f"{work}/{number}/{job}"
            shutil.copytree(f"{made}/{job}", top)
            for name in changed:
                change(f"{top}/{name}", r)
            have = export(msprof, top)
            want = want or have
            differ = sorted(n for n in set(want[2]) | set(have[2]) if want[2].get(n) != have[2].get(n))
            tried += 1
            if (differ or want[0] != have[0]) and have[1] and 3 in have[0] and change is not cut:
                unknown += 1
            elif differ or want[0] != have[0]:
                wrong += 1
                print(f"seed {seed}, {job}, {what}: {', '.join(differ)} differ; exit {have[0]}, not {want[0]}", file=sys.stderr)
            compared += len(want[2])
    print(f"{compared} exports of {tried} directories, of {unknown} an unknown order was told")
    return wrong > 0 or 2 * unknown > tried


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
