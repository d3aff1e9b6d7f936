"""links.py ROOT: prints links between the documents below ROOT that lead nowhere, and documents that no link leads to."""
import glob
import os
import re
import sys

root = sys.argv[1]
documents = sorted(os.path.relpath(p, root) for pattern in ("*.md", "docs/*.md", "schema/*.md") for p in glob.glob(os.path.join(root, pattern)))


def plain(path):
    """The text without code."""
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def anchors(path):
    """What the headings of a document are called in links."""
    for heading in re.findall(r"^#+ (.*)$", plain(path), re.M):
        yield re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).strip().replace(" ", "-")


linked = {}
for document in documents:
    linked[document] = set()
    for target in re.findall(r"\]\(\s*([^)\s]*)\s*\)", re.sub(r"`[^`\n]*`", "", plain(document))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
        if not os.path.exists(os.path.join(root, path)):
            print(f"{document}: no file {target}")
        elif anchor and anchor not in anchors(path):
            print(f"{document}: no heading {target}")
        linked[document].add(path)

reached, rest = set(), ["README.md"]
while rest:
    document = rest.pop()
    if document not in reached:
        reached.add(document)
        rest += linked.get(document, ())
for document in documents:
    if document not in reached:
        print(f"{document}: no link leads to it")
