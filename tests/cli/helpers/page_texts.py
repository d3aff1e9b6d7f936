"""page_texts.py SCHEMA_PAGE TABLE: prints each text that the page uses and TABLE lacks, or the other way round; markup in texts, too."""

import pathlib
import re
import sys

FROM_DATA = {"n.step", "n.inference", "n.iteration", "family.svp", "family.prof", "family.ascend2022", "family.ascend910"}


def main(folder, table):
    page = pathlib.Path(folder)
    scripts = "\n".join(path.read_text() for path in sorted(page.glob("*.js")))
    used = set(re.findall(r'(?:phrase|listed)\(\s*"([^"]+)"[,)]', scripts)) - {"Busy"} | set(re.findall(r'"((?:[a-z]+\.)+[a-z-]+)"', scripts))
    for call in re.findall(r"plural\((?:[^()]|\([^()]*\))*\)", scripts):
        used |= {"n." + what for what in re.findall(r'[,?:] "([a-z-]+)"', call)}
    for part in re.findall(r'section\(\s*"(\w+)"', scripts):
        used |= {part + ".title", part + ".link"}
    used |= {"findings." + name for name in re.findall(r'fact\("(\w+)"', scripts)}
    used |= set(re.findall(r"\{(\w+)\}", (page / "page.html").read_text())) - {"css", "js", "data", "texts"}
    lines = [line for line in pathlib.Path(table).read_text().split("\n") if line and not line.startswith("#")]
    ids = [line.split(" = ", 1)[0] for line in lines]
    for word, found in (("missing", used | FROM_DATA), ("idle", set(ids) - used - FROM_DATA)):
        for text in sorted(found - set(ids) if word == "missing" else found):
            print(word, text)
    for line in lines:
        if " = " not in line or re.search("[<>&]", line) or ids.count(line.split(" = ", 1)[0]) > 1:
            print("wrong", line)


main(*sys.argv[1:])
