/* The instance that is being drawn, and the tools that draw it. The page shows it with every agent on its start. */

let palette; /* from the library, with the first instance it made */
let drawn = null; /* {title, height, width, blocked, starts, goals} */
const history = [];
const HISTORY = 100; /* steps that can be undone */

const copyOf = (instance) =>
  ({ ...instance, blocked: instance.blocked.slice(), starts: [...instance.starts], goals: [...instance.goals] });

/* What the page shows of an instance that has no plan yet. */
function standing({ title, height, width, blocked, starts, goals }) {
  const paths = starts.map((square) => `@${Math.floor(square / width)},${square % width}`);
  const plan = { title: "Your instance", note: "", violations: 0, soc: 0, makespan: 0, paths };
  return { title, height, width, blocked, starts, goals, palette, layout: "side by side", plans: [plan] };
}

/* Shows an instance to draw on; its history begins anew. */
function openInstance(instance) {
  checkSize(instance.height, instance.width, instance.starts.length);
  history.length = 0;
  drawn = instance;
  changed();
}

const openData = (data, title) => openInstance({
  title, height: data.height, width: data.width, blocked: readWorld(data).blocked, starts: data.starts, goals: data.goals,
});

/* Called after every change: whatever was solved is of another instance now. */
function changed() {
  solution.drop();
  setPlaying(false);
  state.time = 0;
  show(standing(drawn));
  sayLead();
  updateBench();
}

function remember() {
  history.push(copyOf(drawn));
  if (history.length > HISTORY) history.shift();
}

function undo() {
  if (history.length === 0) return;
  drawn = history.pop();
  changed();
}

/* ---- What the tools do to one square ---- */

function removeAgent(agent) {
  drawn.starts.splice(agent, 1);
  drawn.goals.splice(agent, 1);
}

function clearSquare(square) {
  for (let agent = drawn.starts.length - 1; agent >= 0; agent--)
    if (drawn.starts[agent] === square || drawn.goals[agent] === square) removeAgent(agent);
}

const TOOLS = {
  move: { key: "1", label: "Move" },
  wall: { key: "2", label: "Wall", apply: (square) => { clearSquare(square); drawn.blocked[square] = 1; } },
  erase: { key: "3", label: "Erase", apply: (square) => { clearSquare(square); drawn.blocked[square] = 0; } },
  agent: { key: "4", label: "Agent" },
};
let tool = "move", pending = -1, cursor = null; /* the start that waits for its goal; where the keys draw, {row, col} */

function setTool(name) {
  tool = name;
  pending = -1;
  cursor = name === "move" ? null : cursor ?? { row: Math.floor(drawn.height / 2), col: Math.floor(drawn.width / 2) };
  pen = name === "move" ? null : name === "agent" ? agentPen : brush;
  document.body.classList.toggle("drawing", pen !== null);
  for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", button.dataset.tool === name);
  schedule();
}

function squareOf({ row, col }) {
  const r = Math.floor(row), c = Math.floor(col);
  return r >= 0 && r < drawn.height && c >= 0 && c < drawn.width ? r * drawn.width + c : -1;
}

/* Every square between two points, so that a quick stroke has no gaps. */
function squaresBetween(a, b) {
  const steps = Math.max(1, Math.ceil(2 * Math.max(Math.abs(a.row - b.row), Math.abs(a.col - b.col))));
  const squares = new Set();
  for (let i = 0; i <= steps; i++)
    squares.add(squareOf({ row: a.row + ((b.row - a.row) * i) / steps, col: a.col + ((b.col - a.col) * i) / steps }));
  return [...squares].filter((square) => square >= 0);
}

const brush = {
  last: null,
  press(point) {
    if (solution.busy) return;
    remember();
    this.last = point;
    this.move(point);
  },
  move(point) {
    if (!this.last) return;
    squaresBetween(this.last, point).forEach(TOOLS[tool].apply);
    this.last = point;
    changed();
  },
  lift() { this.last = null; },
};

/* Press on the start, and lift on the goal or press there. */
const agentPen = {
  at: -1,
  press(point) {
    this.at = solution.busy ? -1 : squareOf(point);
    if (this.at >= 0) placeAgent(this.at);
  },
  move(point) { if (this.at >= 0) this.to = squareOf(point); },
  lift() {
    if (this.at >= 0 && this.to >= 0 && this.to !== this.at && pending >= 0) placeAgent(this.to);
    this.at = this.to = -1;
  },
};

function placeAgent(square) {
  if (drawn.blocked[square]) return say("An agent needs a free cell.");
  if (pending < 0) {
    if (drawn.starts.includes(square)) return say("Another agent starts there.");
    pending = square;
    return schedule();
  }
  if (drawn.goals.includes(square)) return say("Another agent's goal is there.");
  remember();
  drawn.starts.push(pending);
  drawn.goals.push(square);
  pending = -1;
  changed();
}

/* ---- Agents at random ---- */

/* The squares of the largest part of the map whose cells reach each other. */
function largestPart({ height, width, blocked }) {
  const seen = new Uint8Array(blocked.length);
  let best = [];
  for (let from = 0; from < blocked.length; from++) {
    if (blocked[from] || seen[from]) continue;
    const part = [from];
    seen[from] = 1;
    for (let i = 0; i < part.length; i++) {
      const square = part[i], col = square % width;
      const next = [square - width, square + width, col > 0 ? square - 1 : -1, col < width - 1 ? square + 1 : -1];
      for (const to of next)
        if (to >= 0 && to < height * width && !blocked[to] && !seen[to]) {
          seen[to] = 1;
          part.push(to);
        }
    }
    if (part.length > best.length) best = part;
  }
  return best;
}

function shuffled(list) {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

function scatter(agents) {
  const part = largestPart(drawn);
  if (agents > part.length) throw new Error(`${grouped(agents)} agents on ${grouped(part.length)} connected free cells: no room`);
  checkSize(drawn.height, drawn.width, agents);
  remember();
  drawn.starts = shuffled(part).slice(0, agents);
  drawn.goals = shuffled(part).slice(0, agents);
  changed();
}

/* ---- Over the map: the key's cursor, a start that waits, what makes the instance unsolvable ---- */

let blame = []; /* squares */

function drawOver(ctx, { theme }, { scale, left, top }) {
  const frame = (square, color, inset, wide) => {
    const col = square % drawn.width, row = (square - col) / drawn.width;
    ctx.strokeStyle = color;
    ctx.lineWidth = Math.min(5, Math.max(1.5, wide * scale));
    const edge = inset * scale + ctx.lineWidth / 2, side = scale - 2 * edge; /* inside its cell: the map may end there */
    ctx.strokeRect(left + col * scale + edge, top + row * scale + edge, side, side);
  };
  ctx.setLineDash([]);
  for (const square of blame) frame(square, theme.danger, 0, 0.12);
  if (pending >= 0) frame(pending, theme.ink, 0.15, 0.1);
  if (cursor && usesKeys) frame(cursor.row * drawn.width + cursor.col, theme.ink, 0.01, 0.06);
}
