"""The shared library, loaded by ctypes, with the types of every function this package calls.

ctypes releases the GIL during calls, so solves in several Python threads run side by side.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from pathlib import Path
from typing import Any

OK, UNSOLVED, BAD_INPUT, UNSOLVABLE, IO, STOPPED, INTERNAL, OUT_OF_MEMORY, BUSY = range(9)
STATUS_NAMES = ("solved", "unsolved", "bad input", "unsolvable", "cannot write", "stopped", "internal error", "out of memory",
                "busy")
OPTION_INT, OPTION_REAL, OPTION_FLAG, OPTION_CHOICE = range(4)
EVENT_STARTED, EVENT_REPAIRING, EVENT_FIRST_PLAN, EVENT_IMPROVING, EVENT_BETTER_PLAN, EVENT_FINISHED = range(6)


class Unsolvable(Exception):
    """No plan exists. The message says why."""


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", c_char * 512)]


class Cell(ctypes.Structure):
    _fields_ = [("row", c_int32), ("col", c_int32)]


class Obstacle(ctypes.Structure):
    """difflns_fleet_obstacle: the step from start to end, and the robot at its end."""
    _fields_ = [("start", Cell), ("end", Cell), ("robot", ctypes.c_int32)]


def _find() -> str:
    """The library inside the package; DIFFLNS_LIBRARY names another one."""
    chosen = os.environ.get("DIFFLNS_LIBRARY")
    if chosen:
        return chosen
    inside = Path(__file__).parent / "_library" / "libdifflns.so"
    if inside.exists():
        return str(inside)
    return "libdifflns.so.1"


library = ctypes.CDLL(_find())
LISTENER = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
NOBODY = ctypes.cast(c_void_p(), LISTENER)

_E, _OUT, _TEXT = POINTER(Error), POINTER(c_void_p), POINTER(c_void_p)
_SIGNATURES = {
    "version": (c_char_p, []),
    "text_free": (None, [c_void_p]),
    "map_create": (c_int, [c_int, c_int, c_void_p, _OUT, _E]),
    "map_load": (c_int, [c_char_p, c_char_p, _OUT, _E]),
    "map_parse": (c_int, [c_char_p, c_size_t, c_char_p, _OUT, _E]),
    "map_print": (c_int, [c_void_p, _TEXT, POINTER(c_size_t), _E]),
    "map_free": (None, [c_void_p]),
    "map_height": (c_int, [c_void_p]),
    "map_width": (c_int, [c_void_p]),
    "map_free_cells": (c_int, [c_void_p]),
    "map_distance": (c_int64, [c_void_p, Cell, Cell]),
    "map_limit_memory": (c_int, [c_void_p, c_size_t, _E]),
    "map_memory": (c_size_t, [c_void_p]),
    "instance_load_named": (c_int, [c_char_p, c_char_p, c_char_p, c_char_p, c_int, _OUT, _E]),
    "instance_parse": (c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_size_t, c_char_p, c_int, _OUT, _E]),
    "instance_create_on": (c_int, [c_void_p, c_int, c_void_p, c_void_p, _OUT, _E]),
    "instance_print": (c_int, [c_void_p, _TEXT, POINTER(c_size_t), _E]),
    "instance_free": (None, [c_void_p]),
    "instance_agents": (c_int, [c_void_p]),
    "instance_height": (c_int, [c_void_p]),
    "instance_width": (c_int, [c_void_p]),
    "instance_map": (c_void_p, [c_void_p]),
    "instance_start": (Cell, [c_void_p, c_int]),
    "instance_goal": (Cell, [c_void_p, c_int]),
    "instance_sum_of_distances": (c_int64, [c_void_p]),
    "instance_set_departure": (c_int, [c_void_p, c_int, c_int, _E]),
    "instance_set_prefix": (c_int, [c_void_p, c_int, c_void_p, c_int, _E]),
    "instance_set_goals": (c_int, [c_void_p, c_int, c_void_p, c_int, _E]),
    "instance_prefix": (c_int, [c_void_p, c_int, c_void_p, c_int]),
    "instance_goals": (c_int, [c_void_p, c_int, c_void_p, c_int]),
    "generate": (c_int, [c_char_p, c_int, c_uint64, _OUT, _E]),
    "family_name": (c_char_p, [c_int]),
    "plan_read": (c_int, [c_void_p, c_char_p, _OUT, _E]),
    "plan_parse": (c_int, [c_void_p, c_char_p, c_size_t, c_int, _OUT, _E]),
    "plan_from_positions": (c_int, [c_int, c_int, c_void_p, _OUT, _E]),
    "plan_write": (c_int, [c_void_p, c_void_p, c_int, c_char_p, _E]),
    "plan_print": (c_int, [c_void_p, c_void_p, c_int, _TEXT, POINTER(c_size_t), _E]),
    "plan_free": (None, [c_void_p]),
    "plan_agents": (c_int, [c_void_p]),
    "plan_soc": (c_int64, [c_void_p]),
    "plan_makespan": (c_int, [c_void_p]),
    "plan_positions": (c_int, [c_void_p, c_int, c_int, c_void_p, _E]),
    "plan_safe_time": (c_int, [c_void_p, c_void_p, POINTER(c_int), _E]),
    "plan_check": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, POINTER(c_int64), _E]),
    "violation_name": (c_char_p, [c_int]),
    "format_find": (c_int, [c_char_p]),
    "dependencies_create": (c_int, [c_void_p, c_void_p, _OUT, _E]),
    "dependencies_free": (None, [c_void_p]),
    "dependencies_count": (c_int64, [c_void_p]),
    "dependencies_list": (c_int, [c_void_p, c_void_p, c_size_t, _E]),
    "model_load": (c_int, [c_char_p, _OUT, _E]),
    "model_parse": (c_int, [c_char_p, c_size_t, _OUT, _E]),
    "model_free": (None, [c_void_p]),
    "model_card": (c_char_p, [c_void_p]),
    "sample": (c_int, [c_void_p, c_void_p, c_int, c_uint64, c_int, c_int, c_int, _OUT, _E]),
    "drafts_free": (None, [c_void_p]),
    "drafts_plan": (c_void_p, [c_void_p, c_int]),
    "drafts_log_probability": (POINTER(c_float), [c_void_p, c_int, POINTER(c_int), POINTER(c_int)]),
    "option_count": (c_int, []),
    "option_name": (c_char_p, [c_int]),
    "option_help": (c_char_p, [c_int]),
    "option_kind": (c_int, [c_int]),
    "option_choices": (c_char_p, [c_int]),
    "option_default": (c_int, [c_int, c_char_p, c_size_t, _E]),
    "solver_create": (c_int, [_OUT, _E]),
    "solver_free": (None, [c_void_p]),
    "solver_set": (c_int, [c_void_p, c_char_p, c_char_p, _E]),
    "solver_get": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, _E]),
    "solver_set_model": (c_int, [c_void_p, c_void_p, _E]),
    "solver_set_start": (c_int, [c_void_p, c_void_p, _E]),
    "solver_set_listener": (c_int, [c_void_p, LISTENER, c_void_p, _E]),
    "solver_solve": (c_int, [c_void_p, c_void_p, _OUT, _E]),
    "solver_stop": (None, [c_void_p]),
    "solver_colliding_plan": (c_int, [c_void_p, _OUT, _E]),
    "solver_report": (c_char_p, [c_void_p]),
    "solver_reason": (c_char_p, [c_void_p]),
    "event_kind": (c_int, [c_void_p]),
    "event_seconds": (c_double, [c_void_p]),
    "event_conflicts": (c_int64, [c_void_p]),
    "event_soc": (c_int64, [c_void_p]),
    "event_iterations": (c_uint64, [c_void_p]),
    "event_plan": (c_int, [c_void_p, _OUT, _E]),
    "fleet_create": (c_int, [c_void_p, _OUT, _E]),
    "fleet_free": (None, [c_void_p]),
    "fleet_set_window": (c_int, [c_void_p, c_int, _E]),
    "fleet_set_seed": (c_int, [c_void_p, c_uint64, _E]),
    "fleet_set_iterations": (c_int, [c_void_p, c_int64, _E]),
    "fleet_set_guidance": (c_int, [c_void_p, c_char_p, _E]),
    "fleet_add": (c_int, [c_void_p, Cell, POINTER(c_int), _E]),
    "fleet_remove": (c_int, [c_void_p, c_int, _E]),
    "fleet_add_goal": (c_int, [c_void_p, c_int, Cell, _E]),
    "fleet_clear_goals": (c_int, [c_void_p, c_int, _E]),
    "fleet_block": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, _E]),
    "fleet_unblock": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, _E]),
    "fleet_blocked": (c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "fleet_goals": (c_int, [c_void_p, c_int]),
    "fleet_goal": (Cell, [c_void_p, c_int, c_int]),
    "fleet_reached": (c_int64, [c_void_p, c_int]),
    "fleet_stuck": (c_int, [c_void_p, c_int]),
    "fleet_hold": (c_int, [c_void_p, c_int, c_int64, _E]),
    "fleet_observe": (c_int, [c_void_p, c_int, Cell, _E]),
    "fleet_plan": (c_int, [c_void_p, c_double, _E]),
    "fleet_next": (Cell, [c_void_p, c_int]),
    "fleet_window": (c_int, [c_void_p]),
    "fleet_moves": (c_int, [c_void_p, c_void_p, c_size_t]),
    "fleet_after": (c_int, [c_void_p, c_int]),
    "fleet_at": (Cell, [c_void_p, c_int]),
    "fleet_tick": (c_int, [c_void_p, _E]),
    "fleet_now": (c_int64, [c_void_p]),
    "page_print": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_char_p, _TEXT, POINTER(c_size_t), _E]),
}


class _Functions:
    """difflns_NAME as an attribute NAME."""


call: Any = _Functions()
for _name, (_result, _arguments) in _SIGNATURES.items():
    _function = getattr(library, "difflns_" + _name)
    _function.restype, _function.argtypes = _result, _arguments
    setattr(call, _name, _function)


def check(status: int, err: Error) -> None:
    """Raises what a status other than OK means, with the library's line."""
    if status == OK:
        return
    line = err.message.decode(errors="replace")
    if status == BAD_INPUT:
        raise ValueError(line)
    if status == UNSOLVABLE:
        raise Unsolvable(line)
    if status == IO:
        raise OSError(line)
    if status == OUT_OF_MEMORY:
        raise MemoryError(line)
    raise RuntimeError(line)


def make(name: str, *arguments: Any) -> c_void_p:
    """Calls difflns_NAME(*arguments, &out, &err) and returns the new object."""
    out, err = c_void_p(), Error()
    check(getattr(call, name)(*arguments, ctypes.byref(out), ctypes.byref(err)), err)
    return out


def text(name: str, *arguments: Any) -> str:
    """Calls difflns_NAME(*arguments, &text, &size, &err) and returns the text."""
    out, size, err = c_void_p(), c_size_t(), Error()
    check(getattr(call, name)(*arguments, ctypes.byref(out), ctypes.byref(size), ctypes.byref(err)), err)
    try:
        return ctypes.string_at(out, size.value).decode()
    finally:
        call.text_free(out)


def encoded(value: Any) -> bytes | None:
    """A path or name as bytes; None stays None."""
    return None if value is None else os.fsencode(value)
