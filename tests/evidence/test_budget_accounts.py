"""One account a population, however a query is spelled; what is spent and left is always told and always true."""

import unicodedata
from typing import Any

import pytest
from corpora import DAY, START, Bench, Opener, clause, message, messages, unlike
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal_modes.evidence.budgets import ACCOUNT_BYTES
from frugal_modes.evidence.ledger import Ledger

LIBRARY = [
    "Open-AI is down", "open ai again", "we use OpenAI", "Open AI, of course", "the café is open",
    "Zoë has left", "nothing to see", "Open  AI twice: open\nai",
]  # fmt: skip


def left(told: dict[str, Any]) -> int:
    """Return what an answer says is left of its account."""
    found = told["disclosure"]["query_left"]
    assert isinstance(found, int)
    return found


def spent(*answers: dict[str, Any]) -> int:
    """Return what answers cost together."""
    return sum(told["disclosure"]["response_bytes"] for told in answers)


SAME = {
    "spelling of a phrase": ([clause("open ai", "phrase")], [clause("Open-AI", "phrase")]),
    "case and spaces": ([clause("open  ai", "phrase")], [clause(" OPEN\tAI ", "phrase")]),
    "role": ([clause("café")], [clause("café", role="alias")]),
    "form of Unicode": ([clause("café")], [clause("cafe\u0301")]),
    "invisible characters": ([clause("café")], [clause("ca\u00adfé\u200b")]),
    "literal and stem of one population": ([clause("nothing")], [clause("nothing", "stem")]),
    "prefix of one population": ([clause("nothing")], [clause("noth", "prefix")]),
    "a clause twice": ([clause("open")], [clause("open"), clause("open")]),
    "absorbed alternatives": (
        [clause("open")],
        [clause("open"), clause("open", group=2), clause("ai", group=2)],
    ),
    "order": ([clause("open"), clause("ai")], [clause("ai"), clause("open")]),
    "group numbers": (
        [clause("open", group=1), clause("ai", group=1)],
        [clause("ai", group=9), clause("open", group=9)],
    ),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME.keys())
def test_the_same_question_in_other_words_draws_on_one_account(
    bench: Bench, one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    bench.fill(messages(LIBRARY))
    first = bench.measure(*one)

    second = bench.measure(*other)

    assert first["counts"]["messages"] > 0
    assert left(second) == ACCOUNT_BYTES - spent(first, second)


VACUOUS = {
    "every sender type": {"sender_types": ["internal", "client", "bot", "system", "unknown"]},
    "all time": {"from": "1990-01-01", "to": "2090-01-01"},
    "every corpus": {"corpora": ["main"]},
    "every sender": {"sender_ids": ["ann"]},
    "a range around the matches": {"from": START, "to": START + DAY},
}


@pytest.mark.parametrize("filters", VACUOUS.values(), ids=VACUOUS.keys())
def test_a_filter_that_changes_nothing_opens_no_account(bench: Bench, filters: dict[str, object]) -> None:
    bench.fill(messages(LIBRARY))
    first = bench.measure(clause("open"))

    second = bench.measure(clause("open"), filters=filters)

    assert left(second) == ACCOUNT_BYTES - spent(first, second)


REWRITINGS = st.lists(
    st.sampled_from(
        (
            lambda text: text.upper(),
            lambda text: f"  {text} ",
            lambda text: text.replace(" ", "\u00a0 "),
            lambda text: unicodedata.normalize("NFD", text),
            lambda text: text[0] + "\u200b" + text[1:],
            lambda text: text.replace(" ", "-"),
            lambda text: text.replace(" ", ", "),
        )
    ),
    max_size=4,
)


@settings(max_examples=25)
@given(
    st.sampled_from(("open ai", "zoë has", "nothing to see", "café")),
    REWRITINGS,
    st.booleans(),
    st.booleans(),
)
def test_every_rewriting_of_a_phrase_draws_on_one_account(
    bench: Bench, text: str, changes: list[Any], is_alias: bool, is_any: bool
) -> None:
    if "evidence.ledger" not in bench.workspace.process:
        bench.fill(messages(LIBRARY))
    bench.workspace.process.pop("evidence.ledger", None)
    changed = text
    for change in changes:
        changed = change(changed)
    first = bench.measure(clause(text, "phrase"))

    role = "alias" if is_alias else "canonical"
    second = bench.measure(clause(changed, "phrase", role=role), combine="any" if is_any else "all")

    assert left(second) == ACCOUNT_BYTES - spent(first, second)


def test_other_roles_have_a_query_ref_of_their_own_on_the_same_account(bench: Bench) -> None:
    bench.fill(messages(LIBRARY))

    first, second = (bench.measure(clause("open", role=role)) for role in ("canonical", "alias"))

    assert first["query_ref"] != second["query_ref"]
    assert left(second) < left(first)


def test_empty_populations_stay_apart(bench: Bench) -> None:
    bench.fill(messages(LIBRARY))

    first, second = bench.measure(clause("unicorn")), bench.measure(clause("dragon"))

    assert left(second) == ACCOUNT_BYTES - spent(second)
    assert left(first) == ACCOUNT_BYTES - spent(first)


def test_what_was_shown_under_one_spelling_is_disclosed_under_the_other(bench: Bench) -> None:
    bench.fill(messages(LIBRARY))
    shown = bench.discover("Open-AI", "phrase")

    told = bench(
        "discover_messages", query={"clauses": [clause("open ai", "phrase")]}, exclude_disclosed=True
    )

    assert len(shown["evidence"]) + told["omitted"].get("duplicate_text", 0) > 0
    assert not {item["ref"] for item in told.get("evidence", ())} & {
        item["ref"] for item in shown["evidence"]
    }


def test_accounts_that_turn_out_to_be_one_are_added_up() -> None:
    ledger = Ledger("key")
    for canonical, ref, size in (("a", "m-a", 100), ("b", "m-b", 50)):
        ledger.charge(ledger.account(canonical), size, disclosed=[ref])
    assert ledger.account("a", "same") is not ledger.account("b")

    merged = ledger.account("b", "same")

    assert merged is ledger.account("a")
    assert (merged.spent, merged.disclosed) == (150, {"m-a", "m-b"})
    assert ledger.accounts == 1


def test_after_a_change_of_the_corpus_a_ref_keeps_its_account_and_says_so(bench: Bench) -> None:
    bench.fill(messages(LIBRARY))
    before = bench.discover("open")
    bench.fill([message(99, "open at last")])

    told = bench("measure_messages", query_ref=before["query_ref"])
    again = bench("measure_messages", query_ref=before["query_ref"])

    assert told["counts"]["messages"] == before["counts"]["messages"] + 1
    assert told["warnings"] == [{"code": "corpus_changed"}]
    assert "warnings" not in again
    assert left(told) == ACCOUNT_BYTES - spent(before, told)


def test_an_exhausted_account_refuses_and_says_what_is_left(bench: Bench) -> None:
    bench.fill(messages([f"harbour {unlike(n)}" for n in range(60)]))
    told = bench.discover("harbour", limit=20)
    total = spent(told)
    reply = bench.reply("discover_messages", query_ref=told["query_ref"], limit=20)
    while not reply.is_error:
        total += reply.answer.structured["disclosure"]["response_bytes"]
        reply = bench.reply("discover_messages", query_ref=told["query_ref"], limit=20)

    refused = reply.answer.structured

    assert refused["code"] == "query_budget_exhausted"
    assert refused["query_left"] == ACCOUNT_BYTES - total >= 0


def test_the_last_answers_shrink_before_an_account_refuses(bench: Bench) -> None:
    bench.fill(messages([f"harbour {unlike(n)}" for n in range(60)]))
    told = bench.discover("harbour", limit=20, max_bytes=9_000)
    while left(told) > 12_000:
        told = bench("discover_messages", query_ref=told["query_ref"], limit=20)

    last = bench("discover_messages", query_ref=told["query_ref"], limit=20)

    assert "query_budget" in last["stop_reasons"]
    assert last["omitted"]["over_bytes"] > 0


def test_the_investigation_budget_holds_over_all_queries(open_bench: Opener) -> None:
    bench = open_bench(EVIDENCE_TOTAL_BYTES="20000")
    bench.fill(messages([f"word{n}x of the harbour" for n in range(40)]))
    total = 0
    for number in range(40):
        reply = bench.reply("measure_messages", query={"clauses": [clause(f"word{number}x")]})
        told = reply.answer.structured
        if reply.is_error:
            break
        total += told["disclosure"]["response_bytes"]
        assert told["disclosure"]["total_left"] == 20_000 - total
    else:
        pytest.fail("never refused")

    assert told["code"] == "total_budget_exhausted"
    assert total <= 20_000
    assert told["total_left"] == max(20_000 - total - told["response_bytes"], 0)


def test_errors_and_the_overview_are_paid_by_the_investigation_alone(open_bench: Opener) -> None:
    bench = open_bench(EVIDENCE_TOTAL_BYTES="100000")
    bench.fill(messages(LIBRARY))
    first = bench.measure(clause("open"))

    overview = bench("measure_messages")
    error = bench.refused("measure_messages", query={"clauses": [{"match": "nope"}]})
    last = bench("measure_messages", query_ref=first["query_ref"])

    total = spent(first, overview, last) + error["response_bytes"]
    assert last["disclosure"]["total_left"] == 100_000 - total
    assert left(last) == ACCOUNT_BYTES - spent(first, last)


CALLS = st.lists(
    st.tuples(
        st.sampled_from(
            ("measure_messages", "discover_messages", "sample_messages", "export_messages", "nope")
        ),
        st.sampled_from(("open", "café", "OPEN", "nothing", "!", "cafe\u0301")),
        st.sampled_from((None, 1_536, 4_096)),
    ),
    max_size=25,
)


@settings(max_examples=15)
@given(CALLS)
def test_the_ledger_is_the_sum_of_what_was_sent(
    bench: Bench, calls: list[tuple[str, str, int | None]]
) -> None:
    if not bench.workspace.store.path.exists():
        bench.fill(messages(LIBRARY))
    ledger = Ledger("key", total_cap=40_000)
    bench.workspace.process["evidence.ledger"] = ledger
    total = 0
    for tool, word, size in calls:
        own = {"strategy": "uniform"} if tool == "sample_messages" else {}
        query = {"clauses": [clause(word)]}
        told = bench.reply(tool, query=query, max_bytes=size, **own).answer.structured
        size_bytes = told.get("response_bytes") or told["disclosure"]["response_bytes"]
        total += size_bytes
        if told.get("total_left") != 0:
            assert ledger.total == total

    assert ledger.total <= 40_000
    assert all(account.spent <= ACCOUNT_BYTES for _, account in ledger.newest(99))


def test_a_record_of_the_ledger_brings_it_back(bench: Bench) -> None:
    bench.fill(messages(LIBRARY))
    bench.discover("open")
    bench.measure(clause("café", role="alias"))
    ledger = bench.workspace.process["evidence.ledger"]
    assert isinstance(ledger, Ledger)

    again = Ledger.from_record(ledger.as_record(), total_cap=None)

    assert again.as_record() == ledger.as_record()
    assert [(asked.query_ref, account.spent) for asked, account in again.newest(9)] == [
        (asked.query_ref, account.spent) for asked, account in ledger.newest(9)
    ]
