"""
pty_run.py COLUMNS COMMAND...: runs a command on a pseudo terminal of that width and copies what it prints, as it comes.
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
    held = b""
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        data = (held + data).replace(b"\r\n", b"\n")
        held = data[-1:] if data.endswith(b"\r") else b""  # its line end may come
        sys.stdout.buffer.write(data[:len(data) - len(held)])
        sys.stdout.flush()
    sys.stdout.buffer.write(held)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main(*sys.argv[1:]))
