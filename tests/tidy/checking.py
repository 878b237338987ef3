"""What the tests of the second opinion share: notes to ask about, and what is said of a pair."""

from desk import Desk

PORTS = ("The bastion listens on port 22", "The bastion listens on port 49222")
"""Two notes that remember calls similar."""
NOTES = ("The bastion listens on port 22", "Clients reach it at 49222 only")
"""Two notes that it does not: only check asks about them."""
FACTS = ("alpha one", "bravo two", "charlie three", "delta four", "echo five")


def pair_line(answer: str, pair: str = "#1 <-> #2") -> str:
    """Return what is said of a pair."""
    (line,) = [line for line in answer.splitlines() if line.startswith(f"{pair}: ")]
    return line.removeprefix(f"{pair}: ")


def store_two(desk: Desk) -> None:
    for text in NOTES:
        desk.store(text)
