/* Plans as the page holds them: paths unpacked into flat arrays, conflicts found once. */

/* The map and the tasks. Squares are numbered row * width + col. */
function readWorld(data) {
  const { height, width } = data;
  const blocked = data.blocked ?? unpackBits(data.obstacles, height * width);
  const goalOwner = new Map(data.goals.map((square, agent) => [square, agent]));
  return { height, width, blocked, starts: data.starts, goals: data.goals, goalOwner, agents: data.goals.length,
    tasks: data.tasks };
}

/* Base64 of one bit a square, most significant bit first. */
function unpackBits(text, count) {
  const bytes = atob(text), bits = new Uint8Array(count);
  for (let i = 0; i < count; i++) bits[i] = (bytes.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1;
  return bits;
}

/* Calls visit(row, col) for each time step of a path written as "@3,4r12d3w2": a cell to stand on, then steps. */
function walkPath(text, visit) {
  const word = /@(-?\d+),(-?\d+)|([udlrw])(\d*)/g;
  let row = 0, col = 0;
  for (let match; (match = word.exec(text)); ) {
    if (match[1] !== undefined) {
      row = +match[1];
      col = +match[2];
      visit(row, col);
      continue;
    }
    const down = match[3] === "d" ? 1 : match[3] === "u" ? -1 : 0;
    const right = match[3] === "r" ? 1 : match[3] === "l" ? -1 : 0;
    for (let left = +(match[4] || 1); left > 0; left--) visit((row += down), (col += right));
  }
}

/* Unpacks a plan. Agent i's path lies at first[i] .. first[i + 1] - 1 of row[] and col[] and ends with its arrival. */
function readPlan(data, world) {
  const first = new Int32Array(world.agents + 1);
  let cells = 0;
  data.paths.forEach((text, agent) => {
    walkPath(text, () => cells++);
    first[agent + 1] = cells;
  });
  const row = new Int16Array(cells), col = new Int16Array(cells);
  let at = 0;
  for (const text of data.paths)
    walkPath(text, (r, c) => {
      row[at] = r;
      col[at++] = c;
    });
  const plan = {
    title: data.title, note: data.note, violations: data.violations, soc: data.soc, makespan: data.makespan,
    agents: world.agents, first, row, col,
  };
  plan.conflicts = findConflicts(plan, world);
  if (world.tasks) plan.tasks = world.tasks.map((list, agent) => readTasks(list, plan, world, agent));
  return plan;
}

/* The goals of a robot in turn: when it was given each of them, and when it reached it (Infinity: not yet at the end). */
function readTasks(list, plan, world, agent) {
  const tasks = [];
  for (let i = 0, from = 0; i < list.length; i += 2) {
    const given = list[i], square = list[i + 1];
    let reached = Math.max(from, given);
    while (reached <= plan.makespan && squareAt(plan, world, agent, reached) !== square) reached++;
    if (reached > plan.makespan) reached = Infinity;
    tasks.push({ given, square, reached });
    from = reached + 1;
  }
  return { tasks, done: 0 };
}

/* Has it been told of a goal that it has not reached? */
const isBusy = ({ tasks, done }, step) => done < tasks.length && tasks[done].given <= step;

/* Sets everybody's goal to that of a time step: without a task, where the robot is. */
function takeGoals(plan, world, step) {
  if (plan.goalStep === step) return;
  plan.goalStep = step;
  world.goalOwner.clear();
  plan.tasks.forEach((turn, agent) => {
    const { tasks } = turn;
    while (turn.done > 0 && tasks[turn.done - 1].reached > step) turn.done--;
    while (turn.done < tasks.length && tasks[turn.done].reached <= step) turn.done++;
    world.goals[agent] = isBusy(turn, step) ? tasks[turn.done].square : squareAt(plan, world, agent, step);
    world.goalOwner.set(world.goals[agent], agent);
  });
}

/* The squares a robot goes to after its goal, as far as it has been told. */
function queueAt(plan, agent, step) {
  const { tasks, done } = plan.tasks[agent], squares = [];
  for (let i = done + 1; i < tasks.length && tasks[i].given <= step; i++) squares.push(tasks[i].square);
  return squares;
}

const tasksDone = (plan) => plan.tasks.reduce((sum, turn) => sum + turn.done, 0);
const busyRobots = (plan, step) => plan.tasks.reduce((sum, turn) => sum + isBusy(turn, step), 0);
const queuedTasks = (plan, step) => plan.tasks.reduce((sum, turn, agent) => sum + queueAt(plan, agent, step).length, 0);

/* Index of an agent's cell at a whole time step; behind its last arrival, its last cell. */
function cellIndex(plan, agent, step) {
  return Math.min(plan.first[agent] + step, plan.first[agent + 1] - 1);
}

function agentCost(plan, agent) {
  return plan.first[agent + 1] - plan.first[agent] - 1;
}

/* Square at a time step, -1 off the map. */
function squareAt(plan, world, agent, step) {
  const i = cellIndex(plan, agent, step), row = plan.row[i], col = plan.col[i];
  return row >= 0 && row < world.height && col >= 0 && col < world.width ? row * world.width + col : -1;
}

function agentsAtGoal(plan, world, step) {
  let count = 0;
  for (let agent = 0; agent < plan.agents; agent++)
    if (squareAt(plan, world, agent, step) === world.goals[agent]) count++;
  return count;
}

/* More conflicts than this are counted but not listed or drawn. */
const LISTED_CONFLICTS = 200000;

/* Every conflict in order of time: `list` of {kind, time, agent, other, row, col}, firstAt[t] the first of step t in
 * it, countAt[t] their number, `pairs` that of the pairs of agents that ever collide. Kinds: vertex (one cell), swap (exchange of cells), jump (a step to no neighbor),
 * blocked (on an obstacle or off the map). */
function findConflicts(plan, world) {
  const steps = plan.makespan + 1, list = [];
  const firstAt = new Int32Array(steps + 1), countAt = new Int32Array(steps);
  const head = new Int32Array(world.height * world.width), stamp = new Int32Array(head.length).fill(-1);
  const next = new Int32Array(plan.agents), now = new Int32Array(plan.agents), before = new Int32Array(plan.agents);
  const colliding = new Set();
  let total = 0;
  const add = (kind, time, agent, other) => {
    total++;
    countAt[time]++;
    if (other >= 0) colliding.add(Math.min(agent, other) * plan.agents + Math.max(agent, other));
    if (list.length >= LISTED_CONFLICTS) return;
    const i = cellIndex(plan, agent, time);
    list.push({ kind, time, agent, other, row: plan.row[i], col: plan.col[i] });
  };
  for (let t = 0; t < steps; t++) {
    firstAt[t] = list.length;
    for (let agent = 0; agent < plan.agents; agent++) {
      const square = (now[agent] = squareAt(plan, world, agent, t));
      const moving = t <= agentCost(plan, agent);
      if (moving && (square < 0 || world.blocked[square])) add("blocked", t, agent, -1);
      if (moving && t > 0) {
        const i = cellIndex(plan, agent, t);
        const length = Math.abs(plan.row[i] - plan.row[i - 1]) + Math.abs(plan.col[i] - plan.col[i - 1]);
        if (length > 1) add("jump", t, agent, -1);
      }
      if (square < 0) continue;
      const occupied = stamp[square] === t;
      if (occupied) for (let other = head[square]; other >= 0; other = next[other]) add("vertex", t, other, agent);
      next[agent] = occupied ? head[square] : -1;
      head[square] = agent;
      stamp[square] = t;
    }
    for (let agent = 0; t > 0 && agent < plan.agents; agent++) {
      const from = before[agent], to = now[agent];
      if (from < 0 || to < 0 || from === to || stamp[from] !== t) continue;
      for (let other = head[from]; other >= 0; other = next[other])
        if (other > agent && before[other] === to) add("swap", t, agent, other);
    }
    before.set(now);
  }
  firstAt[steps] = list.length;
  return { list, firstAt, countAt, total, pairs: colliding.size };
}
