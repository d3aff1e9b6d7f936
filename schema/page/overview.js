// overview.js: what the job is, its headline figures, and where the time of a step went.

const PART_COLORS = [
  [/matrix/i, "matrix"],
  [/vector/i, "vector"],
  [/movement/i, "movement"],
  [/cpu/i, "aicpu"],
  [/communication/i, "communication"],
  [/idle/i, "idle"],
];

const FAMILIES = {
  svp: "Board, JOB directory",
  prof: "Ascend card, PROF directory",
  ascend2022: "Ascend card, JOB directory since 2022",
  ascend910: "Ascend card, JOB directory before 2022",
};

function partColor(title) {
  const found = PART_COLORS.find(([pattern]) => pattern.test(title));
  return found ? found[1] : "other";
}

function jobHead(data) {
  const job = data.job || {};
  const facts = [FAMILIES[job.family] || job.family, job.chip, data.version ? "msprof " + data.version : null];
  return make(
    "div",
    {class: "title"},
    make("p", {class: "kicker"}, "Profiling report"),
    make("h1", null, short(job.name, 120)),
    make(
      "p",
      {class: "facts"},
      facts.filter(Boolean).map(text => make("span", null, short(text, 60)))
    ),
    job.standing ? make("p", {class: "facts"}, make("span", null, job.standing)) : null,
    job.verified
      ? make(
          "p",
          {class: "verified"},
          make("span", {class: "mark", "aria-hidden": "true"}, "i"),
          make("span", null, job.verified)
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
        make("span", {class: "badge " + (ALERTS.has(note.kind) ? "high" : "note")}, note.kind),
        make("span", null, short(note.text, 2000))
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
    {class: "figures", "aria-label": "Headline figures"},
    figures.map(figure =>
      make(
        "div",
        {class: "figure"},
        make("dt", null, figure.label),
        make(
          "dd",
          null,
          make("span", {class: "value"}, figure.text ?? compact(figure.value)),
          figure.unit ? make("span", {class: "unit"}, " " + unitText(figure.unit)) : null,
          figure.note ? make("span", {class: "note"}, figure.note) : null
        )
      )
    )
  );
}

// A bar whose parts add up to the whole: an SVG in percent needs no script when the page changes its width.
function stackedBar(label, parts) {
  const sum = parts.reduce((total, part) => total + part.value, 0);
  let left = 0;
  const bars = parts
    .filter(part => part.value > 0)
    .map(part => {
      const width = (100 * part.value) / sum;
      const bar = shape(
        "svg",
        {x: left + "%", width: width + "%", height: "100%", class: "part " + partColor(part.title)},
        shape("title", null, `${part.title}: ${percent(part.value / sum)}`),
        shape("rect", {width: "100%", height: "100%"}),
        width >= 9
          ? shape(
              "text",
              {x: "50%", y: "50%", "text-anchor": "middle", "dominant-baseline": "central"},
              percent(part.value / sum)
            )
          : null
      );
      left += width;
      return bar;
    });
  return shape("svg", {class: "stacked", role: "img", "aria-label": label}, bars);
}

function timeParts(table, heading) {
  const values = table.rows.map(row => Math.max(0, row["Mean(us)"] || 0));
  const shares = wholeShares(values);
  const parts = table.rows.map((row, i) => ({title: String(row.Part), value: values[i], share: shares[i]}));
  const label = parts.map(part => `${part.title} ${decimals(part.share, 1)} %`).join(", ");
  const rows = table.rows.map((row, i) => ({...row, "Share(%)": shares[i]}));
  const named = (column, value) =>
    column.key === "Part"
      ? [make("span", {class: "swatch " + partColor(String(value)), "aria-hidden": "true"}), String(value)]
      : null;
  return [
    heading ? make("h3", null, short(table.group)) : null,
    make(
      "p",
      null,
      make("strong", null, time(table.mean_ns)),
      " a step, the mean of " +
        plural(table.steps, "step") +
        (isNumber(table.per_second) ? `; ${compact(table.per_second)} a second` : "")
    ),
    stackedBar(label, parts),
    objectTable("Parts of a step; they add up to 100 %", rows, named),
  ];
}

function sideTable(table) {
  if (!table.rows.length)
    return make("p", {class: "fine"}, make("strong", null, table.table + ": "), table.no_data || "none");
  return details(table.table, objectTable(table.table, table.rows));
}

function whereTimeWent(data) {
  const tables = ((data.advise || {}).jobs || []).flatMap(job => job.overview || []);
  const parts = tables.filter(table => table.table === "Where the time went" && table.rows.length);
  if (!parts.length) return null;
  const others = tables.filter(table => !parts.includes(table) && table.table !== "Headline");
  return section(
    "time",
    "Where the time went",
    "Each moment of a step belongs to one part, so the parts add up to the whole.",
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
    "Loss, assumptions, settings",
    "What is missing from these numbers, and what they rest on.",
    notes.length
      ? noteList(notes, "card notes")
      : make("p", {class: "card"}, "Nothing was lost, nothing is assumed."),
    settings.length
      ? make(
          "dl",
          {class: "card settings"},
          settings.map(([name, value]) =>
            make("div", null, make("dt", null, short(name)), make("dd", null, short(value)))
          )
        )
      : null
  );
}
