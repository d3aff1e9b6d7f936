// findings.js: what `msprof advise` found: how much it can save, what to do, and the evidence.

const FIRST_FINDINGS = 3;

function saving(finding) {
  if (!isNumber(finding.saving_ns)) return null;
  return make(
    "p",
    {class: "saving"},
    "saves at most ",
    make("strong", null, percent(finding.saving_share)),
    make("span", null, ` (${time(finding.saving_ns)})`)
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
    make("span", null, percent(finding.share) + " of the step")
  );
}

function fact(name, text) {
  return text ? make("div", null, make("dt", null, name), make("dd", null, text)) : null;
}

function evidence(finding) {
  const rows = finding.evidence || [];
  const share = isNumber(finding.share)
    ? `${time(finding.time_ns)} of ${time(finding.step_ns)} (${percent(finding.share)})`
    : null;
  return details(
    rows.length ? "Evidence: " + plural(rows.length, "row") : "How this was found",
    rows.length ? objectTable(`Evidence: ${short(finding.title, 80)}, ${short(finding.subject, 80)}`, rows) : null,
    make(
      "dl",
      {class: "how"},
      fact("Time", share),
      fact("Bound of the saving", finding.formula),
      fact("Confidence", finding.confidence),
      fact("Threshold", finding.source),
      fact("Rule", finding.rule)
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
      make("span", {class: "badge " + severity}, severity),
      make("h3", null, short(finding.title)),
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
    make("p", {class: "advice"}, short(finding.advice, 600)),
    evidence(finding)
  );
}

function abstained(job) {
  const rows = job.abstained || [];
  if (!rows.length) return null;
  return details(
    plural(rows.length, "rule") + " did not decide",
    plainTable(
      "Rules that did not decide, and why",
      [
        {title: "Rule", type: "text"},
        {title: "Why", type: "text"},
      ],
      rows.map(row => [row.rule, row.reason])
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
        `Show all ${integer(cards.length)} findings`,
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
    cards.length ? list : make("p", {class: "card"}, "No rule found anything to improve."),
    more,
    abstained(job),
  ];
}

function findings(data) {
  const jobs = (data.advise || {}).jobs || [];
  const lead =
    "Lost, doubtful and contradicted data comes first, then the largest saving. " +
    "Each saving is an upper bound of a step; savings overlap, so do not add them.";
  if (!jobs.length) {
    return data.advise_absent
      ? section("findings", "Findings", null, make("p", {class: "card"}, short(data.advise_absent, 600)))
      : null;
  }
  return section(
    "findings",
    "Findings",
    lead,
    jobs.map(job => jobFindings(job, jobs.length > 1))
  );
}
