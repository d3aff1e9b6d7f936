#!/usr/bin/env python3
"""learn_heavy.py MSPROF PLACE FIRST COUNT [KB]: jobs that make learn search long, of KB (1000) together with their tables.

Each seed draws a kind of job and a kind of table: many rows, columns, layers, inferences and tables; equal values, zeros, long cells,
numbers in no place, totals alone, no table at all. learn may take 4 s of a processor and 8 s for 1 MB, ends with exit status 0, 1 or 3, and
prints no control character; where it gave up it says how far it came, with 3. Prints each seed; exit status 1 if any is not so.
"""
import os
import random
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../gen"))
import learn_job  # noqa: E402

TITLES = ("Mac Busy", "Mac Ppen", "Vec Busy", "Vec Ppen", "Dstr", "Dtrans", "DLD", "WLD", "DDR Read(byte)", "DDR Write(byte)")
LOW, HIGH = learn_job.WORDS["ss928"]
WORDS = HIGH - LOW


class Job:
    """Draws of one seed."""

    def __init__(self, seed, size):
        self.d = random.Random(seed)
        self.words = self.d.choice(("zeros", "last", "one", "equal", "few", "noise", "repeated", "grow"))
        self.cells = self.d.choice(("zero", "near", "noise", "true", "true", "late"))
        self.ids = self.d.choice(("own", "own", "own", "own", "one", "none", "other"))
        self.ticks = self.d.choice(("one", "few", "grow", "grow", "long"))
        self.decimals = self.d.choice((0, 2))
        self.layers = self.d.choice(("none", "own", "one task", "many"))
        self.shape = self.d.choice(("one", "one", "few rows", "few rows", "inferences", "tables", "tables", "totals", "columns", "long", "no table", "all"))
        self.share = self.d.choice((0.1, 0.5, 0.9))
        self.size = size

    def __str__(self):
        return "words %s, cells %s, ids %s, ticks %s, layers %s, %s, %d %% records" % (
            self.words, self.cells + str(self.decimals), self.ids, self.ticks, self.layers, self.shape, 100 * self.share)

    def word(self, index, count):
        """The hardware's words of a record."""
        d = self.d
        if self.words == "noise":
            return d.randbytes(WORDS)
        if self.words == "last" and index + 1 < count or self.words == "zeros":
            return bytes(WORDS)
        if self.words == "few":
            return bytes(WORDS - 40) + d.randbytes(2) * 20
        value = {"last": 77, "one": 1, "equal": 4096, "repeated": d.randrange(1 << 16), "grow": index}[self.words]
        return value.to_bytes(4, "little") * (WORDS // 4)

    def task(self, index, count):
        d = self.d
        ticks = {"one": 500, "few": 500 + index % 5, "grow": 500 + index, "long": 4000000 + index}[self.ticks]
        return {"id": 0 if self.ids == "one" else index, "seg": 0, "ticks": ticks, "words": self.word(index, count)}

    def model(self, tasks, size):
        """Layers of so many bytes."""
        kind = self.layers
        count = min(size // 60, 1 << 15) if kind == "many" else tasks if kind == "own" else min(size // 60, 5000) if kind == "one task" else 0
        layers = [{"id": i, "name": "c%d" % i, "type": "Convolution", "ori": []} for i in range(count)]
        each = 1 if kind == "own" else 0 if kind == "one task" else max(1, count // max(tasks, 1))
        nets = [{"id": n, "layers": layers[n * each:(n + 1) * each] if each else layers if n == 0 else []} for n in range(tasks)]
        return {"name": "m", "id": 0, "batch": 1, "nets": [{"seg": 0, "tasks": nets}]}

    def cell(self, record, counter, late):
        """What a table says of a counter."""
        d = self.d
        cycles, count = record["ticks"] * 100, int.from_bytes(record["words"][4 * counter:4 * counter + 4], "little")
        true = str(count) if counter >= 8 else "%.*f" % (self.decimals, count * 100 / cycles)
        if self.cells == "zero":
            return "0"
        if self.cells == "near":
            return "%d" % d.randrange(3)
        if self.cells == "noise" or (self.cells == "late" and late):
            return "%.*f" % (self.decimals, d.random() * 100)
        return true

    def row(self, record, index, rows):
        """Identifying columns, the time and ten counters."""
        task = {"own": index, "one": 0, "none": "", "other": 100000 + index}[self.ids]
        layer = ",".join(str(i) for i in range(min(40, self.size // 20))) if self.layers in ("one task", "many") else index
        late = index > rows * 0.95
        return '%s,"%s",%.2f,%s' % (task, layer, record["ticks"] * 100 / 700, ",".join(self.cell(record, c, late) for c in range(10)))

    def table(self, records, size):
        """A table of so many bytes."""
        head = "Task ID,Layer ID,Time(us)," + ",".join(TITLES) + "\n"
        if self.shape == "columns":
            head = head[:-1] + "".join(",Mac Busy%d" % i for i in range(240)) + "\n"
        if self.shape == "long":
            kind = self.d.choice(("0", "~", "x", "1,"))
            return head + '0,"%s",%s,%s\n' % (kind * (size // 3), "0." + "0" * (size // 3) + "1", "0," * 10) * 1
        if self.shape == "totals":
            return head + "-,-,%d,%s\n" % (self.d.randrange(10000), ",".join(str(self.d.randrange(100)) for _ in range(10)))
        rows, used, index = [head], len(head), 0
        size = self.d.choice((100, 200, 1000)) + used if self.shape == "few rows" else size
        titles = self.d.choice((10, 10, 1, 3)) if self.shape == "tables" else 10
        if titles < 10:  # short rows: many of them
            rows, used = ["Task ID,Time(us)," + ",".join(TITLES[:titles]) + "\n"], 40
            while used < size:
                record = records[index % len(records)]
                rows.append("%d,%.2f,%s\n" % (record["id"], record["ticks"] * 100 / 700, ",".join(self.cell(record, c, False) for c in range(titles))))
                used += len(rows[-1])
                index += 1
                if index == len(records):
                    break
            return "".join(rows)
        estimate = max(1, size // max(1, len(self.row(records[0], 0, 1))))
        while used < size:
            rows.append(self.row(records[index % len(records)], index % len(records) if self.ids == "own" else index, estimate) + "\n")
            used += len(rows[-1])
            index += 1
        return "".join(rows)

    def write(self, job):
        size = self.size * 1000
        count = max(1, int(size * self.share / 256))
        pics = self.d.choice((20, 200, 1000)) if self.shape in ("inferences", "all") else 1
        model = self.model(min(count, max(1, count // pics)), int(size * (1 - self.share) / 3))
        tasks = [self.task(i, max(1, count // pics)) for i in range(max(1, count // pics))]
        inferences = [{"model": model, "pic": pic, "stream": 1, "start_us": 10**9 + 1000 * pic, "tasks": tasks} for pic in range(min(pics, count))]
        learn_job.write_job(job, {"chip": "ss928", "mhz": 700, "models": [model], "inferences": inferences})
        os.mkdir(job + "/summary")
        left = sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(job) for name in names)
        left = max(size - left, size // 10)
        tables = 0 if self.shape == "no table" else self.d.choice((30, 300, 900)) if self.shape in ("tables", "totals", "all") else 1
        for number in range(tables):
            with open("%s/summary/t%d.csv" % (job, number), "w", encoding="ascii") as f:
                f.write(self.table(tasks, left // tables))


def size_of(job):
    """Its bytes, in MB."""
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(job) for name in names) / 1e6


def sums(count, worst, ends, bad):
    return "%d jobs, worst %.2f s for 1 MB; %s; %d WRONG" % (
        count, worst, ", ".join("exit %d%s: %d" % (*(key[0], " given up" if key[1] else ""), n) for key, n in sorted(ends.items())), bad)


def complaint(msprof, job, out, seconds, *words):
    """CPU seconds, exit status, and what is wrong."""
    limit = int(seconds) + 5
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([msprof, "learn", "-dir", job, "--output", out, *words], capture_output=True, check=False, timeout=3600,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = done.stderr.decode(errors="replace")
    gave_up = "the search was given up" in said
    why = None
    if done.returncode not in (0, 1, 3):
        why = "exit status %d: %s" % (done.returncode, said[-300:])
    elif took > seconds:
        why = "%.1f s of a processor" % took
    elif gave_up != ("not searched to the end" in said) or (gave_up and done.returncode != 3):
        why = "exit status %d: %s" % (done.returncode, said[-300:])
    elif any(ord(c) < 32 and c != "\n" for c in said + done.stdout.decode(errors="replace")):
        why = "control characters"
    return took, done.returncode, gave_up, why


def main():
    msprof, place, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    size = int(sys.argv[5]) if len(sys.argv) > 5 else 1000
    worst, bad, ends = 0, 0, {}
    for seed in range(first, first + count):
        drawn = Job(seed, size)
        with tempfile.TemporaryDirectory(dir=place) as top:
            drawn.write(top + "/JOB")
            real = size_of(top + "/JOB")
            took, status, gave_up, why = complaint(msprof, top + "/JOB", top + "/out", 4 + 8 * real)
        worst = max(worst, took / max(real, 1))
        ends[(status, gave_up)] = ends.get((status, gave_up), 0) + 1
        bad += why is not None
        print("%d: %.2f MB, %.2f s, exit %d%s: %s%s" % (
            seed, real, took, status, ", given up" if gave_up else "", drawn, ": WRONG: " + why if why else ""), flush=True)
    print(sums(count, worst, ends, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
