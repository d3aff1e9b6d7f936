#!/usr/bin/env python3
"""hostile_server.py: a false server: it listens on a free port of loopback, prints the port, and misbehaves.

Usage: hostile_server.py MODE [SENT]

MODE: close (at once), garbage (random bytes), or one of hostile_postgresql.py or hostile_http.py. The file SENT gets the number of
bytes that clients have taken, all in all, and the file SENT.secret what clients gave away.
"""

import random
import socket
import sys
import threading

import hostile_http
import hostile_postgresql


class Connection:
    """A connection of a client, whose bytes are counted."""

    total = 0
    lock = threading.Lock()

    def __init__(self, client):
        self.client = client
        self.recv = client.recv

    def sendall(self, data):
        data = memoryview(data)
        while data:
            size = self.client.send(data)
            data = data[size:]
            with self.lock:
                Connection.total += size
                if len(sys.argv) > 2:
                    with open(sys.argv[2], "w", encoding="ascii") as f:
                        f.write(str(Connection.total))

    def secret(self, text):
        if len(sys.argv) > 2:
            with open(sys.argv[2] + ".secret", "ab") as f:
                f.write(text)

    def read_exactly(self, size):
        data = b""
        while len(data) < size:
            part = self.recv(size - len(data))
            if not part:
                raise OSError("the client ended")
            data += part
        return data


def be_garbage(connection):
    connection.recv(65536)
    connection.sendall(random.Random(7).randbytes(4096))


MODES = {"close": lambda connection: None, "garbage": be_garbage, **hostile_postgresql.MODES, **hostile_http.MODES}


def answer(client):
    try:
        MODES[sys.argv[1]](Connection(client))
    except OSError:
        pass
    finally:
        client.close()


def main():
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()


main()
