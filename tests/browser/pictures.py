"""pictures.py REPORT.html SCRATCH OUT: pictures of a report for the documentation, OUT/report.png and OUT/timeline.png."""

import os
import shutil
import subprocess
import sys

from chromium import Chromium

WIDTH, HEIGHT = 1180, 1780
FONT = "document.body.style.fontFamily = '\"Liberation Sans\", sans-serif'"  # the same on each machine that has Chromium
# from the second inference on, where tasks are wide enough for their names
ZOOM = """(() => {
  const canvas = document.querySelector("#timeline .scroller canvas");
  const press = key => canvas.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  canvas.focus();
  ["ArrowDown", "Home", "ArrowRight", "ArrowRight", "ArrowRight"].forEach(press);
  for (let i = 0; i < 3; i++) press("-");
})()"""


def small(path):
    """As few colors as the eye needs, where there is a program for that."""
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--nofs", "--force", "--strip", "--output", path, "128", path], check=True)


def main(report, scratch, out):
    profile = os.path.join(scratch, "browser")
    os.mkdir(profile)
    with Chromium(profile, width=WIDTH, height=HEIGHT) as tab:
        tab.open(report)
        tab.evaluate(FONT)
        tab.settle()
        tab.picture(os.path.join(out, "report.png"))
        tab.evaluate("document.documentElement.scrollTop = 0; document.querySelectorAll('.top, .told').forEach(node => { node.style.position = 'static'; })")
        tab.evaluate(ZOOM)
        tab.settle()
        box = tab.evaluate("""(() => { const box = document.querySelector("#timeline > .card").getBoundingClientRect();
            return {x: box.left - 12, y: box.top + scrollY - 12, width: box.width + 24, height: box.height + 24}; })()""")
        tab.picture(os.path.join(out, "timeline.png"), full=True, clip=box)
    for name in ("report.png", "timeline.png"):
        small(os.path.join(out, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
