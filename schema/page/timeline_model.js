// timeline_model.js: tracks, and in them rows: slices of one depth, or bins of a track that is too long for slices.

const MOST_ROWS_OF_TRACK = 48;
const MINIMAP_BINS = 512;
const KINDS = ["step", "device", "host"]; // from the top

// The first index for which `after` holds; it holds for all further ones.
function firstWhere(count, after) {
  let low = 0,
    high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (after(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Slices in order of their start.
class SliceRow {
  constructor(track, depth, count) {
    Object.assign(this, {track, depth, kind: "slice", count: 0, height: 20});
    this.starts = new Float64Array(count);
    this.ends = new Float64Array(count);
    this.names = new Int32Array(count);
    this.reach = new Float64Array(count); // the latest end so far: ascends even where slices overlap
    this.sums = new Float64Array(count + 1); // of the durations before a slice
  }

  add(start, length, name) {
    const i = this.count++;
    this.starts[i] = start;
    this.ends[i] = start + length;
    this.names[i] = name;
    this.sums[i + 1] = this.sums[i] + length;
    this.reach[i] = i ? Math.max(this.reach[i - 1], this.ends[i]) : this.ends[i];
  }

  start(i) {
    return this.starts[i];
  }
  end(i) {
    return this.ends[i];
  }
  name(i) {
    return this.names[i];
  }
  exists() {
    return true;
  }
  busy(first, last) {
    return this.sums[last + 1] - this.sums[first];
  }

  // The first slice that may reach beyond a time.
  from(ns) {
    return firstWhere(this.count, i => this.reach[i] > ns);
  }

  nearest(ns) {
    const after = firstWhere(this.count, i => this.starts[i] > ns);
    return after > 0 ? after - 1 : this.count ? 0 : -1;
  }

  // What lies at a time, or within `near` of it.
  at(ns, near) {
    for (let i = this.from(ns - near); i < this.count && this.starts[i] <= ns + near; i++) {
      if (this.ends[i] + near >= ns) return i;
    }
    return -1;
  }
}

// Levels of detail, each with bins of equal length: busy share, the operator with most time, how many slices begin.
class BinRow {
  constructor(track, levels, length) {
    Object.assign(this, {track, depth: 0, kind: "bin", height: 44, length});
    this.levels = [...levels].sort((a, b) => a.bins - b.bins);
    this.level = this.levels[this.levels.length - 1];
    this.count = this.level.bins;
  }

  start(i) {
    return (this.length * i) / this.count;
  }
  end(i) {
    return (this.length * (i + 1)) / this.count;
  }
  name(i) {
    return this.level.top[i] ?? -1;
  }
  exists(i) {
    return this.level.busy[i] > 0 || this.level.count[i] > 0;
  }

  index(ns) {
    return Math.min(this.count - 1, Math.max(0, Math.floor((ns / this.length) * this.count)));
  }

  nearest(ns) {
    const middle = this.index(ns);
    for (let step = 0; step < this.count; step++) {
      if (middle - step >= 0 && this.exists(middle - step)) return middle - step;
      if (middle + step < this.count && this.exists(middle + step)) return middle + step;
    }
    return -1;
  }

  at(ns) {
    const i = this.index(ns);
    return ns >= 0 && ns < this.length && this.exists(i) ? i : -1;
  }

  // The coarsest level whose bins are narrow enough to look smooth.
  levelFor(pixelsPerNs) {
    return this.levels.find(level => (this.length / level.bins) * pixelsPerNs <= 3) || this.level;
  }
}

function sliceRows(track, form) {
  const depths = new Int32Array(form.start.length);
  const counts = [];
  for (let i = 0; i < depths.length; i++) {
    depths[i] = Math.min(MOST_ROWS_OF_TRACK - 1, Math.max(0, form.depth ? form.depth[i] : 0));
    counts[depths[i]] = (counts[depths[i]] || 0) + 1;
  }
  const rows = Array.from(counts, (count, depth) => new SliceRow(track, depth, count || 0));
  let at = 0;
  for (let i = 0; i < depths.length; i++) {
    at += form.start[i];
    rows[depths[i]].add(at, form.dur[i], form.name[i]);
  }
  return rows;
}

class Track {
  constructor(told, length) {
    Object.assign(this, {name: told.name, group: told.group || "", kind: told.kind, slices: told.slices || 0, length});
    this.rows = [];
    this.summary = told.levels && told.levels.length ? new BinRow(this, told.levels, length) : null;
    if (this.summary) this.rows.push(this.summary);
    const form = told.exact || told.longest;
    this.isExact = Boolean(told.exact) && !told.exact.truncated;
    if (form) this.rows.push(...sliceRows(this, form));
  }

  // The share of each of `bins` equal times in which the track was busy.
  busy(bins) {
    const shares = new Float64Array(bins);
    if (this.summary) {
      const level = this.summary.levels.find(level => level.bins >= bins) || this.summary.level;
      const each = level.bins / bins;
      for (let i = 0; i < bins; i++) {
        const from = Math.floor(i * each),
          to = Math.max(from + 1, Math.floor((i + 1) * each));
        let sum = 0;
        for (let j = from; j < to; j++) sum += level.busy[Math.min(j, level.bins - 1)];
        shares[i] = sum / (to - from) / 255;
      }
      return shares;
    }
    const row = this.rows[0];
    const size = this.length / bins;
    for (let i = 0; row && i < row.count; i++) {
      const first = Math.max(0, Math.floor(row.starts[i] / size)),
        last = Math.min(bins - 1, Math.floor(row.ends[i] / size));
      for (let bin = first; bin <= last; bin++) {
        shares[bin] += (Math.min(row.ends[i], (bin + 1) * size) - Math.max(row.starts[i], bin * size)) / size;
      }
    }
    return shares.map(share => Math.min(1, share));
  }

  // In words, for the table beside the canvas: mean busy share, and the operator with most time.
  summed() {
    const busy = this.busy(MINIMAP_BINS);
    const times = new Map();
    for (const row of this.rows) {
      if (row.depth > 0 || (this.summary && row !== this.summary)) continue;
      for (let i = 0; i < row.count; i++) {
        const name = row.name(i);
        const own = row.kind === "bin" ? row.level.busy[i] : row.ends[i] - row.starts[i];
        if (name >= 0 && own > 0) times.set(name, (times.get(name) || 0) + own);
      }
    }
    let top = -1;
    times.forEach((own, name) => {
      if (top < 0 || own > times.get(top)) top = name;
    });
    return {busy: busy.reduce((sum, share) => sum + share, 0) / busy.length, top};
  }
}

class TimelineModel {
  // The tracks of one clock of the document.
  constructor(told, clock) {
    const form = told || {},
      clocks = form.clocks || [];
    const span = clocks[clock] || form;
    this.begin = String(span.begin_ns ?? "0");
    this.length = Math.max(1, span.length_ns || 0);
    this.clock = form.clock;
    this.names = form.names || [];
    this.tracks = (form.tracks || [])
      .filter(track => (track.clock || 0) === clock)
      .map(track => new Track(track, this.length));
    this.tasks = clocks.length > 1 ? this.tracks.reduce((sum, track) => sum + track.slices, 0) : form.tasks || 0;
    this.tracks.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  }

  groups() {
    return [...new Set(this.tracks.map(track => short(translated(track.group || track.name), 60)))];
  }

  nameOf(row, i) {
    return this.names[row.name(i)] ?? "–";
  }

  // What is drawn for an operator, in order of time: its slices, and bins in which it takes most of the time.
  occurrences(accepts) {
    const wanted = new Uint8Array(this.names.length);
    this.names.forEach((name, i) => {
      wanted[i] = accepts(name) ? 1 : 0;
    });
    const found = [];
    for (const track of this.tracks) {
      for (const row of track.rows) {
        for (let i = 0; i < row.count; i++) {
          if (wanted[row.name(i)] && row.exists(i)) found.push({row, i});
        }
      }
    }
    return {wanted, found: found.sort((a, b) => a.row.start(a.i) - b.row.start(b.i))};
  }
}
