// node shoot.js CHROMIUM PAGE PICTURE [STEP [WIDTHxHEIGHT]]: a picture of a page of `view` or of the playground, for the
// documents. The page stands still at a step.
const path = require("node:path");
const { chromium } = require("playwright-core");

const [browserPath, file, picture, step = "0", size = "1280x800"] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width, height } });
  page.on("pageerror", (error) => { console.error(error.message); process.exitCode = 1; });
  await page.goto(`file://${path.resolve(file)}#t=${step}`);
  await page.waitForFunction(() => window.difflns?.panes.length > 0);
  await page.waitForTimeout(300); // until everything is drawn where it stays
  await page.screenshot({ path: picture });
  await browser.close();
}
main().catch((error) => { console.error(error.message); process.exit(1); });
