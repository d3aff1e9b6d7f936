// flame.js: the calls of the host as a flame graph. Nested pictures in percent follow the width of the page.

const FLAME_ROW = 22;
const LEAST_SHARE = 0.0005; // of the width: what is narrower than half a pixel is not drawn
const MOST_DEPTH = 60;

// Children of each call, the longest first. Parents come before their children, so a wrong index cannot make a circle.
function callTree(stacks) {
  const calls = stacks.nodes.map(([parent, name, total, self, count], i) => ({
    name: stacks.names[name] ?? "–",
    total,
    self,
    count,
    parent: parent >= 0 && parent < i ? parent : -1,
    children: [],
  }));
  const root = {name: phrase("calls.root"), total: 0, self: 0, count: 0, parent: null, children: []};
  calls.forEach(call => (call.parent < 0 ? root : calls[call.parent]).children.push(call));
  calls.forEach(call => {
    call.above = call.parent < 0 ? root : calls[call.parent];
  });
  root.total = root.children.reduce((sum, call) => sum + call.total, 0);
  root.count = root.children.reduce((sum, call) => sum + call.count, 0);
  [root, ...calls].forEach(call => call.children.sort((a, b) => b.total - a.total));
  return root;
}

class FlameGraph {
  constructor(stacks) {
    this.root = callTree(stacks);
    this.text = status();
    this.reset = button(phrase("calls.all"), () => this.zoom(this.root, true));
    this.picture = shape("svg", {
      class: "flame",
      role: "tree",
      "aria-label": phrase("calls.label"),
      onkeydown: event => this.key(event),
    });
    this.node = make(
      "div",
      {class: "card"},
      make("div", {class: "tools"}, this.reset, this.text),
      this.picture,
      make("p", {class: "fine"}, phrase("calls.help"))
    );
    this.measure = make("canvas").getContext("2d");
    this.zoom(this.root, false);
    new ResizeObserver(() => this.fit()).observe(this.picture);
  }

  // Names are cut where their bar ends.
  fit() {
    const width = this.picture.getBoundingClientRect().width;
    this.measure.font = "12px " + getComputedStyle(document.body).fontFamily;
    for (const {node, name, part} of this.labels)
      say(node, width ? fittingText(this.measure, name, width * part - 8) : name);
  }

  zoom(call, focus) {
    this.top = call;
    this.nodes = new Map();
    this.places = new Map();
    this.labels = [];
    const bars = [];
    this.deepest = 0;
    const open = [[call, 0, 1, 0]];
    while (open.length) {
      // no recursion: calls may nest deeper than the browser's stack
      const [node, left, width, depth] = open.pop();
      bars.push(this.bar(node, left, width, depth));
      let at = left;
      for (const child of node.children) {
        const part = node.total > 0 ? width * Math.min(1, child.total / node.total) : 0;
        if (part >= LEAST_SHARE && depth + 1 < MOST_DEPTH && at + part <= left + width + 1e-9)
          open.push([child, at, part, depth + 1]);
        at += part;
      }
    }
    this.picture.setAttribute("height", (this.deepest + 1) * FLAME_ROW);
    this.picture.replaceChildren(...bars);
    this.fit();
    this.reset.disabled = call === this.root;
    this.select(call, focus);
  }

  bar(call, left, width, depth) {
    this.deepest = Math.max(this.deepest, depth);
    const words = this.words(call);
    const label = width > 0.02 ? shape("text", {x: "5", y: FLAME_ROW - 7, "aria-hidden": "true"}) : null;
    if (label) this.labels.push({node: label, name: short(call.name, 100), part: width});
    const bar = shape(
      "svg",
      {
        x: 100 * left + "%",
        y: depth * FLAME_ROW,
        width: 100 * width + "%",
        height: FLAME_ROW,
        role: "treeitem",
        tabindex: "-1",
        "aria-level": depth + 1,
        onclick: () => this.zoom(call, true),
        onfocus: () => this.told(call),
      },
      shape("title", null, words),
      shape("rect", {
        x: "0",
        y: "1",
        width: "100%",
        height: FLAME_ROW - 2,
        rx: "2",
        fill: call === this.root ? "var(--idle)" : nameColor(call.name),
      }),
      label
    );
    this.nodes.set(call, bar);
    this.places.set(bar, call);
    return bar;
  }

  words(call) {
    const share = this.root.total > 0 ? call.total / this.root.total : 0;
    return phrase("calls.told", {
      name: short(call.name, 120),
      total: time(call.total),
      share: percent(share),
      self: time(call.self),
      calls: plural(call.count, "call"),
    });
  }

  told(call) {
    say(this.text, this.words(call));
  }

  select(call, focus) {
    const bar = this.nodes.get(call);
    this.nodes.forEach(other => other.setAttribute("tabindex", "-1"));
    bar.setAttribute("tabindex", "0");
    this.told(call);
    if (focus) bar.focus({preventScroll: true});
  }

  key(event) {
    const call = this.places.get(event.target);
    if (!call) return;
    const beside = step => {
      const row = (call.above || {children: [call]}).children;
      return row[row.indexOf(call) + step];
    };
    const next = {
      ArrowUp: () => call.above,
      ArrowDown: () => call.children[0],
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.zoom(call, true);
    else if (event.key === "Escape") this.zoom(this.root, true);
    else if (!next) return;
    else if (this.nodes.has(next())) this.select(next(), true);
    event.preventDefault();
  }
}

function callsSection(data) {
  const stacks = data.stacks;
  if (!stacks || !(stacks.nodes || []).length) return null;
  return section("calls", phrase("calls.lead"), new FlameGraph(stacks).node);
}
