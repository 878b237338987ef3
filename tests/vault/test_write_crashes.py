"""A writer killed at any step leaves whole cards, every one of them found, and the next call is right."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.vault.crash_driver import BODIES, DEAD

DRIVER = Path(__file__).with_name("crash_driver.py")
OLD, NEW, OTHER = BODIES["old"], BODIES["new"], BODIES["other"]


def runs_of(folder: Path, action: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(folder), action],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=110,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def live(found: dict[str, Any]) -> dict[str, str]:
    """Return path and body of the cards that a search may show."""
    return {file["path"]: file["body"] for file in found["files"] if file["state"] == ""}


def bodies(found: dict[str, Any], *, in_trash: bool) -> set[str]:
    return {file["body"] for file in found["files"] if file["path"].startswith(".trash") == in_trash}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks, so that few processes are enough")
@pytest.mark.parametrize(
    "action", ["capture", "update", "supersede", "delete", "restore", "index", "rebuild"]
)
def test_killed_at_any_step_nothing_is_lost_or_half_there(tmp_path: Path, action: str) -> None:
    runs = runs_of(tmp_path, action)

    assert len(runs) > 5
    assert [run["code"] for run in runs] == [DEAD] * (len(runs) - 1) + [0]
    for run in runs:
        for found in (run["after"], run["final"]):
            assert found["integrity"] == "ok"
            assert all(file["is_whole"] for file in found["files"]), (run["step"], found)
            assert all(file["number"] for file in found["files"] if not file["path"].startswith(".trash")), (
                run
            )
            assert OLD in bodies(found, in_trash=True) | bodies(found, in_trash=False)
            assert OTHER in live(found).values()
            assert len(found["temporary"]) <= 1
        assert not run["retried"]["is_error"] or action in ("restore", "supersede"), run["retried"]
        check = {"capture": after_capture, "update": after_update, "supersede": after_supersede}
        check |= {"index": after_index, "rebuild": after_index}
        check.get(action, after_move)(run, action)


def after_capture(run: dict[str, Any], _action: str) -> None:
    """One file says the new text, whether the first writer or the second wrote it; the old one is untouched."""
    assert run["retried"]["action"] in ("created", "unchanged")
    shown = live(run["final"])
    assert sorted(shown.values()) == sorted([OLD, NEW, OTHER])
    assert shown["03-Knowledge/nginx.md"] == OLD


def after_update(run: dict[str, Any], _action: str) -> None:
    """The card says the new text under its number, the old one lies in the trash."""
    assert run["retried"]["action"] in ("updated", "unchanged")
    shown = live(run["final"])
    assert sorted(shown.values()) == sorted([NEW, OTHER])
    assert OLD in bodies(run["final"], in_trash=True)
    numbers = {file["path"]: file["number"] for file in run["final"]["files"]}
    assert numbers["03-Knowledge/nginx.md"] == 1


def after_supersede(run: dict[str, Any], _action: str) -> None:
    """Exactly one of the two is live, before and after the second try."""
    for found in (run["after"], run["final"]):
        assert len([body for body in live(found).values() if body in (OLD, NEW)]) == 1, run
    assert sorted(live(run["final"]).values()) == sorted([NEW, OTHER])
    assert run["retried"]["action"] in ("created", "unchanged")


def after_move(run: dict[str, Any], action: str) -> None:
    """The card is in the vault or in the trash; the second try gets it where it belongs, under its number."""
    shown = live(run["final"])
    is_back = OLD in shown.values()
    assert is_back == (action == "restore"), run
    for file in run["final"]["files"]:
        if file["path"] == "03-Knowledge/nginx.md":
            assert file["number"] == 1


def after_index(run: dict[str, Any], _action: str) -> None:
    """Every file is a live card; the renamed one kept its number, whether before or after the crash."""
    for found in (run["after"], run["final"]):
        assert sorted(live(found).values()) == sorted([OLD, NEW, OTHER])
        numbers = {file["path"]: file["number"] for file in found["files"]}
        assert numbers == {
            "03-Knowledge/moved.md": 1,
            "03-Knowledge/backups.md": 2,
            "03-Knowledge/new.md": 3,
        }
