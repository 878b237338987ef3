"""Every line of what users of this field suffer is a test: one that bears its number in its name."""

import re
from pathlib import Path

LINES = 52
NAMED = re.compile(r"^def test_pains?_([0-9_]+(?:and_pain_[0-9]+_)*)", re.MULTILINE)


def test_every_line_has_a_test_of_its_number() -> None:
    named: set[int] = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for match in NAMED.findall(path.read_text("utf-8")):
            named |= {int(digits) for digits in re.findall(r"[0-9]+", match)}

    assert sorted(set(range(1, LINES + 1)) - named) == []
