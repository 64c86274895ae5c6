"""The POGEMA adapter, against a stand-in for the environment."""
import numpy as np
import pytest

import difflns
from difflns.pogema import DiffLNSInference, DiffLNSInferenceConfig
from pogema_stand_in import StandIn


def world(agents, seed):
    instance = difflns.generate("small-random", agents, seed)
    return instance.grid, instance.starts, instance.goals


def run(env, algorithm, steps):
    observations = env.observe()
    for step in range(steps):
        actions = algorithm.act(observations)
        assert len(actions) == len(env.at) and set(actions) <= {0, 1, 2, 3, 4}
        assert len(set(env.at)) == len(env.at)
        observations, done = env.step(actions)
        if done and env.on_target == "nothing":
            return step + 1
    return steps


def test_a_one_shot_episode_ends_with_everybody_on_target():
    grid, starts, goals = world(30, 3)
    algorithm = DiffLNSInference(DiffLNSInferenceConfig(time_limit=20, extra={"iterations": 2000}))
    env = StandIn(grid, starts, goals)
    plan = difflns.solve(grid, starts, goals, iterations=2000)
    steps = run(env, algorithm, 10 * plan.makespan)
    assert env.at == env.target and env.refused == 0
    algorithm.reset_states()
    again = StandIn(grid, starts, goals)
    assert run(again, algorithm, 10 * plan.makespan) == steps and again.refused == 0


@pytest.mark.parametrize("collisions, delay", [("soft", 0.2), ("priority", 0.0)])
def test_agents_that_are_held_up_get_a_new_plan(collisions, delay):
    grid, starts, goals = world(16, 5)
    algorithm = DiffLNSInference(DiffLNSInferenceConfig(time_limit=20, extra={"iterations": 300}))
    env = StandIn(grid, starts, goals, collision_system=collisions, delay=delay, seed=1)
    run(env, algorithm, 400)
    assert env.at == env.target


@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_a_lifelong_episode_keeps_reaching_targets(delay):
    grid, starts, goals = world(40, 7)
    algorithm = DiffLNSInference(DiffLNSInferenceConfig(deadline=0.01))
    env = StandIn(grid, starts, goals, on_target="restart", delay=delay, seed=2)
    run(env, algorithm, 80)
    assert env.reached > 40
    assert delay > 0 or env.refused == 0


def test_shared_targets_are_lifelong_from_the_first_step():
    grid = np.zeros((5, 5), dtype=bool)
    algorithm = DiffLNSInference(DiffLNSInferenceConfig(deadline=0.05))
    env = StandIn(grid, [(0, 0), (4, 4)], [(2, 2), (2, 2)], on_target="restart")
    run(env, algorithm, 20)
    assert env.reached >= 2 and env.refused == 0


def test_nobody_moves_where_there_is_no_plan():
    grid = np.zeros((1, 4), dtype=bool)
    algorithm = DiffLNSInference(DiffLNSInferenceConfig(lifelong=False))
    env = StandIn(grid, [(0, 0), (0, 3)], [(0, 3), (0, 0)])
    assert algorithm.act(env.observe()) == [0, 0]
    assert algorithm.act(env.observe()) == [0, 0]
