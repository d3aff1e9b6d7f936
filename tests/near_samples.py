"""near_samples.py: samples of memories, links and processors beside good Ascend data, and near misses of them. PROF directories and JOBs of 2022
have the same.

Numbers that nothing bounds are not changed: a count that is ten times as large is as good as the count.
"""
import os
import struct

from near_records import cumulative, exchanged, of_fields, rotated, scaled, shapes

SAMPLES, STEP_NS = 40, 20_000_000
FORMS = {"hbm": "<QQII", "ddr": "<5I", "llc": "<QQII", "pcie": "<Q22I"}
EVENTS = (0x00, 0x01, 0x02, 0x13, 0x20, 0x22, 0x34, 0x36)


def files(folder):
    return {"samples_" + name: (f"{folder}/{name}.data.0.slice_0", form) for name, form in FORMS.items()}


def pcie_sample(r):
    out = []
    for most in (12000, 2000, 9000, 900, 12000, 2000, 9000):
        low = r.randrange(most // 4)
        high = low + r.randrange(10, most // 2)
        out += [low, high, r.randrange(low + 1, high)]
    return out


def binary(r, own_ns):
    us = [100000 + STEP_NS // 1000 * k + r.randrange(50) for k in range(SAMPLES)]
    return {
        "hbm": [struct.pack("<QQII", t, r.randrange(10 ** 6, 6 * 10 ** 6), kind, h) for t in us for h in range(4) for kind in (0, 1)],
        "ddr": [struct.pack("<5I", t, r.randrange(10 ** 6, 4 * 10 ** 6), kind, c, 0xFFFFFFFF) for t in us for c in range(4) for kind in (0, 1)],
        "llc": [struct.pack("<QQII", t, r.randrange(10 ** 5, 10 ** 6) * (3 if e in (4, 6) else 1), EVENTS[e], c)
                for t in us for c in range(2) for e in range(8)],
        "pcie": [struct.pack("<Q22I", own_ns + t * 1000, 0, *pcie_sample(r)) for t in us]}


def port(r, times):
    """The columns of a port: packets and bytes of the time of a sample, and all that were counted."""
    out, sums = [
        "timestamp bandwidth(Mbps) rxPacket/s rxbyte/s rxPackets rxBytes rxErrors rxDropped "
        "txPacket/s txbyte/s txPackets txBytes txErrors txDropped funcId"], [0] * 4
    for at in times:
        packets = [r.randrange(1000, 9000), r.randrange(1000, 9000)]
        volume = [n * r.randrange(200, 1500) for n in packets]
        for i, more in enumerate((packets[0], volume[0], packets[1], volume[1])):
            sums[i] += more * STEP_NS // 10 ** 9 + 1
        out.append(f"{at}: 25000 {packets[0]} {volume[0]} {sums[0]} {sums[1]} 1 0 {packets[1]} {volume[1]} {sums[2]} {sums[3]} 0 1 0")
    return out


def texts(r, own_ns):
    times = [own_ns + 100_000_000 + STEP_NS * k for k in range(SAMPLES)]
    moved, hccs, dvpp, cpu, memory, busy = [0, 0], ["timestamp tx rx"], [], [], [], [0] * 2
    for n, at in enumerate(times):
        moved = [v + r.randrange(10 ** 6, 3 * 10 ** 8) for v in moved]
        hccs.append(f"{at}: {moved[0]} {moved[1]}")
        dvpp += [f"{at} 0 {e} 0 {5000 * n + e} {10 * n} {20 + r.randrange(60)}% 1 1 {r.randrange(80)}% 1 1" for e in range(3)]
        busy = [v + r.randrange(2) for v in busy]
        each = [(busy[c], busy[c] // 2, 2 * n - busy[c] + 50) for c in range(2)]
        each = [f"{user} 0 {system} {max(idle, 0)} 1 0 0 0 0 0" for user, system, idle in each]
        every = [sum(int(e.split()[i]) for e in each) for i in range(10)]
        cpu += [f"TimeStamp:{at}", f"Index:{n}", "cpu  " + " ".join(map(str, every))] + [f"cpu{c} {e}" for c, e in enumerate(each)] + [""]
        free = 12_000_000 + r.randrange(10 ** 6)
        memory += [f"TimeStamp:{at}", f"Index:{n}",
                   "MemTotal:       16000000 kB", f"MemFree:        {free} kB", "Buffers:           10 kB", "Cached:            20 kB", ""]
    return {"nic": port(r, times), "roce": port(r, times), "hccs": hccs, "dvpp": dvpp, "SystemCpuUsage": cpu, "Memory": memory}


def write(top, folder, r, own_ns):
    """own_ns is where the own clock of the device stands when the collection begins."""
    for name, records in binary(r, own_ns).items():
        with open(os.path.join(top, folder, f"{name}.data.0.slice_0"), "wb") as f:
            f.write(b"".join(records))
    for name, lines in texts(r, own_ns).items():
        with open(os.path.join(top, folder, f"{name}.data.0.slice_0"), "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")


def of_lines(name, folder, change):
    return lambda job: job.lines(f"{folder}/{name}.data.0.slice_0", change)


def columns(change):
    """A line is 'stamp: a b ...': its numbers are every second word."""
    def of(words):
        numbers = [int(w) for w in words[::2]]
        change(numbers)
        words[::2] = numbers
    return of


def kinds(folder, without=()):
    out = {}
    for name in FORMS:
        what = "samples_" + name
        out.update(shapes(what))
        out[f"{what}_stamps_x1000"] = of_fields(what, scaled((0,), 1000))
        out[f"{what}_stamps_div1000"] = of_fields(what, scaled((0,), 1 / 1000))
        out[f"{what}_stamps_as_counter"] = of_fields(what, scaled((0,), 1 / 20 if name == "pcie" else 50))
    for name in ("hbm", "ddr", "llc"):
        what = "samples_" + name
        out[f"{what}_stamp_and_count"] = of_fields(what, exchanged(0, 1))
        out[f"{what}_kind_and_id"] = of_fields(what, exchanged(2, 3))
        out[f"{what}_count_and_id"] = of_fields(what, exchanged(1, 3))
        out[f"{what}_count_and_kind"] = of_fields(what, exchanged(1, 2))
        out[f"{what}_cumulative"] = cumulative(what, (1,), lambda v: (v[2], v[3]))
        out[f"{what}_counts_x1000000"] = of_fields(what, scaled((1,), 10 ** 6))
    out["samples_pcie_rotated"] = of_fields("samples_pcie", rotated(2, 22, 1))
    out["samples_pcie_rotated_back"] = of_fields("samples_pcie", rotated(2, 22, 20))
    out["samples_pcie_x1000"] = of_fields("samples_pcie", scaled(range(2, 23), 1000))
    for name in ("nic", "roce", "hccs", "dvpp"):
        for factor_name, factor in (("x1000", 1000), ("div1000", 1 / 1000)):
            out[f"samples_{name}_stamps_{factor_name}"] = of_lines(name, folder, columns(scaled((0,), factor)))
        out[f"samples_{name}_stamp_last"] = of_lines(name, folder, columns(rotated(0, 2, 1)))
    for name in ("nic", "roce"):
        out[f"samples_{name}_packets_and_bytes"] = of_lines(name, folder, columns(lambda v: [exchanged(2, 3)(v), exchanged(8, 9)(v)]))
        out[f"samples_{name}_bandwidth_in_bytes"] = of_lines(name, folder, columns(scaled((1,), 125000)))
        out[f"samples_{name}_without_errors"] = of_lines(name, folder, columns(lambda v: v.__setitem__(slice(6, 8), v[4:6])))
        out[f"samples_{name}_bytes_x1000"] = of_lines(name, folder, columns(scaled((3, 9), 1000)))
        out[f"samples_{name}_moved"] = of_lines(name, folder, columns(rotated(1, 13, 1)))
    out["samples_hccs_x1000"] = of_lines("hccs", folder, columns(scaled((1, 2), 1000)))
    out["samples_dvpp_use_x100"] = of_lines("dvpp", folder, columns(scaled((6, 9), 100)))
    out["samples_dvpp_moved"] = of_lines("dvpp", folder, columns(rotated(1, 9, 1)))
    name = f"{folder}/SystemCpuUsage.data.0.slice_0"
    out["samples_cpu_stamps_x1000"] = lambda job: job.texts((name,), "TimeStamp:", lambda n: int(n * 1000))
    out["samples_cpu_stamps_div1000"] = lambda job: job.texts((name,), "TimeStamp:", lambda n: int(n / 1000))
    out["samples_cpu_of_one"] = lambda job: job.texts((name,), r"cpu1 ", lambda n: int(n + 100000))
    memory = f"{folder}/Memory.data.0.slice_0"
    out["samples_memory_stamps_x1000"] = lambda job: job.texts((memory,), "TimeStamp:", lambda n: int(n * 1000))
    out["samples_memory_total_and_free"] = lambda job: job.write(
        memory, job.read(memory).replace(b"MemTotal", b"?").replace(b"MemFree", b"MemTotal").replace(b"?", b"MemFree"))
    out["samples_memory_in_bytes"] = lambda job: job.texts((memory,), r"Mem[A-Za-z]*: +", lambda n: int(n * 1024))
    return {name: change for name, change in out.items() if name.split("_")[1] not in without}
