// overview.js: what the job is, its headline figures, and where the time of a step went.

const PART_COLORS = [
  [/matrix/i, "matrix"],
  [/vector/i, "vector"],
  [/movement/i, "movement"],
  [/cpu/i, "aicpu"],
  [/communication/i, "communication"],
  [/idle/i, "idle"],
];

function partColor(title) {
  const found = PART_COLORS.find(([pattern]) => pattern.test(title));
  return found ? found[1] : "other";
}

// When the job was collected: nobody set the clock of a board that tells a time before this century.
function collected(job) {
  if (!isNumber(job.collected_s)) return null;
  const date = new Date(1000 * job.collected_s).toISOString().replace("T", " ").slice(0, 16);
  return phrase(date < "2000" ? "collected.unset" : "collected.at", {date});
}

function jobHead(data) {
  const job = data.job || {};
  const family = job.family && TEXTS.has("family." + job.family) ? phrase("family." + job.family) : job.family;
  const facts = [family, job.chip, collected(job), data.version ? "msprof " + data.version : null];
  return make(
    "div",
    {class: "title"},
    make("p", {class: "kicker"}, phrase("kicker")),
    make("h1", null, short(job.name, 120)),
    make(
      "p",
      {class: "facts"},
      facts.filter(Boolean).map(text => make("span", null, short(text, 60)))
    ),
    job.standing ? make("p", {class: "facts"}, make("span", null, translated(job.standing))) : null,
    job.verified
      ? make(
          "p",
          {class: "verified"},
          make("span", {class: "mark", "aria-hidden": "true"}, "i"),
          make("span", null, translated(job.verified))
        )
      : null
  );
}

const ALERTS = new Set(["contradicted", "doubt", "loss"]);

// What a reader must know before the first number.
function alerts(data) {
  const alerting = (data.notes || []).filter(note => ALERTS.has(note.kind));
  return alerting.length ? noteList(alerting, "card notes alerts") : null;
}

function noteList(notes, classes) {
  return make(
    "ul",
    {class: classes},
    notes.map(note =>
      make(
        "li",
        {class: ALERTS.has(note.kind) ? "loss" : null},
        make("span", {class: "badge " + (ALERTS.has(note.kind) ? "high" : "note")}, translated(note.kind)),
        make("span", null, short(translated(note.text), 2000))
      )
    )
  );
}

// The sentences with which `msprof advise` begins.
function verdict(data) {
  const jobs = ((data.advise || {}).jobs || []).filter(job => job.verdict);
  if (!jobs.length) return null;
  const lines = jobs.flatMap(job => job.verdict.split("\n"));
  return make(
    "div",
    {class: "verdict"},
    lines.map(line => make("p", null, short(line, 600))),
    jobs[0].legend ? make("p", {class: "fine"}, jobs[0].legend) : null
  );
}

function headline(data) {
  const figures = data.headline || [];
  if (!figures.length) return null;
  return make(
    "dl",
    {class: "figures", "aria-label": phrase("figures")},
    figures.map(figure =>
      make(
        "div",
        {class: "figure"},
        make("dt", null, translated(figure.label)),
        make(
          "dd",
          null,
          make("span", {class: "value"}, figure.text ?? compact(figure.value)),
          figure.unit ? make("span", {class: "unit"}, withUnit("", figure.unit)) : null,
          figure.note ? make("span", {class: "note"}, translated(figure.note)) : null
        )
      )
    )
  );
}

// A bar whose parts add up to the whole. A share is written where it fits: the style sheet knows how wide a part is.
function stackedBar(label, parts) {
  const sum = parts.reduce((total, part) => total + part.value, 0);
  return make(
    "div",
    {class: "stacked", role: "img", "aria-label": label},
    parts
      .filter(part => part.value > 0)
      .map(part =>
        make(
          "span",
          {
            class: "part " + partColor(part.title),
            style: `width:${(100 * part.value) / sum}%`,
            title: listed("named", [translated(part.title), withUnit(decimals(part.share, 1), "%")]),
          },
          make("span", null, withUnit(decimals(part.share, 1), "%"))
        )
      )
  );
}

function timeParts(table, heading) {
  const values = table.rows.map(row => Math.max(0, row["Mean(us)"] || 0));
  const shares = wholeShares(values);
  const parts = table.rows.map((row, i) => ({title: String(row.Part), value: values[i], share: shares[i]}));
  const label = listed(
    "pair",
    parts.map(part => `${translated(part.title)} ${withUnit(decimals(part.share, 1), "%")}`)
  );
  const rows = table.rows.map(({Part, "Mean(us)": mean, ...row}, i) => ({
    Part,
    "Mean(us)": mean,
    "Share(%)": null,
    ...row,
    ...{"Share(%)": shares[i]},
  }));
  const named = (column, value) =>
    column.key === "Part"
      ? [make("span", {class: "swatch " + partColor(String(value)), "aria-hidden": "true"}), translated(String(value))]
      : null;
  return [
    heading ? make("h3", null, short(table.group)) : null,
    make(
      "p",
      null,
      make("strong", null, time(table.mean_ns)),
      " ",
      phrase(isNumber(table.per_second) ? "time.pace" : "time.step", {
        steps: plural(table.steps, "step"),
        rate: compact(table.per_second),
      })
    ),
    stackedBar(label, parts),
    objectTable(phrase("time.table"), rows, named),
  ];
}

function sideTable(table) {
  if (!table.rows.length)
    return make(
      "p",
      {class: "fine"},
      make("strong", null, listed("named", [translated(table.table), ""])),
      translated(table.no_data)
    );
  return details(translated(table.table), objectTable(translated(table.table), table.rows));
}

function whereTimeWent(data) {
  const tables = ((data.advise || {}).jobs || []).flatMap(job => job.overview || []);
  const parts = tables.filter(table => table.table === "Where the time went" && table.rows.length);
  if (!parts.length) return null;
  const others = tables.filter(
    table => !parts.includes(table) && table.table !== "Headline" && (table.rows.length || table.no_data)
  );
  return section(
    "time",
    phrase("time.lead"),
    parts.map(table => make("div", {class: "card"}, timeParts(table, parts.length > 1))),
    others.length ? make("div", {class: "card folded"}, others.map(sideTable)) : null
  );
}

function notesAndSettings(data) {
  const notes = data.notes || [];
  const settings = (data.job || {}).settings || [];
  if (!notes.length && !settings.length) return null;
  return section(
    "notes",
    phrase("notes.lead"),
    notes.length ? noteList(notes, "card notes") : make("p", {class: "card"}, phrase("notes.none")),
    settings.length
      ? make(
          "dl",
          {class: "card settings"},
          settings.map(([name, value]) =>
            make("div", null, make("dt", null, short(translated(name))), make("dd", null, short(value)))
          )
        )
      : null
  );
}
