// format.js: texts of the page, numbers, times and names as people read them.

// The table of texts: a line is "id = text". Texts that the data has are ids themselves: another language has them.
const TEXTS = new Map(
  document
    .getElementById("texts")
    .textContent.split("\n")
    .filter(line => line.includes(" = "))
    .map(line => [line.slice(0, line.indexOf(" = ")), line.slice(line.indexOf(" = ") + 3)])
);

const TIME_UNITS = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];
const LONGEST_NAME = 160;

// The text of an id, with its values in the places {name}.
function phrase(id, values) {
  return (TEXTS.get(id) ?? id).replace(/\{(\w+)\}/g, (place, name) =>
    values && name in values ? values[name] : place
  );
}

// Texts as a list, by the id of how two of them stand beside each other.
function listed(id, texts) {
  return texts.length ? texts.reduce((a, b) => phrase(id, {a, b})) : "";
}

// A text of the data, in the language of the page where its table has it.
function translated(text) {
  return isNumber(text) ? text : (TEXTS.get(text) ?? text);
}

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function decimals(value, digits) {
  return value.toLocaleString("en-US", {minimumFractionDigits: digits, maximumFractionDigits: digits});
}

function integer(value) {
  return isNumber(value) ? decimals(value, 0) : "–";
}

// "n.row" has the form for one, and after "|" that for any other number.
function plural(count, what) {
  const forms = (TEXTS.get("n." + what) ?? `{n} ${what}|{n} ${what}s`).split("|");
  return forms[count === 1 ? 0 : forms.length - 1].replace("{n}", integer(count));
}

// Four digits that count, and never more decimals than nanoseconds have.
function time(ns) {
  if (!isNumber(ns)) return "–";
  const [unit, size] = TIME_UNITS.find(([, size]) => Math.abs(ns) >= size) || TIME_UNITS[3];
  const value = ns / size;
  const before = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  return decimals(value, size === 1 ? 0 : Math.max(0, 4 - before)) + " " + unit;
}

// The exact time: nanoseconds in groups of three.
function exactTime(ns) {
  return integer(ns) + " ns";
}

// A time since the epoch of its clock may exceed what a double holds.
function absoluteTime(beginText, ns) {
  try {
    return (BigInt(beginText) + BigInt(Math.round(ns))).toLocaleString("en-US") + " ns";
  } catch {
    return exactTime(ns);
  }
}

function signed(text, value) {
  return value > 0 ? "+" + text : text.replace(/^-/, "−");
}

function percent(share, digits) {
  return isNumber(share) ? withUnit(decimals(100 * share, digits === undefined ? 1 : digits), "%") : "–";
}

// Three digits that count, and all before the point as long as they are few.
function figure(value) {
  if (!isNumber(value)) return "–";
  if (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 0.01)) return compact(value);
  return decimals(value, Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

// Thousands, millions: for axes, where room is short.
function compact(value) {
  if (!isNumber(value)) return "–";
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2);
  return value.toLocaleString("en-US", {notation: "compact", maximumFractionDigits: 2});
}

// Names of 10,000 characters exist. What is left out is said; tables copy the whole name.
function short(name, limit) {
  const text = String(name ?? "–");
  const most = limit || LONGEST_NAME;
  if (text.length <= most) return text;
  const cut = Array.from(text.slice(0, most + 1))
    .slice(0, -1)
    .join("");
  return phrase("cut", {text: cut, characters: plural(text.length, "character")});
}

function unitText(unit) {
  return unit === "us" ? "µs" : unit || "";
}

// A number and its unit, if it has one.
function withUnit(number, unit) {
  if (!unit) return number;
  return unit === "%" ? phrase("percent", {number}) : `${number} ${unitText(unit)}`;
}

// "Mean(us)" is a title and a unit.
function titleOf(text) {
  const found = /^(.*[^ ]) ?\(([^()]{1,12})\)$/.exec(text);
  return found ? {title: found[1], unit: found[2]} : {title: text, unit: null};
}

// Shares with one decimal that add up to 100: the largest remainders are rounded up.
function wholeShares(values) {
  const sum = values.reduce((a, b) => a + b, 0);
  if (!(sum > 0)) return values.map(() => 0);
  const exact = values.map(value => (1000 * value) / sum);
  const cut = exact.map(Math.floor);
  const rest = 1000 - cut.reduce((a, b) => a + b, 0);
  exact
    .map((value, i) => [value - cut[i], i])
    .sort((a, b) => b[0] - a[0])
    .slice(0, rest)
    .forEach(([, i]) => cut[i]++);
  return cut.map(value => value / 10);
}
