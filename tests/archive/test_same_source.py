"""What remember says about sources: entries of the same source, and what the note itself lacks."""

import re

import pytest

from frugal.call import Client
from frugal.entries.importing import Choice, import_notes

EVIDENCE = "\nEvidence: abstract"


def known(archive) -> str:
    return archive.pick("Already in the archive", "Schon im Archiv")


def hint_lines(archive, answer: str) -> list[str]:
    """Return the lines that name entries of the same source."""
    lines = answer.splitlines()
    head = next((index for index, line in enumerate(lines) if line.startswith(known(archive))), None)
    return (
        []
        if head is None
        else [line for line in lines[head + 1 :] if re.search(r"(doi|arxiv|isbn|url):", line)]
    )


def test_shorter_doi_is_another_source_and_case_is_none(archive):
    archive.store(f"Ice cores. 10.1000/123{EVIDENCE}", kind="finding")
    archive.store(f"Deep ice. 10.1000/ABC(1){EVIDENCE}", kind="finding")

    other = archive("remember", text=f"Snow pits. 10.1000/12{EVIDENCE}", kind="finding")
    same = archive("remember", text=f"Firn air. https://doi.org/10.1000/abc(1).{EVIDENCE}", kind="finding")

    assert known(archive) not in other
    (line,) = hint_lines(archive, same)
    assert line.startswith(archive.named(2))
    assert line.endswith("doi:10.1000/abc(1)")


def test_old_arxiv_id_is_known_from_its_link(archive):
    archive.store("Branes, hep-th/9901001v2.", kind="lead")

    answer = archive("remember", text="Branes again: https://arxiv.org/abs/hep-th/9901001", kind="finding")

    (line,) = hint_lines(archive, answer)
    assert line.startswith(f"{archive.named(1)} [{archive.word('lead')}]")
    assert "arxiv:hep-th/9901001" in line
    assert archive.pick("supersede or extend", "ersetzen oder ergänzen") in answer


def test_rejected_entries_come_first_and_are_called_so(archive):
    archive.store("Cold fusion works, 10.1000/9.", kind="rejected")
    archive.store("Cold fusion cited, 10.1000/9.", kind="finding")

    answer = archive("remember", text="Cold fusion once more, 10.1000/9.", kind="survey")

    first, second = hint_lines(archive, answer)
    assert first.startswith(archive.pick("REJECTED ", "VERWORFEN ") + archive.named(1))
    assert second.startswith(archive.named(2))


def test_at_most_eight_entries_are_named_and_superseded_ones_are_counted(archive):
    for number in range(11):
        archive.store(f"Reading {number} of 10.1000/9 and https://example.org/nine.", kind="finding")
    archive("forget", ids="1,2")

    answer = archive("remember", text="Reading again: 10.1000/9, https://example.org/nine.", kind="gap")

    assert len(hint_lines(archive, answer)) == 8
    assert archive.pick("and 1 more of the same sources", "und 1 weitere derselben Quellen") in answer
    assert archive.pick("2 superseded of the same source", "2 veraltete derselben Quelle") in answer
    assert len(answer) <= 2_400


def test_only_superseded_entries_of_a_source_are_counted_without_advice(archive):
    archive.store("Reading of 10.1000/9.", kind="gap")
    archive("forget", ids="1")

    answer = archive("remember", text="Reading 10.1000/9 anew.", kind="gap")

    assert known(archive) not in answer
    assert archive.pick("1 superseded of the same source", "1 veraltete derselben Quelle") in answer


@pytest.mark.parametrize("kind", ["finding", "method", "survey", "resource"])
def test_note_without_source_and_evidence_is_told_what_it_lacks(archive, kind):
    bare = archive("remember", text=f"Tree rings, {kind}.", kind=kind)
    full = archive("remember", text=f"Tree rings, {kind}: 10.1000/9.\nBeleg: Volltext", kind=kind)

    source = archive.pick("No source recognised", "Keine Quelle erkannt")
    evidence = archive.pick("No evidence level", "Kein Beleg")
    assert source in bare
    assert evidence in bare
    assert source not in full
    assert evidence not in full


@pytest.mark.parametrize("kind", ["gap", "lead", "rejected", "unsorted"])
def test_other_kinds_need_no_source(archive, kind):
    answer = archive("remember", text="Nobody measured cave ice.", kind=kind)

    assert archive.pick("No source", "Keine Quelle") not in answer
    assert archive.pick("No evidence", "Kein Beleg") not in answer


def test_full_form_shows_the_level_in_the_surface_language(archive):
    for text in ("A.\nEvidence: full text", "B.\nBeleg: Abstract", "C.\nBeleg: unbestätigt", "D."):
        archive.store(text, kind="finding")

    shown = archive("show", ids="1-4")

    levels = archive.pick("full text,abstract,unconfirmed", "Volltext,Abstract,unbestätigt").split(",")
    finding = archive.word("finding")
    for number, level in enumerate(levels, start=1):
        assert f"{archive.named(number)} [{finding}, {level}] " in shown
    assert f"{archive.named(4)} [{finding}] " in shown


def test_notices_of_sources_stand_between_those_of_tags_and_those_of_supersession(archive):
    archive.store("Reading 10.1000/9.", kind="gap", tags="ice")

    answer = archive("remember", text="Reading 10.1000/9 twice.", kind="gap", tags="finding", supersedes="77")

    places = [
        answer.index(archive.pick("The tag finding", "finding")),
        answer.index(known(archive)),
        answer.index(archive.pick("Unknown, so not", "77")),
    ]
    assert places == sorted(places)


def test_identical_text_names_the_others_and_no_source_twice(archive):
    archive.store("Reading 10.1000/9.", kind="gap")
    archive.store("Reading 10.1000/9 too.", kind="gap")

    again = archive("remember", text="Reading 10.1000/9.", kind="gap")

    assert [line.split()[0] for line in hint_lines(archive, again)] == [archive.named(2)]
    assert archive.rows("SELECT entry_id, type, key FROM source ORDER BY entry_id") == [
        (1, "doi", "10.1000/9"),
        (2, "doi", "10.1000/9"),
    ]


def test_hint_repeats_no_character_of_a_credential(archive):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    archive.store(f"Data at https://example.org/data?token={secret} here.", kind="gap")

    answer = archive("remember", text=f"More at https://example.org/data?token={secret} there.", kind="gap")

    assert known(archive) in answer
    assert secret not in answer


def test_many_long_titles_keep_the_answer_within_its_cap(archive):
    for number in range(9):
        archive.store(
            f"{number} " + "Überlange Überschrift mit Wörtern " * 4 + " 10.1000/9",
            tags="a b c d e",
            kind="gap",
        )

    reply = archive.shell.workspace.call(
        archive.shell.client,
        "remember",
        {
            "text": "10.1000/9 " + "überlang " * 300,
            archive.word("supersedes"): "1-3,90-99",
            "tags": "a x y z",
        },
    )

    assert not reply.is_error
    assert len(reply.text) <= 2_400
    assert len(reply.text.encode()) <= 6_000
    assert len(hint_lines(archive, reply.text)) >= 6


def test_erased_entry_is_no_longer_found_by_its_source(archive):
    archive.store("Reading 10.1000/9.\nEvidence: abstract", kind="finding")
    shell = archive.shell.workspace
    erased = shell.call(Client(), shell.surface.tool_name("erase"), {"ids": "1"}, from_shell=True)

    answer = archive("remember", text="Reading 10.1000/9 anew.", kind="gap")

    assert not erased.is_error
    assert archive.rows("SELECT entry_id FROM source WHERE key = '10.1000/9'") == [(2,)]
    assert hint_lines(archive, answer) == []


def test_imported_notes_are_found_by_their_source(archive, tmp_path):
    note = tmp_path / "note.md"
    note.write_text("Old reading of 10.1000/9.\n\nEvidence: full text\n", encoding="utf-8")
    call = archive.shell.workspace.new_call(Client())
    import_notes(call, [note], Choice())

    answer = archive("remember", text="Reading 10.1000/9.", kind="gap")

    assert len(hint_lines(archive, answer)) == 1


def test_look_up_of_a_source_uses_the_index(archive):
    from frugal_modes.archive.storage import SHARING

    archive.store("Reading 10.1000/9.", kind="gap")
    with archive.shell.workspace.store.read() as db:
        values = {"type": "doi", "key": "10.1000/9", "besides": 0}
        plan = [row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {SHARING}", values)]

    assert any("COVERING INDEX source_by_key (type=? AND key=?" in step for step in plan)
    assert not any(step.startswith("SCAN") for step in plan)
