/* Small charts of the cards: two numbers on each axis, no more. */

/* The canvas at the screen's resolution, or null while it is not shown. `left` and `foot` are kept for numbers. */
function openChart(canvas) {
  const ratio = Math.min(2, devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height || !look.theme) return null;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const ctx = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  ctx.scale(ratio, ratio);
  ctx.font = "11px system-ui, sans-serif";
  return { ctx, width, height, left: 46, right: 8, top: 10, foot: 18,
    muted: style.getPropertyValue("--muted"), accent: style.getPropertyValue("--accent") };
}

function writeAxes({ ctx, width, height, left, right, foot, muted }, [low, high], [from, to], y) {
  ctx.fillStyle = muted;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const value of new Set([low, high])) ctx.fillText(grouped(value), left - 6, y(value));
  ctx.textBaseline = "alphabetic";
  ctx.textAlign = "left";
  ctx.fillText(from, left, height - foot + 14);
  ctx.textAlign = "right";
  ctx.fillText(to, width - right, height - foot + 14);
}

function strokeLine({ ctx, accent }, points) {
  ctx.strokeStyle = accent;
  ctx.lineWidth = 2;
  ctx.lineJoin = "round";
  ctx.beginPath();
  points.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.stroke();
}

/* The cost of the best plan over time, and the distance that no plan can undercut. */
const chart = {
  points: [], bound: -1,

  clear() {
    this.points = [];
    this.bound = -1;
  },

  add(seconds, soc) {
    this.points.push({ seconds, soc });
    this.draw();
  },

  draw() {
    const { points, bound } = this, canvas = byId("chart");
    if (points.length === 0) return;
    const paper = openChart(canvas);
    if (!paper) return;
    const { ctx, width, height, left, right, top, foot, muted } = paper;
    const last = points.at(-1), high = points[0].soc, low = bound > 0 ? bound : last.soc, end = Math.max(last.seconds, 0.2);
    const x = (seconds) => left + ((width - left - right) * seconds) / end;
    const y = (soc) => height - foot - 4 - ((height - top - foot - 4) * (soc - low)) / Math.max(1, high - low);
    /* The cost now has its number on the left, unless the first one's is in the way. */
    const tick = y(last.soc) - y(high) > 13 ? last.soc : high;
    writeAxes(paper, [tick, high], ["0 s", `${end.toFixed(1)} s`], y);
    if (bound > 0) {
      ctx.strokeStyle = muted;
      ctx.lineWidth = 1;
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(left, Math.round(y(bound)) + 0.5);
      ctx.lineTo(width - right, Math.round(y(bound)) + 0.5);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.fillStyle = muted;
      ctx.textAlign = "left";
      ctx.fillText(`bound ${grouped(bound)}`, left + 4, y(bound) - 4);
    }
    const line = [];
    points.forEach((point, i) => {
      if (i) line.push([x(point.seconds), y(points[i - 1].soc)]);
      line.push([x(point.seconds), y(point.soc)]);
    });
    strokeLine(paper, [...line, [x(end), y(last.soc)]]);
    canvas.setAttribute("aria-label",
      `Cost from ${grouped(high)} to ${grouped(last.soc)} in ${last.seconds.toFixed(1)} seconds` + (bound > 0 ? `, bound ${grouped(bound)}` : ""));
  },
};
