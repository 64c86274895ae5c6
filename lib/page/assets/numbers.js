/* What a pane says: its numbers, the line about an agent or a conflict, the ticks in time, the list of conflicts. */

const LIST_ROWS = 500; /* conflicts shown in the list; the key c reaches all of them */

const currentStep = () => Math.round(state.time);
const place = (row, col) => `(${row}, ${col})`;
const squarePlace = (square) => place(Math.floor(square / world.width), square % world.width);
const kindName = { vertex: "Vertex conflict", swap: "Swap", jump: "Jump", blocked: "Off the free cells" };

function describeConflict(conflict) {
  const who = conflict.other < 0 ? `agent ${conflict.agent}` : `agents ${conflict.agent} and ${conflict.other}`;
  return `${kindName[conflict.kind]} at ${place(conflict.row, conflict.col)}: ${who}`;
}

const NAMED_WAITERS = 3; /* of those that wait for an agent, so many are named; the others are counted */

function describeAgent(plan, agent) {
  const step = Math.min(currentStep(), plan.makespan);
  const i = cellIndex(plan, agent, step), here = place(plan.row[i], plan.col[i]);
  if (plan.tasks && !isBusy(plan.tasks[agent], step)) return `Agent ${agent} at ${here} · no task`;
  const goal = `Agent ${agent} at ${here} · goal ${squarePlace(world.goals[agent])}`;
  if (plan.tasks) return goal + queueAt(plan, agent, step).map((square) => `, then ${squarePlace(square)}`).join("");
  return `${goal} · cost ${grouped(agentCost(plan, agent))}` + describeWaits(waitsOf(plan, world, agent, step));
}

function describeWaits(waits) {
  if (!waits) return "";
  const { on, by } = waits, named = by.slice(0, NAMED_WAITERS).join(", ");
  const more = by.length > NAMED_WAITERS ? ` and ${grouped(by.length - NAMED_WAITERS)} more` : "";
  return (on ? ` · waits for ${on.agent} at ${place(on.row, on.col)}` : "") +
    (by.length ? ` · ${named}${more} ${by.length > 1 ? "wait" : "waits"} for it` : "");
}

/* The index of the draft in a denoising: a repaired plan may follow it. */
const lastDraft = () => data.levels ?? data.plans.length - (data.plans.at(-1).violations === 0 && /repaired/i.test(data.plans.at(-1).title) ? 2 : 1);

/* Of a plan in a sequence: where it stands and how much is left to repair. */
function captionOf(plan) {
  const { pairs } = plan.conflicts;
  return `${plan.title} · ${grouped(pairs)} colliding ${pairs === 1 ? "pair" : "pairs"}`;
}

function updatePane(pane) {
  const { plan } = pane, step = Math.min(currentStep(), plan.makespan), { conflicts } = plan;
  const now = conflicts.countAt[step], focus = look.focus;
  if (pane.shownStep !== step) {
    pane.shownStep = step;
    setText(pane.atGoal, plan.tasks ? grouped(tasksDone(plan))
      : `${grouped(agentsAtGoal(plan, world, step))} / ${grouped(plan.agents)}`);
    if (plan.tasks) {
      setText(pane.busy, `${grouped(busyRobots(plan, step))} / ${grouped(plan.agents)}`);
      setText(pane.queued, grouped(queuedTasks(plan, step)));
    }
    setText(pane.conflictButton, conflicts.total ? `${grouped(now)} now / ${grouped(conflicts.total)}` : "none");
    pane.conflictButton.disabled = conflicts.total === 0;
    pane.conflictButton.classList.toggle("now", now > 0);
  }
  const first = conflicts.list[conflicts.firstAt[step]], others = now > 1 ? ` · ${grouped(now - 1)} more` : "";
  if (focus >= 0) setText(pane.line, describeAgent(plan, focus));
  else if (now > 0 && first && !state.playing && !look.isDenoising) setText(pane.line, describeConflict(first) + others);
  else if (look.isDenoising) setText(pane.line, describeLevel(pane.index, lastDraft()));
  else setText(pane.line, plan.note);
  pane.line.classList.toggle("agent", focus >= 0);
}

function updateClock() {
  if (look.live) {
    setText(byId("now"), `tick ${grouped(look.live.step())}`);
    return setText(byId("whole"), "");
  }
  const scrub = byId("scrub"), step = currentStep();
  scrub.value = state.time;
  scrub.style.setProperty("--done", duration ? state.time / duration : 0);
  scrub.setAttribute("aria-valuetext", `step ${step} of ${duration}`);
  setText(byId("now"), grouped(step));
  setText(byId("whole"), ` / ${grouped(duration)}`);
}

/* Under the scrub bar of a denoising: conflicts by time step. Both axes are the noise's, so that bars shrink from level to
 * level. */
const BARS_HEIGHT = 34;
function drawBars(ctx, width, thumb) {
  const usable = width - 2 * thumb, wide = Math.max(1, usable / (duration + 1) - 1);
  const most = planAt(0).conflicts.countAt.reduce((a, b) => Math.max(a, b), 1);
  ctx.fillStyle = look.theme.line;
  ctx.fillRect(thumb, BARS_HEIGHT - 1, usable, 1);
  ctx.fillStyle = look.theme.danger;
  panes[0].plan.conflicts.countAt.forEach((count, step) => {
    if (!count) return;
    const high = Math.max(1.5, (BARS_HEIGHT - 2) * Math.sqrt(count / most));
    ctx.fillRect(thumb + (usable * step) / (duration || 1) - wide / 2, BARS_HEIGHT - 1 - high, wide, high);
  });
}

/* One strip a pane under the scrub bar: red where there are conflicts, stronger where there are more. */
function drawTicks() {
  const canvas = byId("ticks"), ratio = devicePixelRatio || 1, strip = 5, gap = 2, thumb = 8;
  const width = canvas.parentElement.clientWidth, height = look.isDenoising ? BARS_HEIGHT : panes.length * (strip + gap);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  canvas.hidden = !look.isDenoising && panes.every((pane) => pane.plan.conflicts.total === 0);
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  if (look.isDenoising) return panes[0] && drawBars(ctx, width, thumb);
  panes.forEach((pane, index) => {
    const { countAt } = pane.plan.conflicts, top = index * (strip + gap), usable = width - 2 * thumb;
    ctx.fillStyle = look.theme.line;
    ctx.fillRect(thumb, top + strip / 2 - 0.5, (usable * pane.plan.makespan) / (duration || 1), 1);
    ctx.fillStyle = look.theme.danger;
    const wide = Math.max(2, usable / (duration + 1) - 1);
    countAt.forEach((count, step) => {
      if (!count) return;
      ctx.globalAlpha = Math.min(1, 0.45 + 0.12 * count);
      ctx.fillRect(thumb + (usable * step) / (duration || 1) - wide / 2, top, wide, strip);
    });
    ctx.globalAlpha = 1;
  });
}

function showConflict(pane, conflict) {
  setPlaying(false);
  state.hovered = state.selected = -1;
  bringIntoSight(pane, conflict.row, conflict.col);
  seek(conflict.time);
}

/* To the nearest step with a conflict, in any pane, behind (by > 0) or before the current one. */
function goToConflict(by) {
  let best = null;
  for (const pane of panes) {
    const { countAt, firstAt, list } = pane.plan.conflicts;
    for (let step = currentStep() + by; step >= 0 && step < countAt.length; step += by) {
      if (!countAt[step]) continue;
      const closer = !best || Math.abs(step - currentStep()) < Math.abs(best.conflict.time - currentStep());
      if (closer && list[firstAt[step]]) best = { pane, conflict: list[firstAt[step]] };
      break;
    }
  }
  if (best) showConflict(best.pane, best.conflict);
}

function conflictRow(pane, conflict) {
  const agents = conflict.other < 0 ? conflict.agent : `${conflict.agent}, ${conflict.other}`;
  const columns = [conflict.time, conflict.kind, place(conflict.row, conflict.col), agents];
  const button = make("button", "", ...columns.map((text) => make("span", "", String(text))));
  button.setAttribute("aria-label", `Step ${conflict.time}: ${describeConflict(conflict)}`);
  button.addEventListener("click", () => showConflict(pane, conflict));
  return make("li", "", button);
}

function toggleConflictList(pane) {
  const panel = byId("conflicts");
  if (!panel.hidden && panel.pane === pane) return closeConflictList();
  const { list, total } = pane.plan.conflicts;
  setText(byId("conflicts-title"), `${grouped(total)} conflicts`);
  setText(byId("conflicts-plan"), pane.plan.title);
  byId("conflicts-list").replaceChildren(...list.slice(0, LIST_ROWS).map((conflict) => conflictRow(pane, conflict)));
  if (total > LIST_ROWS)
    byId("conflicts-list").append(make("li", "more", `and ${grouped(total - LIST_ROWS)} more: press c to go on`));
  closeDelays();
  panel.pane = pane;
  panel.hidden = false;
}

function closeConflictList() {
  byId("conflicts").hidden = true;
}
