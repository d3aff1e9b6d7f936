"""peak.py FILE COMMAND...: run the command, and write the largest resident set of any of its processes, in KiB, into the file."""
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
with open(sys.argv[1], "w", encoding="ascii") as f:
    f.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
