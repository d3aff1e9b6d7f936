// charts.js: counters over time: a value holds until the next sample.

const CHART_HEIGHT = 100; // of the drawing, whose width is 1000; the page stretches both

function figuresOf(counter) {
  let least = Infinity,
    most = -Infinity,
    sum = 0,
    length = 0;
  counter.value.forEach((value, i) => {
    if (!isNumber(value)) return;
    const span = Math.max(
      0,
      (i + 1 < counter.time_ns.length ? counter.time_ns[i + 1] : counter.end_ns) - counter.time_ns[i]
    );
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value * span;
    length += span;
  });
  return {least, most, mean: length > 0 ? sum / length : least};
}

// Two paths: the line, and the area below it. A missing value ends both.
function stepPaths(counter, top) {
  const x = ns => ((1000 * (ns - counter.begin_ns)) / (counter.end_ns - counter.begin_ns)).toFixed(2);
  const y = value => (CHART_HEIGHT * (1 - value / top)).toFixed(2);
  let line = "",
    area = "",
    open = false;
  counter.value.forEach((value, i) => {
    const end = i + 1 < counter.time_ns.length ? counter.time_ns[i + 1] : counter.end_ns;
    if (!isNumber(value)) {
      open = false;
      return;
    }
    const from = x(counter.time_ns[i]),
      to = x(end),
      at = y(value);
    line += open ? `V${at}H${to}` : `M${from} ${at}H${to}`;
    area += `M${from} ${CHART_HEIGHT}V${at}H${to}V${CHART_HEIGHT}Z`;
    open = true;
  });
  return {line, area};
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
  return isNumber(value) ? figure(value) + (counter.unit ? " " + unitText(counter.unit) : "") : "–";
}

// The value below the pointer, in words beside the title.
function followPointer(counter, picture, cursor, text, rest) {
  picture.addEventListener("pointermove", event => {
    const box = picture.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const ns = counter.begin_ns + share * (counter.end_ns - counter.begin_ns);
    const i = sampleAt(counter, ns);
    cursor.setAttribute("x1", share * 1000);
    cursor.setAttribute("x2", share * 1000);
    cursor.removeAttribute("visibility");
    say(text, `${valueText(counter, i < 0 ? null : counter.value[i])} at ${time(ns)}`);
  });
  picture.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    say(text, rest);
  });
}

function counterChart(counter) {
  const {least, most, mean} = figuresOf(counter);
  if (!isNumber(most)) return null;
  const top = counter.unit === "%" ? Math.max(100, most) : most > 0 ? most : 1;
  const paths = stepPaths(counter, top);
  const rest = `mean ${valueText(counter, mean)}, most ${valueText(counter, most)}`;
  const title = short(counter.name, 80) + (counter.track ? ", " + short(counter.track, 60) : "");
  const cursor = shape("line", {y1: 0, y2: CHART_HEIGHT, class: "cursor", visibility: "hidden"});
  const picture = shape(
    "svg",
    {
      viewBox: `0 0 1000 ${CHART_HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${title}: ${rest}, least ${valueText(counter, least)}, ${plural(counter.value.length, "sample")}`,
    },
    [0, 0.5, 1].map(part =>
      shape("line", {x1: 0, x2: 1000, y1: CHART_HEIGHT * part, y2: CHART_HEIGHT * part, class: "grid"})
    ),
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
    make(
      "div",
      {class: "ends"},
      make("span", null, counter.begin_ns ? time(counter.begin_ns) : "0"),
      make("span", null, time(counter.end_ns))
    )
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
        name: "Busy",
        unit: "%",
        track: track.name,
        value: Array.from(busy, share => 100 * share),
        time_ns: Array.from(busy, (_, i) => (model.length * i) / busy.length),
      };
    });
}

// All counters have one time, so that they can be compared: samples may lie before and after the slices.
function countersSection(data, model) {
  const told = (data.counters || []).filter(counter => counter.value && counter.value.length);
  const counters = told.some(counter => counter.unit === "%") ? told : [...busyCounters(model), ...told];
  const begin = counters.reduce((least, counter) => Math.min(least, counter.time_ns[0]), 0);
  const end = counters.reduce(
    (most, counter) => Math.max(most, counter.time_ns[counter.time_ns.length - 1]),
    model.length
  );
  const charts = counters.map(counter => counterChart({...counter, begin_ns: begin, end_ns: end})).filter(Boolean);
  return charts.length
    ? section(
        "counters",
        "Utilisation and counters",
        "Times are those of the timeline; a value holds until the next sample.",
        make("div", {class: "card charts"}, charts)
      )
    : null;
}
