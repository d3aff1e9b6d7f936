"""aligned.py LIMIT: in each grid of standard input all lines are equally wide, and none is wider than LIMIT columns; prints the
number of these lines."""
import re
import sys
import unicodedata

HIDDEN = ("Mn", "Me", "Cf")


def width(line):
    seen = (c for c in line if unicodedata.category(c) not in HIDDEN)
    return sum(2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in seen)


text = re.sub(r"\x1b\[[0-9;]*m", "", sys.stdin.buffer.read().decode("utf-8")).replace("\r", "")
grid, lines = None, 0
for line in text.split("\n"):
    if line[:1] == "╒":
        grid = width(line)
        assert grid <= int(sys.argv[1]), line
    if line[:1] not in ("╒", "│", "╞", "├", "╘"):
        grid = None
    if grid is not None:
        lines += 1
        assert width(line) == grid, f"{width(line)} columns, not {grid}: {line}"
print(lines)
