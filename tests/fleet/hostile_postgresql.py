"""hostile_postgresql.py: PostgreSQL that has the tables of msprof, or tells so, and misbehaves in one way.

Before somebody is logged in: pg-clear (asks for the password in clear), pg-stuffed (the same, in one packet with the refusal of
TLS), pg-greeting (a notice behind the login), pg-parameters (without end), pg-stall (nothing after the login begins).
At the first statement: pg-rows, pg-cell, pg-error, pg-notices, pg-notifications, pg-results (each without end), pg-silent,
pg-drip (a byte a moment), pg-escapes (an error for a terminal).
At the question: pg-answer (rows without end), pg-wide (a cell of 5 MiB), pg-again (answers twice, the second time with more
columns), pg-copy (answers with COPY), pg-nothing (rows without columns), pg-odd (titles and numbers that are none).
At a load: pg-greedy (takes nothing), pg-chatty (takes rows, and answers with parameters without end).
"""

import struct
import time

READY = b"Z\0\0\0\5I"
LARGE = 0x3fffffff


def message(kind, body):
    return kind + struct.pack("!I", len(body) + 4) + body


def titles(*names, kind=25):
    return message(b"T", struct.pack("!H", len(names)) + b"".join(
        name + b"\0" + struct.pack("!IHIhih", 0, 0, kind, -1, -1, 0) for name in names))


def row(*values):
    return message(b"D", struct.pack("!H", len(values)) + b"".join(struct.pack("!I", len(v)) + v for v in values))


def rows(columns, value):
    """An answer of one row."""
    return titles(*[b"c"] * columns) + row(*[value] * columns) + message(b"C", b"SELECT 1\0")


def for_ever(connection, *parts):
    """The first parts once, the last again and again."""
    for part in parts[:-1]:
        connection.sendall(part)
    while True:
        connection.sendall(parts[-1])


NOTICE = message(b"N", b"SNOTICE\0C00000\0M\x1b]0;hello\x07\0\0")
ENDLESS = {
    "pg-rows": [titles(b"c"), row(b"x" * 60000) * 10],
    "pg-cell": [titles(b"c"), b"D" + struct.pack("!IHI", LARGE, 1, LARGE - 10), b"y" * (1 << 20)],
    "pg-error": [b"E" + struct.pack("!I", LARGE) + b"M", b"y" * (1 << 20)],
    "pg-notices": [NOTICE * 1000],
    "pg-notifications": [message(b"A", struct.pack("!I", 7) + b"channel\0" + b"p" * 9000 + b"\0") * 100],
    "pg-results": [message(b"C", b"SELECT 0\0") * 1000],
}


def parameters():
    """Blocks of parameters, each with another name."""
    number = 0
    while True:
        yield b"".join(message(b"S", b"p%d\0v\0" % i) for i in range(number, number + 1000))
        number += 1000


def log_in(connection, mode):
    ask, welcome = message(b"R", struct.pack("!I", 3)), message(b"R", bytes(4))
    while struct.unpack("!II", connection.read_exactly(8))[1] == 80877103:  # may it be TLS?
        connection.sendall(b"N" + (ask if mode == "pg-stuffed" else b""))
    connection.recv(65536)
    if mode == "pg-stall":
        time.sleep(1000)
    if mode in ("pg-clear", "pg-stuffed"):
        if mode == "pg-stuffed":  # a byte more, so that the client looks at what it has
            ask, welcome = welcome[:1], welcome[1:]
        connection.sendall(ask)
        size = struct.unpack("!cI", connection.read_exactly(5))[1]
        connection.secret(connection.read_exactly(size - 4))
    connection.sendall(welcome + message(b"S", b"server_version\x0015.0\0"))
    if mode == "pg-parameters":
        for block in parameters():
            connection.sendall(block)
    connection.sendall((NOTICE if mode == "pg-greeting" else b"") + READY)


def be_first(connection, mode):
    """What comes in place of the answer to the first statement."""
    if mode in ENDLESS:
        for_ever(connection, *ENDLESS[mode])
    if mode == "pg-silent":
        time.sleep(1000)
    if mode == "pg-drip":
        for byte in titles(b"c") + row(b"x" * 100000):
            connection.sendall(bytes([byte]))
            time.sleep(0.1)
    if mode == "pg-escapes":
        return message(b"E", b"SERROR\0C12345\0M\x1b]0;hello\x07\x9b31m\xe2\x80\xaeno\0\0")
    return rows(0 if mode == "pg-nothing" else 1, b"t")


def be_asked(connection, mode):
    """What comes in place of the answer to the question."""
    if mode == "pg-answer":
        for_ever(connection, titles(*[b"c"] * 8), row(*[b"z" * 3000] * 8) * 5)
    if mode == "pg-copy":
        return message(b"H", bytes(3))
    if mode == "pg-wide":
        return rows(1, b"x" * (5 << 20))
    if mode == "pg-odd":
        cells = [b"nan", b"1e999", b"-0", b"9" * 40, b"0x1p3", b"1e", b".", b"", b"\0", b"7"]
        return titles(b"\x1b[31m" + b"A" * 500000, kind=20) + b"".join(map(row, cells)) + message(b"C", b"SELECT\0")
    return rows(2, b"7") + rows(70, b"7")


def load(connection, mode, sql):
    if mode == "pg-greedy":
        time.sleep(1000)
    connection.sendall(message(b"G", b"\1" + struct.pack("!HH", 1, 1)) if b"COPY" in sql else rows(1, b"") + READY)
    if b"COPY" in sql:
        for block in parameters():
            connection.sendall(block)


def answer(connection, mode):
    log_in(connection, mode)
    while True:
        kind, size = struct.unpack("!cI", connection.read_exactly(5))
        sql = connection.read_exactly(size - 4)
        if kind != b"Q":
            return
        if b"to_regclass" in sql:
            answers = be_first(connection, mode)
        elif b"max(version)" in sql:
            answers = rows(1, b"2")
        elif sql.startswith(b"SET"):
            answers = message(b"C", b"SET\0")
        elif sql.startswith((b"BEGIN", b"COPY")):
            load(connection, mode, sql)
            continue
        else:
            answers = be_asked(connection, mode)
        connection.sendall(answers + READY)


def mode_of(name):
    return lambda connection: answer(connection, name)


MODES = {name: mode_of(name) for name in [
    *ENDLESS, "pg-clear", "pg-stuffed", "pg-greeting", "pg-parameters", "pg-stall", "pg-silent", "pg-drip", "pg-escapes", "pg-answer",
    "pg-wide", "pg-again", "pg-copy", "pg-nothing", "pg-odd", "pg-greedy", "pg-chatty"]}
