"""What agents see and do, described as Gymnasium does: by its own spaces where it is installed, else by stand-ins."""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np


class Discrete:
    """0 .. n - 1"""

    def __init__(self, n: int) -> None:
        self.n, self.shape = n, ()
        self._random = np.random.default_rng()

    def seed(self, seed: "int | None" = None) -> None:
        self._random = np.random.default_rng(seed)

    def sample(self) -> int:
        return int(self._random.integers(self.n))

    def contains(self, value: Any) -> bool:
        return 0 <= int(value) < self.n


class Box:
    """Arrays of one shape, with bounds."""

    def __init__(self, low: float, high: float, shape: "tuple[int, ...]", dtype: Any) -> None:
        self.low, self.high, self.shape, self.dtype = low, high, shape, np.dtype(dtype)

    def contains(self, value: Any) -> bool:
        return value.shape == self.shape and bool((value >= self.low).all() and (value <= self.high).all())


def _of_gymnasium(name: str, otherwise: Any) -> Any:
    try:
        return getattr(importlib.import_module("gymnasium.spaces"), name)
    except ImportError:
        return otherwise


def discrete(n: int) -> Any:
    return _of_gymnasium("Discrete", Discrete)(n)


def box(low: float, high: float, shape: "tuple[int, ...]", dtype: Any) -> Any:
    return _of_gymnasium("Box", Box)(low, high, shape, dtype)
