"""learn_encode.py: writes raw values as bytes, by a style of learn_draw.py. Knows nothing of the project's decoder."""
import struct

from learn_draw import COUNTERS, width_of

CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}
SAFE_AFTER = 2  # whole records before and after a damaged one, so that a reader finds its place again


def packed(style, kind, value):
    if kind.startswith("f"):
        value = float(value)
    elif kind.startswith("u"):
        value &= (1 << 8 * width_of(kind)) - 1
    return struct.pack((">" if style["endian"] == "big" else "<") + CODES[kind], value)


def name_bytes(d, style, text):
    raw = text.encode()
    rest = style["chars"] - len(raw)
    if rest and style["garbage"]:
        return raw + b"\0" + d.getrandbits(8 * rest).to_bytes(rest, "little")[1:]
    return raw + bytes(rest)


def shape_raw(style, raw, unit):
    """The values of one record by the names of its fields; for pairs two of them, with their moments."""
    form = style["time"]["form"]
    values = {name: raw[name] for name in ("task_id", "stream_id", "icache_miss", "icache_access", "pid", "tid") if name in raw}
    if unit == "CORE":
        values.update({name: raw[name] for name in COUNTERS}, read=raw["read"])
        values["total" if style["bytes"]["total"] else "write"] = raw["write"] + (raw["read"] if style["bytes"]["total"] else 0)
    if unit == "CALL":
        values["kind"] = style["kind_numbers"][raw["kind"]] if style["kind_numbers"] else raw["kind"] * style["type_scale"]
        values.update({"name_number": raw["name_number"]} if style["numbered"] else {"name": raw["text"]})
    end = raw["began"] + raw["took"]
    if form == "pair":
        return [(raw["began"], {**values, "clock": raw["began"], "phase": style.get("pair", {}).get("start")}),
                (end, {**values, "clock": end, "phase": style.get("pair", {}).get("end")})]
    values["start"] = raw["began"]
    values.update({"duration": raw["took"]} if form == "start+duration" else {"end": end})
    return [(end if style["by_end"] and style["time"]["bits"] == 64 else raw["began"], values)]


def columns_of(style, files, unit):
    """The values of each field over all files, which decide on the types."""
    columns = {}
    for rows in files:
        for raw in rows:
            for _, values in shape_raw(style, raw, unit):
                for name, value in values.items():
                    if name not in ("phase", "name"):
                        columns.setdefault(name, []).append(value)
    return columns


class Encoder:
    """Writes the records of one style; running numbers go on from file to file."""

    def __init__(self, d, style):
        self.d, self.style, self.running = d, style, d.between(0, 60000)

    def noise(self, count):
        return self.d.getrandbits(8 * count).to_bytes(count, "little") if count else b""

    def blank(self):
        style = self.style
        if style["padding"] == "noise":
            return bytearray(self.noise(style["size"]))
        return bytearray([style["pad_byte"] if style["padding"] == "constant" else 0]) * style["size"]

    def decoy(self, field, values):
        if field["what"] == "copy":
            return values.get(field["of"], 0)
        if field["what"] == "counting":
            return self.running
        if field["what"] == "small":
            return self.d.between(0, 3)
        if field["what"] == "noise":
            return self.d.randrange(1 << 8 * width_of(field["type"]))
        return field["value"]

    def record(self, values, tag=None):
        """One record; a value that is missing is noise."""
        style, out = self.style, self.blank()
        self.running += 1
        for field in style["fields"]:
            name, kind = field["name"], field["type"]
            if name == "tag" or (name == "phase" and tag is not None and style["tag"]["field"] == "phase"):
                value = style["tag"]["main"] if tag is None else tag
            elif name.startswith("match"):
                value = field["value"]
            elif name.startswith("decoy"):
                value = self.decoy(field, values)
            elif name == "name":
                out[field["offset"]:field["offset"] + style["chars"]] = name_bytes(self.d, style, values.get(name, "other"))
                continue
            else:
                value = values.get(name)
            if value is None:
                value = self.d.randrange(1 << min(31, 8 * width_of(kind) - 1))
                value = value & 0xffffff if kind == "f32" else value
            data = packed(style, kind, value)
            out[field["offset"]:field["offset"] + len(data)] = data
        return bytes(out)

    def records(self, rows, unit):
        """All records of a file as (bytes, index of the row, or None), in the order of the file."""
        events = []
        for index, raw in enumerate(rows):
            for moment, values in shape_raw(self.style, raw, unit):
                events.append((moment, index, values))
        events.sort(key=lambda event: event[0])
        out, tag = [], self.style.get("tag")
        for _, index, values in events:
            if self.style["time"]["form"] == "pair" and values["phase"] == self.style["pair"]["start"] and self.style["idle_starts"]:
                values = {**values, **{name: 0 for name in values if name in COUNTERS or name in ("read", "write", "total")}}
            out.append((self.record(values), index))
            while tag and self.d.random() < 0.35:
                alike = {"task_id": values.get("task_id", 1)} if self.d.random() < 0.5 else {}
                out.append((self.record(alike, self.d.choice(tag["others"])), None))
        return out

    def header(self, count):
        style, length = self.style, self.style["header"]
        if style["header_fill"] == "noise":
            return self.noise(length)
        if style["header_fill"] == "text":
            return (b"BOARD RAW DATA V3 " * 256)[:length]
        if style["header_fill"] == "numbers":
            return (struct.pack("<IIII", 0x1234abcd, count, style["size"], 1) * 256)[:length]
        return bytes(length)

    # ------------------------------------------------------------ damage

    def is_marked(self, data, at):
        """Whether the match bytes are there, as far as the data reaches."""
        for field in self.style["fields"]:
            if field["name"].startswith("match"):
                want = packed(self.style, field["type"], field["value"])
                have = data[at + field["offset"]:at + field["offset"] + len(want)]
                if want[:len(have)] != have:
                    return False
        return True

    def is_safe(self, data, begin, end):
        """No place in the damaged bytes looks like a record that another one follows."""
        size = self.style["size"]
        return not any(self.is_marked(data, at) and self.is_marked(data, at + size) for at in range(begin, end))

    def harm(self, record):
        """What is there in place of a record; bytes before it; or a part of it."""
        what = self.d.choice(("noise", "zeros", "head", "more"))
        if what == "zeros":
            return bytes(len(record))
        if what == "noise":
            return self.noise(len(record))
        last = max(f["offset"] for f in self.style["fields"] if f["name"].startswith("match"))
        if what == "head" and last + 1 < len(record):
            return record[last + 1:]
        return self.noise(self.d.between(1, len(record) - 1))

    def file(self, rows, unit):
        """The bytes of a file, and the indexes of rows that damage took away."""
        records = self.records(rows, unit)
        chosen = self.choose(records)
        out, lost = bytearray(self.header(len(records))), set()
        for number, (record, index) in enumerate(records):
            if number in chosen:
                follows = b"".join(after for after, _ in records[number + 1:number + 3])
                for _ in range(40):
                    harmed = self.harm(record)
                    if self.is_safe(harmed + follows, 0, len(harmed)):
                        break
                else:
                    harmed = b""
                out += harmed
                lost.add(index)
            else:
                out += record
        if self.style["cut"] and records:
            last = self.record({})
            out += last[:self.d.between(1, len(last) - 1)]
        return bytes(out), lost

    def choose(self, records):
        """The numbers of records that are damaged: few, and far from each other; of a pair both."""
        marks = sum(width_of(f["type"]) for f in self.style["fields"] if f["name"].startswith("match"))
        if not self.style["damage"] or marks < 2:
            return set()
        chosen = set()
        tasks = sorted({index for _, index in records if index is not None})
        for index in self.d.sample(tasks, min(len(tasks), self.d.between(1, 4))):
            numbers = [number for number, (_, of) in enumerate(records) if of == index]
            together = sorted(chosen | set(numbers))
            near = any(b - a <= SAFE_AFTER for a, b in zip(together, together[1:]))
            if min(numbers) > 1 and not near:
                chosen |= set(numbers)
        return chosen
