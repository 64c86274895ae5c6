/* What a reader asks of a plan: where an agent is, who is delayed most, where it is crowded; and what can be taken away: a
 * picture, a video. */

/* ---- Find an agent ---- */

function findAgent(text) {
  const agent = Number(text);
  const found = text.trim() !== "" && Number.isInteger(agent) && agent >= 0 && agent < world.agents;
  byId("find").setAttribute("aria-invalid", text.trim() !== "" && !found);
  if (!found) return select(-1);
  const { plan } = panes[0], i = cellIndex(plan, agent, Math.min(currentStep(), plan.makespan));
  bringIntoSight(panes[0], plan.row[i], plan.col[i]);
  select(agent);
}

/* ---- Delays ---- */

const LISTED_DELAYS = 500;
const MOST_SEARCHED = 2e8; /* squares in all: beyond this the distance as the crow flies must do */

/* Steps of a shortest path between two squares, -1 if there is none: a search from the start that ends at the goal. */
function distanceBetween(world, start, goal, search) {
  const { blocked, width } = world, { stamp, queue } = search, mark = ++search.mark;
  if (start === goal) return 0;
  let count = 1, levelEnd = 1, steps = 1;
  queue[0] = start;
  stamp[start] = mark;
  for (let i = 0; i < count; i++) {
    if (i === levelEnd) {
      levelEnd = count;
      steps++;
    }
    const square = queue[i], col = square % width;
    const visit = (to) => {
      if (to < 0 || to >= blocked.length || blocked[to] || stamp[to] === mark) return false;
      stamp[to] = mark;
      queue[count++] = to;
      return to === goal;
    };
    if (visit(square - width) || visit(square + width) || (col > 0 && visit(square - 1)) || (col < width - 1 && visit(square + 1))) return steps;
  }
  return -1;
}

/* {agent, cost, delay} of every agent, the most delayed first. Exact unless the world is too large to search it once for
 * each agent. */
function findDelays(plan, world) {
  if (plan.delays) return plan.delays;
  const exact = world.agents * world.blocked.length <= MOST_SEARCHED;
  const search = { mark: 0, stamp: new Int32Array(world.blocked.length), queue: new Int32Array(world.blocked.length) };
  const list = Array.from({ length: world.agents }, (_, agent) => {
    const start = world.starts[agent], goal = world.goals[agent], cost = agentCost(plan, agent);
    const across = Math.abs((start % world.width) - (goal % world.width));
    const down = Math.abs(Math.floor(start / world.width) - Math.floor(goal / world.width));
    const least = exact ? distanceBetween(world, start, goal, search) : across + down;
    return { agent, cost, delay: least < 0 ? 0 : cost - least };
  });
  list.sort((a, b) => b.delay - a.delay || a.agent - b.agent);
  return (plan.delays = { list, exact });
}

function delayRow({ agent, cost, delay }) {
  const button = make("button", "", ...[agent, cost, delay].map((text) => make("span", "", grouped(text))));
  button.setAttribute("aria-label", `Agent ${agent}: cost ${cost}, delay ${delay}`);
  button.addEventListener("click", () => { byId("find").value = agent; findAgent(String(agent)); });
  return make("li", "", button);
}

function toggleDelays() {
  const panel = byId("delays");
  if (!panel.hidden) return closeDelays();
  const { plan } = panes.at(-1), { list, exact } = findDelays(plan, world);
  const all = list.reduce((sum, row) => sum + row.delay, 0);
  setText(byId("delays-title"), `${grouped(all)} steps of delay`);
  setText(byId("delays-plan"), `${plan.title}: cost beyond ${exact ? "the shortest path" : "the distance as the crow flies"}`);
  byId("delays-list").replaceChildren(...list.slice(0, LISTED_DELAYS).map(delayRow));
  if (list.length > LISTED_DELAYS)
    byId("delays-list").append(make("li", "more", `and ${grouped(list.length - LISTED_DELAYS)} with less`));
  closeConflictList();
  panel.hidden = false;
}

function closeDelays() {
  byId("delays").hidden = true;
}

/* ---- Congestion ---- */

/* How many steps agents spend on each square on their way, over the whole plan. */
function trafficBySquare(plan, world) {
  if (plan.traffic) return plan.traffic;
  const count = (plan.traffic = new Int32Array(world.height * world.width));
  for (let agent = 0; agent < plan.agents; agent++)
    for (let i = plan.first[agent]; i + 1 < plan.first[agent + 1]; i++) {
      const row = plan.row[i], col = plan.col[i];
      if (row >= 0 && row < world.height && col >= 0 && col < world.width) count[row * world.width + col]++;
    }
  return count;
}

/* One pixel a square, from clear to red: the square root, so that side streets show beside the main ones. */
function paintHeat(plan, world, theme) {
  const count = trafficBySquare(plan, world), layer = document.createElement("canvas");
  layer.width = world.width;
  layer.height = world.height;
  const ctx = layer.getContext("2d"), image = ctx.createImageData(world.width, world.height);
  const pixels = new Uint32Array(image.data.buffer), color = packedColor(theme.danger) & 0xffffff;
  const most = count.reduce((a, b) => Math.max(a, b), 1);
  for (let i = 0; i < pixels.length; i++)
    if (count[i]) pixels[i] = (color | (Math.round(200 * Math.sqrt(count[i] / most)) << 24)) >>> 0;
  ctx.putImageData(image, 0, 0);
  return layer;
}

function drawHeat(ctx, plan, look, sight) {
  const { world } = look, { scale, left, top } = sight;
  if (plan.heat?.theme !== look.theme) plan.heat = { theme: look.theme, layer: paintHeat(plan, world, look.theme) };
  ctx.imageSmoothingEnabled = scale < 1;
  ctx.drawImage(plan.heat.layer, left, top, world.width * scale, world.height * scale);
}

function toggleHeat() {
  state.showHeat = !state.showHeat;
  byId("heat").setAttribute("aria-pressed", state.showHeat);
  schedule();
}

/* ---- Pictures and videos ---- */

const VIDEO_FRAMES = 30; /* a second */
let recording = null;

/* All panes side by side, as they are drawn now. */
function composePanes(canvas) {
  const width = panes.reduce((sum, pane) => sum + pane.canvas.width, 0), height = Math.max(...panes.map((pane) => pane.canvas.height));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const ctx = canvas.getContext("2d");
  let left = 0;
  for (const pane of panes) {
    ctx.drawImage(pane.canvas, left, 0);
    left += pane.canvas.width;
  }
  return canvas;
}

function offer(blob, end) {
  const link = make("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${data.title.replace(/[^\w.-]+/g, "-")}${end}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function savePicture() {
  draw();
  composePanes(document.createElement("canvas")).toBlob((blob) => offer(blob, `-step-${currentStep()}.png`));
}

/* Plays from the first step to the last and keeps what it sees, or ends that early. */
function toggleRecording() {
  if (recording) return recording.recorder.stop();
  const canvas = composePanes(document.createElement("canvas")), pieces = [];
  const recorder = new MediaRecorder(canvas.captureStream(VIDEO_FRAMES), { mimeType: "video/webm" });
  recorder.ondataavailable = (event) => pieces.push(event.data);
  recorder.onstop = () => {
    recording = null;
    byId("record").setAttribute("aria-pressed", false);
    setPlaying(false);
    offer(new Blob(pieces, { type: "video/webm" }), ".webm");
  };
  recording = { recorder, canvas };
  byId("record").setAttribute("aria-pressed", true);
  seek(0);
  recorder.start(500);
  setPlaying(true);
}

/* After each frame while a video is made. */
function recordFrame() {
  composePanes(recording.canvas);
  if (!state.playing && recording.recorder.state === "recording") recording.recorder.stop();
}

/* ---- Begin ---- */

function listenToViewer() {
  byId("find").addEventListener("input", (event) => findAgent(event.target.value));
  byId("list").addEventListener("click", toggleDelays);
  byId("delays-close").addEventListener("click", closeDelays);
  byId("heat").addEventListener("click", toggleHeat);
  byId("picture").addEventListener("click", savePicture);
  byId("record").addEventListener("click", toggleRecording);
  byId("record").hidden = typeof MediaRecorder === "undefined";
}
