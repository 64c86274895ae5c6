/* The playground: an instance is made or drawn, solved in the worker, and played by the page. */

/* ---- What was found ---- */

/* The answers for the instance that is drawn. `pages` holds what the page can show of it. */
const solution = {
  busy: false, opening: false, pages: {}, shown: "plan",
  drop() {
    this.pages = {};
    blame = [];
    state.loops = false;
    chart.clear();
    say("");
  },
};

function say(text, bad = false) {
  const line = byId("said");
  line.classList.toggle("bad", bad);
  line.textContent = text;
}

function sayNumbers(parts) {
  const line = byId("said");
  line.classList.remove("bad");
  line.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : make("b", "", part[0]))));
}

function updateBench() {
  const { busy, opening, pages } = solution, solve = byId("solve"), isBusy = busy && !opening;
  setText(solve, isBusy ? "Stop" : pages.plan && !opening ? "Solve again" : "Solve");
  solve.classList.toggle("busy", isBusy);
  solve.disabled = !busy && drawn.starts.length === 0;
  byId("shown").hidden = Object.keys(pages).length < 2;
  for (const button of document.querySelectorAll("[data-shown]")) {
    button.hidden = !pages[button.dataset.shown];
    button.setAttribute("aria-pressed", button.dataset.shown === solution.shown);
  }
  for (const button of document.querySelectorAll("[data-save]")) {
    const needsPlan = ["json", "page"].includes(button.dataset.save);
    button.disabled = needsPlan ? !pages.plan : drawn.starts.length === 0 && button.dataset.save === "scen";
  }
  document.body.classList.toggle("unplanned", !pages.plan && !pages.steps);
  byId("result").hidden = chart.points.length === 0;
  byId("no-result").hidden = chart.points.length > 0;
  chart.draw();
}

/* The sentence above the map. */
function sayLead(text) {
  const free = drawn.blocked.length - drawn.blocked.reduce((sum, bit) => sum + bit, 0);
  const agents = drawn.starts.length, full = free ? Math.round((100 * agents) / free) : 0;
  const lead = yard.on ? `${grouped(yard.robots.length)} robots, ${full}% full: they never stop` : agents === 0 ? "Draw a map, place agents, solve."
    : `${grouped(agents)} robots, ${full}% full: ${solution.pages.plan ? "watch them get through" : "can they get through?"}`;
  setText(byId("lead"), text ?? lead);
}

/* The title is the instance's: the library knows only what it was given. A page of another kind keeps the step. */
function showPage(name) {
  if (!solution.pages[name]) return;
  const { time } = state;
  solution.shown = name;
  show({ ...solution.pages[name], title: drawn.title });
  seek(time);
  if (isSequence) setPlaying(false);
  if (isSequence && !calm.matches) setStepping(true);
  sayLead();
  updateBench();
}

/* ---- Solving ---- */

const settings = () => ({
  world: { height: drawn.height, width: drawn.width, blocked: drawn.blocked, starts: drawn.starts, goals: drawn.goals },
  seed: +byId("seed").value || 1,
});

/* A plan of the page as the worker wants it. */
function packPlan(data, index) {
  const plan = readPlan(data.plans[index], readWorld(data)), cells = new Int32Array(2 * plan.row.length);
  plan.row.forEach((row, i) => { cells[2 * i] = row; cells[2 * i + 1] = plan.col[i]; });
  return { lengths: Int32Array.from({ length: plan.agents }, (_, i) => plan.first[i + 1] - plan.first[i]), cells };
}

async function solve() {
  if (solution.busy && !solution.opening) return stop();
  endOpening();
  if (drawn.starts.length === 0) return say("Place an agent first: use Agent, or Scatter.", true);
  solution.drop();
  solution.busy = true;
  setTool("move");
  updateBench();
  try {
    await (byId("init").value === "draft" ? solveFromDraft() : improve(byId("init").value, null));
  } catch (error) {
    say(error.message, true);
  }
  solution.busy = false;
  updateBench();
}

/* `draftSeconds` were spent before the solver was asked: they count as much as its own. */
async function improve(init, plan, draftSeconds = 0, draftPage = null) {
  let first = null, best = -1, taken = 0;
  const hear = (news) => {
    const seconds = draftSeconds + news.seconds;
    if (news.kind === "bound") chart.bound = news.soc;
    if (news.kind === "repairing") sayNumbers([[grouped(news.conflicts)], " colliding pairs left after ", [seconds.toFixed(1)], " s"]);
    if (news.kind === "first") {
      first = { seconds, soc: news.soc, draftSeconds };
      if (!solution.opening) chooseTab("result");
    }
    if ((news.kind === "first" || news.kind === "better") && (best < 0 || news.soc < best)) {
      best = news.soc;
      chart.add(seconds, best);
    }
    if (news.data && (!solution.opening || news.kind === "first" || seconds > taken + OPENING_PAUSE)) {
      takePlan(news.data, news.kind === "first");
      taken = seconds;
    }
    if (first) showResult(first, best);
  };
  say("Looking for a plan ...");
  const seconds = solution.opening ? OPENING_SECONDS : +byId("seconds").value;
  const answer = await library.ask("solve", { ...settings(), plan, init, seconds }, hear);
  if (!answer) return say(first ? "" : "Stopped before there was a plan."); /* stopped */
  if (answer.status === "unsolvable") return explain(answer.message);
  if (answer.status === "unsolved") {
    takePlan(answer.data, true);
    return say(answer.message, true);
  }
  chart.bound = answer.bound;
  const plans = answer.data.plans, last = plans.at(-1);
  takePlan({ ...answer.data, plans: [last] }, false);
  if (plans.length > 1) {
    solution.pages.both = answer.data;
    solution.pages.start = { ...answer.data, plans: [plans[0]] };
  }
  if (draftPage) solution.pages.steps = { ...draftPage, plans: [...draftPage.plans, { ...last, title: "Repaired" }] };
  showResult(first, last.soc);
  updateBench();
}

/* The first plan plays at once; better ones take its place where it stands. */
function takePlan(data, plays) {
  const before = panes[0].plan;
  solution.pages.plan = data;
  showPage("plan");
  if (!plays) return solution.opening && arriveFrom(before);
  seek(0);
  setSpeed(duration > 600 ? 32 : duration > 150 ? 16 : 8);
  if (!calm.matches) setPlaying(true);
}

/* The card: what the best plan costs, how far that is from what no plan can undercut, and how soon there was one. */
function showResult(first, soc) {
  say("");
  setText(byId("cost"), grouped(soc));
  setText(byId("gap"), chart.bound > 0 ? `${((100 * (soc - chart.bound)) / chart.bound).toFixed(0)}%` : "–");
  setText(byId("first"), `${first.seconds.toFixed(first.seconds < 10 ? 2 : 1)} s`);
  const repair = first.seconds - first.draftSeconds, gain = Math.round(100 * (1 - soc / first.soc));
  const parts = first.draftSeconds ? `${first.draftSeconds.toFixed(2)} s for the draft + ${repair.toFixed(2)} s for repair. ` : "";
  setText(byId("first-parts"), `${parts}It cost ${grouped(first.soc)}${gain > 0 ? `; improvement has saved ${gain}%` : ""}.`);
  byId("result").hidden = false;
  byId("no-result").hidden = true;
}

async function solveFromDraft() {
  const hear = ({ soc: step, iterations: steps, data }) => {
    sayNumbers(["Denoising: step ", [`${step} of ${steps}`]]);
    /* Shown as whole routes, level by level. */
    (solution.pages.steps ??= { ...data, layout: "sequence", levels: steps, plans: [] }).plans.push(data.plans[0]);
    solution.shown = "steps";
    show({ ...solution.pages.steps, title: drawn.title });
    setPlan(panes[0], solution.pages.steps.plans.length - 1);
    updateBench();
  };
  say("Drawing noise ...");
  const weights = bytesOf(WEIGHTS_BASE64), asked = performance.now();
  const answer = await library.ask("draft", { ...settings(), weights, steps: 0 }, hear);
  if (!answer) return say("Stopped.");
  const { data } = answer, draft = packPlan(data, data.plans.length - 1);
  solution.pages.steps = data;
  await improve("plan", draft, (performance.now() - asked) / 1000, data);
}

/* ---- The opening ---- */

const OPENING = { family: "medium-warehouse", agents: 252, seed: 1 };
const OPENING_SECONDS = 8;
const OPENING_PAUSE = 2; /* seconds between a plan that plays and a better one in its place: robots jump then */

/* What a visitor sees first: the densest warehouse of the paper, solved here and now, again and again. */
async function playOpening() {
  Object.assign(solution, { busy: true, opening: true });
  updateBench();
  sayLead();
  await improve("auto", null);
  if (!solution.opening) return;
  Object.assign(solution, { busy: false, opening: false });
  updateBench();
}

/* As soon as anything is touched. What was found stays. */
function endOpening() {
  state.loops = false;
  if (!solution.opening) return;
  Object.assign(solution, { busy: false, opening: false });
  library.stop();
  updateBench();
}

/* ---- Tabs ---- */

/* Of the sheet on a phone; on a desk all parts of a plan stand one below the other. */
function chooseTab(name) {
  document.body.dataset.tab = name;
  for (const button of document.querySelectorAll("#tabs button")) button.setAttribute("aria-selected", button.dataset.tab === name);
  chooseMode(name === "fleet" ? "fleet" : "plan");
  chart.draw();
  drawRates();
}

function chooseMode(mode) {
  const fleet = mode === "fleet";
  document.body.classList.toggle("fleet", fleet);
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", button.dataset.mode === mode);
  if (fleet === yard.on) return;
  if (fleet) attempt(enterYard);
  else leaveYard();
}

function stop() {
  library.stop();
}

/* Why there is no plan, with the agents and cells that the reason names framed on the map. */
function explain(message) {
  const squares = new Set(), inside = (row, col) => row < drawn.height && col < drawn.width;
  for (const [, row, col] of message.matchAll(/\((\d+), ?(\d+)\)/g))
    if (inside(+row, +col)) squares.add(+row * drawn.width + +col);
  for (const [, list] of message.matchAll(/agents? ((?:\d+(?:, | and )?)+)/g))
    for (const agent of list.match(/\d+/g))
      if (agent < drawn.starts.length) squares.add(drawn.starts[agent]).add(drawn.goals[agent]);
  blame = [...squares];
  const text = message.replace(/^unsolvable: /, "");
  say(`No plan exists: ${text}.`, true);
  schedule();
}

/* ---- Where instances come from ---- */

async function makeNew() {
  endOpening();
  const source = byId("source").value, agents = +byId("agents").value, seed = +byId("seed").value || 1;
  const [kind, name] = source.split(":");
  stop();
  if (kind === "empty") return openInstance(emptyInstance(+name));
  const answer = kind === "family" ? await library.ask("generate", { family: name, agents, seed })
    : await library.ask("read", BUNDLED_MAPS[name]);
  if (!answer) return;
  palette ??= answer.data.palette;
  openData(answer.data, name);
  if (kind === "map") byId("agents").value = drawn.starts.length;
}

/* The paper's largest number of agents for each family, and what suits those for training. */
const DENSEST = { "small-random": 60, "medium-maze": 190, "medium-room": 192, "medium-warehouse": 252, "large-maze": 312 };
const USUAL_AGENTS = 160;

function chooseSource() {
  const [kind, name] = byId("source").value.split(":");
  if (kind === "family") byId("agents").value = DENSEST[name] ?? USUAL_AGENTS;
  return makeNew();
}

const emptyInstance = (side) => ({
  title: `${side} × ${side}, yours`, height: side, width: side, blocked: new Uint8Array(side * side), starts: [], goals: [],
});

async function readFiles(map, scen) {
  const limit = /height\s+(\d+)\s+width\s+(\d+)/.exec(map);
  if (limit) checkSize(+limit[1], +limit[2], 0); /* before anything is unpacked */
  const answer = await library.ask("read", { map, scen });
  if (!answer) return;
  if (answer.data) openData(answer.data, "pasted");
  else openInstance({ title: "pasted", ...answer.map, starts: [], goals: [] });
}

async function openFiles(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  const isScenario = (text) => /^version/i.test(text.trimStart());
  byId("paste-map").value = texts.find((text) => !isScenario(text)) ?? byId("paste-map").value;
  byId("paste-scen").value = texts.find(isScenario) ?? "";
  if (byId("paste-map").value) await usePasted();
}

async function usePasted() {
  byId("paste").close();
  await readFiles(byId("paste-map").value, byId("paste-scen").value);
}

/* ---- Saving ---- */

const SAVED = { map: ["map", "text/plain"], scen: ["scen", "text/plain"], json: ["json", "application/json"], page: ["html", "text/html"] };

async function save(what) {
  if (what === "map" && drawn.starts.length === 0) return download(mapText(drawn), "map");
  const { plan } = solution.pages;
  const text = await library.ask("print", { ...settings(), what, plan: plan && packPlan(plan, plan.plans.length - 1) });
  if (text) download(text, what);
}

function mapText({ height, width, blocked }) {
  const rows = Array.from({ length: height }, (_, row) => [...blocked.subarray(row * width, (row + 1) * width)].map((bit) => (bit ? "@" : ".")).join(""));
  return `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join("\n")}\n`;
}

function download(text, what) {
  const [end, type] = SAVED[what], link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = `difflns-${drawn.starts.length}-agents.${end}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function share() {
  location.hash = await linkOf(drawn);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is in the clipboard and in the address bar.");
  } catch {
    say("The link is in the address bar.");
  }
}

/* ---- Keys ---- */

let usesKeys = false; /* the cursor shows once a key has moved it */

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const BENCH_KEYS = {
  Enter: solve, n: makeNew, r: () => scatter(+byId("agents").value), u: undo, p: () => byId("paste").showModal(),
  Escape: () => { pending = -1; setTool("move"); },
};
for (const [name, { key }] of Object.entries(TOOLS)) BENCH_KEYS[key] = () => setTool(name);

function moveCursor([rows, cols]) {
  usesKeys = true;
  cursor.row = Math.min(drawn.height - 1, Math.max(0, cursor.row + rows));
  cursor.col = Math.min(drawn.width - 1, Math.max(0, cursor.col + cols));
  schedule();
}

function applyAtCursor() {
  const point = { row: cursor.row + 0.5, col: cursor.col + 0.5 };
  pen.press(point);
  pen.lift();
}

/* Before the page's own keys: with a tool in hand arrows and space draw. */
function onBenchKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (target.closest("input, select, textarea") || (target.closest("button") && (key === " " || key === "Enter"))) return;
  if (yard.on) return; /* a fleet has the page's keys alone */
  const action = pen && ARROWS[key] ? () => moveCursor(ARROWS[key]) : pen && key === " " ? applyAtCursor : BENCH_KEYS[key];
  if (!action) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  attempt(action);
}

/* Runs what a person asked for and says what went wrong. */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    say(error.message, true);
  }
}

/* ---- Begin ---- */

/* The bench's keys, above those of the page. */
const HELP = [
  ["1 2 3 4", "move, wall, erase, agent"], ["arrows space", "with a tool: go to a cell, draw there"],
  ["enter", "solve, or stop"], ["n", "a new instance"], ["r", "scatter agents"], ["u", "undo"], ["p", "open or paste files"],
];

function listKeys() {
  const rows = HELP.map(([keys, what]) => {
    const names = keys.split(" ").flatMap((key) => [make("kbd", "", key), " "]);
    return make("div", "", make("dt", "", ...names), make("dd", "", what));
  });
  document.querySelector("#help dl").prepend(...rows);
}

function listSources(families) {
  const group = (label, options) => {
    const list = make("optgroup", "", ...options.map(([text, value]) => new Option(text, value)));
    list.label = label;
    return list;
  };
  byId("source").append(
    group("Families", families.map((name) => [name, `family:${name}`])),
    group("Maps", Object.keys(BUNDLED_MAPS).map((name) => [name, `map:${name}`])),
    group("Draw your own", [10, 20, 32, 64].map((side) => [`empty, ${side} × ${side}`, `empty:${side}`])));
  byId("source").value = `family:${OPENING.family}`;
}

const on = (id, type, action) => byId(id).addEventListener(type, (event) => attempt(() => action(event)));

function listenToBench() {
  on("new", "submit", (event) => { event.preventDefault(); return makeNew(); });
  on("source", "change", chooseSource);
  on("solve", "click", solve);
  on("scatter", "click", () => scatter(+byId("agents").value));
  on("undo", "click", undo);
  on("link", "click", share);
  on("paste-open", "click", () => byId("paste").showModal());
  on("paste-close", "click", () => byId("paste").close());
  on("paste-use", "click", usePasted);
  on("paste-files", "change", (event) => openFiles(event.target.files));
  for (const button of document.querySelectorAll("[data-tool]"))
    button.addEventListener("click", () => setTool(button.dataset.tool));
  for (const button of document.querySelectorAll("[data-save]"))
    button.addEventListener("click", () => attempt(() => save(button.dataset.save)));
  for (const button of document.querySelectorAll("[data-shown]"))
    button.addEventListener("click", () => showPage(button.dataset.shown));
  for (const button of document.querySelectorAll("[data-mode]"))
    button.addEventListener("click", () => chooseTab(button.dataset.mode === "fleet" ? "fleet" : "solve"));
  for (const button of document.querySelectorAll("#tabs button"))
    button.addEventListener("click", () => chooseTab(button.dataset.tab));
  listenToYard();
  byId("bench").addEventListener("pointerdown", endOpening, { capture: true });
  document.addEventListener("keydown", onBenchKey, { capture: true });
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    attempt(() => openFiles(event.dataTransfer.files));
  });
  addEventListener("resize", () => { chart.draw(); drawRates(); });
  new MutationObserver(() => { chart.draw(); drawRates(); }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}

/* The link's instance, or one of a family. The page begins with it: it always shows something. */
async function start() {
  listSources(await library.ask("families"));
  const { data } = await library.ask("generate", OPENING);
  palette = data.palette;
  let linked = null, damage = "";
  try {
    linked = await instanceOf(location.hash);
  } catch (error) {
    damage = `This link is damaged: ${error.message}`;
  }
  drawn = linked ?? { title: OPENING.family, height: data.height, width: data.width, blocked: readWorld(data).blocked,
    starts: data.starts, goals: data.goals };
  begin(standing(drawn));
  look.drawOver = drawOver;
  listenToBench();
  listKeys();
  updateBench();
  setTool("move");
  chooseTab("solve");
  window.difflns.playground = { instance: () => drawn, solution, chart, blame: () => blame, library, yard };
  byId("agents").value = drawn.starts.length;
  if (damage) say(damage, true);
  sayLead();
  if (linked || damage) return;
  state.loops = !calm.matches;
  await playOpening();
}

start().catch((error) => say(`The playground cannot start here: ${error.message}`, true));
