"""char_widths.py TABLE: every character of cli/table_widths.h has the width of Unicode as this Python has it. Exit status 3
where Python has another version of Unicode than the table."""
import re
import sys
import unicodedata as unicode

WIDE = [*range(0x3400, 0x4dc0), *range(0x4e00, 0xa000), *range(0xf900, 0xfb00), *range(0x20000, 0x2fffe), *range(0x30000, 0x3fffe)]

text = open(sys.argv[1], encoding="utf-8").read()
if f"by Unicode {unicode.unidata_version}." not in text:
    sys.exit(3)
numbers = [int(number, 16) for number in re.findall(r"0x([0-9a-f]+),", text)]
assert numbers == sorted(set(numbers)) and len(numbers) > 500
table = [1] * 0x110000
for number, after in zip(numbers, numbers[1:] + [0x110000 << 2]):
    table[number >> 2:after >> 2] = [number & 3] * ((after >> 2) - (number >> 2))

unassigned_wide = set(WIDE)
hangul = {code for code in range(0x1100, 0xd7fc) if re.match("HANGUL (JUNGSEONG|JONGSEONG)", unicode.name(chr(code), ""))}
hangul.add(0x1160)
for code in range(0x110000):
    char = chr(code)
    kind = unicode.category(char)
    if kind == "Cn":
        # a gap between the inner letters of a syllable is no matter
        expected = {2} if code in unassigned_wide else {0, 1} if 0xd7b0 <= code <= 0xd7fb else {1}
    elif kind in ("Mn", "Me") or code in hangul:
        expected = {0}
    elif kind == "Cf":  # most are not seen
        expected = {0, 1}
    else:
        expected = {2} if unicode.east_asian_width(char) in ("W", "F") else {1}
    assert table[code] in expected, f"U+{code:04X} {unicode.name(char, '')}: {table[code]}, not {expected}"
for char, expected in {"\u200b": 0, "\u00ad": 1, "\u202a": 0, "\ufeff": 0, "\u0600": 1}.items():
    assert table[ord(char)] == expected, hex(ord(char))
