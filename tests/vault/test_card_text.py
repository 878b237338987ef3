"""What a Markdown file says as a card: title, tags, links, headings, dates, and what is wrong with it."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.hashes import content_hash
from frugal_modes.vault.records import Card, Problem


def card(text: str, path: str = "03-Knowledge/file name.md", **more: object) -> Card:
    return read_card(text, path=path, zone=UTC, **more).cards[0]  # type: ignore[arg-type]  # keywords of read_card


def problems(text: str) -> list[tuple[str, str]]:
    return [(found.place, found.reason) for found in read_card(text, path="x.md", zone=UTC).problems]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From key\n---\n# Heading", "From key"),
        ("---\nkind: x\n---\ntext\n\n# Heading #\n", "Heading"),
        ("```\n# code\n```\n# Heading\n# Second", "Heading"),
        ("#tag is no heading\n## Level two", "file name"),
        ("text alone", "file name"),
        ("", "file name"),
        ('---\ntitle: ""\n---\n# H', "H"),
        ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
    ],
)
def test_title_is_the_key_else_the_first_heading_else_the_file_name(text: str, title: str) -> None:
    assert card(text).title == title


def test_note_of_obsidian_is_called_by_its_key_or_its_file() -> None:
    assert card("# Heading", has_heading_title=False).title == "file name"
    assert card("---\ntitle: Key\n---\n# Heading", has_heading_title=False).title == "Key"


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [a, '#b', A, ' c ']", ("a", "b", "c")),
        ("tags:\n  - one\n  - two words", ("one", "two words")),
        ("tags: a, #b,, c", ("a",)),
        ('tags: "a, #b,, c"', ("a", "b", "c")),
        ("tags: a, \"#b\", 'c'", ("a", "b", "c")),
        ('tags: "a", "#b c"', ("a", "b c")),
        ("""tags: '["x", "y, z"]'""", ("x", "y, z")),
        ("tag: single", ("single",)),
        ("tags: [a]\ntag: b", ("a", "b")),
        ("tags: ['#', '']", ()),
    ],
)
def test_tags_of_the_front_matter(front: str, tags: tuple[str, ...]) -> None:
    assert card(f"---\n{front}\n---\nbody").tags == tags


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        ("#start and #second (#third)", ("start", "second", "third")),
        ("line\n#first", ("first",)),
        ("#日本 #über_1 #a/b #a-b", ("日本", "über_1", "a/b", "a-b")),
        ("#123 #1a #2026-11", ("1a",)),
        ("x#no a/#no ##no [#no](y) \\#no", ()),
        ("`#no` ``a ` #no`` #yes", ("yes",)),
        ("```\n#no\n```\n~~~\n#no\n~~~\n#yes", ("yes",)),
        ("para\n\n    #no\n\n- item\n\n    #yes", ("yes",)),
        ("[[Note#no]] [x](http://h/#no) http://h/ #yes <http://h/ #no2", ("yes", "no2")),
        ("# heading #no\n## #no\ntext #yes.", ("yes",)),
        ("%%#comment%% %% #yes %%", ("yes",)),
        ("#tag, #Tag; #TAG", ("tag",)),
    ],
)
def test_inline_tags(body: str, tags: tuple[str, ...]) -> None:
    assert card(f"---\nkind: x\n---\n{body}").tags == tags


def test_links_are_names_from_body_and_front_matter() -> None:
    found = card("---\nup: [[Home]]\n---\n[[N|text]] [[N#H]] ![[pic.png]] `[[code]]`\n## [[In heading]]")

    assert found.links == ("Home", "N", "pic.png", "In heading")
    assert "[[N|text]]" in found.body


def test_headings_outside_code() -> None:
    assert card("# One\n```\n# no\n```\n### Three ###\n#no").headings == ("One", "Three")


def test_aliases_and_their_singular_key() -> None:
    assert card("---\naliases: [a, b]\nalias: c\n---\n").aliases == ("a", "b", "c")


def test_kind_is_lower_cased_and_kept_even_if_unknown() -> None:
    assert card("---\nkind: Rezept\n---\n").kind == "rezept"
    assert card("text", kind="mistake").kind == "mistake"


def test_agent_is_source_else_who_submitted() -> None:
    assert card("---\nsubmittedBy: a\nsource: b\n---\n").agent == "b"
    assert card("---\nsubmittedBy: a\nsource: ''\n---\n").agent == "a"


def test_times_without_a_zone_are_local_and_a_date_stays_a_day() -> None:
    text = "---\ncreated: 2026-07-01 10:00\nupdated: 2026-07-02\ninvalid_at: 1782900000\n---\n"

    found = read_card(text, path="x.md", zone=ZoneInfo("Europe/Berlin")).cards[0]

    assert (found.created, found.updated) == ("2026-07-01T08:00:00.000Z", "2026-07-02")
    assert found.invalid_at == "2026-07-01T10:00:00.000Z"


def test_pointers_are_paths_refs_or_links() -> None:
    found = card("---\nsupersedes: [03-Knowledge/a, b.md, 'mem:x']\nsuperseded_by: [[Other]]\n---\n")

    assert found.supersedes == ("03-Knowledge/a", "b.md", "mem:x")
    assert found.superseded_by == ("Other",)
    assert card("---\nsupersedes: 03-Knowledge/a, b.md\n---\n").supersedes == ("03-Knowledge/a, b.md",)


def test_rest_of_the_front_matter_is_metadata_in_order() -> None:
    found = card("---\nzeta: 1\ntitle: T\nmore:\n  a: [x, y]\nalpha: ''\n---\n")

    assert found.metadata == (("zeta", "1"), ("more.a", "x, y"), ("alpha", ""))


def test_body_is_trimmed_and_has_line_feeds() -> None:
    assert card("---\r\na: b\r\n---\r\n\r\n one\r\ntwo \r\n\r\n").body == "one\r\ntwo".replace("\r\n", "\n")


def test_old_comment_with_the_hash_is_no_body_and_no_hash() -> None:
    plain, old = (
        card("---\ntitle: T\n---\nbody"),
        card("---\ntitle: T\n---\nbody\n\n<!-- contentHash: AB12 -->\n\n"),
    )

    assert old.body == plain.body == "body"
    assert old.content_hash == "ab12"
    assert content_hash(old.title, old.body) == content_hash(plain.title, plain.body)


def test_comment_inside_the_body_stays() -> None:
    assert card("a\n<!-- contentHash: ab -->\nb").body == "a\n<!-- contentHash: ab -->\nb"


def test_content_hash_is_over_trimmed_title_and_body() -> None:
    assert content_hash(" T ", "\na\r\nb\n ") == content_hash("T", "a\nb")
    assert content_hash("T", "a") != content_hash("Ta", "")
    assert content_hash("T", "body") == "40859c45b65f3a71"
    assert len(content_hash("", "")) == 16


def test_problems_name_line_and_value() -> None:
    text = "---\ntitle: x\nttl: soon\npriority: 101\ntitle: y\n---\n"

    assert problems(text) == [
        ("line 5", "duplicate_key: title"),
        ("line 3", "bad_ttl: soon"),
        ("line 4", "bad_priority: 101"),
    ]


@pytest.mark.parametrize(("written", "priority"), [("5", 5), ("-100", -100), ("+7", 7), ("3.0", 3), ("", 0)])
def test_priority_is_a_whole_number_from_minus_100_to_100(written: str, priority: int) -> None:
    found = read_card(f"---\npriority: {written}\n---\n", path="x.md")

    assert (found.cards[0].priority, found.problems) == (priority, ())


@pytest.mark.parametrize("written", ["101", "-101", "high", "1e2", "99999999999999999999"])
def test_priority_that_is_none_counts_as_0_and_is_a_problem(written: str) -> None:
    found = read_card(f"---\npriority: {written}\n---\n", path="x.md")

    assert found.cards[0].priority == 0
    assert found.problems == (Problem("x.md", f"bad_priority: {written}", "line 2"),)


def test_broken_front_matter_still_gives_its_fields() -> None:
    found = read_card("---\ntitle: a: b\ntags: [x]\n---\nbody", path="x.md")

    assert (found.cards[0].title, found.cards[0].tags, found.cards[0].body) == ("a: b", ("x",), "body")
    assert found.problems[0].place == "line 2"
