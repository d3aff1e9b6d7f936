"""
pty_run.py COLUMNS COMMAND...: runs a command on a pseudo terminal of that width and copies what it prints.
0 columns: a terminal that does not know its width. Ends as the command does.
"""
import fcntl
import os
import pty
import struct
import sys
import termios


def main(columns, *command):
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))
        os.execvp(command[0], command)
    printed = b""
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        printed += data
    sys.stdout.buffer.write(printed.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main(*sys.argv[1:]))
