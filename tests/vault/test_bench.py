"""bench: its figures, truth formats, baselines, fingerprints and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from frugal_modes.vault.bench_metrics import Shown, figures_of
from tests.vault.conftest import Vault

TRUTH = [
    {"query": "zebra", "acceptable": ["a.md"], "group": "animals"},
    {"query": "okapi", "acceptable": ["vault:b.md"], "group": "animals"},
    {"query": "unicorn", "acceptable": [], "group": "nothing"},
]


@pytest.fixture
def measured(vault: Vault) -> Vault:
    vault.write("a.md", "# Zebra\n\nthe zebra lives in the savanna")
    vault.write("b.md", "# Okapi\n\nthe okapi lives in the forest")
    return vault


def run(vault: Vault, truth: Any, tmp_path: Path, **more: object) -> Any:
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    arguments = {"queries": str(tmp_path / "truth.json"), **more}
    return vault.workspace.call(vault.client, "vault_bench", arguments, from_shell=True)


@pytest.mark.parametrize("truth", [TRUTH, {"queries": TRUTH, "other": 1}])
def test_truth_is_a_bare_list_or_an_object(measured: Vault, tmp_path: Path, truth: Any) -> None:
    reply = run(measured, truth, tmp_path)

    total = reply.answer.counts["results"]["default"]["total"]
    assert (total["n"], total["first_ok"], total["mrr"], total["ndcg@10"]) == (2, 1.0, 1.0, 1.0)
    assert (total["precision@5"], total["noise@5"], total["answered"]) == (1.0, 0.0, 0)
    assert set(reply.answer.counts["results"]) == {"default", "strict"}
    assert "default animals" in reply.text


def test_a_rightly_empty_query_with_hits_counts_as_answered(measured: Vault, tmp_path: Path) -> None:
    reply = run(measured, [{"query": "savanna", "acceptable": []}], tmp_path)

    total = reply.answer.counts["results"]["default"]["total"]
    assert (total["n"], total["n_empty"], total["answered"], total["answered_all"]) == (0, 1, 1, 1)


def test_a_run_that_cannot_be_saved_is_a_mistake_of_usage(measured: Vault, tmp_path: Path) -> None:
    reply = run(measured, TRUTH, tmp_path, save=str(tmp_path / "nowhere" / "run.json"))

    assert reply.error.exit_code == 2
    assert "run.json" in reply.text


def test_an_unknown_ref_is_listed_and_ends_with_2_unless_it_is_allowed(
    measured: Vault, tmp_path: Path
) -> None:
    truth = [*TRUTH, {"query": "x1", "acceptable": ["gone.md", "1"]}]

    refused = run(measured, truth, tmp_path)
    allowed = run(measured, truth, tmp_path, allow_unresolved=True)

    assert refused.error.exit_code == 2
    assert "gone.md" in refused.text
    assert allowed.answer.counts["unresolved"] == ["1", "gone.md"]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"queries": 3}', '[{"query": "x"}]', '[{"query": "x", "acceptable": [1]}]']
)
def test_a_file_that_is_no_truth_is_a_mistake_of_usage(measured: Vault, tmp_path: Path, text: str) -> None:
    (tmp_path / "truth.json").write_text(text)

    reply = measured.workspace.call(
        measured.client, "vault_bench", {"queries": str(tmp_path / "truth.json")}, from_shell=True
    )

    assert reply.error is not None
    assert reply.error.exit_code == 2
    assert "truth.json" in reply.text


def test_without_a_file_the_default_place_is_named(measured: Vault) -> None:
    reply = measured.workspace.call(measured.client, "vault_bench", {}, from_shell=True)

    assert reply.is_error
    assert "vault-truth.json" in reply.text


def test_a_planted_regression_is_named_and_fails(measured: Vault, tmp_path: Path) -> None:
    saved = str(tmp_path / "run.json")
    assert not run(measured, TRUTH, tmp_path, save=saved).is_error

    same = run(measured, TRUTH, tmp_path, baseline=saved)
    measured.write("b.md", "# Giraffe\n\nnothing about it any more")
    worse = run(measured, TRUTH, tmp_path, baseline=saved)

    assert not same.is_error
    assert "not worse" in same.text
    assert worse.answer.exit_code == 1
    assert "changed since the baseline: corpus" in worse.text.splitlines()[0]
    assert "WORSE: default total first_ok 1.0 -> 0.5" in worse.text


def test_a_changed_or_missing_fingerprint_alone_fails_nothing(measured: Vault, tmp_path: Path) -> None:
    saved = tmp_path / "run.json"
    run(measured, TRUTH, tmp_path, save=str(saved))
    kept = json.loads(saved.read_text())
    measured.write("c.md", "a card of no importance")

    changed = run(measured, TRUTH, tmp_path, baseline=str(saved))
    saved.write_text(json.dumps({"results": kept["results"]}))
    missing = run(measured, TRUTH, tmp_path, baseline=str(saved))

    assert not changed.is_error
    assert "corpus" in changed.text.splitlines()[0]
    assert not missing.is_error
    assert "no fingerprint" in missing.text


def test_learned_questions_are_off(measured: Vault, tmp_path: Path) -> None:
    measured("memory_search", query="lives savanna")
    measured("memory_get", id="a.md")
    measured.workspace.settle()

    reply = run(measured, [{"query": "lives savanna", "acceptable": ["b.md"]}], tmp_path)

    assert reply.answer.counts["results"]["default"]["total"]["first_ok"] == 0.0


def shown(hits: list[list[int]], grades: dict[int, int], **more: Any) -> Shown:
    return Shown("-", hits, grades, not grades, more.get("label", "any"), 100, 1.0)


def test_precision_is_capped_at_what_is_possible_and_summed() -> None:
    queries = [shown([[1], [2], [9]], {1: 1, 2: 1, 3: 1}), shown([[9], [8]], {4: 1})]

    values = figures_of(queries).values

    assert values["precision@5"] == pytest.approx(2 / (3 + 1))
    assert values["noise@5"] == pytest.approx((1 + 2) / (3 + 2))
    assert values["mrr"] == pytest.approx(0.5)


def test_a_group_of_duplicates_counts_as_its_best_member() -> None:
    values = figures_of([shown([[7, 1], [2]], {1: 3, 2: 1})]).values

    assert (values["first_ok"], values["ndcg@10"], values["precision@5"]) == (1.0, 1.0, 1.0)


def test_grades_order_the_ideal() -> None:
    best = figures_of([shown([[1], [2]], {1: 3, 2: 1})]).values["ndcg@10"]
    worse = figures_of([shown([[2], [1]], {1: 3, 2: 1})]).values["ndcg@10"]

    assert best == 1.0
    assert worse < 1.0
