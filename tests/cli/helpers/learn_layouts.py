"""learn_layouts.py: writes the layouts that truth.json describes, in the layout language of docs/FORMAT.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gen"))
from learn_draw import COUNTERS, width_of  # noqa: E402

SKIP_MAX = 16
TABLES = {"CORE": ("svp.aicore", "aicore_task"), "CPU": ("svp.aicpu", "aicpu_task"), "CALL": ("svp.acl_api", "api_call")}
PATTERNS = {
    "CORE": [prefix + "." + tail for prefix in ("aicore", "AAcore") for tail in (
        "{device_id:int}.{:int}.{:int}", "{device_id:int}.{model}.{model_id:int}.{batch:int}.{input_pic_num:int}.{current_pic:int}")],
    "CPU": [prefix + ".{device_id:int}.{model}.{model_id:int}.{batch:int}.{input_pic_num:int}.{current_pic:int}" for prefix in ("aicpu", "aacpu")],
    "CALL": [prefix + ".{device_id:int}.{model}.{model_id:int}" for prefix in ("acl_api", "AclModule")],
}


def head(kind, name, table, files):
    return ["%s %s v2 learned" % (kind, name), *('  file "%s"' % pattern for pattern in files), "  table " + table]


def gaps(style, described):
    """(offset, bytes) of what no field describes."""
    at, found = 0, []
    for offset, width in sorted(described):
        if offset > at:
            found.append((at, offset - at))
        at = offset + width
    if at < style["size"]:
        found.append((at, style["size"] - at))
    return found


def skips(style, described):
    """Bytes without a meaning: the language has 16 skips, then fields of bytes that are not stored."""
    lines = []
    for number, (offset, width) in enumerate(gaps(style, described)):
        lines.append("  skip %d @%d" % (width, offset) if number < SKIP_MAX else "  input gap%d bytes[%d] @%d" % (number, width, offset))
    return lines


def counts_per_us(style):
    unit = style["time"]["unit"]
    return {"ns": 1000, "us": 1, "tick100": 1, "cycle": 1}.get(unit) or int(unit[:-3])


def parts_of(style):
    """Parts of a cycle, or of a nanosecond of calls, of which every number is whole."""
    return counts_per_us(style) * (1000 if any(how["permille"] for how in style.get("counters", {}).values()) else 1)


def shape(style):
    lines = ["  size %d" % style["size"], "  endian " + style["endian"]]
    return lines + (["  header %d" % style["header"]] if style["header"] else [])


def marks(style, tag):
    """The match lines of records with this tag (None: those of the layout), and the bytes that they describe."""
    lines, described = [], []
    for field in style["fields"]:
        value = field.get("value") if field["name"].startswith("match") else None
        if "tag" in style and field["name"] == style["tag"]["field"]:
            value = style["tag"].get("main") if tag is None else tag
        if value is not None:
            lines.append("  match %s @%d == %d" % (field["type"], field["offset"], value))
            described.append((field["offset"], width_of(field["type"])))
    return lines, described


def other_kinds(style, unit):
    """Records of other kinds fill rows of a table that nothing shows."""
    lines = []
    for number, tag in enumerate(style.get("tag", {}).get("others", [])):
        found, described = marks(style, tag)
        field = next(field for field in style["fields"] if field["name"] == style["tag"]["field"])
        lines += head("record", "%s_%d" % (TABLES[unit][0], number), "api_name", PATTERNS[unit]) + shape(style) + found
        lines += ["  field number %s @%d" % (field["type"], field["offset"]), *skips(style, described)]
    return lines


def counter_lines(style, name):
    how = style["counters"][name] if name in COUNTERS else None
    if how and how["permille"]:
        return ["  share %s raw_%s per=1000" % (name, name)]
    scale = how["scale"] * parts_of(style) if how else style["bytes"]["scale"]
    if name == "total":
        return ["  value ddr_write_bytes raw_total minus raw_read scale=%d/1" % scale]
    column = {"read": "ddr_read_bytes", "write": "ddr_write_bytes"}.get(name, name)
    return ["  value %s raw_%s scale=%d/1" % (column, name, scale)]


def time_lines(style, unit):
    time = style["time"]
    begin = "start.clock" if time["form"] == "pair" else "start"
    took = {"pair": "start.clock clock", "start+end": "start end", "start+duration": "duration"}[time["form"]]
    clocks = {"pair": "clock", "start+end": "start end", "start+duration": "start"}[time["form"]]
    lines = ["  wrap " + clocks] if time["bits"] == 32 else []
    lines += ["  time start_ns %s unit=%s" % (begin, time["unit"]), "  duration dur_ns %s unit=%s" % (took, time["unit"])]
    if unit != "CALL":
        return lines + ["  cycles cycles %s unit=%s" % (took, time["unit"])]
    return lines + ["  value dur_parts %s scale=1000/1" % " minus ".join(reversed(took.split()))]


def kind_line(style):
    numbers = style["kind_numbers"]
    if numbers:
        return "  map type kind " + " ".join("%d=%d" % (number, kind) for kind, number in enumerate(numbers) if kind)
    return "  value type kind scale=1/%d" % style["type_scale"]


def records(style, unit):
    lines, described = marks(style, None)
    after = []
    for field in style["fields"]:
        name, place = field["name"], "%s @%d" % (field["type"], field["offset"])
        if name.startswith(("match", "decoy")) or name == "tag":
            continue
        described.append((field["offset"], width_of(field["type"])))
        if name == "phase":
            after.insert(0, "  pair %s start=%d end=%d key=task_id,stream_id" % (place, style["pair"]["start"], style["pair"]["end"]))
        elif name in COUNTERS or name in ("read", "write", "total"):
            lines.append("  input raw_%s %s" % (name, place))
            after += counter_lines(style, name)
        elif name == "kind":
            lines.append("  input kind " + place)
            after.append(kind_line(style))
        elif style["time"]["form"] == "pair" and name.endswith("_id"):
            lines.append("  field %s %s" % (name, place.replace("i", "u", 1)))  # keys are unsigned; ids are never negative
        else:
            lines.append("  %s %s %s" % ("input" if name in ("start", "end", "duration", "clock") else "field", name, place))
    after = [line for line in after if " pair " in line] + time_lines(style, unit) + [line for line in after if " pair " not in line]
    name, table = TABLES[unit]
    begin = head("record", name, table, PATTERNS[unit]) + shape(style) + ["  parts %d" % parts_of(style)]
    return begin + lines + skips(style, described) + after + other_kinds(style, unit)


# ---------------------------------------------------------------- texts


def quoted(key):
    return key if key.replace("_", "").isalnum() else '"%s"' % key


def path(*keys):
    return ".".join(quoted(key) for key in keys)


COLUMNS = {"task": "task_id", "stream": "stream_id", "id": "layer_id", "name": "name", "type": "type", "ori": "ori"}


def layer_lines(form):
    keys, nest = form["keys"], form["nest_keys"][:form["nest"]]
    whose = ("task", "stream")
    if form["form"] == "text":
        captures = {key: "{%s%s}" % (column, ":int" if column.endswith("_id") else "") for key, column in COLUMNS.items()}
        columns = [captures[key] for key in form["order"]] + (["{}"] if form["extra"] else [])
        lines = ['  line "%s"' % form["separator"].join(columns)]
        if form["title"]:
            lines.append('  line "%s"' % form["separator"].join(form["order"] + (["-"] if form["extra"] else [])))
        return "text", lines
    if form["form"] in ("lines", "object"):
        lines = ["  each " + path(*nest, form["list"])]
        for key, column in COLUMNS.items():
            above = form["form"] == "lines" and key in whose
            lines.append("  value %s %s%s" % (column, "" if above else ".", path(keys[key])))
        return "json", lines
    order = [key for key in COLUMNS if key not in whose] + list(whose)
    lines = ["  zip"]
    for key in order:
        above = form["form"] == "lines_arrays" and key in whose
        lines.append("  value %s %s" % (COLUMNS[key], path(*([] if above else nest), keys[key])))
    return "json", lines


def net_lines(form):
    if form["form"] == "text":
        return "text", ['  line "{:int};{};{batch:int};{input_pic_num:int}"']
    nest = ["shape"] if form["nest"] else []
    return "json", ["  value batch " + path(*nest, form["batch"]), "  value input_pic_num " + path(*nest, form["pics"])]


def dictionary_lines(form):
    if form["form"] == "text":
        return "text", ['  line "{number:int}%s{name}"' % form["separator"]]
    return "json", {
        "json_lines": ["  value number key", "  value name value"], "json_arrays": ["  zip", "  value number number", "  value name name"],
        "json_list": ["  each apis", "  value number .k", "  value name .v"],
        "json_flat": ["  each .", '  value number "#"', "  value name ."],
        "json_nested": ["  each apis", "  value number .", '  value name "#"'],
    }[form["form"]]


def write_layouts(truth, directory):
    lines = []
    for unit, style in truth["styles"].items():
        lines += records(style, unit)
    kind, more = layer_lines(truth["forms"]["layers"])
    lines += head(kind, "svp.layer_info", "layer_line", ["{model}.{model_id:int}.layer.info"]) + more
    kind, more = net_lines(truth["forms"]["net"])
    lines += head(kind, "svp.net_info", "net_line", ["{model}.{model_id:int}.net.info"]) + more
    form = truth["forms"]["dictionary"]
    if truth["styles"]["CALL"]["numbered"]:
        kind, more = dictionary_lines(form)
        lines += head(kind, "svp.names", "api_name", [form["file"]]) + more
    with open(os.path.join(directory, "board.rec"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
