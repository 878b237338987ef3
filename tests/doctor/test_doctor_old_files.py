"""Files of the published predecessor: looked at without being taken over, and what was taken over stays known."""

import sys
from pathlib import Path

import pytest
from clinic import Clinic

sys.path.insert(0, str(Path(__file__).parents[1] / "takeover"))

from old_files import MEMORY_KINDS, STAMP, write_file, write_full_text_file


@pytest.fixture
def bare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Clinic:
    """Return a clinic without a file."""
    place = Clinic(tmp_path / "home", capsys)
    place.data.mkdir(parents=True)
    return place


def test_old_file_is_a_note_with_the_command_and_is_not_touched(bare: Clinic) -> None:
    write_file(bare.file).chmod(0o600)
    before = bare.traces()

    told = bare()

    assert (told.code, told.one("layout").state) == (0, "note")
    assert "layout 6" in told.one("layout").text
    assert told.one("layout").hint == "frugal-memory upkeep"
    assert told.of("index") == []
    assert bare.traces() == before


def test_file_too_old_to_be_taken_over_is_a_failure_with_advice(bare: Clinic) -> None:
    write_full_text_file(bare.file, layout="4").chmod(0o600)

    told = bare()

    assert (told.code, told.one("layout").state) == (1, "fail")
    assert "0.2.0" in told.one("layout").text


def test_takeover_is_kept_with_counts_backup_and_what_was_set_apart(bare: Clinic) -> None:
    entries = [
        (1, "The lamp.", "lamp", STAMP, "rezept", STAMP, None, None),
        (2, "The valve.", "lamp", STAMP, "gemischt", None, None, None),
    ]
    log = [(77, None, STAMP, "gone")]
    write_file(bare.file, entries=entries, log=log, questions=(), kinds=(*MEMORY_KINDS, "rezept")).chmod(
        0o600
    )
    assert bare.line("memory", "topics")[0] == 0

    told = bare()

    assert (told.code, told.one("takeover").state) == (0, "note")
    for fact in ("2 entries", "layout 6", "#1 (rezept)", "(#77)", ".bak"):
        assert fact in told.one("takeover").text
    assert told.one("backup").state == "ok"
