// timeline_search.js: find an operator in the timeline, and step through its occurrences.

class TimelineSearch {
  constructor(timeline) {
    this.timeline = timeline;
    this.found = [];
    this.at = -1;
    this.told = status();
    this.field = make("input", {
      type: "search",
      id: timeline.id + "-search",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "conv1",
      oninput: () => this.search(this.field.value, false),
      onkeydown: event => this.key(event),
    });
    this.before = button(phrase("timeline.previous"), () => this.step(-1), {disabled: true});
    this.after = button(phrase("timeline.next"), () => this.step(1), {disabled: true});
    this.node = make(
      "form",
      {
        class: "tools",
        role: "search",
        "aria-label": phrase("timeline.search", {groups: short(timeline.model.groups().join(", "), 80)}),
        onsubmit: event => event.preventDefault(),
      },
      make("label", {for: timeline.id + "-search"}, phrase("timeline.find")),
      this.field,
      this.before,
      this.after,
      this.told
    );
  }

  key(event) {
    if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape" && this.field.value) {
      this.field.value = "";
      this.search("", false);
    }
  }

  // `whole`: the name is the text; else it contains the text.
  search(text, whole) {
    const lower = text.toLowerCase();
    const {model} = this.timeline;
    const {found, wanted} = text
      ? model.occurrences(name => (whole ? name === text : name.toLowerCase().includes(lower)))
      : {found: [], wanted: null};
    this.found = found;
    this.at = -1;
    this.timeline.wanted = found.length ? wanted : null;
    this.before.disabled = this.after.disabled = !found.length;
    say(this.told, !text ? "" : found.length ? plural(found.length, "occurrence") : phrase("timeline.unknown"));
    this.timeline.redraw();
  }

  show(name) {
    this.field.value = name;
    this.search(name, true);
    this.step(1);
  }

  step(by) {
    if (!this.found.length) return;
    this.at =
      this.at < 0 ? (by > 0 ? 0 : this.found.length - 1) : (this.at + by + this.found.length) % this.found.length;
    const item = this.found[this.at];
    this.timeline.bring(item);
    say(
      this.told,
      phrase("timeline.found", {
        number: integer(this.at + 1),
        all: integer(this.found.length),
        name: short(this.timeline.model.nameOf(item.row, item.i), 60),
        start: time(item.row.start(item.i)),
      })
    );
  }
}
