"""near_records.py: what near misses of all Ascend directories share: files of records, and changes of them."""
import os
import re
import struct


def items(form):
    """(code, place, size) of each item of a format; what a format skips is none."""
    at = 0
    for count, code in re.findall(r"(\d*)([BHIQsx])", form):
        size = struct.calcsize("<" + code)
        for length in [int(count or 1)] if code in "sx" else [size] * int(count or 1):
            if code != "x":
                yield code, at, length
            at += length


class Directory:
    """A directory that is being changed. `files` gives the path and the format of each kind of records."""

    def __init__(self, top, files, rng, other=None):
        self.top, self.files, self.rng, self.other = top, files, rng, other

    def path(self, name):
        return os.path.join(self.top, name)

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def records(self, what):
        name, form = self.files[what]
        data, size = self.read(name), struct.calcsize(form)
        return [data[at:at + size] for at in range(0, len(data), size)]

    def put(self, what, records):
        self.write(self.files[what][0], b"".join(records))

    def fields(self, what, change):
        """change(list of fields) changes it in place. What a format skips is kept."""
        form, out = self.files[what][1], []
        for record in self.records(what):
            values, new = list(struct.unpack(form, record)), bytearray(record)
            change(values)
            for value, (code, at, size) in zip(values, items(form)):
                new[at:at + size] = value[:size].ljust(size, b"\0") if code == "s" else (int(value) % 2 ** (8 * size)).to_bytes(size, "little")
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

    def lines(self, name, change):
        """change(list of words of a line) changes it in place; lines without a number are left."""
        out = []
        for line in self.read(name).decode().splitlines():
            words = re.findall(r"[0-9]+|[^0-9]+", line)
            if re.match(r"[0-9]", line):
                change(words)
            out.append("".join(str(w) for w in words))
        self.write(name, ("\n".join(out) + "\n").encode())


# ---- changes of fields

def of_fields(what, change):
    return lambda job: job.fields(what, change)


def of_texts(names, pattern, change):
    return lambda job: job.texts(names, pattern, change)


def scaled(places, factor):
    def change(v):
        for i in places:
            v[i] = round(int(v[i]) * factor)
    return change


def added(places, more):
    def change(v):
        for i in places:
            v[i] = int(v[i]) + more
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


def longer(begin, end, factor):
    def change(v):
        v[end] = v[begin] + round((v[end] - v[begin]) * factor)
    return change


def end_is_duration(begin, end):
    def change(v):
        v[end] -= v[begin]
    return change


def cumulative(what, places, key=lambda v: 0):
    def of(job):
        sums = {}

        def change(v):
            for i in places:
                sums[key(v), i] = sums.get((key(v), i), 0) + v[i]
                v[i] = sums[key(v), i]
        job.fields(what, change)
    return of


def pairs(what, place, key, is_end, changed):
    """changed(start, end) of records that are starts and ends in turn is the new end."""
    def of(job):
        starts = {}

        def change(v):
            if is_end(v):
                v[place] = changed(starts.get(key(v), v[place]), v[place])
            else:
                starts[key(v)] = v[place]
        job.fields(what, change)
    return of


# ---- changes of whole files

def moved(what, places):
    """All but the head of a record is moved."""
    def change(record):
        return record[:4] + bytes(places) + record[4:-places] if places > 0 else record[:4] + record[4 - places:] + bytes(-places)
    return lambda job: job.put(what, [change(r) for r in job.records(what)])


def big_endian(what):
    def of(job):
        def change(record):
            out = bytearray(record)
            for code, at, size in items(job.files[what][1]):
                if at >= 4 and code != "s":
                    out[at:at + size] = out[at:at + size][::-1]
            return bytes(out)
        job.put(what, [change(r) for r in job.records(what)])
    return of


def shuffled(what):
    def change(job):
        records = job.records(what)
        job.rng.shuffle(records)
        job.put(what, records)
    return change


def shapes(what):
    """What may happen to the bytes of any file of records."""
    kinds = {f"{what}_moved_by_{n}": moved(what, n) for n in (2, 4, 8, -4, -8)}
    kinds[f"{what}_big_endian"] = big_endian(what)
    kinds[f"{what}_of_half_the_size"] = lambda job: job.put(what, [r[:len(r) // 2] for r in job.records(what)])
    kinds[f"{what}_of_twice_the_size"] = lambda job: job.put(what, [r + bytes(len(r)) for r in job.records(what)])
    kinds[f"{what}_with_a_head"] = lambda job: job.put(what, [bytes(12)] + job.records(what))
    kinds[f"{what}_reversed"] = lambda job: job.put(what, job.records(what)[::-1])
    kinds[f"{what}_shuffled"] = shuffled(what)
    return kinds


def parts(what):
    """Other records than those that belong there."""
    return {f"{what}_every_second": lambda job: job.put(what, job.records(what)[::2]),
            f"{what}_half": lambda job: job.put(what, job.records(what)[:len(job.records(what)) // 2]),
            f"{what}_twice": lambda job: job.put(what, [r for record in job.records(what) for r in (record, record)]),
            f"{what}_of_another": lambda job: job.put(what, job.other.records(what))}


def applied(change, job):
    """A job that lacks the file is not changed."""
    try:
        return change(job)
    except FileNotFoundError:
        return False
