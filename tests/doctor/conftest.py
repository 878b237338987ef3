"""A clinic over one memory with a few entries."""

from pathlib import Path

import pytest
from clinic import TEXTS, Clinic, fill


@pytest.fixture
def clinic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Clinic:
    """Return a clinic over a memory with some entries."""
    place = Clinic(tmp_path / "home", capsys)
    place.folder.mkdir()
    fill(place.environ(), TEXTS)
    return place
