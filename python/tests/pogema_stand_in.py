"""A small stand-in for a POGEMA environment with observation_type="MAPF".

POGEMA can't be installed where these tests run. This follows what its source publishes about observations (global
arrays with a border of obs_radius obstacles), actions, the collision systems "soft" and "priority", and what happens on
a target ("nothing", "restart"). It shares no code with it.
"""
import numpy as np

MOVES = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]


class StandIn:
    def __init__(self, grid, starts, goals, *, obs_radius=5, on_target="nothing", collision_system="soft", delay=0.0, seed=0):
        self.obstacles = np.pad(np.asarray(grid, dtype=np.float32), obs_radius, constant_values=1.0)
        self.at = [tuple(int(v) + obs_radius for v in cell) for cell in starts]
        self.target = [tuple(int(v) + obs_radius for v in cell) for cell in goals]
        self.on_target, self.collision_system, self.delay = on_target, collision_system, delay
        self.rng = np.random.default_rng(seed)
        self.reached = 0
        self.refused = 0

    def observe(self):
        return [{"global_obstacles": self.obstacles, "global_xy": at, "global_target_xy": target,
                 "xy": at, "target_xy": target} for at, target in zip(self.at, self.target)]

    def step(self, actions):
        wanted = [(x + MOVES[a][0], y + MOVES[a][1]) for (x, y), a in zip(self.at, actions)]
        late = self.rng.random(len(wanted)) < self.delay
        wanted = [at if self.obstacles[to] or slow else to for at, to, slow in zip(self.at, wanted, late)]
        before = list(wanted)
        moved = self._soft(wanted) if self.collision_system == "soft" else self._priority(wanted)
        self.refused += sum(a != b for a, b in zip(moved, before))
        self.at = moved
        for agent, (at, target) in enumerate(zip(self.at, self.target)):
            if self.on_target == "restart" and at == target:
                self.reached += 1
                self.target[agent] = self._somewhere(at)
        return self.observe(), all(a == t for a, t in zip(self.at, self.target))

    def _somewhere(self, other_than):
        free = np.argwhere(self.obstacles == 0)
        while True:
            cell = tuple(int(v) for v in free[self.rng.integers(len(free))])
            if cell != other_than:
                return cell

    def _soft(self, wanted):
        """Everybody moves at once; who would collide stays, and so does who would run into one that stays."""
        wanted = list(wanted)
        while True:
            stays = set()
            takers = {}
            for agent, to in enumerate(wanted):
                takers.setdefault(to, []).append(agent)
            for agents in takers.values():
                if len(agents) > 1:
                    stays.update(agent for agent in agents if wanted[agent] != self.at[agent])
            where = {at: agent for agent, at in enumerate(self.at)}
            for agent, to in enumerate(wanted):
                other = where.get(to)
                if other is not None and other != agent and wanted[other] == self.at[agent]:
                    stays.add(agent)
            if not stays:
                return wanted
            for agent in stays:
                wanted[agent] = self.at[agent]

    def _priority(self, wanted):
        """One after the other, into cells that are free at that moment."""
        at = list(self.at)
        taken = set(at)
        for agent, to in enumerate(wanted):
            if to not in taken:
                taken.discard(at[agent])
                taken.add(to)
                at[agent] = to
        return at
