"""probes.py: what is asked of a page as a whole: contrast, focus, what is cut."""

import json

# The color of each text and of what lies below it. Colors of SVG are those of the shape beside the text.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = text => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "#000";
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = color => {
    const [r, g, b] = color.slice(0, 3).map(value => value / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = node => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const shape = at.namespaceURI.endsWith("svg") && at.tagName === "svg" && at.querySelector(":scope > rect");
      layers.push(rgba(shape ? getComputedStyle(shape).fill : style.backgroundColor));
    }
    const share = node.querySelector && node.querySelector(":scope > .share");
    if (share) layers.unshift(rgba(getComputedStyle(share).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest("script, noscript, title, .tip, canvas")) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(node);
    const color = rgba(node.tagName === "text" ? style.fill : style.color), below = ground(node);
    const a = light(over(color, below)), b = light(below);
    found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.tagName + "." + (node.getAttribute("class") || ""),
      walker.currentNode.data.slice(0, 40)]);
  }
  return found.sort((a, b) => a[0] - b[0]);
})()"""

# A stop of the Tab key: what has the focus, whether a mark is seen, where it stands in the page.
STOP = """(() => {
  const node = document.activeElement;
  if (!node || node === document.body || window.seen.has(node)) return null;
  window.seen.add(node);
  const marked = node.closest(".flame") ? getComputedStyle(node.querySelector("rect")).strokeWidth : getComputedStyle(node).outlineWidth;
  return {name: node.tagName + " " + (node.id || node.textContent.slice(0, 30)), marked: parseFloat(marked) >= 2,
    place: [...document.querySelectorAll("*")].indexOf(node)};
})()"""


def texts(tab):
    tab.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    tab.settle()
    found = tab.evaluate(CONTRAST)
    if len(found) < 20:
        raise SystemExit(f"only {len(found)} texts were seen")
    return found


def faint(tab):
    return [row for row in texts(tab) if row[0] < 4.5]


def least(tab):
    return texts(tab)[0][0]


def patches(tab):
    """Cells that stick to the edge, and do not have the ground of what lies behind their table."""
    return tab.evaluate("""[...document.querySelectorAll('tr > :first-child')].filter(cell => {
      const ground = node => getComputedStyle(node).backgroundColor;
      let node = cell.closest('table');
      while (ground(node) === 'rgba(0, 0, 0, 0)') node = node.parentElement;
      return ground(cell) !== ground(node);
    }).map(cell => cell.closest('table').caption?.textContent + ': ' + cell.textContent)""")


def stops(tab):
    """Stops of the Tab key that have no visible mark, or come before the one before them."""
    wrong, last, count = [], -1, 0
    while True:
        tab.press("Tab")
        stop = tab.evaluate(STOP)
        if stop is None:
            break
        count += 1
        if not stop["marked"] or stop["place"] < last:
            wrong.append(stop)
        last = stop["place"]
    print(f"{count} stops of the Tab key")
    left_out = tab.evaluate("""[...document.querySelectorAll('button, a[href], input, summary, canvas[tabindex], .wide, .flame [tabindex="0"]')]
        .filter(node => !node.disabled && node.checkVisibility() && !window.seen.has(node)).map(node => node.outerHTML.slice(0, 80))""")
    return wrong + left_out


def scroll_boxes(tab):
    """Boxes whose contents are wider or higher than they are."""
    return tab.evaluate("""[...document.querySelectorAll("main *")].filter(node => {
        const style = getComputedStyle(node);
        return style.display !== "none" && ["auto", "scroll"].some(word => [style.overflowX, style.overflowY].includes(word)) &&
          (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1);
      }).map(node => node.tagName + "." + node.className)""")


def too_wide(tab):
    """What reaches beyond the edge of the paper, where no box scrolls."""
    return tab.evaluate("""[...document.querySelectorAll("main *")].filter(node => !node.closest("svg, caption.hidden") &&
        node.getClientRects().length && node.getBoundingClientRect().right > innerWidth + 1)
      .map(node => node.tagName + "." + node.className + ": " + node.textContent.slice(0, 30)).slice(0, 10)""")


def beyond(tab):
    """What reaches beyond the right edge without lying in a box that scrolls."""
    return json.loads(tab.evaluate("""JSON.stringify([...document.querySelectorAll("body *")].filter(node =>
        !node.closest(".wide, nav, svg, .skip, .tip, caption.hidden") && node.getClientRects().length && node.getBoundingClientRect().right > innerWidth + 0.5)
      .map(node => node.tagName + "." + node.className + ": " + node.textContent.slice(0, 30)).slice(0, 10))"""))


def cut(tab):
    """Texts of which a part is hidden by a box that does not show it, and cells of tables beyond their box."""
    return tab.evaluate("""(() => {
      const found = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), range = document.createRange();
      while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || node.closest("script, noscript, title, .tip, canvas, caption.hidden, svg")) continue;
        if (!node.checkVisibility({visibilityProperty: true})) continue;
        range.selectNodeContents(walker.currentNode);
        const text = range.getBoundingClientRect();
        for (let at = node; at && at !== document.body; at = at.parentElement) {
          if (getComputedStyle(at).overflowX === "visible") continue;
          const box = at.getBoundingClientRect();
          if (text.left < box.left - 1 || text.right > box.right + 1) {
            found.push([at.className, walker.currentNode.data.slice(0, 40), text.left, text.right, box.right]);
            break;
          }
        }
      }
      return found;
    })()""")


def heads(tab, selector):
    """The titles of the columns that a table shows."""
    return tab.evaluate(f"""[...document.querySelectorAll({json.dumps(selector + " thead th")})].filter(head => head.checkVisibility())
        .map(head => (head.querySelector("button") || head).textContent)""")
