"""hostile_tar.py MODE TAR-ARGUMENT...: the tar of a hostile board: unpacks as the real one does, and packs lies.
The names that were asked for are read from standard input, but not heeded."""
import io
import os
import sys
import tarfile

MODE, ARGUMENTS = sys.argv[1], sys.argv[2:]
if not ARGUMENTS[0].startswith("c"):
    os.execv("/bin/tar", ["tar"] + ARGUMENTS)
out = sys.stdout.buffer


def header(name, size=0, kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname, info.mtime = size, kind, target, 1700000000
    return info.tobuf(tarfile.PAX_FORMAT)


def forever(block):
    while True:
        out.write(block)


def escapes():
    data = b"escaped".ljust(512, b"\0")
    for name in ("../escape", "../../escape", os.environ["ESCAPE"] + "-absolute", "data/../../escape", "a\x1b[31mb", "a\nb", "..", "", "./"):
        out.write(header(name, 7) + data)
    top = os.environ["ESCAPE"]
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        out.write(header("large", 0, kind, top) + header("large/escape", 7) + data)
        out.write(header("data", 0, kind, top) + header("data/escape", 7) + data)
        out.write(header("data/small.1", 0, kind, top + "/escape"))
    for kind in (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE):
        out.write(header("data/small.2", 0, kind))
    out.write(b"\0" * 1024)


try:
    if MODE == "escapes":
        escapes()
    elif MODE == "endless-zeros":
        forever(b"\0" * 65536)
    elif MODE == "endless-names":
        forever(header("never/asked/for") * 100)
    elif MODE == "endless-bad-names":
        forever(header("../never") * 100)
    elif MODE == "endless-file":
        out.write(header("./data/large", 1 << 40))
        forever(b"x" * 65536)
    elif MODE == "endless-long-file":
        out.write(header("./data/large", 1 << 26))
        forever(b"x" * 65536)
    elif MODE == "short":
        out.write(header("./data/large", 400000) + b"x" * 5000)
    elif MODE == "garbage":
        out.write(bytes(i * 7 % 251 for i in range(100000)))
    elif MODE == "nothing":
        pass
    elif MODE == "wrong-size":
        archive = tarfile.open(fileobj=out, mode="w|")
        info = tarfile.TarInfo("./data/large")
        info.size = 10
        archive.addfile(info, io.BytesIO(b"0123456789"))
        archive.close()
    out.flush()
except BrokenPipeError:
    os._exit(1)
