"""Bytes per answered question: `python -m messung cost`."""

import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from messung import reasons, report
from messung.billing import Bill, Paid
from messung.datasets import ADVERSARIAL, Collection, Conversation, Entry, Question, load_conversations
from messung.notes import load_notes
from messung.readers import (
    HITS,
    LIMITS,
    MEMORIES,
    OUTPUT_BYTES,
    READERS,
    ROUNDS,
    SERVER_MEMORY,
    Reader,
    SearchAndShow,
    size_of,
    spaced,
)
from messung.report import Report
from messung.search import QUICK_STEP
from messung.unavailable import NotAvailable

BYTES_A_TOKEN = 4
"""For the estimate of tokens only; no tokenizer is loaded."""

WANTED = {"predecessor": 0.5, "grep": 0.1}
"""Shares of the others' bytes per answered question that were wanted, at an answered share no lower; written down
before the first run."""

PROTOCOL = (
    "one store for all five conversations, then each question by itself. A reader pays for every byte that comes back "
    f"and stops when an evidence text stands there whole, white space aside. Memory: recall with limit {HITS}, then show "
    "hit after hit, left out what the answer gave whole. grep: one word of the question a round (stop words out, longest "
    f"first, whole words), at most {ROUNDS} rounds, each cut at {OUTPUT_BYTES:,} bytes, then the file with the most "
    "lines found, read whole. Reading: the file of the right conversation, as if it were known. server-memory: an "
    "entity a session (facts: and speaker), search_nodes with one word a round as for grep. "
    "Bytes per answered question = all bytes, those of failing questions too, over the questions answered. "
    f"Tokens are estimated as bytes / {BYTES_A_TOKEN}. Evidence of a fact question: the observations that cite an "
    "evidence turn; of a note question: the paragraph of the right session"
)


def facts(conversations: Sequence[Conversation]) -> Collection:
    """Return every observation as an entry, and the questions with the observations that answer them as evidence."""
    entries = [Entry(fact.text, fact.cites, talk.name) for talk in conversations for fact in talk.facts]
    questions = []
    for talk in conversations:
        for asked in talk.asked:
            wanted = frozenset(asked.evidence)
            evidence = tuple(fact.text for fact in talk.facts if fact.cites & wanted)
            if asked.category != ADVERSARIAL and evidence:
                questions.append(Question(asked.text, wanted, talk.name, evidence))
    return Collection("facts", tuple(entries), tuple(questions))


def notes(folder: Path) -> Collection:
    """Return the paragraphs of the notes, and the questions with the right paragraph as evidence."""
    found = load_notes(folder)
    questions = [
        replace(item, evidence=tuple(entry.text for entry in found.entries if entry.covers & item.relevant))
        for item in found.questions
    ]
    return Collection("notes", found.entries, tuple(questions))


def look_up(reader: Reader, question: Question) -> Paid:
    """Let *reader* look until an evidence text stands in what came back."""
    wanted = [form for text in question.evidence for form in forms_of(text)]
    sizes: list[int] = []
    seen, is_answered = "", False
    for text in reader.rounds(question):
        sizes.append(size_of(text))
        seen += " " + spaced(text)
        if any(form in seen for form in wanted):
            is_answered = True
            break
    return Paid(sum(sizes), len(sizes), is_answered, sizes[0] if sizes else 0)


def forms_of(text: str) -> tuple[str, str]:
    """Return *text* as it stands in an answer, plain or inside JSON."""
    return spaced(text), spaced(json.dumps(text, ensure_ascii=False)[1:-1])


@contextmanager
def opened(name: str, limit: int = HITS) -> Iterator[Reader]:
    """Give the reader called *name* in a temporary folder; a memory lists at most *limit* hits."""
    with tempfile.TemporaryDirectory(prefix="messung-") as folder:
        place = Path(folder)
        reader: Reader = (
            SearchAndShow(MEMORIES[name], place, limit) if name in MEMORIES else READERS[name](place)
        )
        try:
            yield reader
        finally:
            reader.close()


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `cost.md` into *out* and return its path."""
    into = Report(
        title="Bytes per answered question",
        command=command,
        data="LoCoMo: observations and questions, and the notes; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    step = QUICK_STEP if is_quick else 1
    standing: dict[str, int] = {}
    for collection in (facts(load_conversations(folder)), notes(folder)):
        thinned = collection.thinned(step)
        bills = dict(_bills(thinned, systems, into))
        standing |= {bill.label: bill.standing_bytes for bill in bills.values()}
        into.add(thinned.name.capitalize(), _table(thinned, bills), *_verdicts(bills))
        shorter = _shorter_bills(thinned, bills)
        into.add(f"{thinned.name.capitalize()}, shorter lists", *_shorter(shorter))
        why = reasons.why_missed(
            thinned,
            bills,
            wanted=WANTED,
            by_limit=shorter.get("ours", {}),
            longer=lambda limit, asked=thinned: bill_of("ours", asked, limit)[0],
        )
        if parts := list(why):
            into.add(f"{thinned.name.capitalize()}, why a goal is missed", *parts)
        if not is_quick:
            figures = {
                f"{thinned.name} {name} bytes per answer": (
                    f"{bill.bytes_per_answer:.0f} ({100 * bill.answered:.0f} % answered)"
                )
                for name, bill in bills.items()
            }
            report.record(out, "cost", figures, today)
    into.add("Before the first question", _standing(standing))
    return report.write(out, "cost.md", into.text(today))


def _bills(collection: Collection, systems: Sequence[str], into: Report) -> Iterator[tuple[str, Bill]]:
    for name in READERS:
        if name == "predecessor" and name not in systems:
            continue
        try:
            bill, into.versions[name] = bill_of(name, collection)
        except NotAvailable as reason:
            into.missing[SERVER_MEMORY if name == "server-memory" else name] = str(reason)
            continue
        print(f"{collection.name:8} {bill.label:56} {bill.bytes_per_answer:10.0f} B", flush=True)
        yield name, bill


def bill_of(name: str, collection: Collection, limit: int = HITS) -> tuple[Bill, str]:
    """Return what the reader called *name* pays for *collection*, and its version."""
    with opened(name, limit) as reader:
        reader.fill(collection.entries)
        paid = tuple(look_up(reader, question) for question in collection.questions)
        return Bill(reader.label, reader.standing_bytes, paid), reader.version


def _shorter_bills(collection: Collection, bills: dict[str, Bill]) -> dict[str, dict[int, Bill]]:
    """Return what each memory pays with shorter lists, by its name and the limit."""
    return {
        name: {
            limit: bills[name] if limit == HITS else bill_of(name, collection, limit)[0] for limit in LIMITS
        }
        for name in MEMORIES
        if name in bills
    }


def _shorter(shorter: dict[str, dict[int, Bill]]) -> Iterator[str]:
    """Yield what shorter lists cost, and the comparison at an answered share no lower."""
    yield (
        "Added after the first run: a memory that ranks better can be asked for fewer hits. Each row is a fresh store; "
        "the last column is the share of our bytes, at the shortest of these lists that answers no less than that row."
    )
    rows = []
    for name, by_limit in shorter.items():
        for limit, bill in by_limit.items():
            least = _cheapest(shorter.get("ours", {}), bill.answered) if name != "ours" else None
            rows.append(
                [
                    bill.label,
                    limit,
                    f"{100 * bill.answered:.1f}",
                    f"{bill.bytes_per_answer:,.0f}",
                    f"{least[1].bytes_per_answer / bill.bytes_per_answer:.2f} (limit {least[0]})"
                    if least
                    else "",
                ]
            )
    yield report.table(["reader", "limit", "answered %", "bytes per answered question", "ours / this"], rows)


def _cheapest(by_limit: dict[int, Bill], answered: float) -> tuple[int, Bill] | None:
    """Return the cheapest bill, and its limit, of those that answer at least the share *answered*."""
    enough = [(limit, bill) for limit, bill in by_limit.items() if bill.answered >= answered]
    return min(enough, key=lambda item: item[1].bytes_per_answer, default=None)


def _table(collection: Collection, bills: dict[str, Bill]) -> str:
    rows = [
        [
            bill.label,
            f"{100 * bill.answered:.1f}",
            f"{bill.bytes_per_answer:,.0f}",
            f"{bill.bytes_per_answer / BYTES_A_TOKEN:,.0f}",
            f"{statistics.median(item.size_bytes for item in bill.paid):,.0f}",
            "{:,.0f} to {:,.0f}".format(*_quartiles(bill)),
            f"{statistics.fmean(item.calls for item in bill.paid):.1f}",
        ]
        for bill in bills.values()
    ]
    head = [
        "reader",
        "answered %",
        "bytes per answered question",
        "tokens, estimated",
        "median bytes a question",
        "quartiles",
        "calls",
    ]
    asked = f"{len(collection.entries)} entries, {len(collection.questions)} questions.\n\n"
    return asked + report.table(head, rows)


def _quartiles(bill: Bill) -> tuple[float, float]:
    first, _, third = statistics.quantiles([item.size_bytes for item in bill.paid], n=4)
    return first, third


def _verdicts(bills: dict[str, Bill]) -> Iterator[str]:
    ours = bills.get("ours")
    for name, wanted in WANTED.items():
        other = bills.get(name)
        if ours is None or other is None:
            yield f"Wanted against {name}: not measured."
            continue
        share = ours.bytes_per_answer / other.bytes_per_answer
        is_reached = not reasons.is_missed(ours, other, wanted)
        yield (
            f'Wanted: at most {wanted:g} of the bytes of "{other.label}" at an answered share no lower. '
            f"Measured: {share:.3f} at {100 * ours.answered:.1f} against {100 * other.answered:.1f} %: "
            f"{'reached' if is_reached else 'missed'}."
        )


def _standing(standing: dict[str, int]) -> str:
    rows = [[label, f"{size:,}", f"{size / BYTES_A_TOKEN:,.0f}"] for label, size in standing.items() if size]
    return report.table(["server", "bytes of definitions and instructions", "tokens, estimated"], rows)
