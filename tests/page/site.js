// node site.js CHROMIUM SITE: the pages of the site fit a desk and a phone.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");
const { DESK, PHONE, checkLayout } = require("./layout.js");

const [browserPath, folder] = process.argv.slice(2), site = path.resolve(folder);
const pages = fs.readdirSync(site).filter((name) => name.endsWith(".html"));
const CONTENTS = 5; // sections from which a page has contents

async function check(browser, name, size, options) {
  const context = await browser.newContext(options), page = await context.newPage(), complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(`file://${path.join(site, name)}`);
  assert.deepEqual(complaints, []);
  await checkLayout(page, `${name}, ${size}`);
  const { sections, contents, bar } = await page.evaluate(() => ({ sections: document.querySelectorAll("main > h2").length,
    contents: document.querySelectorAll(".contents").length, bar: document.querySelector("nav").textContent }));
  assert.equal(contents, sections >= CONTENTS ? 1 : 0, `${name}: contents`);
  for (const word of ["Paper", "Benchmarks", "Training", "Fleet"]) assert.ok(bar.includes(word));
  if (name === "index.html") await page.screenshot({ path: path.join(site, `screen-${size}.png`) });
  await context.close();
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  let failed = 0;
  for (const name of pages)
    for (const [size, options] of Object.entries({ desk: DESK, phone: { ...PHONE, deviceScaleFactor: 1 }, dark: { ...PHONE, colorScheme: "dark", deviceScaleFactor: 1 } }))
      await check(browser, name, size, options).catch((error) => { failed++; console.log(`FAIL  ${error.message}`); });
  await browser.close();
  console.log(`${pages.length} pages, ${failed} faults`);
  process.exit(failed || pages.length < 20 ? 1 : 0);
}
main();
