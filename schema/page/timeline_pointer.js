// timeline_pointer.js: mouse, pen and fingers on the timeline, and its map of the whole time.

const CLICK_DISTANCE = 4; // pixels

// The distance and the middle of two fingers.
function pinchOf(pointers) {
  const [a, b] = [...pointers.values()];
  return {distance: Math.max(8, Math.abs(a.clientX - b.clientX)), middle: {clientX: (a.clientX + b.clientX) / 2}};
}

function showTip(timeline, event) {
  const {tip, stage, hovered} = timeline;
  tip.hidden = !hovered;
  if (!hovered) return;
  const {name, facts, operator} = timeline.describe(hovered);
  const lines = operator ? [...facts, operator] : facts;
  tip.replaceChildren(make("strong", null, short(name, 120)), ...lines.map(text => make("span", null, text)));
  const box = stage.getBoundingClientRect();
  const x = event.clientX - box.left,
    y = event.clientY - box.top;
  tip.style.left = Math.max(0, Math.min(x + 14, box.width - tip.offsetWidth - 4)) + "px";
  tip.style.top = (y + 18 + tip.offsetHeight > box.height ? Math.max(0, y - tip.offsetHeight - 10) : y + 18) + "px";
}

function hover(timeline, event) {
  const item = event ? timeline.itemAt(event) : null;
  const before = timeline.hovered;
  timeline.hovered = item;
  showTip(timeline, event);
  if ((item && item.row) !== (before && before.row) || (item && item.i) !== (before && before.i)) timeline.redraw();
}

function followPointers(timeline) {
  const {canvas, map} = timeline;
  const pointers = new Map();
  let last = null,
    travelled = 0;
  canvas.addEventListener("pointerdown", event => {
    pointers.set(event.pointerId, event);
    canvas.setPointerCapture(event.pointerId);
    [last, travelled] = [event, 0];
  });
  canvas.addEventListener("pointermove", event => {
    if (!pointers.has(event.pointerId)) return hover(timeline, event);
    const before = pointers.size === 2 ? pinchOf(pointers) : null;
    pointers.set(event.pointerId, event);
    travelled += Math.abs(event.clientX - last.clientX);
    if (before) {
      const after = pinchOf(pointers);
      timeline.zoom(before.distance / after.distance, timeline.timeAt(after.middle));
    } else if (travelled > CLICK_DISTANCE) timeline.pan((last.clientX - event.clientX) / timeline.painter.plot);
    last = event;
    return null;
  });
  const up = event => {
    const item =
      event.type === "pointerup" && pointers.size === 1 && travelled <= CLICK_DISTANCE ? timeline.itemAt(event) : null;
    pointers.delete(event.pointerId);
    if (item) timeline.select(item);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => hover(timeline, null));
  canvas.addEventListener("dblclick", () => timeline.zoomToSelected());
  const jump = event => {
    if (!event.buttons) return;
    const box = map.getBoundingClientRect();
    const half = (timeline.view.to - timeline.view.from) / 2;
    const middle = ((event.clientX - box.left) / box.width) * timeline.model.length;
    timeline.look(middle - half, middle + half);
  };
  map.addEventListener("pointerdown", event => {
    map.setPointerCapture(event.pointerId);
    jump(event);
  });
  map.addEventListener("pointermove", jump);
}

// How busy the busiest track was over the whole time, and which part of it the view shows.
function drawMinimap(timeline) {
  const {map, model, view, painter} = timeline;
  const width = painter.width,
    context = map.getContext("2d");
  if (!timeline.busyBins) {
    const tracks = model.tracks.filter(track => track.kind === "device");
    const shares = (tracks.length ? tracks : model.tracks).map(track => track.busy(MINIMAP_BINS));
    timeline.busyBins = Array.from({length: MINIMAP_BINS}, (_, i) => Math.max(0, ...shares.map(bins => bins[i])));
  }
  map.width = Math.round(width * painter.ratio);
  map.height = Math.round(MINIMAP_HEIGHT * painter.ratio);
  context.setTransform(painter.ratio, 0, 0, painter.ratio, 0, 0);
  context.fillStyle = painter.colors.lane;
  context.fillRect(0, 0, width, MINIMAP_HEIGHT);
  context.fillStyle = painter.colors.accent;
  context.globalAlpha = 0.55;
  const size = width / MINIMAP_BINS;
  context.beginPath();
  context.moveTo(0, MINIMAP_HEIGHT);
  timeline.busyBins.forEach((share, i) => {
    context.lineTo(i * size, MINIMAP_HEIGHT * (1 - share));
    context.lineTo((i + 1) * size, MINIMAP_HEIGHT * (1 - share));
  });
  context.lineTo(width, MINIMAP_HEIGHT);
  context.fill();
  context.globalAlpha = 0.72;
  context.fillStyle = painter.colors.card;
  const from = (view.from / model.length) * width,
    to = Math.max(from + 3, (view.to / model.length) * width);
  context.fillRect(0, 0, from, MINIMAP_HEIGHT);
  context.fillRect(to, 0, width - to, MINIMAP_HEIGHT);
  context.globalAlpha = 1;
  context.strokeStyle = painter.colors.focus;
  context.lineWidth = 2;
  context.strokeRect(from + 1, 1, Math.max(1, to - from - 2), MINIMAP_HEIGHT - 2);
}
