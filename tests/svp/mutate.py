#!/usr/bin/env python3
"""mutate.py: writes a damaged copy of a JOB directory of an SS928-family board, and prints what it did.

Usage: mutate.py SEED JOB OUT

The same seed does the same to the same job. OUT must not exist. Some damages are of any file (cuts, flipped bits), some
of the forms as the maker's library writes them: lengths of items, markers that lie, names, info.json.
"""

import os
import random
import shutil
import sys

LENGTHS = {4: 1, 5: 2, 6: 4}                     # bytes of the length of an item, by the form in its tag
NUMBERS = ["0", "-1", "1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551616",
           "9" * 40, "9" * 5000, "", "text", "0x10", "1e9", " 5", "5 ", "1\0" + "2", "\u0665"]
INFOS = ["", "{}", "[]", "null", '{"DeviceInfo": []}', '{"DeviceInfo": [{"aic_frequency": "0"}]}', '{"DeviceInfo": [{"aic_frequency": "-700"}]}',
         '{"DeviceInfo": [{"aic_frequency": 700}]}', '{"DeviceInfo": [{"aic_frequency": "1e400"}]}',
         '{"DeviceInfo": [{"aic_frequency": "%s"}]}' % ("9" * 400),
         '{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"},{"soc_version": "V200"}]}',
         '{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"}]}',
         '{"DeviceInfo": [{"aic_frequency": "700"},{"soc_version": "V200"}]}', '{"DeviceInfo": [{"aic_frequency": "700"}]}', '{"DeviceInfo": [' + "[" * 5000,
         '{"DeviceInfo": {"aic_frequency": "700"}}', '{"DeviceInfo": [["aic_frequency", "700"], 5, null]}', '{"version": 1, "aic_frequency": "700"}']


class Mutator:
    def __init__(self, seed, top):
        self.random = random.Random(seed)
        self.top = top

    def names(self, *ends):
        found = [os.path.relpath(os.path.join(folder, n), self.top) for folder, _, names in os.walk(self.top) for n in names]
        return sorted(n for n in found if not ends or n.endswith(ends))

    def pick(self, *ends):
        names = self.names(*ends)
        return self.random.choice(names) if names else None

    def read(self, name):
        with open(os.path.join(self.top, name), "rb") as f:
            return bytearray(f.read())

    def write(self, name, data):
        with open(os.path.join(self.top, name), "wb") as f:
            f.write(data)

    # -- damages of any file: each returns what it did, or None where the job has nothing for it

    def cut(self):
        name = self.pick()
        data = self.read(name)
        length = self.random.randrange(len(data) + 1) if data else 0
        self.write(name, data[:length])
        return f"{name}: cut from {len(data)} to {length} bytes"

    def flip(self):
        name = self.pick()
        data = self.read(name)
        if not data:
            return None
        places = [(self.random.randrange(len(data)), self.random.randrange(1, 256)) for _ in range(self.random.choice((1, 1, 4, 64)))]
        for at, bits in places:
            data[at] ^= bits
        self.write(name, data)
        return f"{name}: flipped {' '.join(f'{at}^{bits:02x}' for at, bits in places)}"

    def fill(self):
        name = self.pick()
        data = self.read(name)
        at = self.random.randrange(len(data) + 1)
        piece = bytes([self.random.choice((0, 0xFF, 0x5A))]) * self.random.choice((1, 3, 128, 256, 5000))
        if self.random.random() < 0.5:
            data[at:at] = piece
            what = "inserted"
        else:
            data[at:at + len(piece)] = piece[:len(data) - at]
            what = "wrote over"
        self.write(name, data)
        return f"{name}: {what} {len(piece)} bytes {piece[0]:02x} at {at}"

    def remove(self):
        name = self.pick()
        os.remove(os.path.join(self.top, name))
        return f"{name}: removed"

    def rename(self):
        name = self.pick()
        folder, base = os.path.split(name)
        parts = base.split(".")
        place = self.random.randrange(len(parts))
        parts[place] = self.random.choice(("", "-1", "99999999999999999999", "4294967296", "x" * 100, "\u00e9", "0", "1"))
        other = os.path.join(folder, ".".join(parts))
        if other.endswith("/") or os.path.exists(os.path.join(self.top, other)):
            return None
        os.rename(os.path.join(self.top, name), os.path.join(self.top, other))
        return f"{name}: renamed to {other}"

    # -- damages of forms

    def item_length(self):
        """A length that is 0, the largest, or just beyond what holds the item."""
        name = self.pick("layer.info", "net.info")
        if not name:
            return None
        data = self.read(name)
        places = lengths(data, 0, len(data))
        if not places:
            return None
        at, width, end = self.random.choice(places)
        most = (1 << 8 * width) - 1
        value = self.random.choice((0, 1, most, most - 1, end - at - width + 1, len(data) + 1)) & most
        data[at:at + width] = value.to_bytes(width, "little")
        self.write(name, data)
        return f"{name}: length at {at} is {value}"

    def item_depth(self):
        """Nets within nets, or a layer's items in great number."""
        name = self.pick("layer.info", "net.info")
        if not name:
            return None
        data, count = bytes(self.read(name)), self.random.choice((10, 300, 20000))
        if self.random.random() < 0.5:
            tag = self.random.choice((b"\x40\xc0", b"\x11\xc1"))
            head = b"".join(tag + (len(data) + 6 * i).to_bytes(4, "little") for i in reversed(range(count)))
            self.write(name, head + data)
            return f"{name}: within {count} others"
        self.write(name, data * min(count, 300))
        return f"{name}: {min(count, 300)} times"

    def lie(self):
        name = self.pick(".done")
        if not name:
            return None
        lines = self.read(name).split(b"\n")
        place = self.random.randrange(len(lines))
        key = self.random.choice((b"file_len", b"start_time", lines[place].partition(b":")[0]))
        old = [line for line in lines if line.startswith(key + b":")]
        near = [str(int(n) + d) for n in (line.partition(b":")[2] for line in old) if n.isdigit() and len(n) < 20 for d in (-1, 1, 128, 256, -256)]
        value = self.random.choice(NUMBERS + near * 2)
        lines = [key + b":" + value.encode() if line in old else line for line in lines] + ([] if old else [key + b":" + value.encode()])
        self.write(name, b"\n".join(lines))
        return f"{name}: {key.decode(errors='replace')} is {value[:50]!r}"

    def no_marker(self):
        name = self.pick(".done")
        if not name:
            return None
        os.remove(os.path.join(self.top, name))
        return f"{name}: removed"

    def swap(self):
        """Two markers, or two files of data, change places."""
        names = self.names(".done") if self.random.random() < 0.6 else [n for n in self.names() if n.startswith("data")]
        if len(names) < 2:
            return None
        one, two = self.random.sample(names, 2)
        first, second = self.read(one), self.read(two)
        self.write(one, second)
        self.write(two, first)
        return f"{one}: swapped with {two}"

    def info(self):
        text = self.random.choice(INFOS)
        name = self.pick("info.json.0") or "info.json.0"
        self.write(name, text.encode())
        return f"{name}: is {text[:80]!r}"

    def run(self):
        kinds = [self.cut, self.flip, self.fill, self.remove, self.rename, self.item_length, self.item_length, self.item_depth,
                 self.lie, self.lie, self.no_marker, self.swap, self.info]
        done = []
        for _ in range(self.random.choice((1, 1, 1, 2, 4))):
            text = self.random.choice(kinds)() if self.names() else None
            if text:
                done.append(text)
        return done or [self.info()]


def lengths(data, at, end, depth=0):
    """Places of the lengths of items, also within layers and nets: (place, width, end of what holds the item)."""
    places = []
    while at + 2 <= end:
        tag = int.from_bytes(data[at:at + 2], "little")
        form = tag >> 13
        if form in (1, 2, 3):
            at += 2 + (1, 2, 4)[form - 1]
            continue
        if form not in LENGTHS or at + 2 + LENGTHS[form] > end:
            break
        places.append((at + 2, LENGTHS[form], end))
        begin = at + 2 + LENGTHS[form]
        at = begin + int.from_bytes(data[at + 2:begin], "little")
        if tag & 0x1FFF in (0x40, 0x50, 0x60, 0x111) and depth < 8:
            places += lengths(data, begin, min(at, end), depth + 1)
    return places


def main(args):
    if len(args) != 3 or not os.path.isdir(args[1]) or os.path.exists(args[2]):
        print(__doc__, file=sys.stderr)
        return 2
    shutil.copytree(args[1], args[2], ignore=shutil.ignore_patterns("sqlite", "*.complete"))
    for text in Mutator(args[0], args[2]).run():
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
