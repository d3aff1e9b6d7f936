"""check_page.py CHECK DIRECTORY [REPORT.html]: one check of the page of a report, in a browser whose files lie in DIRECTORY.

Pages are made up (made_up.py); a check that takes a REPORT looks at that file instead. Prints what was measured.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys

import made_up
import probes
from check_timeline import clicked, clocks, dense, find, keys, labels, timeline
from support import DIRECTORY, browser, canvas, click, ids, need, page, quiet, same, size, texts

def opens():
    wanted = {"svp": ["findings", "time", "timeline", "operators", "counters", "roofline", "calls", "notes"], "empty": ["findings"]}
    wanted["with_diff"] = wanted["hostile"] = ["base"] + wanted["svp"]
    wanted["large"] = wanted["apart"] = wanted["svp"]
    with browser() as tab:
        for kind, make in made_up.KINDS.items():
            path = page(make(), kind)
            tab.open(path)
            quiet(tab, path)
            same(re.findall(r"\{[a-z]+\}", tab.evaluate("document.body.innerText")), [], "places without a value in " + kind)
            same(ids(tab), wanted[kind], "parts of " + kind)
            same(tab.evaluate("[...document.querySelectorAll('nav a')].map(a => a.hash.slice(1))"), ids(tab), "links")
        need("no task of the core has a time" in texts(tab, "#findings")[0] or ids(tab) != ["findings"], "an empty report says why there are no findings")


def parts_of(data):
    """The parts of the page that has this document."""
    went = any(table["table"] == "Where the time went" and table["rows"] for job in data["advise"]["jobs"] for table in job.get("overview", []))
    has = {"base": data["diff"], "findings": data["advise"], "time": went, "timeline": data["timeline"]["tracks"], "operators": data["operators"]["rows"],
           "counters": data["counters"] or data["timeline"]["tracks"], "roofline": data["roofline"], "calls": data["stacks"],
           "notes": data["notes"] or data["job"]["settings"]}
    return [part for part, there in has.items() if there]


def chinese():
    """A file of msprof in Chinese: it shows no English sentence, and has the texts that are given."""
    path = os.path.abspath(sys.argv[3])
    with browser() as tab:
        tab.open(path)
        tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        tab.settle()
        seen = tab.evaluate("document.body.innerText").split("\n")
        same([line for line in seen if re.search(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b", line)], [], "English")
        same([text for text in sys.argv[4:] if not any(text in line for line in seen)], [], "missing")


def real():
    """A file of msprof itself."""
    path = os.path.abspath(sys.argv[3])
    with browser() as tab:
        tab.open(path)
        quiet(tab, path)
        data = json.loads(tab.evaluate("document.getElementById('data').textContent"))
        same(data["schema"], "msprof.report/1", "schema")
        same(texts(tab, "h1"), [data["job"]["name"]], "name")
        same(tab.evaluate("document.querySelectorAll('main script, main img, main b, main svg[onload]').length"), 0, "elements made of names")
        same(ids(tab), parts_of(data), "parts")
        if data["operators"]["rows"]:
            count = len(data["operators"]["rows"])
            same(len(first_column(tab)), 25 if count > 30 else count, "rows")
            same(probes.heads(tab, "#operators")[:3], ["Operator", "Time", "Share"], "columns that come first")
            need("Mean" in probes.heads(tab, "#operators"), "columns that decide", probes.heads(tab, "#operators"))
            same(probes.cut(tab), [], "cut")
            click(tab, "#operators tbody button")
            need(re.match(r"1 of \d", texts(tab, "#timeline form .status")[0]), texts(tab, "#timeline form .status"))
        accessible(tab)
        for dark in (False, True):
            tab.scheme(dark)
            tab.open(path)
            same(probes.faint(tab), [], "contrast")
        narrow(tab, path)
        paper(tab)
        quiet(tab, path)


def first_column(tab):
    return texts(tab, "#operators tbody th")


def operators():
    document = made_up.svp()
    rows = document["operators"]["rows"]
    with browser() as tab:
        path = page(document)
        tab.open(path)
        titles = [column["title"] for column in document["operators"]["columns"]]
        same(texts(tab, "#operators thead button"), titles, "columns")
        same(first_column(tab), [row[0] for row in rows], "order of the file")
        for title, key in (("Mean", 5), ("Mac", 4), ("Operator", 0)):
            at = titles.index(title) + 1
            for _ in range(2):
                click(tab, f"#operators thead th:nth-child({at}) button")
                down = tab.evaluate(f"document.querySelector('#operators thead th:nth-child({at})').getAttribute('aria-sort')") == "descending"
                known = [row[key] for row in rows if row[key] is not None]
                shown = [row[key] for row in (next(r for r in rows if r[0] == name) for name in first_column(tab))]
                if key:
                    same(shown, sorted(known, reverse=down) + [None] * (len(rows) - len(known)), "sorted by " + title)
                else:
                    natural = sorted((name for name in shown if name.startswith("conv")), key=lambda name: int(re.match(r"conv(\d+)", name)[1]), reverse=down)
                    same([name for name in shown if name.startswith("conv")], natural, "sorted by name")
        same(len(tab.evaluate("[...document.querySelectorAll('#operators [aria-sort]')].map(node => 1)")), 1, "sorted columns")
        tab.evaluate("document.getElementById('operators-filter').focus()")
        tab.type("POOL relu")
        tab.settle()
        found = [row[0] for row in rows if "relu" in row[0] and ("pool" in row[0] or "Pooling" in row[7])]
        same(sorted(first_column(tab)), sorted(found), "filtered")
        same(texts(tab, "#operators .status"), [f"{len(found)} rows that match"], "number of rows")
        same(copied(tab), [[*titles_with_units(document)], *([as_cell(cell) for cell in row] for row in rows_named(rows, first_column(tab)))], "copied")
        quiet(tab, path)


def titles_with_units(document):
    return [column["title"] + (f" ({column['unit']})" if column["unit"] else "") for column in document["operators"]["columns"]]


def rows_named(rows, names):
    return [next(row for row in rows if row[0] == name) for name in names]


def as_cell(value):
    return "" if value is None else str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def copied(tab):
    """The table that the button copies."""
    tab.evaluate("window.taken = null; navigator.clipboard.writeText = async text => { window.taken = text; }; true")
    click(tab, "#operators .tools button")
    tab.wait("window.taken !== null")
    need(texts(tab, "#operators .status")[0].startswith("Copied "), texts(tab, "#operators .status"))
    return list(csv.reader(io.StringIO(tab.evaluate("window.taken"))))


def many_rows():
    document = made_up.large()
    with browser() as tab:
        tab.open(page(document))
        same(len(first_column(tab)), 25, "rows at first")
        need("212 further operators not in this file, together 3.211 ms" in texts(tab, "#operators")[0], "omitted operators are told")
        same(len(copied(tab)), 1001, "copied rows are all rows")
        click(tab, "#operators .card > .more")
        same(len(first_column(tab)), 1000, "rows after the button")
        tab.print(os.path.join(DIRECTORY, "rows.pdf"))
        text = words_of(os.path.join(DIRECTORY, "rows.pdf"))
        need(text is None or text.count("ShareVerdictMac") > 15, "each sheet has the heads of the table")


def counters():
    """Means weigh values by the time that they hold; where a file has not all samples, no mean is told."""
    document = made_up.svp()
    end = document["timeline"]["length_ns"]
    times = [end * i // 900 for i in range(900)]
    document["counters"] = [
        {"name": "held", "unit": "%", "track": "", "samples": 3, "time_ns": [-end, end // 4, end // 2], "value": [10.0, 90.0, 50.0]},
        {"name": "many", "unit": "MB/s", "track": "", "samples": 900, "time_ns": times, "value": [20.0, 40.0, 60.0] * 300},
        {"name": "thin", "unit": "MB/s", "track": "", "samples": 9000, "time_ns": times, "value": [20.0, 400.0, 60.0] * 300}]
    with browser() as tab:
        tab.open(page(document))
        figures = ["mean 50.0 %, at most 90 %", "mean 40.0 MB/s, at most 60 MB/s", "from 20 MB/s to 400 MB/s"]
        same(texts(tab, ".chart figcaption .number"), figures, "figures")
        same(tab.evaluate("[...document.querySelectorAll('.chart .line')].map(path => path.getAttribute('d').length > 0)"), [True, True, False], "lines")
        tab.evaluate("document.querySelector('.chart svg').scrollIntoView({block: 'center'})")
        box = tab.evaluate("(() => { const b = document.querySelector('.chart svg').getBoundingClientRect(); return [b.left, b.top, b.width]; })()")
        tab.mouse("mouseMoved", box[0] + 0.375 * box[2], box[1] + 40)
        tab.settle()
        need(texts(tab, ".chart figcaption .number")[0].startswith("90 % at "), texts(tab, ".chart figcaption .number"))


def tab_order():
    """Tab reaches everything, in the order of the page, with a visible mark, and ends."""
    with browser() as tab:
        path = page(made_up.with_diff())
        tab.open(path)
        tab.evaluate("window.seen = new Set(); true")
        same(probes.stops(tab), [], "stops without a mark, out of order, or left out")
        tab.open(path)
        tab.press("Tab")
        same(tab.evaluate("document.activeElement.textContent"), "Skip to the report", "the first stop")
        need(tab.evaluate("document.activeElement.getBoundingClientRect().left >= 0"), "the skip link is seen while it has the focus")
        tab.press("Enter")
        same(tab.evaluate("document.activeElement.id"), "main", "the skip link leads to the report")


def prints():
    document = made_up.with_diff()
    with browser(dark=True) as tab:
        path = page(document)
        tab.open(path)
        pdf = os.path.join(DIRECTORY, "page.pdf")
        tab.print(pdf)
        with open(pdf, "rb") as f:
            data = f.read()
        pages = len(re.findall(rb"/Type\s*/Page\b", data))
        need(data.startswith(b"%PDF") and 3 <= pages <= 12, pages, "pages")
        print(f"printed: {pages} pages, {len(data) // 1024} KiB")
        same(tab.evaluate("document.documentElement.dataset.theme"), "dark", "the scheme after printing")
        same(tab.evaluate("document.querySelectorAll('details[open], .finding.printed').length"), 0, "what was opened for the paper is closed again")
        text = words_of(pdf)
        if text:
            names = [row[0] for row in document["operators"]["rows"] if row[0].isascii()]
            for name in names + ["Evidence", "first_slow", "fewer than 3 inferences", "before", "mdl_execute", "unverified", document["job"]["verified"]]:
                need(re.sub(r"\s", "", name) in text, name, "is not on paper")
            need("50ms100ms" in text, "the axis of the timeline is not on paper")
            need("Copyas" not in text and "Showall" not in text, "buttons are on paper")
        paper(tab)
        quiet(tab, path)


def paper(tab):
    """Nothing is wider than paper. The page stays in the style of paper."""
    tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    tab.call("Emulation.setEmulatedMedia", media="print")
    tab.screen(700, 1000)
    tab.settle()
    same(probes.scroll_boxes(tab) + probes.too_wide(tab), [], "what would be cut on paper")


def words_of(pdf):
    """All letters of a PDF without blanks, where there is a program that reads it."""
    try:
        return re.sub(r"\s", "", subprocess.run(["pdftotext", pdf, "-"], capture_output=True, check=True).stdout.decode())
    except FileNotFoundError:
        return None


def hostile():
    document = made_up.hostile()
    with browser() as tab:
        path = page(document)
        tab.open(path)
        tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        quiet(tab, path)
        same(tab.evaluate("document.querySelectorAll('main script, main img, main iframe, main style, main svg[onload]').length"), 0, "elements made of names")
        same(tab.evaluate("document.scripts.length"), 3, "scripts")
        same(texts(tab, "h1"), [made_up.HOSTILE[0]], "the name of the job is text")
        same(first_column(tab)[1], made_up.HOSTILE[1], "the name of an operator is text")
        need("(10,000 characters)" in texts(tab, "#operators")[0], "a long name is cut, and says so")
        need(max(map(len, texts(tab, "#operators tbody th"))) < 250, "a cell is longer than its limit")
        rows = copied(tab)[1:]
        for name in made_up.HOSTILE:
            guarded = "'" + name if name[:1] in ("=", "+", "-", "@") else name
            need(any(row[0] == guarded for row in rows), "not in the copied table:", guarded[:80])
        need(not any(cell[:1] in ("=", "+", "@") for row in rows for cell in row), "a formula in the copied table")
        same(tab.evaluate("try { document.createElement('div').innerHTML = '<b>x</b>'; 'made' } catch (error) { error.name }"), "TypeError", "HTML of a text")
        same(tab.evaluate("fetch('file:///').then(() => 'fetched', error => error.name)"), "TypeError", "a request of a script")


def accessible(tab):
    tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    tab.settle()
    nodes = [node for node in tab.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]

    def of(node, key):
        return (node.get(key) or {}).get("value")

    named = ("button", "link", "searchbox", "textbox", "img", "image", "application", "table", "region", "navigation", "search", "tree", "treeitem",
             "columnheader")
    nameless = [(of(node, "role"), node["nodeId"]) for node in nodes if of(node, "role") in named and not (of(node, "name") or "").strip()]
    same(nameless, [], "controls and parts without a name")
    roles = [of(node, "role") for node in nodes]
    for role in ("banner", "navigation", "main", "contentinfo", "search", "application", "status"):
        need(role in roles, "no part is", role)
    levels = tab.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(node => Number(node.tagName[1]))")
    need(levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), "levels of headings", levels)
    same(tab.evaluate("[...document.querySelectorAll('table')].filter(t => !t.caption || !t.caption.textContent.trim()).length"), 0,
         "tables without a caption")
    same(tab.evaluate("[...document.querySelectorAll('table th')].filter(th => !th.scope).length"), 0, "heads of a table without a scope")
    return len(nodes)


def accessibility():
    with browser() as tab:
        for kind in ("with_diff", "hostile", "large"):
            tab.open(page(made_up.KINDS[kind](), kind))
            print(f"{kind}: {accessible(tab)} nodes of the accessibility tree")
            described = tab.evaluate("document.querySelector('#timeline .scroller canvas').getAttribute('aria-describedby')")
            need("Arrow keys" in texts(tab, "#" + described)[0], "the keys of the timeline are told")


def contrast():
    document = made_up.with_diff()
    calls = [f"{'abcdefghijklmnopqrstuvwxyz'[i % 26]}{'lorem'[i % 5]}_call" for i in range(200)]
    document["stacks"] = {"names": calls, "nodes": [[-1, i, 1000, 1000, 1] for i in range(40)]}
    document["stacks"]["nodes"] += [[j % 40, 40 + j, 1000, 1000, 1] for j in range(160)]
    with browser() as tab:
        path = page(document)
        for dark in (False, True):
            tab.scheme(dark)
            tab.open(path)
            same(tab.evaluate("document.documentElement.dataset.theme"), "dark" if dark else "light", "scheme")
            same(probes.faint(tab), [], "contrast below 4.5")
            print(f"{'dark' if dark else 'light'}: the least contrast of a text is {probes.least(tab):.2f}")
        click(tab, "button[aria-pressed]")
        same(tab.evaluate("[document.documentElement.dataset.theme, getComputedStyle(document.body).colorScheme]"), ["light", "light"],
             "the button for the scheme")


def narrow(tab, path):
    for dark in (False, True):
        tab.scheme(dark)
        tab.screen(390, 844)
        tab.open(path)
        tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        tab.settle()
        same(tab.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth]"), [390, 390], "width on a phone of " + path)
        same(probes.beyond(tab), [], "beyond the edge of a phone")
        same(probes.cut(tab), [], "cut on a phone")
    tab.screen(1280, 800)


def phone():
    with browser() as tab:
        for kind, make in made_up.KINDS.items():
            narrow(tab, page(make(), kind))
        tab.screen(390, 844)
        tab.open(page(made_up.svp()))
        box = canvas(tab)
        whole = size(tab)
        middle = box["x"] + box["width"] / 2

        def fingers(apart):
            return [{"x": middle - apart, "y": box["y"] + 60, "id": 0}, {"x": middle + apart, "y": box["y"] + 60, "id": 1}]

        tab.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(30))
        for apart in range(35, 95, 5):
            tab.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(apart))
        tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        need(size(tab) < 0.7 * whole, "two fingers zoom", size(tab) / whole)
        same(tab.evaluate("getComputedStyle(document.documentElement).scrollBehavior"), "auto", "motion where less of it is wanted")


def widths():
    """No text is cut, and the columns that decide are seen, whatever the width; the others are behind a button, and on paper."""
    document = made_up.with_diff()
    titles = [column["title"] for column in document["operators"]["columns"]]
    document["operators"]["rows"][0][1] = 12_345_678.123
    document["advise"]["jobs"][0]["overview"][1]["rows"][1]["Mean(us)"] = 1_900.0  # 15.3 %: at 390 pixels there is no room for it
    with browser() as tab:
        for width, least in ((390, 3), (820, 6), (1280, len(titles)), (1920, len(titles))):
            tab.screen(width, 900)
            tab.open(page(document))
            tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
            tab.settle()
            same(probes.cut(tab), [], f"cut at {width} pixels")
            same(probes.heads(tab, "#operators")[:least], titles[:least], f"columns at {width} pixels")
            same(probes.heads(tab, "#time .card:first-of-type")[:3], ["Part", "Mean µs", "Share %"], f"columns of the parts at {width} pixels")
            same(probes.heads(tab, "#base .wide")[:3], ["Operator", "Change", "Relative"], f"columns of the comparison at {width} pixels")
            same(texts(tab, ".part.matrix > span"), ["68.6 %"], "share")
            shown = tab.evaluate("[...document.querySelectorAll('.part > span')].filter(node => node.checkVisibility()).length")
            need(shown == 1 if width == 390 else shown > 1, "shares in the bar", width, shown)
            print(f"{width} pixels: {len(probes.heads(tab, '#operators'))} of {len(titles)} columns, {shown} shares in the bar")
            if width == 390:
                click(tab, "#operators .fit > .more")
                same(probes.heads(tab, "#operators"), titles, "all columns")


def axe():
    """What axe-core finds wrong, with every part open."""
    with open(os.environ["AXE_CORE"], encoding="utf-8") as f:
        source = f.read()
    with browser() as tab:
        for kind in ("with_diff", "apart", "large", "empty"):
            for dark, width in ((False, 1280), (True, 390)):
                tab.scheme(dark)
                tab.screen(width, 844)
                tab.open(page(made_up.KINDS[kind](), kind))
                tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
                tab.settle()
                tab.evaluate(source + "; true")
                found = tab.evaluate("""axe.run(document, {resultTypes: ["violations"]}).then(result =>
                    result.violations.map(one => [one.id, one.impact, one.nodes.length, one.nodes[0].html.slice(0, 160), one.nodes[0].failureSummary]))""")
                same(found, [], f"findings of axe-core in {kind} at {width} pixels")


def language():
    """With a table of texts in which each text is marked, what has no mark are texts of the data, numbers and units: a table translates the page."""
    texts = re.sub(r"^([^#\n].*?) = (.*)$", lambda line: f"{line[1]} = " + "|".join(f"⟦{form}⟧" for form in line[2].split("|")), made_up.read("texts/en.txt"),
                   flags=re.M).replace("lang = ⟦en⟧", "lang = xx")
    texts += "".join(f"{text} = ⟦{text}⟧\n" for text in ("high", "Frames per second", "Layer below its bound", "Share", "Computing: matrix", "loss"))
    with browser() as tab:
        for kind in ("with_diff", "apart", "large"):
            document = made_up.KINDS[kind]()
            path = os.path.join(DIRECTORY, kind + ".html")
            made_up.write_page(document, path, texts)
            tab.open(path)
            tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
            tab.settle()
            same(tab.evaluate("document.documentElement.lang"), "xx", "language")
            seen = tab.evaluate("""(() => { const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("script")) found.push(walker.currentNode.data);
                document.querySelectorAll("[aria-label], [title]").forEach(node => found.push(node.getAttribute("aria-label") || "", node.title || ""));
                return found; })()""")
            known = json.dumps(document, ensure_ascii=False) + " % ms µs ns s kB MB/s 1/s 1/byte msprof Part Share Mean Operator CSV"
            plain = set()
            for text in seen:
                while re.search("⟦[^⟦⟧]*⟧", text):
                    text = re.sub("⟦[^⟦⟧]*⟧", " ", text)
                plain |= set(re.findall(r"[A-Za-z]{2,}", text))
            heads = {"Operations", "Of", "the", "peak", "time", "Track", "Group", "Busy", "Most", "Slices", "Drawn", "Change", "Relative", "Verdict", "Base",
                     "New", "Match"}  # of tables: they are ids themselves
            same(sorted(word for word in plain - heads if word not in known), [], "words that no table of texts has")
            for text in ("⟦high⟧", "⟦Frames per second⟧", "⟦Layer below its bound⟧", "⟦Share⟧", "⟦loss⟧"):
                need(text in seen, text, "is not translated")


def dates():
    """The date of collection, and that of a clock that nobody set."""
    document = made_up.svp()
    with browser() as tab:
        for seconds, said in ((1763900000, "collected 2025-11-23 12:13 UTC"), (305, "collected at 1970-01-01 00:05 of a clock that was not set"), (None, None)):
            document["job"]["collected_s"] = seconds
            tab.open(page(document))
            same([text for text in texts(tab, ".facts span") if text.startswith("collected")], [said] if said else [], "date")
        same(tab.evaluate("document.documentElement.lang"), "en", "language")


def sums():
    with browser() as tab:
        tab.open(page(made_up.svp()))
        widths = tab.evaluate("[...document.querySelectorAll('.stacked > .part')].map(part => parseFloat(part.style.width))")
        need(len(widths) == 5 and abs(sum(widths) - 100) < 1e-3, "widths of the bar", widths)
        shares = [float(text) for text in texts(tab, "#time .stacked ~ .fit tbody td:nth-child(3)")]
        same(round(sum(shares), 6), 100.0, "shares")


def million():
    """1 M tasks: what the user waits for. The figures are printed, and not judged."""
    path = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else page(made_up.large())
    with browser() as tab:
        tab.open(path)
        shown = []
        for _ in range(5):
            tab.open(path)
            shown.append(tab.evaluate("performance.getEntriesByName('shown')[0].startTime"))
        tab.evaluate("document.querySelector('#timeline .scroller canvas').focus()")
        frames = tab.evaluate("""(async () => {
            const canvas = document.querySelector('#timeline .scroller canvas'), times = [];
            for (let i = 0; i < 60; i++) {
              canvas.dispatchEvent(new KeyboardEvent("keydown", {key: i < 30 ? "+" : "-", bubbles: true}));
              await new Promise(done => requestAnimationFrame(() => {
                const begin = performance.now();
                setTimeout(() => { times.push(performance.now() - begin); done(); });
              }));
            }
            return times.sort((a, b) => a - b);
          })()""")
        tasks = tab.evaluate("JSON.parse(document.getElementById('data').textContent).timeline.tasks")
        print(f"{tasks} tasks, {os.path.getsize(path) / 1e6:.2f} MB: shown after {sorted(shown)[2]:.0f} ms (median of 5; {max(shown):.0f} at most), "
              f"a frame while zooming {frames[30]:.1f} ms (median; {frames[-1]:.1f} at most)")
        need(tasks >= 900_000 or len(sys.argv) > 3, tasks)
        quiet(tab, path)


if __name__ == "__main__":
    CHECKS = (opens, real, chinese, operators, many_rows, counters, timeline, dense, labels, find, keys, clicked, clocks, tab_order, prints, hostile,
              accessibility, contrast, phone, widths, axe, dates, language, sums, million)
    {check.__name__: check for check in CHECKS}[sys.argv[1]]()
