"""Capture the same title several times, each time with a body of this process alone; print what was answered."""

import json
import sys
from pathlib import Path

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT


def main(folder: str, name: str, count: str) -> None:
    root = Path(folder)
    values = {
        "HOME": folder,
        "XDG_DATA_HOME": folder,
        "XDG_CONFIG_HOME": folder,
        "VAULT_DIR": str(root / "vault"),
    }
    engine = build_engine(load_settings(Options(db=str(root / "vault.db"), lang="en"), values), modes=[VAULT])
    opened = engine.open(VAULT)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(count)):
        body = f"Body {number} of process {name}, which nobody else writes."
        reply = opened.call(Client(), "memory_capture", {"title": "Nginx config", "body": body})
        counts = reply.answer.counts if reply.answer else {}
        print(json.dumps({"body": body, "text": reply.text, **counts}), flush=True)
    opened.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
