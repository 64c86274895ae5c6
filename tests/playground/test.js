// node test.js CHROMIUM PAGE DIFFLNS FOLDER: the playground in a real browser, from a file, without a network. What it
// saves is judged by the program.
const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [browserPath, playground, difflns, folder] = process.argv.slice(2);
const url = `file://${path.resolve(playground)}`;
const DESKTOP = { width: 1280, height: 800 }, PHONE = { width: 375, height: 740 };
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
const said = (page) => page.locator("#said").textContent();
const instance = (page) => page.evaluate(() => {
  const { height, width, blocked, starts, goals } = difflns.playground.instance();
  return { height, width, blocked: [...blocked], starts, goals };
});
const choose = async (page, source, agents) => {
  if (agents) await page.fill("#agents", String(agents));
  await page.selectOption("#source", source);
  const [kind, name] = source.split(":"), side = kind === "empty" ? +name : 0;
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
  assert.match(await said(page), /First plan after \d+\.\d\d s, cost \d+/);
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
  await shoot(page, "denoising");
  await solved(page);
  assert.match(await said(page), /First plan after \d+\.\d\d s \(\d+\.\d s for the draft\)/);
  await page.click("[data-shown=steps]");
  const titles = await page.evaluate(() => difflns.playground.solution.pages.steps.plans.map((plan) => plan.title));
  assert.equal(titles[0], "Noise");
  assert.equal(titles.at(-1), "Draft");
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
    await choose(page, "family:small-random", 20); // so that the next choice is a change
    await choose(page, "family:large-maze", 312);
    await page.click("#solve");
    await firstPlan(page);
    seconds.push(/First plan after ([\d.]+) s/.exec(await said(page))[1]);
    if (seed === "3") await shoot(page, "desktop");
    await page.click("#solve");
  }
  console.log(`   first plan of 312 agents on 33x33 after ${seconds.join(", ")} s`);
  await page.finish();
});

test("phone and dark", async (browser) => {
  for (const [name, options] of [["phone", { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
    ["dark", { colorScheme: "dark" }], ["phone-dark", { viewport: PHONE, colorScheme: "dark", isMobile: true, hasTouch: true }]]) {
    const page = await open(browser, options);
    await page.selectOption("#seconds", "3");
    await page.click("#solve");
    await solved(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
    const small = await page.evaluate(() => difflns.panes[0].height);
    assert.ok(small > 150, `${name}: the map has ${small} pixels`);
    await shoot(page, name);
    await page.finish();
  }
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
