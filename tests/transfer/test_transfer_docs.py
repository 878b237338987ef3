"""The page about the format says what is in it."""

import re
from pathlib import Path

from frugal.entries.transfer.parse import FIELDS

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def test_every_record_type_is_documented_with_its_fields():
    page = PAGE.read_text("utf-8")

    rows = re.findall(r"^\| `(\w+)` \| [^|]* \|(.*)\|$", page, re.MULTILINE)

    assert {name: re.findall(r"`(\w+)`", cells) for name, cells in rows} == {
        name: list(fields) for name, fields in FIELDS.items()
    }
