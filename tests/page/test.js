// node test.js CHROMIUM DIFFLNS FOLDER: the page of `difflns view` in a real browser, from file://, without a network.
const assert = require("node:assert/strict");
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");
const { writeWorld, crowd } = require("./world.js");
const { DESK, PHONE: SMALL, checkLayout } = require("./layout.js");

const [browserPath, difflns] = process.argv.slice(2), folder = path.resolve(process.argv[4]);
const examples = path.join(__dirname, "../../examples/data");
const rooms = { map: path.join(examples, "rooms.map"), scen: path.join(examples, "rooms.scen") };
const solved = path.join(examples, "rooms-solved.json"), shortest = path.join(examples, "rooms-shortest.json");
const DESKTOP = { width: 1280, height: 800 }, PHONE = { width: 375, height: 740 };
const PHONE_ON_ITS_SIDE = { width: 740, height: 360 };

fs.mkdirSync(folder, { recursive: true });
const pageFile = (name) => path.join(folder, `${name}.html`);

function writePage(name, world, ...plans) {
  execFileSync(difflns, ["view", "-m", world.map, "-i", world.scen, ...plans, "-o", pageFile(name)]);
}

// What the independent checker counts: [violations of the kinds the page draws].
function checkedViolations(world, plan) {
  const result = spawnSync(difflns, ["check", "-m", world.map, "-i", world.scen, plan], { encoding: "utf8" });
  return +/violations=(\d+) soc/.exec(result.stdout)[1];
}

const tests = [];
const test = (name, body) => tests.push({ name, body });

// Opens a page and fails on anything it complains about or asks the network for.
async function open(browser, name, options = {}, hash = "#t=0") {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url().split("#")[0];
    if (!url.startsWith("data:") && url !== `file://${pageFile(name)}`) complaints.push(`asks for ${url}`);
  });
  await page.goto(`file://${pageFile(name)}${hash}`);
  await settle(page);
  page.finish = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}

// Two frames: what was asked for is drawn.
const settle = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
}));
const time = (page) => page.evaluate(() => difflns.state.time);
const seek = async (page, step) => { await page.evaluate((t) => difflns.seek(t), step); await settle(page); };
const shoot = (page, name) => page.screenshot({ path: path.join(folder, `${name}.png`) });
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); await settle(page); };
const text = (page, selector) => page.locator(selector).first().textContent();

// How many pixels of an image of the first pane have nearly this color.
const countPixels = (page, [r, g, b]) => page.evaluate(([r0, g0, b0]) => {
  const { canvas, ctx } = difflns.panes[0], { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (Math.abs(data[i] - r0) + Math.abs(data[i + 1] - g0) + Math.abs(data[i + 2] - b0) < 12) count++;
  return count;
}, [r, g, b]);

// The colors of the first pane in the middle between an agent and each of some others at a step.
const pixelsBetween = (page, ...question) => page.evaluate(([agent, others, step]) => {
  const { canvas, ctx, plan, width, height, ratio } = difflns.panes[0], { view } = difflns.state;
  const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const cell = (who) => Math.min(plan.first[who] + step, plan.first[who + 1] - 1);
  return others.map((other) => {
    const middle = (at) => (at[cell(agent)] + at[cell(other)] + 1) / 2;
    const x = Math.floor((width / 2 + (middle(plan.col) - view.x) * view.scale) * ratio);
    const y = Math.floor((height / 2 + (middle(plan.row) - view.y) * view.scale) * ratio);
    return [...data.subarray(4 * (y * canvas.width + x)).subarray(0, 3)];
  });
}, question);

test("a valid plan plays to its end and says it is valid", async (browser) => {
  const page = await open(browser, "one");
  assert.equal(await page.title(), "rooms.map · DiffLNS");
  assert.equal(await text(page, ".badge"), "valid");
  assert.equal(await text(page, ".conflict-number"), "none");
  assert.equal(await page.locator("#ticks").isVisible(), false);
  await page.click("#play");
  await page.waitForFunction(() => difflns.state.time > 1.5);
  assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
  await press(page, " ");
  const paused = await time(page);
  await page.waitForTimeout(120);
  assert.equal(await time(page), paused);
  await press(page, "End");
  assert.equal(await text(page, ".number:nth-child(3) dd"), "120 / 120");
  await shoot(page, "end");
  await page.finish();
});

test("a page plays at once, unless an address names a step or motion is unwanted", async (browser) => {
  const playing = await open(browser, "one", {}, "");
  await playing.waitForFunction(() => difflns.state.time > 1);
  await playing.finish();
  const still = await open(browser, "one", {}, "#t=12");
  assert.equal(await time(still), 12);
  assert.equal(await still.evaluate(() => difflns.state.playing), false);
  await still.finish();
  const calm = await open(browser, "one", { reducedMotion: "reduce" }, "");
  assert.equal(await calm.evaluate(() => difflns.state.playing), false);
  await calm.finish();
});

test("a fleet's page counts the tasks done and names the goals in a robot's queue", async (browser) => {
  const drive = (name, ...rest) => execFileSync(difflns,
    ["live", "-m", rooms.map, "--iterations", "20", "--quiet", "--page", pageFile(name), ...rest], { encoding: "utf8" });
  const line = drive("fleet", "-N", "30", "--ticks", "300"), done = +/tasks=(\d+)/.exec(line)[1];
  const page = await open(browser, "fleet");
  await press(page, "End");
  assert.match(await page.textContent(".numbers"), new RegExp(`Tasks done${done.toLocaleString("en")}`));
  await press(page, "Home");
  assert.match(await page.textContent(".numbers"), /Tasks done0/);
  assert.match(await page.textContent(".numbers"), /With a task30 \/ 30Queued0/);
  assert.doesNotMatch(await page.textContent(".numbers"), /SOC|Makespan/); // a fleet never arrives
  assert.match(await page.textContent("#legend"), /without a task/);
  await page.finish();
  const tasks = path.join(folder, "tasks");
  fs.writeFileSync(tasks, "0 0 1 1\n0 0 1 3\n");
  drive("queue", "-N", "1", "--ticks", "100", "--tasks", tasks);
  const alone = await open(browser, "queue");
  await alone.evaluate(() => { difflns.state.selected = 0; });
  await press(alone, "ArrowRight");
  assert.match(await alone.textContent(".line"), /goal \(1, 1\), then \(1, 3\)/);
  assert.match(await alone.textContent(".numbers"), /With a task1 \/ 1Queued1/);
  await shoot(alone, "queue");
  await press(alone, "End");
  assert.match(await alone.textContent(".line"), /no task/);
  assert.match(await alone.textContent(".numbers"), /With a task0 \/ 1Queued0/);
  await alone.finish();
});

test("keys step, jump and change the speed", async (browser) => {
  const page = await open(browser, "one");
  await press(page, "ArrowRight", "ArrowRight", "ArrowLeft");
  assert.equal(await time(page), 1);
  assert.equal(await text(page, "#clock"), "1 / 42");
  await press(page, "Shift+ArrowRight");
  assert.equal(await time(page), 11);
  await press(page, "Home", "ArrowLeft");
  assert.equal(await time(page), 0);
  await press(page, "ArrowUp", "ArrowUp");
  assert.equal(await page.inputValue("#speed"), "16");
  await page.selectOption("#speed", "64");
  assert.equal(await page.evaluate(() => difflns.state.speed), 64);
  await page.finish();
});

test("the scrub bar moves time and settles on a step", async (browser) => {
  const page = await open(browser, "one"), box = await page.locator("#scrub").boundingBox();
  await page.mouse.move(box.x + 8, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  assert.ok(Math.abs((await time(page)) - 21) < 1);
  await page.mouse.up();
  assert.equal(await time(page), 21);
  await page.focus("#scrub");
  await press(page, "ArrowRight");
  assert.equal(await time(page), 22);
  assert.equal(await page.getAttribute("#scrub", "aria-valuetext"), "step 22 of 42");
  await page.finish();
});

test("wheel, drag, double click and buttons move the view", async (browser) => {
  const page = await open(browser, "one"), view = () => page.evaluate(() => ({ ...difflns.state.view }));
  const whole = await view();
  await page.mouse.move(500, 400);
  await page.mouse.wheel(0, -600);
  await page.waitForFunction((scale) => difflns.state.view.scale > 1.5 * scale, whole.scale);
  const near = await view();
  await page.mouse.down();
  await page.mouse.move(560, 440, { steps: 5 });
  await page.mouse.up();
  assert.ok((await view()).x < near.x);
  await page.mouse.dblclick(900, 300);
  assert.deepEqual(await view(), whole);
  await page.click("#zoom-in");
  assert.ok((await view()).scale > whole.scale);
  await press(page, "0");
  assert.deepEqual(await view(), whole);
  await page.finish();
});

test("two fingers zoom", async (browser) => {
  const page = await open(browser, "one", { viewport: PHONE, hasTouch: true, isMobile: true });
  const before = await page.evaluate(() => difflns.state.view.scale);
  await page.evaluate(() => {
    const { canvas } = difflns.panes[0];
    canvas.setPointerCapture = () => {};
    const send = (type, pointerId, clientX) =>
      canvas.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: 400, pointerType: "touch" }));
    send("pointerdown", 1, 150);
    send("pointerdown", 2, 200);
    send("pointermove", 2, 300);
    send("pointerup", 1, 150);
    send("pointerup", 2, 300);
  });
  assert.ok((await page.evaluate(() => difflns.state.view.scale)) > 2 * before);
  await page.finish();
});

test("an agent pointed at shows its way, a click keeps it", async (browser) => {
  const page = await open(browser, "one");
  await seek(page, 12);
  const spot = await page.evaluate(() => {
    const { plan, canvas, width, height } = difflns.panes[0], { view } = difflns.state;
    const box = canvas.getBoundingClientRect(), i = plan.first[7] + 12;
    return {
      x: box.left + width / 2 + (plan.col[i] + 0.5 - view.x) * view.scale,
      y: box.top + height / 2 + (plan.row[i] + 0.5 - view.y) * view.scale,
    };
  });
  await page.mouse.move(spot.x, spot.y);
  await settle(page);
  assert.match(await text(page, ".line"), /^Agent 7 at \(\d+, \d+\) · goal \(\d+, \d+\) · cost \d+( · |$)/);
  await page.mouse.click(spot.x, spot.y);
  await page.mouse.move(5, 5);
  await settle(page);
  assert.match(await text(page, ".line"), /^Agent 7 /);
  await shoot(page, "selected");
  await press(page, "a");
  assert.match(await text(page, ".line"), /^Agent 8 /);
  await press(page, "Escape");
  assert.equal(await text(page, ".line"), "");
  await page.finish();
});

// Who waits for whom at a step, worked out from what the program writes: {agent: [other, row, col]}.
function waitingByTheProgram(world, plan, step) {
  const file = path.join(folder, "dependencies.json");
  execFileSync(difflns, ["convert", "-m", world.map, "-i", world.scen, plan, "--format", "dependencies", "-o", file]);
  const { paths, dependencies } = JSON.parse(fs.readFileSync(file));
  const isWait = (cells, t) => t > 0 && cells[t].join() === cells[t - 1].join();
  const timeOfStep = JSON.parse(fs.readFileSync(plan)).paths.map(
    (cells) => cells.map((_, t) => t).filter((t) => !isWait(cells, t)));
  const waiting = {};
  for (const [agent, own, other, others] of dependencies) { // in order of agent and step
    const isMade = timeOfStep[agent][own] <= step || timeOfStep[other][others] <= step;
    if (!isMade) waiting[agent] ??= [other, ...paths[agent][own]];
  }
  return waiting;
}

test("an agent in focus shows whom it waits for and who waits for it", async (browser) => {
  const page = await open(browser, "one");
  let shown = null;
  for (const step of [0, 3, 9, 17, 30, 42]) {
    const expected = waitingByTheProgram(rooms, solved, step);
    const found = await page.evaluate((t) => Array.from({ length: 120 }, (_, agent) =>
      difflns.waitsOf(agent, t)), step);
    found.forEach(({ on, by }, agent) => {
      assert.deepEqual(on && [on.agent, on.row, on.col], expected[agent] ?? null, `agent ${agent} at step ${step}`);
      assert.deepEqual(by.map(String), Object.keys(expected).filter((other) => expected[other][0] === agent));
      if (on && by.length > 1) shown ??= { agent, step, on, by };
    });
    assert.equal(Object.keys(expected).length === 0, step === 42);
  }
  await seek(page, shown.step);
  await page.evaluate((agent) => difflns.select(agent), shown.agent);
  await settle(page);
  const { on, by } = shown, more = by.length > 3 ? ` and ${by.length - 3} more` : "";
  assert.ok((await text(page, ".line")).endsWith(
    ` · waits for ${on.agent} at (${on.row}, ${on.col}) · ${by.slice(0, 3).join(", ")}${more} wait for it`));
  await shoot(page, "waits");
  // An arrow in ink crosses the middle between the agent and each of its partners.
  const middles = await pixelsBetween(page, shown.agent, [on.agent, ...by], shown.step);
  assert.ok(middles.flat().every((part) => part < 0x40), String(middles));
  await page.finish();
  const colliding = await open(browser, "two");
  assert.equal(await colliding.evaluate(() => difflns.waitsOf(0, 0)), null); // no order to keep
  await colliding.finish();
});

test("two plans play in lock-step and the colliding one is marked", async (browser) => {
  const page = await open(browser, "two");
  assert.equal(await page.locator(".pane").count(), 2);
  assert.deepEqual(await page.locator(".badge").allTextContents(), ["invalid", "valid"]);
  const totals = await page.evaluate(() => difflns.panes.map((pane) => pane.plan.conflicts.total));
  assert.deepEqual(totals, [checkedViolations(rooms, shortest), 0]);
  const red = await page.evaluate(() => {
    const canvas = document.getElementById("ticks");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 80 && data[i] > 180 && data[i + 1] < 90) count++;
    return count;
  });
  assert.ok(red > 100, `${red} red pixels in the ticks`);
  await press(page, "c");
  const first = await time(page);
  assert.ok(first > 0 && Number.isInteger(first));
  assert.match(await text(page, ".conflict-number"), /^[1-9]\d* now \/ 703$/);
  assert.ok((await countPixels(page, [0xc9, 0x24, 0x2f])) > 50);
  await press(page, "c", "C");
  assert.equal(await time(page), first);
  await press(page, "l");
  assert.equal(await text(page, "#conflicts-title"), "703 conflicts");
  await page.locator("#conflicts-list button").nth(100).click();
  assert.ok((await time(page)) >= first);
  await settle(page);
  await shoot(page, "side-by-side");
  await press(page, "Escape");
  assert.equal(await page.locator("#conflicts").isVisible(), false);
  await page.finish();
});

test("the page of solve shows the colliding start beside the repaired plan", async (browser) => {
  const page = await open(browser, "solved");
  const titles = await page.locator(".pane h2").allTextContents();
  assert.match(titles[0], /^Draft, \d+ colliding pairs?$/);
  assert.equal(titles[1], "Repaired");
  assert.deepEqual(await page.locator(".badge").allTextContents(), ["invalid", "valid"]);
  const pairs = await page.evaluate(() => difflns.panes.map((pane) => pane.plan.conflicts.pairs));
  assert.deepEqual(pairs, [+/\d+/.exec(titles[0])[0], 0]);
  await seek(page, 6);
  await shoot(page, "solved");
  await page.emulateMedia({ colorScheme: "dark" });
  await settle(page);
  await shoot(page, "solved-dark");
  await page.finish();
});

test("a swap is a conflict between two steps; jumps and walls are marked", async (browser) => {
  const page = await open(browser, "faults");
  const found = await page.evaluate(() => difflns.panes[0].plan.conflicts.list.map(
    ({ kind, time: step, agent, other }) => [kind, step, agent, other].join(" ")));
  assert.deepEqual(found, ["jump 1 2 -1", "swap 1 0 1", "blocked 2 2 -1"]);
  await page.finish();
});

test("more than two plans share one pane and a slider", async (browser) => {
  const page = await open(browser, "sequence");
  assert.equal(await page.locator(".pane").count(), 1);
  assert.equal(await text(page, ".badge"), "invalid");
  await press(page, "]");
  assert.equal(await text(page, ".badge"), "valid");
  assert.equal(await text(page, ".pane h2"), "rooms-solved.json, 2 of 3 · 0 colliding pairs");
  await press(page, "[");
  assert.equal(await text(page, ".badge"), "invalid");
  await page.finish();
});

// How red the first pane is.
const redness = (page) => page.evaluate(() => {
  const { canvas } = difflns.panes[0], copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const ctx = copy.getContext("2d", { willReadFrequently: true });
  ctx.drawImage(canvas, 0, 0);
  const { data } = ctx.getImageData(0, 0, copy.width, copy.height);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += Math.max(0, data[i] - (data[i + 1] + data[i + 2]) / 2);
  return sum / (canvas.width * canvas.height);
});

test("the denoising plays once by itself, as whole routes whose red fades from noise to draft", async (browser) => {
  const page = await open(browser, "denoising", {}, ""), index = () => page.evaluate(() => difflns.panes[0].index);
  assert.match(await text(page, ".pane h2"), /^Step \d of 4.* · [\d,]+ colliding pairs$/);
  assert.equal(await text(page, ".sequence .slider-name"), "Denoising");
  assert.equal(await text(page, ".controls .slider-name"), "Time");
  assert.equal(await page.getAttribute("#play-plans", "aria-label"), "Pause the plans");
  await page.waitForFunction(() => difflns.panes[0].plan.fade);
  await page.waitForFunction(() => difflns.panes[0].index > 1);
  await page.click("#play-plans");
  const paused = await index();
  await page.waitForTimeout(1200);
  assert.equal(await index(), paused);
  assert.equal(await page.evaluate(() => difflns.panes[0].plan.fade), undefined);
  await press(page, "[");
  assert.equal(await index(), paused - 1);
  await press(page, "s");
  await page.waitForFunction(() => !difflns.state.stepping);
  assert.match(await text(page, ".pane h2"), /^Step 4 of 4, draft · /);
  assert.equal(await text(page, ".line"), "Noise level 0 of 4: no noise is left. This is the draft; repair takes over from here.");
  const red = [];
  for (const level of [0, 2, 4]) {
    await page.evaluate((i) => difflns.setPlan(i), level);
    await settle(page);
    red.push(await redness(page));
    await shoot(page, `denoising-${level}`);
  }
  assert.ok(red[0] > 2 * red[1] && red[1] >= red[2] * 0.8, `${red}`);
  await page.evaluate(() => difflns.setPlan(0));
  await settle(page);
  assert.equal(await text(page, ".line"), "Noise level 4 of 4: every action is random. The network has seen nothing yet.");
  await page.click("#play"); // one moment of it, with agents
  await page.waitForFunction(() => difflns.state.time > 1);
  await press(page, " ");
  assert.equal(await page.evaluate(() => difflns.state.moment), true);
  await page.emulateMedia({ colorScheme: "dark" });
  await settle(page);
  await shoot(page, "denoising-dark");
  await page.finish();
  const calm = await open(browser, "denoising", { reducedMotion: "reduce" }, "");
  assert.equal(await calm.evaluate(() => difflns.state.stepping), false);
  assert.match(await text(calm, ".pane h2"), /^Step 0 of 4, noise · [\d,]+ colliding pairs$/);
  await calm.finish();
});

test("an agent is found by its number, and listed by its delay", async (browser) => {
  const page = await open(browser, "one");
  await press(page, "/");
  await page.keyboard.type("17");
  await settle(page);
  assert.match(await text(page, ".line"), /^Agent 17 at /);
  await page.fill("#find", "999");
  assert.equal(await page.getAttribute("#find", "aria-invalid"), "true");
  await press(page, "Escape");
  await press(page, "o");
  const info = JSON.parse(fs.readFileSync(solved)), distances = spawnSync(difflns, ["check", "-m", rooms.map, "-i", rooms.scen, solved], { encoding: "utf8" }).stdout;
  const soc = +/soc=(\d+)/.exec(distances)[1], least = +/sum_of_distances=(\d+)/.exec(distances)[1];
  assert.ok(info.paths.length > 0);
  assert.equal(await text(page, "#delays-title"), `${(soc - least).toLocaleString("en")} steps of delay`); // the program's own count
  const delays = (await page.locator("#delays-list button span:nth-child(3)").allTextContents()).map(Number);
  assert.equal(delays.length, 120);
  assert.deepEqual(delays, [...delays].sort((a, b) => b - a));
  await page.locator("#delays-list button").first().click();
  await settle(page);
  assert.match(await text(page, ".line"), /^Agent \d+ at /);
  await checkLayout(page, "delays");
  await shoot(page, "delays");
  await press(page, "Escape");
  assert.equal(await page.locator("#delays").isVisible(), false);
  await page.finish();
});

test("congestion tints the map", async (browser) => {
  const page = await open(browser, "one"), plain = await redness(page);
  await press(page, "h");
  assert.equal(await page.getAttribute("#heat", "aria-pressed"), "true");
  const heated = await redness(page);
  assert.ok(heated > plain + 5, `${plain}, ${heated}`);
  await shoot(page, "heat");
  await page.finish();
});

test("a moment is saved as a picture and a plan as a video", async (browser) => {
  const page = await open(browser, "two", { acceptDownloads: true });
  await seek(page, 12);
  const take = async (key) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, key)]);
    const file = path.join(folder, download.suggestedFilename());
    await download.saveAs(file);
    return file;
  };
  const picture = await take("i");
  assert.match(picture, /rooms\.map-step-12\.png$/);
  assert.equal(fs.readFileSync(picture).subarray(1, 4).toString(), "PNG");
  await page.selectOption("#speed", "16");
  const video = await take("v");
  assert.match(video, /rooms\.map\.webm$/);
  assert.ok(fs.statSync(video).size > 2000, `${fs.statSync(video).size} bytes`);
  assert.equal(fs.readFileSync(video).readUInt32BE(0), 0x1a45dfa3); // what WebM begins with
  assert.equal(await page.getAttribute("#record", "aria-pressed"), "false");
  await page.finish();
});

test("ten thousand agents open and play", async (browser) => {
  const began = Date.now(), page = await open(browser, "ten-thousand"), opened = Date.now() - began;
  assert.equal(await page.evaluate(() => difflns.panes[0].plan.agents), 10000);
  const cost = await page.evaluate(() => {
    const start = performance.now();
    for (let i = 0; i < 20; i++) difflns.draw();
    return (performance.now() - start) / 20;
  });
  await press(page, "o", "Escape", "h");
  await shoot(page, "ten-thousand");
  const size = fs.statSync(pageFile("ten-thousand")).size / 1e6;
  console.log(`      ${size.toFixed(1)} MB, open after ${(opened / 1000).toFixed(1)} s, ${cost.toFixed(0)} ms of script a frame`);
  assert.ok(opened < 60000 && cost < 400, `${opened}, ${cost}`); // a busy machine takes ten times as long
  await page.finish();
});

test("each page fits a desk and a phone", async (browser) => {
  for (const [size, options] of Object.entries({ desk: DESK, phone: SMALL, "desk-dark": { ...DESK, colorScheme: "dark" } }))
    for (const name of ["one", "two", "solved", "denoising", "fleet"]) {
      const page = await open(browser, name, options);
      await seek(page, 6);
      await checkLayout(page, `${name}-${size}`);
      await shoot(page, `view-${name}-${size}`);
      await page.finish();
    }
});

test("light and dark follow the system and the button", async (browser) => {
  const page = await open(browser, "two", { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await seek(page, 8);
  await shoot(page, "dark");
  await page.click("#theme");
  assert.notEqual(await ground(), dark);
  await press(page, "d");
  assert.equal(await ground(), dark);
  await page.finish();
});

test("on a phone everything fits the width and can be touched", async (browser) => {
  for (const [name, viewport] of [["one", PHONE], ["two", PHONE], ["sequence", PHONE], ["solved", PHONE], ["denoising", PHONE],
    ["two", PHONE_ON_ITS_SIDE]]) {
    const page = await open(browser, name, { viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await seek(page, 9);
    const outside = await page.evaluate(() => {
      const shown = document.querySelectorAll("button, input, select, output, h1, h2, dd, canvas");
      return [...shown].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5);
      }).map((element) => element.outerHTML.slice(0, 80));
    });
    assert.deepEqual(outside, []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok(await page.evaluate(() => difflns.panes.every((pane) => pane.height > 120)));
    await page.tap("#play");
    await page.waitForFunction(() => difflns.state.time > 9);
    await shoot(page, `phone-${name}-${viewport.width}`);
    await page.finish();
  }
});

test("every control has a name and help opens with its key", async (browser) => {
  const page = await open(browser, "two");
  const nameless = await page.evaluate(() => {
    const named = (element) => element.getAttribute("aria-label") || element.textContent.trim();
    return [...document.querySelectorAll("button, input, select")].filter((e) => !named(e)).map((e) => e.outerHTML);
  });
  assert.deepEqual(nameless, []);
  await press(page, "?");
  assert.ok(await page.locator("#help").isVisible());
  await shoot(page, "help");
  await press(page, "Escape");
  assert.ok(!(await page.locator("#help").isVisible()));
  await page.finish();
});

test("a thousand agents on 256x256 keep moving", async (browser) => {
  const page = await open(browser, "crowd");
  await press(page, " ");
  await page.waitForFunction(() => difflns.state.time > 0.5);
  // The script's own share of a frame decides whether the page can be fluid; a busy machine shows fewer frames.
  const cost = await page.evaluate(() => {
    const start = performance.now();
    for (let i = 0; i < 50; i++) difflns.draw();
    return (performance.now() - start) / 50;
  });
  const before = await page.evaluate(() => difflns.state.frames);
  await page.waitForFunction((frames) => difflns.state.frames > frames + 10, before);
  console.log(`      ${cost.toFixed(2)} ms of script a frame`);
  assert.ok(cost < 100, `${cost} ms a frame`);
  await press(page, " ");
  await seek(page, 40);
  await shoot(page, "crowd");
  await page.mouse.move(640, 430);
  await page.mouse.wheel(0, -1500);
  await page.waitForFunction(() => difflns.state.view.scale > 15);
  await settle(page);
  await shoot(page, "crowd-near");
  await page.finish();
});

async function main() {
  writePage("one", rooms, solved);
  writePage("two", rooms, shortest, solved);
  execFileSync(difflns, ["solve", "-m", rooms.map, "-i", rooms.scen, "--init", "diffusion", "--steps", "3", "--horizon", "48",
    "--iterations", "200000", "--stop", "first", "--page", pageFile("solved")]);
  const model = path.join(__dirname, "../../models/default.safetensors"), steps = path.join(folder, "steps");
  execFileSync(difflns, ["sample", "-m", rooms.map, "-i", rooms.scen, "--model", model, "--steps", "4", "--horizon", "48",
    "--trace", steps], { stdio: "ignore" });
  writePage("denoising", rooms, steps);
  writePage("sequence", rooms, shortest, solved, shortest);
  const faulty = [[[0, 0], [0, 1]], [[0, 1], [0, 0]], [[1, 0], [1, 3], [1, 2]]]; // a swap; a jump onto an obstacle
  const faults = writeWorld(folder, "faults", ["....", "..@."], faulty, [[0, 1], [0, 0], [1, 3]]);
  writePage("faults", faults, faults.plan);
  const many = crowd(folder, "crowd", 256, 1000, 200);
  writePage("crowd", many, many.plan);
  const most = crowd(folder, "ten-thousand", 512, 10000, 200);
  writePage("ten-thousand", most, most.plan);
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "difflns-page-"));
  const browser = await chromium.launch({
    executablePath: browserPath, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
    env: { ...process.env, HOME: profile },
  });
  let failed = 0;
  for (const { name, body } of tests) {
    try {
      await body(browser);
      console.log(`ok    ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  fs.rmSync(profile, { recursive: true, force: true });
  console.log(`${tests.length - failed} of ${tests.length} passed`);
  process.exit(failed ? 1 : 0);
}

main();
