"""
kill.py MSPROF JOB COUNT SEED: kills so many imports at random moments. The earlier database stays whole, and
an import afterwards gives the same bytes and leaves nothing behind.
"""
import hashlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def main(msprof, job, count, seed):
    r = random.Random(int(seed))
    command = [msprof, "import", "-q", "-dir", job]
    database = os.path.join(job, "sqlite", "msprof.db")
    began = time.monotonic()
    subprocess.run(command, check=True)
    span = time.monotonic() - began
    good, number, missed = digest(database), 0, 0
    while number < int(count):
        child = subprocess.Popen(command)
        time.sleep(r.uniform(0, 1.1 * span))
        child.send_signal(signal.SIGKILL)
        if child.wait() != -signal.SIGKILL:  # it had ended: the first took long, or this one was lucky
            span *= 0.9
            missed += 1
            assert missed < 100 + int(count), "imports cannot be killed in time"
            continue
        span *= 1.02
        assert digest(database) == good, f"kill {number}: another database"
        if number % 10 == 0:
            db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"kill {number}"
            db.close()
            if number % 20 == 0:
                subprocess.run([msprof, "show", "-q", "-dir", job], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(command, check=True)
            assert digest(database) == good, f"kill {number}: the next import gives other bytes"
            assert os.listdir(os.path.dirname(database)) == ["msprof.db"], f"kill {number}: stray files"
        number += 1
    subprocess.run(command, check=True)
    assert os.listdir(os.path.dirname(database)) == ["msprof.db"]
    print(f"{count} killed, {missed} had ended")


main(*sys.argv[1:])
