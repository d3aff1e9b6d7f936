// timeline.js: the timeline as a part of the page: view, keys, pointer, what is said about slices.

const SHORTEST_VIEW = 20; // ns
const LEAST_HEIGHT = 400;
const MINIMAP_HEIGHT = 40;
const PRINT_WIDTH = 760;
const MOST_PRINT_HEIGHT = 2400;

// A timeline has the tracks of one clock: times of clocks that are not aligned cannot be compared on one axis.
class Timeline {
  constructor(data, clock) {
    this.id = clock ? `timeline-${clock + 1}` : "timeline";
    this.model = new TimelineModel(data.timeline, clock);
    this.facts = new SliceFacts(this.model, data.operators || {});
    this.view = {from: 0, to: this.model.length};
    this.wanted = this.hovered = this.selected = null;
    this.search = new TimelineSearch(this);
    this.canvas = make(
      "canvas",
      {
        tabindex: "0",
        role: "application",
        "aria-roledescription": phrase("timeline.role"),
        "aria-label": this.label(),
        "aria-describedby": this.id + "-help",
      },
      phrase("timeline.canvas")
    );
    this.map = make("canvas", {class: "minimap", "aria-hidden": "true"});
    this.told = status({id: this.id + "-told", class: "told"});
    say(this.told, phrase("timeline.choose"));
    this.tip = make("div", {class: "tip", hidden: true, "aria-hidden": "true"});
    this.space = make("div", null, this.canvas);
    this.scroller = make("div", {class: "scroller"}, this.space);
    this.stage = make("div", {class: "stage"}, this.scroller, this.tip);
    this.range = make("span", {class: "number"});
    this.node = make(
      "div",
      {class: "card"},
      this.search.node,
      this.zoomTools(),
      this.map,
      make("div", null, this.stage, this.told),
      make("p", {class: "fine help", id: this.id + "-help"}, phrase("timeline.help")),
      this.model.clock ? make("p", {class: "fine"}, short(translated(this.model.clock), 600)) : null
    );
    this.painter = new TimelinePainter(this.canvas, this.model);
    this.listen();
  }

  label() {
    const {model} = this;
    return phrase("timeline.label", {
      slices: plural(model.tasks, "slice"),
      tracks: plural(model.tracks.length, "track"),
      time: time(model.length),
    });
  }

  zoomTools() {
    const tool = (text, name, action) => button(text, action, {"aria-label": name, title: name, class: "icon"});
    return make(
      "div",
      {class: "tools zoom", role: "group", "aria-label": phrase("timeline.view")},
      tool("+", phrase("timeline.zoom-in"), () => this.zoom(0.5)),
      tool("−", phrase("timeline.zoom-out"), () => this.zoom(2)),
      tool("←", phrase("timeline.earlier"), () => this.pan(-0.5)),
      tool("→", phrase("timeline.later"), () => this.pan(0.5)),
      button(phrase("timeline.all"), () => this.look(0, this.model.length)),
      this.range
    );
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("keydown", event => this.key(event));
    canvas.addEventListener("wheel", event => this.wheel(event), {passive: false});
    canvas.addEventListener("focus", () => {
      if (!this.selected) this.selectFirst();
    });
    this.scroller.addEventListener("scroll", () => this.redraw());
    followPointers(this);
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  // The page has another width, or another color scheme.
  fit() {
    const width = this.stage.clientWidth;
    if (!width) return;
    const height = layOut(this.model, width).height;
    const most = Math.max(LEAST_HEIGHT, Math.round(0.6 * innerHeight));
    this.scroller.style.maxHeight = most + "px";
    this.space.style.height = height + "px";
    this.painter.resize(this.scroller.clientWidth, Math.min(height, most), window.devicePixelRatio || 1);
    this.paint();
  }

  // For paper: all tracks, sharp enough.
  print() {
    const height = Math.min(MOST_PRINT_HEIGHT, layOut(this.model, PRINT_WIDTH).height);
    this.scroller.style.maxHeight = "none";
    this.space.style.height = "auto";
    this.painter.resize(PRINT_WIDTH, height, 2);
    this.canvas.style.height = "auto";
    this.paint();
  }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.paint();
    });
  }

  paint() {
    if (!this.painter.width) return;
    this.painter.readStyle();
    this.painter.draw({
      view: this.view,
      scroll: this.scroller.scrollTop,
      wanted: this.wanted,
      selected: this.selected,
      hovered: this.hovered,
    });
    drawMinimap(this);
    say(
      this.range,
      phrase("timeline.range", {from: this.view.from ? time(this.view.from) : "0", to: time(this.view.to)})
    );
  }

  look(from, to) {
    const {length} = this.model;
    const size = Math.min(length, Math.max(SHORTEST_VIEW, to - from));
    const start = Math.min(length - size, Math.max(0, from + (to - from - size) / 2));
    this.view = {from: start, to: start + size};
    this.redraw();
  }

  // Around a time that stays where it is: what is selected, else the middle.
  zoom(factor, around) {
    const {from, to} = this.view;
    const chosen = this.selected ? this.selected.row.start(this.selected.i) : NaN;
    const still = around ?? (chosen >= from && chosen <= to ? chosen : (from + to) / 2);
    this.look(still - (still - from) * factor, still + (to - still) * factor);
  }

  pan(part) {
    const by = Math.min(
      this.model.length - this.view.to,
      Math.max(-this.view.from, part * (this.view.to - this.view.from))
    );
    this.look(this.view.from + by, this.view.to + by);
  }

  wheel(event) {
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isPan && !event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    if (isPan) this.pan((event.deltaX || event.deltaY) / 800);
    else
      this.zoom(
        Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * (event.ctrlKey ? 0.01 : 0.005)),
        this.timeAt(event)
      );
  }

  timeAt(event) {
    return this.painter.ns(this.view, event.clientX - this.canvas.getBoundingClientRect().left);
  }

  // The slice or bin below the pointer.
  itemAt(event) {
    const y = event.clientY - this.canvas.getBoundingClientRect().top + this.scroller.scrollTop;
    const place = this.painter.layout.places.find(other => other.row && y >= other.y && y < other.y + other.row.height);
    if (!place) return null;
    const i = place.row.at(this.timeAt(event), (2 * (this.view.to - this.view.from)) / this.painter.plot);
    return i < 0 ? null : {row: place.row, i};
  }

  // What is told of a slice or bin: its place, and of an operator what its tasks have in common.
  describe({row, i}) {
    const start = row.start(i),
      length = row.end(i) - start,
      name = short(this.model.nameOf(row, i), 300);
    const at = phrase("timeline.at", {start: time(start)}),
      track = short(translated(row.track.name), 80);
    const {step, operator} = this.facts.of(row, i);
    if (row.kind === "slice")
      return {name, facts: [time(length), step, at, track].filter(Boolean), start, length, operator};
    return {
      name: phrase("timeline.top", {name}),
      start,
      length,
      operator,
      facts: [
        phrase("timeline.busy", {share: percent(row.level.busy[i] / 255, 0), time: time(length)}),
        plural(row.level.count[i], "slice"),
        at,
        track,
      ],
    };
  }

  select(item) {
    this.selected = item;
    const {name, facts, start, length, operator} = this.describe(item);
    const exact = phrase("timeline.exact", {
      start: absoluteTime(this.model.begin, start),
      duration: exactTime(Math.round(length)),
    });
    this.told.replaceChildren(
      make("strong", null, name),
      phrase("timeline.facts", {facts: facts.join(", ")}),
      " ",
      operator ? make("span", null, operator + " ") : "",
      make("span", {class: "exact"}, exact)
    );
    this.redraw();
  }

  // Select, and let the view follow; zoom in where it could not be seen.
  bring(item) {
    const start = item.row.start(item.i),
      end = item.row.end(item.i),
      size = this.view.to - this.view.from;
    if (((end - start) / size) * this.painter.plot < 4) this.look(start - 12 * (end - start), end + 12 * (end - start));
    else if (start < this.view.from || end > this.view.to)
      this.look((start + end - size) / 2, (start + end + size) / 2);
    const place = this.painter.layout.places.find(other => other.row === item.row);
    if (place.y < this.scroller.scrollTop + AXIS_HEIGHT) this.scroller.scrollTop = place.y - AXIS_HEIGHT - GROUP_HEIGHT;
    const hidden = place.y + item.row.height - this.scroller.scrollTop - this.scroller.clientHeight;
    if (hidden > 0) this.scroller.scrollTop += hidden + 8;
    this.select(item);
  }

  rows() {
    return this.painter.layout.places.filter(place => place.row).map(place => place.row);
  }

  selectFirst() {
    for (const row of this.rows()) {
      const i = row.nearest(this.view.from);
      if (i >= 0) return this.select({row, i});
    }
    return null;
  }

  // To the next slice of the row, or to the row below, at the same time.
  move(along, down) {
    if (!this.selected) return this.selectFirst();
    const {row, i} = this.selected;
    if (along) {
      let next = i + along;
      while (next >= 0 && next < row.count && !row.exists(next)) next += along;
      return next >= 0 && next < row.count ? this.bring({row, i: next}) : null;
    }
    const rows = this.rows();
    for (let at = rows.indexOf(row) + down; at >= 0 && at < rows.length; at += down) {
      const next = rows[at].nearest(row.start(i));
      if (next >= 0) return this.bring({row: rows[at], i: next});
    }
    return null;
  }

  toEnd(last) {
    if (!this.selected) return;
    const {row} = this.selected;
    const i = row.nearest(last ? this.model.length : 0);
    if (i >= 0) this.bring({row, i});
  }

  zoomToSelected() {
    if (!this.selected) return;
    const start = this.selected.row.start(this.selected.i),
      end = this.selected.row.end(this.selected.i);
    this.look(start - (end - start), end + (end - start));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => (event.shiftKey ? this.pan(-0.2) : this.move(-1, 0)),
      ArrowRight: () => (event.shiftKey ? this.pan(0.2) : this.move(1, 0)),
      ArrowUp: () => this.move(0, -1),
      ArrowDown: () => this.move(0, 1),
      Home: () => this.toEnd(false),
      End: () => this.toEnd(true),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      0: () => this.look(0, this.model.length),
      Enter: () => this.zoomToSelected(),
      n: () => this.search.step(1),
      p: () => this.search.step(-1),
      N: () => this.search.step(1),
      P: () => this.search.step(-1),
      "/": () => this.search.field.focus(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}

// A timeline for each clock, the one of the device first.
function timelinesOf(data) {
  const clocks = (data.timeline || {}).clocks || [];
  const timelines = Array.from({length: Math.max(1, clocks.length)}, (_, clock) => new Timeline(data, clock));
  const filled = timelines.filter(timeline => timeline.model.tracks.length);
  return filled.length ? filled : timelines.slice(0, 1);
}

// The canvas in words: a row for each track.
function trackTable(tracks, names) {
  const columns = [
    {title: "Track", type: "text"},
    {title: "Group", type: "text"},
    {title: "Busy", type: "share"},
    {title: "Most time", type: "text", key: "name"},
    {title: "Slices", type: "number"},
    {title: "Drawn", type: "text"},
  ];
  const rows = tracks.map(track => {
    const {busy, top} = track.summed();
    const drawn = phrase(track.isExact ? "timeline.every" : "timeline.longest");
    return [track.name, track.group, busy, names[top] ?? null, track.slices, drawn];
  });
  return details(
    phrase("timeline.numbers", {tracks: plural(rows.length, "track")}),
    plainTable(phrase("timeline.tracks"), columns, rows)
  );
}

function timelineSection(timelines) {
  const tracks = timelines.flatMap(timeline => timeline.model.tracks);
  if (!tracks.length) return null;
  const sizes = timelines.map(({model}) =>
    phrase("timeline.size", {slices: plural(model.tasks, "slice"), time: time(model.length)})
  );
  const exact = phrase(tracks.every(track => track.isExact) ? "timeline.all-drawn" : "timeline.some-drawn");
  const apart = timelines.length > 1;
  return section(
    "timeline",
    listed("sentences", [...sizes, exact, ...(apart ? [phrase("timeline.apart")] : [])]),
    timelines.map(timeline => [
      apart ? make("h3", null, phrase("timeline.clock-of", {groups: listed("pair", timeline.model.groups())})) : null,
      timeline.node,
    ]),
    make("div", {class: "card folded"}, trackTable(tracks, timelines[0].model.names))
  );
}
