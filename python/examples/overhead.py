"""What Python adds to a call: difflns.solve against the library's own calls, in one run.

Both make a map, an instance and a solver from arrays, solve, and copy all positions; the second one with nothing around
the C functions but ctypes.
"""
import ctypes
import statistics
import time

import difflns
import numpy as np
from difflns._native import Error, call

ROUNDS = 200


def bare(grid, starts, goals, options):
    world, instance, solver, plan = (ctypes.c_void_p() for _ in range(4))
    e = ctypes.byref(Error())
    call.map_create(grid.shape[0], grid.shape[1], grid.ctypes.data, ctypes.byref(world), e)
    call.instance_create_on(world, len(starts), starts.ctypes.data, goals.ctypes.data, ctypes.byref(instance), e)
    call.solver_create(ctypes.byref(solver), e)
    for name, value in options:
        call.solver_set(solver, name, value, e)
    assert call.solver_solve(solver, instance, ctypes.byref(plan), e) == 0
    out = np.empty((call.plan_makespan(plan) + 1, len(starts), 2), dtype=np.int32)
    call.plan_positions(plan, 0, len(out), out.ctypes.data, e)
    call.plan_free(plan)
    call.solver_free(solver)
    call.instance_free(instance)
    call.map_free(world)
    return out


def milliseconds(work):
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


instance = difflns.generate("medium-warehouse", 100, seed=1)
grid, starts, goals = instance.grid.astype(np.uint8), instance.starts, instance.goals
options = [(b"stop", b"first"), (b"threads", b"1"), (b"iterations", b"10000")]
keywords = {name.decode(): value.decode() for name, value in options}
assert np.array_equal(bare(grid, starts, goals, options), difflns.solve(grid, starts, goals, **keywords).paths)
pairs = [(milliseconds(lambda: bare(grid, starts, goals, options)),
          milliseconds(lambda: difflns.solve(grid, starts, goals, **keywords).paths)) for _ in range(ROUNDS)]
c, python = statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)
print(f"25x25, 100 agents, median of {ROUNDS}: C {c:.3f} ms, Python {python:.3f} ms, difference {python - c:.3f} ms")

paths = np.zeros((128, 1000, 2), dtype=np.int32)
paths[:, :, 0], paths[:, :, 1] = np.arange(1000) // 40, np.arange(1000) % 40
crowd = difflns.Instance(np.zeros((25, 40), dtype=bool), paths[0], paths[0])
handed = statistics.median(milliseconds(lambda: difflns.Plan(crowd, paths)) for _ in range(ROUNDS))
print(f"(128, 1000, 2) positions made a plan: {handed:.3f} ms")
