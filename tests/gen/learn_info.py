"""learn_info.py: draws the forms of layer.info, net.info and of the dictionary of calls, and writes them."""
import json

KEYS = {
    "task": ("task", "taskId", "task_id", "Task Id", "op_index", "t"), "stream": ("stream", "streamId", "stream_id", "sid", "s"),
    "id": ("id", "layerId", "layer_id", "Layer Index", "no"), "name": ("name", "layerName", "layer_name", "n", "title"),
    "type": ("type", "opType", "layer type", "kind", "op"), "ori": ("ori", "origin", "ori_names", "from", "original"),
}
FORMS = ("lines", "lines_arrays", "object", "arrays", "text")
PIECE_MAX = 60000  # bytes of one object


def draw_layer_form(d):
    form = d.weighted(("lines", 30), ("text", 20), ("lines_arrays", 15), ("object", 15), ("arrays", 20))
    for name in FORMS:
        form = name if "layers_" + name in d.forced else form
    keys = {key: names[0] if d.plain else d.choice(names) for key, names in KEYS.items()}
    order = list(keys)
    if d.chance("keys_shuffled", 0.5):
        d.shuffle(order)
    return {"form": form, "keys": keys, "order": order, "nest": d.weighted((0, 5), (1, 3), (2, 2)),
            "list": d.choice(("layers", "ops", "Layer List", "items")), "separator": d.choice(";;|\t"),
            "title": d.chance("title_line", 0.1), "extra": d.chance("extra_keys", 0.4), "ori_text": d.chance("ori_text", 0.3),
            "nest_keys": [d.choice(("net", "data", "graph")), d.choice(("v1", "info", "body"))]}


def draw_net_form(d):
    return {"form": d.weighted(("json", 3), ("text", 1)), "nest": d.weighted((0, 2), (1, 1)),
            "batch": d.choice(("batch", "batchSize", "Batch Num")), "pics": d.choice(("input_pic_num", "pics", "images"))}


def draw_dictionary_form(d):
    form = d.weighted(("text", 8), ("json_list", 3), ("json_lines", 3), ("json_arrays", 2), ("json_nested", 3), ("json_flat", 1))
    for name in ("text", "json_list", "json_lines", "json_arrays", "json_nested", "json_flat"):
        form = name if "dictionary_" + name in d.forced else form
    return {"form": form, "separator": d.choice("::= "), "file": d.choice(("names.txt", "api_dict.0", "hash_dic", "dictionary.json"))}


def wrapped(form, value):
    for key in reversed(form["nest_keys"][:form["nest"]]):
        value = {key: value}
    return value


def layer_value(form, task, layer, key):
    if key in ("task", "stream"):
        return task["task_id" if key == "task" else "stream_id"]
    if key == "ori":
        return ",".join(layer.ori) if form["ori_text"] else list(layer.ori)
    return getattr(layer, key)


def pick(form, task, layer, wanted):
    return {form["keys"][key]: layer_value(form, task, layer, key) for key in form["order"] if key in wanted}


def layer_lines(form, tasks):
    """A line a task: the layers are a list of objects, or lists side by side."""
    lines = []
    for number, task in enumerate(tasks):
        line = {"cost": number * 3} if form["extra"] else {}
        line.update(pick(form, task, task["layers"][0], ("task", "stream")))
        rest = [key for key in form["order"] if key not in ("task", "stream")]
        if form["form"] == "lines":
            inner = {form["list"]: [pick(form, task, layer, rest) for layer in task["layers"]]}
        else:
            inner = {form["keys"][key]: [layer_value(form, task, layer, key) for layer in task["layers"]] for key in rest}
        line.update(wrapped(form, inner))
        lines.append(json.dumps(line))
    return lines


def layer_object(form, tasks):
    """One object: a list of objects, or lists side by side, with one element for each layer."""
    pairs = [(task, layer) for task in tasks for layer in task["layers"]]
    if form["form"] == "object":
        inner = {form["list"]: [pick(form, task, layer, form["order"]) for task, layer in pairs]}
    else:
        inner = {form["keys"][key]: [layer_value(form, task, layer, key) for task, layer in pairs] for key in form["order"]}
    return [json.dumps({**({"version": 3} if form["extra"] else {}), **wrapped(form, inner)})]


def layer_text(form, tasks):
    columns = form["order"] + (["-"] if form["extra"] else [])
    lines = [form["separator"].join(columns)] if form["title"] else []
    for task in tasks:
        for layer in task["layers"]:
            cells = [str(layer_value({**form, "ori_text": True}, task, layer, key)) if key != "-" else "x" for key in columns]
            lines.append(form["separator"].join(cells))
    return lines


def layer_info(form, tasks):
    """The text of layer.info. An object that became too long is written as lines; `form` then says so."""
    if form["form"] in ("object", "arrays"):
        lines = layer_object(form, tasks)
        if len(lines[0]) < PIECE_MAX:
            return lines[0] + "\n"
        form["form"] = "lines"
    lines = layer_text(form, tasks) if form["form"] == "text" else layer_lines(form, tasks)
    return "\n".join(lines) + "\n"


def net_info(form, model):
    if form["form"] == "text":
        return "%d;%s;%d;%d\n" % (model["id"], model["name"], model["batch"], model["pics"])
    inner = {form["batch"]: model["batch"], form["pics"]: model["pics"]}
    inner = {"shape": inner} if form["nest"] else inner
    return json.dumps({"name": model["name"], "id": model["id"], **inner}) + "\n"


def dictionary(form, names):
    pairs = [(entry["number"], name) for name, entry in names.items()]
    if form["form"] == "text":
        return "".join("%d%s%s\n" % (number, form["separator"], name) for number, name in pairs)
    if form["form"] == "json_lines":
        return "".join(json.dumps({"key": number, "value": name}) + "\n" for number, name in pairs)
    if form["form"] == "json_arrays":
        return json.dumps({"number": [number for number, _ in pairs], "name": [name for _, name in pairs]}) + "\n"
    if form["form"] == "json_list":
        return json.dumps({"apis": [{"k": number, "v": name} for number, name in pairs]}) + "\n"
    if form["form"] == "json_nested":
        return json.dumps({"version": 1, "apis": {name: number for number, name in pairs}}) + "\n"
    return json.dumps({str(number): name for number, name in pairs}) + "\n"
