"""widths.py LIMIT: no line of standard input is wider than LIMIT columns; prints the widest width."""
import re
import sys
import unicodedata


def width(line):
    line = re.sub(r"\x1b\[[0-9;]*m", "", line)
    total = 0
    for c in line:
        assert c.isprintable(), f"{c!r} in {line!r}"
        if not unicodedata.combining(c):
            total += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return total


text = sys.stdin.buffer.read().decode("utf-8")  # strict: a character cut in two is an error
widest = max((width(line), line) for line in text.split("\n"))
assert widest[0] <= int(sys.argv[1]), widest
print(widest[0])
