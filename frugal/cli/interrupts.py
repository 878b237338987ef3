"""Ctrl-C while a command works: noted, because SQLite loses the exception if it comes inside one of its callbacks."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def noted(note: Callable[[], None]) -> Iterator[None]:
    """Call *note* at an interruption, beside raising KeyboardInterrupt as ever; what is ignored stays ignored."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        note()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
