#!/usr/bin/env python3
# msprof: a front end of msprof in the place of CANN's; no part of CANN.
"""Calls the msprof of this tree: msprof.py import|export timeline|export summary|export db|analyze|query -dir PROF [OPTION]..."""
import os
import sys

PROFILER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
PROGRAM = os.path.realpath(os.path.join(PROFILER, "bin", "msprof"))
# What others call an option, and what msprof calls it.
NAMES = {"-reports": "--reports"}
# Without effect: each PROF directory below -dir is imported anyway.
FLAGS = ("--cluster",)


def pairs(words):
    """Options with their values, and other words with None."""
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        takes = name in ("--model-id", "--iteration-id", "--iteration-count") and not equals and at + 1 < len(words)
        yield NAMES.get(name, name), words[at + 1] if takes else value if equals else None
        at += 1 + takes


def translate(words):
    """The words of msprof for those of a caller: a model -1 is any, and a count of iterations needs a first one."""
    told = [pair for pair in pairs(words) if pair[0] not in FLAGS and pair != ("--model-id", "-1")]
    chosen = any(name in ("--model-id", "--iteration-id") for name, _ in told)
    return [name if value is None else f"{name}={value}" for name, value in told if chosen or name != "--iteration-count"]


def main():
    """Become msprof; without a word print the help and fail, as callers expect."""
    words = translate(sys.argv[1:])
    sys.stdout.flush()
    if not words:
        sys.exit(os.spawnv(os.P_WAIT, PROGRAM, [PROGRAM, "--help"]) or 1)
    os.execv(PROGRAM, [PROGRAM] + words)


if __name__ == "__main__":
    main()
