"""
pty_answer.py [QUESTION ANSWER]... -- COMMAND...: runs a command on a pseudo terminal of its own and types: waits for
each QUESTION in turn and then answers it; '^C' as an ANSWER is that key, and '' is only waited for. Copies
what is printed; ends as the command.
"""
import os
import pty
import select
import signal
import sys
import time


def main(*words):
    split = words.index("--")
    talk, command = list(words[:split]), words[split + 1:]
    pid, fd = pty.fork()
    if pid == 0:
        for number in (signal.SIGINT, signal.SIGQUIT):  # a shell lets a command in the background ignore these keys
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    printed, seen = b"", 0
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if talk and talk[0].encode() in printed[seen:]:
            question, answer = talk[:2]
            del talk[:2]
            if answer:
                seen = len(printed)
                os.write(fd, b"\x03" if answer == "^C" else answer.encode() + b"\n")
            continue
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        printed += data
    else:
        os.kill(pid, signal.SIGKILL)
    sys.stdout.buffer.write(printed.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    if talk:
        sys.exit("never asked: " + talk[0])
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main(*sys.argv[1:]))
