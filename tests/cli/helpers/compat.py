"""compat.py ROOT COMPAT [REQUIREMENTS]: prints the errors in the rows of COMPAT, one complaint a line.

A row ends with its references: FILE, FILE: "NAME", "ANOTHER NAME", or FILE.c: test_name. NAMEs are those of tests in a bats file,
or words of a document.
"""
import os
import re
import sys

root, compat = sys.argv[1:3]


def words(text):
    return " ".join(text.split())


def holds(path, name):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    if path.endswith(".bats"):
        return re.search('^@test "%s" {$' % re.escape(name), text.replace('\\"', '"'), re.M)
    if path.endswith(".c"):
        return "cmocka_unit_test(%s)" % name in text
    return words(name) in words(text)


def check_row(row, references):
    path = None
    for file, quoted, function in re.findall(r'([\w./]+\.(?:bats|c|md|1))\b|"([^"]*)"|: (test_\w+)', references):
        if file:
            path = file
            if not os.path.isfile(os.path.join(root, path)):
                print(f"{row}: no file {path}")
                path = None
        elif path and not holds(path, quoted or function):
            print(f"{row}: {path} has no '{quoted or function}'")
    if not path:
        print(f"{row}: no reference")


seen = []
with open(compat, encoding="utf-8") as f:
    for line in f:
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if re.match(r"R\d{3}-\d\d", cells[0]):
            seen += cells[0].split(", ")
        elif not line.startswith("| ") or not re.search(r'tests/|^"', cells[-1]):
            continue
        check_row(cells[0], cells[-1])
for one in sorted(set(seen)):
    if seen.count(one) > 1:
        print(f"{one}: {seen.count(one)} rows")
if len(sys.argv) > 3:
    with open(sys.argv[3], encoding="utf-8") as f:
        required = re.findall(r"^\| (R\d{3}-\d\d) \|", f.read(), re.M)
    for one in required:
        if one not in seen:
            print(f"{one}: no row")
    for one in sorted(set(seen) - set(required)):
        print(f"{one}: no such requirement")
