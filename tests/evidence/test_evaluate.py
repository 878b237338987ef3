"""The evaluation: counts equal truth, every answer within its cap, a table a recipe, and what fails is said."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.evidence.evaluation import measured
from frugal_modes.evidence.evaluation.asking import new_asker, over
from frugal_modes.evidence.evaluation.conversations import messages_of, question_words, questions_of
from frugal_modes.evidence.evaluation.locomo import SIZES, evaluate_conversations, query_of
from frugal_modes.evidence.evaluation.measured import Corpus, measure_corpus
from frugal_modes.evidence.evaluation.recipes import DISCOVER, RECIPES
from frugal_modes.evidence.generator.generating import write_corpus


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a generated week, which nobody changes, and its truth as a text."""
    folder = tmp_path_factory.mktemp("generated")
    options = Options(db=str(folder / "evidence.db"))
    engine = build_engine(
        load_settings(options, {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
    )
    call = engine.open(engine.registry.mode("evidence")).new_call(Client())
    truth = write_corpus(call, folder / "week.db", profile="week", seed=1, wording="train")
    return folder / "week.db", json.dumps(truth)


@pytest.fixture
def week(shell: Any, generated: tuple[Path, str]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield a call over a generated week, and its truth."""
    path, truth = generated
    with over(shell.workspace.new_call(Client()), path) as opened:
        yield opened, json.loads(truth)


def test_every_assertion_holds_for_a_week(week: tuple[Any, dict[str, Any]]) -> None:
    found = measure_corpus(*week)

    assert found.failed == ()
    assert [row.recipe for row in found.figures] == [recipe.name for recipe in RECIPES]
    assert found.of("measure").messages == 0
    assert found.of("broad").messages == 12
    assert found.of("refined").calls == 3
    assert all(row.examined > 0 and 0 < row.size_bytes < found.baseline for row in found.figures)


def test_a_count_that_differs_from_the_truth_fails(week: tuple[Any, dict[str, Any]]) -> None:
    call, truth = week
    truth["counts"]["client"]["messages"] += 1

    assert "counts_client" in measure_corpus(call, truth).failed


def test_a_planted_message_counts_only_whole(week: tuple[Any, dict[str, Any]]) -> None:
    call, _ = week
    asker = new_asker(call)
    told = asker.ask(*RECIPES[1].calls[0])

    assert told.is_within_cap
    assert told.refs(is_whole=True) <= told.refs()
    assert asker.size_bytes == told.size_bytes == told.structured["disclosure"]["response_bytes"]


def evaluate(shell: Any, **options: object) -> Any:
    return shell.workspace.call(Client(), "evidence_evaluate", options, from_shell=True)


def test_the_command_prints_a_row_a_recipe_and_ends_with_1_if_an_assertion_fails(
    shell: Any, generated: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def copied(call: Any, path: Path, *, profile: str, seed: int, wording: str) -> dict[str, Any]:
        shutil.copy(generated[0], path)
        return {**json.loads(generated[1]), "seed": seed, "wording": wording}

    def failing(call: Any, truth: Any) -> Corpus:
        found = measure_corpus(call, truth)
        return Corpus(**{**vars(found), "failed": ("refined_goal",) if truth["seed"] == 2 else ()})

    monkeypatch.setattr("frugal_modes.evidence.evaluation.evaluate.write_corpus", copied)
    monkeypatch.setattr("frugal_modes.evidence.evaluation.evaluate.measure_corpus", failing)

    good = evaluate(shell, profile="week", seeds="1", wording="train").answer
    bad = evaluate(shell, profile="week", seeds="2", wording="held-out").answer

    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert good.counts["failed"] == []
    assert bad.counts["failed"] == ["held-out/2: refined_goal"]
    assert [item["recipe"] for item in good.items] == [recipe.name for recipe in RECIPES]
    assert all(recipe.name in good.text for recipe in RECIPES)
    assert "refined_goal" in bad.text


@pytest.mark.parametrize("seeds", ["", "x", "1;2", "-1", "1.5", str(1 << 31), ",".join(map(str, range(101)))])
def test_seeds_that_are_none_are_refused(shell: Any, seeds: str) -> None:
    reply = evaluate(shell, profile="week", seeds=seeds)

    assert reply.is_error
    assert reply.answer.exit_code == 2


def turn(session: int, number: int, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": text, **more}


SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Left",
        "speaker_b": "Right",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn(1, 1, "Left", "I went sailing on the lake."),
            turn(1, 2, "Right", "Nice!", blip_caption="a boat at sunset"),
        ],
        "session_2_date_time": "12:05 am on 1 January, 2024",
        "session_2": [turn(2, 1, "Right", "My brother adopted a dog.")],
    },
    "qa": [
        {"question": "Where did Left go sailing?", "answer": "x", "evidence": ["D1:1"], "category": 4},
        {
            "question": "What about Right and the boat?",
            "answer": "x",
            "evidence": ["D:1:2; D9:9"],
            "category": 1,
        },
        {"question": "Did the dog bark?", "adversarial_answer": "x", "evidence": ["D2:1"], "category": 5},
        {"question": "Unanswerable?", "evidence": [], "category": 3},
    ],
}


def test_turns_are_messages_a_minute_apart_with_their_captions() -> None:
    first, second, third = messages_of(SAMPLE)

    assert (first.natural_key, first.sender_id, first.sent_at) == ("conv-1:D1:1", "Left", 1_683_554_160_000)
    assert (second.text, second.sent_at - first.sent_at) == ("Nice! [a boat at sunset]", 60_000)
    assert third.sent_at == 1_704_067_500_000


def test_questions_lose_stop_words_and_speakers_and_marks_without_a_turn() -> None:
    found = list(questions_of(SAMPLE))

    assert [question.words for question in found] == [("go", "sailing"), ("boat",), ("dog", "bark")]
    assert [sorted(question.gold) for question in found] == [
        ["conv-1:D1:1"],
        ["conv-1:D1:2"],
        ["conv-1:D2:1"],
    ]
    assert question_words("Who is Left?", {"left"}) == ["left"]


def test_the_protocol_gives_shares_for_every_setting(shell: Any, tmp_path: Path) -> None:
    source = tmp_path / "locomo.json"
    source.write_text(json.dumps([SAMPLE]), "utf-8")

    shares = evaluate_conversations(shell.workspace.new_call(Client()), source, tmp_path)

    largest = [share for share in shares if share.setting.size_bytes == max(SIZES)]
    assert len(shares) == 36
    assert all(share.questions == 2 for share in shares)
    assert all(share.visible == share.whole == share.visible_adversarial == 1.0 for share in largest)


def test_the_protocol_shows_what_the_tool_would_show(shell: Any, tmp_path: Path) -> None:
    from frugal_modes.evidence.evaluation import locomo

    source = tmp_path / "locomo.json"
    source.write_text(json.dumps([SAMPLE]), "utf-8")
    call = shell.workspace.new_call(Client())
    evaluate_conversations(call, source, tmp_path)
    question = next(questions_of(SAMPLE))

    with over(call, tmp_path / "locomo.db") as opened:
        arguments = {"query": query_of(question), "limit": 20, "context": 1, "max_bytes": 4_000}
        told = new_asker(opened).ask(DISCOVER, arguments)
        seen = {
            item.setting: item.visible
            for item in locomo._answers(opened, question, [])
            if item.setting.system == "discover"
        }

    assert not told.is_error
    assert seen[locomo.Setting("discover", "json", 1, 4_000)] == 1.0


def test_a_file_that_is_no_conversation_is_refused(shell: Any, tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text("[1]", "utf-8")

    assert evaluate(shell, locomo=str(source)).answer.exit_code == 2
    assert evaluate(shell, locomo=str(tmp_path / "nowhere")).answer.exit_code == 2


def test_the_goals_stand_where_they_were_set() -> None:
    assert (measured.BROAD_BYTES, measured.REFINED_BYTES, measured.THREE_BYTES) == (13_922, 17_122, 30_320)
    assert pytest.approx(0.004) == measured.MEASURE_SHARE
