// findings.js: what `msprof advise` found: how much it can save, what to do, and the evidence.

const FIRST_FINDINGS = 3;

function saving(finding) {
  if (!isNumber(finding.saving_ns)) return null;
  return make(
    "p",
    {class: "saving"},
    phrase("findings.saving"),
    " ",
    make("strong", null, percent(finding.saving_share)),
    make("span", null, phrase("findings.saved", {time: time(finding.saving_ns)}))
  );
}

// Of the step: the time of what was found, and in it what can be saved. The text beside it says the same.
function savingBar(finding) {
  if (!isNumber(finding.share)) return null;
  return make(
    "div",
    {class: "bound"},
    shape(
      "svg",
      {class: "thin", "aria-hidden": "true"},
      shape("rect", {width: "100%", height: "100%", class: "track"}),
      shape("rect", {width: Math.min(100, 100 * finding.share) + "%", height: "100%", class: "spent"}),
      shape("rect", {width: Math.min(100, 100 * (finding.saving_share || 0)) + "%", height: "100%", class: "saved"})
    ),
    make("span", null, phrase("findings.share", {share: percent(finding.share)}))
  );
}

function fact(name, text) {
  return text ? make("div", null, make("dt", null, phrase("findings." + name)), make("dd", null, text)) : null;
}

function evidence(finding) {
  const rows = finding.evidence || [];
  const share = isNumber(finding.share)
    ? phrase("findings.part", {time: time(finding.time_ns), step: time(finding.step_ns), share: percent(finding.share)})
    : null;
  return details(
    rows.length ? phrase("findings.evidence", {rows: plural(rows.length, "row")}) : phrase("findings.how"),
    rows.length
      ? objectTable(
          phrase("findings.evidence-of", {
            title: short(translated(finding.title), 80),
            subject: short(finding.subject, 80),
          }),
          rows
        )
      : null,
    make(
      "dl",
      {class: "how"},
      fact("time", share),
      fact("bound", finding.formula),
      fact("confidence", translated(finding.confidence)),
      fact("threshold", translated(finding.source)),
      fact("rule", finding.rule)
    )
  );
}

function findingCard(finding) {
  const severity = ["high", "medium", "low"].includes(finding.severity) ? finding.severity : "note";
  return make(
    "li",
    {class: "card finding"},
    make(
      "div",
      {class: "row"},
      make("span", {class: "badge " + severity}, translated(severity)),
      make("h3", null, short(translated(finding.title))),
      saving(finding)
    ),
    make(
      "p",
      {class: "subject"},
      short(finding.subject),
      finding.group && !String(finding.subject).includes(finding.group)
        ? make("span", {class: "note"}, " · " + short(finding.group))
        : null
    ),
    savingBar(finding),
    make("p", {class: "advice"}, short(translated(finding.advice), 600)),
    evidence(finding)
  );
}

function abstained(job) {
  const rows = job.abstained || [];
  if (!rows.length) return null;
  return details(
    plural(rows.length, "undecided-rule"),
    plainTable(
      phrase("findings.undecided"),
      [
        {title: phrase("findings.rule"), type: "text", key: "rule"},
        {title: phrase("findings.why"), type: "text"},
      ],
      rows.map(row => [row.rule, translated(row.reason)])
    )
  );
}

function jobFindings(job, heading) {
  if (job.error) return make("p", {class: "card"}, short(job.error, 600));
  const cards = (job.findings || []).map(findingCard);
  const list = make("ol", {class: "findings"}, cards);
  const rest = cards.slice(FIRST_FINDINGS);
  const more = rest.length
    ? button(
        phrase("findings.all", {findings: plural(cards.length, "finding")}),
        () => {
          rest.forEach(card => {
            card.hidden = false;
          });
          more.remove();
          rest[0].querySelector("summary").focus();
        },
        {class: "more"}
      )
    : null;
  rest.forEach(card => {
    card.hidden = true;
  });
  return [
    heading ? make("h3", null, short(job.job)) : null,
    cards.length ? list : make("p", {class: "card"}, phrase("findings.none")),
    more,
    abstained(job),
  ];
}

function findings(data) {
  const jobs = (data.advise || {}).jobs || [];
  if (!jobs.length) {
    return data.advise_absent
      ? section("findings", null, make("p", {class: "card"}, short(translated(data.advise_absent), 600)))
      : null;
  }
  return section(
    "findings",
    phrase("findings.lead"),
    jobs.map(job => jobFindings(job, jobs.length > 1))
  );
}
