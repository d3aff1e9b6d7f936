#!/usr/bin/env python3
"""readers.py MSPROF DATA: public readers of profiling data read what msprof exports, and what the vendor's tool recorded of the same raw
data, and must find the same.

DATA has ascend-prof: a PROF directory and `expected`, the recorded exports. The environment READERS names a directory with checkouts of the
readers' repositories (or their git directories) under any name that contains the repository's. Nothing is fetched, and nothing of them is
kept. A reader that cannot run is told by name, with what it lacks. Last line: N passed, N failed, N skipped; the status is 1 if one failed.
"""
import collections
import csv
import glob
import importlib.util
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

STUBS = """
import importlib.abc, importlib.machinery, sys, types
class Anything(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *a, **k: None, "__call__": lambda self, f=None, *a, **k: f})
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if any((name + ".").startswith(known + ".") for known in NAMES):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        return Anything(spec.name)
    def exec_module(self, module):
        pass
sys.meta_path.insert(0, Finder())
"""
RECIPES = ("cann_api_sum", "compute_op_sum", "export_summary")
NEVER = {
    "MindStudio Insight": "its importers are a server in C++, which Debian's packages do not build",
    "MindSpore's profiler": "it is part of the package mindspore, whose library in C++ Debian does not have",
    "proton, traceloom": "they are parts of compilers and of programs in C++; their statements are among tests/cli/compat_db.bats",
}


class Missing(Exception):
    """A reader cannot run."""


def source(repository, paths, into):
    """The files of a repository below READERS, copied to a directory."""
    top = os.environ.get("READERS", "")
    found = sorted(p for p in glob.glob(os.path.join(glob.escape(top), "*")) if repository in os.path.basename(p)) if top else []
    if not found:
        raise Missing(f"no source of {repository}: READERS=DIR names a directory with a checkout of it")
    place = found[0]
    if os.path.isdir(os.path.join(place, "repo")):
        place = os.path.join(place, "repo")
    os.makedirs(into)
    tar = subprocess.Popen(["git", "-C", place, "archive", "HEAD", *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if subprocess.run(["tar", "x", "-C", into], stdin=tar.stdout, check=False).returncode or tar.wait():
        raise Missing(f"{place} has no {' '.join(paths)}")
    return into


def need(*modules):
    """Python packages of Debian."""
    lacking = [m for m in modules if importlib.util.find_spec(m) is None]
    if lacking:
        raise Missing(f"no Python packages {', '.join(lacking)}: make deps-readers")


def run(words, log, **more):
    """Run a program; its output goes to a file."""
    with open(log, "ab") as out:
        done = subprocess.run(words, stdout=out, stderr=subprocess.STDOUT, timeout=300, check=False, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(words[:4])} ended with {done.returncode}: {open(log, errors='replace').read()[-600:]}")


def rows_of(path):
    """Rows of a file, without an order: those of a table, the events of a trace, of a database those of each table."""
    if path.endswith(".csv"):
        with open(path, newline="", encoding="utf-8") as file:
            return collections.Counter(tuple(row) for row in csv.reader(file))
    if path.endswith(".json"):
        told = json.load(open(path, encoding="utf-8"))
        return collections.Counter(json.dumps(item, sort_keys=True) for item in (told if isinstance(told, list) else told.items())
                                   if '"msprof"' not in json.dumps(item))
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    strings = dict(db.execute("SELECT id, value FROM STRING_IDS")) if "STRING_IDS" in tables else {}
    words = {"name", "opType", "taskType", "message", "domainId", "inputFormats", "inputDataTypes", "inputShapes", "outputFormats",
             "outputDataTypes", "outputShapes", "attrInfo", "opState", "hf32Eligible", "gridDim", "blockDim"}
    found = collections.Counter()
    for table in set(tables) - {"STRING_IDS", "META_DATA"}:
        cursor = db.execute(f'SELECT * FROM "{table}"')
        titles = [d[0] for d in cursor.description]
        for row in cursor:
            found[(table, tuple(repr(strings.get(v, v)) if t in words else repr(v) for t, v in zip(titles, row)))] += 1
    return found


def same_files(ours, theirs):
    """How many files two directories have; AssertionError for the first difference."""
    def names(top):
        return {"".join(c for c in os.path.relpath(p, top) if not c.isdigit()): p
                for p in glob.glob(os.path.join(top, "**"), recursive=True) if p.endswith((".csv", ".json", ".db"))}
    left, right = names(ours), names(theirs)
    assert left and left.keys() == right.keys(), f"other files: {sorted(left.keys() ^ right.keys())}"
    for name, path in left.items():
        a, b = rows_of(path), rows_of(right[name])
        assert a == b, f"{name}: {sum((a - b).values())} rows of ours and {sum((b - a).values())} of theirs differ: {next(iter((a - b) | (b - a)))}"
    return len(left)


class Scene:
    """The exports of both sides, and places to work."""

    def __init__(self, program, data, work):
        self.program, self.work = program, work
        raw, = glob.glob(os.path.join(data, "ascend-prof", "PROF_*"))
        self.name, self.expected = os.path.basename(raw), os.path.join(data, "ascend-prof", "expected")
        self.raw = raw
        self.tree = os.path.join(work, "tree")
        subprocess.run(["make", "-s", "install-cann-tree", f"PREFIX={self.tree}", f"BUILD={os.path.dirname(program)}"], check=True,
                       stdout=subprocess.DEVNULL)
        # the same tree, whose msprof puts the recorded exports in place of its own
        self.recorded = os.path.join(work, "recorded")
        shutil.copytree(self.tree, self.recorded, symlinks=True)
        replay = os.path.join(self.recorded, "tools", "profiler", "bin", "msprof")
        os.unlink(replay)
        with open(replay, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nfor word; do case $word in --output=*) to=${{word#*=}} ;; --help) exec {program} --help ;; esac; done\n"
                       f"mkdir -p $to/mindstudio_profiler_output\ncp {self.expected}/*.db $to\n"
                       f"cp {self.expected}/*.csv {self.expected}/*.json $to/mindstudio_profiler_output\nsleep 0.3\n")
        os.chmod(replay, 0o755)

    def prof(self, place, tree=None):
        """A copy of the raw data, with the exports of one side if it is named."""
        to = os.path.join(self.work, place, self.name)
        shutil.copytree(self.raw, to)
        subprocess.run(["chmod", "-R", "u+w", to], check=True)
        if tree:
            run([os.path.join(tree, "bin", "msprof"), "--export=on", f"--output={to}"], to + ".log")
        return to


def torch_npu(scene):
    """analyse() of torch_npu, for text files and for a database, calls each msprof."""
    need("tqdm")
    top = source("pytorch", ["torch_npu/profiler", "torch_npu/utils"], os.path.join(scene.work, "torch"))
    for package in ("profiler", "utils"):
        os.unlink(os.path.join(top, "torch_npu", package, "__init__.py"))
    with open(os.path.join(top, "analyse.py"), "w", encoding="utf-8") as file:
        file.write("NAMES = ('torch', 'torch_npu._init', 'torch_npu._C')\n" + STUBS + "import torch_npu._C._profiler\n"
                   "torch_npu._C._profiler._get_host_uid = lambda: '1'\n"
                   "from torch_npu.profiler.analysis._npu_profiler import NpuProfiler\n"
                   "NpuProfiler.analyse(sys.argv[1], export_type=[sys.argv[2]])\n")
    settings = {"config": {"common_config": {"with_stack": False, "with_flops": False, "with_modules": False, "activities": ["ProfilerActivity.NPU"]},
                           "experimental_config": {"_profiler_level": "Level1", "_aic_metrics": "PipeUtilization", "_l2_cache": False, "_msprof_tx": False,
                                                   "_op_attr": False, "_data_simplification": False, "_record_op_args": False, "_export_type": ["text"]}},
                "start_info": {"syscnt_enable": True, "freq": 100.0, "start_cnt": 1, "start_monotonic": 1},
                "end_info": {"collectionTimeEnd": 1, "MonotonicTimeEnd": 1}, "rank_id": 0}
    files = 0
    for kind in ("text", "db"):
        made = []
        for side, tree in (("ours", scene.tree), ("theirs", scene.recorded)):
            job = os.path.join(f"torch_{kind}_{side}", "host_1_20231114221320000_ascend_pt")
            top_of_job = os.path.dirname(scene.prof(job))
            with open(os.path.join(top_of_job, "profiler_info.json"), "w", encoding="utf-8") as file:
                json.dump(settings, file)
            run([sys.executable, "analyse.py", top_of_job, kind], os.path.join(scene.work, "torch.log"), cwd=top,
                env={**os.environ, "PATH": os.path.join(tree, "bin") + ":" + os.environ["PATH"], "PYTHONPATH": top})
            made.append(os.path.join(top_of_job, "ASCEND_PROFILER_OUTPUT"))
        files += same_files(*made)
    return f"{files} files of ASCEND_PROFILER_OUTPUT are the same"


def msprof_analyze(scene):
    """The recipes of msprof-analyze that need one rank."""
    need("pandas", "sqlalchemy", "tqdm", "click", "jinja2", "ijson", "prettytable")
    top = source("msprof-analyze", ["msprof_analyze", "config"], os.path.join(scene.work, "analyze"))
    count = 0
    for recipe in RECIPES:
        made = []
        for side, tree in (("ours", scene.tree), ("theirs", scene.recorded)):
            prof = scene.prof(f"analyze_{recipe}_{side}", tree)
            out = os.path.join(os.path.dirname(prof), "out")
            os.mkdir(out)
            run([sys.executable, "-m", "msprof_analyze.cluster_analyse.cluster_analysis", "-d", os.path.dirname(prof), "-m", recipe, "-o", out,
                 "--export_type", "db", "--force"], os.path.join(scene.work, "analyze.log"), cwd=top)
            made.append(out)
        if glob.glob(os.path.join(made[1], "**", "*.db"), recursive=True):
            count += same_files(*made)
        else:
            assert not glob.glob(os.path.join(made[0], "**", "*.db"), recursive=True), f"{recipe}: ours alone has a result"
    assert count, "no recipe has a result"
    return f"{count} of {len(RECIPES)} recipes have a result, the same of both"


def msprof_mcp(scene):
    """The tools of msprof-mcp for tables and databases."""
    need("pandas")
    top = source("msprof-mcp", ["src/msprof_mcp/tools/csv_analyze.py", "src/msprof_mcp/tools/db_query.py"], os.path.join(scene.work, "mcp"))
    asks = os.path.join(top, "asks.py")
    with open(asks, "w", encoding="utf-8") as file:
        file.write("""
import glob, importlib.util, inspect, json, sys
prof = sys.argv[1]
def load(name):
    spec = importlib.util.spec_from_file_location(name, f"src/msprof_mcp/tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return [kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == name]
told = {}
for kind in load("csv_analyze"):
    for method, table in (("analyze_kernel_details", "op_summary"), ("analyze_op_statistic", "op_statistic"), ("get_csv_info", "api_statistic")):
        if hasattr(kind, method):
            path, = glob.glob(f"{prof}/mindstudio_profiler_output/{table}_*.csv")
            told[kind.__name__ + method] = getattr(kind(), method)(path)
for kind in load("db_query"):
    if hasattr(kind, "execute_sql_preview"):
        path, = glob.glob(f"{prof}/msprof_*.db")
        for query in ("SELECT count(*), sum(endNs - startNs) FROM TASK",
                      "SELECT value, count(*) FROM CANN_API c JOIN STRING_IDS s ON s.id = c.name GROUP BY 1"):
            told[query] = kind().execute_sql_preview(path, query)
print(json.dumps(told, sort_keys=True).replace(prof, "PROF"))
""")
    answers = []
    for side, tree in (("ours", scene.tree), ("theirs", scene.recorded)):
        done = subprocess.run([sys.executable, asks, scene.prof(f"mcp_{side}", tree)], cwd=top, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-600:]
        answers.append(json.loads(done.stdout.splitlines()[-1]))
    ours, theirs = answers
    assert ours and ours.keys() == theirs.keys(), "other tools"
    for key, answer in ours.items():
        left, right = strip_names(answer), strip_names(theirs[key])
        assert left == right and "error" not in left[:40].lower(), f"{key}: {left[:300]} is not {right[:300]}"
    return f"{len(ours)} answers are the same"


def strip_names(text):
    """Names of files have the time of the export."""
    return " ".join(word for word in text.split() if "PROF" not in word and "_202" not in word)


def service_profiler(scene):
    """The intermediate databases as the service profiler loads them: its marks are JSON; the vendor recorded none."""
    need("pandas", "psutil")
    top = source("msserviceprofiler", ["ms_service_profiler"], os.path.join(scene.work, "service"))
    prof = scene.prof("service")
    log = os.path.join(prof, "host", "host_start.log")  # as CANN writes it, with blanks
    with open(log, encoding="utf-8") as file:
        lines = file.read().replace(":", ": ")
    with open(log, "w", encoding="utf-8") as file:
        file.write(lines)
    record = [os.path.join(os.path.dirname(scene.program), "tests", "genrec"), "prof.msproftx",
              os.path.join(prof, "host", "data", "unaging.additional.msproftx.slice_0")]
    lines = "".join(f"level=20500 info_type=1 process_id=4242 tid=8 event_type=3 mark_id={n} begin={100000000000 + n * 100} end={100000000050 + n * 100} "
                    f'message=text:{{"rid":{n},"domain":"ModelExecute"}}\n' for n in range(1, 9))
    for old in glob.glob(record[2] + "*"):
        os.unlink(old)
    subprocess.run(record, input=lines, text=True, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(top, "load.py"), "w", encoding="utf-8") as file:
        file.write("NAMES = ('pydantic',)\n" + STUBS + "from ms_service_profiler.data_source.msprof_data_source import MsprofDataSource\nimport pathlib\n"
                   "told = MsprofDataSource(types.SimpleNamespace(format=None)).load(pathlib.Path(sys.argv[1]))\n"
                   "tx, info = told['tx_data_df'], told['time_info']\n"
                   "assert told['msprof_data']['msprof_files'], told['msprof_data']\n"
                   "print(sorted(zip(tx['mark_id'], (tx['start_time'] - info['cntvct']) / info['cpu_frequency'] * 1e6)), list(tx['rid']))\n")
    done = subprocess.run([sys.executable, "load.py", prof], cwd=top, capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, "PATH": os.path.join(scene.tree, "bin") + ":" + os.environ["PATH"]})
    wanted = f"{[(n, float(n)) for n in range(1, 9)]} {list(range(1, 9))}"
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == wanted, done.stdout[-400:] + done.stderr[-900:]
    return "8 marks have the times that the host's counter had"


def main():
    """Run each reader; say what came of it."""
    passed = failed = skipped = 0
    readers = {"torch_npu": torch_npu, "msprof-analyze": msprof_analyze, "msprof-mcp": msprof_mcp, "ms_service_profiler": service_profiler}
    with tempfile.TemporaryDirectory() as work:
        scene = Scene(*(os.path.abspath(word) for word in sys.argv[1:3]), work)
        for name, reader in readers.items():
            try:
                print(f"ok {name}: {reader(scene)}")
                passed += 1
            except Missing as why:
                print(f"not run {name}: {why}")
                skipped += 1
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as why:
                print(f"not ok {name}: {why}")
                failed += 1
    for name, why in NEVER.items():
        print(f"not run {name}: {why}")
    print(f"{passed} passed, {failed} failed, {skipped + len(NEVER)} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
