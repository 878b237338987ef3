"""Queries that ask the same thing are the same query, and those with the same messages have one fingerprint."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shelf import START, OpenShelf, Shelf, asking, clause, message, messages

from frugal_modes.evidence.refs import THREAD, ref_of

TEXTS = (
    "Open AI wins", "open-ai, again", "runs", "running", "Straße café", "日本語", "name", "names", "closed", "other words",
)  # fmt: skip


@pytest.fixture(scope="module")
def shelf(open_shelf: OpenShelf) -> Shelf:
    shelf = open_shelf()
    shelf.load(
        [
            *messages(*TEXTS, sender_type="client"),
            message("in a thread", id="91", thread="root"),
            message("closed", id="90", sender_id="ben", conversation_id="side", sender_type="internal"),
        ]
    )
    return shelf


SAME_CANONICAL: list[tuple[Any, Any]] = [
    (asking("literal", "name"), asking("literal", " NA\u00adME  ")),
    (asking("literal", "café"), asking("literal", unicodedata.normalize("NFD", "CAFÉ"))),
    (asking("literal", "straße"), asking("literal", "STRASSE")),
    (asking("phrase", "name"), asking("literal", "name")),
    (asking("phrase", "open ai"), asking("phrase", "Open-AI!")),
    (asking("stem", "日本"), asking("literal", "日本")),
    (asking("stem", "runs"), asking("stem", "running")),
    (asking("literal", "name"), {"clauses": [clause("literal", "name", role="alias")]}),
    (asking("literal", "name"), {"clauses": [clause("literal", "name")] * 3, "combine": "any"}),
    (
        {"clauses": [clause("literal", "name"), clause("literal", "closed")], "combine": "any"},
        {"clauses": [clause("literal", "closed", group=4), clause("literal", "name", group=4)]},
    ),
    (
        asking("literal", "name"),
        {
            "clauses": [
                clause("literal", "name"),
                clause("literal", "name", group=1),
                clause("stem", "b", group=1),
            ]
        },
    ),
    (
        {"none": [clause("literal", "b"), clause("literal", "a")]},
        {"none": [clause("phrase", "A"), clause("literal", "b")]},
    ),
    ({}, {"filters": {"sender_ids": ["ada", "ben"]}, "timezone": "Europe/Berlin"}),
    ({}, {"filters": {"sender_types": ["internal", "client"], "corpora": ["chat"]}}),
    ({}, {"filters": {"from": START, "to": "2027-01-01"}}),
    ({"filters": {"sender_ids": ["ben", "nobody"]}}, {"filters": {"sender_types": ["internal"]}}),
    ({"filters": {"conversation_ids": ["side"]}}, {"filters": {"conversation_ids": ["SIDE", "side"]}}),
]


@pytest.mark.parametrize(("one", "other"), SAME_CANONICAL)
def test_rewritten_query_has_the_same_canonical_form(shelf: Shelf, one: Any, other: Any) -> None:
    assert shelf.query(one).canonical == shelf.query(other).canonical


def test_thread_named_in_two_ways_is_one_filter(shelf: Shelf) -> None:
    (mark,) = shelf.rows("SELECT mark, rest FROM thread")
    by_ref, by_name = ({"filters": {"thread_ids": [name]}} for name in (ref_of(THREAD, *mark), "root"))

    assert shelf.query(by_ref).canonical == shelf.query(by_name).canonical


def test_canonical_form_of_a_filter_on_many_senders_stays_short(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "evidence.db")
    shelf.load(
        message("x", id=str(number), sender_id=f"s{number}", sender_type="client" if number % 2 else "bot")
        for number in range(500)
    )

    clients, bots = (shelf.query({"filters": {"sender_types": [kind]}}) for kind in ("client", "bot"))

    assert clients.canonical != bots.canonical
    assert len(clients.canonical) < 100
    shelf.store.close()


SAME_POPULATION: list[tuple[Any, Any]] = [
    (asking("phrase", "open ai"), {"clauses": [clause("prefix", "op"), clause("literal", "ai")]}),
    (asking("literal", "runs"), {"clauses": [clause("stem", "run")], "none": [clause("literal", "running")]}),
    (asking("literal", "closed"), asking("stem", "closing")),
    ({"filters": {"sender_ids": ["ben"]}}, {"filters": {"conversation_ids": ["side"]}}),
]


@pytest.mark.parametrize(("one", "other"), SAME_POPULATION)
def test_same_messages_have_the_same_fingerprint(shelf: Shelf, one: Any, other: Any) -> None:
    assert shelf.query(one).canonical != shelf.query(other).canonical
    assert shelf.found(one).fingerprint == shelf.found(other).fingerprint


def test_other_messages_have_another_fingerprint(shelf: Shelf) -> None:
    asked = [asking("literal", word) for word in ("runs", "running", "name", "names", "closed", "words")]

    assert len({shelf.found(raw).fingerprint for raw in asked}) == len(asked)


def test_roles_tell_queries_apart_that_are_one_question(shelf: Shelf) -> None:
    alias = {"clauses": [clause("literal", "name", role="alias")]}

    assert shelf.query(alias).roles != shelf.query(asking("literal", "name")).roles


WORDS = st.sampled_from(("open", "ai", "Open-AI", "run", "日本", "café", "name"))
CLAUSES = st.lists(
    st.builds(
        lambda match, text, group: clause(match, text) | ({"group": group} if group else {}),
        st.sampled_from(("literal", "phrase", "stem")),
        WORDS,
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=5,
)


@given(CLAUSES, st.randoms(use_true_random=False), st.sampled_from((str.upper, str.title, str.lower)))
def test_order_repeats_spelling_and_roles_change_nothing(
    shelf: Shelf, clauses: list[dict[str, Any]], random: Any, spell: Any
) -> None:
    more = [
        {**one, "text": f" {unicodedata.normalize('NFD', spell(one['text']))} ", "role": "alias"}
        for one in (*clauses, *clauses[:1])
        if "group" in one or one in clauses
    ]
    random.shuffle(more)

    one, other = shelf.query({"clauses": clauses}), shelf.query({"clauses": more})

    assert one.canonical == other.canonical
    assert shelf.found({"clauses": clauses}).fingerprint == shelf.found({"clauses": more}).fingerprint


@given(CLAUSES, CLAUSES)
def test_equal_canonical_forms_find_the_same(
    shelf: Shelf, one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    first, second = shelf.query({"clauses": one}), shelf.query({"clauses": other})

    if first.canonical == second.canonical:
        assert shelf.texts({"clauses": one}) == shelf.texts({"clauses": other})
