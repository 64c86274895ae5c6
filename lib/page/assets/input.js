/* Pointer and keyboard. */

const CLICK_SLACK = 5; /* pixels a click may wander before it is a drag */

/* What draws on the map instead of moving it, {press, move, lift}, with points in cells: the playground's. */
let pen = null;

/* ---- Pointer ---- */

/* Where a point of a pane lies on the map, in cells. */
function mapPoint(pane, x, y) {
  const { view } = state;
  return { col: view.x + (x - pane.width / 2) / view.scale, row: view.y + (y - pane.height / 2) / view.scale };
}

function pickAt(pane, x, y, slack) {
  const { view } = state, time = Math.min(state.time, pane.plan.makespan), { row, col } = mapPoint(pane, x, y);
  return agentNear(pane.plan, world, time, col, row, Math.max(0.5, slack / view.scale));
}

function listenToPointer(pane) {
  const { canvas, pointers } = pane;
  let traveled = 0;
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) traveled = 0;
    pointers.set(event.pointerId, spot(event));
    if (pointers.size === 1) pen?.press(mapPoint(pane, ...Object.values(spot(event))));
    else pen?.lift(); /* a second finger zooms */
  });
  canvas.addEventListener("pointermove", (event) => {
    const to = spot(event), from = pointers.get(event.pointerId);
    if (!from) {
      if (event.pointerType === "mouse") hover(pickAt(pane, to.x, to.y, 6));
      return;
    }
    traveled += Math.hypot(to.x - from.x, to.y - from.y);
    pointers.set(event.pointerId, to);
    if (pointers.size === 1) {
      if (pen) pen.move(mapPoint(pane, to.x, to.y));
      else if (traveled > CLICK_SLACK) pan(to.x - from.x, to.y - from.y);
    } else if (pointers.size === 2) {
      const [a, b] = [...pointers.values()], other = a === to ? b : a;
      const apart = (spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
      zoom(apart(to) / apart(from), pane, (to.x + other.x) / 2, (to.y + other.y) / 2);
      pan((to.x - from.x) / 2, (to.y - from.y) / 2);
    }
  });
  const release = (event) => {
    const from = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (pen) return pen.lift();
    if (event.type !== "pointerup" || !from || traveled > CLICK_SLACK) return;
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
  "/": () => byId("find").focus(),
  o: toggleDelays,
  h: toggleHeat,
  i: savePicture,
  v: toggleRecording,
  g: () => { state.showGoals = !state.showGoals; schedule(); },
  "+": () => zoom(1.5),
  "=": () => zoom(1.5),
  "-": () => zoom(1 / 1.5),
  0: fit,
  "[": () => stepSequence(-1),
  "]": () => stepSequence(1),
  s: () => setStepping(!state.stepping),
  d: toggleTheme,
  "?": () => byId("help").showModal(),
  Escape: () => { select(-1); closeConflictList(); closeDelays(); },
};

function stepSequence(by) {
  state.moment = false;
  const index = panes[0].index + by;
  setStepping(false);
  if (isSequence && index >= 0 && index < data.plans.length) setPlan(panes[0], index);
}

function onKey(event) {
  const action = KEYS[event.key], { target } = event;
  if (!action || event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (target.id === "find" && event.key === "Escape") return target.blur();
  if (target.closest("select, textarea, input:not([type=range])") || (target.closest("button") && event.key === " ")) return;
  event.preventDefault();
  action(event);
}
