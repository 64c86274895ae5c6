/* The page: state, panes, playback, pointer and keyboard. */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64]; /* steps per second */
const LIST_ROWS = 500; /* conflicts shown in the list; the key c reaches all of them */
const STAGE_MARGIN = 12; /* pixels around the whole map */
const MAX_SCALE = 120; /* pixels per cell */
const CLICK_SLACK = 5; /* pixels a click may wander before it is a drag */

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const world = readWorld(data);
const unpacked = []; /* plans are unpacked when first shown */
const planAt = (index) => (unpacked[index] ??= readPlan(data.plans[index], world));
const isSequence = data.layout === "sequence";
const duration = Math.max(...data.plans.map((plan) => plan.makespan));
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const state = {
  time: 0, playing: false, speed: 4,
  hovered: -1, selected: -1, showGoals: true,
  view: { x: world.width / 2, y: world.height / 2, scale: 1 },
  fitted: true, /* the view follows the window until someone zooms or pans */
  frames: 0,
};
const look = { world, theme: null, view: state.view, map: null, colorGroups: groupColors() };
look.colorOf = (agent) => data.palette[agent % data.palette.length];

const panes = isSequence ? [makePane(0)] : data.plans.map((_, index) => makePane(index));

/* ---- Panes ---- */

function groupColors() {
  const groups = data.palette.map((color) => ({ color, agents: [] }));
  for (let agent = 0; agent < world.agents; agent++) groups[agent % groups.length].agents.push(agent);
  return groups;
}

/* An element with a class, a text and children: make("p", "note", "text"). */
function make(tag, name, ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function makeNumber(label, value) {
  return make("div", "number", make("dt", "", label), value);
}

function makePane(index) {
  const pane = {
    canvas: make("canvas"), title: make("h2"), line: make("p", "line"), badge: make("span", "badge"),
    soc: make("dd"), makespan: make("dd"), atGoal: make("dd"),
    conflictButton: make("button", "conflict-number"), pointers: new Map(), width: 0, height: 0, ratio: 1,
  };
  pane.ctx = pane.canvas.getContext("2d", { alpha: false });
  pane.canvas.setAttribute("role", "img");
  pane.line.setAttribute("role", "status");
  pane.conflictButton.addEventListener("click", () => toggleConflictList(pane));
  const numbers = make("dl", "numbers", makeNumber("SOC", pane.soc), makeNumber("Makespan", pane.makespan),
    makeNumber("At goal", pane.atGoal), makeNumber("Conflicts", make("dd", "", pane.conflictButton)));
  const head = make("div", "pane-head", make("div", "pane-title", pane.title, pane.badge), numbers, pane.line);
  pane.stage = make("div", "stage", pane.canvas);
  pane.section = make("section", "pane", head);
  if (isSequence) pane.section.append(makeSequenceSlider(pane));
  pane.section.append(pane.stage);
  byId("panes").append(pane.section);
  setPlan(pane, index);
  return pane;
}

function makeSequenceSlider(pane) {
  const slider = make("input", "sequence");
  Object.assign(slider, { type: "range", min: 0, max: data.plans.length - 1, step: 1, value: 0 });
  slider.setAttribute("aria-label", "Plan of the sequence");
  slider.addEventListener("input", () => setPlan(pane, +slider.value));
  pane.slider = slider;
  return slider;
}

function setPlan(pane, index) {
  const plan = (pane.plan = planAt(index));
  pane.index = index;
  setText(pane.title, isSequence ? `${plan.title} · ${index + 1} of ${data.plans.length}` : plan.title);
  setText(pane.badge, plan.violations ? "invalid" : "valid");
  pane.badge.classList.toggle("bad", plan.violations > 0);
  setText(pane.soc, plan.soc.toLocaleString("en"));
  setText(pane.makespan, plan.makespan.toLocaleString("en"));
  pane.section.setAttribute("aria-label", plan.title);
  pane.canvas.setAttribute("aria-label", `${plan.title}: ${plan.agents} agents on a map of ${world.height} by ${world.width} cells`);
  if (pane.slider) {
    pane.slider.value = index;
    pane.slider.style.setProperty("--done", index / Math.max(1, data.plans.length - 1));
    pane.slider.setAttribute("aria-valuetext", `${plan.title}, ${index + 1} of ${data.plans.length}`);
  }
  pane.shownStep = -1;
  redrawAll();
}

/* ---- View ---- */

function fitScale() {
  return Math.min(...panes.map((pane) => Math.min(
    (pane.width - 2 * STAGE_MARGIN) / world.width, (pane.height - 2 * STAGE_MARGIN) / world.height)));
}

function fit() {
  state.fitted = true;
  Object.assign(state.view, { x: world.width / 2, y: world.height / 2, scale: Math.max(0.05, fitScale()) });
  schedule();
}

/* Scales by `factor` around a point of a pane (its center when not given). */
function zoom(factor, pane, x, y) {
  const { view } = state, low = Math.min(1, 0.5 * fitScale());
  const scale = Math.min(MAX_SCALE, Math.max(low, view.scale * factor));
  if (pane) {
    const dx = x - pane.width / 2, dy = y - pane.height / 2;
    view.x += dx / view.scale - dx / scale;
    view.y += dy / view.scale - dy / scale;
  }
  view.scale = scale;
  state.fitted = false;
  keepMapInSight();
}

function pan(dx, dy) {
  state.view.x -= dx / state.view.scale;
  state.view.y -= dy / state.view.scale;
  state.fitted = false;
  keepMapInSight();
}

function keepMapInSight() {
  state.view.x = Math.min(world.width, Math.max(0, state.view.x));
  state.view.y = Math.min(world.height, Math.max(0, state.view.y));
  schedule();
}

/* Moves the view only when the cell is not comfortably visible. */
function bringIntoSight(pane, row, col) {
  const { view } = state;
  const halfWidth = pane.width / view.scale / 2 - 1, halfHeight = pane.height / view.scale / 2 - 1;
  if (Math.abs(col + 0.5 - view.x) > halfWidth || Math.abs(row + 0.5 - view.y) > halfHeight) {
    Object.assign(view, { x: col + 0.5, y: row + 0.5 });
    state.fitted = false;
  }
}

/* ---- Time ---- */

let scheduled = false, lastFrame = 0;

function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(frame);
}

function frame(now) {
  scheduled = false;
  const elapsed = Math.min(0.1, (now - lastFrame) / 1000); /* after a hidden tab the plan goes on where it was */
  lastFrame = now;
  if (state.playing) {
    state.time = Math.min(duration, state.time + elapsed * state.speed);
    if (state.time >= duration) setPlaying(false);
  }
  draw();
  updateClock();
  state.frames++;
  if (state.playing) schedule();
}

function draw() {
  const shown = calm.matches && state.playing ? Math.floor(state.time) : state.time;
  look.focus = state.hovered >= 0 ? state.hovered : state.selected;
  look.selected = state.selected;
  look.showGoals = state.showGoals;
  for (const pane of panes) {
    look.time = Math.min(shown, pane.plan.makespan);
    drawScene(pane, look);
    updatePane(pane);
  }
}

function setPlaying(playing) {
  if (playing && state.time >= duration) state.time = 0;
  if (playing && !state.playing) lastFrame = performance.now();
  state.playing = playing;
  byId("play-icon").setAttribute("href", playing ? "#icon-pause" : "#icon-play");
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  for (const pane of panes) pane.line.setAttribute("aria-live", playing ? "off" : "polite"); /* no reader keeps up */
  schedule();
}

function seek(time) {
  state.time = Math.min(duration, Math.max(0, time));
  schedule();
}

function stepBy(steps) {
  setPlaying(false);
  seek(steps > 0 ? Math.floor(state.time + 1e-6) + steps : Math.ceil(state.time - 1e-6) + steps);
}

function setSpeed(speed) {
  state.speed = speed;
  byId("speed").value = speed;
}

function changeSpeed(by) {
  const index = SPEEDS.indexOf(state.speed) + by;
  if (index >= 0 && index < SPEEDS.length) setSpeed(SPEEDS[index]);
}

/* ---- Numbers ---- */

const currentStep = () => Math.round(state.time);
const place = (row, col) => `(${row}, ${col})`;
const squarePlace = (square) => place(Math.floor(square / world.width), square % world.width);
const kindName = { vertex: "Vertex conflict", swap: "Swap", jump: "Jump", blocked: "Off the free cells" };

function describeConflict(conflict) {
  const who = conflict.other < 0 ? `agent ${conflict.agent}` : `agents ${conflict.agent} and ${conflict.other}`;
  return `${kindName[conflict.kind]} at ${place(conflict.row, conflict.col)}: ${who}`;
}

function describeAgent(plan, agent) {
  const i = cellIndex(plan, agent, currentStep());
  return `Agent ${agent} at ${place(plan.row[i], plan.col[i])} · goal ${squarePlace(world.goals[agent])} · cost ${agentCost(plan, agent)}`;
}

function updatePane(pane) {
  const { plan } = pane, step = Math.min(currentStep(), plan.makespan), { conflicts } = plan;
  const now = conflicts.countAt[step], focus = look.focus;
  if (pane.shownStep !== step) {
    pane.shownStep = step;
    setText(pane.atGoal, `${agentsAtGoal(plan, world, step).toLocaleString("en")} / ${plan.agents.toLocaleString("en")}`);
    setText(pane.conflictButton, conflicts.total ? `${now.toLocaleString("en")} now / ${conflicts.total.toLocaleString("en")}` : "none");
    pane.conflictButton.disabled = conflicts.total === 0;
    pane.conflictButton.classList.toggle("now", now > 0);
  }
  const first = conflicts.list[conflicts.firstAt[step]];
  if (focus >= 0) setText(pane.line, describeAgent(plan, focus));
  else if (now > 0 && first && !state.playing) setText(pane.line, describeConflict(first) + (now > 1 ? ` · ${now - 1} more` : ""));
  else setText(pane.line, plan.note);
  pane.line.classList.toggle("agent", focus >= 0);
}

function updateClock() {
  const scrub = byId("scrub"), step = currentStep();
  scrub.value = state.time;
  scrub.style.setProperty("--done", duration ? state.time / duration : 0);
  scrub.setAttribute("aria-valuetext", `step ${step} of ${duration}`);
  setText(byId("clock"), `${step} / ${duration}`);
}

/* One strip a pane under the scrub bar: red where there are conflicts, stronger where there are more. */
function drawTicks() {
  const canvas = byId("ticks"), ratio = devicePixelRatio || 1, strip = 5, gap = 2, thumb = 8;
  const width = canvas.parentElement.clientWidth, height = panes.length * (strip + gap);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  canvas.hidden = panes.every((pane) => pane.plan.conflicts.total === 0);
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
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

/* ---- Conflicts ---- */

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

function toggleConflictList(pane) {
  const panel = byId("conflicts");
  if (!panel.hidden && panel.pane === pane) return closeConflictList();
  const { list, total } = pane.plan.conflicts;
  setText(byId("conflicts-title"), `${total.toLocaleString("en")} conflicts`);
  setText(byId("conflicts-plan"), pane.plan.title);
  byId("conflicts-list").replaceChildren(...list.slice(0, LIST_ROWS).map((conflict) => {
    const agents = conflict.other < 0 ? [conflict.agent] : [conflict.agent, conflict.other];
    const button = make("button", "", ...[conflict.time, conflict.kind, place(conflict.row, conflict.col), agents.join(", ")].map(
      (text) => make("span", "", String(text))));
    button.setAttribute("aria-label", `Step ${conflict.time}: ${describeConflict(conflict)}`);
    button.addEventListener("click", () => showConflict(pane, conflict));
    return make("li", "", button);
  }), ...(total > LIST_ROWS ? [make("li", "more", `and ${(total - LIST_ROWS).toLocaleString("en")} more: press c to go on`)] : []));
  panel.pane = pane;
  panel.hidden = false;
}

function closeConflictList() {
  byId("conflicts").hidden = true;
}

/* ---- Agents ---- */

function select(agent) {
  state.selected = agent;
  schedule();
}

function selectNext(by) {
  select(state.selected < 0 ? (by > 0 ? 0 : world.agents - 1) : (state.selected + by + world.agents) % world.agents);
}

/* ---- Pointer ---- */

function pickAt(pane, x, y, slack) {
  const { view } = state;
  return agentNear(pane.plan, world, Math.min(state.time, pane.plan.makespan), view.x + (x - pane.width / 2) / view.scale,
    view.y + (y - pane.height / 2) / view.scale, Math.max(0.5, slack / view.scale));
}

function listenToPointer(pane) {
  const { canvas, pointers } = pane;
  let travelled = 0;
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, spot(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const to = spot(event), from = pointers.get(event.pointerId);
    if (!from) {
      if (event.pointerType === "mouse") hover(pickAt(pane, to.x, to.y, 6));
      return;
    }
    travelled += Math.hypot(to.x - from.x, to.y - from.y);
    pointers.set(event.pointerId, to);
    if (pointers.size === 1) {
      if (travelled > CLICK_SLACK) pan(to.x - from.x, to.y - from.y);
    } else if (pointers.size === 2) {
      const [a, b] = [...pointers.values()], other = a === to ? b : a;
      const factor = Math.hypot(to.x - other.x, to.y - other.y) / Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));
      zoom(factor, pane, (to.x + other.x) / 2, (to.y + other.y) / 2);
      pan((to.x - from.x) / 2, (to.y - from.y) / 2);
    }
  });
  const release = (event) => {
    const from = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (event.type !== "pointerup" || !from || travelled > CLICK_SLACK) return;
    const agent = pickAt(pane, from.x, from.y, event.pointerType === "mouse" ? 6 : 18);
    select(agent === state.selected ? -1 : agent);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => hover(-1));
  canvas.addEventListener("dblclick", fit);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = spot(event), unit = event.deltaMode === 1 ? 18 : 1;
    zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0016)), pane, x, y);
  }, { passive: false });
}

function hover(agent) {
  if (agent === state.hovered) return;
  state.hovered = agent;
  for (const pane of panes) pane.canvas.style.cursor = agent >= 0 ? "pointer" : "";
  schedule();
}

/* ---- Keyboard ---- */

const KEYS = {
  " ": () => setPlaying(!state.playing),
  ArrowRight: (event) => stepBy(event.shiftKey ? 10 : 1),
  ArrowLeft: (event) => stepBy(event.shiftKey ? -10 : -1),
  ArrowUp: () => changeSpeed(1),
  ArrowDown: () => changeSpeed(-1),
  Home: () => seek(0),
  End: () => seek(duration),
  c: () => goToConflict(1),
  C: () => goToConflict(-1),
  l: () => toggleConflictList(panes.find((pane) => pane.plan.conflicts.total > 0) ?? panes[0]),
  a: () => selectNext(1),
  A: () => selectNext(-1),
  g: () => { state.showGoals = !state.showGoals; schedule(); },
  "+": () => zoom(1.5),
  "=": () => zoom(1.5),
  "-": () => zoom(1 / 1.5),
  0: fit,
  "[": () => stepSequence(-1),
  "]": () => stepSequence(1),
  d: toggleTheme,
  "?": () => byId("help").showModal(),
  Escape: () => { select(-1); closeConflictList(); },
};

function stepSequence(by) {
  const index = panes[0].index + by;
  if (isSequence && index >= 0 && index < data.plans.length) setPlan(panes[0], index);
}

function onKey(event) {
  const action = KEYS[event.key], { target } = event;
  if (!action || event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (target.closest("select") || (target.closest("button") && event.key === " ")) return;
  event.preventDefault();
  action(event);
}

/* ---- Theme and size ---- */

function toggleTheme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  try {
    localStorage.setItem("difflns-theme", theme);
  } catch { /* a page opened from a file may have no storage */ }
  readTheme();
}

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  look.theme = Object.fromEntries(["ink", "line", "danger", "ground", "floor", "wall", "grid", "edge", "label"].map(
    (name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  look.map = paintMap(world, look.theme);
  redrawAll();
}

function redrawAll() {
  if (!look.theme) return;
  drawTicks();
  schedule();
}

/* Backing store of a canvas in device pixels, at most 2 for one: more costs time nobody sees. */
function measure(pane) {
  pane.ratio = Math.min(2, devicePixelRatio || 1);
  pane.width = pane.stage.clientWidth;
  pane.height = pane.stage.clientHeight;
  pane.canvas.width = Math.round(pane.width * pane.ratio);
  pane.canvas.height = Math.round(pane.height * pane.ratio);
}

function onResize() {
  panes.forEach(measure);
  if (state.fitted) fit();
  redrawAll();
}

/* ---- Begin ---- */

function begin() {
  setText(byId("title"), data.title);
  const free = world.blocked.length - world.blocked.reduce((sum, bit) => sum + bit, 0);
  setText(byId("subtitle"), `${world.agents.toLocaleString("en")} agents · ${world.height} × ${world.width} cells · density ${Math.round((100 * world.agents) / free)}%`);
  document.body.classList.toggle("paired", panes.length > 1);
  document.body.classList.toggle("in-sequence", isSequence);
  byId("scrub").max = duration;
  byId("speed").append(...SPEEDS.map((speed) => new Option(`${speed} steps/s`, speed)));
  setSpeed(duration > 600 ? 32 : duration > 150 ? 8 : 4);

  byId("play").addEventListener("click", () => setPlaying(!state.playing));
  byId("back").addEventListener("click", () => stepBy(-1));
  byId("forward").addEventListener("click", () => stepBy(1));
  byId("scrub").addEventListener("input", (event) => { setPlaying(false); seek(+event.target.value); });
  byId("scrub").addEventListener("change", () => seek(currentStep()));
  byId("speed").addEventListener("change", (event) => setSpeed(+event.target.value));
  byId("zoom-in").addEventListener("click", () => zoom(1.5));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
  byId("fit").addEventListener("click", fit);
  byId("theme").addEventListener("click", toggleTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("help-close").addEventListener("click", () => byId("help").close());
  byId("help").addEventListener("click", (event) => { if (event.target === byId("help")) byId("help").close(); });
  byId("conflicts-close").addEventListener("click", closeConflictList);
  document.addEventListener("keydown", onKey);
  /* A clicked button gives the keyboard back, so that space plays again. */
  document.addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button")?.blur(); });
  panes.forEach(listenToPointer);

  try {
    const kept = localStorage.getItem("difflns-theme");
    if (kept) document.documentElement.dataset.theme = kept;
  } catch { /* no storage: the system's choice */ }
  readTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readTheme);
  const observer = new ResizeObserver(onResize);
  panes.forEach((pane) => observer.observe(pane.stage));
  onResize();
  /* page.html plays at once; page.html#t=12 opens still, at step 12. */
  const moment = /^#t=(\d+)/.exec(location.hash);
  if (moment) seek(+moment[1]);
  else if (!calm.matches) setPlaying(true);
  /* For scripts: the page can be driven and read from outside. */
  window.difflns = { state, panes, draw, seek, setPlaying, select, setPlan: (index) => setPlan(panes[0], index) };
}

begin();
