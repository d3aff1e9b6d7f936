// charts.js: counters over time: a value holds until the next sample.

const CHART_HEIGHT = 100; // of the drawing, whose width is 1000; the page stretches both
const MOST_STEPS = 200;

// When a sample ceases to hold: with the next one, at most at the end of the timeline. The last holds as long as most.
function holdsUntil(counter, i) {
  const {time_ns: times, end_ns: end} = counter;
  const last = times.length - 1;
  if (i < last) return Math.min(end, times[i + 1]);
  return Math.min(end, last > 0 ? times[last] + (times[last] - times[0]) / last : end);
}

// What holds within the timeline: from, to, value.
function spansOf(counter) {
  return counter.value
    .map((value, i) => ({from: Math.max(0, counter.time_ns[i]), to: holdsUntil(counter, i), value}))
    .filter(span => span.to > span.from && isNumber(span.value));
}

function figuresOf(spans) {
  let least = Infinity,
    most = -Infinity,
    sum = 0,
    length = 0;
  for (const {from, to, value} of spans) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value * (to - from);
    length += to - from;
  }
  return {least, most, mean: sum / length};
}

// Many samples as few: the mean of each piece of time, and the least and the largest value in it.
function inPieces(spans, end) {
  const size = end / MOST_STEPS;
  const pieces = Array.from({length: MOST_STEPS}, (_, i) => ({
    from: i * size,
    to: (i + 1) * size,
    sum: 0,
    held: 0,
    least: Infinity,
    most: -Infinity,
  }));
  for (const {from, to, value} of spans) {
    const last = Math.min(MOST_STEPS - 1, Math.floor(to / size));
    for (let i = Math.floor(from / size); i <= last; i++) {
      const piece = pieces[i];
      const held = Math.min(to, piece.to) - Math.max(from, piece.from);
      if (held <= 0) continue;
      piece.sum += value * held;
      piece.held += held;
      piece.least = Math.min(piece.least, value);
      piece.most = Math.max(piece.most, value);
    }
  }
  return pieces.filter(piece => piece.held > 0).map(piece => ({...piece, value: piece.sum / piece.held}));
}

// Paths of the line, of what lies below it, and of the range of values. A time without a value ends the line. Where a
// file has of many samples the least and the largest alone, nobody knows the mean: there is no line then.
function stepPaths(steps, end, top, isThinned) {
  const x = ns => ((1000 * ns) / end).toFixed(2);
  const y = value => (CHART_HEIGHT * (1 - Math.max(0, value) / top)).toFixed(2);
  const box = (step, low, high) => `M${x(step.from)} ${y(low)}V${y(high)}H${x(step.to)}V${y(low)}Z`;
  const band = steps
    .map(step => (isNumber(step.most) ? box(step, isThinned ? step.least : 0, step.most) : ""))
    .join("");
  if (isThinned) return {line: "", area: "", band};
  let line = "",
    before = NaN;
  for (const step of steps) {
    line += (step.from === before ? `V${y(step.value)}` : `M${x(step.from)} ${y(step.value)}`) + `H${x(step.to)}`;
    before = step.to;
  }
  return {line, area: steps.map(step => box(step, 0, step.value)).join(""), band};
}

function sampleAt(counter, ns) {
  let low = 0,
    high = counter.time_ns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (counter.time_ns[middle] <= ns) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function valueText(counter, value) {
  return isNumber(value) ? withUnit(figure(value), counter.unit) : "–";
}

// The value below the pointer, in words beside the title.
function followPointer(counter, picture, cursor, text, rest) {
  picture.addEventListener("pointermove", event => {
    const box = picture.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const ns = share * counter.end_ns;
    const i = sampleAt(counter, ns);
    cursor.setAttribute("x1", share * 1000);
    cursor.setAttribute("x2", share * 1000);
    cursor.removeAttribute("visibility");
    const value = valueText(counter, i < 0 || holdsUntil(counter, i) < ns ? null : counter.value[i]);
    say(text, phrase("counters.at", {value, time: time(ns)}));
  });
  picture.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    say(text, rest);
  });
}

function counterChart(counter) {
  const spans = spansOf(counter);
  if (!spans.length) return null;
  const {least, most, mean} = figuresOf(spans);
  const top = counter.unit === "%" ? Math.max(100, most) : most > 0 ? most : 1;
  const isThinned = counter.samples > counter.value.length;
  const steps = spans.length > MOST_STEPS ? inPieces(spans, counter.end_ns) : spans;
  const paths = stepPaths(steps, counter.end_ns, top, isThinned);
  const [from, to] = [valueText(counter, least), valueText(counter, most)];
  const rest = isThinned
    ? phrase("counters.range", {from, to})
    : phrase("counters.mean", {mean: valueText(counter, mean), to});
  const track = counter.track ? [short(translated(counter.track), 60)] : [];
  const title = listed("pair", [short(translated(counter.name), 80), ...track]);
  const cursor = shape("line", {y1: 0, y2: CHART_HEIGHT, class: "cursor", visibility: "hidden"});
  const picture = shape(
    "svg",
    {
      viewBox: `0 0 1000 ${CHART_HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": phrase("counters.label", {
        title,
        rest,
        from,
        samples: plural(counter.samples || counter.value.length, "sample"),
      }),
    },
    [0, 0.5, 1].map(part =>
      shape("line", {x1: 0, x2: 1000, y1: CHART_HEIGHT * part, y2: CHART_HEIGHT * part, class: "grid"})
    ),
    shape("path", {d: paths.band, class: isThinned ? "band alone" : "band"}),
    shape("path", {d: paths.area, class: "area"}),
    shape("path", {d: paths.line, class: "line"}),
    cursor
  );
  const text = make("span", {class: "number"}, rest);
  followPointer(counter, picture, cursor, text, rest);
  return make(
    "figure",
    {class: "chart"},
    make("figcaption", null, make("strong", null, title), text),
    make(
      "div",
      {class: "plot"},
      make("span", {class: "scale"}, make("span", null, valueText(counter, top)), make("span", null, "0")),
      picture
    ),
    make("div", {class: "ends"}, make("span", null, "0"), make("span", null, time(counter.end_ns)))
  );
}

// Where no counter tells how busy the device was, the tracks do.
function busyCounters(model) {
  return model.tracks
    .filter(track => track.kind === "device" && track.slices > 0)
    .slice(0, 4)
    .map(track => {
      const busy = track.busy(256);
      return {
        name: phrase("Busy"),
        unit: "%",
        track: track.name,
        value: Array.from(busy, share => 100 * share),
        time_ns: Array.from(busy, (_, i) => (model.length * i) / busy.length),
      };
    });
}

// All counters have the time of the timeline, so that they can be compared.
function countersSection(data, model) {
  const told = (data.counters || []).filter(counter => counter.value && counter.value.length);
  const counters = told.some(counter => counter.unit === "%") ? told : [...busyCounters(model), ...told];
  const charts = counters.map(counter => counterChart({...counter, end_ns: model.length})).filter(Boolean);
  return charts.length
    ? section("counters", phrase("counters.lead"), make("div", {class: "card charts"}, charts))
    : null;
}
