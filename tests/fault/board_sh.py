#!/usr/bin/env python3
"""board_sh.py -c SCRIPT: the shell of a board on which one command goes wrong (see board.py, board.c).

$BOARD_LOG gets a line for each command: its name and number, "claim#1", and how many bytes it wrote. The name is that of the
script of lib/board, or the command of the last line. $BOARD_FAULT is NAME#NUMBER, $BOARD_MODE what happens to that command:
fail, empty, garbage: it does not run, and ends with 254; with 0; with 0 and nonsense
cut: the second half of the $BOARD_SIZE bytes that it wrote in a good run is lost
status: it runs, and ends with 3; slow: it runs a second later
"""

import fcntl
import glob
import os
import re
import subprocess
import sys
import time


def scripts():
    """the texts of the scripts as lib/board/embed.sh makes them → names"""
    texts = {}
    for path in glob.glob(os.path.join(os.path.dirname(__file__), "../../lib/board/*/*.sh")):
        with open(path, encoding="utf-8") as file:
            lines = [line.lstrip(" \t") for line in file if line.strip() and not line.lstrip(" \t").startswith("#")]
        texts["".join(lines)] = os.path.basename(path)[:-3]
    return texts


def name_of(script):
    for text, name in scripts().items():
        if script.endswith(text):
            return name
    return "-".join(re.findall(r"[\w.]+", script.strip().split("\n")[-1].split("exit 100; ")[-1])[:3])


def note(line):
    """append a line to the log, and return how many begin with the same word"""
    with open(os.environ["BOARD_LOG"], "a+", encoding="utf-8") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        before = [text.split()[0] for text in log]
        log.write(line + "\n")
    return before.count(line.split()[0])


def run(script, most):
    """run a script, pass on so many bytes of its output; returns its exit status and all its bytes"""
    child = subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE, start_new_session=True)
    seen = 0
    while True:
        part = os.read(child.stdout.fileno(), 65536)
        if not part:
            break
        passed = part if most is None else part[: max(0, most - seen)]
        seen += len(part)
        try:
            while passed:
                passed = passed[os.write(1, passed):]
            if most is not None and seen >= most:
                os.close(1)
        except OSError:
            most = 0
    status = child.wait()
    return (status if status >= 0 else 128 - status), seen


def main():
    os.environ.pop("LD_PRELOAD", None)
    script = sys.argv[2]
    name = name_of(script)
    key = f"{name}#{note(name) + 1}"
    mode = os.environ.get("BOARD_MODE") if os.environ.get("BOARD_FAULT") == key else None
    if mode == "fail":
        return 254
    if mode == "empty":
        return 0
    if mode == "garbage":
        os.write(1, bytes(i * 7919 % 251 for i in range(300)) + b"\nnonsense//\n/nonsense\n")
        return 0
    if mode == "slow":
        time.sleep(1)
    status, size = run(script, int(os.environ["BOARD_SIZE"]) // 2 if mode == "cut" else None)
    note(f"={key} {size}")
    return 3 if mode == "status" else status


if __name__ == "__main__":
    sys.exit(main())
