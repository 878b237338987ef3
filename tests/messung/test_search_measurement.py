"""The measurement of retrieval on made-up data, and the yardstick against the published table."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from frugal.search import LexicalRetriever
from messung import search
from messung.__main__ import main
from messung.datasets import Entry, load
from messung.scores import mean_score, sight
from messung.systems import SYSTEMS, Answer, open_system
from messung.systems.fts5 import or_query
from messung.systems.ours import Ours
from messung.unavailable import NotAvailable


class Fixed:
    """A system that gives what it was told to, and notes in which order it was used."""

    version = "fixed"

    def __init__(self) -> None:
        self.calls: list[str] = []

    def store(self, entries: Sequence[Entry]) -> list[int]:
        return [1, 1, *range(2, len(entries))]

    def ask(self, query: str, limit: int) -> Answer:
        self.calls.append("ask")
        return Answer((1, 2), "#1 line\n#2 line")

    def read(self, entry_id: int) -> str:
        self.calls.append(f"read {entry_id}")
        return f"#{entry_id} Ben: I painted a lighthouse." if entry_id == 2 else f"#{entry_id} nothing"

    def close(self) -> None:
        self.calls.append("close")


def test_entries_are_opened_only_after_every_question_was_asked(
    made_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = Fixed()
    monkeypatch.setitem(SYSTEMS, "fixed", lambda _folder: fixed)

    search.measure("fixed", load(made_up, "locomo-turn"))

    assert fixed.calls == ["ask", "ask", "ask", "read 1", "read 2", "close"]


def test_entries_that_share_an_id_cover_what_both_hold(
    made_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SYSTEMS, "fixed", lambda _folder: Fixed())

    run = search.measure("fixed", load(made_up, "locomo-turn"))

    assert run.judged[0].hits[0] == {"conv-1/D1:1", "conv-1/D1:2"}


def test_reading_costs_the_answer_and_every_entry_up_to_the_evidence(
    made_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SYSTEMS, "fixed", lambda _folder: Fixed())

    run = search.measure("fixed", load(made_up, "locomo-turn"))

    answer, first, second = "#1 line\n#2 line", "#1 nothing", "#2 Ben: I painted a lighthouse."
    assert run.judged[1].sight_bytes == len(answer) + len(first) + len(second)
    assert run.judged[2].sight_bytes is None


def test_plain_fts5_leaves_stop_words_out_unless_nothing_else_is_left() -> None:
    assert or_query("What did Ben's heron eat?") == '"ben" OR "s" OR "heron" OR "eat"'
    assert or_query("what is it") == '"what" OR "is" OR "it"'
    assert or_query("?!") == ""


@pytest.mark.parametrize("name", ["fts5", "bm25s"])
def test_yardsticks_find_the_heron_and_nothing_for_an_unknown_word(name: str, made_up: Path) -> None:
    entries = load(made_up, "locomo-turn").entries
    try:
        with open_system(name) as system:
            ids = system.store(entries)

            found = system.ask("Where does the heron nest?", 10)

            assert found.ids == (ids[0],)
            assert found.text.startswith(f"#{ids[0]} Ada: The heron")
            assert system.ask("zzz", 10).ids == ()
    except NotAvailable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("name", ["ours", "ours-together"])
def test_this_project_is_asked_through_its_tools_and_its_hit_lines_give_the_ids(
    name: str, made_up: Path
) -> None:
    entries = load(made_up, "locomo-turn").entries
    with open_system(name) as system:
        ids = system.store(entries)

        found = system.ask("Where does the heron nest?", 10)

        assert ids == [1, 2, 3]
        assert found.ids[0] == 1
        assert entries[0].text in system.read(1)
        assert system.ask("zzz", 10).ids == ()


def test_another_retriever_can_stand_behind_the_same_recall(made_up: Path) -> None:
    with open_system("ours") as system:
        assert isinstance(system, Ours)
        system.store(load(made_up, "locomo-turn").entries)
        shipped = system.ask("Where does the heron nest?", 10)

        system.retriever = LexicalRetriever()

        assert system.ask("Where does the heron nest?", 10) == shipped


def test_report_names_what_was_not_measured_and_why(
    made_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FRUGAL_PREDECESSOR", raising=False)
    out = tmp_path / "out"

    path = search.run(
        made_up, ["fts5", "predecessor"], out=out, is_quick=False, command="test", today=date(2026, 1, 2)
    )

    text = path.read_text("utf-8")
    assert "Not measured: frugal-memory 0.2.0 (set FRUGAL_PREDECESSOR" in text
    assert "2026-01-02\tsearch\tcranfield fts5 nDCG@10\t1.000" in (out / "history.tsv").read_text("utf-8")


def test_quick_reports_stay_out_of_the_history(made_up: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    code = main(["search", "--quick", "--systems", "fts5", "--data", str(made_up), "--out", str(out)])

    assert code == 0
    assert [path.name for path in out.iterdir()] == ["search.md"]


def test_missing_data_ends_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["search", "--data", str(tmp_path / "nowhere")])

    assert code == 2
    assert "FRUGAL_DATA" in capsys.readouterr().err


PUBLISHED = [
    (
        "locomo-session",
        {"recall@1": 61.1, "recall@5": 86.5, "recall@10": 93.0, "hit@1": 67.6, "hit@10": 96.8, "MRR": 78.5},
    ),
    ("locomo-fact", {"recall@1": 45.3, "recall@5": 64.2, "recall@8": 68.2, "recall@10": 70.1, "MRR": 58.3}),
    ("xquad-de", {"hit@1": 87.1, "hit@5": 96.5, "MRR": 91.2}),
    ("xquad-zh", {"hit@1": 9.9, "hit@5": 12.1, "MRR": 11.0}),
    ("cranfield", {"nDCG@10": 37.9, "recall@10": 39.8, "hit@1": 31.6, "MRR": 51.9}),
]


@pytest.mark.parametrize(("name", "published"), PUBLISHED)
def test_plain_fts5_gives_the_published_scores(
    public_data: Path, name: str, published: dict[str, float]
) -> None:
    judged = search.measure("fts5", load(public_data, name)).judged

    measured = {score: 100 * mean_score(judged, score) for score in published}

    assert measured == pytest.approx(published, abs=0.07)


def test_plain_fts5_reads_as_much_as_published(public_data: Path) -> None:
    run = search.measure("fts5", load(public_data, "locomo-session"))

    found = sight(run.judged)

    assert found is not None
    assert (round(run.mean_bytes), found.median_bytes) == (1249, 5274)
    assert [round(100 * share, 1) for share in found.within] == [0.9, 25.5, 75.3]
