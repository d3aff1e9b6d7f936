"""damage.py MSPROF JOB FIRST COUNT: imports copies of a JOB of a board that mutate.py damaged, by COUNT seeds from FIRST on.

An import that ends well accounts for every byte; one that does not says why; none ends otherwise.
"""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import mutate


def judge(msprof, job):
    """What is wrong with the import of a damaged job, or None."""
    done = subprocess.run([msprof, "import", "-dir", job], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode in (1, 3):
        return None if done.stderr.strip() else "it says nothing"
    if done.returncode != 0:
        return f"it ends with {done.returncode}: {done.stderr}"
    with sqlite3.connect(f"file:{job}/sqlite/msprof.db?mode=ro", uri=True) as db:
        (lost,) = db.execute("SELECT total(damaged_bytes) FROM source").fetchone()
    return f"{lost} damaged bytes, of which it says nothing" if lost else None


def main(msprof, job, first, count):
    for seed in range(int(first), int(first) + int(count)):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, os.path.basename(job))
            shutil.copytree(job, copy)
            did = mutate.Mutator(str(seed), copy).run()
            wrong = judge(msprof, copy)
            if wrong:
                sys.exit(f"seed {seed} of {job}: {wrong}: {did}")
    print(f"{count} damaged jobs")


if __name__ == "__main__":
    main(*sys.argv[1:])
