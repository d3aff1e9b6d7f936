// table.js: tables: plain ones, and one that sorts, filters and copies.

const FEW_ROWS = 25;
const FEW_MORE = 5; // so many more need no button
// Columns of names: what they have is no text of the page.
const UNSPOKEN = new Set(
  "name verdict rule Operator Operation Type Model Group Call After Before".split(" ").concat("Host in")
);
const BRIEF = 24; // texts of so many letters stay on a line: the table scrolls

// The columns of rows that are objects, as `msprof advise` gives them.
function columnsOf(rows) {
  return Object.keys(rows[0] || {}).map(key => ({
    key,
    ...titleOf(key),
    type: rows.some(row => isNumber(row[key])) ? "number" : "text",
  }));
}

// One number of decimals for a column, so that its points stand below each other.
function digitsOf(values) {
  let most = 0;
  for (const value of values) {
    const text = String(value);
    const at = text.indexOf(".");
    if (at >= 0 && !text.includes("e")) most = Math.max(most, text.length - at - 1);
  }
  return Math.min(3, most);
}

function cellText(column, value) {
  if (value === null || value === undefined) return "–";
  if (!isNumber(value)) return short(UNSPOKEN.has(column.key) ? value : translated(value));
  return column.type === "share" ? percent(value, column.whole < 0.02 ? 3 : 1) : decimals(value, column.digits || 0);
}

function headCell(column, content) {
  const unit = unitText(column.unit);
  return make(
    "th",
    {scope: "col", class: column.type === "text" ? null : "number"},
    content || translated(column.title),
    unit ? make("span", {class: "unit"}, " " + unit) : null
  );
}

function bodyCell(column, value, first, content) {
  const isText = column.type === "text";
  const brief = isText && !first && cellText(column, value).length <= BRIEF;
  const bar =
    column.type === "share" && isNumber(value)
      ? make("span", {
          class: "share",
          style: `--part:${Math.min(100, (100 * Math.max(0, value)) / (column.whole || 1))}%`,
          "aria-hidden": "true",
        })
      : null;
  return make(
    first ? "th" : "td",
    {scope: first ? "row" : null, class: isText ? (brief ? "text brief" : "text") : "number"},
    bar,
    content || (isText ? breakable(cellText(column, value)) : cellText(column, value))
  );
}

// Columns with what their cells have in common: decimals, and the length of a bar. Shares of the time are small
// where operators are many, so the largest is the whole bar; other shares tell how near to 100 % a unit is.
function measured(columns, rows) {
  return columns.map((column, i) => {
    const values = rows.map(row => row[i]).filter(isNumber);
    const whole = column.key === "share" ? values.reduce((a, b) => Math.max(a, b), 0) : 1;
    return {...column, digits: digitsOf(values), whole};
  });
}

// How many columns of a table fit: all of them are laid out for that.
function columnsThatFit(box) {
  const edge = box.getBoundingClientRect().left + box.clientWidth + 1;
  return [...box.querySelectorAll("thead th")].filter(head => head.getBoundingClientRect().right <= edge).length;
}

// A column of which a part is beyond the edge would show a part of its numbers: it is behind a button. All tables are
// measured before one is changed, so that they are laid out once.
function fitColumns(boxes, again) {
  const changed = boxes.filter(box => box.clientWidth && (box.fitted !== box.clientWidth || again));
  changed.forEach(box => box.querySelectorAll(".behind").forEach(cell => cell.classList.remove("behind")));
  const fits = changed.map(box => (box.isWhole ? Infinity : Math.max(2, columnsThatFit(box))));
  const sizes = changed.map(box => box.clientWidth);
  changed.forEach((box, i) => {
    box.fitted = sizes[i];
    const rows = [...box.querySelectorAll("tr")];
    box.nextSibling.hidden = fits[i] >= rows[0].cells.length;
    if (!box.nextSibling.hidden)
      rows.forEach(row => [...row.cells].slice(fits[i]).forEach(cell => cell.classList.add("behind")));
  });
}

const widths = new ResizeObserver(entries => fitColumns(entries.map(entry => entry.target)));

// A table with as many columns as fit. With all of them it scrolls by itself, by keys too.
function wide(label, columns, table) {
  const box = make("div", {class: "wide", role: "group", tabindex: "0", "aria-label": label}, table);
  const all = button(
    phrase("table.columns", {columns: integer(columns)}),
    () => {
      box.isWhole = true;
      fitColumns([box], true);
      box.focus();
    },
    {class: "more", hidden: true}
  );
  widths.observe(box);
  return make("div", {class: "fit"}, box, all);
}

function plainTable(caption, columns, rows, content) {
  const exact = measured(columns, rows);
  return wide(
    caption,
    columns.length,
    make(
      "table",
      null,
      make("caption", null, caption),
      make(
        "thead",
        null,
        make(
          "tr",
          null,
          exact.map(column => headCell(column))
        )
      ),
      make(
        "tbody",
        null,
        rows.map((row, number) =>
          make(
            "tr",
            null,
            exact.map((column, i) =>
              bodyCell(column, row[i], i === 0, content ? content(column, row[i], number) : null)
            )
          )
        )
      )
    )
  );
}

// Rows that are objects.
function objectTable(caption, rows, content) {
  const columns = columnsOf(rows);
  return plainTable(
    caption,
    columns,
    rows.map(row => columns.map(column => row[column.key])),
    content
  );
}

// A spreadsheet takes a text that begins with one of these signs for a formula: an apostrophe keeps it a text.
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (isNumber(value)) return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : String(value);
  return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function csvOf(columns, rows) {
  const titles = columns.map(column => csvCell(translated(column.title) + (column.unit ? ` (${column.unit})` : "")));
  return (
    [titles, ...rows.map(row => columns.map((_, i) => csvCell(row[i])))].map(line => line.join(",")).join("\n") + "\n"
  );
}

// Where a browser refuses the clipboard, the text is selected in a field that is there for a moment.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", {class: "away", "aria-hidden": "true"});
    document.body.append(field);
    field.value = text;
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

function compareCells(a, b) {
  const missing = value => value === null || value === undefined;
  if (missing(a) || missing(b)) return missing(a) === missing(b) ? 0 : missing(a) ? 1 : -1;
  return isNumber(a) && isNumber(b) ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
}

// Columns that tell rows apart, and a sentence about the others: no value, or a text that is always the same.
function tellingColumns(columns, rows) {
  const told = [];
  const telling = columns
    .map((column, i) => i)
    .filter(i => {
      const first = rows[0][i];
      if (i === 0 || rows.length < 2 || rows.some(row => row[i] !== first)) return true;
      const isMissing = first === null || first === undefined;
      if (isMissing || columns[i].type === "text")
        told.push(
          phrase(isMissing ? "table.missing" : "table.value", {
            column: translated(columns[i].title),
            value: short(translated(first), 60),
          })
        );
      return !isMissing && columns[i].type !== "text";
    });
  return {telling, told: told.length ? phrase("table.same", {columns: listed("series", told)}) : null};
}

// A table of many rows. `options`: caption, columns, rows, omitted (a sentence), content (as of plainTable).
class SortedTable {
  constructor(options) {
    this.options = options;
    this.columns = measured(options.columns, options.rows);
    const {telling, told} = tellingColumns(this.columns, options.rows);
    this.telling = telling;
    this.sort = {column: -1, down: true};
    this.all = options.rows.length <= FEW_ROWS + FEW_MORE;
    this.count = status();
    this.body = make("tbody");
    this.heads = telling.map(i => {
      const title = translated(this.columns[i].title);
      return headCell(
        this.columns[i],
        button(title, () => this.sortBy(i), {class: "sort", title: phrase("table.sort", {column: title})})
      );
    });
    this.filter = make("input", {
      type: "search",
      id: options.id + "-filter",
      oninput: () => this.show(),
      autocomplete: "off",
      spellcheck: "false",
    });
    this.copy = button(phrase("table.copy"), () => this.copyRows());
    this.more = button(
      "",
      () => {
        this.all = true;
        this.show();
      },
      {class: "more"}
    );
    this.node = make(
      "div",
      {class: "card"},
      make(
        "div",
        {class: "tools"},
        make("label", {for: options.id + "-filter"}, phrase("table.filter")),
        this.filter,
        this.copy,
        this.count
      ),
      wide(
        options.caption,
        telling.length,
        make(
          "table",
          {class: "stuck"},
          make("caption", {class: "hidden"}, options.caption),
          make("thead", null, make("tr", null, this.heads)),
          this.body
        )
      ),
      this.more,
      [told, options.omitted].map(text => (text ? make("p", {class: "fine"}, text) : null))
    );
    this.show();
  }

  chosen() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = this.columns.map((column, i) => (column.type === "text" ? i : -1)).filter(i => i >= 0);
    const rows = this.options.rows.filter(row => {
      const text = texts
        .map(i => row[i] ?? "")
        .join("\n")
        .toLowerCase();
      return words.every(word => text.includes(word));
    });
    const {column, down} = this.sort;
    if (column < 0) return rows;
    const missing = row => row[column] === null || row[column] === undefined;
    return rows
      .map((row, i) => [row, i])
      .sort(([a, i], [b, j]) => {
        const order = compareCells(a[column], b[column]);
        return (missing(a) || missing(b) || !down ? order : -order) || i - j;
      })
      .map(([row]) => row);
  }

  sortBy(column) {
    const down = this.sort.column === column ? !this.sort.down : this.columns[column].type !== "text";
    this.sort = {column, down};
    this.heads.forEach((head, i) => {
      if (this.telling[i] === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.show();
  }

  show() {
    const rows = this.chosen();
    const shown = this.all ? rows : rows.slice(0, FEW_ROWS);
    const {content} = this.options;
    const cell = (i, value) =>
      bodyCell(this.columns[i], value, i === 0, content ? content(this.columns[i], value) : null);
    this.body.replaceChildren(
      ...shown.map(row =>
        make(
          "tr",
          null,
          this.telling.map(i => cell(i, row[i]))
        )
      )
    );
    const box = this.body.closest(".wide");
    if (box) fitColumns([box], true);
    const count = plural(rows.length, rows.length < this.options.rows.length ? "matching-row" : "row");
    say(
      this.count,
      shown.length < rows.length ? phrase("table.first", {shown: integer(shown.length), rows: count}) : count
    );
    this.more.hidden = shown.length === rows.length;
    say(this.more, phrase("table.all", {rows: plural(rows.length, "row")}));
  }

  async copyRows() {
    const rows = this.chosen();
    const copied = await copyText(csvOf(this.options.columns, rows));
    say(this.count, copied ? phrase("table.copied", {rows: plural(rows.length, "row")}) : phrase("table.refused"));
  }
}
