"""Whatever a file holds: it becomes a card without an error, and in a time that grows with its size."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.edits import CannotEdit, edited
from frugal_modes.vault.frontmatter import read_front_matter
from frugal_modes.vault.slugs import slug
from tests import strategies

SIZE = 60_000
LONG = [
    "a" * SIZE,
    "`" * SIZE,
    "` `` ``` " * (SIZE // 9),
    "".join("`" * count + "x" for count in range(1, 340)),
    "# x" + " " * SIZE + "x",
    "# " + "#" * SIZE + "x",
    "[[" * (SIZE // 2),
    "](" * (SIZE // 2),
    "](" + "(a" * (SIZE // 2),
    "#a" * (SIZE // 2),
    "<!--" * (SIZE // 4),
    "a://" * (SIZE // 4),
    "---\n" * (SIZE // 4),
    "---\na: b\n" + "---" + " " * SIZE + "x",
    "---\n" + "a" * SIZE + "\n---\n",
    "---\nx: *y\n" + "k" + " " * SIZE + "\n---\n",
    "---\nx: *y\nk: a" + " " * SIZE + "b\n---\n",
    "---\nx: *y\nk: [" + "a," * (SIZE // 2) + "\n---\n",
    "---\nx: *y\nk: [" + "[" * SIZE + "\n---\n",
    "---\nx: " + "[" * SIZE + "\n---\n",
    "---\nx: " + "{a: " * (SIZE // 4) + "\n---\n",
    "---\n" + "- " * (SIZE // 2) + "\na: b\n---\n",
    "---\n" + '"' * SIZE + "\na: b\n---\n",
    "---\nt: 1" + "d" * SIZE + "\nttl: " + "1d" * (SIZE // 4) + "\n---\n",
    "---\ncreated: " + "1" * SIZE + "\npriority: " + "9" * 100 + "\n---\n",
    "\r" * SIZE,
    "\u2028" * SIZE,
    "- a\n" * (SIZE // 4),
    "~~~\n" * (SIZE // 4),
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_text_is_read_in_linear_time(text: str) -> None:
    started = time.process_time()

    read_card(text, path="x.md")

    assert time.process_time() - started < 1.5


PIECES = (
    *(
        "---\n",
        "...\n",
        "a: b\n",
        "title: 'x\n",
        "tags: [a, b\n",
        "- c\n",
        "&x ",
        "*x ",
        "{",
        "}",
        "\t",
        "\r\n",
        "\r",
    ),
    *(
        "\ufeff",
        "#tag ",
        "# H\n",
        "```\n",
        "`",
        "[[N|t]]",
        "<!-- contentHash: ab -->",
        "签",
        "\x00",
        "\x85",
        "\u2028",
    ),
    *(
        "ttl: 1d\n",
        "priority: x\n",
        "created: 2026-13-01\n",
        "  nested: y\n",
        ": ",
        "|\n",
        ">-\n",
        "!!x ",
        "? ",
    ),
    *(
        "%YAML 1.1\n",
        "'",
        '"',
        "updated: x\n",
        "title: y # c\n",
        "title: >\n  z\n",
        "Title:\n",
        "\n",
        "# c\n",
    ),
)
pieces = st.sampled_from(PIECES)
files = st.one_of(
    st.lists(pieces, max_size=12).map(lambda found: "---\n" + "".join(found)),
    st.lists(pieces, max_size=12).map(lambda found: "---\nk: v\n" + "".join(found) + "\n---\nbody"),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    strategies.texts(longest=500),
)


@given(files)
def test_any_text_is_a_card(text: str) -> None:
    reading = read_card(text, path="a/x.md")

    (card,) = reading.cards
    assert card.title
    assert card.body == card.body.strip()
    assert "\r\n" not in card.body
    assert -100 <= card.priority <= 100
    assert all(tag == tag.strip() and tag for tag in card.tags)
    assert slug(card.title)


@given(files, st.sampled_from(("New", "a: b", "签")), st.booleans())
def test_any_text_is_edited_right_or_refused(text: str, title: str, has_body: bool) -> None:
    before = read_front_matter(text)
    body = "a new body of the card" if has_body else None

    try:
        new = edited(text, {"title": title, "updated": "2026-11-30T06:14:00.000Z"}, body=body)
    except CannotEdit:
        return

    card, old = read_card(new, path="x.md").cards[0], read_card(text, path="x.md").cards[0]
    assert (card.title, card.updated) == (title, "2026-11-30T06:14:00.000Z")
    assert card.body == (body if body is not None else old.body)
    kept = [
        (field.key, field.value) for field in before.fields if field.key.lower() not in ("title", "updated")
    ]
    found = [(field.key, field.value) for field in read_front_matter(new).fields]
    assert [item for item in found if item[0].lower() not in ("title", "updated")] == kept
