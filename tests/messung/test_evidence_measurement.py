"""The measurement of a large corpus of messages, on one small enough for a test."""

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from frugal_modes.evidence.tools import STRATEGIES
from messung import evidence, inquiries, messages
from messung.child import Ended
from messung.evidence import WANTED, Loaded
from messung.inquiries import Asked, Cut, Reply, large_queries, queries
from messung.messages import Frequencies
from messung.timing import Times
from messung.verdicts import TOO_SMALL

TODAY = date(2026, 11, 2)
LATE = Cut("late", 3.0, True, 1.1, "incomplete", False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Loaded]:
    """The smallest generated corpus, written as JSON Lines and imported twice."""
    place = tmp_path_factory.mktemp("evidence")
    return place, evidence.load(place, "week")


def test_messages_are_written_and_every_one_imported(corpus: tuple[Path, Loaded]) -> None:
    place, loaded = corpus
    lines = (place / messages.FILE).read_text("utf-8").splitlines()

    record = json.loads(lines[0])

    assert len(lines) == loaded.messages > 0
    assert {"id", "text", "sent_at", "sender", "conversation"} <= set(record)
    assert record["sent_at"].endswith("+00:00")
    assert loaded.first.peak_bytes > 0


def test_second_import_is_one_of_nothing_new(corpus: tuple[Path, Loaded]) -> None:
    _, loaded = corpus

    assert str(loaded.messages) in loaded.second.output.replace(",", "")


def test_every_question_is_asked_and_answered_completely(
    corpus: tuple[Path, Loaded], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, _ = corpus
    few = ("measure_messages", "sample_messages, across_time")
    monkeypatch.setattr(inquiries, "TOOLS", {label: inquiries.TOOLS[label] for label in few})
    words = messages.frequencies(place / messages.FILE).between(*evidence.FREQUENCIES)

    asked = inquiries.ask(place, words, calls=2)

    assert [item.label for item in asked] == list(few)
    assert all(len(item.times.seconds) == 2 and item.is_complete for item in asked)
    assert all(len(item.matching) == 2 for item in asked)


def test_every_strategy_of_sampling_is_measured() -> None:
    measured = [arguments["strategy"] for _, arguments in inquiries.TOOLS.values() if "strategy" in arguments]

    assert tuple(measured) == STRATEGIES


def test_words_of_one_frequency_are_drawn_the_same_each_time() -> None:
    counted = Frequencies(1000, Counter({"rare": 5, "one": 10, "two": 13, "frequent": 100}))

    found = counted.between(0.006, 0.014)

    assert sorted(found) == ["one", "two"]
    assert found == counted.between(0.006, 0.014)
    assert counted.most_frequent()[0] == "frequent"


def test_too_few_words_are_asked_again_of_one_type_of_sender() -> None:
    asked = queries(["one", "two"], 3)

    assert [query.get("filters") for query in asked] == [None, None, {"sender_types": ["internal"]}]
    assert len({json.dumps(query) for query in asked}) == 3


def test_large_queries_grow() -> None:
    sizes = [
        json.dumps(query).count('"text"') for query in large_queries([f"w{n}" for n in range(20)]).values()
    ]

    assert sizes == [1, 4, 16, 16]


@pytest.mark.parametrize(
    ("content", "matching", "has_totals"),
    [
        ({"outcome": "complete", "counts": {"messages": 7}, "omitted": {"total": 1}}, 7, True),
        ({"outcome": "complete", "population": {"messages": 3}}, 3, True),
        ({"outcome": "incomplete", "omitted": None, "examined": 100}, None, False),
    ],
)
def test_totals_of_an_answer_are_recognised(
    content: dict[str, object], matching: int | None, has_totals: bool
) -> None:
    reply = Reply(1, content)

    assert (reply.matching, reply.has_totals) == (matching, has_totals)


@pytest.mark.parametrize(
    ("cut", "takes_longer"),
    [
        (Cut("fast", 0.4, True, 0.4, "complete", True), False),
        (Cut("near", 1.1, True, 1.1, "complete", True), False),
        (Cut("cut", 1.1, True, 0.9, "incomplete", False), True),
        (Cut("never done", 30.0, False, 1.0, "incomplete", False), True),
        (LATE, True),
    ],
)
def test_only_a_query_that_cannot_be_done_in_time_counts_as_cut(cut: Cut, takes_longer: bool) -> None:
    assert cut.takes_longer is takes_longer


def _loaded(count: int, seconds: float) -> Loaded:
    return Loaded(count, 1000, 2000, *(Ended(seconds, 2**20, "") for _ in range(3)))


def test_goals_for_a_million_are_not_judged_on_less() -> None:
    asked = [Asked("measure_messages", times=Times([0.1, 0.2]))]

    words = [item.word for item in evidence.verdicts(_loaded(40_000, 4), asked, [LATE])]

    assert words == [TOO_SMALL, TOO_SMALL, TOO_SMALL, "reached", "reached"]


def test_goals_that_are_missed_are_told() -> None:
    asked = [Asked("measure_messages", times=Times([2.0, 3.0]))]
    lying = Cut("lying", 3.0, True, 1.5, "complete", True)

    words = [item.word for item in evidence.verdicts(_loaded(1_000_000, 400), asked, [lying])]

    assert words == ["missed", "reached", "missed", "missed", "missed"]


def test_nothing_cut_is_said_and_not_judged() -> None:
    verdicts = evidence.verdicts(_loaded(1_000_000, 4), [], [Cut("fast", 0.1, True, 0.1, "complete", True)])

    assert [(item.wanted, item.word) for item in verdicts[2:]] == [(wanted, "-") for wanted in WANTED[2:]]


def test_report_without_ours_says_what_is_missing(tmp_path: Path) -> None:
    path = evidence.run(tmp_path, ["fts5"], out=tmp_path, is_quick=True, command="x", today=TODAY)

    assert "Not measured: frugal-memory (not asked for)" in path.read_text("utf-8")
