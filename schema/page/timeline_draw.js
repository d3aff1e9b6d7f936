// timeline_draw.js: the canvas of the timeline: axis, names of tracks, slices and bins.

const HUES = [215, 172, 40, 348, 252, 105, 22, 196, 288, 62, 140, 320];
const ON_FILL = "#10161d";
const AXIS_HEIGHT = 26;
const GROUP_HEIGHT = 26;
const TRACK_GAP = 8;
const TITLE_HEIGHT = 18;
const fillsOfNames = new Map();

function hashOf(text) {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  return (hash ^ (hash >>> 11)) >>> 0;
}

// Operators of one kind have one hue: conv1 and conv12,relu12 that of "conv"; each has a tint of its own. All tints are
// light, since the text on them is dark.
function nameColor(name) {
  let fill = fillsOfNames.get(name);
  if (!fill) {
    const kind =
      /^[^\d,./:]*/
        .exec(name)[0]
        .slice(0, 24)
        .replace(/[\s_-]+$/, "")
        .toLowerCase() || name.slice(0, 24);
    fill = `hsl(${HUES[hashOf(kind) % HUES.length]} 64% ${[80, 74, 68][hashOf(name) % 3]}%)`;
    fillsOfNames.set(name, fill);
  }
  return fill;
}

// Where rows lie: the height of everything, and names of groups and tracks.
function layOut(model, width) {
  const left = width >= 720 ? 168 : 0;
  const places = [];
  let y = AXIS_HEIGHT + 6,
    group = null;
  for (const track of model.tracks) {
    if (track.group && track.group !== group) {
      places.push({y, group: track.group});
      y += GROUP_HEIGHT;
    }
    group = track.group;
    const top = y;
    if (!left) y += TITLE_HEIGHT;
    for (const row of track.rows) {
      places.push({y, row});
      y += row.height + 2;
    }
    places.push({y: top, track, bottom: y});
    y = Math.max(y, top + TITLE_HEIGHT) + TRACK_GAP;
  }
  return {left, places, height: y};
}

// 1, 2 or 5 times a power of ten, so that ticks are at least `least` pixels apart.
function tickStep(pixelsPerNs, least) {
  const power = 10 ** Math.floor(Math.log10(least / pixelsPerNs));
  return Math.max(
    1,
    [1, 2, 5, 10].map(n => n * power).find(step => step * pixelsPerNs >= least)
  );
}

function tickText(ns, step, end) {
  const [unit, size] = TIME_UNITS.find(([, size]) => end >= size) || TIME_UNITS[3];
  return decimals(ns / size, Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9))) + " " + unit;
}

// The longest beginning of a text that fits; nothing where not even three letters would.
function fittingText(context, name, room) {
  const text = name.slice(0, 200);
  const mean = 6.6;
  const width = part => context.measureText(part).width;
  if (text.length * mean < room / 2 || width(text) <= room) return text;
  const letters = firstWhere(text.length, k => width(text.slice(0, k + 1) + "…") > room);
  return letters < 2 ? "" : text.slice(0, letters) + "…";
}

class TimelinePainter {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.context = canvas.getContext("2d");
    this.widths = new Map();
  }

  resize(width, height, ratio) {
    Object.assign(this, {width, height, ratio});
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = height + "px";
    this.layout = layOut(this.model, width);
    this.plot = width - this.layout.left;
  }

  readStyle() {
    this.font = getComputedStyle(document.body).fontFamily;
    this.colors = {};
    for (const name of ["card", "text", "muted", "line", "lane", "focus", "accent"]) this.colors[name] = color(name);
  }

  x(view, ns) {
    return this.layout.left + ((ns - view.from) * this.plot) / (view.to - view.from);
  }

  ns(view, x) {
    return view.from + ((x - this.layout.left) * (view.to - view.from)) / this.plot;
  }

  // `state`: view, scroll, wanted (names that were searched), selected and hovered {row, i}
  draw(state) {
    const {context, layout} = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.colors.card;
    context.fillRect(0, 0, this.width, this.height);
    this.grid(state);
    for (const place of layout.places) {
      const y = place.y - state.scroll;
      if (y > this.height || (place.bottom || place.y + 60) - state.scroll < AXIS_HEIGHT) continue;
      if (place.row) this.row(place.row, y, state);
    }
    if (layout.left) {
      context.fillStyle = this.colors.card;
      context.fillRect(0, AXIS_HEIGHT, layout.left - 6, this.height);
    }
    for (const place of layout.places) {
      if (!place.row) this.title(place, place.y - state.scroll);
    }
    this.axis(state);
    this.mark(state.hovered, state, 1.5, this.colors.text);
    this.mark(state.selected, state, 2.5, this.colors.focus);
  }

  ticks(view) {
    const scale = this.plot / (view.to - view.from);
    const step = tickStep(scale, 96);
    const ticks = [];
    for (let at = Math.ceil(view.from / step) * step; at <= view.to && ticks.length < 200; at += step) ticks.push(at);
    return {step, ticks};
  }

  grid({view}) {
    this.context.fillStyle = this.colors.line;
    for (const at of this.ticks(view).ticks)
      this.context.fillRect(Math.round(this.x(view, at)), AXIS_HEIGHT, 1, this.height);
  }

  axis({view}) {
    const {context} = this;
    const {step, ticks} = this.ticks(view);
    context.fillStyle = this.colors.card;
    context.fillRect(0, 0, this.width, AXIS_HEIGHT);
    context.fillStyle = this.colors.line;
    context.fillRect(0, AXIS_HEIGHT - 1, this.width, 1);
    context.fillStyle = this.colors.muted;
    context.font = `12px ${this.font}`;
    context.textBaseline = "middle";
    let free = 0;
    for (const at of ticks) {
      const x = this.x(view, at) + 4,
        text = tickText(at, step, view.to),
        end = x + this.textWidth(text);
      if (x < free || end + 2 >= this.width) continue;
      context.fillText(text, x, AXIS_HEIGHT / 2);
      free = end + 8;
    }
  }

  title(place, y) {
    const {context} = this;
    const bottom = place.group ? y + GROUP_HEIGHT : y + TITLE_HEIGHT;
    if (bottom < AXIS_HEIGHT || y > this.height) return;
    context.textBaseline = "middle";
    context.font = `${place.group ? 600 : 400} 12.5px ${this.font}`;
    context.fillStyle = place.group ? this.colors.text : this.colors.muted;
    const room = (this.layout.left || this.width) - 16;
    const offset = place.group ? GROUP_HEIGHT / 2 : this.layout.left ? 11 : TITLE_HEIGHT / 2;
    context.fillText(
      this.fitting(translated(place.group || place.track.name), room),
      place.group || !this.layout.left ? 4 : 12,
      y + offset
    );
  }

  row(row, y, state) {
    const {context} = this;
    context.fillStyle = this.colors.lane;
    context.fillRect(this.layout.left, y, this.plot, row.height);
    if (row.kind === "bin") this.bins(row, y, state);
    else this.slices(row, y, state);
  }

  fillOf(name, wanted) {
    if (wanted && !wanted[name]) return this.colors.line;
    return nameColor(this.model.names[name] ?? "–");
  }

  // Slices narrower than a pixel are drawn once a pixel, as dark as they fill it: the next one is sought by halving.
  slices(row, y, {view, wanted}) {
    const {context} = this;
    const scale = this.plot / (view.to - view.from),
      pixel = 1 / scale;
    const right = this.width;
    context.font = `12px ${this.font}`;
    context.textBaseline = "middle";
    for (let i = row.from(view.from); i < row.count && row.starts[i] < view.to; i++) {
      const x = Math.max(this.layout.left, this.x(view, row.starts[i]));
      const end = Math.min(right, this.x(view, row.ends[i]));
      context.fillStyle = this.fillOf(row.names[i], wanted);
      if (end - x < 1) {
        const last = this.skip(row, i, this.ns(view, Math.floor(x) + 1), pixel);
        context.globalAlpha = Math.max(0.4, Math.min(1, row.busy(i, last) * scale));
        context.fillRect(Math.floor(x), y + 1, 1, row.height - 2);
        context.globalAlpha = 1;
        i = last;
        continue;
      }
      context.fillRect(x, y + 1, Math.max(1, end - x - (end - x > 4 ? 1 : 0)), row.height - 2);
      if (end - x > 26) this.label(row, i, x, end - x, y, wanted);
    }
  }

  // The last slice that begins before the next pixel, or the one before it where that slice is wide enough to be seen.
  skip(row, i, next, pixel) {
    const last = Math.max(i, i + firstWhere(row.count - i, k => row.starts[i + k] >= next) - 1);
    return row.ends[last] - row.starts[last] >= pixel ? Math.max(i, last - 1) : last;
  }

  label(row, i, x, room, y, wanted) {
    const text = this.fitting(this.model.names[row.names[i]] ?? "–", room - 10);
    if (!text) return;
    this.context.fillStyle = wanted && !wanted[row.names[i]] ? this.colors.text : ON_FILL;
    this.context.fillText(text, x + 5, y + row.height / 2 + 0.5);
  }

  bins(row, y, {view, wanted}) {
    const {context} = this;
    const scale = this.plot / (view.to - view.from);
    const level = row.levelFor(scale);
    const size = row.length / level.bins;
    const together = Math.max(1, Math.floor(1 / (size * scale)));
    const first = Math.max(0, Math.floor(view.from / size)),
      last = Math.min(level.bins - 1, Math.floor(view.to / size));
    for (let i = first - (first % together); i <= last; i += together) {
      let busy = 0,
        most = -1,
        top = -1;
      for (let j = i; j < Math.min(level.bins, i + together); j++) {
        busy += level.busy[j];
        if (level.busy[j] > most) [most, top] = [level.busy[j], level.top[j]];
      }
      if (!busy) continue;
      const x = Math.max(this.layout.left, this.x(view, i * size));
      const end = Math.min(this.width, this.x(view, (i + together) * size));
      const height = Math.max(1, (busy / together / 255) * (row.height - 2));
      context.fillStyle = this.fillOf(top, wanted);
      context.fillRect(x, y + row.height - 1 - height, Math.max(1, end - x), height);
    }
  }

  mark(item, state, width, stroke) {
    const place = item && this.layout.places.find(other => other.row === item.row);
    if (!place) return;
    const {context} = this;
    const x = Math.max(this.layout.left + 1, this.x(state.view, item.row.start(item.i)));
    const end = Math.min(this.width - 1, this.x(state.view, item.row.end(item.i)));
    const y = place.y - state.scroll;
    if (end < this.layout.left || x > this.width || y + place.row.height < AXIS_HEIGHT) return;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.strokeRect(x, y + 0.5, Math.max(2, end - x), place.row.height - 1);
  }

  textWidth(text) {
    return this.context.measureText(text).width;
  }

  fitting(name, room) {
    return fittingText(this.context, name, room);
  }
}
