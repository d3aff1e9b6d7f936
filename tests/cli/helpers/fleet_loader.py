#!/usr/bin/env python3
"""fleet_loader.py: stands in for msprof-publish: takes the frames of `msprof publish`, and writes the rows as JSON lines.

Usage: fleet_loader.py check|init|load|ask URL [SHARD], as msprof-publish is run. FLEET_ROWS is the file to append to; FLEET_MODE
is what to do wrong: "" nothing, "silent" end at once, "nonsense" an unknown answer, "fail" refuse every job, "batch" refuse three
together, "deaf" end without an answer, "cut" end in the middle of the rows, "kill" kill the reader.
"""

import glob
import json
import os
import re
import signal
import struct
import sys

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../..")
MODE = os.environ.get("FLEET_MODE", "")


def column_types():
    """Table -> types of its columns, from the texts of the rows; the number of the job is before them."""
    types = {"word": ["word", "text"]}
    for path in glob.glob(os.path.join(ROOT, "schema/fleet/rows/*/*.sql")):
        text = open(path, encoding="utf-8").read()
        types[re.search(r"^-- @title (\w+)", text, re.M)[1]] = re.search(r"^-- @types (.*)", text, re.M)[1].split()
    return types


def answer(kind, payload=b""):
    os.write(1, struct.pack("=II", ord(kind), len(payload)) + payload)


def read(size):
    data = sys.stdin.buffer.read(size)
    if len(data) < size:
        raise EOFError
    return data


class Rows:
    """The rows of a data frame."""

    def __init__(self, data, clickhouse):
        self.data, self.at, self.clickhouse = data, 0, clickhouse

    def take(self, form):
        size = struct.calcsize(form)
        self.at += size
        return struct.unpack(form, self.data[self.at - size:self.at])[0]

    def text(self, size):
        self.at += size
        return self.data[self.at - size:self.at].decode()  # always UTF-8

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def value(self, kind):
        if self.clickhouse:
            if kind.endswith("?") and self.take("B"):
                return None
            form = {"int": "<q", "real": "<d", "word": "<I"}.get(kind.rstrip("?"))
            return self.take(form) if form else self.text(self.varint())
        size = self.take(">i")
        if size < 0:
            return None
        form = {"int": ">q", "real": ">d", "word": ">I"}.get(kind.rstrip("?"))
        assert not form or size == struct.calcsize(form)
        return self.take(form) if form else self.text(size)

    def row(self, kinds):
        if not self.clickhouse:
            assert self.take(">H") == len(kinds)
        return [self.value(kind) for kind in kinds]


def load(clickhouse, out):
    types, columns, kinds, table, pending, refused = column_types(), [], [], None, [], 0
    answer("R")
    while True:
        try:
            kind, size = struct.unpack("=II", read(8))
            payload = read(size)
        except EOFError:
            return
        kind = chr(kind)
        if kind == "J":
            pending = []
        elif kind in "TB":
            table, names = payload.decode().split("\n")
            columns = names.split(", ")
            kinds = (["int"] * (2 if clickhouse else 1)) + types[table]
            assert len(columns) == len(kinds), (columns, kinds)
        elif kind == "D":
            if MODE == "cut":
                return
            rows = Rows(payload, clickhouse)
            while rows.at < len(payload):
                pending.append({"table": table, **dict(zip(columns, rows.row(kinds)))})
        elif kind == "E":
            assert struct.unpack("=q", payload)[0] == len(pending)
            if MODE == "fail":
                answer("F", struct.pack("=q", 1) + b"no\x1b[31m room")
                continue
            if MODE in ("batch", "deaf"):
                refused += 1
                if MODE == "batch" and refused == 3:
                    answer("F", struct.pack("=q", 3) + b"no room")
                continue
            for row in pending:
                out.write(json.dumps(row) + "\n")
            answer("K", struct.pack("=q", 1))


def ask():
    """An answer of one row: a text that looks like a number, numbers, NULL, and a number with decimals that has none."""
    def cells(*texts):
        return b"".join(struct.pack("=I", 0xffffffff) if text is None else struct.pack("=I", len(text)) + text for text in texts)
    answer("C", cells(b"run", b"mean", b"job", b"none", b"share"))
    answer("U", b"\0\1\1\1\2")
    answer("V", cells(b"1.10", b"12.50", b"9223372036854775806", None, b"0"))
    answer("R")


def main():
    if MODE == "silent":
        return
    if MODE == "nonsense":
        answer("Z", b"what?")
    elif sys.argv[1] == "ask":
        ask()
    elif sys.argv[1] == "load" and MODE == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
    elif sys.argv[1] == "load":
        with open(os.environ["FLEET_ROWS"], "a", encoding="utf-8") as out:
            load(sys.argv[2].startswith("clickhouse"), out)
    else:
        answer("R")


main()
