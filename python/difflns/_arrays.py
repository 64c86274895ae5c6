"""Arrays of callers, checked and laid out as the library wants them: copied only where the layout differs."""
from __future__ import annotations

from typing import Any

import numpy as np

VIOLATION = np.dtype(
    [("kind", np.int32), ("agent", np.int32), ("other", np.int32), ("time", np.int32), ("row", np.int32), ("col", np.int32)]
)
DEPENDENCY = np.dtype(
    [("agent", np.int32), ("step", np.int32), ("other", np.int32), ("other_step", np.int32), ("rotation", np.int32)]
)


def grid(obstacles: Any) -> np.ndarray:
    """(H, W) bytes, non-zero = obstacle."""
    array = np.asarray(obstacles)
    if array.ndim != 2:
        raise ValueError(f"grid: shape {array.shape}: expected (height, width)")
    if array.dtype == np.bool_:
        return np.ascontiguousarray(array).view(np.uint8)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"grid: {array.dtype}: expected bool or integers, True or non-zero = obstacle")
    return np.ascontiguousarray(array != 0).view(np.uint8)


def _integers(what: str, values: Any) -> np.ndarray:
    array = np.asarray(values)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{what}: {array.dtype}: expected integers")
    if array.dtype.itemsize > 4 or array.dtype == np.uint32:
        limit = np.iinfo(np.int32)
        if array.size and (array.min() < limit.min or array.max() > limit.max):
            raise ValueError(f"{what}: a number of more than 32 bits")
    return np.ascontiguousarray(array, dtype=np.int32)


def cells(what: str, values: Any) -> np.ndarray:
    """(N, 2) int32, (row, col)."""
    array = _integers(what, values)
    if array.ndim != 2 or array.shape[1] != 2 or array.shape[0] == 0:
        raise ValueError(f"{what}: shape {array.shape}: expected (agents, 2)")
    return array


def positions(values: Any) -> np.ndarray:
    """(T, N, 2) int32, (row, col)."""
    array = _integers("paths", values)
    if array.ndim != 3 or array.shape[2] != 2 or 0 in array.shape:
        raise ValueError(f"paths: shape {array.shape}: expected (times, agents, 2)")
    return array
