/* Painting: one pane is one canvas that shows one plan at one moment. All panes share the view: its center in cells and
 * its scale in pixels per cell. */

const AGENT_RADIUS = 0.38; /* in cells */
const DOT_SCALE = 6; /* below this many pixels per cell agents are dots, larger than a cell if need be */
const DOT_RADIUS = 2.4; /* pixels */
const MANY_DOTS = 4000; /* from so many agents on dots are squares of pixels */
const GOAL_SCALE = 4; /* below, a thousand goals only hide the agents */
const GRID_SCALE = 9; /* from here on the cells are drawn */
const TRAIL_STEPS = 600; /* of a longer path, this much is drawn on either side of now */
const FLEET_TRAIL_STEPS = 24; /* a fleet never arrives: what is farther off only crosses itself */
const WAY_STEPS = 6; /* of everybody's way ahead in a sequence */
const LABEL_SCALE = 22; /* from here on agents carry their number */

/* The obstacles, one pixel per square: scaled when drawn, so their cost does not depend on their number. */
function paintMap(world, theme) {
  const layer = document.createElement("canvas");
  layer.width = world.width;
  layer.height = world.height;
  const ctx = layer.getContext("2d");
  const image = ctx.createImageData(world.width, world.height);
  const pixels = new Uint32Array(image.data.buffer);
  const wall = packedColor(theme.wall);
  for (let i = 0; i < pixels.length; i++) pixels[i] = world.blocked[i] ? wall : 0;
  ctx.putImageData(image, 0, 0);
  return layer;
}

/* "#rrggbb" as a pixel of ImageData on a little-endian machine. */
function packedColor(hex) {
  const value = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/* Where an agent is at a moment between two steps, in cells; written to `out` to spare garbage. */
function positionAt(plan, agent, time, out) {
  const step = Math.floor(time), part = time - step;
  const i = cellIndex(plan, agent, step), j = cellIndex(plan, agent, step + 1);
  let rows = plan.row[j] - plan.row[i], cols = plan.col[j] - plan.col[i];
  if (Math.abs(rows) + Math.abs(cols) > 1) rows = cols = 0; /* a jump is shown as one */
  out.x = plan.col[i] + part * cols + 0.5;
  out.y = plan.row[i] + part * rows + 0.5;
  out.moving = rows !== 0 || cols !== 0;
  return out;
}

/* The agent drawn nearest to a point in cells, or the owner of the goal there, or -1. */
function agentNear(plan, world, time, x, y, reach) {
  const at = {};
  let best = -1, nearest = reach * reach;
  for (let agent = 0; agent < plan.agents; agent++) {
    positionAt(plan, agent, time, at);
    const distance = (at.x - x) ** 2 + (at.y - y) ** 2;
    if (distance < nearest) {
      nearest = distance;
      best = agent;
    }
  }
  if (best >= 0 || x < 0 || y < 0 || x >= world.width || y >= world.height) return best;
  return world.goalOwner.get(Math.floor(y) * world.width + Math.floor(x)) ?? -1;
}

/* Draws everything; `look` holds {world, theme, view, map, colorGroups, time, focus, selected, showGoals, showHeat, isDenoising,
 * showAgents, showWays}. A plan
 * that has just taken another's place, plan.fade = {from, share}, shows that share of itself. */
function drawScene(pane, look) {
  const { ctx } = pane, { view } = look;
  ctx.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  ctx.fillStyle = look.theme.ground;
  ctx.fillRect(0, 0, pane.width, pane.height);
  const sight = {
    scale: view.scale,
    left: pane.width / 2 - view.x * view.scale,
    top: pane.height / 2 - view.y * view.scale,
  };
  sight.crowded = pane.plan.agents > MANY_DOTS && view.scale < DOT_SCALE;
  sight.x0 = -sight.left / view.scale - 1;
  sight.y0 = -sight.top / view.scale - 1;
  sight.x1 = (pane.width - sight.left) / view.scale + 1;
  sight.y1 = (pane.height - sight.top) / view.scale + 1;
  drawMap(ctx, look, sight);
  if (look.showHeat) drawHeat(ctx, pane.plan, look, sight);
  if (look.isDenoising) drawWholeRoutes(ctx, pane.plan, look, sight);
  if (look.isDenoising && !look.showAgents) return look.drawOver?.(ctx, look, sight);
  if (look.showGoals && sight.scale >= GOAL_SCALE) drawGoals(ctx, pane.plan, look, sight);
  if (look.showWays && !look.isDenoising && sight.scale >= DOT_SCALE) drawWays(ctx, pane.plan, look, sight);
  if (look.focus >= 0) drawTrail(ctx, pane.plan, look, sight);
  const waits = look.focus < 0 || pane.plan.fade ? null : waitsOf(pane.plan, look.world, look.focus, Math.round(look.time));
  if (sight.crowded) paintDots(pane, look, sight);
  drawAgents(ctx, pane.plan, look, sight, waits ? [...waits.by, ...(waits.on ? [waits.on.agent] : [])] : []);
  if (waits) drawWaits(ctx, pane.plan, look, sight, waits);
  drawConflicts(ctx, pane.plan, look, sight);
  look.drawOver?.(ctx, look, sight);
}

function drawMap(ctx, look, sight) {
  const { world, theme } = look, { scale, left, top } = sight;
  ctx.fillStyle = theme.floor;
  ctx.fillRect(left, top, world.width * scale, world.height * scale);
  ctx.strokeStyle = theme.grid;
  ctx.lineWidth = 1;
  if (scale >= GRID_SCALE) {
    ctx.beginPath();
    const y0 = top + Math.max(0, Math.floor(sight.y0)) * scale, y1 = top + Math.min(world.height, sight.y1) * scale;
    const x0 = left + Math.max(0, Math.floor(sight.x0)) * scale, x1 = left + Math.min(world.width, sight.x1) * scale;
    for (let x = x0; x <= x1 + 0.01; x += scale) ctx.moveTo(x, y0), ctx.lineTo(x, y1);
    for (let y = y0; y <= y1 + 0.01; y += scale) ctx.moveTo(x0, y), ctx.lineTo(x1, y);
    ctx.stroke();
  }
  ctx.imageSmoothingEnabled = scale < 1;
  ctx.globalAlpha = scale < DOT_SCALE ? 0.4 : 1; /* small agents must stand out from many small obstacles */
  ctx.drawImage(look.map, left, top, world.width * scale, world.height * scale);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = theme.edge;
  ctx.strokeRect(left - 0.5, top - 0.5, world.width * scale + 1, world.height * scale + 1);
}

/* Goals are tinted cells in the color of their agent, until it rests there. */
function drawGoals(ctx, plan, look, sight) {
  const { world, colorGroups, time } = look, { scale } = sight, at = {};
  const inset = scale >= GRID_SCALE ? 0.14 : 0, corner = scale >= GRID_SCALE ? 0.16 * scale : 0;
  const size = (1 - 2 * inset) * scale;
  ctx.globalAlpha = look.selected >= 0 ? 0.14 : 0.3;
  for (const group of colorGroups) {
    ctx.fillStyle = group.color;
    ctx.beginPath();
    for (const agent of group.agents) {
      const col = world.goals[agent] % world.width, row = (world.goals[agent] - col) / world.width;
      if (col < sight.x0 || col > sight.x1 || row < sight.y0 || row > sight.y1) continue;
      if (isDocked(world, agent, positionAt(plan, agent, time, at))) continue;
      const x = sight.left + (col + inset) * scale, y = sight.top + (row + inset) * scale;
      if (corner) ctx.roundRect(x, y, size, size, corner);
      else ctx.rect(x, y, size, size);
    }
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

/* Moving agents are discs; those resting on their goal fill the cell as rounded squares. */
function traceAgent(ctx, at, docked, sight, grow) {
  const { scale } = sight, x = sight.left + at.x * scale, y = sight.top + at.y * scale;
  if (scale < DOT_SCALE) {
    const radius = Math.max(DOT_RADIUS, 0.45 * scale) + grow;
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
  } else if (docked) {
    const half = AGENT_RADIUS * scale + grow;
    ctx.roundRect(x - half, y - half, 2 * half, 2 * half, 0.16 * scale);
  } else {
    const radius = AGENT_RADIUS * scale + grow;
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

function isDocked(world, agent, at) {
  const goal = world.goals[agent], col = goal % world.width;
  return !at.moving && at.x === col + 0.5 && at.y === (goal - col) / world.width + 0.5;
}

function isVisible(at, sight) {
  return at.x > sight.x0 && at.x < sight.x1 && at.y > sight.y0 && at.y < sight.y1;
}

/* Very many agents are squares of pixels, written into an image of the pane: paths of ten thousand discs take too long. */
function paintDots(pane, look, sight) {
  const { plan, ratio, canvas } = pane, at = {};
  const layer = (pane.dots ??= document.createElement("canvas"));
  if (layer.width !== canvas.width || layer.height !== canvas.height)
    Object.assign(layer, { width: canvas.width, height: canvas.height });
  const ctx = layer.getContext("2d"), image = ctx.createImageData(layer.width, layer.height);
  const pixels = new Uint32Array(image.data.buffer), side = Math.max(2, Math.round(2 * ratio * Math.min(DOT_RADIUS, 0.6 * sight.scale)));
  for (const group of look.colorGroups) {
    const color = packedColor(group.color);
    for (const agent of group.agents) {
      positionAt(plan, agent, look.time, at);
      const x = Math.round(ratio * (sight.left + at.x * sight.scale) - side / 2), y = Math.round(ratio * (sight.top + at.y * sight.scale) - side / 2);
      if (x < 0 || y < 0 || x + side > layer.width || y + side > layer.height) continue;
      for (let row = y; row < y + side; row++)
        for (let i = row * layer.width + x, end = i + side; i < end; i++) pixels[i] = color;
    }
  }
  ctx.putImageData(image, 0, 0);
  pane.ctx.globalAlpha = look.selected >= 0 ? 0.3 : 1;
  pane.ctx.drawImage(layer, 0, 0, pane.width, pane.height);
  pane.ctx.globalAlpha = 1;
}

/* The agents for which isShown(agent) holds. */
function drawDiscs(ctx, plan, look, sight, strength, isShown) {
  const at = {};
  ctx.globalAlpha = (look.selected >= 0 ? 0.3 : 1) * strength;
  for (const group of look.colorGroups) {
    ctx.fillStyle = group.color;
    ctx.beginPath();
    for (const agent of group.agents) {
      positionAt(plan, agent, look.time, at);
      if (isVisible(at, sight) && isShown(agent)) traceAgent(ctx, at, isDocked(look.world, agent, at), sight, 0);
    }
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

/* Who is in another place in the plan that comes fades out here and in there; gliding would lead through walls. */
function drawFading(ctx, plan, look, sight) {
  const { from, share } = plan.fade, time = Math.min(look.time, from.makespan), a = {}, b = {};
  const stays = new Set();
  for (let agent = 0; agent < plan.agents; agent++) {
    positionAt(plan, agent, look.time, a);
    positionAt(from, agent, time, b);
    if (a.x === b.x && a.y === b.y) stays.add(agent);
  }
  const leaves = (agent) => !stays.has(agent);
  drawDiscs(ctx, plan, look, sight, 1, (agent) => stays.has(agent));
  drawDiscs(ctx, from, { ...look, time }, sight, 1 - share, leaves);
  drawDiscs(ctx, plan, look, sight, share, leaves);
}

/* Where everybody goes next: thin lines, a few steps long. */
function drawWays(ctx, plan, look, sight) {
  const { scale } = sight, step = Math.floor(look.time), at = {};
  const px = (x) => sight.left + (x + 0.5) * scale, py = (y) => sight.top + (y + 0.5) * scale;
  ctx.globalAlpha = (look.selected >= 0 ? 0.2 : 0.5) * (plan.fade ? plan.fade.share : 1);
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.lineWidth = Math.max(1.5, 0.12 * scale);
  for (const group of look.colorGroups) {
    ctx.strokeStyle = group.color;
    ctx.beginPath();
    for (const agent of group.agents) {
      positionAt(plan, agent, look.time, at);
      if (!isVisible(at, sight)) continue;
      ctx.moveTo(px(at.x - 0.5), py(at.y - 0.5));
      for (let ahead = 1; ahead <= WAY_STEPS; ahead++) {
        const i = cellIndex(plan, agent, step + ahead);
        ctx.lineTo(px(plan.col[i]), py(plan.row[i]));
      }
    }
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/* `partners` wait for the agent in focus or are waited for: they stand out with it. */
function drawAgents(ctx, plan, look, sight, partners) {
  const { world, time, focus } = look, at = {};
  if (plan.fade) drawFading(ctx, plan, look, sight);
  else if (!sight.crowded) drawDiscs(ctx, plan, look, sight, 1, () => true);
  for (const agent of look.selected >= 0 ? partners : []) {
    ctx.fillStyle = look.colorOf(agent);
    ctx.beginPath();
    positionAt(plan, agent, time, at);
    traceAgent(ctx, at, isDocked(world, agent, at), sight, 0);
    ctx.fill();
  }
  if (focus >= 0) {
    positionAt(plan, focus, time, at);
    ctx.beginPath();
    traceAgent(ctx, at, isDocked(world, focus, at), sight, sight.scale < DOT_SCALE ? 2 : 1);
    ctx.fillStyle = look.colorOf(focus);
    ctx.fill();
    ctx.lineWidth = Math.max(1.5, 0.07 * sight.scale);
    ctx.strokeStyle = look.theme.ink;
    ctx.stroke();
  }
  if (sight.scale < LABEL_SCALE) return;
  const digits = String(plan.agents - 1).length;
  ctx.font = `600 ${Math.round(sight.scale * (digits > 2 ? 0.28 : 0.34))}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = look.theme.label;
  for (let agent = 0; agent < plan.agents; agent++) {
    positionAt(plan, agent, time, at);
    if (!isVisible(at, sight)) continue;
    ctx.globalAlpha = look.selected >= 0 && agent !== focus && !partners.includes(agent) ? 0.35 : 1;
    if (plan.fade) ctx.globalAlpha *= plan.fade.share;
    ctx.fillText(agent, sight.left + at.x * sight.scale, sight.top + (at.y + 0.02) * sight.scale);
  }
  ctx.globalAlpha = 1;
}

/* The way of the agent in focus: behind it solid, before it dashed; a ring on its start, a frame on its goal. A fleet's
 * robot has numbered frames on the goals of its queue instead of a start. */
function drawTrail(ctx, plan, look, sight) {
  const { world, focus, time } = look, { scale } = sight, at = positionAt(plan, focus, time, {});
  const px = (x) => sight.left + x * scale, py = (y) => sight.top + y * scale;
  const step = Math.floor(time), first = plan.first[focus], last = plan.first[focus + 1] - 1;
  const here = Math.min(first + step, last);
  const reach = plan.tasks ? FLEET_TRAIL_STEPS : TRAIL_STEPS;
  const from = Math.max(first, here - reach), to = Math.min(last, here + reach);
  ctx.strokeStyle = look.colorOf(focus);
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.lineWidth = Math.max(2, 0.14 * scale);
  ctx.beginPath();
  ctx.moveTo(px(plan.col[from] + 0.5), py(plan.row[from] + 0.5));
  for (let i = from + 1; i <= here; i++) ctx.lineTo(px(plan.col[i] + 0.5), py(plan.row[i] + 0.5));
  ctx.lineTo(px(at.x), py(at.y));
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(px(at.x), py(at.y));
  for (let i = here + 1; i <= to; i++) ctx.lineTo(px(plan.col[i] + 0.5), py(plan.row[i] + 0.5));
  ctx.setLineDash([0.01, Math.max(4, 0.3 * scale)]);
  ctx.stroke();
  ctx.setLineDash([]);
  const middle = (square) => [px(square % world.width + 0.5), py(Math.floor(square / world.width) + 0.5)];
  ctx.lineWidth = Math.max(2, 0.09 * scale);
  if (plan.tasks && !isBusy(plan.tasks[focus], step)) return;
  if (plan.tasks) drawQueue(ctx, queueAt(plan, focus, step).map(middle), look, scale);
  else drawStart(ctx, middle(world.starts[focus]), look, scale);
  drawFrame(ctx, middle(world.goals[focus]), scale);
}

function drawStart(ctx, [x, y], look, scale) {
  ctx.fillStyle = look.theme.floor;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(3, 0.2 * scale), 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}

function drawFrame(ctx, [x, y], scale) {
  const half = Math.max(4, 0.42 * scale);
  ctx.beginPath();
  ctx.roundRect(x - half, y - half, 2 * half, 2 * half, 0.18 * scale);
  ctx.stroke();
}

/* The goals after the one a robot goes to: 2, 3, ... */
function drawQueue(ctx, places, look, scale) {
  ctx.font = `600 ${Math.max(9, Math.round(0.5 * scale))}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.setLineDash([0.2 * scale, 0.16 * scale]);
  places.forEach(([x, y], index) => {
    drawFrame(ctx, [x, y], scale);
    ctx.fillStyle = look.theme.ink;
    ctx.fillText(index + 2, x, y + 0.02 * scale);
  });
  ctx.setLineDash([]);
}

/* Arrows to whom the agent in focus waits for, and thin ones from those that wait for it; a frame on the cell it waits
 * to enter. */
function drawWaits(ctx, plan, look, sight, { on, by }) {
  const { time } = look, { scale } = sight, at = (agent) => positionAt(plan, agent, time, {});
  ctx.strokeStyle = ctx.fillStyle = look.theme.ink;
  ctx.lineCap = "butt";
  if (on) {
    ctx.lineWidth = Math.max(1.5, 0.06 * scale);
    ctx.setLineDash([0.15 * scale, 0.15 * scale]);
    ctx.strokeRect(sight.left + (on.col + 0.04) * scale, sight.top + (on.row + 0.04) * scale, 0.92 * scale, 0.92 * scale);
    ctx.setLineDash([]);
    ctx.lineWidth = Math.max(2, 0.1 * scale);
    drawArrow(ctx, at(look.focus), at(on.agent), 0.34, sight);
  }
  ctx.lineWidth = Math.max(1, 0.05 * scale);
  for (const agent of by) drawArrow(ctx, at(agent), at(look.focus), 0.22, sight);
}

/* From agent to agent, a little over their edges: between neighbors there would be no room for it. The head is as long
 * as `head` cells, but can always be seen. */
function drawArrow(ctx, from, to, head, sight) {
  const { scale } = sight, dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy);
  const edge = scale < DOT_SCALE ? DOT_RADIUS / scale : 0.7 * AGENT_RADIUS;
  if (length <= 2 * edge) return;
  const x = dx / length, y = dy / length, long = Math.max(head, 5 / scale), wide = 0.45 * long;
  const px = (along, across) => sight.left + (from.x + along * x - across * y) * scale;
  const py = (along, across) => sight.top + (from.y + along * y + across * x) * scale;
  const tip = length - edge, neck = Math.max(edge, tip - long);
  ctx.beginPath();
  ctx.moveTo(px(edge, 0), py(edge, 0));
  ctx.lineTo(px(neck, 0), py(neck, 0));
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(px(tip, 0), py(tip, 0));
  ctx.lineTo(px(neck, wide), py(neck, wide));
  ctx.lineTo(px(neck, -wide), py(neck, -wide));
  ctx.fill();
}

/* How strongly a conflict of step t shows at a moment: fully while it happens, fading within the next half step. */
function conflictStrength(conflict, time) {
  const happens = conflict.kind === "swap" ? conflict.time - 0.5 : conflict.time;
  return Math.min(1, Math.max(0, 2 - 2 * Math.abs(time - happens)));
}

function drawConflicts(ctx, plan, look, sight) {
  const { list, firstAt } = plan.conflicts, { time } = look, { scale } = sight, at = {};
  const from = firstAt[Math.min(plan.makespan, Math.max(0, Math.floor(time)))];
  const to = firstAt[Math.min(plan.makespan, Math.floor(time) + 1) + 1];
  const arrived = plan.fade ? plan.fade.share : 1;
  ctx.strokeStyle = ctx.fillStyle = look.theme.danger;
  ctx.lineWidth = Math.max(2, 0.075 * scale);
  for (let i = from; i < to; i++) {
    const conflict = list[i], strength = conflictStrength(conflict, time);
    if (strength === 0) continue;
    let x = conflict.col + 0.5, y = conflict.row + 0.5;
    if (conflict.kind === "swap") {
      positionAt(plan, conflict.agent, conflict.time - 0.5, at);
      x = at.x;
      y = at.y;
    }
    if (x < sight.x0 || x > sight.x1 || y < sight.y0 || y > sight.y1) continue;
    const radius = Math.max(5, 0.56 * scale);
    ctx.beginPath();
    ctx.arc(sight.left + x * scale, sight.top + y * scale, radius, 0, 2 * Math.PI);
    ctx.globalAlpha = 0.22 * strength * arrived;
    ctx.fill();
    ctx.globalAlpha = strength * arrived;
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}
