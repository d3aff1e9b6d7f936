// dom.js: elements. Every text becomes a text node or an attribute: no name of a job is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

// Attributes that are null or false are left out; those named on... are listeners.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function shape(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function button(text, action, attributes) {
  return make("button", {type: "button", onclick: action, ...attributes}, text);
}

// A part of the page with a heading, to which the bar at the top leads.
function section(id, lead, ...children) {
  return make(
    "section",
    {id, "aria-labelledby": id + "-title"},
    make("h2", {id: id + "-title"}, phrase(id + ".title")),
    lead ? make("p", {class: "lead"}, lead) : null,
    children
  );
}

function details(summary, ...children) {
  return make("details", null, make("summary", null, summary), children);
}

// Names of fused operators are long: they may break behind a sign, not within a word.
function breakable(text) {
  return text.length < 12 ? text : text.split(/(?<=[,/_.])/).flatMap((part, i) => (i ? [make("wbr"), part] : [part]));
}

// One place that a screen reader reads aloud when it changes.
function status(attributes) {
  return make("p", {role: "status", class: "status", ...attributes});
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function color(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
}
