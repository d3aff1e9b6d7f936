"""lang_output.py FILE...: prints lines of English, and lines of tables that are not as wide as their table, in the output of --lang zh;
of JSON, English values of findings; of pages, English texts. Also lines with half-width marks around Chinese.

English is three words of small letters in a row. Commands, options and texts between quotes are taken away before.
"""

import json
import re
import sys
import unicodedata

ENGLISH = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b")
HALF_WIDTH = re.compile(r"(?<![/x]) \([一-鿿]|[;,] [一-鿿]")
NAMES = re.compile(r"（[A-Z][A-Za-z ]+）：|`[^`]*`|'[^']*'|--[a-z-]+|vec \+ mte2 \+ mte3|msprof [a-z]+(?: -dir JOB)?"
                   r"|processor \d+ of the AI CPU|ascend2022|ascend910|any|svp|prof")


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
        if HALF_WIDTH.search(line):
            print("half-width", line)


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


def check_page(text):
    """All texts of a page, but those of the standing as advise has it for scripts."""
    words = dict(line.split(" = ", 1) for line in re.search(r'id="texts">(.*?)</script>', text, re.S).group(1).split("\n") if " = " in line)
    stack = [("", json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1)))]
    while stack:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack += [(inner, item) for inner, item in value.items() if (key, inner) != ("overview", "standing")]
        elif isinstance(value, list):
            stack += [(key, item) for item in value]
        elif isinstance(value, str) and english(words.get(value, value)):
            print("english", value)


def main(files):
    for file in files:
        with open(file, encoding="utf-8") as f:
            text = f.read()
        if file.endswith(".html"):
            check_page(text)
        elif text.startswith("{"):
            check_findings(json.loads(text))
        else:
            check_table(text.split("\n"))


main(sys.argv[1:])
