// What can be checked of a screen: nothing runs over the edge, nothing lies on top of anything else, text can be read.
const assert = require("node:assert/strict");

const DESK = { viewport: { width: 1400, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

// Runs in the page. Elements that are scrolled out of sight inside their box are cut to what is seen of them.
function findFaults() {
  const seen = (element) => {
    const style = getComputedStyle(element);
    if (style.visibility !== "visible" || +style.opacity === 0) return null;
    const { left, top, right, bottom } = element.getBoundingClientRect(), box = { left, top, right, bottom };
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const cut = up.getBoundingClientRect();
      Object.assign(box, { left: Math.max(box.left, cut.left), top: Math.max(box.top, cut.top), right: Math.min(box.right, cut.right), bottom: Math.min(box.bottom, cut.bottom) });
    }
    return box.right - box.left > 1 && box.bottom - box.top > 1 ? box : null;
  };
  const isScrolled = (element) => {
    for (let up = element; up; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
    return false;
  };
  const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""} "${(element.textContent || element.title || "").trim().slice(0, 30)}"`;
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const modal = document.querySelector("dialog[open]"), root = modal ?? document.body;
  const things = [...root.querySelectorAll("*")]
    .filter((element) => element.matches("button, input, select, textarea") || (hasText(element) && !element.closest("button, select, script, style, svg")))
    .filter((element) => modal || !element.closest("dialog"))
    .map((element) => ({ element, box: seen(element) })).filter(({ box }) => box);
  const isInline = (element) => getComputedStyle(element).display === "inline";
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`page is ${document.documentElement.scrollWidth - innerWidth} pixels too wide`);
  for (const { element, box } of things) {
    const whole = element.getBoundingClientRect();
    if (isScrolled(element)) continue;
    if (whole.left < -0.5 || whole.right > innerWidth + 0.5) faults.push(`${name(element)} runs over the edge`);
    if (element.matches("button, select") && element.scrollWidth > element.clientWidth + 1) faults.push(`${name(element)} is cut`);
  }
  for (let i = 0; i < things.length; i++)
    for (let j = i + 1; j < things.length; j++) {
      const [a, b] = [things[i], things[j]];
      if (isInline(a.element) || isInline(b.element)) continue; // their boxes span lines
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 2 && high > 3) faults.push(`${name(a.element)} and ${name(b.element)} overlap by ${wide.toFixed(0)} x ${high.toFixed(0)}`);
    }
  const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const color = parse(getComputedStyle(up).backgroundColor);
      if (color.length === 3 || color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  };
  for (const { element } of things) {
    if (element.disabled || !(element.textContent.trim() || element.matches("select, input:not([type=range])"))) continue;
    const style = getComputedStyle(element), [a, b] = [light(parse(style.color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 18 || (parseFloat(style.fontSize) >= 14 && +style.fontWeight >= 600);
    if (ratio < (large ? 3 : 4.5)) faults.push(`${name(element)} has a contrast of ${ratio.toFixed(1)}`);
  }
  return faults;
}

const checkLayout = async (page, name) => assert.deepEqual(await page.evaluate(findFaults), [], name);

module.exports = { DESK, PHONE, checkLayout };
