"""
secret.py PID TEXT: where a process holds TEXT: its arguments, its environment, its memory. One line for each place;
ends with 1 if there is none. Needs the right to read its memory.
"""
import sys


def memory(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            bounds, rights, *_, name = (line.split(maxsplit=5) + [""])[:6]
            start, end = (int(x, 16) for x in bounds.split("-"))
            # what cannot be written holds no copy; a sanitizer's own areas are vast and empty
            if rights.startswith("rw") and end - start < 1 << 31:
                try:
                    mem.seek(start)
                    yield f"{name.strip() or 'memory'} at {bounds}", mem.read(end - start)
                except OSError:
                    pass


def main(pid, text):
    places = [(what, open(f"/proc/{pid}/{what}", "rb").read()) for what in ("cmdline", "environ")]
    found = [name for name, data in [*places, *memory(pid)] if text.encode() in data]
    print("\n".join(found))
    return not found


sys.exit(main(*sys.argv[1:]))
