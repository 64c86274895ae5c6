/* The worker: the library, one request at a time. It answers {id, answer} or {id, error}; news of a request under way
 * are {id, news}. Squares are numbered row * width + col, as on the page. */
"use strict";

let library, desk, call, current, yard = 0, hasModel = false;

/* The name, arguments and result of every function of playground.c that is used here. */
const FUNCTIONS = {
  desk_open: ["number"], desk_message: ["string", "number"], desk_family: ["string", "number"],
  desk_generate: ["number", "number", "string", "number", "number"],
  desk_read: ["number", "number", "number", "number", "number", "number"],
  desk_place: ["number", "number", "number", "number", "number", "number", "number", "number"],
  desk_map_height: ["number", "number"], desk_map_width: ["number", "number"],
  desk_map_blocked: ["number", "number", "number", "number"],
  desk_instance_data: ["string", "number"], desk_plan_data: ["string", "number"], desk_steps_data: ["string", "number"],
  desk_print: ["string", "number", "string"], desk_set_plan: ["number", "number", "number", "number"],
  desk_solve: ["number", "number", "string", "number", "number"], desk_lower_bound: ["number", "number"],
  fleet_open: ["number", "number", "number", "number", "number", "number", "number", "number"], fleet_status: ["number", "number"],
  fleet_message: ["string", "number"], fleet_close: [null, "number"], fleet_break: [null, "number", "number", "number"],
  fleet_tick: ["number", "number", "number", "number"], fleet_look: ["number", "number"], fleet_robot_numbers: ["number"],
  fleet_reached: ["number", "number"], fleet_took: ["number", "number"],
  desk_set_model: ["number", "number", "number", "number"], desk_draft: ["number", "number", "number", "number"],
};
const STATUS = ["solved", "unsolved", "bad input", "unsolvable", "not written", "stopped", "internal error", "out of memory"];
const EVENTS = { 0: "started", 1: "repairing", 2: "first", 3: "improving", 4: "better", 5: "finished", 100: "denoised" };

async function open(module) {
  library = await loadDifflns({
    instantiateWasm: (imports, done) => { WebAssembly.instantiate(module, imports).then(done); return {}; },
    listener: (kind, seconds, conflicts, soc, iterations, data) =>
      postMessage({ id: current, news: { kind: EVENTS[kind], seconds, conflicts, soc, iterations, data: data && JSON.parse(data) } }),
  });
  call = Object.fromEntries(Object.entries(FUNCTIONS).map(([name, [result, ...args]]) => [name, library.cwrap(name, result, args)]));
  desk = call.desk_open();
}

/* Bytes where the library can read them, for as long as `use` runs. */
function lend(arrays, use) {
  const places = arrays.map((array) => {
    const at = library._malloc(array.byteLength || 1);
    if (at) library.HEAPU8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  });
  try {
    if (places.includes(0)) throw new Error("out of memory");
    return use(...places);
  } finally {
    places.forEach((at) => library._free(at));
  }
}

function need(status) {
  if (status !== 0) throw new Error(call.desk_message(desk) || STATUS[status]);
}

function parsed(text) {
  if (text === null || text === "") throw new Error(call.desk_message(desk) || "out of memory");
  return JSON.parse(text);
}

const cellsOf = (squares, width) => Int32Array.from(squares.flatMap((square) => [Math.floor(square / width), square % width]));

function place({ height, width, blocked, starts, goals }) {
  lend([blocked, cellsOf(starts, width), cellsOf(goals, width)], (walls, from, to) =>
    need(call.desk_place(desk, height, width, walls, starts.length, from, to)));
}

function givePlan({ lengths, cells }) {
  lend([lengths, cells], (counts, path) => need(call.desk_set_plan(desk, counts, path)));
}

function needFleet(status) {
  if (status !== 0) throw new Error(call.fleet_message(yard) || STATUS[status]);
}

const REQUESTS = {
  fleetOpen({ height, width, blocked, at, goals, broken, seed }) {
    call.fleet_close(yard);
    yard = lend([blocked, at, goals], (walls, cells, to) => call.fleet_open(height, width, walls, broken.length, cells, to, seed));
    needFleet(call.fleet_status(yard));
    broken.forEach((is, robot) => { if (is) call.fleet_break(yard, robot, 1); });
    return { numbers: call.fleet_robot_numbers(), robots: broken.length };
  },
  fleetBreak({ robot, broken }) {
    call.fleet_break(yard, robot, broken ? 1 : 0);
    return true;
  },
  fleetTick({ milliseconds, delay, robots }) {
    needFleet(call.fleet_tick(yard, milliseconds, delay));
    const from = call.fleet_look(yard) >> 2, told = library.HEAP32.slice(from, from + robots * call.fleet_robot_numbers());
    return { told, reached: call.fleet_reached(yard), took: call.fleet_took(yard) };
  },
  families() {
    const names = [];
    for (let name; (name = call.desk_family(names.length)); ) names.push(name);
    return names;
  },
  generate({ family, agents, seed }) {
    need(call.desk_generate(desk, family, agents, seed));
    return { data: parsed(call.desk_instance_data(desk)) };
  },
  read({ map, scen }) {
    const bytes = new TextEncoder(), files = [bytes.encode(map), bytes.encode(scen)];
    lend(files, (a, b) => need(call.desk_read(desk, a, files[0].length, b, files[1].length)));
    const height = call.desk_map_height(desk), width = call.desk_map_width(desk);
    if (height < 0) return { data: parsed(call.desk_instance_data(desk)) };
    const blocked = Uint8Array.from({ length: height * width }, (_, i) =>
      call.desk_map_blocked(desk, Math.floor(i / width), i % width) ? 1 : 0);
    return { map: { height, width, blocked } };
  },
  solve({ world, plan, init, seconds, seed }) {
    place(world);
    if (plan) givePlan(plan);
    postMessage({ id: current, news: { kind: "bound", soc: call.desk_lower_bound(desk) } });
    const status = STATUS[call.desk_solve(desk, init, seconds, seed)], message = call.desk_message(desk);
    if (!["solved", "unsolved", "unsolvable"].includes(status)) throw new Error(message || status);
    const data = call.desk_plan_data(desk);
    return { status, message, bound: call.desk_lower_bound(desk), data: status === "unsolvable" ? null : parsed(data) };
  },
  draft({ world, weights, steps, seed }) {
    if (!hasModel) lend([weights], (at) => need(call.desk_set_model(desk, at, weights.length)));
    hasModel = true;
    place(world);
    need(call.desk_draft(desk, steps, seed));
    return { data: parsed(call.desk_steps_data(desk)) };
  },
  print({ world, plan, what }) {
    place(world);
    if (plan) givePlan(plan);
    const text = call.desk_print(desk, what);
    if (!text) throw new Error(call.desk_message(desk) || "out of memory");
    return text;
  },
};

onmessage = async ({ data: { id, name, ...request } }) => {
  current = id;
  try {
    if (name === "open") await open(request.module);
    postMessage({ id, answer: name === "open" ? true : REQUESTS[name](request) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
