"""Matching against a naive matcher, and the index against both, on text that is hostile."""

import naive
import pytest
from hostile import text_and_clause, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import OpenShelf, Shelf

from frugal_modes.evidence.clauses import Wanted, wanted_of
from frugal_modes.evidence.form import fold, form_of
from frugal_modes.evidence.matching import Prepared, matcher_of
from frugal_modes.evidence.proposals import indexed, proposal_of
from frugal_modes.evidence.vocabulary import MATCH_KINDS

KINDS = st.sampled_from(MATCH_KINDS)


@given(texts())
def test_matching_form_is_that_of_the_whole_text(text: str) -> None:
    assert fold(text) == naive.form(text)


@given(texts())
def test_every_character_of_the_form_leads_back_to_where_it_came_from(text: str) -> None:
    form = form_of(text)

    for place in range(len(form.text)):
        start, end = form.original(place, place + 1)
        assert form.text[place] in naive.form(text[start:end])


@given(KINDS, text_and_clause())
def test_clauses_that_may_be_asked_are_those_with_a_word(kind: str, given_pair: tuple[str, str]) -> None:
    _, part = given_pair

    assert isinstance(wanted_of(kind, part), Wanted) == naive.is_askable(kind, part)


@given(KINDS, text_and_clause())
@settings(max_examples=400)
def test_spans_are_those_of_a_naive_matcher(kind: str, given_pair: tuple[str, str]) -> None:
    text, part = given_pair
    wanted = wanted_of(kind, part)
    if not isinstance(wanted, Wanted):
        return

    spans = matcher_of(wanted).spans(Prepared(text))

    assert spans == naive.matches(kind, part, text)


@given(KINDS, text_and_clause())
def test_hits_quote_the_words_that_match(kind: str, given_pair: tuple[str, str]) -> None:
    text, part = given_pair
    wanted = wanted_of(kind, part)
    if not isinstance(wanted, Wanted):
        return
    prepared = Prepared(text)

    for start, end in matcher_of(wanted).spans(prepared):
        first, last = prepared.original(start, end)
        assert prepared.folded[start:end] in naive.form(text[first:last])


@pytest.fixture(scope="module")
def index(open_shelf: OpenShelf) -> Shelf:
    return open_shelf()


@given(KINDS, text_and_clause())
@settings(max_examples=300)
def test_index_proposes_every_text_that_matches(index: Shelf, kind: str, given_pair: tuple[str, str]) -> None:
    text, part = given_pair
    wanted = wanted_of(kind, part)
    if not isinstance(wanted, Wanted) or not naive.matches(kind, part, text):
        return
    words, stems, _ = indexed(text)

    with index.store.write() as db:
        db.execute("INSERT INTO word_index (word_index) VALUES ('delete-all')")
        db.execute("INSERT INTO word_index (rowid, words, stems) VALUES (1, ?, ?)", (words, stems))
        found = db.execute(
            "SELECT rowid FROM word_index WHERE word_index MATCH ?", (proposal_of([[wanted]]),)
        )
        assert [row[0] for row in found] == [1]
