"""kept.py FILE [--maker] [SQL]: changes what is kept in FILE, sqlite/aggregates.kept of a job, by SQL, so that each of its bytes counts again.

With --maker the file then says that another program or schema made it.
"""
import os
import sqlite3
import sys

LINE = 256
path, sql = sys.argv[1], sys.argv[-1]
with open(path, "rb") as f:
    content = f.read()
fields = content[-LINE:].rstrip(b"\0").split()
with open(path + ".new", "wb") as f:
    f.write(content[:-LINE])
if sql not in (path, "--maker"):
    db = sqlite3.connect(path + ".new")
    db.executescript(sql)
    db.close()
with open(path + ".new", "rb") as f:
    content = f.read()
number = 0
for byte in content:
    number = (number ^ byte) * 1099511628211 % 2**64
if "--maker" in sys.argv:
    fields[3] = b"0" * 16
fields[-1] = b"%016x" % number
with open(path + ".new", "ab") as f:
    f.write((b"\n" + b" ".join(fields) + b"\n").ljust(LINE, b"\0"))
os.replace(path + ".new", path)
