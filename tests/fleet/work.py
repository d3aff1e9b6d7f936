#!/usr/bin/env python3
"""work.py: what PostgreSQL did for a question, from its log on standard input: the rows that all nodes of the plans gave or refused, and the most memory of a
process. Usage: work.py ROWS MIB; exits with 1 where either is more."""

import json
import re
import sys


def rows(node):
    lost = sum(value for key, value in node.items() if key.startswith("Rows Removed by"))
    return (node["Actual Rows"] + lost) * node["Actual Loops"] + sum(rows(inner) for inner in node.get("Plans", ()))


text = sys.stdin.read()
seen = [rows(json.JSONDecoder().raw_decode(text, found.end())[0]["Plan"]) for found in re.finditer(r"plan:\s*(?=\{)", text)]
memory = [int(found) for found in re.findall(r"(\d+) kB max resident size", text)]
print("rows", seen, "kB", max(memory, default=None))
sys.exit(not seen or not memory or sum(seen) > int(sys.argv[1]) or max(memory) > int(sys.argv[2]) << 10)
