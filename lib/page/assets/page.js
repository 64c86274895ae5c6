/* The page: its state, its panes, the view, time and theme. */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64]; /* steps per second */
const STAGE_MARGIN = 12; /* pixels around the whole map */
const MAX_SCALE = 120; /* pixels per cell */
const PLAN_SECONDS = 1; /* of each plan when those of a sequence play in turn ... */
const FADE_SECONDS = 0.5; /* ... and of them, how long the last one fades into it */

const byId = (id) => document.getElementById(id);
const grouped = (number) => number.toLocaleString("en");
const calm = matchMedia("(prefers-reduced-motion: reduce)"), darkSystem = matchMedia("(prefers-color-scheme: dark)");
const narrow = matchMedia("(max-width: 720px)");

/* What is shown: set by show(), never changed in between. */
let data, world, isSequence, duration, unpacked;
const panes = [];
const planAt = (index) => (unpacked[index] ??= readPlan(data.plans[index], world)); /* unpacked when first shown */

const state = {
  time: 0, playing: false, speed: 4,
  stepping: false, shownFor: 0, /* do the plans of a sequence play in turn, and how long has this one been shown? */
  hovered: -1, selected: -1, showGoals: true, showHeat: false,
  moment: false, /* of a denoising: agents at one moment over the whole routes */
  loops: false,
  view: { x: 0, y: 0, scale: 1 },
  fitted: true, /* the view follows the window until someone zooms or pans */
  frames: 0,
};
/* look.live: {advance(elapsed), step()} of a fleet that is driven while it is shown, instead of a plan's time. */
const look = { theme: null, view: state.view, map: null, colorOf: (agent) => data.palette[agent % data.palette.length] };
const observer = new ResizeObserver(onResize);

/* Shows what `next` holds instead of what was shown before. Time and view stay as far as they make sense. */
function show(next) {
  const before = world, inSequence = isSequence;
  data = next;
  look.world = world = readWorld(data);
  look.colorGroups = groupColors();
  unpacked = [];
  isSequence = data.layout === "sequence";
  duration = Math.max(...data.plans.map((plan) => plan.makespan));
  state.time = Math.min(state.time, duration);
  state.hovered = -1;
  if (state.selected >= world.agents) state.selected = -1;
  if (state.stepping) setStepping(false);
  const count = isSequence ? 1 : data.plans.length;
  look.isDenoising = looksLikeNoise(data);
  state.moment = false;
  if (look.isDenoising) look.mostCollisions = collisionsBySquare(planAt(0), world).reduce((a, b) => Math.max(a, b), 0);
  if (count === panes.length && isSequence === inSequence) {
    panes.forEach((pane, index) => setPlan(pane, index));
  } else {
    observer.disconnect();
    byId("panes").replaceChildren();
    panes.length = 0;
    for (let index = 0; index < count; index++) panes.push(makePane(index));
    panes.forEach(listenToPointer);
    panes.forEach((pane) => observer.observe(pane.stage));
  }
  closeConflictList();
  closeDelays();
  describeInstance();
  if (look.theme) look.map = paintMap(world, look.theme);
  if (before?.height !== world.height || before?.width !== world.width) state.fitted = true;
  onResize();
}

function describeInstance() {
  setText(byId("title"), data.title);
  const free = world.blocked.length - world.blocked.reduce((sum, bit) => sum + bit, 0);
  const density = free ? Math.round((100 * world.agents) / free) : 0;
  setText(byId("subtitle"), `${grouped(world.agents)} agents · ${world.height} × ${world.width} cells · density ${density}%`);
  document.body.classList.toggle("paired", panes.length > 1);
  document.body.classList.toggle("in-sequence", isSequence);
  document.body.classList.toggle("denoising", look.isDenoising);
  setText(byId("resting"), world.tasks ? "without a task" : "at its goal");
  byId("scrub").max = duration;
  if (isSequence) showStepping();
}

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

const MEANING = {
  SOC: "Sum of costs: over all agents, when they arrive at their goal for good",
  Makespan: "When the last agent arrives",
  "At goal": "Agents on their goal now",
  "With a task": "Robots on the way to a goal",
  Queued: "Goals that robots know of, behind those they are going to",
  "Tasks done": "Goals reached so far",
  Conflicts: "At this step / in the whole plan: two agents on one cell, or two that exchange cells. Click for the list",
};

function makeNumber(label, value) {
  const number = make("div", "number", make("dt", "", label), value);
  number.title = MEANING[label];
  return number;
}

function makePane(index) {
  const pane = {
    canvas: make("canvas"), title: make("h2"), line: make("p", "line"), badge: make("span", "badge"),
    soc: make("dd"), makespan: make("dd"), atGoal: make("dd"), busy: make("dd"), queued: make("dd"),
    conflictButton: make("button", "conflict-number"), pointers: new Map(), width: 0, height: 0, ratio: 1,
  };
  pane.ctx = pane.canvas.getContext("2d", { alpha: false });
  pane.canvas.setAttribute("role", "img");
  pane.line.setAttribute("role", "status");
  pane.conflictButton.addEventListener("click", () => toggleConflictList(pane));
  const told = world.tasks ? { "With a task": pane.busy, Queued: pane.queued, "Tasks done": pane.atGoal }
    : { SOC: pane.soc, Makespan: pane.makespan, "At goal": pane.atGoal };
  const numbers = make("dl", "numbers", ...Object.entries(told).map(([label, value]) => makeNumber(label, value)),
    makeNumber("Conflicts", make("dd", "", pane.conflictButton)));
  const head = make("div", "pane-head", make("div", "pane-title", pane.title, pane.badge), numbers, pane.line);
  pane.stage = make("div", "stage", pane.canvas);
  pane.section = make("section", "pane", head);
  if (isSequence) pane.section.append(makeSequenceRow(pane));
  pane.section.append(pane.stage);
  byId("panes").append(pane.section);
  setPlan(pane, index);
  return pane;
}

function makeSequenceRow(pane) {
  const slider = make("input"), button = make("button", "icon");
  Object.assign(slider, { type: "range", min: 0, max: data.plans.length - 1, step: 1, value: 0 });
  slider.addEventListener("input", () => { setStepping(false); state.moment = false; setPlan(pane, +slider.value); });
  button.id = "play-plans";
  button.innerHTML = '<svg><use href="#icon-play"/></svg>';
  button.title = "Play the plans in turn (s)";
  button.addEventListener("click", () => setStepping(!state.stepping));
  Object.assign(pane, { slider, stepButton: button });
  slider.id = "plans";
  const name = make("label", "slider-name");
  name.htmlFor = slider.id;
  setText(name, looksLikeNoise(data) ? "Denoising" : "Plan");
  return make("div", "sequence", button, name, slider);
}

function setPlan(pane, index) {
  const plan = (pane.plan = planAt(index));
  pane.index = index;
  setText(pane.title, isSequence ? captionOf(plan) : plan.title);
  setText(pane.badge, plan.violations ? "invalid" : "valid");
  pane.badge.classList.toggle("bad", plan.violations > 0);
  setText(pane.soc, grouped(plan.soc));
  setText(pane.makespan, grouped(plan.makespan));
  pane.section.setAttribute("aria-label", plan.title);
  pane.canvas.setAttribute("aria-label", `${plan.title}: ${plan.agents} agents on ${world.height} by ${world.width} cells`);
  if (pane.slider) {
    pane.slider.max = data.plans.length - 1;
    pane.slider.value = index;
    pane.slider.style.setProperty("--done", index / Math.max(1, data.plans.length - 1));
    pane.slider.setAttribute("aria-valuetext", captionOf(plan));
  }
  pane.shownStep = -1;
  redrawAll();
}

/* ---- View ---- */

const stageMargin = () => (narrow.matches ? 1 : STAGE_MARGIN); /* a phone has no room to give away */

function fitScale() {
  return Math.min(...panes.map((pane) => Math.min(
    (pane.width - 2 * stageMargin()) / world.width, (pane.height - 2 * stageMargin()) / world.height)));
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
  if (state.stepping) playPlans(elapsed);
  if (look.live) look.live.advance(elapsed);
  else if (state.playing) {
    state.time = Math.min(duration, state.time + elapsed * state.speed);
    if (state.time >= duration && !(state.loops && loopLater())) setPlaying(false);
  }
  if (look.arriving) fadeIn(elapsed);
  draw();
  updateClock();
  state.frames++;
  if (recording) recordFrame();
  if (state.playing || state.stepping || look.arriving) schedule();
}

/* At the end of a plan that plays again and again: a pause, then the beginning. */
const LOOP_SECONDS = 1.5;
function loopLater() {
  if (look.restart) return true;
  look.restart = setTimeout(() => {
    look.restart = 0;
    if (state.loops && state.playing) seek(0);
  }, 1000 * LOOP_SECONDS);
  return true;
}

/* A better plan has taken the place of one that plays: it fades in, since robots are elsewhere in it. */
function fadeIn(elapsed) {
  const { plan } = look.arriving;
  look.arriving.seconds += elapsed;
  const share = look.arriving.seconds / FADE_SECONDS;
  if (plan.fade && share < 1 && panes[0]?.plan === plan) plan.fade.share = share * share * (3 - 2 * share);
  else {
    delete plan.fade;
    look.arriving = null;
  }
}

function arriveFrom(before) {
  const { plan } = panes[0];
  if (calm.matches || before.agents !== plan.agents || before === plan) return;
  delete before.fade;
  plan.fade = { from: before, share: 0 };
  look.arriving = { plan, seconds: 0 };
}

function draw() {
  const shown = calm.matches && state.playing ? Math.floor(state.time) : state.time;
  look.focus = state.hovered >= 0 ? state.hovered : state.selected;
  look.selected = state.selected;
  look.showGoals = state.showGoals;
  look.showWays = isSequence;
  look.showHeat = state.showHeat;
  look.showAgents = state.playing || state.moment;
  for (const pane of panes) {
    look.time = Math.min(shown, pane.plan.makespan);
    if (pane.plan.tasks) takeGoals(pane.plan, world, Math.floor(look.time));
    drawScene(pane, look);
    updatePane(pane);
  }
}

function setPlaying(playing) {
  if (playing) state.moment = true;
  if (playing && state.time >= duration) state.time = 0;
  if (playing && !state.playing) lastFrame = performance.now();
  state.playing = playing;
  byId("play-icon").setAttribute("href", playing ? "#icon-pause" : "#icon-play");
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  for (const pane of panes) pane.line.setAttribute("aria-live", playing ? "off" : "polite"); /* no reader keeps up */
  schedule();
}

/* Plays the plans of a sequence in turn. */
function setStepping(stepping) {
  if (!isSequence) return;
  const last = data.plans.length - 1;
  if (stepping && panes[0].index === last) setPlan(panes[0], 0);
  if (stepping) state.moment = false;
  if (stepping && !state.stepping) lastFrame = performance.now();
  if (!stepping) delete panes[0].plan.fade;
  state.stepping = stepping;
  state.shownFor = FADE_SECONDS;
  showStepping();
  schedule();
}

function showStepping() {
  const { stepButton } = panes[0];
  stepButton.querySelector("use").setAttribute("href", state.stepping ? "#icon-pause" : "#icon-play");
  stepButton.setAttribute("aria-label", state.stepping ? "Pause the plans" : "Play the plans in turn");
}

function playPlans(elapsed) {
  const pane = panes[0], before = pane.plan;
  state.shownFor += elapsed;
  if (state.shownFor >= PLAN_SECONDS) {
    delete before.fade;
    if (pane.index === data.plans.length - 1) return setStepping(false);
    state.shownFor = 0;
    setPlan(pane, pane.index + 1);
    if (!calm.matches) pane.plan.fade = { from: before, share: 0 };
  }
  const { fade } = pane.plan, share = state.shownFor / FADE_SECONDS;
  if (fade && share < 1) fade.share = share * share * (3 - 2 * share);
  else delete pane.plan.fade;
}

function seek(time) {
  state.time = Math.min(duration, Math.max(0, time));
  schedule();
}

function stepBy(steps) {
  setPlaying(false);
  state.moment = true;
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

/* ---- Agents ---- */

function select(agent) {
  state.selected = agent;
  schedule();
}

function selectNext(by) {
  select(state.selected < 0 ? (by > 0 ? 0 : world.agents - 1) : (state.selected + by + world.agents) % world.agents);
}

/* ---- Theme and size ---- */

/* The choice made on this page, kept for the next one; without one the system's. */
function chosenTheme() {
  try {
    return localStorage.getItem("difflns-theme");
  } catch {
    return null; /* a page opened from a file may have no storage */
  }
}

function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("difflns-theme", theme);
  } catch { /* then it holds for this visit */ }
  applyTheme(theme);
}

function applyTheme(theme) {
  const root = document.documentElement;
  root.dataset.theme = theme ?? (darkSystem.matches ? "dark" : "light");
  const style = getComputedStyle(root);
  const names = ["ink", "line", "danger", "ground", "floor", "wall", "grid", "edge", "label"];
  look.theme = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
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

/* Once: what the page's buttons and keys do. */
function begin(first) {
  byId("speed").append(...SPEEDS.map((speed) => new Option(`${speed} steps/s`, speed)));
  byId("play").addEventListener("click", () => setPlaying(!state.playing));
  byId("back").addEventListener("click", () => stepBy(-1));
  byId("forward").addEventListener("click", () => stepBy(1));
  byId("scrub").addEventListener("input", (event) => { setPlaying(false); state.moment = true; seek(+event.target.value); });
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
  listenToViewer();
  document.addEventListener("keydown", onKey);
  /* A clicked button gives the keyboard back, so that space plays again. */
  document.addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button")?.blur(); });

  show(first);
  setSpeed(duration > 600 ? 32 : duration > 150 ? 8 : 4);
  applyTheme(chosenTheme());
  darkSystem.addEventListener("change", () => applyTheme(chosenTheme()));
  /* For scripts: the page can be driven and read from outside. */
  window.difflns = {
    state, panes, draw, seek, setPlaying, setStepping, select, show, setPlan: (index) => setPlan(panes[0], index),
    plan: (index) => planAt(index),
    waitsOf: (agent, step) => waitsOf(panes[0].plan, world, agent, step),
  };
}

/* page.html plays at once; page.html#t=12 opens still, at step 12. A sequence plays its plans once. */
function playOrSeek() {
  const moment = /^#t=(\d+)/.exec(location.hash);
  if (moment) seek(+moment[1]);
  else if (calm.matches) return;
  else if (isSequence) setStepping(true);
  else setPlaying(true);
}
