// diff.js: what changed against BASE.

const CHANGE_PARTS = [
  ["new_ns", "New"],
  ["gone_ns", "Gone"],
  ["calls_ns", "More or fewer calls"],
  ["each_ns", "Slower or faster each"],
];
const VERDICTS = {slower: "high", faster: "good", same: "note", inconclusive: "medium"};
const ROWS_OF_DIFF = [
  ["name", "Operator", "text"],
  ["base_ns", "Base", "time"],
  ["new_ns", "New", "time"],
  ["change_ns", "Change", "change"],
  ["change_share", "Relative", "part"],
  ["verdict", "Verdict", "verdict"],
  ["match", "Match", "text"],
];

function change(ns) {
  return isNumber(ns) ? signed(time(ns), ns) : "–";
}

function changeShare(share) {
  return isNumber(share) ? signed(percent(share), share) : "–";
}

function verdict(text) {
  return make("span", {class: "badge " + (VERDICTS[text] || "note")}, text || "–");
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
  if (kind === "verdict") return verdict(value);
  return row.base_name && row.base_name !== row.name && row.name
    ? `${short(row.name, 80)} (was ${short(row.base_name, 80)})`
    : short(value ?? row.base_name);
}

function diffTable(caption, rows) {
  const columns = ROWS_OF_DIFF.map(([key, title, kind]) => ({
    key,
    title,
    kind,
    type: ["text", "verdict"].includes(kind) ? "text" : "number",
  }));
  const cut = rows.slice(0, 50);
  return [
    plainTable(
      caption,
      columns,
      cut.map(row => columns.map(column => (column.key === "name" ? (row.name ?? row.base_name) : row[column.key]))),
      (column, _value, number) =>
        column.key === "name"
          ? diffCell("text", cut[number], "name")
          : column.kind === "text"
            ? null
            : diffCell(column.kind, cut[number], column.key)
    ),
    rows.length > cut.length
      ? make("p", {class: "fine"}, `The ${cut.length} largest of ${plural(rows.length, "row")}.`)
      : null,
  ];
}

function interval(total, samples) {
  if (!isNumber(total.low_ns) || !isNumber(total.high_ns) || total.low_ns === total.high_ns) return null;
  return make(
    "p",
    {class: "fine"},
    `The change lies between ${change(total.low_ns)} and ${change(total.high_ns)}` +
      (isNumber(total.p) ? `, p = ${total.p.toPrecision(2)}` : "") +
      (samples && samples !== "none" ? `; samples are ${samples}.` : ".")
  );
}

function diffGroup(group, heading) {
  const total = group.total || {};
  const what = group.what || "step";
  const parts = CHANGE_PARTS.map(([key, name]) => ({name, value: (group.parts || {})[key] || 0}));
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
      verdict(total.verdict),
      make(
        "span",
        null,
        ` ${time(total.base_ns)} → ${time(total.new_ns)} for each ${what} `,
        `(${plural(group.base_steps, what)} against ${integer(group.new_steps)})`
      )
    ),
    interval(total, group.samples),
    changeBars("The change, split without a remainder", parts),
    rows.length
      ? diffTable("Operators that changed, the largest change first", rows)
      : make("p", null, "No operator changed its time.")
  );
}

function comparable(diff) {
  const facts = (diff.comparable || {}).facts || [];
  const differs = facts.filter(fact => fact.equal === false);
  const score = (diff.comparable || {}).score;
  return make(
    "p",
    {class: "fine"},
    isNumber(score) ? `Comparable: ${integer(score)} of 100. ` : "Nobody tells whether both sides are comparable. ",
    differs.map(fact => `${fact.name}: ${short(fact.base, 60)} in BASE, ${short(fact.new, 60)} here. `)
  );
}

function comparison(data) {
  const diff = data.diff;
  if (!diff || !(diff.groups || []).length) return null;
  const calls = (diff.calls || []).filter(row => row.change_ns);
  const conditions = diff.conditions || [];
  return section(
    "base",
    "Compared with BASE",
    `BASE is ${short((diff.base || {}).name, 200)}.`,
    diff.groups.map(group => diffGroup(group, diff.groups.length > 1)),
    calls.length
      ? make(
          "div",
          {class: "card folded"},
          details("Calls of the host that changed", diffTable("Calls that changed", calls))
        )
      : null,
    conditions.length
      ? make(
          "div",
          {class: "card"},
          plainTable(
            "Conditions",
            [
              {title: "Condition", type: "text"},
              {title: "Result", type: "text"},
            ],
            conditions.map(row => [row.condition, row.result])
          )
        )
      : null,
    comparable(diff)
  );
}
