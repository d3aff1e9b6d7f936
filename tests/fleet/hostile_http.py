"""hostile_http.py: HTTP that is none, or ClickHouse that misbehaves in one way.

Of any request: endless (an answer without an end), number (a wrong one, to every statement), text (escape sequences of a terminal),
redirect (to a file), away (to the address in the environment's HOSTILE_AWAY), half (closes in the middle of its answer), headers
(without end), continue (a hundred thousand times "go on"), chunks (without end), extension (a chunk whose head never ends), trailers
(behind the answer, without end), drip (a byte a moment), longer (than it says), refusal (an error of 1 GB), login (asks for another
one, in clear), json (deep), silent. Of a question: ch-columns (65), ch-answer (rows without end), ch-line (a row without end).
"""

import os
import re
import time

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def sized(body, head=HEAD):
    return head + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


WHOLE = {
    "number": sized(b"-7\n"),
    "text": sized(b"\x1b[31m\x9b\x07 no\n\x1b[", b"HTTP/1.1 500 No\r\n"),
    "redirect": sized(b"", b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n"),
    "away": sized(b"", b"HTTP/1.1 307 Moved\r\nLocation: " + os.environ.get("HOSTILE_AWAY", "").encode() + b"\r\n"),
    "half": HEAD + b"Content-Length: 100\r\n\r\n1\n",
    "longer": HEAD + b"Content-Length: 2\r\n\r\n2\n1\n" + b"9" * 65536,
    "login": sized(b"who?\n", b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="fleet"\r\n'),
    "json": sized(b'{"data":' + b"[" * 900000),
}
ENDLESS = {  # the last part is sent again and again
    "endless": [HEAD + b"\r\n", b"7" * 65536],
    "headers": [HEAD, b"X-More: " + b"x" * 2000 + b"\r\n"],
    "continue": [b"HTTP/1.1 100 Continue\r\n\r\n" * 1000],
    "chunks": [CHUNKED, b"1\r\n7\r\n" * 10000],
    "extension": [CHUNKED, b"1;", b"x" * 65536],
    "trailers": [CHUNKED, b"2\r\n1\n\r\n0\r\n", b"X-More: " + b"x" * 2000 + b"\r\n"],
    "refusal": [b"HTTP/1.1 500 No\r\nContent-Length: 1000000000\r\n\r\nCode: 7\n", b"no " * 20000],
}


def send(connection, mode):
    if mode in WHOLE:
        connection.sendall(WHOLE[mode])
    for part in ENDLESS.get(mode, [])[:-1]:
        connection.sendall(part)
    while mode in ENDLESS:
        connection.sendall(ENDLESS[mode][-1])
    if mode == "silent":
        time.sleep(1000)
    if mode == "drip":
        connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
        while True:
            connection.sendall(b"7")
            time.sleep(0.1)


def answer(connection, mode):
    connection.secret(connection.recv(65536))
    send(connection, mode)


def read_request(connection):
    """A request with its body; b"" at the end."""
    request = b""
    while b"\r\n\r\n" not in request:
        part = connection.recv(65536)
        if not part:
            return b""
        request += part
    head, body = request.split(b"\r\n\r\n", 1)
    size = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
    return head + body + connection.read_exactly(size - len(body))


def clickhouse(connection, mode):
    """ClickHouse with the tables of msprof."""
    while request := read_request(connection):
        if b"TabSeparatedWithNames" not in request:
            connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n2\n")
        elif mode == "ch-columns":
            body = b"\t".join([b"7"] * 65) + b"\n"
            connection.sendall(HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        else:
            connection.sendall(HEAD + b"\r\n" + b"c\nString\n")
            while True:
                connection.sendall(b"z" * 60000 + (b"\n" if mode == "ch-answer" else b""))


def mode_of(name):
    return lambda connection: (clickhouse if name.startswith("ch-") else answer)(connection, name)


MODES = {name: mode_of(name) for name in [*WHOLE, *ENDLESS, "silent", "drip", "ch-columns", "ch-answer", "ch-line"]}
