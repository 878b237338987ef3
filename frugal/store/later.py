"""Writes that can wait: done behind the answers, so that nobody waits for them, and given up rather than waited for."""

import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable

from frugal.errors import FrugalError, StoreBusy

Job = Callable[[], None]
MOST_JOBS = 64
"""More than this are never kept; the oldest give way."""
FINISH_S = 1.0


class Later:
    """Jobs of one store, run one after another in a thread that exists only while there is something to do.

    A job that raises StoreBusy is kept until the next `wake`. Any other failure drops it: what is written here may
    be lost without harm.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque(maxlen=MOST_JOBS)
        self._thread: threading.Thread | None = None

    def put(self, job: Job) -> None:
        """Keep *job* until the next `wake`."""
        with self._changed:
            self._jobs.append(job)

    def wake(self) -> None:
        """Begin with what is kept, if anything is and nobody is at it."""
        with self._changed:
            if self._jobs and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="later", daemon=True)
                self._thread.start()

    def settle(self, timeout_s: float = 10.0) -> bool:
        """Try what is kept, wait for it, and return whether nothing is left."""
        self.wake()
        with self._changed:
            self._changed.wait_for(lambda: self._thread is None, timeout=timeout_s)
            return not self._jobs

    def close(self, timeout_s: float = FINISH_S) -> None:
        """Drop what is kept; wait *timeout_s* for the job that runs."""
        with self._changed:
            self._jobs.clear()
            self._changed.wait_for(lambda: self._thread is None, timeout=timeout_s)

    def _run(self) -> None:
        busy: list[Job] = []
        while True:
            with self._changed:
                if not self._jobs:
                    self._jobs.extend(busy)
                    self._thread = None
                    self._changed.notify_all()
                    return
                job = self._jobs.popleft()
            try:
                job()
            except StoreBusy:
                busy.append(job)
            except FrugalError:
                pass  # whoever calls next is told what is wrong with the file
            except Exception:  # a fault of ours: words on stderr, the server goes on
                traceback.print_exc(file=sys.stderr)
