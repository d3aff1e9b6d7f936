// roofline.js: operators below the two bounds of the chip: its operations a second, and its memory.

const ROOF_LABELS = 6;

// Text keeps its size: a phone gets a smaller drawing, not smaller letters.
function roofSize() {
  return {
    width: innerWidth < 640 ? 360 : 760,
    height: innerWidth < 640 ? 320 : 380,
    left: 48,
    right: 16,
    top: 16,
    bottom: 44,
  };
}

function decades(least, most) {
  const from = Math.floor(Math.log10(least)),
    to = Math.ceil(Math.log10(most));
  return {from, to: to > from ? to : from + 1};
}

function roofScales(roofline, points, size) {
  const peak = roofline.peak_ops_per_s;
  const ridge = roofline.bandwidth_bytes_per_s ? peak / roofline.bandwidth_bytes_per_s : null;
  const across = decades(
    Math.min(...points.map(p => p.ops_per_byte), ridge || Infinity),
    Math.max(...points.map(p => p.ops_per_byte), ridge || 0)
  );
  const up = decades(Math.min(...points.map(p => p.ops_per_s), peak / 10), peak);
  const part = (value, range) => (Math.log10(value) - range.from) / (range.to - range.from);
  return {
    size,
    across,
    up,
    peak,
    ridge,
    x: value => size.left + part(value, across) * (size.width - size.left - size.right),
    y: value => size.height - size.bottom - part(value, up) * (size.height - size.top - size.bottom),
  };
}

function roofGrid(scales) {
  const {size} = scales;
  const lines = [];
  for (let power = scales.across.from; power <= scales.across.to; power++) {
    const x = scales.x(10 ** power);
    lines.push(
      shape("line", {x1: x, x2: x, y1: size.top, y2: size.height - size.bottom, class: "grid"}),
      shape("text", {x, y: size.height - size.bottom + 18, "text-anchor": "middle"}, compact(10 ** power))
    );
  }
  for (let power = scales.up.from; power <= scales.up.to; power++) {
    const y = scales.y(10 ** power);
    lines.push(
      shape("line", {x1: size.left, x2: size.width - size.right, y1: y, y2: y, class: "grid"}),
      shape("text", {x: size.left - 8, y: y + 4, "text-anchor": "end"}, compact(10 ** power))
    );
  }
  return [
    ...lines,
    shape("text", {x: size.width - size.right, y: size.height - 6, "text-anchor": "end"}, phrase("roofline.across")),
    shape("text", {x: size.left + 6, y: size.top + 12}, phrase("roofline.up")),
  ];
}

function roofLine(roofline, scales) {
  const {size} = scales;
  const right = scales.x(10 ** scales.across.to),
    top = scales.y(scales.peak);
  if (!scales.ridge) return shape("path", {d: `M${size.left} ${top}H${right}`, class: "roof"});
  const bandwidth = roofline.bandwidth_bytes_per_s;
  const least = Math.max(10 ** scales.across.from, 10 ** scales.up.from / bandwidth);
  return shape("path", {
    d: `M${scales.x(least)} ${scales.y(least * bandwidth)}L${scales.x(scales.ridge)} ${top}H${right}`,
    class: "roof",
  });
}

// Names of the operators with most time, as far as they do not cover each other.
function roofNames(ordered, scales) {
  const taken = ordered.map(p => {
    const x = scales.x(p.ops_per_byte),
      radius = 4 + 14 * Math.sqrt(p.share || 0);
    return {y: scales.y(p.ops_per_s) + 4, left: x - radius, right: x + radius};
  });
  return ordered.slice(0, ROOF_LABELS).map(p => {
    const text = short(p.name, 24),
      width = 7.4 * text.length,
      radius = 8 + 14 * Math.sqrt(p.share || 0);
    const x = scales.x(p.ops_per_byte),
      y = scales.y(p.ops_per_s) + 4;
    const left = x + radius + width > scales.size.width ? x - radius - width : x + radius;
    if (
      left < scales.size.left ||
      taken.some(other => Math.abs(other.y - y) < 15 && left < other.right && left + width > other.left)
    )
      return null;
    taken.push({y, left, right: left + width});
    return shape("text", {x: left, y, class: "name"}, text);
  });
}

function rooflineSection(data) {
  const roofline = data.roofline;
  const points = ((roofline || {}).points || []).filter(p => p.ops_per_byte > 0 && p.ops_per_s > 0);
  if (!points.length || !(roofline.peak_ops_per_s > 0)) return null;
  const scales = roofScales(roofline, points, roofSize());
  const ordered = [...points].sort((a, b) => (b.share || 0) - (a.share || 0));
  const dots = ordered.map(p =>
    shape(
      "circle",
      {cx: scales.x(p.ops_per_byte), cy: scales.y(p.ops_per_s), r: 4 + 14 * Math.sqrt(p.share || 0), class: "dot"},
      shape(
        "title",
        null,
        phrase("roofline.point", {
          name: short(p.name, 80),
          rate: compact(p.ops_per_s),
          work: compact(p.ops_per_byte),
          share: percent(p.share),
        })
      )
    )
  );
  const label = phrase("roofline.label", {
    operators: plural(points.length, "operator"),
    peak: compact(scales.peak),
  });
  const columns = [
    {title: "Operator", type: "text"},
    {title: "Operations", unit: "1/s", type: "text"},
    {title: "Operations", unit: "1/byte", type: "number"},
    {title: "Of the peak", type: "share"},
    {title: "Share of the time", type: "share"},
  ];
  const rows = ordered
    .slice(0, 50)
    .map(p => [p.name, compact(p.ops_per_s), p.ops_per_byte, p.ops_per_s / scales.peak, p.share]);
  return section(
    "roofline",
    phrase("roofline.lead"),
    make(
      "div",
      {class: "card"},
      shape(
        "svg",
        {
          class: "roofline",
          viewBox: `0 0 ${scales.size.width} ${scales.size.height}`,
          role: "img",
          "aria-label": label,
        },
        roofGrid(scales),
        roofLine(roofline, scales),
        dots,
        roofNames(ordered, scales)
      ),
      details(phrase("roofline.numbers"), plainTable(phrase("roofline.table"), columns, rows))
    )
  );
}
