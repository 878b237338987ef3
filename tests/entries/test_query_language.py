"""recall with an explicit query: exactly the entries that satisfy it match, in either language."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

FACTS = [
    "The quick brown fox jumps over the lazy dog",
    "Connecting pools to the database",
    "The connections were lost",
    "Käse aus der Schweiz, getUserById in src/main.py",
    "数据库连接池的最大值是二十",
    "The Who played in Leeds",
    "to be or not to be",
]


@pytest.fixture(params=["en", "de"])
def shell(request, open_shell):
    opened = open_shell(request.param)
    for fact in FACTS:
        opened("remember", text=fact)
    return opened


def found(answer: str) -> set[int]:
    return {int(number) for number in re.findall(r"(?m)^#(\d+) ", answer)}


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ('"quick brown"', {1}),
        ('"brown quick"', set()),
        ('"QUICK Brown"', {1}),
        ("connecti*", {2, 3}),
        ("connectin*", {2}),
        ("connect* AND NOT lost", {2}),
        ("fox OR database", {1, 2}),
        ("(fox OR database) AND pools", {2}),
        ("fox NOT dog", set()),
        ('"kase"', {4}),
        ('"Kase aus"', {4}),
        ('"Käsen"', set()),
        ("käsen AND schweiz", {4}),
        ('"src/main.py"', {4}),
        ("src/main.py AND getUserById", {4}),
        ('"连接池"', {5}),
        ("数据*", {5}),
        ('"to be or not"', {7}),
        ('"the who"', {6}),
        ("Lee* OR kä*", {4, 6}),
        ('pool "connecting"', {2}),
    ],
)
def test_exactly_the_entries_that_satisfy_the_query_match(shell, query, ids):
    answer = shell("recall", query=query)

    assert found(answer) == ids


def test_malformed_query_says_that_operators_were_read_as_words(open_shell):
    en, de = open_shell("en"), open_shell("de")
    en("remember", text=FACTS[0])

    assert "; operators read as words" in en("recall", query="fox AND (dog")
    assert "; Operatoren als Wörter gelesen" in de("recall", query="NOT fox")


def test_explicit_query_without_match_counts_what_plain_words_would_find(open_shell):
    en, de = open_shell("en"), open_shell("de")
    en("remember", text=FACTS[0])

    assert "As plain words: 1." in en("recall", query='"brown quick"')
    assert "Als einfache Wörter: 1." in de("recall", query='"brown quick"')


def test_stop_words_count_if_nothing_else_is_left(shell):
    both = shell("recall", query="the who")
    sentence = shell("recall", query="to be or not to be")

    assert both.splitlines()[1].startswith("#6 ")
    assert sentence.splitlines()[1].startswith("#7 ")


def test_filters_hold_for_explicit_queries_and_hidden_ones_are_counted(open_shell):
    en = open_shell("en")
    en("remember", text="alpha beta in shop", tags="shop")
    en("remember", text="alpha beta elsewhere", tags="other")
    en("remember", text="alpha beta long ago", tags="shop", kind="history")

    answer = en("recall", query='"alpha beta"', tag="shop")

    assert found(answer) == {1}
    assert '1 in history hidden (kind="history")' in answer


def test_pieces_of_one_memo_and_limit_hold_for_explicit_queries(open_shell):
    en = open_shell("en")
    for number in range(12):
        en("remember", text=f"alpha beta number {number}")

    answer = en("recall", query="alpha AND beta", limit=5)

    assert answer.startswith('5 of 12 match "alpha AND beta"')
    assert len(found(answer)) == 5


WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta"])


@given(texts=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=6), one=WORDS, two=WORDS)
def test_operators_mean_set_operations(tmp_path_factory, texts, one, two):
    from frugal.call import Client
    from frugal.engine import build_engine
    from frugal.settings import Options, load_settings

    file = tmp_path_factory.mktemp("sets") / "memory.db"
    engine = build_engine(load_settings(Options(db=str(file), lang="en"), {"MEMORY_NAME": "box"}))
    workspace = engine.open(engine.registry.mode("memory"))
    for number, words in enumerate(texts):
        workspace.call(Client(), "remember", {"text": f"{' '.join(words)} x{number}"})

    def ids(query: str) -> set[int]:
        return found(workspace.call(Client(), "recall", {"query": query, "limit": 50}).text)

    with_one = {number for number, words in enumerate(texts, 1) if one in words}
    with_two = {number for number, words in enumerate(texts, 1) if two in words}
    assert ids(f"{one} AND {two}") == with_one & with_two
    assert ids(f"{one} OR {two}") == with_one | with_two
    assert ids(f"{one} NOT {two}") == with_one - with_two
    workspace.close()


def test_of_equal_hits_the_newer_comes_first_then_the_higher_id(open_shell, clock):
    en = open_shell("en")
    clock.advance(days=10)
    en("remember", text="alpha beta", tags="one")
    clock.advance(days=-5)
    en("remember", text="alpha  beta", tags="two")
    en("remember", text="alpha   beta", tags="three")

    answer = en("recall", query="alpha beta")

    assert re.findall(r"(?m)^#(\d+) ", answer) == ["1", "3", "2"]
