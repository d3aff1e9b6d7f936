#!/usr/bin/env python3
"""ini_mutants.py MSPROF PLACE FIRST COUNT: collect --config with damaged inis, one a seed. Start it where there is no network (unshare -n).

Each must end by itself with exit status 1, 2 or 4, say why on one line, and print neither a control character nor the password.
Prints what is not so, and how often each status came; exit status 1 if anything is not so.
"""
import os
import random
import subprocess
import sys

PASSWORD = "Secret-Word_7"
GOOD = ["[ssh_config]", "ip = 127.0.0.1", "username = root", "pwd = " + PASSWORD, "port = 22", "key = /nowhere/key",
        "host_key = SHA256:" + "0123456789" * 4 + "012", "remote_dir = ~/x", "timeout = 3", "# note", ""]
VALUES = ("", " ", "=", "[", "]", "0", "-1", "65536", "9" * 400, "x" * 70000, "\x1b[31m", "\u202e", "~", "/", "..", "a\tb", "\"q\"", "%s%n", "::1",
          "[::1]", "127.0.0.1:22", "$(true)", "`true`")


def draw(d):
    """An ini with one to four damages."""
    lines = list(GOOD) if d.random() < 0.8 else GOOD[:4]
    for _ in range(d.randrange(1, 5)):
        at = d.randrange(len(lines))
        kind = d.randrange(7)
        if kind == 0:
            lines[at] = lines[at].partition("=")[0] + "=" + d.choice(VALUES)
        elif kind == 1:
            lines.insert(at, d.choice(lines))
        elif kind == 2 and len(lines) > 1:
            del lines[at]
        elif kind == 3:
            lines[at] = d.choice(VALUES) + lines[at]
        elif kind == 4:
            lines[at] = lines[at].upper()
        elif kind == 5:
            d.shuffle(lines)
        else:
            lines[at] = lines[at] * d.randrange(1, 3000)
    data = bytearray(d.choice(("\n", "\n", "\r\n", "\r", "\0")).join(lines).encode("utf-8", "surrogatepass"))
    for _ in range(d.choice((0, 0, 1, 3, 30))):
        if data:
            data[d.randrange(len(data))] = d.randrange(256)
    return bytes(data[:d.randrange(len(data) + 1)] if d.random() < 0.2 else data)


def complaint(msprof, place, data):
    ini = os.path.join(place, "board.ini")
    with open(ini, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as f:
        f.write(data)
    try:
        done = subprocess.run([msprof, "collect", "--config", ini, "--output", place + "/out", "-m", "out/main"], cwd=place + "/app", timeout=120,
                              capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "does not end"
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (1, 2, 4):
        return done.returncode, "exit status %d: %s" % (done.returncode, said[-2000:])
    if not done.stderr or any(ord(c) < 32 and c != "\n" or ord(c) == 0x202e for c in said):
        return done.returncode, "says nothing, or control characters: %r" % said[-300:]
    if PASSWORD in said:
        return done.returncode, "says the password: %r" % said[-300:]
    return done.returncode, None


def main():
    msprof, place, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(place + "/app/out", exist_ok=True)
    with open(place + "/app/out/main", "w", encoding="ascii") as f:
        f.write("#!/bin/sh\n")
    os.chmod(place + "/app/out/main", 0o700)
    ends, bad = {}, 0
    for seed in range(first, first + count):
        status, why = complaint(msprof, place, draw(random.Random(seed)))
        ends[status] = ends.get(status, 0) + 1
        if why:
            bad += 1
            print("%d: WRONG: %s" % (seed, why), flush=True)
    print("%d inis; %s; %d WRONG" % (count, ", ".join("exit %s: %d" % (k, n) for k, n in sorted(ends.items(), key=str)), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
