// page.js: reads the data, makes the parts of the page, and their order; color scheme and paper.

const PARTS = ["base", "findings", "time", "timeline", "operators", "counters", "roofline", "calls", "notes"];

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
      {class: "link", title: phrase("operators.find")}
    );
  const {omitted, omitted_time_ns: rest} = operators;
  const table = new SortedTable({
    id: "operators",
    caption: phrase("operators.title"),
    columns: operators.columns,
    rows: operators.rows,
    omitted:
      omitted > 0
        ? phrase("operators.omitted", {operators: plural(omitted, "further-operator"), time: time(rest)})
        : null,
    content: (column, value) => (column.key === "name" && known.has(value) ? find(value) : null),
  });
  return section("operators", phrase("operators.lead"), table.node);
}

function setTheme(isDark, timelines) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  timelines.forEach(timeline => timeline.redraw());
}

function themeButton(timelines) {
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const toggle = button(phrase("dark"), () => choose(toggle.getAttribute("aria-pressed") !== "true"), {
    "aria-pressed": "false",
    title: phrase("dark.title"),
  });
  const choose = isDark => {
    toggle.setAttribute("aria-pressed", isDark);
    setTheme(isDark, timelines);
  };
  choose(preferred.matches);
  preferred.addEventListener("change", () => choose(preferred.matches));
  return toggle;
}

// Paper is white, everything on it is open, and the canvas is as wide as the paper.
function preparePrint(timelines) {
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
    timelines.forEach(timeline => timeline.print());
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
    timelines.forEach(timeline => timeline.fit());
  });
}

function start() {
  const main = document.getElementById("main");
  let data;
  try {
    data = JSON.parse(document.getElementById("data").textContent);
  } catch (error) {
    main.replaceChildren(make("p", {class: "card"}, phrase("unreadable", {error: error.message})));
    return;
  }
  const name = short((data.job || {}).name, 80);
  document.title = phrase("title", {job: name});
  const timelines = timelinesOf(data);
  const parts = [
    comparison(data),
    findings(data),
    whereTimeWent(data),
    timelineSection(timelines),
    operatorsSection(data, timelines[0]),
    countersSection(data, timelines[0].model),
    rooflineSection(data),
    callsSection(data),
    notesAndSettings(data),
  ].filter(Boolean);
  main.replaceChildren(jobHead(data), verdict(data) || "", alerts(data) || "", headline(data) || "", ...parts);
  const links = PARTS.filter(id => parts.some(part => part.id === id)).map(id =>
    make("a", {href: "#" + id}, phrase(id + ".link"))
  );
  document.getElementById("top").replaceChildren(
    make(
      "div",
      {class: "bar"},
      make("a", {class: "brand", href: "#main"}, "msprof"),
      make("nav", {"aria-label": phrase("parts")}, links),
      make(
        "div",
        {class: "tools"},
        themeButton(timelines),
        button(phrase("print"), () => window.print())
      )
    )
  );
  document
    .getElementById("foot")
    .replaceChildren(make("p", {class: "fine"}, phrase("foot", {version: data.version || ""})));
  preparePrint(timelines);
  requestAnimationFrame(() => setTimeout(() => performance.mark("shown")));
}
