"""lang_output.py FILE...: prints lines of English, and lines of tables that are not as wide as their table, in the output of --lang zh;
of JSON, English values of findings.

English is three words of small letters in a row. Commands, options and texts between quotes are taken away before.
"""

import json
import re
import sys
import unicodedata

ENGLISH = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b")
NAMES = re.compile(r"`[^`]*`|'[^']*'|--[a-z-]+|vec \+ mte2 \+ mte3|msprof [a-z]+(?: -dir JOB)?|processor \d+ of the AI CPU|ascend2022|ascend910|any|svp|prof")


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def english(text):
    return ENGLISH.search(NAMES.sub("", text))


def check_table(lines):
    table = None
    for line in lines:
        if line.startswith("╒"):
            table = width(line)
        if line[:1] in "╒╞│╘├" and line[:1] and width(line) != table:
            print("width", line)
        if english(line):
            print("english", line)


def check_findings(document):
    for job in document["jobs"]:
        sentences = [job["verdict"] or "", job["legend"] or ""] + [row["reason"] for row in job["abstained"]]
        for finding in job["findings"]:
            sentences += [finding[name] for name in ("title", "advice", "source")]
        for text in sentences:
            if english(text) or text and text != "msprof check" and not re.search("[一-鿿]", text):
                print("english", text)
        for text in [finding[name] or "" for finding in job["findings"] for name in ("subject", "formula")]:
            if english(text):
                print("english", text)


def main(files):
    for file in files:
        with open(file, encoding="utf-8") as f:
            text = f.read()
        if text.startswith("{"):
            check_findings(json.loads(text))
        else:
            check_table(text.split("\n"))


main(sys.argv[1:])
