"""
screen.py COLUMNS: what a terminal of that width shows of the bytes on stdin, with the few sequences that msprof uses.
Prints the last screen; then, under "most:", the one on which most lines showed a percentage.
"""
import re
import sys

columns = int(sys.argv[1])
screen, row, column = [""], 0, 0
most = (0, "")


def keep():
    global most
    count = sum("%," in line for line in screen)
    if count > most[0]:
        most = (count, "\n".join(screen))


for token in re.findall(r"\x1b\[\d*[A-Za-z]|.|\n|\r", sys.stdin.buffer.read().decode(), re.S):
    if token.startswith("\x1b"):
        number, kind = int(token[2:-1] or 1), token[-1]
        if kind == "A":
            row -= number
            assert row >= 0, "above the screen"
        elif kind == "J":
            keep()
            screen[row:] = [screen[row][:column]]
        elif kind == "K":
            screen[row] = screen[row][:column]
        else:
            assert kind == "m", token
    elif token == "\r":
        column = 0
    elif token == "\n":
        row, column = row + 1, 0
        if row == len(screen):
            screen.append("")
    else:
        assert column < columns or not "%," in screen[row], "progress that wraps"
        screen[row] = screen[row][:column].ljust(column) + token + screen[row][column + 1:]
        column += 1
keep()
print("\n".join(screen))
print("most:")
print(most[1])
