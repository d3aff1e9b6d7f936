"""lang_texts.py ROOT: prints what the Chinese texts lack or have too much, and places {name} that differ from those of the English ones."""

import errno
import os
import pathlib
import re
import sys

# titles that are the hardware's and the vendor's own names
NAMES = {"CPUs", "Host", "DDR", "DLD", "Dstr", "GB/s", "MAD", "MHz", "Mac Ppen", "Vec Ppen", "WLD", "mac", "mte1", "mte2", "mte3", "p95", "p99", "scalar",
         "vec", "group"}
SIDES = {"BASE", "NEW", "Base", "New", "Changes"}
# words that read wrong, and Latin marks between Chinese characters
WRONG = re.compile(r"作业|缺省|\d %|[一-鿿],|,[一-鿿]")


def places(text):
    return re.findall(r"\{[^{}]*\}", text)


def lines_of(path):
    return [line for line in path.read_text().split("\n") if line and not line.startswith("#")]


def compare(english, chinese, say):
    for key in sorted(set(english) ^ set(chinese)):
        say("missing" if key in english else "idle", key)
    for key in sorted(set(english) & set(chinese)):
        if set(places(english[key])) != set(places(chinese[key])):
            say("places", key)


def needed(root):
    """The texts of rules and of tables of advise, and the words that they choose from."""
    insight = root / "schema/insight"
    for path in sorted(insight.glob("rules/*.sql")) + sorted(insight.glob("overview/*.sql")):
        text = path.read_text()
        is_rule = path.parent.name == "rules"
        keys = "title|advice|source|start|several|formula" if is_rule else "title"
        yield from re.findall(rf"^-- @(?:{keys}) (.+)$", text, re.M)
        for why in re.findall(r"^-- @why\n((?:.*\n)*?)(?=-- @|\Z)", text, re.M):
            yield from re.findall(r"'([a-z][^']* [^']*)'", re.sub(r"LIKE '[^']*'|say\([^()]*\)", "", why))
        for title in re.findall(r' AS "([^"]+)"', text):
            bare = title.split("(")[0]
            if bare not in NAMES:
                yield title, bare
    for path in (root / "lib/insight/advise_write.c", root / "lib/compare/diff_write.c"):
        for titles in re.findall(r"titles\[\] = \{([^}]*)\}|(?<=\.title = )(\"[^\"]+\")", path.read_text()):
            for title in re.findall(r'"([^"]+)"', "".join(titles)):
                if title.split("(")[0] not in SIDES:
                    yield title, title.split("(")[0]
    for path in (root / "schema").rglob("*.sql"):
        yield from re.findall(r"(?<!_)word\('([^']+)'\)", path.read_text())
    for name, column in (("class", 2), ("gap_word", 2), ("severity", 0), ("comparable", 2)):
        for line in lines_of(insight / (name + ".txt"))[1:]:
            title = line.split(" ", column)[column].split(" ")[0] if name == "severity" else line.split(" ", column)[column]
            yield title, title.split("(")[0]


def found(root):
    """The literal texts of which an import, and the page, compose what they found: each stands in a pattern."""
    paths = [p for name in ("checks", "finish", "notes", "board") for p in (root / "schema/sql").rglob(name + ".sql")]
    no_texts = (r"(?<![^\s])-- .*|(?:GLOB|LIKE) '[^']*'|'(?:end without a start|start without an end)'"
                r"|json_extract\([^()]*\)|'clock', '.*|'rounded\([^']*'")
    paths += [*(root / "schema/reports/check").glob("*.sql"), *(root / "schema/cluster").glob("*.sql"), *(root / "schema/reports/cluster").glob("*.sql")]
    for path in [*paths, root / "schema/sql/svp/views.sql", root / "schema/beside/events.sql"]:
        text = re.sub(no_texts, "", path.read_text())
        for literal in re.findall(r"'((?:[^']|'')*)'", joined(text)):
            yield from re.split("%g", literal.replace("''", "'"))
    for path in [*(root / "lib/raw").glob("job_*.c"), root / "lib/store/load.c"]:
        for value in re.findall(r"(?:remark|damage) = ([^;]*);", path.read_text()):
            yield from re.findall(r'"([^"]+)"', value)
    for path in ("store/load_rows.c", "import/import_job.c", "import/beside.c", "import/beside_table.c", "page/page.c"):
        text = joined((root / "lib" / path).read_text())
        calls = r"(?:snprintf\((?:text|says|tally->found), [^,]*,|mp_load_note\(load, [^,]*, [^,]*,|put_check\([^()]*?," \
            r"|put_left_out\([^()]*,|\? |\{\"\w+\",|, (?=\"[^\"]*\"\}))\s*\"((?:[^\"\\]|\\.)*)\""
        for literal in re.findall(calls, text):
            yield from re.split(r"%[.0-9l]*[a-z]+", literal)


def joined(text):
    return re.sub(r"' *\n? *\|\| *'|\"\s*\n\s*\"", "", text).replace("\\\\", "\\")


def main(root):
    root = pathlib.Path(root)

    def say(what, text):
        print(f"{what}: {text}")

    english = dict(line.split(" ", 1) for line in lines_of(root / "schema/text/en.txt"))
    lines = [line for name in ("zh", "zh_words", "zh_found", "zh_told") for line in lines_of(root / f"schema/text/{name}.txt")]
    words = {line[1 : line.index('" ', 1)]: line[line.index('" ', 1) + 2 :] for line in lines if line.startswith('"')}
    compare(english, dict(line.split(" ", 1) for line in lines if not line.startswith('"')), say)
    for text in needed(root):
        forms = text if isinstance(text, tuple) else (text,)
        if not any(form in words for form in forms):
            say("missing", forms[0])
    patterns = "\n".join(words)
    for literal in found(root):
        if re.search("[A-Za-z.]+ [a-z]", literal) and literal.strip() not in patterns:
            say("missing", literal)
    files = [path for folder in ("cli", "lib", "schema") for path in sorted((root / folder).rglob("*.*"))]
    sources = joined("\n".join(p.read_text() for p in files if p.suffix in (".c", ".sql", ".txt", ".js") and not p.name.startswith("zh"))).replace("''", "'")

    failures = [os.strerror(number) for number in errno.errorcode]

    def is_used(text):  # or "Time per " || what
        ends = [" ".join(clause.split()[-3:]).rstrip(":") for clause in re.split(r"\{[^{}]\}|(?<=[,:;]) ", text)] if re.search(r"\{[^{}]\}", text) else []
        return (not re.search("[A-Za-z]{2}", text) or text.removesuffix(" :") in sources or text.rsplit(" ", 1)[0] + " '" in sources or text in failures
                or any(end and end in sources for end in ends))

    for word, said in words.items():
        if set(places(word)) != set(places(said)):
            say("places", word)
        if not is_used(word):
            say("idle", word)
    for key in {line.split(" ")[0] for line in lines}:
        if sum(line.startswith(key + " ") for line in lines) > 1 and not key.startswith('"'):
            say("twice", key)
    page = {name: dict(line.split(" = ", 1) for line in lines_of(root / f"schema/page/texts/{name}.txt")) for name in ("en", "zh")}
    compare(page["en"], {key: text for key, text in page["zh"].items() if key in page["en"]}, say)
    for key in set(page["zh"]) - set(page["en"]):
        if not is_used(key):
            say("idle", key)
    for text in list(words.values()) + [line for line in lines if not line.startswith('"')] + list(page["zh"].values()):
        if WRONG.search(text) and not text.startswith(("table.cells", "table.words")):
            say("wrong", text)


main(*sys.argv[1:])
