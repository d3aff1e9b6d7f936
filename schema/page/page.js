// page.js: reads the data, makes the parts of the page, and their order; color scheme and paper.

const PARTS = [
  ["findings", "Findings"],
  ["time", "Time"],
  ["base", "Against BASE"],
  ["timeline", "Timeline"],
  ["operators", "Operators"],
  ["counters", "Counters"],
  ["roofline", "Roofline"],
  ["calls", "Calls"],
  ["notes", "Notes"],
];

function operatorsSection(data, timeline) {
  const operators = data.operators;
  if (!operators || !(operators.rows || []).length) return null;
  const known = new Set(timeline.model.names);
  const find = name =>
    button(
      breakable(short(name)),
      () => {
        document.getElementById("timeline").scrollIntoView({block: "start"});
        timeline.search.show(name);
        timeline.canvas.focus({preventScroll: true});
      },
      {class: "link", title: "Find it in the timeline"}
    );
  const {omitted, omitted_time_ns: rest} = operators;
  const table = new SortedTable({
    id: "operators",
    caption: "Operators",
    columns: operators.columns,
    rows: operators.rows,
    omitted: omitted > 0 ? `${plural(omitted, "further operator")} not in this file, together ${time(rest)}.` : null,
    content: (column, value) => (column.key === "name" && known.has(value) ? find(value) : null),
  });
  return section(
    "operators",
    "Operators",
    "Longest time first. A name leads to its place in the timeline.",
    table.node
  );
}

function setTheme(isDark, timeline) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  timeline.redraw();
}

function themeButton(timeline) {
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const toggle = button("Dark", () => choose(toggle.getAttribute("aria-pressed") !== "true"), {
    "aria-pressed": "false",
    title: "Dark colors",
  });
  const choose = isDark => {
    toggle.setAttribute("aria-pressed", isDark);
    setTheme(isDark, timeline);
  };
  choose(preferred.matches);
  preferred.addEventListener("change", () => choose(preferred.matches));
  return toggle;
}

// Paper is white, everything on it is open, and the canvas is as wide as the paper.
function preparePrint(timeline) {
  let opened = [],
    theme = null;
  addEventListener("beforeprint", () => {
    theme = theme || document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    opened = opened.concat([...document.querySelectorAll("details:not([open])")]);
    opened.forEach(node => {
      node.open = true;
    });
    document.querySelectorAll(".finding[hidden]").forEach(card => {
      card.hidden = false;
      card.classList.add("printed");
    });
    timeline.print();
  });
  addEventListener("afterprint", () => {
    opened.forEach(node => {
      node.open = false;
    });
    document.querySelectorAll(".finding.printed").forEach(card => {
      card.hidden = true;
      card.classList.remove("printed");
    });
    document.documentElement.dataset.theme = theme;
    [opened, theme] = [[], null];
    timeline.fit();
  });
}

function start() {
  const main = document.getElementById("main");
  let data;
  try {
    data = JSON.parse(document.getElementById("data").textContent);
  } catch (error) {
    main.replaceChildren(make("p", {class: "card"}, "The data of this report cannot be read: " + error.message));
    return;
  }
  const name = short((data.job || {}).name, 80);
  document.title = name + " · msprof report";
  const timeline = new Timeline(data);
  const parts = [
    findings(data),
    whereTimeWent(data),
    comparison(data),
    timelineSection(data, timeline),
    operatorsSection(data, timeline),
    countersSection(data, timeline.model),
    rooflineSection(data),
    callsSection(data),
    notesAndSettings(data),
  ].filter(Boolean);
  main.replaceChildren(jobHead(data), verdict(data) || "", alerts(data) || "", headline(data) || "", ...parts);
  const links = PARTS.filter(([id]) => parts.some(part => part.id === id)).map(([id, title]) =>
    make("a", {href: "#" + id}, title)
  );
  document.getElementById("top").replaceChildren(
    make(
      "div",
      {class: "bar"},
      make("a", {class: "brand", href: "#main"}, "msprof"),
      make("nav", {"aria-label": "Parts of the report"}, links),
      make(
        "div",
        {class: "tools"},
        themeButton(timeline),
        button("Print", () => window.print())
      )
    )
  );
  document
    .getElementById("foot")
    .replaceChildren(
      make("p", {class: "fine"}, `Made by msprof ${data.version || ""}. This file needs no network and sends nothing.`)
    );
  preparePrint(timeline);
  requestAnimationFrame(() => setTimeout(() => performance.mark("shown")));
}
