#!/usr/bin/env python3
"""power_cut.py: what a power cut leaves of the outputs of a command.

Usage: power_cut.py IMAGE JOB CUT STOP_SO NAMES COMMAND...

The file system of IMAGE is mounted around JOB. STOP_SO stops the command before and after each call that syncs or renames.
At each stop, and at the end, a copy of the image is what the disk has then: it is mounted at CUT, the journal is replayed,
and each file below the directories NAMES (a,b) must have the content from before the command or the one at its end; once the
command has ended, the latter. Prints the number of stops.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys


def contents(job, names):
    """File -> hash of its bytes, without part files."""
    found = {}
    for name in names:
        for place, _, files in os.walk(os.path.join(job, name)):
            for file in files:
                if file.startswith("."):
                    continue
                path = os.path.join(place, file)
                found[os.path.relpath(path, job)] = hashlib.sha256(open(path, "rb").read()).hexdigest()
    return found


def cut(image, job, copy_at, names):
    """The contents after a power cut now."""
    copy = image + ".cut"
    shutil.copyfile(image, copy)
    subprocess.run(["mount", "-o", "loop", copy, copy_at], check=True)
    try:
        return contents(os.path.join(copy_at, os.path.basename(job)), names)
    finally:
        subprocess.run(["umount", copy_at], check=True)
        os.remove(copy)


def main():
    image, job, copy_at, stop, names, *command = sys.argv[1:]
    names = names.split(",")
    before, cuts = contents(job, names), []
    child = subprocess.Popen(command, env=dict(os.environ, LD_PRELOAD=stop))
    while True:
        _, status = os.waitpid(child.pid, os.WUNTRACED)
        cuts.append(cut(image, job, copy_at, names))
        if not os.WIFSTOPPED(status):
            break
        os.kill(child.pid, signal.SIGCONT)
    assert status == 0, f"the command ended with {status}"
    after = contents(job, names)
    for number, found in enumerate(cuts):
        for path in set(before) | set(found):
            allowed = {before.get(path), after.get(path)}
            assert found.get(path) in allowed, f"stop {number} of {len(cuts)}: {path} is neither the old nor the new one"
    for path in after:
        assert cuts[-1].get(path) == after[path], f"{path} is not on the disk at the end"
    print(len(cuts) - 1)


main()
