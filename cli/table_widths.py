#!/usr/bin/env python3
"""table_widths.py: prints table_widths.h, the columns of each character on a terminal, by Unicode as this Python has it.

Two columns: East Asian Width W or F, and what is not assigned in the blocks that the standard has as W. No column:
marks on the character before, format characters that are not seen, and the inner letters of a Korean syllable. One
column: all others, ambiguous ones among them.
"""
import unicodedata

WIDE_BLOCKS = ((0x3400, 0x4dbf), (0x4e00, 0x9fff), (0xf900, 0xfaff), (0x20000, 0x2fffd), (0x30000, 0x3fffd))
KOREAN_INNER = ((0x1160, 0x11ff), (0xd7b0, 0xd7fb))
SEEN_FORMAT = "\u00ad\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


def within(code, blocks):
    return any(first <= code <= last for first, last in blocks)


def width(code):
    char = chr(code)
    category = unicodedata.category(char)
    if category in ("Cn", "Cs"):
        return 2 if within(code, WIDE_BLOCKS) else 1
    if within(code, KOREAN_INNER) or category in ("Mn", "Me") or (category == "Cf" and char not in SEEN_FORMAT):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def starts():
    """The characters from which on another width holds."""
    before = 1
    for code in range(0x80, 0x110000):
        if width(code) != before:
            before = width(code)
            yield code << 2 | before


def main():
    numbers = [f"0x{start:06x}," for start in starts()]
    print("/*")
    print(f" * table_widths.h: the columns of characters on a terminal, by Unicode {unicodedata.unidata_version}. "
          "Made by table_widths.py.")
    print(" *")
    print(" * Each number is a code point times 4, plus the width from there to the next number.")
    print(" */")
    print("/* clang-format off */")
    print("static const uint32_t table_widths[] = {")
    for at in range(0, len(numbers), 11):
        print("\t" + " ".join(numbers[at:at + 11]))
    print("};")


main()
