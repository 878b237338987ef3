"""Memories beside each other, for properties of what moves between them."""

from collections.abc import Sequence
from typing import Any

from histories import Life

from frugal.cli.contents import read_contents
from frugal.engine import Workspace
from frugal.entries import derived
from frugal.text.normalise import identity_text


def live(workspace: Workspace, history: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Let the memory live through *history*."""
    Life(workspace, workspace.engine.clock).live(history)


def texts(workspace: Workspace, *, only_live: bool = False) -> list[str]:
    """Return the texts of a memory, as they count as identical, sorted."""
    rows = [record.fields for record in read_contents(workspace).records if record.type == "entry"]
    return sorted(identity_text(str(row["text"])) for row in rows if row["live"] or not only_live)


def faults(workspace: Workspace) -> list[object]:
    """Return what is derived and not as it would be made today."""
    with workspace.store.read() as db:
        batch = derived.look(db, 0)
        found: list[object] = [*batch.titles, *batch.identities, *batch.index, *batch.tags]
        if derived.compare_directories(db).count:
            found.append("directories")
        return found + db.execute("PRAGMA foreign_key_check").fetchall()
