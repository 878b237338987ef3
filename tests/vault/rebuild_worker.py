"""A second process: counts hits until a line comes in, or rebuilds the index."""

import sys
import threading

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT


def main() -> None:
    import os

    what, path = sys.argv[1:]
    workspace = build_engine(load_settings(Options(db=path), os.environ), modes=[VAULT]).open(VAULT)
    client = Client()

    def count() -> int:
        reply = workspace.call(client, "memory_search", {"query": "zebra"})
        assert reply.answer is not None, reply.text
        return int(str(reply.answer.counts["total"]))

    print(count(), flush=True)
    if what == "rebuild":
        while True:
            workspace.call(client, "memory_reindex", {"rebuild": True})
    stop = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
    while not stop.is_set():
        print(count(), flush=True)
    workspace.close()


if __name__ == "__main__":
    main()
