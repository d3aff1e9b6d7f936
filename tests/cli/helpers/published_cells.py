#!/usr/bin/env python3
"""published_cells.py TABLE.tsv EXPORT.csv: compares an export with a published table, cell by cell, by their texts.

A published cell that ends with ~ was cut: the export has its beginning, and more. Prints each difference; exit status 1 if there is one.
"""
import csv
import sys


def rows_of(path, delimiter):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.reader(f, delimiter=delimiter))


def is_same(cell, want):
    if want.endswith("~"):
        return cell.startswith(want[:-1]) and len(cell) > len(want)
    return cell == (want or "N/A")


def main():
    wanted, found = rows_of(sys.argv[1], "\t"), rows_of(sys.argv[2], ",")
    different = 0
    if [len(row) for row in found] != [len(row) for row in wanted]:
        print("other rows or columns")
        return 1
    for number, (row, want) in enumerate(zip(found, wanted)):
        for title, cell, should in zip(wanted[0], row, want):
            if is_same(cell, should):
                continue
            different += 1
            print("row %d, %s: %r, published %r" % (number, title, cell, should))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
