"""The evidence level stands on one line with the word evidence or Beleg, in either language."""

import pytest

from frugal_modes.archive.evidence import evidence_level


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Evidence: full text", "full_text"),
        ("**Evidence**: full-text.", "full_text"),
        ("evidence fulltext", "full_text"),
        ("Beleg: Volltext", "full_text"),
        ("_Beleg:_ im Volltext gelesen", "full_text"),
        ("Evidence: abstract", "abstract"),
        ("EVIDENCE = ABSTRACT", "abstract"),
        ("Beleg: Abstract", "abstract"),
        ("Belegstufe: Abstract", "abstract"),
        ("Evidence: unconfirmed", "unconfirmed"),
        ("Beleg: unbestätigt", "unconfirmed"),
        ("Beleg: unbestaetigt", "unconfirmed"),
        ("Beleg: unbesta\u0308tigter Bericht", "unconfirmed"),
        ("Evidence: Volltext", "full_text"),
        ("Beleg: full text", "full_text"),
        ("The abstract says so.\r\nEvidence: full text\r\n", "full_text"),
        ("Abstract read first; evidence: full text", "full_text"),
        ("Evidence: unconfirmed, abstract only", "unconfirmed"),
        ("read as full text (evidence)", "full_text"),
        ("Evidence is thin.\nEvidence: abstract", "abstract"),
        ("Evidence\nfull text", ""),
        ("Full text at the library", ""),
        ("Belegung: Volltext", ""),
        ("evidenced in full text", ""),
        ("Evidence: abstraction", ""),
        ("Evidence: strong", ""),
        ("", ""),
    ],
)
def test_level_is_read_from_the_line_that_names_evidence(text: str, level: str) -> None:
    assert evidence_level(text) == level
