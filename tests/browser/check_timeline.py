"""check_timeline.py: checks of the timeline and of the calls, by pointer and by keys."""

import made_up
from support import browser, canvas, click, need, page, quiet, same, size, texts, told, view


def timeline():
    document = made_up.svp()
    lines = document["timeline"]
    length = lines["length_ns"]
    with browser() as tab:
        path = page(document)
        tab.open(path)
        whole = size(tab)
        need(abs(whole - length) < length / 1000, whole)
        for selector, factor in ((".zoom button:nth-child(1)", 0.5), (".zoom button:nth-child(2)", 1)):
            click(tab, selector)
            need(abs(size(tab) / whole - factor) < 0.01, selector, size(tab))
        box = canvas(tab)
        middle = (box["x"] + box["width"] / 2, box["y"] + 60)
        tab.mouse("mouseWheel", *middle, deltaX=0, deltaY=-120, modifiers=2)
        need(size(tab) < 0.9 * whole, "Ctrl with the wheel zooms", size(tab))
        zoomed = size(tab)
        tab.mouse("mouseWheel", *middle, deltaX=0, deltaY=-120)
        same(size(tab), zoomed, "the wheel alone scrolls the page")
        tab.evaluate("scrollTo(0, 0)")
        box = canvas(tab)
        before = view(tab)
        middle = (box["x"] + box["width"] / 2, box["y"] + 60)
        tab.mouse("mousePressed", *middle, button="left", buttons=1)
        tab.mouse("mouseMoved", middle[0] - 150, middle[1], button="left", buttons=1)
        tab.mouse("mouseReleased", middle[0] - 150, middle[1], button="left")
        tab.settle()
        need(view(tab)[0] > before[0] and abs(size(tab) - zoomed) < zoomed / 100, "dragging pans", before, view(tab))
        click(tab, ".zoom button:nth-child(5)")
        same(size(tab), whole, "all is shown again")
        box = canvas(tab)
        tab.mouse("mouseMoved", box["x"] + box["width"] / 2, box["y"] + 66)
        tab.settle()
        need("resnet50" in texts(tab, ".tip")[0], "the slice below the pointer is told", texts(tab, ".tip"))
        same(tab.evaluate("document.querySelector('.tip').hidden"), False, "hidden")
        quiet(tab, path)


def clicked():
    """A click tells in view, wherever the page is scrolled to, what is known of the slice: its inference, and the means of its operator."""
    document = made_up.svp()
    core, steps = document["timeline"]["tracks"][1]["exact"], document["timeline"]["tracks"][0]["exact"]
    row = next(row for row in document["operators"]["rows"] if row[0] == document["timeline"]["names"][core["name"][0]])
    share = f"{100 * core['dur'][0] / steps['dur'][0]:.1f} % of resnet50"
    mean = f"Mean of 20 tasks: {row[5] / 1000:.3f} ms, {row[3]}, Mac {row[4]:.1f} %"
    with browser() as tab:
        for width, height, left, down in ((1280, 500, 168, 98), (390, 500, 0, 134)):  # where the first slice of the core lies when it is a third of the view
            tab.screen(width, height)
            tab.open(page(document))
            tab.evaluate("document.querySelector('#timeline .scroller canvas').focus({preventScroll: true})")
            for key in ("ArrowDown", "Home", "Enter"):
                tab.press(key)
            tab.settle()
            for above in (40, 140, 240):  # so much of the window lies above the timeline
                place = tab.evaluate(f"""(() => {{ const node = document.querySelector("#timeline .scroller canvas");
                    scrollTo({{top: node.getBoundingClientRect().top + scrollY - {above}, behavior: "instant"}});
                    const box = node.getBoundingClientRect(); return [box.left + {left} + 0.15 * (box.width - {left}), box.top + {down}]; }})()""")
                tab.settle()
                tab.mouse("mouseMoved", *place)
                tab.settle()
                said = texts(tab, "#timeline .tip")[0]
                need(share in said and mean in said, "the tip", said, share, mean)
                tab.click(*place)
                need(share in told(tab) and mean in told(tab), "what is told", told(tab), share, mean)
                box = tab.evaluate("(() => { const b = document.getElementById('timeline-told').getBoundingClientRect(); return [b.top, b.bottom]; })()")
                need(box[0] > 0 and box[1] <= height + 1, "in view", box, height)
                need(place[1] < box[0], "the slice is not covered", place, box)


def clocks():
    """Tracks of clocks that are not aligned have axes of their own, each with its own length and begin."""
    document = made_up.apart()
    length = document["timeline"]["clocks"][0]["length_ns"]
    with browser() as tab:
        path = page(document)
        tab.open(path)
        same(texts(tab, "#timeline h3"), ["Clock of Device 0", "Clock of Host"], "axes")
        ranges = texts(tab, "#timeline .zoom .number")
        need(len(ranges) == 2 and abs(size(tab) - length) < length / 1000, ranges, length)
        tab.evaluate("document.querySelectorAll('#timeline .scroller canvas')[1].focus()")
        tab.press("ArrowDown")
        tab.press("+")
        need("Start 46,000 ns, duration 900,000 ns" in texts(tab, "#timeline-2-told")[0], texts(tab, "#timeline-2-told"))
        need(texts(tab, "#timeline .zoom .number")[0] == ranges[0] != texts(tab, "#timeline .zoom .number")[1], "each is zoomed by itself")
        tab.open(page(made_up.svp(), "one"))
        same(tab.evaluate("document.querySelectorAll('#timeline .scroller canvas').length"), 1, "axes of one clock")
        quiet(tab, path.replace("page.html", "one.html"))


def dense():
    """Slices that follow each other, each narrower than a pixel, leave no gap; a gap of many pixels is seen."""
    document = made_up.svp()
    length, step = 10_000_000, 2_500
    rows = [(at, step, at // step % 7, 0) for at in range(0, length, step) if not 4_000_000 <= at < 6_000_000]
    document["timeline"].update(length_ns=length, tracks=[made_up.track("AA core", "", "device", rows)])
    with browser() as tab:
        tab.open(page(document))
        empty = tab.evaluate("""(() => {
            const canvas = document.querySelector("#timeline .scroller canvas"), left = 168, y = 26 + 6 + 10;
            const lane = getComputedStyle(document.documentElement).getPropertyValue("--lane").trim();
            const line = canvas.getContext("2d").getImageData(left, y, canvas.width - left, 1).data;
            return Array.from({length: canvas.width - left}, (_, i) => "#" + [0, 1, 2].map(k => line[4 * i + k].toString(16).padStart(2, "0")).join(""))
              .map(color => color === lane);
          })()""")
        width = len(empty)
        outside = [i for i, is_empty in enumerate(empty) if is_empty and not 0.39 * width < i < 0.61 * width]
        same(outside, [], "gaps between slices that follow each other")
        need(0.19 * width < sum(empty) < 0.21 * width, "the gap", sum(empty), width)


def labels():
    """Times of the axis do not touch each other, however long they are; names in the flame graph end within their bars."""
    document = made_up.svp()
    document["timeline"]["length_ns"] = 9_223_372_036_854_775_000
    document["stacks"]["names"][1:4] = ["svp_acl_mdl_execute_async", "svp_acl_ext_process_output", "WWWWWWWWWWWWWWWWWWWWWWWW"]
    with browser() as tab:
        tab.call("Page.addScriptToEvaluateOnNewDocument", source="""window.drawn = [];
            const draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
              if (y < 20) window.drawn.push([text, x, x + this.measureText(text).width]);
              return draw.call(this, text, x, y);
            };""")
        for width in (1280, 390):
            tab.screen(width, 800)
            tab.open(page(document))
            tab.settle()
            drawn = tab.evaluate("window.drawn")
            need(len({text for text, _, _ in drawn}) > 1, "labels", drawn)
            for (text, start, end), (after, begin, _) in zip(drawn, drawn[1:]):
                need(begin <= start or begin > end, "labels touch:", text, after)
            bars = tab.evaluate("""[...document.querySelectorAll(".flame > svg")].map(bar => [bar.querySelector("text"), bar])
                .filter(([text]) => text && text.textContent)
                .map(([text, bar]) => [text.textContent, text.getBoundingClientRect().right, bar.querySelector("rect").getBoundingClientRect().right])""")
            need(any(text.endswith("…") for text, _, _ in bars), "a cut name", bars)
            same([text for text, end, edge in bars if end > edge], [], "names beyond their bars")


def find():
    """Every occurrence of an operator, in order of time, with the exact start and duration."""
    document = made_up.svp()
    lines = document["timeline"]
    core = lines["tracks"][1]["exact"]
    at, slices = 0, []
    for delta, duration, name in zip(core["start"], core["dur"], core["name"]):
        at += delta
        slices.append((at, duration, lines["names"][name]))
    wanted = [row for row in slices if "conv4" in row[2]]
    with browser() as tab:
        tab.open(page(document))
        tab.evaluate("document.getElementById('timeline-search').focus()")
        tab.type("CONV4")
        tab.settle()
        same(texts(tab, "#timeline form .status"), [f"{len(wanted)} occurrences"], "occurrences")
        for number, (start, duration, name) in enumerate(wanted[:3] + wanted[3:] + wanted[:1]):
            tab.press("Enter")
            said = told(tab)
            need(said.startswith(name), said)
            need(f"Start {int(lines['begin_ns']) + start:,} ns, duration {duration:,} ns" in said, said, start, duration)
            need(texts(tab, "#timeline form .status")[0].startswith(f"{number % len(wanted) + 1} of {len(wanted)}:"), "number")
            shown = view(tab)
            need(shown[0] - 1e5 <= start <= shown[1] + 1e5, "the view follows", shown, start)
        tab.press("Escape")
        tab.type("no such operator")
        tab.settle()
        same(texts(tab, "#timeline form .status"), ["No operator of the timeline has this name."], "nothing found")
        click(tab, "#operators tbody tr:nth-child(3) button")
        need(told(tab).startswith(document["operators"]["rows"][2][0] + ":"), told(tab))
        same(tab.evaluate("document.activeElement.tagName"), "CANVAS", "focus")


def keys():
    """The timeline and the calls by keys alone."""
    document = made_up.svp()
    core = document["timeline"]["tracks"][1]["exact"]
    steps = document["timeline"]["tracks"][0]["exact"]
    with browser() as tab:
        path = page(document)
        tab.open(path)
        whole = size(tab)
        tab.evaluate("document.querySelector('#timeline .scroller canvas').focus()")
        need(f"duration {steps['dur'][0]:,} ns" in told(tab), told(tab))
        tab.press("ArrowRight")
        need(f"duration {steps['dur'][1]:,} ns" in told(tab), told(tab))
        tab.press("ArrowLeft")
        tab.press("ArrowDown")
        need(f"duration {core['dur'][0]:,} ns" in told(tab), told(tab))
        tab.press("End")
        need(f"duration {core['dur'][-1]:,} ns" in told(tab), told(tab))
        tab.press("Home")
        tab.press("ArrowRight")
        need(f"duration {core['dur'][1]:,} ns" in told(tab), told(tab))
        tab.press("Enter")
        need(abs(size(tab) / core["dur"][1] - 3) < 0.1, "Enter zooms to the slice", size(tab))
        tab.press("-")
        need(abs(size(tab) / core["dur"][1] - 6) < 0.2, "minus zooms out", size(tab))
        before = view(tab)
        tab.press("ArrowRight", shift=True)
        tab.settle()
        need(view(tab)[0] > before[0], "Shift with an arrow pans")
        tab.press("0")
        same(size(tab), whole, "0 shows all")
        tab.evaluate("document.querySelector('.flame [tabindex=\"0\"]').focus()")
        for key, call in (("ArrowDown", "main"), ("ArrowDown", "infer"), ("ArrowRight", "decode"), ("ArrowLeft", "infer"), ("ArrowUp", "main"),
                          ("ArrowDown", "infer")):
            tab.press(key)
            need(texts(tab, "#calls .status")[0].startswith(call + ":"), key, texts(tab, "#calls .status"))
        tab.press("Enter")
        need(texts(tab, ".flame > svg:first-child text")[0] == "infer" and "main" not in texts(tab, ".flame text"), "Enter zooms into a call")
        tab.press("Escape")
        need("main" in texts(tab, ".flame text"), "Escape shows all calls")
        quiet(tab, path)
