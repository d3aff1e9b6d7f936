#!/usr/bin/env python3
"""made_seeds.py: makes the seeds of fuzz_events, fuzz_deflate and fuzz_ops, in the folders of their targets below tests/fuzz/seeds."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD, NAMES, MODELS = 128 * 1024, 2 * 1024 * 1024, 4096
SESSIONS = 24 + 8 * MODELS
CALL, OP, STAMP, DOMAIN_STAMP, OP_RANGE = range(5)
NO_MODEL = 0xFFFFFFFF


def patch(offset, data):
    """Bytes at an offset of the file, as patches of at most 255 bytes."""
    parts = [data[i:i + 255] for i in range(0, len(data), 255)]
    return b"".join((offset + 255 * i).to_bytes(3, "little") + bytes([len(part)]) + part for i, part in enumerate(parts))


def event(kind, number, name=1, model=NO_MODEL, extra=0, form=2, text=b""):
    """A slot, and those of its text."""
    begin = 1700000000000000000 + 1000 * number
    slot = struct.pack("<QQIIIBBH", begin, begin + 400, name, model, extra, kind, form, len(text))
    return slot + text + bytes(-len(text) % 32)


def ring(tid, slots, mask=31, lost=0, tail=0):
    """A ring whose first slots are used."""
    head = struct.pack("<QQQ", len(slots) // 32, 0, lost).ljust(64, b"\0")
    tails = struct.pack("<QQQ", tail, 0, 0).ljust(64, b"\0")
    return (head + tails + struct.pack("<QI16s", mask, tid, b"worker")).ljust(160, b"\0") + slots.ljust(32 * (mask + 1), b"\0") + bytes(32)


def file(flags, result, rings, names, wanted=0xFFFF, domains=b""):
    """An input: its flags, then the head, the session, the names and the rings."""
    body = b"".join(rings)
    text = b"".join(name + b"\0" for name in names)
    head = struct.pack("<IIII", 4242, 1, len(text), len(body)) + struct.pack("<II", 7, 1)
    session = struct.pack("<QQII64s", 1, 0, wanted, 0, result) + domains
    return bytes([flags]) + patch(8, head) + patch(SESSIONS, session) + patch(HEAD, text) + patch(HEAD + NAMES, body.rstrip(b"\0"))


NAMES_USED = [b"resnet50", b"svp_acl_mdl_execute", b"Convolution", b"domain"]
CALLS = b"".join(event(CALL, i, name=2, model=7, form=i % 4 + 1) for i in range(5))
OPS = event(OP, 9, name=3, model=7, extra=3) + event(OP_RANGE, 11, name=3, extra=3)
STAMPS = event(STAMP, 13, name=5, form=0, text=b"a mark") + event(STAMP, 14, name=6, form=2, text=b"a range, longer than one slot of it")
DOMAINS = event(DOMAIN_STAMP, 15, name=4, model=1, form=1, text=struct.pack("<Q", 99) + b"text")


def write(target, name, data):
    with open(os.path.join(HERE, "seeds", target, name), "wb") as out:
        out.write(data)


def event_seeds():
    """Small files of events, with an event of each kind."""
    for form, result in enumerate([b"JOB1", b"PROF_1"]):
        seeds = {
            "calls": file(form, result, [ring(101, CALLS)], NAMES_USED),
            "all": file(form | 2, result, [ring(101, CALLS + OPS), ring(102, STAMPS + DOMAINS, lost=3)], NAMES_USED),
            "told": file(form | 4, b"another", [ring(103, OPS + CALLS, tail=1, lost=1 << 63)], NAMES_USED, wanted=0x100),
            "domains": file(form | 6, result, [ring(104, DOMAINS * 3 + STAMPS), ring(105, b"", mask=1)], NAMES_USED, domains=b"domain,other"),
        }
        for name, data in seeds.items():
            write("fuzz_events", f"{['job', 'prof'][form]}_{name}", data)


LITERAL, EARLIER, NOISE, AGAIN, PACKETS = range(5)


def text_op(kind, length, more=b"", now=False):
    """An operation of fuzz_deflate. A length that needs more than eight bits is rounded down."""
    shift = max(0, length.bit_length() - 8)
    return bytes([kind | (0x80 if now else 0), length >> shift, shift]) + more


def deflate_seeds():
    mixed = (text_op(LITERAL, 12, b'{"name": "a"', True) + text_op(EARLIER, 40000, b"\x0b\0") + text_op(NOISE, 49999, b"\7", True)
             + text_op(AGAIN, 49999, b"x") + text_op(EARLIER, 9, b"\xff\x7f"))
    packets = (text_op(PACKETS, 40000, struct.pack("<H", 300)) + text_op(PACKETS, 99999, struct.pack("<H", 49000), True)
               + text_op(PACKETS, 49999, b"\0\0") + text_op(AGAIN, 40000, b"\x80") + text_op(PACKETS, 1000, b"\5\0"))
    for form, name in enumerate(["zlib", "gzip", "bundles"]):
        write("fuzz_deflate", name, bytes([form]) + mixed)
        write("fuzz_deflate", name + "_empty", bytes([form]))
        write("fuzz_deflate", name + "_noise", bytes([form]) + b"".join(text_op(NOISE, 99999, bytes([i]), i % 3 == 0) for i in range(7)))
    write("fuzz_deflate", "bundles_packets", b"\2" + packets)


ADD, CHANGE, SIGN, COPY, RESIZE, NAME, ASK = range(7)


def record_ops(*ops):
    """Operations of fuzz_ops: a kind and at most six arguments."""
    return b"".join(bytes(op).ljust(7, b"\0") for op in ops)


def op_seeds():
    for family, name in enumerate(["ascend", "svp"]):
        first = bytes([family])
        write("fuzz_ops", name, first + record_ops([NAME, 1], [NAME, 2], [ADD, 1, 2, 3, 1, 0, 5], [ADD, 7, 255, 255, 255, 4, 4], [ASK, 1, 0],
                                                   [ASK, 5, 0], [ADD, 200, 129, 130, 131, 3, 3]))
        write("fuzz_ops", name + "_changed", first + record_ops([NAME, 4], [ADD, 1, 2, 3, 1, 1, 2], [ADD, 1, 2, 3, 1, 2, 1], [CHANGE, 0, 190, 0, 66],
                                                                [SIGN, 0], [COPY, 1, 0], [ASK, 1], [CHANGE, 1, 4, 0, 1], [ASK, 1]))
        write("fuzz_ops", name + "_cut", first + record_ops([ADD, 1, 2, 3, 1, 1, 2], [RESIZE, 3, 1, 0, 0], [SIGN, 0], [SIGN, 1], [SIGN, 2],
                                                            [RESIZE, 100, 0, 0], [ASK, 0]))


def main():
    event_seeds()
    deflate_seeds()
    op_seeds()


main()
