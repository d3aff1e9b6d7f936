"""svp_forms.py: the parts of a JOB directory of an SS928-family board: names, markers, info.json, records, items.

Source: the forms as the maker's library writes them (bytes of jobs that the library itself wrote, and their written
specification). Nothing here comes from msprof's own sources: what both read alike, two programs found alone.

All numbers are little-endian. A function that reads bytes also tells how many of them it did not understand.
"""

import collections
import json
import re
import struct
from fractions import Fraction

# record: bytes of an aicore record; picture: place of the picture in it; call: form of an acl_api record
Soc = collections.namedtuple("Soc", "record picture net call magic aicpu")
SOCS = {
    "SS928": Soc(256, None, 252, "<IIQQII", 0x5A5A, True),
    "Hi3519DV500": Soc(256, ("<Q", 224), None, "<IIQQQII", 0x6A6A, False),
    "Hi3516CV610": Soc(128, ("<I", 120), None, "<IIQQQII", 0x6A6A, False),
}
WORDS = struct.Struct("<27I")                    # the hardware's words of an aicore record, from byte 8
AICPU_BYTES = 128
SUBSCRIBED_BYTES = 256

CALLS = {
    0: ("svp_acl_mdl_load_from_mem", "model"),
    1: ("svp_acl_mdl_unload", "model"),
    2: ("svp_acl_mdl_execute", "model"),
    3: ("svp_acl_mdl_execute_async", "model"),
    4: ("svp_acl_rt_synchronize_stream", "runtime"),
    5: ("svp_acl_ext_process_aicpu_task", "model"),
}

LAYER, NET, INPUT, OUTPUT = 0x111, 0x040, 0x050, 0x060
CONTAINERS = (LAYER, NET, INPUT, OUTPUT)
DEEPEST = 8                                      # items within items; the library has two levels
OM_MAGIC = 0x4F434950


# ---- names of files

KEYS = {
    ("aicore", 4): ("device", "batch", "input_pic_num"),                                     # shared by inferences
    ("aicore", 7): ("device", "model", "model_id", "batch", "input_pic_num", "current_pic"),
    ("aicore", 8): ("device", "model", "stream", "model_id", "batch", "input_pic_num", "current_pic"),
    ("aicpu", 7): ("device", "model", "model_id", "batch", "input_pic_num", "current_pic"),
    ("aicpu", 8): ("device", "model", "stream", "model_id", "batch", "input_pic_num", "current_pic"),
    ("acl_api", 4): ("device", "model", "model_id"),
    ("cont", 7): ("device", "input", "model_id", "batch", "steps", "current_pic"),
}


def read_name(name):
    """The kind of a file of data/ and the facts in its name, or (None, {}). The library leaves no dot in a model's name."""
    match = re.fullmatch(r"([^.]*)\.(\d+)\.(layer|net)\.info", name)
    if match:
        return match[3] + ".info", {"model": match[1], "model_id": int(match[2])}
    parts = name.split(".")
    keys = KEYS.get((parts[0], len(parts)))
    if not keys:
        return None, {}
    facts = {}
    for key, text in zip(keys, parts[1:]):
        if key in ("model", "input"):
            facts[key] = text
        elif re.fullmatch(r"[0-9]+", text):
            facts[key] = int(text)
        else:
            return None, {}
    return parts[0], facts


# ---- texts

def read_marker(data):
    """A .done file: pairs of texts in the order of the file, and the bytes that are no pair."""
    pairs, unknown = [], 0
    for line in data.split(b"\n"):
        key, colon, value = line.partition(b":")
        if colon and re.fullmatch(rb"[a-z_]+", key):
            pairs.append([key.decode(), value.decode("utf-8", "backslashreplace")])
        else:
            unknown += len(line)
    return pairs, unknown


def marker_number(pairs, key, least=0, most=2 ** 63 - 1):
    """The number of a key, or None where it is missing, not a number, or impossible."""
    for name, text in pairs:
        if name == key and re.fullmatch(r"-?[0-9]{1,40}", text) and least <= int(text) <= most:
            return int(text)
    return None


def read_info(data):
    """info.json.N: (chip, frequency in MHz as a fraction or None, None or what is wrong)."""
    try:
        whole = json.loads(data.decode())
        facts = {}
        for part in whole["DeviceInfo"]:
            facts.update(part)
    except (ValueError, KeyError, TypeError, RecursionError):
        return "SS928", None, "no DeviceInfo of this family"
    soc = "Hi3516CV610" if "soc_version" in facts else "Hi3519DV500" if "magic_num" in facts else "SS928"
    text = facts.get("aic_frequency")
    if text is None:
        return soc, None, "no frequency"
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or Fraction(text) == 0:
        return soc, None, f"frequency is {text!r}"
    return soc, Fraction(text), None


# ---- records

def read_tasks(data, soc):
    """Records of aicore: index, ticks, seg, picture, words; the tail that is no whole record is not understood."""
    tasks = []
    for at in range(0, len(data) - soc.record + 1, soc.record):
        index, ticks = struct.unpack_from("<II", data, at)
        tasks.append({
            "index": index,
            "ticks": ticks,
            "seg": None if soc.net is None else struct.unpack_from("<I", data, at + soc.net)[0],
            "picture": None if soc.picture is None else struct.unpack_from(soc.picture[0], data, at + soc.picture[1])[0],
            "words": list(WORDS.unpack_from(data, at + 8)),
        })
    return tasks, len(data) % soc.record


def read_aicpu(data, soc):
    """Records of an AI CPU net. Where DV500 and CV610 put the times is not known: nothing of them is understood."""
    if not soc.aicpu:
        return [], len(data)
    records = []
    for at in range(0, len(data) - AICPU_BYTES + 1, AICPU_BYTES):
        start, end = struct.unpack_from("<QQ", data, at + 24)
        records.append({"number": struct.unpack_from("<I", data, at + 124)[0], "start_us": start, "end_us": end})
    return records, len(data) % AICPU_BYTES


def read_calls(data, soc):
    """Records of acl_api; one without the number of the family at its begin is not understood."""
    form = struct.Struct(soc.call)
    calls, unknown = [], len(data) % form.size
    for at in range(0, len(data) - form.size + 1, form.size):
        magic, *rest = form.unpack_from(data, at)
        if magic != soc.magic:
            unknown += form.size
            continue
        owner = rest.pop(0) if len(rest) == 6 else None
        kind, start, end, pid, tid = rest
        name = CALLS.get(kind, (str(kind), "unknown"))
        calls.append({"type": kind, "name": name[0], "kind": name[1], "start_us": start, "end_us": end,
                      "pid": pid, "tid": tid, "owner": owner})
    return calls, unknown


def read_subscribed(path):
    """What the pipe of a subscription brings: one record an operator, as in aicore, with its names and times."""
    with open(path, "rb") as f:
        data = f.read()
    operators = []
    for at in range(0, len(data) - SUBSCRIBED_BYTES + 1, SUBSCRIBED_BYTES):
        index, ticks = struct.unpack_from("<II", data, at)
        model_id, type_bytes, name_bytes = struct.unpack_from("<III", data, at + 116)
        start, = struct.unpack_from("<Q", data, at + 152)
        end, duration = struct.unpack_from("<QQ", data, at + 168)
        operators.append({"index": index, "ticks": ticks, "model_id": model_id, "start_us": start, "end_us": end,
                          "dur_us": duration, "type": text_of(data[at + 184:at + 216][:type_bytes]),
                          "name": text_of(data[at + 216:at + 256][:name_bytes])})
    return operators, len(data) % SUBSCRIBED_BYTES


# ---- items: tag, length, value

def read_items(data, depth=0):
    """Items as (field, value) with the number of bytes that are none. A value is a number, bytes, or a list of items."""
    items, at, unknown = [], 0, 0
    while at < len(data):
        size, length = head_of(data, at)
        if not size or at + size + length > len(data):
            return items, unknown + len(data) - at
        tag = int.from_bytes(data[at:at + 2], "little")
        value = data[at + size:at + size + length]
        field = tag & 0x1FFF
        if tag >> 13 < 4:
            value = int.from_bytes(value, "little")
        elif field in CONTAINERS and depth < DEEPEST:
            value, inner = read_items(value, depth + 1)
            unknown += inner
        elif field in CONTAINERS:
            unknown += length
        items.append((field, value))
        at += size + length
    return items, unknown


def head_of(data, at):
    """Bytes of the head of an item (0: none) and of its value."""
    form = int.from_bytes(data[at:at + 2], "little") >> 13
    if at + 2 > len(data) or form in (0, 7):
        return 0, 0
    width = 1 << (form - 1) % 3
    if form < 4:
        return 2, width
    if at + 2 + width > len(data):
        return 0, 0
    return 2 + width, int.from_bytes(data[at + 2:at + 2 + width], "little")


def text_of(value):
    """The text before the first NUL; None where it is empty, or only a pair of quotes (so a converter writes "none")."""
    text = value.split(b"\0")[0].decode("utf-8", "backslashreplace")
    return None if text in ("", '""') else text


def first(items, field, kind):
    """The first value of a field: kind int is a number, kind bytes a text."""
    for name, value in items:
        if name == field and isinstance(value, kind):
            return text_of(value) if kind is bytes else value
    return None


def layers_of(items):
    return [{"layer_id": first(layer, 0x112, int), "name": first(layer, 0x114, bytes), "type": first(layer, 0x152, bytes),
             "ori": first(layer, 0x141, bytes), "seg": first(layer, 0x14B, int), "prof_id": first(layer, 0x157, int)}
            for field, layer in items if field == LAYER and isinstance(layer, list)]


def nets_of(items):
    return [{"net_id": first(net, 0x041, int), "type": first(net, 0x042, int), "records": first(net, 0x20C, int),
             "cpu_operator": first(net, 0x208, bytes)}
            for field, net in items if field == NET and isinstance(net, list)]


def read_model(path):
    """A model file: its name, batch, layers and nets, and the bytes: those before the items, of the items, not understood."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) < 28 or int.from_bytes(data[:4], "little") != OM_MAGIC:
        raise ValueError(f"{path}: no model file")
    begin = sum(struct.unpack_from("<II", data, 12))
    items, unknown = read_items(data[begin:])
    return {"model": first(items, 0x00D, bytes), "batch": first(items, 0x00A, int), "model_type": first(items, 0x00B, int),
            "layers": layers_of(items), "nets": nets_of(items),
            "bytes": {"size": len(data), "head": min(begin, len(data)), "items": max(len(data) - begin, 0) - unknown, "unknown": unknown}}


# ---- what follows from records and layers

def moment_ns(start_us, ticks, mhz):
    """A tick is 100 cycles. Halves go to the even number, as round() of a fraction does."""
    return start_us * 1000 + round(Fraction(ticks * 100 * 1000) / mhz)


def joined(values):
    """Texts aligned with the layers, N/A for a missing one; None if all are missing."""
    values = list(values)
    return ",".join("N/A" if v is None else v for v in values) if any(v is not None for v in values) else None


def describe(layers):
    """The layers of one task, as texts."""
    oris = [l["ori"] for l in layers if l["ori"] is not None]
    return {"names": joined(l["name"] for l in layers), "types": joined(l["type"] for l in layers),
            "oris": ",".join(oris) if oris else None, "layer_ids": [l["layer_id"] for l in layers]}
