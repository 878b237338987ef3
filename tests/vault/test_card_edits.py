"""Changing a card's file: what it does not concern stays byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.edits import CannotEdit, edited, is_last_place
from frugal_modes.vault.newcards import NewCard, card_text
from frugal_modes.vault.tags import one_line, read_tags
from tests import strategies

FOREIGN = (
    "\ufeff---\r\n"
    "# a comment\r\n"
    "zeta: {a: 1, b: [x, y]}\r\n"
    "title: 'Old title' # kept\r\n"
    "\r\n"
    "tags:\r\n"
    "    - one\r\n"
    "    - two\r\n"
    "text: |\r\n"
    "  lines\r\n"
    "  ---\r\n"
    "up: [[Home]]\r\n"
    "---\r\n"
    "\r\n"
    "Body of the note.\r\n"
    "\r\n"
    "End.\r\n"
    "\r\n"
)


def test_only_the_changed_values_change() -> None:
    new = edited(FOREIGN, {"title": "It's new", "tags": ("x", "y z", "w")}, body="New\nbody")

    expected = FOREIGN.replace("'Old title'", "'It''s new'")
    expected = expected.replace("    - one\r\n    - two\r\n", "    - x\r\n    - y z\r\n    - w\r\n")
    assert new == expected.replace("Body of the note.\r\n\r\nEnd.", "New\r\nbody")


def test_reverse_change_gives_every_byte_back() -> None:
    new = edited(FOREIGN, {"title": "Other", "tags": ("a",)}, body="New")

    assert (
        edited(new, {"title": "Old title", "tags": ("one", "two")}, body="Body of the note.\n\nEnd.")
        == FOREIGN
    )


def test_new_keys_come_in_the_order_of_new_cards() -> None:
    text = "---\nkind: knowledge\ntitle: T\nother: 1\ncontentHash: ab\n---\nbody"

    new = edited(text, {"updated": "2026-11-30T06:14:00.000Z", "ttl": "2027-01-01", "formatVersion": "1"})

    assert new.split("\n")[1:8] == [
        'formatVersion: "1"',
        "kind: knowledge",
        "title: T",
        "updated: 2026-11-30T06:14:00.000Z",
        "ttl: 2027-01-01",
        "other: 1",
        "contentHash: ab",
    ]


def test_file_without_front_matter_gets_one() -> None:
    assert (
        edited("\ufeff# Note\r\ntext\r\n", {"title": "N"})
        == "\ufeff---\r\ntitle: N\r\n---\r\n# Note\r\ntext\r\n"
    )


def test_rule_at_the_start_stays_body() -> None:
    text = "---\nno key here\n---\nbody"

    assert edited(text, {"title": "N"}) == f"---\ntitle: N\n---\n{text}"


def test_old_comment_with_the_hash_goes_when_the_hash_is_written() -> None:
    text = "---\ntitle: T\n---\nbody text\n\n<!-- contentHash: ab12 -->\n"

    assert edited(text, {"contentHash": "cd34"}) == "---\ntitle: T\ncontentHash: cd34\n---\nbody text\n"
    assert edited(text, {"contentHash": "cd34"}, body="new") == "---\ntitle: T\ncontentHash: cd34\n---\nnew\n"


def test_key_is_taken_away_with_all_its_lines() -> None:
    text = "---\na: 1\nttl: |\n  x\n  y\n# note\nb: 2\n---\n"

    assert edited(text, {"ttl": None}) == "---\na: 1\n# note\nb: 2\n---\n"


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("tags: a, b", "tags: x, y"),
        ("tags: [a, b] # c", "tags: [x, y] # c"),
        ("tags:", "tags: [x, y]"),
        ("tags: # none", "tags: [x, y] # none"),
        ("tags:\n- a\n- b", "tags:\n- x\n- y"),
        ("tags: ''", "tags: [x, y]"),
    ],
)
def test_tags_are_written_in_the_form_they_had(line: str, new: str) -> None:
    assert edited(f"---\n{line}\nz: 1\n---\n", {"tags": ("x", "y")}) == f"---\n{new}\nz: 1\n---\n"


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("title: Plain", "title: New"),
        ("title: 'Single'", "title: 'New'"),
        ('title: "Double"', 'title: "New"'),
        ('title: "a: needed"', "title: New"),
        ("title: >-\n  folded\n  text", "title: New"),
        ("title:", "title: New"),
        ("  title: indented", "  title: New"),
        ("Title: other case", "Title: New"),
    ],
)
def test_text_is_written_in_the_quotes_it_had(line: str, new: str) -> None:
    assert edited(f"---\n{line}\n---\n", {"title": "New"}) == f"---\n{new}\n---\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\nb: *c\n---\n", 3),
        ("---\ntitle: a: b\n---\n", 2),
        ("---\n{a: 1, b: 2}\n---\n", 0),
        ("---\na: b\n" + "# long\n" * 10_000 + "---\n", 1),
    ],
)
def test_what_cannot_be_changed_safely_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(CannotEdit) as caught:
        edited(text, {"title": "New"})

    assert caught.value.line == line


def test_place_of_a_key_tells_whether_taking_it_away_can_be_taken_back() -> None:
    text = "---\npriority: 1\ntitle: T\nttl: 1d\n---\n"

    assert not is_last_place(text, "priority")
    assert is_last_place(text, "ttl")
    assert is_last_place(text, "kind")


lines = st.one_of(
    strategies.lines(longest=120), st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
)
titles = lines.map(one_line).filter(bool)
bodies = strategies.texts(longest=400, shortest=20).map(lambda text: text.strip())
tag_lists = strategies.tags(most=4).map(lambda tags: read_tags(map(one_line, tags)))


@given(
    before=st.tuples(titles, bodies, tag_lists, titles),
    after=st.tuples(titles, bodies, tag_lists, titles),
    has_crlf=st.booleans(),
    start=st.sampled_from(("", "\ufeff")),
    extra=st.sampled_from(("", "# comment: x\n", "own: [a, {b: c}] # kept\n", "text: |\n  x\n\n   y\n")),
)
def test_change_and_reverse_change_of_a_written_card_give_every_byte_back(
    before: tuple[str, str, tuple[str, ...], str],
    after: tuple[str, str, tuple[str, ...], str],
    has_crlf: bool,
    start: str,
    extra: str,
) -> None:
    card = NewCard(
        before[0], before[1], "knowledge", "2026-11-30T06:14:00.000Z", "agent", before[3], before[2]
    )
    text = card_text(card).replace("status: approved\n", f"status: approved\n{extra}")
    text = start + (text.replace("\n", "\r\n") if has_crlf else text)

    values = {"title": after[0], "tags": after[2], "source": after[3]}
    changed = edited(text, values, body=after[1])
    back = edited(changed, {"title": before[0], "tags": before[2], "source": before[3]}, body=before[1])

    found = read_card(changed, path="x.md").cards[0]
    assert (found.title, found.body, found.agent) == (after[0], after[1].replace("\r\n", "\n"), after[3])
    assert back == text
