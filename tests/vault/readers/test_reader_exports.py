"""chatgpt, claude-export and jsonl: exports in JSON, zipped or not."""

import io
import json
import zipfile

import pytest

from tests.vault.readers.conftest import gather, recognise


def packed(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data if isinstance(data, str | bytes) else json.dumps(data))
    return stream.getvalue()


SAVED = [
    {
        "id": "m1",
        "content": "Likes tea.",
        "enabled": True,
        "created_at": 1767323045,
        "updated_at": 1767323045000,
    },
    {"content": "Has a dog", "enabled": False, "created_at": "2026-01-02T03:04:05Z"},
    {"content": "Has a dog", "enabled": True},
]


def test_chatgpt_memories_have_ids_or_hashes_and_disabled_ones_are_archived(write):
    file = write("memories.json", json.dumps(SAVED))

    found = gather("chatgpt", file)

    first, second, third = found.cards
    assert (first.native_id, first.created, first.updated) == (
        "m1",
        "2026-01-02T03:04:05.000Z",
        "2026-01-02T03:04:05.000Z",
    )
    assert second.native_id.startswith("h:")
    assert third.native_id == f"{second.native_id}~2"
    assert [card.state for card in found.cards] == ["", "archived", ""]
    assert recognise(file)[0] == "chatgpt"


def test_chatgpt_zip_names_the_mode_for_its_conversations(write):
    file = write("export.zip", packed(**{"memories.json": SAVED[:1], "conversations.json": [{"id": 1}]}))

    found = gather("chatgpt", file)

    assert found.ids == ["m1"]
    assert found.cards[0].member == "memories.json"
    assert found.reasons == [("", "conversations.json", "conversations_skipped")]
    assert found.is_whole


def test_plain_text_is_one_memory_a_line(write):
    file = write("saved.txt", "- Likes tea\n\n• Has a dog\n")

    found = gather("chatgpt", file)

    assert [card.body for card in found.cards] == ["Likes tea", "Has a dog"]
    assert [card.line for card in found.cards] == [1, 3]


CLAUDE = [
    {
        "conversations_memory": "Works on shops.\n\n# Work\nUses Python.\n## Tools\nRuff.\n# Work\nAgain.",
        "project_memories": {"uuid-1": "**Purpose**\nA shop."},
        "account_uuid": "account",
    }
]


def test_claude_export_is_cut_at_headings(write):
    file = write("memories.json", json.dumps(CLAUDE))

    found = gather("claude-export", file)

    assert found.ids == [
        "conversations",
        "conversations#work",
        "conversations#work-tools",
        "conversations#work~2",
        "project:uuid-1",
    ]
    assert found.titles == ["Works on shops", "Work", "Tools", "Work", "Purpose"]
    assert found.card("conversations#work-tools").body == "Ruff."
    assert recognise(file)[0] == "claude-export"


@pytest.mark.parametrize("name", ["memories-000.zip", "data-2026-batch-0000.zip"])
def test_claude_zip_is_read_by_its_members(write, name):
    account = {"conversations_memory": "Works on shops.", "project_memories": {}, "memory_files": []}
    file = write(name, packed(**{"memories/acct.json": account, "conversations.json": []}))

    found = gather("claude-export", file.parent)

    assert found.ids == ["conversations"]
    assert found.cards[0].member == "memories/acct.json"
    assert found.reasons == [(name, "conversations.json", "conversations_skipped")]


def test_memories_json_is_told_apart_by_its_shape(write):
    claude = write("a/memories.json", json.dumps(CLAUDE))
    mem0 = write("b/memories.json", json.dumps([{"id": "1", "content": "x", "state": "active"}]))
    chatgpt = write("c/memories.json", json.dumps(SAVED))

    assert [recognise(file)[0] for file in (claude, mem0, chatgpt)] == ["claude-export", "mem0", "chatgpt"]
    assert [recognise(file.parent)[0] for file in (claude, mem0, chatgpt)] == [
        "claude-export",
        "mem0",
        "chatgpt",
    ]


def test_jsonl_takes_the_usual_fields(write):
    record = {"uuid": 7, "memory": "Likes tea.", "summary": "Tea", "type": "Fact", "created_at": "2026-01-02"}
    file = write("notes.jsonl", json.dumps(record) + "\nno json\n" + json.dumps({"id": "x"}) + "\n[1]\n")

    found = gather("jsonl", file)

    (card,) = found.cards
    assert (card.native_id, card.title, card.kind, card.created) == ("7", "Tea", "fact", "2026-01-02")
    assert found.reasons == [("", f"line {number}", "broken_record") for number in (2, 3, 4)]


def test_jsonl_options_name_fields_by_dotted_paths(write):
    record = {"payload": {"words": "Likes tea", "key": "k1"}, "text": "wrong"}
    file = write("notes.json", json.dumps([record]))

    found = gather("jsonl", file, text="payload.words", id="payload.key")

    assert (found.ids, found.cards[0].body) == (["k1"], "Likes tea")


def test_jsonl_record_without_an_id_is_known_by_its_text(write):
    file = write("notes.jsonl", '{"text":"a"}\n{"text":"a"}\n')

    found = gather("jsonl", file)

    assert found.ids[0].startswith("h:")
    assert found.ids[1] == f"{found.ids[0]}~2"


def test_array_with_a_broken_record_costs_that_record(write):
    file = write("notes.json", '[{"text":"a"},\n {"text" "b"},\n {"text":"c"}]')

    found = gather("jsonl", file)

    assert [card.body for card in found.cards] == ["a", "c"]
    assert found.reasons == [("", "line 2", "broken_record")]


def bomb():
    return packed(**{"memories.json": b"[" + b" " * 5_000_000 + b"]"})


def test_member_packed_too_tightly_is_left_out(write):
    assert gather("chatgpt", write("x.zip", bomb())).reasons == [("", "memories.json", "packed_too_tightly")]


def test_member_that_leads_out_of_the_zip_is_left_out(write):
    data = packed(**{"../memories.json": SAVED, "memories.json": SAVED[:1]})

    found = gather("chatgpt", write("x.zip", data))

    assert found.ids == ["m1"]
    assert found.reasons == [("", "../memories.json", "unsafe_member")]


def test_zip_that_is_cut_is_a_problem(write):
    data = packed(**{"memories.json": SAVED})

    found = gather("chatgpt", write("x.zip", data[: len(data) // 2]))

    assert found.reasons == [("", "", "bad_archive")]
    assert not found.is_whole


def test_half_a_surrogate_in_an_export_is_replaced(write):
    file = write("notes.jsonl", '{"text":"a \\ud800 b","id":"\\udfff"}\n')

    (card,) = gather("jsonl", file).cards

    assert (card.body, card.native_id) == ("a \ufffd b", "\ufffd")
