"""Scans: counts equal a naive look at every message, whatever the way to the candidates; limits cut them honestly."""

import time
from dataclasses import replace
from functools import cache
from typing import Any

import naive
import pytest
from hostile import text_and_clause
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import MINUTE, START, OpenShelf, Shelf, asking, clause, message, messages

from frugal.api import OutOfTime, limited
from frugal.errors import StoreFailed
from frugal_modes.evidence import access, scanning
from frugal_modes.evidence.kept import Kept
from frugal_modes.evidence.scanning import Counts, Incomplete, Limits, Population, examine, matches
from frugal_modes.evidence.vocabulary import MATCH_KINDS

ENDLESS = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n
"""


@pytest.fixture(scope="module")
def pile(open_shelf: OpenShelf) -> Shelf:
    """Keep 300 messages that repeat a few words in several rooms."""
    shelf = open_shelf()
    words = ("apple", "apples", "Äpfel", "pear tree", "pear, tree", "苹果汁", "a-b", "x")
    shelf.load(
        replace(
            message(" ".join(words[(number * step) % 8] for step in range(1, 4)), id=str(number)),
            conversation_id=f"room {number % 5}",
            sender_id=f"sender {number % 7}",
            thread=str(number - number % 10) if number % 3 else "",
        )
        for number in range(300)
    )
    return shelf


@cache
def naive_count(kind: str, part: str, text: str) -> int:
    return len(naive.matches(kind, part, text))


def naive_rows(shelf: Shelf, raw: dict[str, Any], where: str = "1") -> list[tuple[int, int]]:
    """Return number and occurrences of each message that *raw* finds, by looking at every one."""
    found = []
    for number, text in shelf.rows(f"SELECT number, text FROM message WHERE {where} ORDER BY number"):
        counts = {
            (one["match"], one["text"]): naive_count(one["match"], one["text"], text)
            for one in raw.get("clauses", ())
        }
        groups: dict[object, list[int]] = {}
        for place, one in enumerate(raw.get("clauses", ())):
            group = "any" if raw.get("combine") == "any" else one.get("group") or f"own {place}"
            groups.setdefault(group, []).append(counts[one["match"], one["text"]])
        out = any(naive_count(one["match"], one["text"], text) for one in raw.get("none", ()))
        if all(any(group) for group in groups.values()) and not out:
            found.append((number, sum(counts.values())))
    return found


WORDS = ("apple", "Äpfel", "pear tree", "苹果", "汁", "a-b", "tree", "x")
CLAUSES = st.lists(
    st.builds(
        lambda match, text, group: clause(match, text) | ({"group": group} if group else {}),
        st.sampled_from(("literal", "phrase", "stem")),
        st.sampled_from(WORDS),
        st.integers(0, 2),
    ),
    max_size=4,
    unique_by=lambda one: one["text"],  # a phrase of one word is a literal, and equal clauses count once
)
NONE = st.lists(st.builds(clause, st.just("literal"), st.sampled_from(WORDS)), max_size=2)
FILTERS = st.sampled_from(
    (
        ({}, "1"),
        ({"conversation_ids": ["room 1", "room 3"]}, "conversation IN (2, 4)"),
        ({"sender_ids": ["sender 2"]}, "sender = 3"),
        ({"from": START + 100 * MINUTE, "to": START + 200 * MINUTE}, "number BETWEEN 101 AND 200"),
        (
            {"thread_ids": ["60"]},
            "thread = (SELECT number FROM thread WHERE id = '60' ORDER BY number LIMIT 1)",
        ),
    )
)


@given(CLAUSES, NONE, st.sampled_from(("all", "any")), FILTERS, st.sampled_from((0, 5_000)))
@settings(max_examples=150)
def test_counts_are_those_of_a_naive_look(
    pile: Shelf, clauses: list[Any], none: list[Any], combine: str, chosen: tuple[Any, str], few: int
) -> None:
    filters, where = chosen
    if "thread_ids" in filters:
        where = "thread IN (SELECT number FROM thread WHERE id = '60')"
    raw = {"clauses": clauses, "none": none, "combine": combine, "filters": filters}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "FEW", few)
        population = pile.found(raw)

    expected = naive_rows(pile, raw, where)
    assert sorted(population.numbers) == [number for number, _ in expected]
    assert population.counts().occurrences == sum(count for _, count in expected)
    assert len(population) == population.counts().messages


@given(st.lists(st.tuples(st.sampled_from(MATCH_KINDS), text_and_clause()), min_size=1, max_size=5))
@settings(max_examples=25)
def test_hostile_texts_are_found_like_a_naive_look_finds_them(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, tuple[str, str]]]
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("hostile") / "evidence.db")
    shelf.add(*(text for _, (text, _) in drawn))

    for kind, (_, part) in drawn:
        if naive.is_askable(kind, part):
            raw = asking(kind, part)
            expected = naive_rows(shelf, raw)
            assert sorted(shelf.found(raw).numbers) == [number for number, _ in expected]
            assert shelf.found(raw).counts().occurrences == sum(count for _, count in expected)
    shelf.store.close()


def test_counts_name_threads_conversations_senders_and_roles(shelf: Shelf) -> None:
    shelf.load(
        [
            message("acme", id="1"),
            message("acme acme", id="2", thread="1"),
            message("old name", id="3", sender_id="ben", conversation_id="side"),
            message("acme old name", id="4", sender_id="ben"),
        ]
    )
    raw = {
        "clauses": [clause("literal", "acme"), clause("phrase", "old name", role="alias")],
        "combine": "any",
    }
    query, population = shelf.query(raw), shelf.found(raw)

    assert population.counts() == Counts(messages=4, occurrences=6, threads=3, conversations=2, senders=2)
    assert population.counts(query.places("canonical")) == Counts(3, 4, 2, 1, 2)
    assert population.counts(query.places("alias")) == Counts(2, 2, 2, 2, 1)


def test_hits_quote_the_words_of_the_original_text(shelf: Shelf) -> None:
    query = shelf.query({"clauses": [clause("literal", "strasse"), clause("stem", "walk", role="alias")]})
    text = "Ge\u00adhen: walking die Stra\u00dfe, WALKS"

    hits = matches(text, query)

    assert [(text[start:end], number) for start, end, number in hits] == [
        ("walking", 1),
        ("Straße", 0),
        ("WALKS", 1),
    ]
    assert examine(text, query) == (True, hits)
    assert examine("walking", query)[0] is False


def test_visitor_sees_every_match_with_its_hits(shelf: Shelf) -> None:
    shelf.add("one name", "none", "name name")
    seen: list[tuple[int, str, int]] = []

    shelf.found(
        asking("literal", "name"), visit=lambda number, text, hits: seen.append((number, text, len(hits)))
    )

    assert seen == [(1, "one name", 1), (3, "name name", 2)]


def test_rows_of_a_scan_are_used_again_until_something_changes(shelf: Shelf) -> None:
    shelf.add("name one", "name two", "other")
    kept, raw = Kept(), asking("literal", "name")

    first = shelf.found(raw, kept=kept)
    with shelf.store.write() as db:  # what the index says does not matter any more
        db.execute("INSERT INTO word_index (word_index) VALUES ('delete-all')")
    again = shelf.found(raw, kept=kept, counts_occurrences=False)
    shelf.add("name three", first=9, sender_id="ben")
    after = shelf.found(raw, kept=kept)

    assert (list(again.numbers), again.fingerprint) == (list(first.numbers), first.fingerprint)
    assert list(again.threads) == list(first.threads)
    assert list(after.numbers) == [4]


def test_kept_rows_are_bounded_in_number_and_size() -> None:
    from array import array

    kept = Kept(queries=2, size_bytes=100)

    for key in "abc":
        kept.put(key, array("q", range(4)))
    kept.put("big", array("q", range(50)))

    assert [kept.get(key) is not None for key in ("a", "b", "c", "big")] == [False, False, False, False]


def test_too_many_candidates_cut_the_scan_without_any_number(shelf: Shelf) -> None:
    shelf.add(*["name"] * 200)

    assert shelf.scan(asking("literal", "name"), limits=Limits(100, 60)) == Incomplete("candidate_limit", 128)
    assert isinstance(shelf.scan(asking("literal", "name"), limits=Limits(200, 60)), Population)


def test_time_that_is_up_cuts_the_scan(shelf: Shelf) -> None:
    shelf.add(*["name"] * 200)

    cut = shelf.scan(asking("literal", "name"), limits=Limits(1_000, -1))

    assert isinstance(cut, Incomplete)
    assert cut.reason == "time_limit"


def test_time_limit_holds_inside_a_sort(shelf: Shelf) -> None:
    shelf.add("one")
    started = time.process_time()

    with shelf.read() as db, pytest.raises(OutOfTime), limited(db, 0.3):
        db.execute(f"{ENDLESS} ORDER BY i * 7919 % 1000003").fetchone()

    assert time.process_time() - started < 30  # not the hours it would take
    assert len(shelf.found({})) == 1  # the connection is as good as before


def test_sort_over_millions_of_rows_ends_within_a_quarter_of_a_second_of_its_limit(shelf: Shelf) -> None:
    shelf.add("one")

    with shelf.read() as db:
        started = time.thread_time()  # no more than the time that passes, however busy the machine is
        with pytest.raises(OutOfTime), limited(db, 1.0):
            db.execute(f"{ENDLESS} ORDER BY i * 7919 % 1000003").fetchone()
        spent = time.thread_time() - started

    assert spent < 1.25


def test_interruption_from_outside_is_no_time_limit(shelf: Shelf) -> None:
    shelf.add("one")

    def stop_while_reading() -> None:
        with shelf.read() as db, limited(db, 600):
            db.create_function("stop", 0, shelf.store.interrupt)
            db.execute(f"SELECT stop(), i FROM ({ENDLESS})").fetchall()

    with pytest.raises(StoreFailed):
        stop_while_reading()


def test_fingerprint_depends_on_no_order(pile: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {**asking("stem", "apple"), "filters": {"conversation_ids": ["room 4", "room 0"]}}

    by_room = pile.found(raw)
    monkeypatch.setattr(access, "FEW", 0)
    by_index = pile.found(raw)

    assert list(by_index.numbers) != list(by_room.numbers)
    assert by_index.fingerprint == by_room.fingerprint


def test_long_texts_are_scanned_with_an_eye_on_the_clock(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[bool] = []
    monkeypatch.setattr(scanning, "LONG_TEXT", 10)
    monkeypatch.setattr("frugal.store.limits.Limited.check", lambda _self: looks.append(True))
    shelf.add(*messages_of_length(20, count=5))

    shelf.found(asking("literal", "name"))

    assert len(looks) >= 6


def messages_of_length(length: int, *, count: int) -> list[str]:
    return [message.text for message in messages(*(["name " * length] * count))]
