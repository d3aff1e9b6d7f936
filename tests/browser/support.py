"""support.py: what the checks of a page share: a browser in the directory of the check, and what is asked of it."""

import json
import os
import re
import sys

import made_up
from chromium import Chromium

DIRECTORY = sys.argv[2]


def need(truth, *words):
    if not truth:
        raise SystemExit("not so: " + " ".join(str(word) for word in words))


def same(found, wanted, what):
    need(found == wanted, f"{what}: {str(found)[:600]!r} is not {str(wanted)[:600]!r}")


def page(document, name="page"):
    path = os.path.join(DIRECTORY, name + ".html")
    made_up.write_page(document, path)
    return path


def browser(**options):
    number = sum(1 for name in os.listdir(DIRECTORY) if name.startswith("browser"))
    profile = os.path.join(DIRECTORY, f"browser{number}")
    os.mkdir(profile)
    return Chromium(profile, **options)


def quiet(tab, path):
    """Nothing was said to the console, no dialog came, and nothing but the file was asked for."""
    tab.settle()
    loud = [event for method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening") for event in tab.named(method)]
    same(loud + [entry for entry in tab.named("Log.entryAdded")], [], "said by " + path)
    asked = {event["request"]["url"] for event in tab.named("Network.requestWillBeSent")}
    same(asked, {"file://" + path}, "requests")


def ids(tab):
    return tab.evaluate("[...document.querySelectorAll('main section')].map(part => part.id)")


def texts(tab, selector):
    return tab.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(node => node.textContent)")


def click(tab, selector):
    place = tab.evaluate(f"""(() => {{ const node = document.querySelector({json.dumps(selector)}); node.scrollIntoView({{block: "center"}});
        const box = node.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; }})()""")
    tab.click(*place)
    tab.settle()


def view(tab):
    """What the timeline says it shows, in ns."""
    units = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
    numbers = re.findall(r"([\d.,]+)(?: (s|ms|µs|ns))?", texts(tab, ".zoom .number")[0])
    return [float(number.replace(",", "")) * units.get(unit, 1) for number, unit in numbers]


def canvas(tab):
    return tab.evaluate("""(() => { const node = document.querySelector('#timeline .scroller canvas'); node.scrollIntoView({block: "center"});
        const box = node.getBoundingClientRect(); return {x: box.left, y: box.top, width: box.width, height: box.height}; })()""")


def told(tab):
    tab.settle()
    return texts(tab, "#timeline-told")[0]


def size(tab):
    tab.settle()
    shown = view(tab)
    return shown[1] - shown[0]
