"""Why a goal of the cost measurement is missed, computed from the bills of the run."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence

from messung.billing import Bill, Paid
from messung.datasets import Collection
from messung.readers import HITS, OUTPUT_BYTES, ROUNDS, search_words, size_of
from messung.report import table

LONGER = (20, 50)
"""Lists that only the explanation asks for: what is not among the first eight hits, where does it stand?"""

OURS, PREDECESSOR, GREP = "ours", "predecessor", "grep"

Outcome = Callable[[Paid], bool]
OUTCOMES: dict[str, Outcome] = {
    "by the first call": lambda paid: paid.is_answered and paid.calls == 1,
    "by a later call": lambda paid: paid.is_answered and paid.calls > 1,
    "not at all": lambda paid: not paid.is_answered,
}


def is_missed(ours: Bill, other: Bill, wanted: float) -> bool:
    """Tell whether *ours* costs more than the share *wanted* of *other*, or answers less."""
    return ours.bytes_per_answer > wanted * other.bytes_per_answer or ours.answered < other.answered


def why_missed(
    collection: Collection,
    bills: Mapping[str, Bill],
    *,
    wanted: Mapping[str, float],
    by_limit: Mapping[int, Bill],
    longer: Callable[[int], Bill],
) -> Iterator[str]:
    """Yield the parts of the explanation; nothing if no goal is missed.

    *by_limit* holds our bills for shorter lists, *longer* gives one for a longer list.
    """
    ours = bills.get(OURS)
    if ours is None:
        return
    missed = [name for name in wanted if name in bills and is_missed(ours, bills[name], wanted[name])]
    if not missed:
        return
    yield where_bytes_go(bills)
    yield _evidence(collection, ours)
    for name in missed:
        yield _against(ours, bills[name], wanted[name])
        if name == PREDECESSOR:
            yield _shorter(by_limit, bills[name], wanted[name])
    if GREP in missed and ours.answered < bills[GREP].answered:
        yield _whole_file(collection, bills[GREP])
        yield _longer({limit: longer(limit) for limit in LONGER}, ours, bills[GREP])


def where_bytes_go(bills: Mapping[str, Bill]) -> str:
    """Return the table of what is paid for questions answered at once, later and not at all."""
    rows = []
    for bill in bills.values():
        every = sum(paid.size_bytes for paid in bill.paid)
        cells = []
        for belongs in OUTCOMES.values():
            group = [paid.size_bytes for paid in bill.paid if belongs(paid)]
            share = f"{_percent(len(group), len(bill.paid))} / {_percent(sum(group), every)}"
            cells.append(f"{share} / {statistics.fmean(group):,.0f}" if group else share)
        later = sum(paid.calls - 1 for paid in bill.paid)
        rest = every - sum(paid.first_bytes for paid in bill.paid)
        rows.append(
            [
                bill.label,
                f"{bill.bytes_per_question:,.0f}",
                *cells,
                f"{_first(bill):,.0f}",
                f"{rest / later:,.0f}" if later else "-",
            ]
        )
    head = ["reader", "bytes a question", *(f"answered {name}" for name in OUTCOMES)]
    told = (
        "Bytes per answered question are the bytes a question over the share answered. Below, of the questions answered "
        "by the first call, by a later one, not at all: % of the questions / % of the bytes / bytes each.\n\n"
    )
    return told + table([*head, "first call, bytes", "each later call, bytes"], rows)


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _first(bill: Bill) -> float:
    return statistics.fmean(paid.first_bytes for paid in bill.paid)


def _evidence(collection: Collection, ours: Bill) -> str:
    texts = statistics.fmean(size_of(entry.text) for entry in collection.entries)
    evidence = statistics.fmean(min(map(size_of, question.evidence)) for question in collection.questions)
    shown = sum(paid.calls - 1 for paid in ours.paid)
    right = sum(paid.is_answered and paid.calls > 1 for paid in ours.paid)
    of_list = sum(paid.first_bytes for paid in ours.paid) / sum(paid.size_bytes for paid in ours.paid)
    return (
        f"An entry has {texts:,.0f} bytes, the evidence of a question {evidence:,.0f} (means): "
        f"{100 * evidence / ours.bytes_per_answer:.0f} % of our bytes per answered question. "
        f"The list of up to {HITS} hits has {_first(ours):,.0f}, {_first(ours) / HITS:,.0f} a hit with the header "
        f"shared out, and is {100 * of_list:.0f} % of all our bytes. The rest are texts shown one by one, "
        f"{shown / len(ours.paid):.1f} a question; {_percent(right, shown)} of them held the evidence. "
        "What is paid beside the evidence are the other hits: a reader cannot know beforehand which one it needs."
    )


def _against(ours: Bill, other: Bill, wanted: float) -> str:
    """Split the ratio into bytes a question and questions answered, and tell what the goal would take."""
    goal = wanted * other.bytes_per_answer
    needed = ours.bytes_per_question / goal
    told = (
        f'Against "{other.label}": ours are '
        f"{ours.bytes_per_question:,.0f} against {other.bytes_per_question:,.0f} bytes a question "
        f"({ours.bytes_per_question / other.bytes_per_question:.2f} times) over {100 * ours.answered:.1f} against "
        f"{100 * other.answered:.1f} % answered. "
    )
    if needed > 1:
        return told + (
            f"The goal is {goal:,.0f} bytes: less than what a question costs here on average, so that even answering every "
            f"question would not reach it with lists of {HITS} ({ours.bytes_per_question / other.bytes_per_answer:.3f} "
            "times)."
        )
    return told + (
        f"The goal of {goal:,.0f} bytes would take {100 * needed:.0f} % answered at our bytes a question."
        if needed > ours.answered
        else f"The goal of {goal:,.0f} bytes is reached; the share answered is lower."
    )


def _shorter(by_limit: Mapping[int, Bill], other: Bill, wanted: float) -> str:
    """Tell whether a shorter list of ours reaches the goal at a share no lower."""
    enough = {limit: bill for limit, bill in by_limit.items() if bill.answered >= other.answered}
    if not enough:
        return "No list of ours answers as many."
    limit = min(enough, key=lambda key: enough[key].bytes_per_answer)
    bill = enough[limit]
    share = bill.bytes_per_answer / other.bytes_per_answer
    word = "reaches the goal" if share <= wanted else "is the nearest to it"
    after = " That limit was chosen with the result at hand." if limit != HITS else ""
    return (
        f"Of our lists that answer no less than that, the one of {limit} {word}: {bill.bytes_per_answer:,.0f} bytes per "
        f"answered question, {share:.2f} times, at {100 * bill.answered:.1f} % answered.{after}"
    )


def _whole_file(collection: Collection, grep: Bill) -> str:
    """Tell how much of grep's share comes from its last call, which reads a file whole."""
    pairs: Sequence[tuple[Paid, int]] = [
        (paid, len(search_words(question.text)[:ROUNDS]) + 1)
        for paid, question in zip(grep.paid, collection.questions, strict=True)
    ]
    last = [paid for paid, calls in pairs if paid.is_answered and paid.calls == calls]
    alone = _percent(len(last), len(pairs))
    return (
        f"grep answers {100 * grep.answered:.1f} % because a frequent word of the question brings up to {OUTPUT_BYTES:,} "
        f"bytes of lines, and because it ends by reading a file whole, which alone answers {alone} "
        f"of the questions. A list stops at {HITS} hits: what ours leaves unanswered has its evidence further down."
    )


def _longer(by_limit: Mapping[int, Bill], ours: Bill, grep: Bill) -> str:
    told = [
        f"with {limit} hits {100 * bill.answered:.1f} % at {bill.bytes_per_answer:,.0f} bytes per answered question, "
        f"{bill.bytes_per_answer / grep.bytes_per_answer:.2f} times grep's"
        for limit, bill in by_limit.items()
    ]
    reached = [limit for limit, bill in by_limit.items() if bill.answered >= grep.answered]
    end = (
        f"The share of grep is reached with {reached[0]} hits."
        if reached
        else "The share of grep is not reached with any of these."
    )
    return f"Further down: {100 * ours.answered:.1f} % with {HITS} hits, {'; '.join(told)}. {end}"
