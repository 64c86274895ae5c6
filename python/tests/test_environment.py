"""The environment with PettingZoo's parallel interface."""
import numpy as np
import pytest

import difflns
from difflns.environment import AGENTS, GOAL, OBSTACLES, MapfEnv


def played(env, choose, seed=1):
    """The positions of an episode and the sum of its rewards."""
    env.reset(seed=seed)
    paths, rewards = [env.positions.copy()], 0.0
    while env.agents:
        _, gained, ended, cut, _ = env.step(choose(env))
        paths.append(env.positions.copy())
        rewards += sum(gained.values())
    return np.array(paths), rewards, ended, cut


def random_actions(env):
    return {agent: env.action_space(agent).sample() for agent in env.agents}


def test_random_actions_are_legal_together():
    env = MapfEnv("small-random", 45, max_steps=60)
    env.action_space("agent_0").seed(3)
    paths, _, ended, cut = played(env, random_actions)
    instance = difflns.Instance(env.map, paths[0], env.goals)
    kinds = {difflns.violation_name(kind) for kind in difflns.check(difflns.Plan(instance, paths))["kind"]}
    assert kinds == {"wrong-goal"} and all(cut.values()) and not any(ended.values())
    assert len(paths) == 61 and (paths[1:] != paths[:-1]).any()


def test_a_plan_of_the_solver_ends_the_episode():
    env = MapfEnv("small-random", 40)
    env.reset(seed=5)
    plan = env.expert_plan(iterations=1000)
    env.reset(seed=5)
    for time in range(plan.makespan):
        assert env.agents
        observations, rewards, ended, cut, infos = env.step(env.actions_along(plan, time))
    assert not env.agents and all(ended.values()) and not any(cut.values())
    assert (env.positions == plan.paths[-1]).all() and rewards["agent_0"] == 1.0
    assert set(observations) == set(infos) == set(env.possible_agents)


def test_new_goals_come_where_they_are_wanted():
    env = MapfEnv("small-random", 20, on_target="restart", max_steps=120)
    env.reset(seed=2)
    reached, plan, time = 0, None, 0
    while env.agents:
        if plan is None or time >= plan.makespan:
            plan, time = env.expert_plan(iterations=200), 0
        goals = env.goals.copy()
        _, rewards, _, _, _ = env.step(env.actions_along(plan, time))
        time += 1
        moved = (env.goals != goals).any(axis=1)
        reached += moved.sum()
        assert ((np.array(list(rewards.values())) == 1.0) == moved).all()
        assert len({tuple(goal) for goal in env.goals.tolist()}) == 20
        if moved.any():
            plan = None
    assert reached > 40


def test_agents_see_what_is_around_them():
    grid = np.zeros((3, 9), bool)
    grid[0, 4] = True
    env = MapfEnv(difflns.Instance(grid, [(1, 4), (1, 5)], [(1, 8), (2, 4)]), radius=2)
    observations, infos = env.reset()
    view = observations["agent_0"]
    assert env.observation_space("agent_0").contains(view) and view.shape == (3, 5, 5)
    assert view[OBSTACLES].tolist() == [[1] * 5, [0, 0, 1, 0, 0], [0] * 5, [0] * 5, [1] * 5]
    assert np.argwhere(view[AGENTS]).tolist() == [[2, 3]] and np.argwhere(view[GOAL]).tolist() == [[2, 4]]
    assert infos["agent_1"] == {"position": (1, 5), "goal": (2, 4)}
    env.step({"agent_0": 4, "agent_1": 3})  # they would change places
    assert env.positions.tolist() == [[1, 4], [1, 5]]
    env.step({"agent_0": 4, "agent_1": 4})  # one follows the other
    assert env.positions.tolist() == [[1, 5], [1, 6]]
    with pytest.raises(ValueError, match="expected 0 to 4"):
        env.step({"agent_0": 5})


def test_the_same_seed_gives_the_same_episode_and_it_can_be_shown():
    env = MapfEnv("small-random", 10, render_mode="ansi", max_steps=3)
    first, _ = env.reset(seed=9)
    picture = env.render()
    again, _ = env.reset(seed=9)
    assert all((first[agent] == again[agent]).all() for agent in env.agents) and env.render() == picture
    assert picture.count("o") + picture.count("*") == 10
    with pytest.raises(ValueError, match="on_target"):
        MapfEnv("small-random", on_target="vanish")
