"""One call at a time: what a solver needs when several threads use it."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Iterator


class Turn:
    """A lock. Threads that the holder of the lock waits for would wait forever: they are refused instead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._served: list[int] = []

    def __enter__(self) -> None:
        if self._lock.acquire(blocking=False):
            return
        if threading.get_ident() in self._served:
            raise RuntimeError("busy: the solve at work has not ended; only stop may be called")
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Within it, the solve at work waits for this thread: a listener, or who takes better plans as they come."""
        thread = threading.get_ident()
        self._served.append(thread)
        try:
            yield
        finally:
            self._served.remove(thread)
