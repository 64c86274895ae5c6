"""Diffusion models and the drafts drawn from them."""
from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arrays
from ._native import call, encoded, make
from ._plan import Plan
from ._world import Instance


@dataclass
class Draft:
    """A plan before repair: every path is legal by itself; together they collide."""

    plan: Plan
    log_probability: np.ndarray
    """(agents, horizon, tokens) float32: of the clean actions at the last step."""


class Model:
    """A diffusion model. ``Model()`` holds the weights shipped with the library, ``Model(path)`` those of a file."""

    __slots__ = ("_handle",)

    def __init__(self, path: "str | os.PathLike[str] | None" = None) -> None:
        self._handle = make("model_load", encoded(path))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            call.model_free(self._handle)

    @property
    def card(self) -> dict[str, Any]:
        """What it was trained on and how it measured."""
        return json.loads(call.model_card(self._handle))

    def sample(self, instance: Instance, count: int = 1, seed: int = 1, steps: int = 0, horizon: int = 0,
               threads: int = 0) -> list[Draft]:
        """Draws drafts. 0 steps, horizon or threads: what suits model, instance and machine."""
        numbers = [_arrays.integer("count", count), _arrays.integer("seed", seed, _arrays.SEED), _arrays.integer("steps", steps),
                   _arrays.integer("horizon", horizon), _arrays.integer("threads", threads)]
        handle = make("sample", self._handle, instance._handle, *numbers)
        try:
            return [self._draft(handle, instance, i) for i in range(count)]
        finally:
            call.drafts_free(handle)

    @staticmethod
    def _draft(handle: ctypes.c_void_p, instance: Instance, index: int) -> Draft:
        horizon, tokens = ctypes.c_int(), ctypes.c_int()
        values = call.drafts_log_probability(handle, index, ctypes.byref(horizon), ctypes.byref(tokens))
        shape = (instance.agents, horizon.value, tokens.value)
        plan = call.drafts_plan(handle, index)
        positions = np.empty((call.plan_makespan(plan) + 1, instance.agents, 2), dtype=np.int32)
        call.plan_positions(plan, 0, len(positions), positions.ctypes.data, None)
        return Draft(Plan(instance, positions), np.ctypeslib.as_array(values, shape).copy())
