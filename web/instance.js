/* What an instance of the page may be, and what one that came from elsewhere is checked for. */

const MOST_CELLS = 512 * 512, MOST_AGENTS = 2000; /* what a page may take of a visitor's memory and patience */
const MOST_TITLE = 200;

function checkSize(height, width, agents) {
  if (height * width > MOST_CELLS)
    throw new Error(`${grouped(height)} × ${grouped(width)} cells are too many for a page, which takes ${grouped(MOST_CELLS)}: use the program`);
  if (agents > MOST_AGENTS)
    throw new Error(`${grouped(agents)} agents are too many for a page, which takes ${grouped(MOST_AGENTS)}: use the program`);
}

function need(holds, fault) {
  if (!holds) throw new Error(fault);
}

const isCount = (value) => Number.isInteger(value) && value > 0;

/* The walls of a list of gaps: each wall is so many squares behind the one before it. */
function wallsOf(gaps, cells) {
  const blocked = new Uint8Array(cells);
  let square = 0;
  gaps.forEach((gap, i) => {
    need(Number.isInteger(gap) && gap >= (i ? 1 : 0) && square + gap < cells, `wall ${i} is not on the map`);
    square += gap;
    blocked[square] = 1;
  });
  return blocked;
}

/* Each agent has a free square of its own. */
function checkSquares(squares, blocked, what) {
  const taken = new Set();
  squares.forEach((square, agent) => {
    const where = `the ${what} of agent ${agent}`;
    need(Number.isInteger(square) && square >= 0 && square < blocked.length, `${where} is not on the map`);
    need(!blocked[square], `${where} is on a wall`);
    need(!taken.has(square), `${where} is another agent's, too`);
    taken.add(square);
  });
}

/* The instance of [title, height, width, gaps between walls, starts, goals]. Throws unless every part is what the
 * solver may be given. */
function readInstance(parts) {
  need(Array.isArray(parts) && parts.length === 6, "it does not hold an instance");
  const [title, height, width, gaps, starts, goals] = parts;
  need(typeof title === "string" && isCount(height) && isCount(width), "it does not hold a map");
  need([gaps, starts, goals].every(Array.isArray), "it does not hold walls, starts and goals");
  checkSize(height, width, starts.length);
  need(starts.length === goals.length, `${starts.length} starts do not go with ${goals.length} goals`);
  need(gaps.length <= height * width, "more walls than cells");
  const blocked = wallsOf(gaps, height * width);
  checkSquares(starts, blocked, "start");
  checkSquares(goals, blocked, "goal");
  return { title: title.slice(0, MOST_TITLE), height, width, blocked, starts, goals };
}
