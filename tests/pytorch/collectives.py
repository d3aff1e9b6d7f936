"""What torch_npu's analysis.db says of collectives, from the JSON files of `msprof analyze` and the steps, by the rule of its source."""

import json
import re

TYPES = "send|reduce|invalid|broadcast|allreduce|receive|allgather|reducescatter|scatter|alltoall|alltoallv|alltoallvc|batchsendrecv"
SIZE, TIME, RATE = "Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)"


def read(path):
    with open(path, encoding="utf-8") as f:
        return {key: told for key, told in json.load(f).items() if "@" in key}


def kind(key):
    return "p2p" if re.match("hcom_(send|receive|batchsendrecv)", key.lower()) else "collective"


def ratio(dividend, divisor):
    return 0 if abs(divisor) < 1e-15 else round(dividend / divisor, 4)


def chosen(links):
    """Rows of the links of a step and kind: (type, group, link) to those of each operation."""
    names = {}
    for (what, group, link), all_of_it in links.items():
        ranked = sorted(all_of_it, key=lambda one: one[RATE], reverse=True)
        size, took = sum(one[SIZE] for one in ranked), sum(one[TIME] for one in ranked)
        found = {"top1": ranked[0], "middle": ranked[len(ranked) // 2], "bottom1": ranked[-1],
                 "total": {"Transport Type": ranked[0]["Transport Type"], SIZE: size, TIME: took, RATE: ratio(size, took), "op": ""}}
        found.update({f"bottom{n}": ranked[-n] for n in (2, 3) if len(ranked) >= n})
        for word, one in found.items():
            names.setdefault((f"{what}-{word}", group), {})[link] = one
    return [(*name, *link.split("-"), one["Transport Type"], one[SIZE], one[TIME], one[RATE], one["op"])
            for name, told in names.items() for link, one in told.items()]


def tables(folder, steps):
    """Rows of the three tables; steps are (name, first ns, last ns)."""
    times, bands, links = [], [], {}
    matrix = read(f"{folder}/communication_matrix.json")
    for key, told in read(f"{folder}/communication.json").items():
        whole, _, part = repr(float(told["Communication Time Info"]["Start Timestamp(us)"])).partition(".")
        begun = int(whole + part[:3].ljust(3, "0"))
        step = next(("step" + name for name, first, last in steps if first <= begun <= last), None)
        if step is None:
            continue
        name, end = key.split("@"), (step, kind(key))
        times.append((*name, *[v for k, v in told["Communication Time Info"].items() if "Ratio" not in k], *end))
        for transport, band in told["Communication Bandwidth Info"].items():
            *numbers, sizes = band.values()
            for size, took in (sizes or {"0": [0, 0]}).items() if sum(numbers) else ():
                bands.append((*name, transport, *numbers, float(size), *took, *end))
        found = re.search(TYPES, key.lower())
        for link, one in matrix.get(key, {}).items():
            place = (found[0] if found else key.split("__")[0], name[1], link)
            links.setdefault(step, {"p2p": {}, "collective": {}})[end[1]].setdefault(place, []).append({**one, "op": name[0]})
    rows = [(*row[:-1], step, what, row[-1]) for step, kinds in links.items() for what, told in kinds.items() for row in chosen(told)]
    return {"Time": times, "Bandwidth": bands, "Matrix": rows}
