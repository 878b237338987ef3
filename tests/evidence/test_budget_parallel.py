"""Calls beside each other: no byte is spent twice, and no answer is charged to two accounts."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from corpora import Bench, Opener, clause, message, unlike

from frugal_modes.evidence.budgets import ACCOUNT_BYTES
from frugal_modes.evidence.ledger import Ledger

CALLS = 40
TOTAL = 60_000


def figure(told: dict[str, Any]) -> int:
    """Return what an answer or an error says it cost."""
    size = told.get("response_bytes") or told["disclosure"]["response_bytes"]
    assert isinstance(size, int)
    return size


def test_parallel_calls_spend_what_they_say_and_no_more_than_there_is(open_bench: Opener) -> None:
    bench: Bench = open_bench(EVIDENCE_TOTAL_BYTES=str(TOTAL))
    bench.fill([message(n, f"harbour {unlike(n, 30)}") for n in range(60)])

    def ask(number: int) -> dict[str, Any]:
        # Three spellings of one question: their accounts are one from the first complete scan on.
        query = {"clauses": [clause("harbour", ("literal", "stem", "prefix")[number % 3])]}
        tool = ("discover_messages", "sample_messages", "export_messages")[number % 3]
        own = {"strategy": "uniform"} if tool == "sample_messages" else {}
        return dict(bench.reply(tool, query=query, **own).answer.structured)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(CALLS)))

    ledger = bench.workspace.process["evidence.ledger"]
    assert isinstance(ledger, Ledger)
    successes = [told for told in answers if "kind" in told]
    ((_, account),) = ledger.newest(9)
    assert account.spent == sum(map(figure, successes)) <= ACCOUNT_BYTES
    assert (account.reserved, ledger.reserved) == (0, 0)
    assert ledger.total == min(sum(map(figure, answers)), TOTAL)
    shown = {item["ref"] for told in successes for item in told.get("evidence", ())}
    assert account.disclosed == shown
