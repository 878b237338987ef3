"""The page about the format says what is in it."""

import re
from pathlib import Path

import pytest

from frugal.entries.transfer.parse import FIELDS
from frugal_modes.notebook.transfer.parse import FIELDS as NOTEBOOK_FIELDS
from frugal_modes.notebook.transfer.rows import LETTERS

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def test_every_record_type_is_documented_with_its_fields():
    page = PAGE.read_text("utf-8").split("Of a notebook everything")[0]

    rows = re.findall(r"^\| `(\w+)` \| [^|]* \|(.*)\|$", page, re.MULTILINE)

    assert {name: re.findall(r"`(\w+)`", cells) for name, cells in rows} == {
        name: list(fields) for name, fields in FIELDS.items()
    }


@pytest.mark.parametrize("kind", NOTEBOOK_FIELDS)
def test_every_record_type_of_a_notebook_is_documented_with_its_fields(kind):
    page = PAGE.read_text("utf-8").split("Of a notebook everything")[1]

    (row,) = [
        line for line in page.splitlines() if line.startswith("|") and f"`{kind}`" in line.split("|")[1]
    ]

    named = set(re.findall(r"`(\w+)`", row.split("|")[3]))
    fields = set(NOTEBOOK_FIELDS[kind])
    assert named <= fields | {"version", "timing"}
    assert fields <= named or kind in LETTERS
