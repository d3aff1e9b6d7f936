#!/usr/bin/env python3
"""selftest.py: proves svp_reader.py, compare.py and mutate.py without msprof, on hand-made jobs and databases.

Usage: selftest.py [GENUINE]      GENUINE: a directory with runs of the maker's library, to read and damage as well

The expected numbers are written by hand, not taken from the reader. Then each value of the database is changed in turn,
and compare.py must see it. Last, the reader must survive many damaged jobs, and a seed must always do the same.
"""

import contextlib
import filecmp
import io
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile

import compare
import mutate
import svp_forms as forms
import svp_reader

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = 400


def item(field, value):
    """An item: a number as u16, bytes and texts with a length of one byte, a list of items with one of two bytes."""
    if isinstance(value, int):
        return struct.pack("<HH", 0x4000 | field, value)
    if isinstance(value, list):
        whole = b"".join(value)
        return struct.pack("<HH", 0xA000 | field, len(whole)) + whole
    data = value.encode()
    return struct.pack("<HB", 0x8000 | field, len(data)) + data


def layer(layer_id, name, kind, seg, prof_id, *ori):
    return item(0x111, [item(0x112, layer_id), item(0x114, name + "\0"), item(0x152, kind + "\0"), item(0x14B, seg),
                        item(0x157, prof_id)] + [item(0x141, o) for o in ori])


def save(top, files):
    for name, data in files.items():
        place = os.path.join(top, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)
    return top


def job_ss928(top):
    """Two nets and a fused task at 700 MHz; a call of a type that nobody knows; an AI CPU net."""
    words = struct.pack("<27I", *range(100, 127))
    tasks = b"".join((struct.pack("<II", i, t) + words).ljust(252, b"\xEE") + struct.pack("<I", n) for i, t, n in ((0, 20, 0), (1, 57, 0), (0, 1, 1)))
    calls = b"".join(struct.pack("<IIQQII", 0x5A5A, t, s, e, 7, 8) for t, s, e in ((2, 900, 1900), (4, 1900, 1950), (9, 2000, 2001)))
    aicpu = bytes(24) + struct.pack("<QQ", 1500, 1600) + bytes(84) + struct.pack("<I", 2)
    return save(top, {
        "info.json.0": '{"DeviceInfo": [{"aic_frequency": "700"}]}',
        "data/aicore.0.m.16.3.1.1.0": tasks,
        "data/aicore.0.m.16.3.1.1.0.done": "file_len:768\nstart_time:1000\nend_time:1700\ncache_hit:5\ncache_mis:6\nonline_batch_num:17,300",
        "data/aicpu.0.m.16.3.1.1.0": aicpu,
        "data/aicpu.0.m.16.3.1.1.0.done": "file_len:128\nstart_time:1500\nend_time:1600\n",
        "data/acl_api.0.m.3": calls,
        "data/acl_api.0.m.3.done": "file_len:96\nstart_time:900\nend_time:2001\npid:7\ntid:8\n",
        "data/m.3.layer.info": layer(0, "a", "Conv", 0, 0, "a,b") + layer(1, "c", "Relu", 0, 0, '""') + layer(2, "d", "Pool", 1, 0),
        "data/m.3.net.info": item(0x040, [item(0x041, 0), item(0x042, 0), item(0x20C, 2)]),
    })


def job_dv500(top):
    """Two models whose inferences share a file; the second name in the alphabet comes first in time."""
    def task(index, ticks, picture):
        return (struct.pack("<II", index, ticks).ljust(224, b"\0") + struct.pack("<Q", picture)).ljust(256, b"\0")
    marker = "file_len:{}\nstart_time:{}\nend_time:9\ncache_hit:0\ncache_mis:0\n"
    return save(top, {
        "info.json.0": '{"DeviceInfo": [{"aic_frequency": "700"},{"magic_num": "6A6A"}]}',
        "data/aicore.0.1.1": task(0, 7, 4) + task(0, 14, 0) + task(1, 21, 0),
        "data/aicore.0.x.0.1.1.0.done": marker.format(512, 2000),
        "data/aicore.0.y.1.1.1.4.done": marker.format(256, 1000),
        "data/x.0.layer.info": layer(0, "p", "Conv", 0, 0) + layer(1, "q", "Conv", 0, 1) + layer(2, "r", "Conv", 1, 1),
    })


TABLES = """
CREATE TABLE source(id INTEGER PRIMARY KEY, file, target, device_id, model, model_id, stream_id, batch, input_pic_num, current_pic,
  first_row, last_row, records, record_bytes, blank_bytes, damaged_bytes);
CREATE TABLE aicore_task(task_id, seg_id, ticks, start_ns, dur_ns, mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld,
  ddr_read_bytes, ddr_write_bytes);
CREATE TABLE aicpu_task(task_id, start_ns, dur_ns);
CREATE TABLE api_call(type, start_ns, dur_ns, pid, tid, name, detail);
CREATE TABLE cont_step(cont);
CREATE TABLE net(id INTEGER PRIMARY KEY, model, model_id);
CREATE TABLE op(net_id, task_id, seg_id, layer_count, layer_ids, names, types, oris);
CREATE TABLE tasks(source_id, row, name, type, task_type);
CREATE TABLE device(device_id, soc, frequency_mhz);
CREATE TABLE marker_value(source_id, key, value);
CREATE TABLE damage(file, offset, bytes, reason);
"""
ROWS = """
INSERT INTO source VALUES(1, 'data/aicore.0.m.16.3.1.1.0', 'aicore_task', 0, 'm', 3, 16, 1, 1, 0, 1, 3, 3, 768, 0, 0);
INSERT INTO source VALUES(2, 'data/aicpu.0.m.16.3.1.1.0', 'aicpu_task', 0, 'm', 3, 16, 1, 1, 0, 1, 1, 1, 128, 0, 0);
INSERT INTO source VALUES(3, 'data/acl_api.0.m.3', 'api_call', 0, 'm', 3, NULL, NULL, NULL, NULL, 1, 3, 3, 96, 0, 0);
INSERT INTO source VALUES(4, 'data/m.3.layer.info', 'layer_item', NULL, 'm', 3, NULL, NULL, NULL, NULL, NULL, NULL, 3, {layers}, 0, 0);
INSERT INTO source VALUES(5, 'data/m.3.net.info', 'net_item', NULL, 'm', 3, NULL, NULL, NULL, NULL, NULL, NULL, 1, {nets}, 0, 0);
INSERT INTO aicore_task VALUES(0, 0, 20, 1000000, 2857, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
INSERT INTO aicore_task VALUES(1, 0, 57, 1002857, 8143, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
INSERT INTO aicore_task VALUES(0, 1, 1, 1011000, 143, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
INSERT INTO aicpu_task VALUES(2, 1500000, 100000);
INSERT INTO api_call VALUES(2, 900000, 1000000, 7, 8, 'svp_acl_mdl_execute', NULL);
INSERT INTO api_call VALUES(3, 1900000, 50000, 7, 8, 'svp_acl_rt_synchronize_stream', NULL);
INSERT INTO api_call VALUES(4, 2000000, 1000, 7, 8, '9', NULL);
INSERT INTO net VALUES(1, 'm', 3);
INSERT INTO op VALUES(1, 0, 0, 2, '0,1', 'a,c', 'Conv,Relu', 'a,b');
INSERT INTO op VALUES(1, 0, 1, 1, 2, 'd', 'Pool', NULL);
INSERT INTO tasks VALUES(1, 1, 'a,b', 'Conv,Relu', 'AA_CORE');
INSERT INTO tasks VALUES(1, 2, NULL, NULL, 'AA_CORE');
INSERT INTO tasks VALUES(1, 3, 'd', 'Pool', 'AA_CORE');
INSERT INTO device VALUES(0, 'SS928', 700);
INSERT INTO marker_value VALUES(1, 'file_len', '768'), (1, 'start_time', '1000'), (1, 'end_time', 1700), (1, 'cache_hit', '5'),
  (1, 'cache_mis', '6'), (1, 'online_batch_num', '17,300'), (2, 'file_len', 128), (2, 'start_time', 1500), (2, 'end_time', 1600),
  (3, 'file_len', 96), (3, 'start_time', 900), (3, 'end_time', 2001), (3, 'pid', 7), (3, 'tid', 8);
"""
IDENTITY = {"device_id", "model", "model_id", "stream_id", "batch", "input_pic_num", "current_pic"}


def compared(table, column, row):
    """Whether compare.py has an opinion about a value. Row 1 of source is an inference, 4 and 5 are models."""
    if table == "source" and column in IDENTITY:
        return row == 1
    if table == "source" and column in ("id", "target", "first_row", "last_row"):
        return row <= 3
    return column not in ("records", "layer_count", "detail") and (table, column, row) != ("api_call", "type", 3)    # an unknown call


def test_reader(top):
    job = svp_reader.read_job(job_dv500(os.path.join(top, "dv500")))
    got = [(i["model"], i["current_pic"], i["stream"], [(t["index"], t["start_ns"], t["dur_ns"], t["names"]) for t in i["tasks"]]) for i in job["inferences"]]
    assert got == [("y", 4, None, [(0, 1000000, 1000, None)]),
                   ("x", 0, None, [(0, 2000000, 2000, "p"), (1, 2002000, 3000, None)])], got     # two nets have id 1
    assert not job["problems"] and job["soc"] == "Hi3519DV500", job["problems"]
    assert [forms.moment_ns(1, t, 200000) for t in (1, 3, 5)] == [1000, 1002, 1002]               # halves go to the even number
    assert forms.read_items(struct.pack("<HI", 0xC111, 2 ** 32 - 1) + b"abc")[1] == 9
    assert forms.read_items(item(0x112, 5) + b"\0")[1] == 1


def test_compare(top):
    job = job_ss928(os.path.join(top, "JOB" + "A" * 29))
    sizes = {k: os.path.getsize(os.path.join(job, "data", f"m.3.{k[:-1]}.info")) for k in ("layers", "nets")}
    database = os.path.join(top, "msprof.db")
    with sqlite3.connect(database) as db:
        db.executescript(TABLES + ROWS.format(**sizes))
    counts, differences = compare.compare(job, database)
    assert (counts, differences) == ((4, 3, 9), []), (counts, differences)
    seen = 0
    with sqlite3.connect(database) as db:
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row, column in [(r, c[1]) for r, in db.execute(f"SELECT rowid FROM {table}") for c in db.execute(f"PRAGMA table_info({table})")]:
                if compared(table, column, row):
                    old, = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
                    new = old + 1000 if isinstance(old, int) else "other"
                    at = new if column == "id" else row                # an INTEGER PRIMARY KEY is the rowid
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))
                    db.commit()
                    assert compare.compare(job, database)[1], f"compare.py does not see {table}.{column} of row {row}"
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (old, at))
                    db.commit()
                    seen += 1
        db.execute("INSERT INTO damage VALUES('x', 0, 1, 'y')")
        db.commit()
        assert compare.compare(job, database)[1]
    program(top, job, database)
    return seen


def program(top, job, database):
    """The command line, with a program in place of msprof that puts the database into the job."""
    msprof = os.path.join(top, "msprof")
    save(top, {"msprof": f'#!/bin/sh\n[ "$1 $2" = "import -dir" ] && mkdir "$3/sqlite" && cp "{database}" "$3/sqlite/msprof.db"\n'})
    os.chmod(msprof, 0o700)
    for sql, status, line in (("DELETE FROM damage", 0, "4 tasks, 3 calls, 9 files compared: equal\n"),
                              ("UPDATE api_call SET pid = 9", 1, "4 tasks, 3 calls, 9 files compared: 3 differences\n")):
        with sqlite3.connect(database) as db:
            db.execute(sql)
        done = subprocess.run([sys.executable, os.path.join(HERE, "compare.py"), msprof, job], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout[-len(line):]) == (status, line), done


def test_mutate(top, jobs):
    for seed in range(SEEDS):
        job, texts = jobs[seed % len(jobs)], []
        out = [os.path.join(top, f"out{seed}.{i}") for i in (0, 1)]  # of a directory that goes as a whole
        for place in out[:2 if seed % 10 == 0 else 1]:
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                assert mutate.main([str(seed), job, place]) == 0
            texts.append(text.getvalue())
        if len(texts) == 2:
            assert texts[0] == texts[1] and equal_trees(*out), f"seed {seed} does not always do the same"
        try:
            svp_reader.read_job(out[0])
        except Exception:
            print(f"seed {seed} of {job}: {texts[0]}", file=sys.stderr)
            raise


def equal_trees(one, two):
    names = [os.path.relpath(os.path.join(folder, n), one) for folder, _, found in os.walk(one) for n in found]
    there = sum(len(found) for _, _, found in os.walk(two))
    return len(names) == there and not any(filecmp.cmpfiles(one, two, names, shallow=False)[1:])


def test_genuine(top):
    """All bytes are understood; words that name their own place are found there; items are those of the model file."""
    jobs, places = [], 0
    for folder, _, _ in sorted(os.walk(top)):
        if not os.path.basename(folder).startswith("JOB"):
            continue
        jobs.append(folder)
        job, run = svp_reader.read_job(folder), os.path.relpath(folder, top).split(os.sep)[0]
        assert not any(b["unknown"] for b in job["bytes"].values()), job["problems"]
        for task in [t for i in job["inferences"] for t in i["tasks"]] if run.endswith(("_pattern", "_interval1", "_skips")) else []:
            first = task["words"][0]
            assert first >> 24 == 0xC0 + (task["seg"] or 0) and first & 0xFF == 2 and task["words"] == list(range(first, first + 27)), task
            places += 27
        model = os.path.join(top, run, "toy.om")
        if os.path.exists(model) and job["layers"]:
            whole = forms.read_model(model)
            assert whole["layers"] == job["layers"][0]["layers"] and whole["nets"] == job["nets"][0]["nets"], run
    return jobs, places


def main(args):
    with tempfile.TemporaryDirectory() as top:
        test_reader(top)
        seen = test_compare(top)
        jobs, places = test_genuine(args[0]) if args else ([], 0)
        jobs += [os.path.join(top, "dv500"), os.path.join(top, "JOB" + "A" * 29)]
        test_mutate(top, jobs)
    print(f"compare.py sees each of {seen} changes; {places} words are in their places; {SEEDS} damaged copies of {len(jobs)} jobs read")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
