"""learn_tables.py: the op_summary of an inference as the vendor's tool makes it, with exact arithmetic, and what may befall such tables."""
import csv
import io
import json
from fractions import Fraction

COUNTERS = ("mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld", "ddr_read_bytes", "ddr_write_bytes")
RATIOS = COUNTERS[:8]
VENDOR = ["Task ID", "Layer ID", "Layer Name", "Layer Type", "Ori Layer Name", "Time(us)", "Time Ratio(%)", "Mac Busy Ratio(%)", "Mac Ppen Ratio(%)",
          "Vec Busy Ratio(%)", "Vec Ppen Ratio(%)", "Dstr Ratio(%)", "Dtrans Ratio(%)", "DLD Ratio(%)", "WLD Ratio(%)", "Memory Bound", "DDR Read(KB)",
          "DDR Write(KB)", "DDR Total(KB)"]
DEFAULT = ["Layer Id", "Ori Layer Name", "Layer Name", "Layer Type", "Time(us)", "Time Ratio", "Mac Busy Ratio", "Mac Ppen Ratio", "Vec Busy Ratio",
           "Vec Ppen Ratio", "Dstr Ratio", "Dtrans Ratio", "DLD Ratio", "WLD Ratio", "Memory Bound", "DDR Read(byte)", "DDR Write(byte)", "DDR Total(byte)"]


def shown(value, decimals, rule):
    """A number as the tool writes it: rounded half to even, as a double, or cut."""
    if rule == "double":
        value = Fraction(repr(round(float(value), decimals)))
        scaled = int(value * 10 ** decimals)
    elif rule == "cut":
        scaled = int(value * 10 ** decimals)
    else:
        scaled = round(value * 10 ** decimals)
    whole, part = divmod(scaled, 10 ** decimals)
    text = "%d.%0*d" % (whole, decimals, part) if decimals else "%d" % whole
    return text.rstrip("0").rstrip(".") if decimals else text


def numbers(task, total_ticks, mhz, style, show):
    """The cells of numbers of a task, or of the sum of all."""
    cycles = task["ticks"] * 100
    memory = max(task["dstr"], task["dld"], task["wld"])
    work = max(task["mac_busy"], task["vec_ppen"])
    bound = show(Fraction(memory) / work) if work else "0" if style == "vendor" else "N/A"
    unit = 1000 if style == "vendor" else 1
    read, write = task["ddr_read_bytes"], task["ddr_write_bytes"]
    size = [show(Fraction(value, unit)) for value in (read, write, read + write)]
    times = [show(Fraction(cycles, mhz)), show(Fraction(task["ticks"] * 100, total_ticks))]
    return times + [show(Fraction(task[name]) * 100 / cycles) for name in RATIOS] + [bound] + size


def cut_text(text, length):
    return text if not length or len(text) <= length else text[:length - 1] + "~"


def op_summary(inference, mhz, style, decimals=2, rule="even", cut=0):
    """Titles, the row of totals, and one row a task."""
    def show(value):
        return shown(value, decimals, rule)
    tasks = inference["tasks"]
    total_ticks = sum(task["ticks"] for task in tasks)
    everything = {name: sum(task["values"][name] for task in tasks) for name in COUNTERS}
    totals = numbers({**everything, "ticks": total_ticks}, total_ticks, mhz, style, show)
    totals[1] = "100"
    texts = 5 if style == "vendor" else 4
    rows = [["-"] * texts + totals]
    for task in tasks:
        layers = task["layers"]
        ids, names, types = (cut_text(",".join(str(layer[key]) for layer in layers), cut) for key in ("id", "name", "type"))
        ori = cut_text(",".join(name for layer in layers for name in layer["ori"]), cut)
        cells = numbers({**task["values"], "ticks": task["ticks"]}, total_ticks, mhz, style, show)
        rows.append(([str(task["id"]), ids, names, types, ori] if style == "vendor" else [ids, ori, names, types]) + cells)
    return VENDOR if style == "vendor" else DEFAULT, rows


def file_name(model, inference, mhz):
    return "op_summary_0.%s.%d.%d.1.%d.%.6f.%d" % (model["name"], model["id"], model["batch"], inference["pic"], 174 / (99311 + 174), mhz)


def number(cell):
    try:
        return int(cell)
    except ValueError:
        try:
            return float(cell)
        except ValueError:
            return cell


def encode(titles, rows, form, encoding):
    if form == "json":
        texts = titles.index("Time(us)")
        objects = [dict(zip(titles, row[:texts] + [number(cell) for cell in row[texts:]])) for row in rows]
        return json.dumps(objects, indent=4, ensure_ascii=encoding != "utf-8").encode("utf-8")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([titles, *rows])
    return out.getvalue().encode(encoding)
