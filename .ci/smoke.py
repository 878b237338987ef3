"""Use the built wheel from outside the checkout: every command a newcomer tries first must work."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(sys.argv[1]).resolve()


def run(*arguments: str, folder: str) -> str:
    """Run `frugal-memory` in an empty home; fail loudly."""
    environ = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    done = subprocess.run(
        [str(SCRIPTS / "frugal-memory"), *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    if done.returncode:
        sys.exit(f"frugal-memory {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


with tempfile.TemporaryDirectory() as home:
    assert "frugal-memory" in run("--version", folder=home)
    assert "memory" in run("--help", folder=home)
    stored = json.loads(
        run("memory", "remember", "The wheel works.", "--tags", "smoke", "--json", folder=home)
    )
    assert stored["ok"] is True, stored
    assert "The wheel works." in run("memory", "recall", "wheel", folder=home)
    modes = json.loads(run("modes", "--json", folder=home))
    assert {item["name"] for item in modes["items"]} >= {"memory"}, modes
    run("skill", "--target", str(Path(home) / "skills"), folder=home)
    assert (Path(home) / "skills" / "frugal-memory" / "SKILL.md").is_file()
    assert "claude mcp add" in run("demo", folder=home)
    card = json.loads(
        run(
            "vault",
            "capture",
            "--title",
            "Smoke",
            "--body",
            "The vault of the wheel works.",
            "--json",
            folder=home,
        )
    )
    truth = Path(home) / "truth.json"
    truth.write_text(json.dumps([{"query": "vault wheel", "acceptable": [card["path"]]}]), "utf-8")
    assert "first_ok 1" in run("vault", "bench", "--queries", str(truth), folder=home)
print("the wheel works")
