#!/usr/bin/env python3
"""schema_columns.py: the tables, views and columns of schema/sql as the document docs/COLUMNS.md; `make bless-schema` writes it.
schema_columns.py --bare: what has no meaning and needs one, a line each.
schema_columns.py --unlisted DOCUMENT DATABASE...: what is in the databases but not in the document, a line each.

The comment above a CREATE is the sentence of a table or view. The comment behind a column, or alone on the line above it, is the
meaning of all columns that the line names, and those below it that are indented deeper. A record table without them has those of
its layout in schema/records. A column of a view without one means what it means in the tables that the view reads. What is then
left is a shared column, which schema/sql/tables.sql explains once."""
import glob
import os
import re
import sqlite3
import sys
import textwrap

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../schema")

# Title of a section, its folder of schema/sql, the folders whose tables its views read, and its layouts
SECTIONS = (
    ("Tables of every job", "", (), ""),
    ("Tables of svp jobs", "svp", ("",), "svp"),
    ("Tables of Ascend 910 jobs", "ascend910", ("",), "ascend910"),
    ("Samples of memories, caches and links", "samples", ("",), "ascend2022"),
    ("Tables of Ascend jobs of the 2022 generation", "ascend2022", ("", "samples"), "ascend2022"),
    ("Tables of PROF jobs", "prof", ("", "samples"), "prof host"),
    ("Events of a process", "process", (), ""),
)
FULL = ("", "svp")  # each column of these folders needs a meaning; elsewhere those of records may go without
STEPS = ("tables.sql", "rates.sql", "records.sql", "views.sql")
HEAD = """# Tables and columns

Made of the comments in `schema/sql` by `make bless-schema`. [SCHEMA.md](SCHEMA.md) has units, joins and queries.

## Shared columns

These mean the same everywhere. In the tables below a column without a meaning is one of them, or a field of a record whose name says all.

| column | meaning |
|---|---|
"""


def read(*path):
    path = os.path.join(SCHEMA, *path)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def parted(line):
    """A line of SQL as its code and its comment."""
    code = re.match(r"(?:[^'-]|'[^']*'|-(?!-))*", line).group()
    return code.rstrip(), line[len(code) + 2:].strip()


class Thing:
    """A table or view: its sentence, its columns as (name, type), and their meanings with the line that has them."""

    def __init__(self, name, sentence):
        self.name, self.sentence, self.lines, self.columns, self.meanings = name, sentence, [], [], {}
        self.is_view, self.records = False, []

    def named_on(self, code):
        """The columns that a line names: a definition begins with the name, an item of a SELECT ends with it."""
        code = re.sub(r"'[^']*'", "", code)
        if not self.is_view:
            code = re.sub(r"^CREATE TABLE \w+\(", "", code)
        while re.search(r"\([^()]*\)", code):
            code = re.sub(r"\([^()]*\)", "", code)
        for item in code.split(","):
            words = re.findall(r"\w+", item)
            if words:
                yield words[-1 if self.is_view else 0]

    def find_meanings(self):
        above, names = [], [name for name, _ in self.columns]
        meaning, depth = None, 0
        for number, (code, comment) in enumerate(self.lines):
            if comment:
                above.append(comment)
            if code:
                indent = len(code) - len(code.lstrip())
                if above or indent <= depth:
                    meaning, depth = above and (number, " ".join(above)), indent
                for name in self.named_on(code) if meaning else ():
                    if name in names:
                        self.meanings.setdefault(name, meaning)
                above = []

    def rows(self):
        """Adjacent columns of one line in one row; of those without a meaning, those of one type."""
        last = None
        row = []
        for name, kind in self.columns:
            meaning = self.meanings.get(name, (None, ""))
            if row and (meaning != last or not meaning[1] and kind != row[-1][1]):
                yield row, last[1]
                row = []
            row.append((name, kind))
            last = meaning
        yield row, last[1]


def things_of(text):
    """The tables and views of a script, in order."""
    above, thing = [], None
    for line in text.splitlines():
        code, comment = parted(line)
        created = re.match(r"CREATE (TABLE|VIEW) (\w+)", code)
        if created and not thing:
            thing = Thing(created.group(2), " ".join(above))
            thing.is_view = created.group(1) == "VIEW"
        if thing:
            thing.lines.append((code, comment))
            if code.endswith(";"):
                yield thing
                thing = None
        above = above + [comment] if comment and not code else []


def layouts_of(prefixes):
    """The records that fill tables: table -> (file, what it is, {field: meaning})."""
    found = {}
    for prefix in prefixes.split():
        for path in sorted(glob.glob(os.path.join(SCHEMA, "records", prefix + "*.rec"))):
            for block in re.split(r"\n(?=\w)", read(path)):
                table = re.search(r"^  table +(\w+)", block, re.M)
                if table:
                    what = re.match(r"\w+ [^#\n]*#? *(.*)", block).group(1)
                    fields = dict(re.findall(r"^  field +(\w+)[^#\n]*# *(.*)", block, re.M))
                    found.setdefault(table.group(1), []).append((os.path.basename(path), what, fields))
    return found


def take_layouts(thing, layouts):
    for _, what, fields in layouts:
        if not thing.sentence and what:
            thing.sentence = what[0].upper() + what[1:] + "."
        for name, meaning in fields.items():
            thing.meanings.setdefault(name, (name, meaning))
    thing.records = sorted({file for file, _, _ in layouts})


def sections():
    """For each section its title, the comment that heads its tables, and its things."""
    all_things = {}
    for title, folder, read_folders, prefixes in SECTIONS:
        database = sqlite3.connect(":memory:")
        for step in STEPS:
            for place in read_folders + (folder,):
                if step != "views.sql" or place == folder:
                    database.executescript(read("sql", place, step))
        things = [t for step in STEPS for t in things_of(read("sql", folder, step))]
        layouts = layouts_of(prefixes)
        around = {t.name: t for place in read_folders for t in all_things[place]}
        around.update({t.name: t for t in things})
        for thing in things:
            thing.columns = [(row[1], row[2] + (" key" if row[5] else ""))
                             for row in database.execute(f"PRAGMA table_info({thing.name})")]
            thing.find_meanings()
            if thing.name in layouts:
                take_layouts(thing, layouts[thing.name])
            for word in re.findall(r"\b\w+\b", " ".join(code for code, _ in thing.lines)) if thing.is_view else ():
                if word in around:
                    for name, meaning in around[word].meanings.items():
                        thing.meanings.setdefault(name, ((word, meaning[0]), meaning[1]))
        all_things[folder] = things
        head = re.split(r"\n(?:--)?\n", read("sql", folder, "tables.sql"))[0]
        yield title, folder, " ".join(parted(line)[1] for line in head.splitlines()), things


def shared():
    """The shared columns of schema/sql/tables.sql: (names, meaning)."""
    return re.findall(r"^-- \* ([\w…, ]+): (.*)", read("sql", "tables.sql"), re.M)


def short(names):
    """Names, with runs of numbers as pmu0…7."""
    out = []
    for name in names:
        stem, number = re.match(r"(.*?)(\d*)$", name).groups()
        if out and number and out[-1][0] == stem and out[-1][2] + 1 == int(number):
            out[-1][2] += 1
        else:
            out.append([stem, number, int(number or -1)])
    return ", ".join(stem + first + (f"…{last}" if first and last > int(first) else "") for stem, first, last in out)


def longer(cell):
    """The names that short() shortened."""
    for name in cell.split(", "):
        stem, first, last = re.match(r"(.*?)(?:(\d+)…(\d+))?$", name).groups()
        yield from [stem + str(i) for i in range(int(first), int(last) + 1)] if last else [name]


def paragraph(text):
    print("\n" + textwrap.fill(text, 160, break_long_words=False, break_on_hyphens=False))


def put(thing):
    records = ", ".join(f"`{name}`" for name in thing.records)
    paragraph(f"**{thing.name}**: {'view. ' if thing.is_view else ''}{thing.sentence}" + (f" Records of {records}." if records else ""))
    print("\n| column | type | meaning |\n|---|---|---|")
    for row, meaning in thing.rows():
        kinds = [kind for _, kind in row]
        print(f"| {short(name for name, _ in row)} | {kinds[0] if len(set(kinds)) == 1 else ', '.join(kinds)} | {meaning} |")


def document():
    print(HEAD, end="")
    for names, meaning in shared():
        print(f"| {names} | {meaning} |")
    for title, _, head, things in sections():
        print(f"\n## {title}")
        paragraph(head)
        for thing in things:
            put(thing)


def bare():
    everywhere = [name for names, _ in shared() for name in longer(names)]
    for _, folder, _, things in sections():
        for thing in things:
            place = os.path.join("schema/sql", folder, thing.name)
            if not thing.sentence:
                print(place + ": no sentence")
            for name, _ in thing.columns:
                if name not in thing.meanings and name not in everywhere and (folder in FULL or not thing.records):
                    print(f"{place}.{name}: no meaning")


def listed(path):
    """What a document lists, by section: the names of tables with their columns."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            name = re.match(r"\*\*(\w+)\*\*: ", line)
            row = re.match(r"\| (.*?) \| .* \|$", line)
            if line.startswith("## "):
                section = found.setdefault(line[3:].strip(), set())
            elif name:
                table = name.group(1)
            elif row and section is not found.get("Shared columns"):
                section.update((table, column) for column in longer(row.group(1)))
    return found


def unlisted(path, databases):
    by_section = listed(path)
    for database in databases:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
            family = db.execute("SELECT value FROM meta WHERE key = 'family'").fetchone()[0]
            folders = next((read_folders for _, folder, read_folders, _ in SECTIONS if folder == family)) + (family,)
            known = set().union(*(by_section[title] for title, folder, _, _ in SECTIONS if folder in folders))
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall():
                for row in db.execute(f"PRAGMA table_info({name})"):
                    if (name, row[1]) not in known:
                        print(f"{family}: {name}.{row[1]}")


def main(words):
    if words == ["--bare"]:
        bare()
    elif words[:1] == ["--unlisted"]:
        unlisted(words[1], words[2:])
    else:
        document()


if __name__ == "__main__":
    main(sys.argv[1:])
