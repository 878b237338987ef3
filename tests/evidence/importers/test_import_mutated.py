"""Whatever becomes of a source, an import ends with counts or a refusal, and a reject names the right line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from import_desk import read, write_json, zip_folder
from slack_export import write_export
from test_import_discord import MESSAGES as DISCORD
from test_import_discord import export as discord_export
from test_import_mattermost import LINES as MATTERMOST
from test_import_mbox import HTML, mail
from test_import_telegram import MESSAGES as TELEGRAM
from test_import_telegram import chat
from test_import_whatsapp import ANDROID, IPHONE

from frugal.errors import Refusal
from frugal_modes.evidence.records import REJECT_REASONS, Deletion, Message, Reject, Repair, Unknown

RECORD = {
    "id": "1",
    "text": "hello 名 \U0001f600",
    "sent_at": "2024-01-01T00:00:00",
    "sender": {"id": "u", "name": "First"},
    "thread_id": "1",
}
GENERIC = "".join(json.dumps({**RECORD, "id": str(number)}) + "\n" for number in range(5))
CSV = 'id,text,sent_at,sender.name\n1,"two\nlines",1,a\n2,plain,2,b\n'
MBOX = (
    mail(1) + "\n" + mail(2, HTML, head="Content-Type: text/html; charset=utf-8\n") + "\n" + mail(3, "> q\n")
)

SOURCES: dict[str, bytes] = {
    "jsonl": GENERIC.encode(),
    "csv": CSV.encode(),
    "mattermost": "".join(json.dumps(line) + "\n" for line in MATTERMOST).encode(),
    "discord": json.dumps(discord_export(DISCORD)).encode(),
    "telegram": json.dumps({"chats": {"list": [chat(*TELEGRAM), chat(*TELEGRAM, id=8)]}}).encode(),
    "whatsapp": (IPHONE + ANDROID).encode(),
    "mbox": MBOX.encode(),
}

pieces = st.sampled_from(
    [b"", b"\0", b"\xff", b"\xed\xa0\x80", b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\\ud800", b"\n\n", b"\r", b"1e999",
     b"NaN", b"null", b"-1", b"9" * 30, b"true", b"From ", b": ",
     b"\xef\xbb\xbf", b"=?utf-8?q?=?=", b"<", b"&", b"99/99/99"]
)  # fmt: skip
mutations = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 40), pieces), min_size=1, max_size=6)


def mutated(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Return *data* with pieces in other pieces' places."""
    for place, length, piece in changes:
        at = place % (len(data) + 1)
        data = data[:at] + piece + data[at + length :]
    return data


def check(path: Path, **options: Any) -> None:
    """Import *path*: every item is one of the known sorts, every reject has a known reason and a place that exists."""
    try:
        found = read(path, **options)
    except Refusal:
        return
    for item in found:
        assert isinstance(item, Message | Deletion | Reject | Repair | Unknown)
        if isinstance(item, Reject):
            assert item.reason in REJECT_REASONS
            assert item.place.line >= 0
            assert len(item.detail) <= 200
        if isinstance(item, Message):
            assert item.text.strip()
            assert "\0" not in item.text
            item.text.encode()
            item.sender_name.encode()


@pytest.mark.parametrize("format_name", sorted(SOURCES))
@given(changes=mutations, is_named=st.booleans())
@settings(max_examples=60)
def test_no_importer_fails_on_mutated_input(
    tmp_path: Path, format_name: str, changes: list[tuple[int, int, bytes]], is_named: bool
) -> None:
    path = tmp_path / "source"
    path.write_bytes(mutated(SOURCES[format_name], changes))

    check(path, format=format_name if is_named else "")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def replaced(document: Any, path: list[int], value: Any) -> Any:
    """Return *document* with *value* in place of what *path* leads to."""
    if not path or not isinstance(document, dict | list) or not document:
        return value
    copy: Any = dict(document) if isinstance(document, dict) else list(document)
    key = list(copy)[path[0] % len(copy)] if isinstance(copy, dict) else path[0] % len(copy)
    copy[key] = replaced(copy[key], path[1:], value)
    return copy


@given(path=st.lists(st.integers(0, 50), min_size=1, max_size=7), value=values)
@settings(max_examples=150)
def test_any_value_may_stand_anywhere_in_a_document(tmp_path: Path, path: list[int], value: Any) -> None:
    for format_name, document in (
        ("discord", discord_export(DISCORD)),
        ("telegram", chat(*TELEGRAM)),
        ("jsonl", RECORD),
    ):
        source = tmp_path / "source"
        source.write_text(json.dumps(replaced(document, path, value)), "utf-8")
        check(source, format=format_name)


@given(path=st.lists(st.integers(0, 50), min_size=1, max_size=6), value=values)
@settings(max_examples=60)
def test_any_value_may_stand_anywhere_in_a_slack_export(tmp_path: Path, path: list[int], value: Any) -> None:
    from slack_export import DAY, GENERAL, USERS

    folder = write_export(tmp_path / "export", general=replaced(GENERAL, path, value))
    write_json(folder / "users.json", replaced(USERS, path, value))
    assert (folder / "general" / f"{DAY}.json").exists()

    check(folder)


@given(changes=mutations)
@settings(max_examples=60)
def test_a_mutated_archive_is_refused_or_read(tmp_path: Path, changes: list[tuple[int, int, bytes]]) -> None:
    whole = tmp_path / "export.zip"
    if not whole.exists():
        zip_folder(write_export(tmp_path / "export"), whole)
    path = tmp_path / "mutated.zip"
    path.write_bytes(mutated(whole.read_bytes(), changes))

    check(path, format="slack")


@given(bad=st.sets(st.integers(1, 40), max_size=6))
@settings(max_examples=30)
def test_a_reject_names_the_right_line(tmp_path: Path, bad: set[int]) -> None:
    lines = ["{" if number in bad else json.dumps({**RECORD, "id": str(number)}) for number in range(1, 41)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines), "utf-8")

    found = [item.place.line for item in read(path, format="jsonl") if isinstance(item, Reject)]

    assert found == sorted(bad)
