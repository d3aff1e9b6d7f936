"""
truncate.py MSPROF JOB STEP [KIND...]: cuts the files of a job of a board, and imports what is left: exactly the whole records,
exit 0 or 3, never a signal. Records and items are cut about the ends of the first and last ones, texts about their ends, and
both at every STEP-th byte. With KINDs (such as .done, acl_api) files of these alone.
"""
import os
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svp"))
import svp_forms as forms  # noqa: E402

ITEMS = {"layer.info": forms.LAYER, "net.info": forms.NET}


def kind_of(name):
    base = os.path.basename(name)
    for kind in (".done", "layer.info", "net.info"):
        if base.endswith(kind):
            return kind
    return base.split(".")[0]


class Job:
    def __init__(self, msprof, path):
        self.msprof, self.path = msprof, path
        self.names = ["info.json.0"] + [f"data/{n}" for n in sorted(os.listdir(os.path.join(path, "data")))]
        self.soc, _, fault = forms.read_info(self.read("info.json.0"))
        assert not fault, fault
        soc = forms.SOCS[self.soc]
        self.sizes = {"aicore": soc.record, "aicpu": forms.AICPU_BYTES, "acl_api": 32 if self.soc == "SS928" else 40, "cont": 1}
        self.whole = self.imported("info.json.0")[1]

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as f:
            return f.read()

    def marked(self, name):
        """The bytes that markers tell of a file; of one that inferences share, all of them together."""
        alone = [n for n in self.names if n == name + ".done"]
        shared = [n for n in self.names if n.startswith("data/aicore.") and n.endswith(".done")] if kind_of(name) == "aicore" else []
        told = [forms.marker_number(forms.read_marker(self.read(n))[0], "file_len") for n in alone or shared]
        return sum(told) if told else None

    def whole_records(self, kind, data):
        if kind in ITEMS:
            return sum(field == ITEMS[kind] for field, _ in forms.read_items(data)[0])
        return len(data) // self.sizes[kind]

    def imported(self, name):
        """(status, records of tables, account of the file, other damage) after an import"""
        run = subprocess.run([self.msprof, "import", "-q", "-dir", self.path], capture_output=True, text=True, check=False)
        assert run.returncode in (0, 3), f"status {run.returncode}: {run.stderr}"
        db = sqlite3.connect(f"file:{self.path}/sqlite/msprof.db?mode=ro", uri=True)
        records = db.execute("SELECT (SELECT count(*) FROM aicore_task), (SELECT count(*) FROM aicpu_task), (SELECT count(*) FROM api_call),"
                             " (SELECT count(*) FROM cont_step)").fetchone()
        account = db.execute("SELECT total(records), max(size), total(record_bytes + blank_bytes + damaged_bytes), total(damaged_bytes)"
                             " FROM source WHERE file = ?", [name]).fetchone()
        others = db.execute("SELECT count(*) FROM source WHERE damaged_bytes > 0 AND file <> ?", [name]).fetchone()[0]
        db.close()
        return run.returncode, records, account, others

    def cut(self, name, data, length):
        path, kind = os.path.join(self.path, name), kind_of(name)
        stat = os.stat(path)
        with open(path, "wb") as f:
            f.write(data[:length])
        status, tables, (records, size, accounted, bad), others = self.imported(name)
        if kind == ".done":
            assert tables == self.whole and bad == 0, f"{tables}, {bad} damaged"
        elif kind == "info":
            assert status == (0 if length == len(data) else 3), f"status {status}"
            others = 0 if self.soc == "Hi3516CV610" else others  # records are read as those of another chip
        else:
            wanted, marked = self.whole_records(kind, data[:length]), self.marked(name)
            assert records == wanted, f"{records} records, not {wanted}"
            assert size == accounted == length, f"{size} bytes, {accounted} accounted for"
            lost = bad > 0 or (marked is not None and length < marked)
            doubt = kind in ITEMS and length < len(data) and status == 3  # tasks without layers
            assert doubt or status == (3 if lost else 0), f"status {status}"
        assert others == 0, "other files are damaged"
        with open(path, "wb") as f:
            f.write(data)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def places(self, name, data, step, number):
        """Where files are cut. What is whole changes at the ends of records."""
        kind = kind_of(name)
        if kind in ITEMS:
            ends = [at for at in range(len(data) + 1) if forms.read_items(data[:at])[1] == 0]
        elif kind in self.sizes:
            ends = list(range(0, len(data) + 1, self.sizes[kind]))
        else:
            ends = [0, len(data)]
        edges = {at + d for at in {*ends[:3], *ends[-2:], len(data)} for d in (-1, 0, 1) if 0 <= at + d <= len(data)}
        return sorted(edges | set(range(number % step, len(data), step)))


def main(msprof, path, step, *kinds):
    job = Job(msprof, path)
    count = 0
    for number, name in enumerate(job.names):
        if kinds and kind_of(name) not in kinds:
            continue
        data = job.read(name)
        for length in job.places(name, data, int(step), number):
            try:
                job.cut(name, data, length)
            except AssertionError as error:
                raise AssertionError(f"{job.soc}: {name} of {len(data)} bytes cut at {length}: {error}") from None
            count += 1
    print(f"{count} imports")


main(*sys.argv[1:])
