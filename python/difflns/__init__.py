"""DiffLNS: dense multi-agent path finding.

    import difflns
    plan = difflns.solve(grid, starts, goals, time_limit=2)
    plan.paths        # int32 (T+1, N, 2), (row, col)
    plan.soc, plan.makespan, plan.status, plan.report

``grid`` is (H, W), True = obstacle; ``starts`` and ``goals`` are (N, 2) integers, (row, col).
"""
from ._fleet import Fleet
from ._model import Draft, Model
from ._native import Unsolvable, call as _call
from ._plan import Plan, check, violation_name
from ._solver import Event, Option, Solver, options, solve
from ._world import Instance, Map, families, generate

__version__ = _call.version().decode()
__all__ = ["Draft", "Event", "Fleet", "Instance", "Map", "Model", "Option", "Plan", "Solver", "Unsolvable", "check", "families",
           "generate", "options", "solve", "violation_name"]
