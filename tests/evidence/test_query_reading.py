"""Reading a query: everything that is wrong with it at once, and what its filters mean."""

from dataclasses import replace
from typing import Any

import pytest
from shelf import MINUTE, START, OpenShelf, Shelf, asking, clause, message

from frugal.errors import Refused
from frugal_modes.evidence.errors import Denied
from frugal_modes.evidence.moments import zone_of


@pytest.fixture(scope="module")
def shelf(open_shelf: OpenShelf) -> Shelf:
    shelf = open_shelf()
    people: dict[str, dict[str, Any]] = {
        "ada": {"sender_type": "internal"},
        "ben": {"sender_type": "client", "organization": "Blue Ltd"},
        "cyd": {"sender_type": "client", "organization": "Red AG"},
    }
    rooms = {"c1": "General", "c2": "General", "c3": "Straße"}
    kinds = {"c1": "public_channel", "c2": "private_channel", "c3": "direct_message"}
    shelf.load(
        replace(
            message(f"word {sender} {room} {hour}", id=f"{sender} {room} {hour}"),
            sender_id=sender,
            sender_name=sender.title(),
            conversation_id=room,
            conversation_name=name,
            conversation_type=kinds[room],
            workspace="north" if room == "c1" else "",
            thread=f"root {room}" if hour else "",
            sent_at=START + hour * 60 * MINUTE,
            **people[sender],
        )
        for sender in people
        for room, name in rooms.items()
        for hour in range(3)
    )
    shelf.add("word elsewhere", corpus="other")
    return shelf


def problems(shelf: Shelf, raw: object) -> list[tuple[str, str]]:
    """Return code and field of every problem of *raw*."""
    with pytest.raises(Refused) as refused:
        shelf.query(raw)
    return [(one.denial, one.field) for one in refused.value.problems if isinstance(one, Denied)]


def count(shelf: Shelf, **filters: object) -> int:
    """Return how many messages pass *filters*."""
    return len(shelf.found({**asking("literal", "word"), "filters": filters}))


def test_every_problem_of_a_query_is_told_at_once(shelf: Shelf) -> None:
    raw = {
        "clauses": [clause("like", "x"), clause("literal", "++"), clause("prefix", "a", boost=2), "text"],
        "none": [clause("literal", "x", role="alias")],
        "combine": "some",
        "filters": {"from": "yesterday", "senders": []},
        "timezone": "Mars/Base",
        "size": 3,
    }

    assert problems(shelf, raw) == [
        ("unknown_argument", "query"),
        ("bad_query", "query.clauses[0].match"),
        ("bad_query", "query.clauses[1].text"),
        ("unknown_argument", "query.clauses[2]"),
        ("bad_query", "query.clauses[3]"),
        ("bad_query", "query.clauses[3].match"),
        ("bad_query", "query.clauses[3].text"),
        ("unknown_argument", "query.none[0]"),
        ("bad_query", "query.combine"),
        ("bad_time", "query.timezone"),
        ("unknown_argument", "query.filters"),
        ("bad_time", "query.filters.from"),
    ]


def test_number_of_clauses_counts_none_and_repeats(shelf: Shelf) -> None:
    same = [clause("literal", "word")] * 16

    assert shelf.query({"clauses": same}).canonical == shelf.query(asking("literal", "word")).canonical
    assert problems(shelf, {"clauses": same, "none": same[:1]}) == [("bad_query", "query.clauses")]


@pytest.mark.parametrize("text", ["x" * 201, "", None, ["x"], "\n"])
def test_text_has_1_to_200_characters_with_a_word(shelf: Shelf, text: object) -> None:
    assert problems(shelf, {"clauses": [{"match": "literal", "text": text}]}) == [
        ("bad_query", "query.clauses[0].text")
    ]


def test_numbers_and_objects_may_come_as_text(shelf: Shelf) -> None:
    query = shelf.query('{"clauses": [{"match": "literal", "text": 2026, "group": "3"}]}')

    assert (query.clauses[0].text, query.clauses[0].group) == ("2026", 3)
    assert problems(shelf, {"clauses": [clause("literal", "x", group=17)]}) == [
        ("bad_query", "query.clauses[0].group")
    ]


def test_list_holds_at_most_100_values(shelf: Shelf) -> None:
    assert problems(shelf, {"filters": {"sender_ids": ["x"] * 101}}) == [
        ("bad_query", "query.filters.sender_ids")
    ]


def test_range_that_ends_before_it_begins_is_refused(shelf: Shelf) -> None:
    assert problems(shelf, {"filters": {"from": START, "to": START}}) == [("bad_time", "query.filters.from")]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"corpora": ["chat"]}, 27),
        ({"conversation_ids": ["c1"]}, 9),
        ({"conversation_ids": ["general"]}, 18),
        ({"conversation_ids": ["STRASSE", "c1"]}, 18),
        ({"conversation_types": ["direct_message"]}, 9),
        ({"conversation_types": ["direct_message"], "conversation_ids": ["c1"]}, 0),
        ({"sender_ids": ["BEN"]}, 9),
        ({"sender_ids": ["ben", "Ben"]}, 9),
        ({"sender_types": ["client"]}, 18),
        ({"sender_types": ["client"], "organizations": ["blue ltd"]}, 9),
        ({"organizations": ["Blue Ltd", "Red AG"]}, 18),
        ({"workspaces": ["North"]}, 9),
        ({"thread_ids": ["root c2"]}, 6),
        ({"from": START + 60 * MINUTE}, 18),
        ({"to": START + 60 * MINUTE}, 10),
        ({"from": "2026-01-01T01:00Z", "to": "2026-01-01T02:00Z"}, 9),
        ({"from": str(START + 1), "conversation_ids": "c1"}, 6),
    ],
)
def test_filter_lets_through_what_a_plain_look_finds(
    shelf: Shelf, filters: dict[str, Any], expected: int
) -> None:
    assert count(shelf, **filters) == expected


def test_thread_is_named_by_its_ref_as_well(shelf: Shelf) -> None:
    from frugal_modes.evidence.refs import THREAD, ref_of

    mark, rest = shelf.rows("SELECT mark, rest FROM thread WHERE id = 'root c3'")[0]

    assert count(shelf, thread_ids=[ref_of(THREAD, mark, rest)]) == 6


@pytest.mark.parametrize(
    "name", ["a." * 3000, "x/" + "y." * 2000 + "z", "../../etc/passwd", "/etc/hosts", "Europe", "a\0b", "é"]
)
def test_hostile_name_of_a_time_zone_is_unknown(name: str) -> None:
    assert zone_of(name) is None


@pytest.mark.parametrize(
    "name", ["America/Argentina/ComodRivadavia", "Etc/GMT+12", "Europe/Berlin", "EST5EDT", "UTC"]
)
def test_name_of_a_time_zone_is_known(name: str) -> None:
    assert zone_of(name) is not None


def test_date_is_midnight_in_the_time_zone_of_the_query(shelf: Shelf) -> None:
    ask = asking("literal", "word")
    chat = {"corpora": ["chat"]}

    assert (
        len(shelf.found({**ask, "filters": {**chat, "from": "2026-01-01"}, "timezone": "Atlantic/Azores"}))
        == 18
    )
    assert (
        len(shelf.found({**ask, "filters": {**chat, "to": "2026-01-01"}, "timezone": "Europe/Berlin"})) == 0
    )


def test_unknown_values_are_counted_and_the_rest_is_evaluated(shelf: Shelf) -> None:
    raw = {"filters": {"sender_ids": ["ben", "nobody", "nemo"], "organizations": ["None AG", "Blue Ltd"]}}

    query = shelf.query(raw)

    assert query.warnings == (("organizations", 1), ("sender_ids", 2))
    assert len(shelf.found(raw)) == 9
    assert len(shelf.found({"filters": {"sender_ids": ["nobody"]}})) == 0


def test_id_is_taken_as_it_is_and_a_blank_means_nobody(shelf: Shelf) -> None:
    query = shelf.query({"filters": {"conversation_ids": ["C1"], "organizations": [" "]}})

    assert query.warnings == (("conversation_ids", 1), ("organizations", 1))


def test_server_restricted_to_a_corpus_sees_no_other(shelf: Shelf) -> None:
    assert len(shelf.found(asking("literal", "word"), "other")) == 1
    assert len(shelf.found({"filters": {"corpora": ["chat"]}}, "other")) == 0
    assert shelf.query({}, "chat", "ghost").scope.unknown == ("ghost",)


def test_query_may_have_filters_only_or_exclusions_only(shelf: Shelf) -> None:
    assert len(shelf.found({"filters": {"sender_ids": ["ada"]}})) == 10
    assert len(shelf.found({"none": [clause("literal", "ben")]})) == 19
    assert len(shelf.found({})) == 28
