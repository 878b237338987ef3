"""What is transmitted of a message: windows that tear nothing apart, offsets that quote the matched words."""

import re

from corpora import Bench, clause, messages
from hostile import texts
from hypothesis import example, given
from hypothesis import strategies as st

from frugal.api import is_boundary
from frugal_modes.evidence.cuts import JOINT, Cut, Hit, cleaned, cut, name_for_client

LIMIT = 320


def hits_of(text: str, *words: str) -> list[Hit]:
    """Return where words stand."""
    return [
        Hit(found.start(), found.end(), number)
        for number, word in enumerate(words)
        for found in re.finditer(re.escape(word), text)
    ]


@st.composite
def long_texts(draw: st.DrawFn) -> tuple[str, list[Hit], int]:
    """Return a text of many pieces, some hits in it, and a limit."""
    pieces = draw(st.lists(texts(), min_size=1, max_size=40))
    text = "".join(pieces) * draw(st.integers(1, 6))
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 60), st.integers(0, 5))
    raw = draw(st.lists(spans, max_size=12))
    found = sorted({Hit(start, min(start + size, len(text)), number) for start, size, number in raw})
    hits = [hit for hit in found if is_boundary(text, hit.start) and is_boundary(text, hit.end)]
    return text, hits, draw(st.sampled_from((160, LIMIT, 1_000)))


@given(long_texts())
@example(("👨‍👩‍👧‍👦" * 200, [], 160))
@example(("🇩🇪" * 400, [], 161))
@example(("a\r\n" * 300, [], 160))
@example(("한\u1112\u1161\u11ab" * 200, [], LIMIT))
@example(("e\u0301" * 500, [], 161))
def test_a_cut_tears_no_character_and_its_offsets_quote(case: tuple[str, list[Hit], int]) -> None:
    text, hits, limit = case

    shown = cut(text, hits, limit)

    safe = cleaned(text)
    assert len(shown.text) <= limit
    assert shown.is_clipped == (len(text) > limit)
    quotes = {(safe[hit.start : hit.end], hit.clause) for hit in hits}
    assert all((shown.text[hit.start : hit.end], hit.clause) in quotes for hit in shown.hits)
    assert len(shown.hits) <= 8
    for piece in windows(shown, safe):
        places = [found.start() for found in re.finditer(f"(?={re.escape(piece)})", safe)]
        assert any(is_boundary(safe, place) and is_boundary(safe, place + len(piece)) for place in places)


def windows(shown: Cut, safe: str) -> list[str]:
    """Return the windows of a cut, where the joint in the text itself does not confuse them."""
    if not shown.is_clipped:
        return [safe]
    return [] if "…" in safe else [piece for piece in shown.text.split(JOINT) if piece]


def test_hits_2000_characters_apart_are_both_shown() -> None:
    text = "lead " * 100 + "harbour" + " filler" * 300 + " pricing" + " tail" * 100
    hits = hits_of(text, "harbour", "pricing")

    shown = cut(text, hits, LIMIT)

    assert "harbour" in shown.text
    assert "pricing" in shown.text
    assert [shown.text[hit.start : hit.end] for hit in shown.hits] == ["harbour", "pricing"]


def test_three_windows_show_three_clauses_before_repeats_of_one() -> None:
    text = "one " * 50 + "x" * 500 + " two " + "y" * 500 + " three " + "z" * 500

    shown = cut(text, hits_of(text, "one", "two", "three"), LIMIT)

    assert {hit.clause for hit in shown.hits} == {0, 1, 2}
    assert shown.text.count(JOINT) == 2


def test_windows_begin_and_end_at_words_where_there_are_some() -> None:
    text = " ".join(f"word{n}" for n in range(400))
    hits = hits_of(text, "word200")

    shown = cut(text, hits, LIMIT)

    assert set(shown.text.split()) <= set(text.split())


def test_family_emoji_and_flag_at_the_edge_stay_whole() -> None:
    family, flag = "👨‍👩‍👧‍👦", "🇩🇪"
    text = "x" * 316 + family + "y" * 400 + flag

    shown = cut(text, [], LIMIT)

    assert "\u200d" not in shown.text
    assert shown.text.rstrip("x") == ""


def test_invisible_commands_arrive_as_replacement_characters() -> None:
    text = "safe\u202eevil\u2066 \U000e0041\U000e007f \x1b[31m tab\there\r\nline\x00"

    shown = cut(text, [], LIMIT)

    assert shown.is_cleaned
    assert shown.text == "safe\ufffdevil\ufffd \ufffd\ufffd \ufffd[31m tab\there\r\nline\ufffd"


def test_text_that_needs_no_cleaning_is_not_called_cleaned() -> None:
    assert not cut("Straße, 数据库 👩‍🚀\n\tok", [], LIMIT).is_cleaned


def test_a_match_longer_than_the_room_is_begun() -> None:
    text = "lead " * 100 + "needle" + " " * 400 + "thread" + " tail" * 100

    shown = cut(text, [Hit(500, 912, 0)], LIMIT)

    assert "needle" in shown.text
    assert shown.hits == ()


def test_names_are_one_line_of_80_characters() -> None:
    assert name_for_client("a\nb\u202e" + "x" * 200) == "a b\ufffd" + "x" * 76


def test_cleaned_and_clipped_are_told_and_the_store_keeps_the_original(bench: Bench) -> None:
    bench.fill(messages(["harbour \u202e" + "long " * 200]))

    told = bench.discover("harbour")

    (item,) = told["evidence"]
    assert (item["cleaned"], item["clipped"]) == (True, True)
    assert "text_clipped" in told["stop_reasons"]
    assert told["truncated"] is True
    with bench.workspace.store.read() as db:
        assert "\u202e" in db.execute("SELECT text FROM message").fetchone()[0]


def test_hits_name_the_first_clause_that_asks(bench: Bench) -> None:
    bench.fill(messages(["a boat and a ship"]))
    query = {"clauses": [clause("ship"), clause("boat"), clause("SHIP")], "combine": "any"}

    (item,) = bench("discover_messages", query=query)["evidence"]

    assert [(item["text"][start:end], number) for start, end, number in item["hits"]] == [
        ("boat", 1),
        ("ship", 0),
    ]
