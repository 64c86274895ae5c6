"""The Python package as researchers use it: arrays in, arrays out, bad arrays refused with the library's line."""
import gc
import importlib
import importlib.metadata
import importlib.util
import os
import pickle
import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import difflns

GRID = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]], dtype=bool)
STARTS, GOALS = [(0, 0), (2, 3)], [(2, 3), (0, 0)]
MAP = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"


@pytest.mark.skipif("DIFFLNS_LIBRARY" in os.environ, reason="a library of the caller's own")
def test_the_wheel_brings_what_it_links():
    mapped = {line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8") if ".so" in line}
    folder = os.path.join(os.path.dirname(difflns.__file__), "_library")
    for name in ("libdifflns.so", "libjansson.so.4", "libyaml-0.so.2", "libzstd.so.1"):
        assert os.path.join(folder, name) in mapped


@pytest.mark.skipif("DIFFLNS_LIBRARY" in os.environ, reason="a library of the caller's own")
def test_the_wheel_carries_the_licenses_of_what_it_brings():
    told = {file.name: file for file in importlib.metadata.files("difflns") if file.name.startswith("LICENSE")}
    brought = os.listdir(os.path.join(os.path.dirname(difflns.__file__), "_library"))
    for library in brought:
        name = "LICENSE" if library.startswith("libdifflns") else "LICENSE." + library.split(".so")[0]
        assert any(file.startswith(name) and told[file].size > 100 for file in told), f"{library}: no license in {sorted(told)}"
    assert "LICENSE.librandom123-dev" in told


def test_grids_come_back_whole():
    instance = difflns.generate("medium-room", 20, seed=1)
    rows = difflns.Map(instance.grid).to_text().split("\nmap\n")[1].split()
    assert [[c != "." for c in row] for row in rows] == instance.grid.tolist()
    assert instance.grid.sum() > 0 and not instance.grid[tuple(instance.starts.T)].any()


def test_three_lines_to_a_plan():
    plan = difflns.solve(GRID, STARTS, GOALS, iterations=100)
    assert plan and plan.status == "solved" and plan.reason == ""
    assert plan.paths.dtype == np.int32 and plan.paths.shape == (plan.makespan + 1, 2, 2)
    assert (plan.paths[0] == STARTS).all() and (plan.paths[-1] == GOALS).all()
    assert plan.soc == 10 and plan.report["soc"] == 10 and plan.report["agents"] == 2
    assert len(difflns.check(plan)) == 0


def test_the_same_seed_gives_the_same_plan_and_a_solver_can_be_used_again():
    instance = difflns.generate("small-random", 40, seed=3)
    solver = difflns.Solver(iterations=20000, anytime=True)
    first, second = solver.solve(instance), solver.solve(instance)
    assert (first.paths == second.paths).all()
    assert first.soc >= instance.sum_of_distances


def test_agents_are_held_to_departures_prefixes_and_several_goals():
    open_grid = np.zeros((4, 6), bool)
    starts, goals = [(0, 0), (1, 0), (2, 0)], [(0, 5), (1, 5), (2, 5)]
    queue = [(3, 3), (0, 2), (1, 5)]
    instance = difflns.Instance(open_grid, starts, goals, departures={0: 3}, prefixes=[None, None, [(2, 0), (3, 0), (3, 1)]],
                                goal_queues={1: queue})
    assert instance.prefix(0).tolist() == [[0, 0]] * 4 and instance.prefix(1).shape == (0, 2)
    assert instance.goal_queue(1).tolist() == [list(cell) for cell in queue] and instance.goal_queue(0).tolist() == [[0, 5]]
    assert instance.sum_of_distances == 3 + 5 + 5 + 4 + 4 + 7
    plan = difflns.Solver(iterations=500).solve(instance)
    assert plan and len(difflns.check(plan)) == 0 and plan.soc >= instance.sum_of_distances
    assert (plan.paths[:4, 0] == (0, 0)).all() and plan.paths[:3, 2].tolist() == [[2, 0], [3, 0], [3, 1]]
    visits = [np.flatnonzero((plan.paths[:, 1] == cell).all(axis=1))[0] for cell in queue]
    assert visits == sorted(visits)
    early = difflns.Plan(instance, difflns.Solver(iterations=500).solve(difflns.Instance(open_grid, starts, goals)).paths)
    assert {"wrong-prefix", "missed-goal"} <= {difflns.violation_name(kind) for kind in difflns.check(early)["kind"]}
    instance.set_departure(0, 0)
    instance.set_goals(1, [(1, 5)])
    instance.set_prefix(2, [])
    assert instance.sum_of_distances == 15


@pytest.mark.parametrize("more, line", [
    ({"departures": {0: -1}}, "departure of agent 0 at time -1: expected 0 to 1000000"),
    ({"departures": {2: 1}}, "departures: agent 2: expected 0 to 1"),
    ({"departures": [1]}, "departures: 1 of them: expected one for each of 2 agents, or a dict"),
    ({"departures": {0: 1}, "prefixes": {0: [(0, 0)]}}, "agent 0 has a departure and a prefix: expected one of them"),
    ({"prefixes": {0: [(0, 0), (2, 0)]}}, "prefix of agent 0: no step leads from cell 0 to cell 1, expected a wait or a move to a neighbor"),
    ({"goal_queues": {0: [(1, 1), (2, 3)]}}, "goal 0 of agent 0 at column 1, row 1: expected a free cell of the map"),
])
def test_senseless_errands_are_refused(more, line):
    with pytest.raises(ValueError) as caught:
        difflns.Instance(GRID, STARTS, GOALS, **more)
    assert str(caught.value) == line


def test_every_dtype_and_layout_of_arrays_is_taken():
    wanted = difflns.solve(GRID, STARTS, GOALS, iterations=100).paths
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32):
        plan = difflns.solve(GRID.astype(dtype), np.array(STARTS, dtype), np.asfortranarray(np.array(GOALS, dtype)), iterations=100)
        assert (plan.paths == wanted).all()
    assert (difflns.solve(np.asfortranarray(GRID), STARTS, GOALS, iterations=100).paths == wanted).all()
    assert (difflns.solve(np.repeat(GRID, 2, axis=1)[:, ::2], STARTS, GOALS, iterations=100).paths == wanted).all()


@pytest.mark.parametrize("grid, starts, goals, line", [
    (GRID[0], STARTS, GOALS, "grid: shape"),
    (GRID.astype(float), STARTS, GOALS, "grid: float64"),
    (GRID, [(0.0, 0.0), (2, 3)], GOALS, "starts: float64"),
    (GRID, [(np.nan, 0), (2, 3)], GOALS, "starts: float64"),
    (GRID, [(0, 0, 0)], GOALS, "starts: shape"),
    (GRID, [(0, 0)], GOALS, "1 starts and 2 goals"),
    (GRID, [], [], "starts: empty: expected one at least"),
    (GRID, STARTS, [], "goals: empty: expected one at least"),
    (GRID, [(1, 1), (2, 3)], GOALS, "obstacle"),
    (GRID, [(0, 9), (2, 3)], GOALS, "outside"),
    (GRID, [(0, 0), (0, 0)], GOALS, "same start"),
    (GRID, [(2**40, 0), (2, 3)], GOALS, "32 bits"),
    (np.zeros((0, 4), bool), STARTS, GOALS, "expected"),
])
def test_bad_arrays_are_refused_with_a_line(grid, starts, goals, line):
    with pytest.raises(ValueError, match=line):
        difflns.solve(grid, starts, goals, iterations=10)


def test_bad_options_are_refused_with_a_line():
    for bad in ({"neighbors": 0}, {"init": "teleport"}, {"swamp": 1}, {"time_limit": float("nan")}):
        with pytest.raises(ValueError):
            difflns.Solver(**bad)
    assert difflns.Solver(neighbors=12).get("neighbors") == "12"
    names = [row.name for row in difflns.options()]
    assert "time" in names and "repair_time" in names and len(set(names)) == len(names)


def test_unsolvable_raises_or_is_a_status():
    grid = np.array([[0, 1, 0]], dtype=bool)
    with pytest.raises(difflns.Unsolvable, match="agent 0"):
        difflns.solve(grid, [(0, 0)], [(0, 2)])
    plan = difflns.solve(grid, [(0, 0)], [(0, 2)], raise_unsolvable=False)
    assert not plan and plan.status == "unsolvable" and "agent 0" in plan.reason
    with pytest.raises(ValueError, match="no plan"):
        plan.soc


def test_unsolved_leaves_the_best_colliding_plan():
    instance = difflns.generate("small-random", 70, seed=5)
    solver = difflns.Solver(iterations=5, fallback=False)
    plan = solver.solve(instance)
    assert not plan and plan.status == "unsolved"
    colliding = solver.colliding_plan(instance)
    violations = difflns.check(colliding)
    assert len(violations) > 0 and set(map(difflns.violation_name, violations["kind"])) <= {"vertex", "swap"}
    assert 0 <= colliding.safe_time < colliding.makespan


def test_maps_are_shared_and_files_are_text():
    world = difflns.Map.parse(MAP)
    assert world.shape == (3, 4) and world.free_cells == 10 and (world.grid == GRID).all()
    assert world.distance((0, 1), (2, 1)) == 4 and world.distance((0, 1), (1, 1)) == -1
    assert world.to_text() == MAP
    instance = difflns.Instance(world, STARTS, GOALS)
    again = difflns.Instance.parse(MAP, instance.to_text())
    assert (again.starts == STARTS).all() and (again.goals == GOALS).all() and (again.grid == GRID).all()
    plan = difflns.Solver(iterations=100).solve(instance)
    for name in ("json", "paths", "result", "tracker"):
        assert (difflns.Plan.parse(instance, plan.to_text(name)).paths == plan.paths).all()
    with pytest.raises(ValueError):
        plan.to_text("swamp")
    assert "</html>" in plan.to_html() and "<iframe" in plan._repr_html_()
    assert (difflns.Plan(instance, plan.paths).paths == plan.paths).all()


def test_files_on_disk(tmp_path):
    (tmp_path / "a.map").write_text(MAP)
    instance = difflns.Instance(difflns.Map.load(tmp_path / "a.map"), STARTS, GOALS)
    (tmp_path / "a.scen").write_text(instance.to_text())
    loaded = difflns.Instance.load(tmp_path / "a.map", tmp_path / "a.scen")
    plan = difflns.Solver(iterations=100).solve(loaded)
    plan.write(tmp_path / "plan.json")
    assert (difflns.Plan.read(loaded, tmp_path / "plan.json").paths == plan.paths).all()
    with pytest.raises(ValueError, match="nothing.map"):
        difflns.Map.load(tmp_path / "nothing.map")
    with pytest.raises((OSError, ValueError)):
        plan.write(tmp_path / "no" / "such" / "folder.json")


def test_a_warm_start_and_better_plans_as_they_come():
    instance = difflns.generate("small-random", 45, seed=9)
    rough = difflns.Solver(iterations=20000, init="pp").solve(instance)
    warm = difflns.Solver(iterations=20000).solve(instance, start=rough)
    assert warm.soc <= rough.soc
    costs = [plan.soc for plan in difflns.Solver(time_limit=1, anytime=True).improve(instance)]
    assert costs and costs == sorted(costs, reverse=True)
    stream = difflns.Solver(time_limit=60, anytime=True).improve(instance)
    assert next(stream).soc >= instance.sum_of_distances
    stream.close()  # stops the solver instead of waiting for a minute


def test_a_plan_to_start_from_is_used_once():
    instance = difflns.generate("small-random", 30, seed=9)
    solver = difflns.Solver(iterations=2000, init="pp")
    rough = solver.solve(instance)
    assert solver.solve(instance, start=rough).report["init"] == "plan"
    again = solver.solve(instance)
    assert solver.get("init") == "pp" and (again.paths == rough.paths).all()


def test_whole_numbers_that_do_not_fit_are_refused():
    instance, model = difflns.Instance(GRID, STARTS, GOALS), difflns.Model()
    plan, world = difflns.Solver(iterations=50).solve(instance), difflns.Map(GRID)
    calls = [lambda n: difflns.generate("small-random", n), lambda n: difflns.generate("small-random", 8, n << 32),
             lambda n: model.sample(instance, n), lambda n: model.sample(instance, seed=n << 32),
             lambda n: model.sample(instance, steps=n), lambda n: model.sample(instance, horizon=n),
             lambda n: model.sample(instance, threads=n), lambda n: instance.set_departure(n, 0),
             lambda n: instance.set_departure(0, n), lambda n: instance.set_prefix(n, STARTS[:1]),
             lambda n: instance.set_goals(n, GOALS[:1]), lambda n: instance.prefix(n), lambda n: instance.goal_queue(n),
             lambda n: world.distance((n, 0), (0, 0)), lambda n: world.limit_memory(n << 32),
             lambda n: difflns.Instance.parse(MAP, instance.to_text(), n), lambda n: difflns.check(plan, most=n),
             lambda n: difflns.violation_name(n), lambda n: difflns.Solver(threads=n), lambda n: difflns.Solver(seed=n << 32)]
    for number in (2**32, 2**32 + 1, 2**70, -2**70):
        for position, wrong in enumerate(calls):
            with pytest.raises(ValueError):
                wrong(number)
                pytest.fail(f"call {position} takes {number}")
    for wrong in (lambda: world.distance((0,), (0, 0)), lambda: world.distance(3, (0, 0))):
        with pytest.raises(ValueError, match=r"expected \(row, col\)"):
            wrong()
    with pytest.raises(TypeError, match="departure: 1.5: expected an integer"):
        instance.set_departure(0, 1.5)


def test_plans_and_instances_can_be_pickled():
    world = difflns.Map(np.zeros((4, 6), bool))
    instance = difflns.Instance(world, [(0, 0), (1, 0), (2, 0)], [(0, 5), (1, 5), (2, 5)], departures={0: 3},
                                prefixes={2: [(2, 0), (3, 0)]}, goal_queues={1: [(3, 3), (1, 5)]})
    plan = difflns.Solver(iterations=200).solve(instance)
    copy = pickle.loads(pickle.dumps(plan))
    assert (copy.paths == plan.paths).all() and copy.soc == plan.soc and copy.report == plan.report
    assert copy.status == "solved" and len(difflns.check(copy)) == 0
    for agent in range(3):
        assert (copy.instance.prefix(agent) == instance.prefix(agent)).all()
        assert (copy.instance.goal_queue(agent) == instance.goal_queue(agent)).all()
    two = pickle.loads(pickle.dumps([instance, difflns.Instance(world, [(0, 0)], [(3, 3)])]))
    assert two[0]._map is two[1]._map  # a map stays shared
    missing = pickle.loads(pickle.dumps(difflns.solve(np.array([[0, 1, 0]]), [(0, 0)], [(0, 2)], raise_unsolvable=False)))
    assert not missing and missing.status == "unsolvable"
    generated = difflns.generate("small-random", 20, seed=2)
    assert (pickle.loads(pickle.dumps(generated)).starts == generated.starts).all()


def test_threads_take_turns_with_one_solver():
    instances = [difflns.generate("small-random", 30, seed=seed) for seed in range(6)]
    wanted = [difflns.Solver(iterations=2000, threads=1).solve(instance).paths for instance in instances]
    solver = difflns.Solver(iterations=2000, threads=1)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda instance: solver.solve(instance).paths, instances))
    assert all((a == b).all() for a, b in zip(found, wanted))


def test_a_listener_may_only_stop_its_solver():
    instance, seen = difflns.generate("small-random", 30, seed=3), []
    solver = difflns.Solver(time_limit=60, anytime=True)

    def hear(event):
        with pytest.raises(RuntimeError, match="busy"):
            solver.get("time")
        seen.append(event.kind)
        solver.stop()

    assert solver.solve(instance, on_event=hear).status in ("stopped", "solved", "unsolved") and seen
    for plan in solver.improve(instance):
        with pytest.raises(RuntimeError, match="busy"):
            solver.set(time=1)
        break
    with pytest.raises(ZeroDivisionError):
        solver.solve(instance, on_event=lambda event: 1 / 0)
    assert solver.get("time") == "60"


def test_every_option_has_a_type():
    spec = importlib.util.find_spec("difflns._options")
    if spec is None:
        pytest.skip("made with the wheel")
    typed = importlib.import_module("difflns._options").Options.__annotations__
    assert list(typed) == [row.name for row in difflns.options()]


def test_dependencies_name_who_waits_for_whom():
    plan = difflns.solve(np.zeros((1, 4), bool), [(0, 0), (0, 1)], [(0, 2), (0, 3)], iterations=50)
    rows = plan.dependencies
    assert len(rows) > 0 and set(rows["agent"]) == {0} and set(rows["other"]) == {1}


def test_drafts_are_arrays():
    model, instance = difflns.Model(), difflns.generate("small-random", 8, seed=2)
    drafts = model.sample(instance, count=2, steps=2, horizon=32)
    assert isinstance(model.card, dict) and len(drafts) == 2
    for draft in drafts:
        assert draft.log_probability.shape[:2] == (8, 32) and (draft.log_probability <= 1e-5).all()
        assert (draft.plan.paths[0] == instance.starts).all() and (draft.plan.paths[-1] == instance.goals).all()


def test_eight_threads_solve_at_once():
    instance = difflns.generate("small-random", 40, seed=4)
    wanted = difflns.Solver(iterations=5000, threads=1).solve(instance).paths
    found = [None] * 8

    def work(index):
        found[index] = difflns.Solver(iterations=5000, threads=1).solve(instance).paths

    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((paths == wanted).all() for paths in found)


def test_a_forked_process_solves():
    difflns.solve(GRID, STARTS, GOALS, iterations=100)
    child = os.fork()
    if child == 0:
        os._exit(0 if difflns.solve(GRID, STARTS, GOALS, iterations=100, threads=2).soc == 10 else 1)
    assert os.waitpid(child, 0)[1] == 0


def interrupted(loop):
    """What a script prints that is sent a Ctrl-C while it solves."""
    code = ("import difflns, os, signal, sys, threading\n"
            "instance = difflns.generate('small-random', 45, seed=9)\n"
            "solver = difflns.Solver(time_limit=100, anytime=True)\n"
            "threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n") + loop
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


def test_ctrl_c_ends_a_loop():
    done = interrupted("for _ in range(1000):\n    solver.solve(instance)\n    print('once more')\n")
    assert done.stdout == "" and done.stderr.endswith("KeyboardInterrupt\n"), done.stderr
    done = interrupted("for plan in solver.improve(instance): pass\n")
    assert done.stderr.endswith("KeyboardInterrupt\n"), done.stderr


def test_ctrl_c_returns_the_best_plan_where_that_is_wanted():
    done = interrupted("plan = solver.solve(instance, on_interrupt='return')\nprint(plan.status, bool(plan))\n")
    assert done.stdout == "stopped True\n", done.stderr
    with pytest.raises(ValueError, match="on_interrupt 'never'"):
        difflns.solve(GRID, STARTS, GOALS, on_interrupt="never")


def test_ten_thousand_calls_leak_nothing():
    def many(count):
        for _ in range(count):
            difflns.solve(GRID, STARTS, GOALS, iterations=20, threads=1).paths
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = many(2000)
    assert many(8000) < warm + 4096  # KB
