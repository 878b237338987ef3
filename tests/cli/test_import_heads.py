"""What the front matter of a note gives its entries, and what is told when it is broken."""

import pytest

BODY = "The connection pool holds 20 connections and queues all of the others."
SECOND = "A second paragraph, which is long enough to be an entry of its own."


def note(*fields: str, body: str = f"{BODY}\n\n{SECOND}\n") -> str:
    return "\n".join(["---", *fields, "---", "", body])


def test_title_is_the_headline_of_the_first_piece_only(line, notes):
    line("import", str(notes(a=note("title: Pool of the shop"))))

    assert f"**Pool of the shop**\n\n{BODY}" in line("memory", "show", "1").out
    assert "Pool of the shop" not in line("memory", "show", "2").out


@pytest.mark.parametrize("start", ["# Pool of the shop", "**pool of the  shop**", "Pool of the shop: basics"])
def test_title_that_the_body_begins_with_is_not_repeated(line, notes, start):
    line("import", str(notes(a=note("title: Pool of the shop", body=f"{start}\n\n{BODY}"))))

    shown = line("memory", "show", "1").out
    assert shown.lower().count("pool of the") == 1


def test_aliases_and_description_are_search_words(line, notes):
    fields = ("aliases: [connection limit, Verbindungsgrenze]", "description: What waits when it is full")
    line("import", str(notes(a=note(*fields))))

    assert (
        "also: connection limit | Verbindungsgrenze | What waits when it is full"
        in line("memory", "show", "1").out
    )
    assert "#1 " in line("memory", "recall", "Verbindungsgrenze").out


def test_second_run_imports_nothing_of_a_note_with_a_title(line, notes):
    folder = notes(a=note("title: Pool of the shop", "aliases: limit"))
    line("import", str(folder))

    again = line("import", str(folder), "--json").json

    assert (again["new"], again["known"]) == (0, 2)


def test_piece_stored_before_without_its_headline_is_known(line, notes):
    line("import", str(notes(a=note("date: 2026-01-02"))))

    again = line("import", str(notes(a=note("title: Pool of the shop"))), "--json").json

    assert (again["new"], again["known"]) == (0, 2)
    assert again["items"][0]["outdated"] == []


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        (("title: Pool: of the shop",), 2),
        (("title: Pool", 'description: "never closed', "tags: a"), 3),
        (("title: Pool", "tags: [a, b"), 3),
        (("title: Pool", "This belongs to nothing."), 3),
    ],
)
def test_broken_front_matter_is_told_with_its_line(line, notes, fields, number):
    folder = notes(a=note(*fields))

    told = line("import", str(folder))

    assert f"a.md, line {number}: the front matter is no YAML" in told.out
    assert told.code == 0


def test_front_matter_that_never_ends_is_told(line, notes):
    told = line("import", str(notes(a=f"---\ntitle: Pool\n\n{BODY}\n")))

    assert "a.md, line 1: the front matter is no YAML" in told.out


@pytest.mark.parametrize(
    "fields",
    [
        ("title: Pool", "tags:", "  - a", "  - 'b: c'"),
        ("title: Pool at 10:30 # why", "link: https://example.org/a:b"),
        ("text: |", "  a: b: c", "tags: [a,", "  b]", 'quoted: "a: \\" b"'),
        ("# a comment", "title: 'it''s'", "author: {name: x}"),
    ],
)
def test_sound_front_matter_is_not_told(line, notes, fields):
    assert "no YAML" not in line("import", str(notes(a=note(*fields)))).out


def test_broken_front_matter_is_told_in_german(line, notes):
    told = line("import", str(notes(a=note("title: Pool: of the shop"))), MEMORY_LANG="de")

    assert "a.md, Zeile 2: der Kopf ist kein YAML" in told.out
