#!/usr/bin/env python3
# msprof: a front end of msprof in the place of CANN's; no part of CANN.
"""Calls the msprof of this tree: msprof.py import|export timeline|export summary|export db|analyze|query -dir PROF [OPTION]..."""
import glob
import os
import sys

PROFILER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
PROGRAM = os.path.realpath(os.path.join(PROFILER, "bin", "msprof"))
# What others call a word, and what msprof calls it.
NAMES = {"-reports": "--reports", "unified_db": "db"}
DIRECTORY = ("-dir", "--collection-dir")
CHOICE = {"--model-id", "--iteration-id"}
# Without effect: each PROF directory below -dir is imported anyway.
FLAGS = ("--cluster",)


def pairs(words):
    """Options with their values, and other words with None."""
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        takes = name in (*CHOICE, "--iteration-count", *DIRECTORY) and not equals and at + 1 < len(words)
        yield NAMES.get(name, name), words[at + 1] if takes else value if equals else None
        at += 1 + takes


def is_current(directory):
    """Whether a directory is of the current generation, is a part of one that is, or has one: by names of the host's files."""
    places = ("data", os.path.join("host", "data"), os.path.join(os.pardir, "host", "data"), os.path.join("PROF_*", "host", "data"))
    return any(glob.glob(os.path.join(glob.escape(directory), place, "*aging.*")) for place in places)


def translate(words):
    """The words of msprof for those of a caller: a model -1 is any, and a count of iterations needs a first one."""
    told = [pair for pair in pairs(words) if pair[0] not in FLAGS and pair != ("--model-id", "-1")]
    given = {name for name, _ in told}
    directory = next((value for name, value in told if name in DIRECTORY and value), ".")
    if words[:1] == ["query"]:
        choice = ()  # CANN's msprof takes them for queries of a cluster alone
    elif CHOICE <= given or (CHOICE & given and not is_current(directory)):
        choice = CHOICE | {"--iteration-count"}
    else:
        choice = ()  # of the current generation CANN's msprof exports the whole unless both are given
        if CHOICE & given:
            print(f"msprof.py: {next(iter(CHOICE & given))} alone chooses nothing: the whole is exported", file=sys.stderr)
    return [name if value is None else f"{name}={value}" for name, value in told
            if name in choice or name not in CHOICE | {"--iteration-count"}]


def main():
    """Become msprof; without a word print the help and fail, as callers expect."""
    words = translate(sys.argv[1:])
    sys.stdout.flush()
    if not words:
        sys.exit(os.spawnv(os.P_WAIT, PROGRAM, [PROGRAM, "--help"]) or 1)
    os.execv(PROGRAM, [PROGRAM] + words)


if __name__ == "__main__":
    main()
