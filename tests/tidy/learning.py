"""What the tests of learned questions share."""

import re

from desk import Desk


def hits(answer: str) -> list[int]:
    """Return the ids of the hit lines."""
    return [int(number) for number in re.findall(r"(?m)^#(\d+) ", answer)]


def pairs(desk: Desk) -> list[tuple[object, ...]]:
    """Return question and entry of every learned pair."""
    desk.workspace.settle()
    return desk.rows("SELECT question, entry_id FROM learned_question ORDER BY question, entry_id")


QUERY = "retry limit importer"


def plant(desk: Desk, *entries: int) -> None:
    """Put pairs of QUERY into the file, each confirmed a minute after the one before."""
    key = " ".join(sorted(QUERY.split()))
    desk.spoil(
        *(
            "INSERT INTO learned_question (word_key, entry_id, question, confirmed_at) "
            f"VALUES ('{key}', {entry}, '{QUERY}', '2026-11-01 10:{minute:02}:00')"
            for minute, entry in enumerate(entries)
        )
    )
