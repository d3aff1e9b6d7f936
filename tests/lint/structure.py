#!/usr/bin/env python3
"""structure.py: checks the table "Folders" of docs/ARCHITECTURE.md against the #include lines and the calls.

Usage: structure.py [BUILD], in the directory of the sources

An include or a call may cross folders only where the column "may include" allows it. Folders form no circle, and no
circle of files that call each other is larger than three. An internal header stays within its folder. If a row names
doors, other folders include only these headers. The calls are those of the objects in BUILD (build). Prints each
complaint on a line; the exit status is 1 if there are any.
"""

import collections
import os
import re
import subprocess
import sys

LARGEST_CIRCLE = 3
LIBRARIES = {"sqlite": r"sqlite3.*\.h", "cjson": r"cjson/.*\.h|cJSON\.h", "libssh": r"libssh/.*\.h",
             "libarchive": r"archive.*\.h", "zlib": r"zlib\.h", "libpq": r"libpq-fe\.h", "libcurl": r"curl/.*\.h"}


def folders_of(text):
    """The folders of a table's first column: `lib/recorder/faces`, `wrap` are two folders of lib/recorder."""
    folders = []
    for name in re.findall(r"`([^`]+)`", text):
        if folders and "/" not in name:
            name = os.path.join(os.path.dirname(folders[0]), name)
        folders.append(name)
    return folders


def read_table(path):
    """Folder -> names of the folders and libraries that its files may include, and folder -> its doors, if it names any."""
    section = open(path, encoding="utf-8").read().split("\n## Folders\n")[1].split("\n## ")[0]
    table, doors = {}, {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `") or len(cells) != 3:
            continue
        allowed = set()
        for word in re.split(r",\s*", cells[2].replace("`", "")):
            if word.startswith("all of the above"):
                allowed.update(folder for folder in table)
            elif word.lower() in LIBRARIES:
                allowed.add(word.lower())
            elif re.fullmatch(r"[a-z_/]+", word):
                allowed.add(word if word.startswith("lib/") else "lib/" + word)
        named = re.search(r"\bdoors?: (.*)", cells[1])
        for folder in folders_of(cells[0]):
            table[folder] = allowed
            if named:
                doors[folder] = re.findall(r"`([^`]+)`", named[1])
    return table, doors


class Tree:
    def __init__(self, build):
        self.build = build
        self.table, self.doors = read_table("docs/ARCHITECTURE.md")
        self.sources = sorted(os.path.join(place, name) for top in ("lib", "cli") for place, _, names in os.walk(top)
                              for name in names if name.endswith((".c", ".h")))
        self.arrows = collections.defaultdict(set)  # (folder, folder) -> examples
        self.complaints = []

    def folder(self, path):
        """The folder of the table that a file belongs to."""
        folder = os.path.dirname(path)
        while folder and folder not in self.table:
            folder = os.path.dirname(folder)
        return folder

    def complain(self, text):
        self.complaints.append(text)

    def cross(self, path, other, how):
        """A file includes or calls another one."""
        here, there = self.folder(path), self.folder(other)
        if here == there:
            return
        self.arrows[here, there].add(how)
        if there not in self.table[here]:
            self.complain(f"{how}: {here} may not use {there}")

    def check_folders(self):
        for path in self.sources:
            if not self.folder(path):
                self.complain(f"{path}: docs/ARCHITECTURE.md has no row for its folder")
        self.sources = [path for path in self.sources if self.folder(path)]
        for folder, allowed in self.table.items():
            for name in allowed - set(self.table) - set(LIBRARIES):
                self.complain(f"docs/ARCHITECTURE.md: {folder} may include {name}, which has no row")

    def check_includes(self):
        for path in self.sources:
            for kind, name in re.findall(r'^#\s*include ([<"])([^>"]+)', open(path, encoding="utf-8").read(), re.M):
                if kind == "<":
                    self.check_library(path, name)
                else:
                    self.check_include(path, name)

    def check_library(self, path, name):
        for library, pattern in LIBRARIES.items():
            if re.fullmatch(pattern, name) and library not in self.table[self.folder(path)]:
                self.complain(f"{path} includes <{name}>: {self.folder(path)} may not use {library}")

    def check_include(self, path, name):
        places = [os.path.join(place, name) for place in (os.path.dirname(path), "lib", "cli", "lib/recorder/include")]
        found = next((place for place in places if os.path.exists(place)), None)
        if not found:
            return  # made by the build
        found = os.path.normpath(found)
        if not self.folder(found):
            return
        self.cross(path, found, f"{path} includes {found}")
        if found.endswith("_internal.h") and self.folder(path) != self.folder(found):
            self.complain(f"{path} includes {found}, an internal header")
        there = self.folder(found)
        if self.folder(path) != there and os.path.basename(found) not in self.doors.get(there, [os.path.basename(found)]):
            self.complain(f"{path} includes {found}, which is not a door of {there}")

    def calls(self):
        """Source -> {source: name of a function or an array that it uses there}, from the symbols of the objects."""
        sources = {}
        for source in self.sources:
            objects = [f"{self.build}/{kind}{source[:-2]}.o" for kind in ("", "pic/")]
            found = next((path for path in objects if source.endswith(".c") and os.path.exists(path)), None)
            if found:
                sources[found] = source
        if not sources:
            return {}
        symbols = subprocess.run(["nm", "-A", "-g", *sources], capture_output=True, text=True, check=True).stdout
        defined, used = {}, collections.defaultdict(set)
        for path, kind, name in re.findall(r"^([^:]+):.* ([A-Z]) (\S+)$", symbols, re.M):
            if kind == "U":
                used[sources[path]].add(name)
            else:
                defined.setdefault(name, sources[path])
        graph = {source: {} for source in set(defined.values()) | set(used)}
        for source, names in used.items():
            for name in sorted(names):
                if name in defined and defined[name] != source:
                    graph[source].setdefault(defined[name], name)
        return graph

    def check_calls(self):
        graph = self.calls()
        if not graph:
            self.complain(f"{self.build} holds no objects: make")
        for source, others in graph.items():
            for other, name in others.items():
                self.cross(source, other, f"{source} calls {name} of {other}")
        for circle in circles(graph):
            if len(circle) > LARGEST_CIRCLE:
                self.complain(f"{len(circle)} files call each other: {' '.join(sorted(circle))}")

    def check_arrows(self):
        graph = collections.defaultdict(dict)
        for here, there in self.arrows:
            graph[here][there] = graph[there].get(there)
        for circle in circles(graph):
            self.complain("folders use each other: " + " ".join(sorted(circle)))


def circles(graph):
    """Sets of more than one node that reach each other (Tarjan's strongly connected components)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def main():
    sys.setrecursionlimit(10000)
    tree = Tree(sys.argv[1] if len(sys.argv) > 1 else "build")
    tree.check_folders()
    tree.check_includes()
    tree.check_calls()
    tree.check_arrows()
    for complaint in sorted(set(tree.complaints)):
        print(complaint)
    return 1 if tree.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
