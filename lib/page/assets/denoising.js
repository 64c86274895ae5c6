/* A denoising is shown as whole routes, not as one instant: all paths faint, and cells tinted by the collisions on them
 * over the whole plan, so that the red fades from noise to draft. */

const ROUTE_ALPHA = 0.22;
const TINT_MOST = 0.85;

const looksLikeNoise = (data) => data.layout === "sequence" && /noise/i.test(data.plans[0].title);

/* How many collisions each square has over the whole plan. */
function collisionsBySquare(plan, world) {
  if (plan.collisions) return plan.collisions;
  const count = (plan.collisions = new Int32Array(world.height * world.width));
  for (const { row, col } of plan.conflicts.list)
    if (row >= 0 && row < world.height && col >= 0 && col < world.width) count[row * world.width + col]++;
  return count;
}

function drawRoutes(ctx, plan, look, sight, strength) {
  const { scale } = sight, px = (x) => sight.left + (x + 0.5) * scale, py = (y) => sight.top + (y + 0.5) * scale;
  ctx.globalAlpha = ROUTE_ALPHA * strength;
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.lineWidth = Math.max(1, 0.1 * scale);
  for (const group of look.colorGroups) {
    ctx.strokeStyle = group.color;
    ctx.beginPath();
    for (const agent of group.agents) {
      const last = plan.first[agent + 1];
      for (let i = plan.first[agent]; i < last; i++) {
        if (i === plan.first[agent]) ctx.moveTo(px(plan.col[i]), py(plan.row[i]));
        else if (plan.row[i] !== plan.row[i - 1] || plan.col[i] !== plan.col[i - 1]) ctx.lineTo(px(plan.col[i]), py(plan.row[i]));
      }
    }
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/* `most` is the noise's most on one cell: the scale is the same for all levels, or nothing would fade. */
function drawTint(ctx, plan, look, sight, strength, most) {
  const { world } = look, { scale } = sight, count = collisionsBySquare(plan, world);
  ctx.fillStyle = look.theme.danger;
  for (let square = 0; square < count.length; square++) {
    if (!count[square]) continue;
    const col = square % world.width, row = (square - col) / world.width;
    if (col < sight.x0 || col > sight.x1 || row < sight.y0 || row > sight.y1) continue;
    ctx.globalAlpha = strength * TINT_MOST * Math.min(1, Math.log1p(count[square]) / Math.log1p(most));
    ctx.fillRect(sight.left + col * scale, sight.top + row * scale, scale, scale);
  }
  ctx.globalAlpha = 1;
}

function drawWholeRoutes(ctx, plan, look, sight) {
  const share = plan.fade ? plan.fade.share : 1, most = Math.max(2, look.mostCollisions);
  if (plan.fade) {
    drawTint(ctx, plan.fade.from, look, sight, 1 - share, most);
    drawRoutes(ctx, plan.fade.from, look, sight, 1 - share);
  }
  drawTint(ctx, plan, look, sight, share, most);
  drawRoutes(ctx, plan, look, sight, share);
}

/* What the noise level of a plan of the sequence means. `last` is the draft's index; what comes after it was repaired. */
function describeLevel(index, last) {
  if (index > last) return "Repaired: no collision is left. Repair moves some agents a little, not whole routes.";
  const level = last - index;
  if (index === 0) return `Noise level ${level} of ${last}: every action is random. The network has seen nothing yet.`;
  if (level === 0) return `Noise level 0 of ${last}: no noise is left. This is the draft; repair takes over from here.`;
  return `Noise level ${level} of ${last}: the network has cleaned the plan ${index === 1 ? "once" : index === 2 ? "twice" : `${index} times`}; ${level} more to go.`;
}
