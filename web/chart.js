/* The cost of the best plan over time, and the distance that no plan can undercut. */

const chart = {
  points: [], bound: -1,

  clear() {
    this.points = [];
    this.bound = -1;
    this.draw();
  },

  add(seconds, soc) {
    this.points.push({ seconds, soc });
    this.draw();
  },

  draw() {
    const canvas = byId("chart"), ratio = Math.min(2, devicePixelRatio || 1);
    canvas.hidden = this.points.length === 0;
    if (canvas.hidden || !look.theme) return;
    const width = canvas.clientWidth, height = canvas.clientHeight, pad = 6;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const ctx = canvas.getContext("2d"), last = this.points.at(-1), high = this.points[0].soc;
    const low = this.bound > 0 ? this.bound : last.soc, span = Math.max(1, high - low);
    const end = Math.max(last.seconds, 0.2);
    const x = (seconds) => pad + ((width - 2 * pad) * seconds) / end;
    const y = (soc) => height - pad - ((height - 2 * pad) * (soc - low)) / span;
    ctx.scale(ratio, ratio);
    if (this.bound > 0) {
      ctx.strokeStyle = look.theme.edge;
      ctx.setLineDash([3, 3]);
      ctx.strokeRect(pad, Math.round(y(this.bound)) - 0.5, width - 2 * pad, 0);
      ctx.setLineDash([]);
    }
    ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    ctx.lineWidth = 2;
    ctx.lineJoin = "round";
    ctx.beginPath();
    this.points.forEach((point, i) => {
      if (i) ctx.lineTo(x(point.seconds), y(this.points[i - 1].soc));
      ctx.lineTo(x(point.seconds), y(point.soc));
    });
    ctx.lineTo(x(end), y(last.soc));
    ctx.stroke();
    canvas.setAttribute("aria-label", `Cost from ${grouped(high)} to ${grouped(last.soc)} in ${last.seconds.toFixed(1)} seconds`);
  },
};
