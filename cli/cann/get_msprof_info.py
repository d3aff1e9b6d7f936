#!/usr/bin/env python3
# msprof: a front end of msprof in the place of CANN's; no part of CANN.
"""Prints what a part of a PROF directory says of itself, as JSON: get_msprof_info.py -dir PROF_.../host"""
import argparse
import glob
import json
import os
import stat
import subprocess

PROFILER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
PROGRAM = os.path.realpath(os.path.join(PROFILER, "bin", "msprof"))
SIZE_MAX = 16 << 20  # of a file of settings, in bytes
DEVICE_KEYS = {
    "Device Id": "id",
    "AI CPU Number": "ai_cpu_core_num",
    "AI Core Number": "ai_core_num",
    "Control CPU Number": "ctrl_cpu_core_num",
    "Control CPU Type": "ctrl_cpu_id",
    "TS CPU Number": "ts_cpu_core_num",
}
CPU_KEYS = {"Frequency": "Frequency", "Logical_CPU_Count": "Logical_CPU_Count", "Name": "Name", "Type": "Type"}


def read(directory, pattern):
    """The object in the first file of that name; {} where there is none. ValueError or OSError if it is no object."""
    for path in sorted(glob.glob(os.path.join(glob.escape(directory), pattern))):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise ValueError(f"{os.path.basename(path)} is no file")
            told = json.loads(file.read(SIZE_MAX + 1)[:SIZE_MAX])
        if not isinstance(told, dict):
            raise ValueError(f"{os.path.basename(path)} has no object")
        return told
    return {}


def objects(told, key):
    """The objects of an array of an object."""
    items = told.get(key)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def megabytes(directory):
    """The size of all files below a directory."""
    size = 0
    for place, _, names in os.walk(directory):
        for name in names:
            size += os.lstat(os.path.join(place, name)).st_size
    return f"{round(size / (1 << 20), 2)} MB"


def host_of(info):
    """What info.json says of the host."""
    cpus = [{"CPU ID": f"CPU{cpu['Id']}", **{title: cpu.get(key) for title, key in CPU_KEYS.items()}}
            for cpu in objects(info, "CPU") if cpu.get("Id") is not None]
    processors = 0
    for cpu in cpus:
        count = str(cpu["Logical_CPU_Count"])
        processors += int(count) if count.isdecimal() and len(count) < 10 else 0
    return {"Host Computer Name": info.get("hostname", ""), "Host Operating System": info.get("OS", ""),
            "cpu_info": cpus, "cpu_num": processors}


def iterations_of(directory, device):
    """The models and iterations that msprof found on a device."""
    done = subprocess.run([PROGRAM, "query", "-q", "-dir", directory, "--format", "json"], capture_output=True,
                          text=True, check=False)
    rows = [row for table in objects(json.loads(done.stdout), "tables") for row in objects(table, "rows")]
    return [{"Device Id": row["Device ID"], "Iteration Number": row.get("Iteration Number"), "Model Id": row.get("Model ID")}
            for row in rows if str(row.get("Device ID")) == str(device)]


def describe(directory):
    """All that is known of host/ or device_N/."""
    if not os.path.isdir(directory):
        raise ValueError("it is no directory")
    info = read(directory, "info.json*")
    if not info:
        raise ValueError("it has no info.json: name host or device_N of a PROF directory")
    host = info if info.get("CPU") else read(os.path.join(directory, os.pardir, "host"), "info.json*")
    device = next(iter(objects(info, "DeviceInfo")), {})
    return {
        "collection_info": {
            "Collection start time": read(directory, "start_info*").get("collectionTimeBegin"),
            "Collection end time": read(directory, "end_info*").get("collectionTimeEnd"),
            "Result Size": megabytes(directory)},
        "device_info": {title: device.get(key) for title, key in DEVICE_KEYS.items()} if device else {},
        "host_info": host_of(host),
        "model_info": {"iterations": iterations_of(directory, device["id"]) if device.get("id") is not None else []},
        "version_info": {"analysis_version": "1.0", "collection_version": info.get("version", "N/A"),
                         "drv_version": info.get("drvVersion", 0)}}


def main():
    """Print the answer; its status is 1 where there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-dir", "--collection-dir", dest="directory", required=True, metavar="DIR",
                        help="host or device_N of a PROF directory")
    directory = parser.parse_args().directory
    try:
        answer = {"status": 0, "info": "", "data": describe(directory)}
    except (OSError, RecursionError, ValueError) as error:
        answer = {"status": 1, "info": f"no information about {directory}: {error}", "data": ""}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
