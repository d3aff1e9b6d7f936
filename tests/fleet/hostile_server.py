#!/usr/bin/env python3
"""hostile_server.py: a server that is none: it listens on a free port of loopback, prints the port, and misbehaves.

Usage: hostile_server.py MODE

MODE: close (at once), garbage (random bytes), endless (an answer without an end), number (HTTP that answers every statement
with a number that is wrong), text (HTTP with escape sequences of a terminal), redirect (to a file), half (HTTP that closes in
the middle of its answer).
"""

import random
import socket
import sys
import threading

MODE = sys.argv[1]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


def answer(connection):
    try:
        if MODE == "close":
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


with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
