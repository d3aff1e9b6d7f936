"""typeset.py FILE...: prints where sentences of Chinese documents are set wrongly: punctuation of half width, spaces too many or too few."""
import re
import sys

HAN = "[\u4e00-\u9fff]"
FAULTS = {
    "half-width punctuation": rf"{HAN}[,;:?!]|[,;:?!]{HAN}|{HAN}\(|\){HAN}",
    "no space beside Latin": rf"{HAN}[A-Za-z0-9_]|[A-Za-z0-9_%]{HAN}",
    "a space too many": rf"{HAN} +{HAN}|[^|\-\s] +[，。；：、）”]|[，；：、（“] +[^|\s]",
    # a browser shows the end of a line as a space
    "a line that ends between two characters": rf"{HAN}\n *{HAN}",
}


def sentences(path):
    """The text outside of blocks and quoted output: a name in code is an x, a link its title, and marks of bold text are gone."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"^```.*?^```|^>.*?$", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    text = re.sub(r"\]\([^)\n]*\)", "", re.sub(r"`[^`\n]+`", "x", text))
    return re.sub(r"!?\[|(?<=[。：])\*\* |\*", "", text)


for name in sys.argv[1:]:
    text = sentences(name)
    for what, pattern in FAULTS.items():
        for m in re.finditer(pattern, text):
            line = text.count("\n", 0, m.start()) + 1
            near = text[max(0, m.start() - 8):m.end() + 8].replace("\n", "⏎")
            print(f"{name}:{line}: {what}: {near}")
