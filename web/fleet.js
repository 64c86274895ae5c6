/* The tab Fleet: the library's fleet on the map that is drawn. The worker computes a tick while the page shows the one
 * before; what the page plays is a plan of a few steps that is renewed with every tick. */

const TICK_MS = 60; /* of planning, at most */
const RATE_TICKS = 100; /* goals per tick are averaged over so many */
const MOST_RATES = 400; /* points of the chart */

const yard = {
  on: false, tool: "break", part: 0, tick: 0, plan: null, numbers: 0, waiting: null, round: 0,
  blocked: null, robots: [], rates: [], counts: [],
};

/* ---- The plan that is played ---- */

/* From where robots were to where they are, and on by what they plan: told[robot] = row, col, goal's row and col, broken,
 * cells ahead. */
function takeTick(told) {
  const { robots, numbers } = yard, steps = (numbers - 5) / 2, stride = 2 + steps, { plan } = yard;
  robots.forEach((robot, i) => {
    const from = i * numbers, at = i * stride;
    plan.row[at] = robot.row;
    plan.col[at] = robot.col;
    robot.row = plan.row[at + 1] = told[from];
    robot.col = plan.col[at + 1] = told[from + 1];
    for (let step = 0; step < steps; step++) {
      plan.row[at + 2 + step] = told[from + 5 + 2 * step];
      plan.col[at + 2 + step] = told[from + 6 + 2 * step];
    }
    robot.goal = told[from + 2] < 0 ? -1 : told[from + 2] * drawn.width + told[from + 3];
    robot.broken = told[from + 4] !== 0;
    world.goals[i] = robot.goal < 0 ? robot.row * drawn.width + robot.col : robot.goal;
    world.starts[i] = robot.row * drawn.width + robot.col;
  });
  world.goalOwner.clear();
  world.goals.forEach((square, i) => world.goalOwner.set(square, i));
}

function makeLivePlan(count, steps) {
  const stride = 2 + steps, makespan = stride - 1;
  return {
    title: "Fleet", note: "", violations: 0, soc: 0, makespan, agents: count, live: true,
    first: Int32Array.from({ length: count + 1 }, (_, i) => i * stride),
    row: new Int16Array(count * stride), col: new Int16Array(count * stride),
    conflicts: { list: [], firstAt: new Int32Array(makespan + 2), countAt: new Int32Array(makespan + 1), total: 0, pairs: 0 },
  };
}

/* ---- Driving ---- */

/* The yard as the worker wants it: robots keep their cells and, as far as no wall stands there, their goals. */
async function openYard() {
  const round = ++yard.round, { robots } = yard;
  yard.waiting = null;
  const answer = await library.ask("fleetOpen", {
    height: drawn.height, width: drawn.width, blocked: yard.blocked, seed: +byId("seed").value || 1,
    at: Int32Array.from(robots.flatMap(({ row, col }) => [row, col])),
    goals: Int32Array.from(robots.flatMap(({ goal }) =>
      goal < 0 || yard.blocked[goal] ? [-1, -1] : [Math.floor(goal / drawn.width), goal % drawn.width])),
    broken: robots.map(({ broken }) => broken),
  });
  if (!answer || round !== yard.round) return;
  yard.numbers = answer.numbers;
  yard.reachedBefore = yard.reached ?? 0; /* a new map counts on */
  askForTick();
}

function askForTick() {
  const { round } = yard, waiting = (yard.waiting = { told: null });
  library.ask("fleetTick", { robots: yard.robots.length, milliseconds: TICK_MS, delay: +byId("delay").value / 100 }).then(
    (answer) => { if (answer && round === yard.round) Object.assign(waiting, answer); },
    (error) => { if (round === yard.round) { setText(byId("yard-said"), error.message); setPlaying(false); } });
}

/* Instead of the time of a plan: ticks, as fast as the worker computes them. */
function advanceYard(elapsed) {
  if (!state.playing) return;
  yard.part = Math.min(1, yard.part + elapsed * state.speed);
  if (yard.part >= 1 && yard.waiting?.told) {
    const { told, reached, took } = yard.waiting;
    if (!yard.plan) { /* the first tick: now it is known how far robots plan */
      yard.plan = makeLivePlan(yard.robots.length, (yard.numbers - 5) / 2);
      panes[0].plan = yard.plan;
    }
    yard.part = 0;
    yard.tick++;
    takeTick(told);
    countTick(yard.reachedBefore + reached, took);
    askForTick();
  }
  state.time = yard.plan ? yard.part : 0;
}

function countTick(reached, took) {
  yard.counts.push(reached);
  yard.reached = reached;
  const back = yard.counts.at(-1 - Math.min(RATE_TICKS, yard.counts.length - 1));
  const rate = (reached - back) / Math.max(1, Math.min(RATE_TICKS, yard.counts.length - 1));
  yard.rates.push(rate);
  if (yard.counts.length > 2 * RATE_TICKS) yard.counts.shift();
  setText(byId("rate"), rate.toFixed(2));
  setText(byId("reached"), grouped(reached));
  setText(byId("planning"), `${Math.round(1000 * took)} ms`);
  if (yard.tick % 5 === 0) drawRates();
}

function drawRates() {
  const paper = openChart(byId("rates")), rates = yard.rates.slice(-MOST_RATES);
  if (!paper || rates.length < 2) return;
  const { width, height, left, right, top, foot } = paper, most = Math.max(...rates, 0.1);
  const x = (i) => left + ((width - left - right) * i) / (rates.length - 1);
  const y = (rate) => height - foot - 4 - ((height - top - foot - 4) * rate) / most;
  writeAxes(paper, [0, Math.round(100 * most) / 100], [`tick ${grouped(yard.tick - rates.length + 1)}`, grouped(yard.tick)], y);
  strokeLine(paper, rates.map((rate, i) => [x(i), y(rate)]));
  byId("rates").setAttribute("aria-label", `Goals per tick, now ${rates.at(-1).toFixed(2)}, at most ${most.toFixed(2)}`);
}

/* ---- What a hand does ---- */

const robotAt = (square) => yard.robots.findIndex(({ row, col }) => row * drawn.width + col === square);

function breakRobot(point) {
  const square = squareOf(point), robot = square < 0 ? -1 : robotAt(square);
  if (robot < 0) return;
  const broken = (yard.robots[robot].broken = !yard.robots[robot].broken);
  library.ask("fleetBreak", { robot, broken });
  setText(byId("yard-said"), `Robot ${robot} ${broken ? "is broken: the others drive around it" : "goes on"}.`);
  schedule();
}

/* Walls are drawn at once; the fleet gets its new map when the hand is lifted. */
const yardBrush = {
  last: null, changed: false,
  press(point) {
    if (yard.tool === "break") return breakRobot(point);
    this.last = point;
    this.move(point);
  },
  move(point) {
    if (!this.last) return;
    for (const square of squaresBetween(this.last, point)) {
      const wall = yard.tool === "wall" ? 1 : 0;
      if (yard.blocked[square] === wall || (wall && robotAt(square) >= 0)) continue;
      yard.blocked[square] = wall;
      this.changed = true;
    }
    this.last = point;
    look.map = paintMap(world, look.theme);
    schedule();
  },
  lift() {
    this.last = null;
    if (!this.changed) return;
    this.changed = false;
    attempt(openYard);
  },
};

function setYardTool(name) {
  yard.tool = name;
  pen = name === "move" ? null : yardBrush;
  document.body.classList.toggle("drawing", pen !== null);
  for (const button of document.querySelectorAll("[data-yard]")) button.setAttribute("aria-pressed", button.dataset.yard === name);
}

/* Crosses on broken robots. */
function drawYardOver(ctx, { theme }, { scale, left, top }) {
  ctx.strokeStyle = theme.danger;
  ctx.lineWidth = Math.max(2, 0.14 * scale);
  ctx.lineCap = "round";
  ctx.beginPath();
  for (const { row, col, broken } of yard.robots) {
    if (!broken) continue;
    const x = left + (col + 0.5) * scale, y = top + (row + 0.5) * scale, reach = 0.3 * scale;
    ctx.moveTo(x - reach, y - reach), ctx.lineTo(x + reach, y + reach);
    ctx.moveTo(x + reach, y - reach), ctx.lineTo(x - reach, y + reach);
  }
  ctx.stroke();
}

/* ---- In and out ---- */

async function enterYard() {
  if (yard.on) return;
  if (drawn.starts.length === 0) scatter(Math.min(50, Math.ceil(largestPart(drawn).length / 3)));
  stop();
  Object.assign(yard, { on: true, part: 1, tick: 0, plan: null, reached: 0, rates: [], counts: [], blocked: drawn.blocked.slice() });
  yard.robots = drawn.starts.map((square) =>
    ({ row: Math.floor(square / drawn.width), col: square % drawn.width, goal: -1, broken: false }));
  show(standing({ ...drawn, blocked: yard.blocked, starts: [...drawn.starts], goals: [...drawn.starts] }));
  look.live = { advance: advanceYard, step: () => yard.tick };
  look.drawOver = drawYardOver;
  setYardTool("break");
  setText(byId("yard-said"), "");
  setSpeed(4);
  setPlaying(true);
  sayLead();
  await openYard();
}

function leaveYard() {
  if (!yard.on) return;
  yard.on = false;
  yard.round++;
  library.stop();
  look.live = null;
  look.drawOver = drawOver;
  setTool("move");
  changed();
  sayLead();
}

function listenToYard() {
  for (const button of document.querySelectorAll("[data-yard]"))
    button.addEventListener("click", () => setYardTool(button.dataset.yard));
  byId("delay").addEventListener("input", (event) => {
    setText(byId("delay-said"), `${event.target.value}%`);
    event.target.style.setProperty("--done", event.target.value / event.target.max);
  });
}
