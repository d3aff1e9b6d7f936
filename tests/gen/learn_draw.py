"""learn_draw.py: draws how a board writes its records: units, forms, kinds, and the places of the fields.

A layout is a dict of plain values, so that truth.json can hold it. It is drawn in two steps: draw_style before the
values are known, place_fields afterwards, because a field is as wide as its values need.
"""
import random
import struct

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld")
UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 63}
SIGNED = {"i32": 31, "i64": 63}
FLOATS = {"f32": "f", "f64": "d"}
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i32": 4, "i64": 8, "f32": 4, "f64": 8}


class Draw(random.Random):
    """Random numbers, with features that the caller forces or avoids by name."""

    def __init__(self, seed, forced=(), avoided=(), plain=False, odd_clocks=False):
        super().__init__(seed)
        self.odd_clocks = odd_clocks
        self.forced, self.avoided, self.plain = set(forced), set(avoided), plain
        self.features, self.what = set(), ""

    def chance(self, feature, probability):
        """Whether a feature is drawn. Of records it is forced and avoided as "core.pair", or for all records as "pair"."""
        full = self.what + feature
        happens = self.random() < probability
        if {feature, full} & self.forced:
            happens = True
        elif {feature, full} & self.avoided or self.plain:
            happens = False
        if happens:
            self.features.add(full)
        return happens

    def between(self, low, high):
        return self.randrange(low, high + 1)

    def weighted(self, *pairs):
        """One of (value, weight) pairs; the first one when everything is plain."""
        at = self.random() * sum(weight for _, weight in pairs)
        if self.plain:
            return pairs[0][0]
        for value, weight in pairs:
            at -= weight
            if at < 0:
                return value
        return pairs[-1][0]


ODD_CLOCKS = (24, 25, 26, 333, 7, 13, 19, 27, 33, 37, 48, 54, 99, 111, 127, 266, 444, 667, 894, 997)
ODD_CORES = (1333, 997, 1213, 811, 650, 1000, 700, 733, 1066)


def draw_unit(d, is_core):
    """A unit of time, as the layout language names it."""
    if d.odd_clocks:
        return d.weighted(("ns", 1), *(("%dmhz" % mhz, 1) for mhz in ODD_CLOCKS))
    units = (("tick100", 30), ("ns", 12), ("cycle", 14), ("us", 8), ("mhz", 30)) if is_core else (("ns", 60), ("us", 8), ("mhz", 30))
    unit = d.weighted(*units)
    if unit == "mhz":
        unit = "%dmhz" % d.weighted((50, 3), (1, 1), (24, 2), (25, 2), (100, 2), (200, 1), (1000, 1), (d.between(1, 1000), 5))
    return unit


def draw_time(d, is_core):
    form = "start+end"
    if d.chance("duration", 0.3):
        form = "start+duration"
    if is_core and d.chance("pair", 0.18):
        form = "pair"
    return {"unit": draw_unit(d, is_core), "form": form, "bits": 32 if d.chance("wrap", 0.25) else 64}


def draw_counter_unit(d):
    unit = d.weighted(("cycles", 60), ("multiple", 20), ("permille", 20))
    for forced in ("permille", "multiple"):
        unit = forced if forced in d.forced else "cycles" if forced in d.avoided and unit == forced else unit
    if unit != "cycles":
        d.features.add(unit)
    return {"permille": unit == "permille", "scale": 1 << d.between(1, 8) if unit == "multiple" else 1}


def draw_counters(d):
    """The unit of each counter: mostly the same one for all."""
    common = draw_counter_unit(d)
    mixed = d.chance("mixed_counters", 0.1)
    return {name: draw_counter_unit(d) if mixed else dict(common) for name in COUNTERS}


def draw_bytes(d):
    scale = d.weighted((1, 45), (8, 8), (16, 8), (32, 12), (64, 12), (1000, 12), (1024, 3))
    return {"scale": scale, "total": d.chance("total", 0.25)}


def draw_records(d, has_pair):
    """What does not depend on the values: byte order, header, padding, match bytes, kinds, decoys."""
    header = 0
    if d.chance("header", 0.5):
        header = d.weighted((16, 2), (8, 2), (32, 2), (64, 2), (100, 1), (512, 1), (4095, 1), (d.between(1, 4095), 6))
    matches = [d.choice(("u16", "u16", "u8", "u32")) for _ in range(d.weighted((1, 5), (0, 4), (2, 2), (3, 1)))]
    kinds = d.between(1, 3) if d.chance("kinds", 0.15) else 0
    shared_tag = kinds > 0 and has_pair and bool(matches) and d.chance("shared_tag", 0.5)
    return {
        "endian": "big" if d.chance("big_endian", 0.25) else "little",
        "header": header, "header_fill": d.choice(("zeros", "noise", "text", "numbers")),
        "padding": d.weighted(("zeros", 5), ("constant", 2), ("noise", 3)), "pad_byte": d.between(1, 255),
        "matches": matches, "kinds": kinds, "shared_tag": shared_tag,
        "aligned": not d.chance("packed", 0.4), "shuffled": d.chance("shuffled", 0.6),
        "large": d.chance("large", 0.08), "gaps": d.chance("gaps", 0.4), "compact": d.chance("compact", 0.2),
        "decoys": d.weighted((0, 4), (1, 2), (2, 2), (4, 1), (6, 1)),
        "damage": d.chance("damage", 0.12), "cut": d.chance("cut", 0.08), "by_end": d.chance("by_end", 0.2),
    }


def draw_core(d):
    d.what = "core."
    time = draw_time(d, True)
    return {"time": time, "counters": draw_counters(d), "bytes": draw_bytes(d), "icache": d.chance("icache", 0.6) or d.plain,
            **draw_records(d, time["form"] == "pair")}


def draw_cpu(d):
    d.what = "cpu."
    return {"time": draw_time(d, True), **draw_records(d, False)}


def draw_calls(d):
    d.what = "calls."
    numbered = d.chance("numbered", 0.3)
    return {
        "time": draw_time(d, False), **draw_records(d, False), "numbered": numbered,
        "chars": 0 if numbered else d.weighted((64, 4), (16, 1), (32, 2), (128, 2), (256, 1), (d.between(16, 256), 3)),
        "garbage": d.chance("garbage", 0.35),
        "type_scale": d.choice((2, 16, 100, 256)) if d.chance("type_scale", 0.08) else 1,
        "kind_numbers": d.sample(range(0, 250), 5) if d.chance("kind_numbers", 0.01) else None,
    }


# ---------------------------------------------------------------- widths and places


def fits_float(kind, value):
    code = FLOATS[kind]
    return value == struct.unpack("<" + code, struct.pack("<" + code, float(value)))[0] and value < 1 << 53


def type_for(d, style, values, allowed):
    """A type in which all values fit exactly, the usual widths more often."""
    most = max(values, default=0)
    good = [name for name in allowed if name not in FLOATS and most >> {**UNSIGNED, **SIGNED}[name] == 0]
    good += [name for name in allowed if name in FLOATS and all(fits_float(name, v) for v in values)]
    if d.plain:
        return good[good.index("u64")]
    weights = {"u8": 1, "u16": 2, "u32": 5, "u64": 4, "i32": 0.7, "i64": 0.7, "f32": 0.8, "f64": 0.8}
    if style["compact"]:
        weights.update(u8=50, u16=20, u64=0.2, i64=0.1, f64=0.1)
    return d.weighted(*((name, weights[name]) for name in good))


def types_of(d, style, columns):
    """The type of each field of the raw values, which `columns` holds by name."""
    types = {}
    common = d.choice(("unsigned", "signed", "float", "unsigned", "any"))
    for name, values in columns.items():
        if name in ("start", "end", "clock"):
            types[name] = "u%d" % style["time"]["bits"]
        elif name in COUNTERS or name in ("read", "write", "total"):
            allowed = [*UNSIGNED, *SIGNED, *FLOATS]
            if common == "unsigned":
                allowed = list(UNSIGNED)
            if common == "signed":
                allowed = [*SIGNED, *UNSIGNED]
            if common == "float":
                allowed = [*FLOATS, "u64"]
            types[name] = type_for(d, style, values, allowed)
        elif name != "name":
            types[name] = type_for(d, style, values, list(UNSIGNED) + (["i32"] if name.endswith("_id") and d.random() < 0.1 else []))
    if types.get("total") and (types["total"] in FLOATS) != (types["read"] in FLOATS):
        both = [*columns["read"], *columns["total"]]
        types["read"] = types["total"] = type_for(d, style, both, list(UNSIGNED))
    return types


def draw_decoys(d, style, names):
    decoys = []
    for number in range(style["decoys"]):
        what = d.weighted(("constant", 3), ("counting", 3), ("noise", 3), ("copy", 0.4), ("small", 1))
        if what == "copy":
            copied = d.choice([name for name in names if name not in ("name", "tag", "phase")])
            decoys.append({"name": "decoy%d" % number, "type": "", "what": "copy", "of": copied})
            continue
        kind = d.choice(("u8", "u16", "u32", "u64"))
        decoys.append({"name": "decoy%d" % number, "type": kind, "what": what, "value": d.between(1, 200)})
    return decoys


def number_of(d, kind):
    """A number for match bytes that is not made of zeros."""
    return int.from_bytes(bytes(d.between(1, 255) for _ in range(BYTES[kind])), "little")


def draw_fields(d, style, types):
    """All fields without places, those that mark a record first."""
    fields = [{"name": "match%d" % i, "type": kind, "value": number_of(d, kind)} for i, kind in enumerate(style["matches"])]
    if style["time"]["form"] == "pair":
        numbers = d.sample(range(40), 2 + style["kinds"])
        style["pair"] = {"start": numbers[0], "end": numbers[1]}
        fields.append({"name": "phase", "type": d.choice(("u8", "u8", "u16", "u32"))})
        if style["shared_tag"]:
            style["tag"] = {"field": "phase", "others": numbers[2:]}
    if style["kinds"] and not style["shared_tag"]:
        numbers = d.sample(range(0, 100), 1 + style["kinds"])
        style["tag"] = {"field": "tag", "main": numbers[0], "others": numbers[1:]}
        fields.append({"name": "tag", "type": d.choice(("u8", "u16", "u16", "u32"))})
    rest = [{"name": name, "type": kind} for name, kind in types.items()]
    if style.get("chars"):
        rest.append({"name": "name", "type": "char[%d]" % style["chars"]})
    decoys = draw_decoys(d, style, [*types])
    for decoy in decoys:
        if decoy["what"] == "copy":
            decoy["type"] = types[decoy["of"]]
    rest += decoys
    if style["shuffled"]:
        if d.random() < 0.5:
            rest, fields = fields + rest, []
        d.shuffle(rest)
    return fields + rest


def width_of(kind):
    return int(kind[5:-1]) if kind.startswith("char") else BYTES[kind]


def place_fields(d, style, columns):
    """Complete a style: types and places of the fields, and the size of a record."""
    fields = draw_fields(d, style, types_of(d, style, columns))
    at, spread = 0, d.between(2, 200) if style["large"] else 8
    for field in fields:
        width = width_of(field["type"])
        if style["gaps"] and d.random() < 0.3 and at < 3000 - spread:
            at += d.between(1, spread)
        if style["aligned"]:
            step = 1 if field["type"].startswith("char") else width
            at += -at % step
        field["offset"] = at
        at += width
    size = max(at, 16)
    step = d.weighted((8, 3), (1, 2), (4, 3), (16, 2), (32, 1), (64, 1))
    if d.random() < 0.4:
        size += d.between(0, 24)
    if style["large"]:
        size = d.between(size, 4096)
    style["size"] = min(size + -size % step, 4096)
    style["fields"] = fields
    return style
