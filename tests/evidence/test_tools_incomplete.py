"""A scan that is cut says so: no totals, no partial numbers, the reason, and a way to narrow."""

import json
from typing import Any

import jsonschema
import pytest
from corpora import Bench, clause, message, unlike

from frugal_modes.evidence import discover, inquiry, settings
from frugal_modes.evidence.ledger import Ledger
from frugal_modes.evidence.schemas import DISCOVERY, EXPORT, MEASUREMENT, SAMPLE, STRICT

PUBLISHED = {"measurement": MEASUREMENT, "discovery": DISCOVERY, "sample": SAMPLE, "export": EXPORT}
QUERY = {"clauses": [clause("harbour")]}


@pytest.fixture
def large(bench: Bench) -> Bench:
    bench.fill([message(n, f"harbour {unlike(n, 8)}", conversation=f"c{n % 3}") for n in range(300)])
    return bench


@pytest.fixture
def cut(large: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(inquiry, "CANDIDATES", 100)
    return large


def check(told: dict[str, Any], reason: str) -> None:
    """Check what every answer of a cut scan has in common."""
    jsonschema.validate(told, STRICT[told["kind"]])
    jsonschema.validate(told, PUBLISHED[told["kind"]])  # a client refuses what its tool did not announce
    assert told["outcome"] == "incomplete"
    assert told["truncated"] is True
    assert told["omitted"] is None
    assert reason in told["stop_reasons"]
    assert told["examined"] >= 0
    assert not {"counts", "buckets", "roles", "forms"} & set(told)
    assert told["next_actions"] == [{"tool": "measure_messages", "args": {}, "why": "narrow by filters"}]


def test_a_cut_measurement_has_no_numbers(cut: Bench) -> None:
    told = cut("measure_messages", query=QUERY)

    check(told, "candidate_limit")
    assert told["examined"] > 100


def test_time_that_is_up_is_the_reason(large: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECONDS", 0)

    check(large("measure_messages", query=QUERY), "time_limit")


def test_a_discovery_whose_ranking_would_take_too_long_is_cut(
    large: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discover, "RANKING_S", 60.0)

    told = large("discover_messages", query=QUERY, limit=3)

    check(told, "time_limit")
    assert len(told["evidence"]) == 3
    assert large("measure_messages", query=QUERY)["outcome"] == "complete"


def test_a_cut_discovery_shows_what_was_found_and_counts_nothing(cut: Bench) -> None:
    told = cut("discover_messages", query=QUERY, limit=3)

    check(told, "candidate_limit")
    assert len(told["evidence"]) == 3
    assert all("same_text" not in item and "similar" not in item for item in told["evidence"])


def test_a_cut_sample_is_partial_and_its_population_unknown(cut: Bench) -> None:
    told = cut("sample_messages", query=QUERY, strategy="across_conversations", limit=3)

    check(told, "candidate_limit")
    assert len(told["evidence"]) == 3
    assert told["population"] is None


def test_a_cut_export_writes_nothing(large: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from frugal_modes.evidence import export

    monkeypatch.setattr(export, "CANDIDATES", 100)

    told = large("export_messages", query=QUERY)

    check(told, "candidate_limit")
    assert "path" not in told
    assert not (large.workspace.settings.path.parent / "exports").exists()


def test_what_a_cut_discovery_showed_may_be_expanded(cut: Bench) -> None:
    told = cut("discover_messages", query=QUERY, limit=3)

    ref = told["evidence"][0]["ref"]
    assert cut("expand_message_context", query_ref=told["query_ref"], message_ref=ref)["messages"]


def test_accounts_opened_by_cut_scans_merge_when_a_complete_one_shows_they_are_equal(
    large: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(inquiry, "CANDIDATES", 100)
        apart = [
            large("measure_messages", query={"clauses": [clause("harbour", kind)]})
            for kind in ("stem", "prefix")
        ]
    ledger = large.workspace.process["evidence.ledger"]
    assert isinstance(ledger, Ledger)
    assert ledger.accounts == 2

    for kind in ("stem", "prefix"):
        told = large("measure_messages", query={"clauses": [clause("harbour", kind)]})
        apart.append(told)

    assert ledger.accounts == 1
    ((_, account),) = ledger.newest(9)
    assert account.spent == sum(each["disclosure"]["response_bytes"] for each in apart)


def test_text_and_names_of_the_corpus_stand_in_their_places_only(bench: Bench) -> None:
    marker = "zqxmarker"
    bench.fill(
        [
            message(
                n,
                f"harbour {marker} {n} {unlike(n, 9)}",
                sender=f"{marker}-s{n}",
                conversation=f"{marker}-c{n % 2}",
                organization=f"{marker} Ltd",
                sender_type="client",
                workspace=marker,
            )
            for n in range(30)
        ]
    )
    query = {"clauses": [clause("harbour")], "filters": {"sender_types": ["client"]}}
    found = bench("discover_messages", query=query, context=1)
    answers = [
        found,
        bench("measure_messages"),
        bench("measure_messages", query=query),
        bench("sample_messages", query=query, strategy="uniform"),
        bench(
            "expand_message_context", query_ref=found["query_ref"], message_ref=found["evidence"][0]["ref"]
        ),
    ]

    for told in answers:
        outside = {
            name: value for name, value in told.items() if name not in ("senders", "conversations", "forms")
        }
        assert marker not in json.dumps(_without_text(outside))
        assert ("untrusted" in told) == (marker in json.dumps(told))


def _without_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_text(item) for name, item in value.items() if name != "text"}
    return [_without_text(item) for item in value] if isinstance(value, list) else value
