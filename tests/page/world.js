// Worlds for the page's tests: a map, a scenario and a plan as files, made without the program under test.
const fs = require("node:fs");
const path = require("node:path");

// The same numbers on every machine.
function randomNumbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// Writes NAME.map, NAME.scen and NAME.json. `rows` are strings of "." and "@", paths lists of [row, col]; starts and
// goals are the ends of the paths unless `goals` says otherwise.
function writeWorld(folder, name, rows, paths, goals = paths.map((cells) => cells[cells.length - 1])) {
  const file = (end) => path.join(folder, name + end);
  const height = rows.length, width = rows[0].length;
  fs.writeFileSync(file(".map"), `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join("\n")}\n`);
  const tasks = paths.map(([start], agent) =>
    [0, `${name}.map`, width, height, start[1], start[0], goals[agent][1], goals[agent][0], 0].join("\t"));
  fs.writeFileSync(file(".scen"), `version 1\n${tasks.join("\n")}\n`);
  fs.writeFileSync(file(".json"), JSON.stringify({ format: "difflns-plan", version: 1, paths }));
  return { map: file(".map"), scen: file(".scen"), plan: file(".json") };
}

// Many agents that walk straight and turn at obstacles, with no regard for each other.
function crowd(folder, name, side, agents, steps) {
  const below = randomNumbers(7), directions = [[0, 1], [1, 0], [0, -1], [-1, 0]];
  const blocked = Array.from({ length: side }, () => Array.from({ length: side }, () => below(100) < 20));
  const free = (row, col) => row >= 0 && row < side && col >= 0 && col < side && !blocked[row][col];
  const draw = () => {
    const cells = new Map();
    while (cells.size < agents) {
      const cell = [below(side), below(side)];
      if (free(...cell)) cells.set(cell.join(), cell);
    }
    return [...cells.values()];
  };
  const paths = draw().map((start) => {
    const cells = [start];
    let heading = directions[below(4)];
    for (let t = 0; t < steps; t++) {
      const [row, col] = cells[t], next = [row + heading[0], col + heading[1]];
      if (!free(...next) || below(10) === 0) heading = directions[below(4)];
      cells.push(free(...next) ? next : [row, col]);
    }
    return cells;
  });
  return writeWorld(folder, name, blocked.map((row) => row.map((b) => (b ? "@" : ".")).join("")), paths, draw());
}

module.exports = { writeWorld, crowd };
