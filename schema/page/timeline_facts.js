// timeline_facts.js: what is known of a slice besides its time: the inference around it, the means of its operator.

// Counters are shares of the busy time of a unit, and traffic.
function isCounter(column) {
  return (column.type === "share" && column.key !== "share") || ["%", "kB"].includes(column.unit);
}

class SliceFacts {
  constructor(model, operators) {
    this.model = model;
    this.columns = operators.columns || [];
    this.steps = model.tracks
      .filter(track => track.kind === "step")
      .flatMap(track => track.rows.filter(row => row.kind === "slice"));
    const at = this.place("name");
    this.operators = new Map();
    for (const row of operators.rows || []) this.operators.set(row[at], [...(this.operators.get(row[at]) || []), row]);
  }

  place(key) {
    return this.columns.findIndex(column => column.key === key);
  }

  // Rows of operators by this name; of several models those of the model of the step.
  rowsOf(name, group) {
    const at = this.place("group"),
      rows = this.operators.get(name) || [];
    return at >= 0 && group ? rows.filter(row => row[at] === group) : rows;
  }

  // The only step that has the whole slice, and a row for its operator. Steps that overlap do not tell whose it is.
  stepOf(row, i, name) {
    const found = [];
    for (const step of this.steps) {
      const at = step.nearest(row.start(i));
      if (at < 0 || step.start(at) > row.start(i) || step.end(at) < row.end(i)) continue;
      if (this.rowsOf(name, step.track.group).length || !this.operators.has(name)) found.push({step, at});
    }
    return found.length === 1 ? found[0] : null;
  }

  of(row, i) {
    if (row.track.kind !== "device") return {};
    const name = this.model.nameOf(row, i);
    const around = row.kind === "slice" ? this.stepOf(row, i, name) : null;
    const rows = this.rowsOf(name, around && around.step.track.group);
    return {step: around && this.inStep(around, row, i), operator: rows.length === 1 ? this.inWords(rows[0]) : null};
  }

  inStep({step, at}, row, i) {
    const share = (row.end(i) - row.start(i)) / Math.max(1, step.end(at) - step.start(at));
    return phrase("timeline.in", {step: short(this.model.nameOf(step, at), 60), share: percent(share)});
  }

  inWords(row) {
    const of = key => row[this.place(key)];
    const counters = this.columns
      .map((column, i) => [column, row[i]])
      .filter(([column, value]) => isCounter(column) && isNumber(value))
      .map(([column, value]) => {
        const amount = column.type === "share" ? percent(value) : withUnit(figure(value), column.unit);
        return `${translated(column.title)} ${amount}`;
      });
    const verdict = of("verdict") ? [of("verdict")] : [];
    const mean = isNumber(of("mean_us")) ? [time(1000 * of("mean_us"))] : [];
    const tasks = isNumber(of("tasks")) ? plural(of("tasks"), "task") : phrase("timeline.tasks");
    return phrase("timeline.operator", {tasks, facts: listed("pair", [...mean, ...verdict, ...counters])});
  }
}
