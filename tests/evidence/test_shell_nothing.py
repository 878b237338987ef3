"""An answer without a hit says in the shell what is nowhere and what a filter could have been; reasons are words."""

import pytest
from corpora import Bench, message
from shell_line import Line


@pytest.fixture
def owner(bench: Bench) -> Bench:
    bench.fill(
        [
            message(0, "The refund for invoice 811 has not arrived.", sender="ann", sender_type="client"),
            message(1, "The refund for invoice 902 has not arrived.", sender="ben", sender_type="internal"),
        ]
    )
    return bench


@pytest.mark.parametrize("command", ["measure", "discover"])
@pytest.mark.parametrize(("language", "said"), [("en", "nowhere: refnd"), ("de", "nirgends: refnd")])
def test_words_that_no_message_has_are_named(
    owner: Bench, line: Line, command: str, language: str, said: str
) -> None:
    told = line(command, "--stem", "refnd", "--literal", "invoice", "--lang", language)

    assert told.out.splitlines()[-1] == f"! {said}"


def test_of_a_phrase_the_one_word_is_named(owner: Bench, line: Line) -> None:
    told = line("measure", "--phrase", "refund letter invoice")

    assert "nowhere: letter\n" in told.out


def test_words_that_occur_apart_are_not_nowhere(owner: Bench, line: Line) -> None:
    assert "nowhere" not in line("measure", "--phrase", "invoice refund").out
    assert "nowhere" not in line("measure", "--literal", "refund").out


@pytest.mark.parametrize(("language", "said"), [("en", "that occur"), ("de", "die es gibt")])
def test_values_that_a_filter_could_have_are_named(
    owner: Bench, line: Line, language: str, said: str
) -> None:
    told = line("measure", "--sender-type", "customer", "--lang", language)

    assert said in told.out
    assert told.out.splitlines()[-1].endswith(": client, internal")


def test_a_hostile_name_of_a_sender_stays_one_harmless_line(owner: Bench, line: Line) -> None:
    owner.fill([message(2, "hello", sender="evil\x1b[31m\n! name")])

    last = line("measure", "--sender", "nobody").out.splitlines()[-1]

    assert "\x1b" not in last
    assert last.startswith("! sender_ids that occur: ")


def test_a_program_gets_the_fields_of_the_specification_only(owner: Bench, line: Line) -> None:
    told = line("measure", "--stem", "refnd", "--sender-type", "customer", "--json").json

    assert told["warnings"] == [{"code": "unknown_values", "field": "sender_types", "count": 1}]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "nearly the same text as one shown"), ("de", "fast dem gleichen Text wie ein gezeigter")],
)
def test_what_is_held_back_is_told_in_words(owner: Bench, line: Line, language: str, said: str) -> None:
    told = line("discover", "--stem", "refund", "--lang", language).out

    assert said in told
    assert "near_duplicate" not in told
