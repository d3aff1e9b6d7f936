#!/usr/bin/env python3
"""schema_titles.py [REPORT]: the titles of a report (its path below schema/reports, without .sql) as the first line of its CSV;
without REPORT those of all reports, a line each, as tests/data/titles.txt has them."""
import csv
import io
import os
import re
import sys

REPORTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../schema/reports")


def read(report):
    with open(os.path.join(REPORTS, report + ".sql"), encoding="utf-8") as f:
        return f.read()


def rows_of(report):
    """The query @rows; where nothing is below @rows, the part that is used is the query."""
    part = ""
    for key, value, sql in re.findall(r"^-- @(\w+) ?(.*)\n((?:(?!-- @).*\n?)*)", read(report), re.M):
        if key == "use":
            part = value
        elif key == "rows":
            return sql if sql.strip() else read("part/" + part)
    return ""


def titles(report):
    """The aliases of @rows, but for hidden ones. {columns} stays: @columns gives these titles for each table anew."""
    found = re.findall(r'AS "([^"]+)"|(\{columns\})', rows_of(report))
    names = [(title or columns).lstrip("/") for title, columns in found]
    return [name for name in names if not name.startswith(("_", "args."))]


def line(words):
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(words)
    return out.getvalue()


def main(words):
    if words:
        print(line(titles(words[0])))
        return
    for folder, _, names in sorted(os.walk(REPORTS)):
        for name in sorted(n for n in names if n.endswith(".sql")):
            report = os.path.relpath(os.path.join(folder, name), REPORTS)[: -len(".sql")]
            if not report.startswith("part/") and titles(report):
                print(report + ": " + line(titles(report)))


if __name__ == "__main__":
    main(sys.argv[1:])
