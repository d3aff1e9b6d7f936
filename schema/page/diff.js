// diff.js: what changed against BASE.

const CHANGE_PARTS = [
  ["new_ns", "base.new"],
  ["gone_ns", "base.gone"],
  ["calls_ns", "base.calls"],
  ["each_ns", "base.each"],
];
const VERDICTS = {slower: "high", faster: "good", same: "note", inconclusive: "medium"};
const FIRST_ROWS = 10;
const MOST_ROWS = 50;
// What decides comes first: a phone shows these columns.
const ROWS_OF_DIFF = [
  ["name", "Operator", "text"],
  ["change_ns", "Change", "change"],
  ["change_share", "Relative", "part"],
  ["verdict", "Verdict", "verdict"],
  ["base_ns", "Base", "time"],
  ["new_ns", "New", "time"],
  ["match", "Match", "text"],
];

function change(ns) {
  return isNumber(ns) ? signed(time(ns), ns) : "–";
}

function changeShare(share) {
  return isNumber(share) ? signed(percent(share), share) : "–";
}

function verdictBadge(text) {
  return make("span", {class: "badge " + (VERDICTS[text] || "note")}, translated(text) || "–");
}

// Changes of both signs around a line in the middle.
function changeBars(title, bars) {
  const most = Math.max(...bars.map(bar => Math.abs(bar.value)), 1);
  return make(
    "div",
    {class: "changes", role: "list", "aria-label": title},
    bars.map(bar => {
      const width = (50 * Math.abs(bar.value)) / most;
      return make(
        "div",
        {role: "listitem"},
        make("span", {class: "name"}, short(bar.name, 60)),
        shape(
          "svg",
          {"aria-hidden": "true"},
          shape("line", {x1: "50%", x2: "50%", y1: "0", y2: "100%", class: "middle"}),
          shape("rect", {
            x: (bar.value < 0 ? 50 - width : 50) + "%",
            y: "15%",
            width: width + "%",
            height: "70%",
            rx: "2",
            class: bar.value < 0 ? "faster" : "slower",
          })
        ),
        make("span", {class: "number"}, change(bar.value))
      );
    })
  );
}

function diffCell(kind, row, key) {
  const value = row[key];
  if (kind === "time") return time(value);
  if (kind === "change") return change(value);
  if (kind === "part") return changeShare(value);
  if (kind === "verdict") return verdictBadge(value);
  return breakable(
    row.base_name && row.base_name !== row.name && row.name
      ? phrase("base.renamed", {name: short(row.name, 80), before: short(row.base_name, 80)})
      : short(row.kind === "operator" || row.kind === "call" ? (value ?? row.base_name) : translated(value))
  );
}

function diffRows(caption, rows) {
  const columns = ROWS_OF_DIFF.map(([key, title, kind]) => ({
    key,
    title,
    kind,
    type: ["text", "verdict"].includes(kind) ? "text" : "number",
  }));
  return plainTable(
    caption,
    columns,
    rows.map(row => {
      const match = row.match === "same" ? phrase("base.same") : row.match;
      const values = {...row, name: row.name ?? row.base_name, match};
      return columns.map(column => values[column.key]);
    }),
    (column, _value, number) =>
      column.key === "name"
        ? diffCell("text", rows[number], "name")
        : column.kind === "text"
          ? null
          : diffCell(column.kind, rows[number], column.key)
  );
}

// The largest changes; more of them behind a click, since the findings come after them.
function diffTable(caption, rows) {
  const more = rows.slice(FIRST_ROWS, MOST_ROWS);
  const summary = phrase("base.more", {rows: plural(more.length, "row")});
  return [
    diffRows(caption, rows.slice(0, FIRST_ROWS)),
    more.length ? details(summary, diffRows(summary, more)) : null,
    rows.length > MOST_ROWS
      ? make("p", {class: "fine"}, phrase("base.cut", {shown: integer(MOST_ROWS), rows: plural(rows.length, "row")}))
      : null,
  ];
}

function interval(total, samples) {
  if (!isNumber(total.low_ns) || !isNumber(total.high_ns) || total.low_ns === total.high_ns) return null;
  return make(
    "p",
    {class: "fine"},
    phrase("base.interval", {low: change(total.low_ns), high: change(total.high_ns)}) +
      (isNumber(total.p) ? phrase("base.p", {p: total.p.toPrecision(2)}) : "") +
      (samples && samples !== "none" ? phrase("base.samples", {samples: translated(samples)}) : "") +
      phrase("stop")
  );
}

function diffGroup(group, heading) {
  const total = group.total || {};
  const what = group.what || "step";
  const parts = CHANGE_PARTS.map(([key, id]) => ({name: phrase(id), value: (group.parts || {})[key] || 0}));
  const rows = (group.rows || []).filter(row => row.change_ns);
  return make(
    "div",
    {class: "card"},
    heading ? make("h3", null, short(group.title)) : null,
    make(
      "p",
      {class: "total"},
      make("strong", null, changeShare(total.change_share)),
      " ",
      verdictBadge(total.verdict),
      make(
        "span",
        null,
        " ",
        phrase("base.total", {
          before: time(total.base_ns),
          after: time(total.new_ns),
          what: translated(what),
          steps: plural(group.base_steps, what),
          others: integer(group.new_steps),
        })
      )
    ),
    interval(total, group.samples),
    changeBars(phrase("base.split"), parts),
    rows.length ? diffTable(phrase("base.table"), rows) : make("p", null, phrase("base.none"))
  );
}

// A value of a fact: kinds of data, which have names in the language, are a list.
function factText(value) {
  return short(typeof value === "string" ? listed("names", value.split(", ").map(translated)) : value, 60);
}

function comparable(diff) {
  const facts = (diff.comparable || {}).facts || [];
  const differs = facts.filter(fact => fact.equal === false);
  const score = (diff.comparable || {}).score;
  return make(
    "p",
    {class: "fine"},
    listed("sentences", [
      isNumber(score) ? phrase("base.comparable", {score: integer(score)}) : phrase("base.incomparable"),
      ...differs.map(fact =>
        phrase("base.differs", {fact: translated(fact.name), before: factText(fact.base), here: factText(fact.new)})
      ),
    ])
  );
}

function comparison(data) {
  const diff = data.diff;
  if (!diff || !(diff.groups || []).length) return null;
  const calls = (diff.calls || []).filter(row => row.change_ns);
  const conditions = diff.conditions || [];
  return section(
    "base",
    phrase("base.lead", {name: short((diff.base || {}).name, 200)}),
    diff.groups.map(group => diffGroup(group, diff.groups.length > 1)),
    calls.length
      ? make("div", {class: "card folded"}, details(phrase("base.host"), diffTable(phrase("base.host"), calls)))
      : null,
    conditions.length
      ? make(
          "div",
          {class: "card"},
          plainTable(
            phrase("base.conditions"),
            [
              {title: phrase("base.condition"), type: "text"},
              {title: phrase("base.result"), type: "text"},
            ],
            conditions.map(row => [row.condition, row.result])
          )
        )
      : null,
    comparable(diff)
  );
}
