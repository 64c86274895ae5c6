/* Who waits for whom. Whatever the delays, each cell is visited in the order of the plan: an agent may enter it only
 * once the visitor before it has left, or in the same instant (docs/dependencies.md). */

/* All visits of cells in order of time: whose, when it begins, the agent's next visit, and the visit of another agent
 * that was the last one there; -1 = none. */
function findVisits(plan, world) {
  const room = plan.row.length;
  const visits = {
    agent: new Int32Array(room), time: new Int32Array(room), cell: new Int32Array(room),
    next: new Int32Array(room).fill(-1), before: new Int32Array(room).fill(-1), first: new Int32Array(plan.agents),
  };
  const last = new Int32Array(world.height * world.width).fill(-1), current = new Int32Array(plan.agents).fill(-1);
  let count = 0;
  for (let t = 0; t <= plan.makespan; t++)
    for (let agent = 0; agent < plan.agents; agent++) {
      const i = plan.first[agent] + t, square = squareAt(plan, world, agent, t);
      if (i >= plan.first[agent + 1] || (t > 0 && last[square] === current[agent])) continue;
      const visit = count++, before = last[square];
      visits.agent[visit] = agent;
      visits.time[visit] = t;
      visits.cell[visit] = i;
      if (before >= 0 && visits.agent[before] !== agent) visits.before[visit] = before;
      if (t > 0) visits.next[current[agent]] = visit;
      else visits.first[agent] = visit;
      last[square] = current[agent] = visit;
    }
  return visits;
}

/* For each agent the visit it waits to begin at a step: the first one ahead whose cell is not left yet; -1 = none. What
 * it waits for later does not matter before. Kept for the step it was asked for. */
function waitingAt(plan, world, step) {
  const visits = (plan.visits ??= findVisits(plan, world));
  if (plan.waiting?.step === step) return plan.waiting.visit;
  const visit = Int32Array.from(visits.first, (begin) => {
    let at = visits.next[begin];
    const isMade = (v) => visits.time[v] <= step;
    while (at >= 0 && (isMade(at) || visits.before[at] < 0 || isMade(visits.next[visits.before[at]]))) at = visits.next[at];
    return at;
  });
  plan.waiting = { step, visit };
  return visit;
}

/* What an agent waits for at a step, {agent, row, col}: that agent has to leave that cell; and the agents that wait for
 * it. A plan with conflicts has no order to keep, and a
 * fleet that is driven here keeps its own: null. */
function waitsOf(plan, world, agent, step) {
  if (plan.conflicts.total > 0 || plan.live) return null;
  const visit = waitingAt(plan, world, step), { visits } = plan, by = [];
  const awaited = (v) => visits.agent[visits.before[v]];
  visit.forEach((v, other) => { if (v >= 0 && awaited(v) === agent) by.push(other); });
  const v = visit[agent], on = v < 0 ? null : { agent: awaited(v), row: plan.row[visits.cell[v]], col: plan.col[visits.cell[v]] };
  return { on, by };
}
