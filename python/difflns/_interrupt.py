"""Ctrl-C while the library works: the call is told to stop, and KeyboardInterrupt is raised once it has.

Python runs signal handlers between its own instructions, so not during a call into the library. But its wakeup descriptor
is written at once. A thread that reads it, made at the first use, calls `stop` from there; the caller's thread stays the
one that works, because handing work to another one costs more than a warm solve.
"""
from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import Callable, Iterator


class _Watcher:
    """Reads the wakeup descriptor. Belongs to one process: a fork has the pipe but not the thread."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.stop: "Callable[[], None] | None" = None
        self.previous = -1
        self._read, self.write = os.pipe()
        os.set_blocking(self.write, False)
        threading.Thread(target=self._watch, daemon=True, name="difflns-interrupt").start()

    def _watch(self) -> None:
        while True:
            received = os.read(self._read, 64)
            stop = self.stop if signal.SIGINT in received else None
            while stop is not None and self.stop is stop:  # again, in case the call had not begun yet
                stop()
                time.sleep(0.02)
            if self.previous >= 0:  # whatever listened before, such as an event loop, hears it as well
                try:
                    os.write(self.previous, received)
                except OSError:
                    pass


_watcher: "_Watcher | None" = None


@contextmanager
def stops(stop: Callable[[], None], *, raising: bool) -> Iterator[None]:
    """Within it, Ctrl-C calls `stop`; at its end it raises KeyboardInterrupt, unless it is not to or the program has a
    handler of its own. In threads other than the main one, which signals never interrupt, it does nothing; nor where the
    program ignores Ctrl-C."""
    global _watcher
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, signal.SIG_DFL, None):
        yield
        return
    if _watcher is None or _watcher.process != os.getpid():
        _watcher = _Watcher()
    watcher = _watcher
    interrupted = threading.Event()
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda number, frame: interrupted.set())
    watcher.stop = stop
    watcher.previous = signal.set_wakeup_fd(watcher.write, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(watcher.previous)
        watcher.stop = None
        watcher.previous = -1
        signal.signal(signal.SIGINT, before)
    if raising and interrupted.is_set():
        raise KeyboardInterrupt
