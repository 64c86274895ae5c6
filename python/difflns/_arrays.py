"""Numbers, cells and arrays of callers, checked before the library sees them: copied only where the layout differs."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._native import Cell

VIOLATION = np.dtype(
    [("kind", np.int32), ("agent", np.int32), ("other", np.int32), ("time", np.int32), ("row", np.int32), ("col", np.int32)]
)
DEPENDENCY = np.dtype(
    [("agent", np.int32), ("step", np.int32), ("other", np.int32), ("other_step", np.int32), ("rotation", np.int32)]
)
MOVE = np.dtype([("robot", np.int32), ("at", np.int32, 2), ("next", np.int32, 2)])
INT32, INT64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)
COUNT = (0, INT32[1])
"""A number or a time: not negative, 32 bits."""
SEED, SIZE, TICK = (0, 2**64 - 1), (0, 2**63 - 1), (0, INT64[1])


def integer(what: str, value: Any, limits: tuple[int, int] = INT32) -> int:
    """A number that fits: ctypes would cut off what does not."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: {value!r}: expected an integer") from None
    if not limits[0] <= number <= limits[1]:
        raise ValueError(f"{what} {number}: expected {limits[0]} to {limits[1]}")
    return number


def cell(what: str, value: Any) -> Cell:
    """(row, col)"""
    try:
        row, col = value
    except (TypeError, ValueError):
        raise ValueError(f"{what}: {value!r}: expected (row, col)") from None
    return Cell(integer(f"{what}: row", row), integer(f"{what}: column", col))


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
    if array.ndim > 0 and len(array) == 0:
        raise ValueError(f"{what}: empty: expected one at least")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{what}: {array.dtype}: expected integers")
    if array.dtype.itemsize > 4 or array.dtype == np.uint32:
        if array.size and (array.min() < INT32[0] or array.max() > INT32[1]):
            raise ValueError(f"{what}: a number of more than 32 bits")
    return np.ascontiguousarray(array, dtype=np.int32)


def cells(what: str, values: Any) -> np.ndarray:
    """(N, 2) int32, (row, col)."""
    array = _integers(what, values)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{what}: shape {array.shape}: expected (agents, 2)")
    return array


def positions(values: Any) -> np.ndarray:
    """(T, N, 2) int32, (row, col)."""
    array = _integers("paths", values)
    if array.ndim != 3 or array.shape[2] != 2 or 0 in array.shape:
        raise ValueError(f"paths: shape {array.shape}: expected (times, agents, 2)")
    return array
