#!/usr/bin/env python3
"""board_stats.py FILE START_S SECONDS WORD...: write the samples of a board that does not exist, in the form of board_stats.sh.

Nobody has published what /proc/umap says: its texts here are made up, and show the forms that svp.board_stats can read.
START_S is the time of the last sample before the run. Words: npu: numbers of svp_npu move before the run; aiisp: AI-ISP is there, and
works; busy: another program has half of the processors; memory: another one takes memory; quiet: no texts of /proc/umap; 1970: the clock
of the board was not set then.
"""
import sys

HEAD = "@msprof board 1\n"


def texts(words, second, phase):
    if "quiet" in words:
        return
    used = 1000 + (second if "memory" in words else 0)
    busy = second % 5 if phase == "run" else 0
    tasks = 100 + (7 * second if phase == "run" or "npu" in words else 0)
    yield "svp_npu", f"""[SVP_NPU] Version: [made up], Build Time:[none]

-------------------------------- MODULE PARAM --------------------------------
save_power  max_node
         1       512
-------------------------------- CORE INFO -----------------------------------
 core  tasks  busy
    0  {tasks}    {busy}
    1      0     0
"""
    if "aiisp" in words:
        yield "aiisp", f"-----PIPE INFO-----\n pipe frames\n 0 {25 * second}\n"
    yield "media-mem", f"---MMZ_USE_INFO:\n total size=524288KB(512MB),used={used}KB(0MB),remain=0KB(0MB)\n"


def sample(words, phase, second, start, cpu):
    """cpu: user, idle ticks so far; of the program"""
    user, idle, program = cpu
    available = 600000 - (90000 if "memory" in words and phase == "run" else 0)
    wall = 100 if "1970" in words else 1700000000
    text = f"\n@msprof sample {phase} {start + second}.00 {wall + second}\n"
    text += f"@msprof text loadavg\n{0.25 * (second + 2):.2f} 0.10 0.05 1/99 1234\n"
    text += f"@msprof text stat\ncpu  {user} 0 20 {idle} 5 0 0 0 0 0\n"
    text += f"@msprof text meminfo\nMemTotal:  900000 kB\nMemFree:  500000 kB\nMemAvailable: {available} kB\nBuffers: 1 kB\nCached: 2 kB\n"
    text += f"@msprof heat 0 {45000 + 250 * max(second, 0)} soc-thermal\n"
    if phase == "run":
        text += f"@msprof text program\n4711 (my (odd) main) S 1 2 3 4 5 6 7 8 9 10 {program} 0 0 0 20 0 1 0\nVmRSS: 30000 kB\n"
    for name, content in texts(words, second, phase):
        text += f"\n@msprof text umap/{name}\n{content}"
    return text


def main():
    path, start, seconds, words = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    out = HEAD
    user, idle, program = 1000, 5000, 0
    for second in range(-1, seconds + 2):
        phase = "before" if second <= 0 else "run" if second <= seconds else "after"
        if second > -1:  # two processors: 200 ticks a second
            other = 100 if "busy" in words else 2
            own = 40 if phase == "run" else 0
            user, idle, program = user + own + other, idle + 200 - own - other, program + own
        out += sample(words, phase, second, start, (user, idle, program))
    with open(path, "w", encoding="utf-8") as file:
        file.write(out)


main()
