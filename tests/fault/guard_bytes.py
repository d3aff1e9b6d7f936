#!/usr/bin/env python3
"""guard_bytes.py EVERY SHELL...: cuts the input of guard.sh behind each EVERYth byte, under each SHELL ("busybox sh").

Whatever arrived, the directory must be as before: names, bytes, modes, times and links, whether acl.json was there, was a link or was
missing. Only a text that is there wholly is installed.
"""

import os
import subprocess
import sys
import tempfile

GUARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib/board/collection/guard.sh")
TEXT = '{\n    "profiler": {\n        "output": "/root/msprof/app/out",\n        "interval": "0"\n    }\n}\n.\nstop\nend\n'
INPUT = "acl\n" + "".join("+" + line + "\n" for line in TEXT.split("\n") if line) + ".\nstop\nend\n"
NAME = "out/it's a $(name)/acl.json"


def make(top, kind):
    os.makedirs(os.path.join(top, os.path.dirname(NAME)))
    path = os.path.join(top, NAME)
    if kind == "none":
        return
    target = os.path.join(top, "target") if kind == "link" else path
    with open(target, "w", encoding="utf-8") as file:
        file.write("the project's own\n")
    os.chmod(target, 0o604)
    os.utime(target, ns=(1600000000123456789, 1600000000123456789))
    if kind == "link":
        os.symlink("../../target", path)


def contents(top):
    found = {}
    for folder, folders, names in os.walk(top):
        for name in folders + names:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            what = os.readlink(path) if os.path.islink(path) else None
            if what is None and os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    what = (file.read(), info.st_mtime_ns, info.st_uid, info.st_gid)
            found[os.path.relpath(path, top)] = (info.st_mode, what)
    return found


def guard(shell, top):
    words = shell.split() + [GUARD, top, top + ".lock", "flock", "", NAME]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def installs(shell, work, kind):
    """whether a whole text is in its place, as long as the guard is there"""
    top = os.path.join(work, f"whole_{kind}")
    make(top, kind)
    child = guard(shell, top)
    child.stdout.readline()
    child.stdin.write(INPUT[: INPUT.rindex("stop\n")])
    child.stdin.flush()
    answer = child.stdout.readline()
    with open(os.path.join(top, NAME), encoding="utf-8") as file:
        text = file.read()
    child.communicate()
    return answer == "installed\n" and text == "".join(line + "\n" for line in TEXT.split("\n") if line)


def main():
    every, shells = int(sys.argv[1]), sys.argv[2:]
    failed = count = 0
    whole = INPUT.index("\n.\n") + 2  # the end of the text, and its mark
    with tempfile.TemporaryDirectory() as work:
        for number, (shell, kind) in enumerate((shell, kind) for shell in shells for kind in ("own", "none", "link")):
            place = os.path.join(work, str(number))
            os.mkdir(place)
            if not installs(shell, place, kind):
                failed += 1
                print(f"{shell}: {kind}: a whole text is not installed")
            for size in range(0, len(INPUT) + 1, every):
                top = os.path.join(place, f"at_{size}")
                make(top, kind)
                before = contents(top)
                child = guard(shell, top)
                answer, errors = child.communicate(INPUT[:size])
                count += 1
                if contents(top) != before or child.returncode or ("installed" in answer) != (size >= whole):
                    failed += 1
                    print(f"{shell}: {kind}: cut behind {size} bytes: {child.returncode}: {answer!r} {errors!r}")
    print(f"# {count} cuts of the input, {failed} failed", file=sys.stderr)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
