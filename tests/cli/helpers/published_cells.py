#!/usr/bin/env python3
"""published_cells.py TABLE.tsv EXPORT.csv [NEAR]: compares an export with a published table, cell by cell, by their texts.

A published cell that ends with ~ was cut: the export has its beginning, and more. At most NEAR (0) numbers may differ by one in the
last digit: a database has whole cycles and nanoseconds. Prints each difference; exit status 1 if there are too many.
"""
import csv
import sys
from fractions import Fraction


def rows_of(path, delimiter):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.reader(f, delimiter=delimiter))


def is_same(cell, want):
    if want.endswith("~"):
        return cell.startswith(want[:-1]) and len(cell) > len(want)
    return cell == (want or "N/A")


def is_near(cell, want):
    try:
        return abs(Fraction(cell) - Fraction(want)) <= Fraction(1, 100)
    except ValueError:
        return False


def main():
    wanted, found = rows_of(sys.argv[1], "\t"), rows_of(sys.argv[2], ",")
    near, different = int(sys.argv[3]) if len(sys.argv) > 3 else 0, 0
    if [len(row) for row in found] != [len(row) for row in wanted]:
        print("other rows or columns")
        return 1
    for number, (row, want) in enumerate(zip(found, wanted)):
        for title, cell, should in zip(wanted[0], row, want):
            if is_same(cell, should):
                continue
            if is_near(cell, should):
                near -= 1
            else:
                different += 1
            print("row %d, %s: %r, published %r" % (number, title, cell, should))
    return 1 if different or near < 0 else 0


if __name__ == "__main__":
    sys.exit(main())
