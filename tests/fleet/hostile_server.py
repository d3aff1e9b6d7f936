#!/usr/bin/env python3
"""hostile_server.py: a false server: it listens on a free port of loopback, prints the port, and misbehaves.

Usage: hostile_server.py MODE

MODE: close (at once), garbage (random bytes), endless (an answer without an end), number (HTTP that answers every statement
with a number that is wrong), text (HTTP with escape sequences of a terminal), redirect (to a file), half (HTTP that closes in
the middle of its answer), wide (ClickHouse, whose answers have 65 columns), again (PostgreSQL that answers a question twice, the
second time with more columns), copy (PostgreSQL that answers it with COPY), nothing (PostgreSQL whose rows have no columns).
"""

import random
import re
import socket
import struct
import sys
import threading

MODE = sys.argv[1]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


def read_exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise OSError("the client ended")
        data += part
    return data


def read_request(connection):
    """A request of HTTP with its body; b"" at the end."""
    request = b""
    while b"\r\n\r\n" not in request:
        part = connection.recv(65536)
        if not part:
            return b""
        request += part
    head, body = request.split(b"\r\n\r\n", 1)
    size = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
    return head + body + read_exactly(connection, size - len(body))


def answer_wide(connection):
    """ClickHouse with the tables of msprof, whose answers have 65 columns."""
    while request := read_request(connection):
        body = b"\t".join([b"7"] * 65) + b"\n" if b"TabSeparatedWithNames" in request else b"1\n"
        connection.sendall(HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)


def message(kind, body):
    return kind + struct.pack("!I", len(body) + 4) + body


def rows(columns, value):
    """An answer of one row."""
    titles = b"".join(b"c\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 0) for _ in range(columns))
    cells = (struct.pack("!I", len(value)) + value) * columns
    return (message(b"T", struct.pack("!H", columns) + titles) + message(b"D", struct.pack("!H", columns) + cells)
            + message(b"C", b"SELECT 1\0"))


def answer_postgresql(connection):
    """PostgreSQL with the tables of msprof, but what it answers then is of no server."""
    while struct.unpack("!II", read_exactly(connection, 8))[1] == 80877103:  # may it be TLS?
        connection.sendall(b"N")
    connection.recv(65536)
    ready = message(b"Z", b"I")
    connection.sendall(message(b"R", bytes(4)) + message(b"S", b"server_version\x0015.0\0") + ready)
    while True:
        kind, size = struct.unpack("!cI", read_exactly(connection, 5))
        sql = read_exactly(connection, size - 4)
        if kind != b"Q":
            return
        if b"to_regclass" in sql:
            answers = rows(0 if MODE == "nothing" else 1, b"t")
        elif b"max(version)" in sql:
            answers = rows(1, b"1")
        elif sql.startswith(b"SET"):
            answers = message(b"C", b"SET\0")
        elif MODE == "copy":
            answers = message(b"H", bytes(3))
        else:
            answers = rows(2, b"7") + rows(70, b"7")
        connection.sendall(answers + ready)


def answer(connection):
    try:
        if MODE == "close":
            return
        if MODE in CLIENTS:
            CLIENTS[MODE](connection)
            return
        connection.recv(65536)
        if MODE == "garbage":
            connection.sendall(random.Random(7).randbytes(4096))
        elif MODE == "endless":
            connection.sendall(HEAD + b"\r\n")
            while True:
                connection.sendall(b"7" * 65536)
        elif MODE == "number":
            connection.sendall(HEAD + b"Content-Length: 3\r\nConnection: close\r\n\r\n-7\n")
        elif MODE == "text":
            connection.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 14\r\nConnection: close\r\n\r\n\x1b[31m\x9b\x07 no\n\x1b[")
        elif MODE == "redirect":
            connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        elif MODE == "half":
            connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n1\n")
    except OSError:
        pass
    finally:
        connection.close()


CLIENTS = {"wide": answer_wide, "again": answer_postgresql, "copy": answer_postgresql, "nothing": answer_postgresql}
with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
