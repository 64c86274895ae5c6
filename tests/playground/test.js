// node test.js CHROMIUM PAGE DIFFLNS FOLDER: the playground in a real browser, from a file, without a network. What it
// saves is judged by the program.
const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");
const { DESK, PHONE, checkLayout } = require("../page/layout.js");

const [browserPath, playground, difflns, folder] = process.argv.slice(2);
const url = `file://${path.resolve(playground)}`;
const DESKTOP = { width: 1280, height: 800 };
fs.mkdirSync(folder, { recursive: true });

const tests = [];
const test = (name, body) => tests.push({ name, body });

// Opens the playground and fails on anything it complains about or asks the network for.
async function open(browser, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: DESKTOP, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const asked = request.url();
    if (!/^(data|blob):/.test(asked) && asked.split("#")[0] !== url) complaints.push(`asks for ${asked}`);
  });
  await page.goto(url + hash);
  await page.waitForFunction(() => window.difflns?.playground);
  page.finish = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}

const settle = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
}));
const shoot = async (page, name) => { await settle(page); await page.screenshot({ path: path.join(folder, `${name}.png`) }); };
const text = (page, selector) => page.locator(selector).textContent();
const said = (page) => page.locator("#said").textContent();
const instance = (page) => page.evaluate(() => {
  const { height, width, blocked, starts, goals } = difflns.playground.instance();
  return { height, width, blocked: [...blocked], starts, goals };
});
const choose = async (page, source, agents) => {
  await page.selectOption("#source", source);
  const [kind, name] = source.split(":"), side = kind === "empty" ? +name : 0;
  if (agents) {
    await page.fill("#agents", String(agents));
    await page.click("#new button");
  }
  await page.waitForFunction(([s, n]) => {
    const { height, starts } = difflns.playground.instance();
    return s ? height === s && starts.length === 0 : !n || starts.length === n;
  }, [side, agents ?? 0]);
};
const solved = (page) => page.waitForFunction(() => !difflns.playground.solution.busy && difflns.playground.solution.pages.plan, null, { timeout: 90000 });
const firstPlan = (page) => page.waitForFunction(() => difflns.playground.solution.pages.plan, null, { timeout: 90000 });

// The middle of a cell on the screen.
const cellPoint = (page, row, col) => page.evaluate(([r, c]) => {
  const { canvas, width, height } = difflns.panes[0], { view } = difflns.state, box = canvas.getBoundingClientRect();
  return { x: box.left + width / 2 + (c + 0.5 - view.x) * view.scale, y: box.top + height / 2 + (r + 0.5 - view.y) * view.scale };
}, [row, col]);
async function drag(page, from, to) {
  const a = await cellPoint(page, ...from), b = await cellPoint(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}
async function click(page, ...cell) {
  const { x, y } = await cellPoint(page, ...cell);
  await page.mouse.click(x, y);
}
async function save(page, what) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-save=${what}]`)]);
  const file = path.join(folder, `saved.${what}`);
  await download.saveAs(file);
  return file;
}

test("walls and agents that were drawn are solved, played and saved; the program agrees", async (browser) => {
  const page = await open(browser);
  await choose(page, "empty:10");
  await page.click("[data-tool=wall]");
  await drag(page, [4, 0], [4, 8]);
  await page.click("[data-tool=erase]");
  await click(page, 4, 3);
  await page.click("[data-tool=agent]");
  await drag(page, [0, 0], [9, 9]);
  await click(page, 9, 0); // a start ...
  await click(page, 0, 9); // ... and its goal
  const { blocked, starts, goals } = await instance(page);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((col) => blocked[40 + col]), [1, 1, 1, 0, 1, 1, 1, 1, 1, 0]);
  assert.deepEqual([starts, goals], [[0, 90], [99, 9]]);
  await page.selectOption("#seconds", "3");
  await page.click("#solve");
  await solved(page);
  assert.match(await text(page, "#first"), /^\d+\.\d\d s$/);
  assert.match(await text(page, "#first-parts"), /^It cost \d+/);
  assert.equal(await text(page, "#gap"), "0%");
  await page.waitForFunction(() => difflns.state.time > 2); // it plays by itself
  assert.equal(await page.locator(".badge").first().textContent(), "valid");
  await page.click("[data-tool=move]");
  const map = await save(page, "map"), scen = await save(page, "scen"), plan = await save(page, "json");
  const check = spawnSync(difflns, ["check", "-m", map, "-i", scen, plan], { encoding: "utf8" });
  assert.equal(check.status, 0, check.stdout + check.stderr);
  const html = fs.readFileSync(await save(page, "page"), "utf8");
  assert.match(html, /difflns-page/);
  await shoot(page, "drawn");
  await page.finish();
});

test("the first plan comes at once and its cost falls; stopping keeps the best", async (browser) => {
  const page = await open(browser);
  await choose(page, "family:medium-room", 150);
  await page.selectOption("#seconds", "30");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => difflns.playground.chart.points.length >= 4, null, { timeout: 60000 });
  await page.click("#solve");
  await page.waitForFunction(() => !difflns.playground.solution.busy);
  const points = await page.evaluate(() => difflns.playground.chart.points.map((point) => point.soc));
  for (let i = 1; i < points.length; i++) assert.ok(points[i] < points[i - 1], `${points}`);
  const shown = await page.evaluate(() => difflns.panes[0].plan);
  assert.equal(shown.violations, 0);
  await shoot(page, "stopped");
  await page.click("#solve"); // the worker that was ended has a successor
  await firstPlan(page);
  await page.finish();
});

test("start and plan stand side by side, and the start's conflicts are marked", async (browser) => {
  const page = await open(browser);
  await choose(page, "family:small-random", 25);
  await page.selectOption("#init", "paths");
  await page.selectOption("#seconds", "3");
  await page.click("#solve");
  await solved(page);
  await page.click("[data-shown=both]");
  assert.equal(await page.evaluate(() => difflns.panes.length), 2);
  const [before, after] = await page.evaluate(() => difflns.panes.map((pane) => pane.plan.conflicts.total));
  assert.ok(before > 0);
  assert.equal(after, 0);
  await page.keyboard.press("c"); // to the next conflict
  await shoot(page, "start-and-plan");
  await page.click("[data-shown=plan]");
  assert.equal(await page.evaluate(() => difflns.panes.length), 1);
  await page.finish();
});

test("an unsolvable instance says why, and frames the reason on the map", async (browser) => {
  const page = await open(browser);
  await page.click("#paste-open");
  await page.fill("#paste-map", "type octile\nheight 2\nwidth 5\nmap\n.....\n@@@@@\n");
  await page.fill("#paste-scen", "version 1\n0\tm\t5\t2\t0\t0\t4\t0\t4\n0\tm\t5\t2\t4\t0\t0\t0\t4\n");
  await page.click("#paste-use");
  await page.waitForFunction(() => difflns.playground.instance().starts.length === 2);
  await page.click("#solve");
  await page.waitForFunction(() => document.getElementById("said").classList.contains("bad"));
  assert.match(await said(page), /No plan exists: agents \d and \d would have to pass each other in the corridor/);
  assert.deepEqual((await page.evaluate(() => difflns.playground.blame())).sort(), [0, 4]);
  await shoot(page, "unsolvable");
  await page.click("[data-tool=erase]"); // a cell to step aside
  await click(page, 1, 2);
  await page.selectOption("#seconds", "3");
  await page.click("#solve");
  await solved(page);
  assert.deepEqual(await page.evaluate(() => difflns.playground.blame()), []);
  await page.finish();
});

test("a draft is denoised step by step and repaired", async (browser) => {
  const page = await open(browser);
  await choose(page, "family:small-random", 30);
  await page.selectOption("#init", "draft");
  await page.selectOption("#seconds", "3");
  await page.click("#solve");
  await page.waitForFunction(() => /Denoising: step [1-9]/.test(document.getElementById("said").textContent), null, { timeout: 90000 });
  await shoot(page, "tutorial-draft");
  await solved(page);
  const [, draft, repair] = /^(\d+\.\d\d) s for the draft \+ (\d+\.\d\d) s for repair/.exec(await text(page, "#first-parts"));
  assert.ok(Math.abs(+draft + +repair - parseFloat(await text(page, "#first"))) < 0.1);
  await page.click("[data-shown=steps]");
  const titles = await page.evaluate(() => difflns.playground.solution.pages.steps.plans.map((plan) => plan.title));
  assert.equal(titles[0], "Noise");
  assert.deepEqual(titles.slice(-2), ["Draft", "Repaired"]);
  await page.waitForFunction(() => difflns.panes[0].index > 0); // it plays once by itself
  await page.click("#play-plans");
  await page.evaluate(() => difflns.setPlan(0));
  assert.ok(titles.length > 3);
  await page.keyboard.press("]");
  assert.equal(await page.evaluate(() => difflns.panes[0].index), 1);
  await page.finish();
});

test("a link carries the instance to another visitor", async (browser) => {
  const page = await open(browser);
  await choose(page, "map:warehouse");
  await page.waitForFunction(() => difflns.playground.instance().title === "warehouse");
  const sent = await instance(page);
  await page.click("#link");
  await page.waitForFunction(() => location.hash.startsWith("#i1."));
  const hash = await page.evaluate(() => location.hash);
  await page.finish();
  const other = await open(browser, {}, hash);
  assert.deepEqual(await instance(other), sent);
  await other.finish();
  const damaged = await open(browser, {}, hash.slice(0, 40));
  assert.match(await said(damaged), /This link is damaged/);
  await damaged.finish();
});

test("what is too large or malformed is refused with a line", async (browser) => {
  const page = await open(browser);
  const paste = async (map) => {
    await page.click("#paste-open");
    await page.fill("#paste-map", map);
    await page.click("#paste-use");
    await page.waitForFunction(() => document.getElementById("said").classList.contains("bad"));
    const line = await said(page);
    await page.evaluate(() => document.getElementById("said").classList.remove("bad"));
    return line;
  };
  assert.match(await paste("type octile\nheight 600\nwidth 600\nmap\n") /* refused before its rows are read */, /600 × 600 cells are too many/);
  assert.match(await paste("type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n"), /map:6:2: unknown cell letter/);
  await page.fill("#agents", "1999");
  await page.click("#scatter");
  assert.match(await said(page), /no room/);
  await page.finish();
});

test("everything can be done with keys", async (browser) => {
  const page = await open(browser);
  await choose(page, "empty:10");
  await page.evaluate(() => document.activeElement.blur());
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press("2", "ArrowUp", " ", "ArrowUp", " "); // a wall of two cells above the middle
  await press("4", "ArrowLeft", " ", "ArrowRight", "ArrowRight", " "); // an agent around it
  const { blocked, starts, goals } = await instance(page);
  assert.deepEqual([blocked[45], blocked[35]], [1, 1]);
  assert.deepEqual([starts, goals], [[34], [36]]);
  await press("u");
  assert.deepEqual((await instance(page)).starts, []);
  await page.fill("#agents", "12");
  await page.evaluate(() => document.activeElement.blur());
  await press("r");
  assert.equal((await instance(page)).starts.length, 12);
  await page.selectOption("#seconds", "3");
  await page.evaluate(() => document.activeElement.blur());
  await press("Enter");
  await solved(page);
  await press("?");
  assert.match(await page.locator("#help").textContent(), /solve, or stop/);
  await shoot(page, "help");
  await page.finish();
});

test("312 agents on 33x33 are solved", async (browser) => {
  const page = await open(browser);
  const seconds = [];
  for (const seed of ["1", "2", "3"]) {
    await page.fill("#seed", seed);
    await choose(page, "family:large-maze", 312);
    await page.click("#solve");
    await firstPlan(page);
    seconds.push(parseFloat(await text(page, "#first")));
    if (seed === "3") await shoot(page, "playground");
    await page.click("#solve");
  }
  console.log(`   first plan of 312 agents on 33x33 after ${seconds.join(", ")} s`);
  await page.finish();
});

const opened = async (page) => {
  await firstPlan(page);
  await page.waitForFunction(() => difflns.state.time > 2);
};

test("it opens on 252 robots in the warehouse that move, with one sentence above", async (browser) => {
  for (const [size, options] of Object.entries({ desk: DESK, phone: PHONE })) {
    const page = await open(browser, options);
    await opened(page);
    assert.equal((await instance(page)).starts.length, 252);
    assert.equal(await text(page, "#lead"), "252 robots, 62% full: watch them get through");
    await checkLayout(page, `opening-${size}`);
    await shoot(page, `opening-${size}`);
    await page.finish();
  }
});

test("each screen fits a desk and a phone, in light and dark", async (browser) => {
  for (const [size, options] of Object.entries({ desk: DESK, phone: PHONE, "desk-dark": { ...DESK, colorScheme: "dark" }, "phone-dark": { ...PHONE, colorScheme: "dark" } })) {
    const page = await open(browser, options), isPhone = size.startsWith("phone");
    const screen = async (name) => { await settle(page); await checkLayout(page, `${name}-${size}`); await shoot(page, `${name}-${size}`); };
    const tab = async (name) => { if (isPhone) await page.click(`[data-tab=${name}]`); };
    await tab("edit");
    await screen("edit");
    await choose(page, "family:small-random", 30);
    await tab("solve");
    await page.selectOption("#seconds", "3");
    await page.selectOption("#init", "draft");
    await screen("solve");
    await page.click("#solve");
    await page.waitForFunction(() => difflns.playground.solution.pages.steps && document.getElementById("said").textContent.includes("step"), null, { timeout: 90000 });
    await screen("noise");
    await solved(page);
    if (isPhone) assert.equal(await page.evaluate(() => document.body.dataset.tab), "result");
    await screen("result");
    const step = await page.evaluate(() => { difflns.setPlaying(false); difflns.seek(5); return difflns.state.time; });
    await page.click("[data-shown=start]");
    assert.equal(await page.evaluate(() => difflns.state.time), step); // one map, the same step
    assert.equal(await page.evaluate(() => difflns.panes.length), 1);
    await screen("start");
    await page.click("[data-shown=steps]");
    await screen("denoising");
    if (isPhone) {
      const { left, right } = await page.evaluate(() => difflns.panes[0].canvas.getBoundingClientRect().toJSON());
      assert.deepEqual([left, right], [0, 390]); // from edge to edge
    }
    await page.finish();
  }
});

const drive = (page, ticks) => page.waitForFunction((n) => difflns.playground.yard.tick >= n, ticks, { timeout: 60000 });
const robots = (page) => page.evaluate(() => difflns.playground.yard.robots.map(({ row, col }) => [row, col]));

test("a fleet drives on and on: robots break, walls are drawn, goals are counted", async (browser) => {
  for (const [size, options] of Object.entries({ desk: DESK, phone: PHONE })) {
    const page = await open(browser, options);
    await opened(page);
    await page.click(size === "desk" ? "[data-mode=fleet]" : "[data-tab=fleet]");
    await page.selectOption("#speed", "32");
    await drive(page, 3);
    const seen = [await robots(page)];
    for (let i = 0; i < 5; i++) {
      await page.waitForTimeout(150);
      seen.push(await robots(page));
    }
    for (const cells of seen) assert.equal(new Set(cells.map(String)).size, 252); // nobody on anybody
    assert.notDeepEqual(seen[0], seen[5]);
    await page.click("#play");
    await settle(page);
    const [row, col] = (await robots(page))[17];
    const point = await cellPoint(page, row, col);
    await page.mouse.click(point.x, point.y);
    assert.match(await text(page, "#yard-said"), /^Robot 17 is broken/);
    await page.click("[data-yard=wall]");
    const taken = new Set((await robots(page)).map(String));
    const { blocked, width } = await instance(page);
    const free = blocked.findIndex((bit, square) => !bit && !taken.has(String([Math.floor(square / width), square % width])));
    await click(page, Math.floor(free / width), free % width);
    await page.click("#play");
    const before = await page.evaluate(() => difflns.playground.yard.tick);
    await drive(page, before + 25);
    assert.deepEqual((await robots(page))[17], [row, col]);
    for (const [r, c] of await robots(page)) assert.ok(r * width + c !== free && !blocked[r * width + c]);
    const reached = await page.evaluate(() => difflns.playground.yard.reached);
    assert.ok(reached > 0);
    assert.ok(+(await text(page, "#rate")) > 0);
    await checkLayout(page, `fleet-${size}`);
    await shoot(page, `fleet-${size}`);
    await page.click(size === "desk" ? "[data-mode=plan]" : "[data-tab=solve]");
    assert.equal((await instance(page)).blocked[free], 0); // the plan's map is its own
    assert.equal((await instance(page)).starts.length, 252);
    await page.finish();
  }
});

test("a family sets the paper's densest number", async (browser) => {
  const page = await open(browser);
  for (const [family, agents] of [["small-random", 60], ["medium-room", 192], ["large-maze", 312], ["medium-maze", 190]]) {
    await page.selectOption("#source", `family:${family}`);
    await page.waitForFunction((n) => difflns.playground.instance().starts.length === n, agents);
  }
  await page.finish();
});

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const wanted = process.env.ONLY;
  let failed = 0;
  for (const { name, body } of tests) {
    if (wanted && !name.includes(wanted)) continue;
    try {
      await body(browser);
      console.log(`ok ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
})();
