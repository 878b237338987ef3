"""The command: what changed is told, a second run changes nothing, nothing is lost by accident."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from import_desk import Desk, write_lines

SENT = 1_700_000_000


def record(number: int, text: str = "", **more: object) -> dict[str, object]:
    return {"id": str(number), "text": text or f"text {number}", "sent_at": SENT + number, **more}


def test_a_second_import_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", *map(record, range(10)))

    first, second = desk.take(source), desk.take(source)

    assert (first["read"], first["inserted"], first["updated"]) == (10, 10, 0)
    assert (second["read"], second["inserted"], second["updated"], second["unchanged"]) == (10, 0, 0, 10)
    assert first["version_before"] != first["version_after"]
    assert second["version_before"] == second["version_after"] == first["version_after"]


def test_an_edited_message_is_updated_and_its_old_text_kept(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1, "before"))
    desk.take(source)
    write_lines(source, record(1, "after", edited_at=SENT + 100))

    counts = desk.take(source)

    assert counts["updated"] == 1
    assert desk.texts() == ["after"]
    assert desk.revisions() == ["before"]


def test_an_older_edit_is_ignored_and_counted(desk: Desk, tmp_path: Path) -> None:
    new = write_lines(tmp_path / "new.jsonl", record(1, "new", edited_at=SENT + 200))
    old = write_lines(tmp_path / "old.jsonl", record(1, "old", edited_at=SENT + 100))
    desk.take(new)

    counts = desk.take(old)

    assert (counts["ignored"], counts["updated"]) == (1, 0)
    assert desk.texts() == ["new"]


def test_of_one_id_twice_the_later_edit_wins_then_the_later_line(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        record(1, "edited later", edited_at=SENT + 200),
        record(1, "edited earlier", edited_at=SENT + 100),
        record(2, "first line"),
        record(2, "second line"),
    )

    first, second = desk.take(source), desk.take(source)

    assert desk.texts() == ["edited later", "second line"]
    assert (first["inserted"], second["updated"]) == (2, 0)


def test_the_order_of_records_does_not_change_the_version(
    open_desk: Callable[..., Desk], tmp_path: Path
) -> None:
    records = [record(number) for number in range(20)]
    desk = open_desk()
    straight = desk.take(write_lines(tmp_path / "a.jsonl", *records), corpus="one")["version_after"]

    backwards = desk.take(write_lines(tmp_path / "b.jsonl", *reversed(records)), corpus="one")

    assert backwards["version_after"] == straight


def test_the_corpus_is_named_after_the_format_unless_it_is_given(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "some export.jsonl", record(1))

    assert desk.take(source)["corpus"] == "jsonl"
    assert desk.take(source, corpus="other-1")["corpus"] == "other-1"
    assert "a-z" in desk.refused(source, corpus="No Name")


def test_a_dry_run_says_what_would_happen_and_stores_nothing(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1))

    counts = desk.take(source, dry_run=True)

    assert (counts["inserted"], counts["dry_run"]) == (1, True)
    assert desk.texts() == []


def test_vanished_messages_stay_until_pruning_is_confirmed(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", *map(record, range(5)))
    desk.take(source)
    write_lines(source, *map(record, (0, 1, 4)))

    kept = desk.take(source)
    counted = desk.take(source, prune=True)

    assert (kept["pruned"], counted["pruned"], counted["prunable"]) == (0, 0, 2)
    assert len(desk.texts()) == 5

    pruned = desk.take(source, prune=True, yes=True)

    assert pruned["pruned"] == 2
    assert desk.texts() == ["text 0", "text 1", "text 4"]


def test_pruning_leaves_what_lies_outside_the_source_alone(desk: Desk, tmp_path: Path) -> None:
    desk.take(write_lines(tmp_path / "a.jsonl", *map(record, range(5)), record(9, conversation="other")))
    source = write_lines(tmp_path / "b.jsonl", record(1), record(3))

    counts = desk.take(source, prune=True, yes=True)

    assert counts["pruned"] == 1
    assert desk.texts() == ["text 0", "text 1", "text 3", "text 4", "text 9"]


def test_nothing_is_pruned_while_a_record_cannot_be_read(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", *map(record, range(3)))
    desk.take(source)
    write_lines(source, record(0), "{damaged", record(2))

    counts = desk.take(source, prune=True, yes=True)

    assert (counts["pruned"], counts["prunable"]) == (0, 1)
    assert len(desk.texts()) == 3


def test_rejects_end_with_exit_code_3_and_are_told_with_file_and_line(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1), *["{"] * 25)
    everything = tmp_path / "rejects.jsonl"

    reply = desk.reply(source, rejects=str(everything))

    answer = reply.answer
    assert answer.exit_code == 3
    assert len(answer.items) == 20
    assert answer.items[0] == {
        "file": "a.jsonl",
        "line": 2,
        "reason": "bad_json",
        "detail": answer.items[0]["detail"],
    }
    assert len(answer.notes) == 21
    assert answer.counts["rejected"] == {"bad_json": 25}
    lines = [json.loads(line) for line in everything.read_text("utf-8").splitlines()]
    assert [line["line"] for line in lines] == list(range(2, 27))


def test_the_source_is_never_overwritten_by_its_rejects(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1))
    before = source.read_bytes()

    desk.refused(source, rejects=str(source))

    assert source.read_bytes() == before


def test_names_of_fields_are_mapped_and_never_guessed(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {"body": "hello", "ts": SENT, "author": {"login": "u1", "nick": "First"}, "room": "general"},
    )

    text = desk.refused(source)
    counts = desk.take(
        source, map="text=body, sent_at=ts,sender.id=author.login,sender.name=author.nick,conversation=room"
    )

    assert "--map" in text
    assert counts["unknown_fields"] == []
    message = desk.one("hello")
    assert (message["sender"], message["sender_name"], message["conversation"]) == ("u1", "First", "general")


@pytest.mark.parametrize("mapping", ["text", "body=text", "text=", "text=a,text=b"])
def test_a_mapping_that_says_nothing_is_refused(desk: Desk, tmp_path: Path, mapping: str) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1))

    assert "sent_at" in desk.refused(source, map=mapping)


def test_a_mapped_name_replaces_the_field_of_that_name(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", {"text": "summary", "body": "whole", "sent_at": SENT})

    desk.take(source, map="text=body")

    assert desk.texts() == ["whole"]


RULES = """
[[rule]]
organization = "North"
type = "client"
domains = ["north.example"]
names = ["Known Name"]

[[rule]]
organization = "Vendor"
type = "internal"
sender_ids = ["u9"]
"""


def test_rules_say_who_is_who_and_new_rules_say_it_anew(desk: Desk, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES, "utf-8")
    source = write_lines(
        tmp_path / "a.jsonl",
        record(1, sender={"id": "u1", "name": "known name"}),
        record(2, sender={"id": "u9", "name": "Somebody"}),
        record(3, sender={"id": "u5", "name": "Nobody"}),
        record(4, sender={"id": "u6", "name": "Known Name", "type": "bot"}),
    )

    desk.take(source, rules=str(rules))

    labels = [(message["organization"], message["sender_type"]) for message in desk.messages()]
    assert labels == [("North", "client"), ("Vendor", "internal"), ("", "unknown"), ("North", "bot")]

    rules.write_text(RULES.replace('"u9"', '"u5"'), "utf-8")
    desk.take(source, rules=str(rules))

    labels = [(message["organization"], message["sender_type"]) for message in desk.messages()]
    assert labels == [("North", "client"), ("", "unknown"), ("Vendor", "internal"), ("North", "bot")]


@pytest.mark.parametrize(
    "text",
    ["not toml", "[rule]\n", "[[rule]]\n", '[[rule]]\ntype = "boss"\nnames = ["a"]\n', '[[rule]]\nnames = "a"\n',
     '[[rule]]\ntype = "client"\nnams = ["a"]\n'],
)  # fmt: skip
def test_rules_that_cannot_be_meant_are_refused(desk: Desk, tmp_path: Path, text: str) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(text, "utf-8")

    assert "rules.toml" in desk.refused(write_lines(tmp_path / "a.jsonl", record(1)), rules=str(rules))


def test_a_zone_that_does_not_exist_is_refused(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1))

    for zone in ("Europe/Nowhere", "../etc/localtime", "/etc/localtime"):
        assert "IANA" in desk.refused(source, timezone=zone)


def test_progress_for_programs_is_a_line_of_json_on_stderr(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_lines(tmp_path / "a.jsonl", record(1))

    desk.take(source, progress="json")

    told = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert told["records"] == 1
    assert 0 < told["bytes"] <= told["of_bytes"] + 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_report_speaks_the_language_of_the_file(
    open_desk: Callable[..., Desk], tmp_path: Path, language: str
) -> None:
    desk = open_desk(language)
    source = write_lines(
        tmp_path / "a.jsonl", record(1), "{", {"text": "x", "sent_at": "2024-01-01", "mood": 1}
    )

    text = desk.reply(source).text

    said = {
        "en": ("records read", "rejected: bad_json 1", "mood"),
        "de": ("Datensätze gelesen", "abgelehnt: bad_json 1", "mood"),
    }
    assert all(words in text for words in said[language])


def test_a_source_that_is_not_there_is_refused(desk: Desk, tmp_path: Path) -> None:
    assert "nowhere" in desk.refused(tmp_path / "nowhere")


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_pipe_is_no_source(desk: Desk, tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")

    desk.refused(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "keeps sources apart"), ("de", "hält Quellen getrennt")]
)
def test_another_source_that_joins_a_corpus_unasked_is_told(
    open_desk: Callable[..., Desk], tmp_path: Path, language: str, said: str
) -> None:
    desk = open_desk(language)
    first = write_lines(tmp_path / "first.jsonl", record(1))
    second = write_lines(tmp_path / "second.jsonl", record(2))

    texts = [desk.reply(source).text for source in (first, first, second)]
    meant = desk.reply(first, corpus="jsonl").text

    assert [said in text for text in texts] == [False, False, True]
    assert "first.jsonl" in texts[2].splitlines()[-1]
    assert said not in meant
