"""
kill.py MSPROF JOB COUNT SEED: kills imports at random moments. The earlier database stays whole, and
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
    good, killed = digest(database), 0
    for number in range(int(count)):
        child = subprocess.Popen(command)
        time.sleep(r.uniform(0, 1.1 * span))
        child.send_signal(signal.SIGKILL)
        killed += child.wait() == -signal.SIGKILL
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
    subprocess.run(command, check=True)
    assert os.listdir(os.path.dirname(database)) == ["msprof.db"]
    assert killed > int(count) // 3, f"only {killed} of {count} were killed in time"
    print(f"{killed} of {count} killed during {span * 1000:.0f} ms")


main(*sys.argv[1:])
