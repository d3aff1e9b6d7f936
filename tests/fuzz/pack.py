#!/usr/bin/env python3
"""pack.py DIRECTORY OUTPUT: the files of a job as one input of fuzz_job: see fuzz_job.c. Files of more than 65,535 bytes are cut."""
import os
import struct
import sys


def main(directory, output):
    with open(output, "wb") as out:
        out.write(b"\0\0")
        for path, dirs, files in os.walk(directory):
            dirs.sort()
            for file in sorted(files):
                whole = os.path.join(path, file)
                name = os.path.relpath(whole, directory).encode()
                with open(whole, "rb") as f:
                    data = f.read(65535)
                out.write(struct.pack("B", len(name)) + name + struct.pack("<H", len(data)) + data)


main(*sys.argv[1:])
