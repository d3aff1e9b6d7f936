"""hostile_sftp.py MODE: an sftp server (version 3) on standard input and output that accepts everything, and lies
about the files below a JOB: names, sizes, packets. Other directories are empty."""
import os
import struct
import sys

MODE = sys.argv[1]
SIZE = 100000
NAMES = [b"../escape", b"..", os.environb[b"ESCAPE"] + b"-absolute", b"a/b", b"red\x1b[31m", b"line\nline", b"nul\0x", b"", b"x" * 300, b"\xff\xfe",
         b".good.part"]
FILE, DIRECTORY, LINK = 0o100644, 0o040755, 0o120777
content = bytes(i * 7 % 251 for i in range(SIZE))
opened = {}


def text(value):
    return struct.pack(">I", len(value)) + value


def send(kind, number, body):
    if MODE == "wrong-id":
        number += 1
    packet = struct.pack(">BI", kind, number) + body
    length = 0xFFFFFFF0 if MODE == "huge-packet" and kind == 103 else 0 if MODE == "empty-packet" and kind == 103 else len(packet)
    sys.stdout.buffer.write(struct.pack(">I", length) + packet)
    sys.stdout.buffer.flush()


def status(number, code, reason=b"no\x1b[31mreason"):
    send(101, number, struct.pack(">I", code) + text(reason) + text(b""))


def attributes(mode, size=SIZE):
    return struct.pack(">IQIII", 1 | 4 | 8, size, mode, 1700000000, 1700000000)


def entries(path, count):
    """What a READDIR gives, or None at the end; count: how many were given before."""
    if b"/JOB" not in path:
        return None
    if MODE == "endless-directory":
        return [(b"file%d" % i, FILE, 0) for i in range(4000)]
    if MODE == "endless-bad-names":
        return [(b"file\x1b%d" % i, FILE, 0) for i in range(4000)]
    if count:
        return None
    if MODE == "itself":
        return [(b".", DIRECTORY, 0), (b"..", DIRECTORY, 0), (b"itself", DIRECTORY, 0)]
    more = [(b"good", FILE, SIZE)]
    if MODE == "names":
        more += [(name, FILE, SIZE) for name in NAMES] + [(b"link", LINK, SIZE), (b"device", 0o060644, SIZE)]
        more += [(b"..", DIRECTORY, 0), (b"../up", DIRECTORY, 0), (b"good", FILE, SIZE)]
    if MODE == "huge-size":
        more = [(b"good", FILE, 1 << 63)]
    if MODE == "large-size":
        more = [(b"good", FILE, 1 << 40)]
    return more


def take_name(number, path, state):
    if state[2] is None or MODE not in ("endless-directory", "endless-bad-names"):
        found = entries(path, state[1])
        state[2] = None if found is None else struct.pack(">I", len(found)) + b"".join(
            text(name) + text(b"ls") + attributes(mode, size) for name, mode, size in found)
    state[1] += 1
    if state[2] is None:
        status(number, 1)
    else:
        send(104, number, state[2])


def take_read(number, offset, size):
    data = content[offset:offset + size]
    if MODE == "endless-file":
        data = b"x" * (size + 1)
    elif MODE == "short":
        data = content[offset:min(offset + size, SIZE // 2)]
    elif MODE == "bytewise":
        data = data[:1000]
    elif MODE == "empty-data":
        send(103, number, text(b""))
        return
    elif MODE == "exit":
        sys.exit(0)
    if data:
        send(103, number, text(data))
    else:
        status(number, 1)


def answer(kind, number, body):
    size = struct.unpack(">I", body[:4])[0] if len(body) >= 4 else 0
    what, rest = body[4:4 + size], body[4 + size:]
    if kind in (3, 11):
        if MODE == "refused-open" and kind == 3 and b"/JOB" in what:
            status(number, 3)
            return
        handle = b"h" * 300 if MODE == "long-handle" and b"/JOB" in what else b"%d" % len(opened)
        opened[handle] = [what, 0, None]
        send(102, number, text(handle))
    elif kind == 12:
        take_name(number, opened[what][0], opened[what])
    elif kind == 5:
        offset, length = struct.unpack(">QI", rest[:12])
        take_read(number, offset, length)
    else:
        status(number, 0)


def exactly(size):
    data = sys.stdin.buffer.read(size)
    if len(data) < size:
        sys.exit(0)
    return data


def main():
    while True:
        length = struct.unpack(">I", exactly(4))[0]
        packet = exactly(length)
        if packet[0] == 1:
            sys.stdout.buffer.write(struct.pack(">IBI", 5, 2, 3))
            sys.stdout.buffer.flush()
        else:
            answer(packet[0], struct.unpack(">I", packet[1:5])[0], packet[5:])


try:
    main()
except BrokenPipeError:
    os._exit(0)
