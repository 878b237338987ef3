"""Retrieval on public data, every system side by side: `python -m messung search`."""

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from messung import report, scores
from messung.datasets import COLLECTIONS, Collection, Question, load
from messung.report import Report
from messung.scores import Judged, half_width, mean_score, shown
from messung.systems import LABELS, Answer, System, open_system
from messung.unavailable import NotAvailable

QUICK_STEP = 5

GOALS = (
    ("locomo-session", "recall@10", 0.935),
    ("locomo-session", "hit@1", 0.72),
    ("locomo-turn", "recall@10", 0.62),
    ("locomo-fact", "recall@8", 0.70),
    ("xquad-en", "hit@1", 0.945),
    ("xquad-de", "hit@1", 0.925),
    ("xquad-zh", "hit@1", 0.93),
)
"""What was wanted of this project, written down before its first run. Cranfield: no worse than bm25s."""

COLUMNS = {
    "locomo": ("recall@1", "recall@5", "recall@8", "recall@10", "hit@1", "hit@10", "MRR"),
    "xquad": ("hit@1", "hit@5", "hit@10", "MRR"),
    "cranfield": ("nDCG@10", "recall@10", "hit@1", "MRR"),
}
MAIN_SCORE = {"locomo": "recall@10", "xquad": "hit@1", "cranfield": "nDCG@10"}

PROTOCOL = (
    "as in the README of the data: LoCoMo in one store, categories 1 to 4, no tag in the query; the text of the "
    "question is the query, limit 10. Entries are opened only after every question was asked. Spread: half the "
    "central 95 % of the mean over 400 resamplings of the questions. Two figures less than 10 % apart count as equal"
)


@dataclass(frozen=True)
class Run:
    """One system on one collection."""

    system: str
    collection: str
    judged: tuple[Judged, ...]
    version: str

    @property
    def median_ms(self) -> float:
        """The median time of a question, milliseconds."""
        return 1000 * statistics.median(item.seconds for item in self.judged)

    @property
    def mean_bytes(self) -> float:
        """The mean length of an answer, bytes."""
        return statistics.fmean(item.answer_bytes for item in self.judged)


Runs = Mapping[tuple[str, str], Run]


def measure(name: str, collection: Collection, *, limit: int = scores.DEPTH) -> Run:
    """Store *collection* in the system called *name*, ask every question, then read what was found."""
    with open_system(name) as system:
        covered = fill(system, collection)
        asked = [_ask(system, question.text, limit) for question in collection.questions]
        reader = Reader(system)
        judged = tuple(
            _judge(question, answer, seconds, covered, reader)
            for question, (answer, seconds) in zip(collection.questions, asked, strict=True)
        )
        return Run(name, collection.name, judged, system.version)


def fill(system: System, collection: Collection) -> dict[int, frozenset[str]]:
    """Store the entries; return what each id covers. Texts that a system stores once share an id."""
    covered: dict[int, frozenset[str]] = {}
    for entry_id, entry in zip(system.store(collection.entries), collection.entries, strict=True):
        covered[entry_id] = covered.get(entry_id, frozenset()) | entry.covers
    return covered


def _ask(system: System, query: str, limit: int) -> tuple[Answer, float]:
    start = time.perf_counter()
    answer = system.ask(query, limit)
    return answer, time.perf_counter() - start


class Reader:
    """Opens hits one after another; what was opened once is remembered."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._texts: dict[int, str] = {}

    def _read(self, entry_id: int) -> str:
        if entry_id not in self._texts:
            self._texts[entry_id] = self._system.read(entry_id)
        return self._texts[entry_id]

    def bytes_to_sight(self, answer: Answer, evidence: Sequence[str]) -> int | None:
        """Return the bytes read, answer included, until one of *evidence* stood there; None if none did."""
        read = answer.size_bytes
        if any(passage in answer.text for passage in evidence):
            return read
        for entry_id in answer.ids:
            text = self._read(entry_id)
            read += len(text.encode())
            if any(passage in text for passage in evidence):
                return read
        return None


def _judge(
    question: Question, answer: Answer, seconds: float, covered: Mapping[int, frozenset[str]], reader: Reader
) -> Judged:
    return Judged(
        relevant=question.relevant,
        hits=tuple(covered.get(entry_id, frozenset()) for entry_id in answer.ids),
        answer_bytes=answer.size_bytes,
        group=question.group,
        sight_bytes=reader.bytes_to_sight(answer, question.evidence) if question.evidence else None,
        seconds=seconds,
    )


def measure_all(
    folder: Path, systems: Sequence[str], *, is_quick: bool, into: Report
) -> dict[tuple[str, str], Run]:
    """Return every run by (collection, system); systems that cannot be had are named in the report."""
    runs: dict[tuple[str, str], Run] = {}
    for name in COLLECTIONS:
        collection = load(folder, name).thinned(QUICK_STEP if is_quick else 1)
        for system in systems:
            if LABELS[system] in into.missing:
                continue
            try:
                run = measure(system, collection)
            except NotAvailable as reason:
                into.missing[LABELS[system]] = str(reason)
                continue
            runs[name, system] = run
            into.versions[LABELS[system]] = run.version
            main = MAIN_SCORE[name.partition("-")[0]]
            value = shown(main, mean_score(run.judged, main))
            print(f"{name:16} {LABELS[system]:32} {main} {value}  {run.median_ms:.1f} ms", flush=True)
    return runs


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `search.md` into *out* and return its path."""
    into = Report(
        title="Retrieval on public data",
        command=command,
        data="LoCoMo (5 conversations), XQuAD (de, en, zh), Cranfield 1400; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    runs = measure_all(folder, systems, is_quick=is_quick, into=into)
    for name in COLLECTIONS:
        there = [runs[name, system] for system in systems if (name, system) in runs]
        if there:
            into.add(name, _scores_table(name, there), *_group_table(there))
    into.add("Reading until the evidence stands there", _sight_table(runs, systems))
    into.add("Wanted, before the first run", _goal_table(runs))
    into.add("Where this project is not ahead", report.bullets(_behind(runs) or ["nowhere"]))
    if not is_quick:
        report.record(out, "search", _figures(runs), today)
    return report.write(out, "search.md", into.text(today))


def _scores_table(name: str, there: Sequence[Run]) -> str:
    kind = name.partition("-")[0]
    main = MAIN_SCORE[kind]
    head = ["system", *COLUMNS[kind], f"spread of {main}", "bytes", "median ms"]
    rows = [
        [
            LABELS[item.system],
            *(shown(score, mean_score(item.judged, score)) for score in COLUMNS[kind]),
            f"± {shown(main, half_width(item.judged, main))}",
            f"{item.mean_bytes:.0f}",
            f"{item.median_ms:.1f}",
        ]
        for item in there
    ]
    return f"{len(there[0].judged)} questions.\n\n" + report.table(head, rows)


def _group_table(there: Sequence[Run]) -> list[str]:
    groups = sorted({item.group for item in there[0].judged})
    if len(groups) < 2:
        return []
    rows = []
    for one in there:
        parts = [[item for item in one.judged if item.group == group] for group in groups]
        rows.append(
            [LABELS[one.system], *(shown("recall@10", mean_score(part, "recall@10")) for part in parts)]
        )
    return [report.table(["recall@10 by category", *groups], rows)]


def _sight_table(runs: Runs, systems: Sequence[str]) -> str:
    rows = []
    for name in ("locomo-session", "locomo-turn"):
        for system in systems:
            found = scores.sight(runs[name, system].judged) if (name, system) in runs else None
            if found is not None:
                shares = " / ".join(f"{100 * share:.1f}" for share in found.within)
                rows.append([name, LABELS[system], f"{found.median_bytes:.0f}", shares])
    limits = " / ".join(str(limit) for limit in scores.SIGHT_LIMITS)
    head = ["collection", "system", "median bytes", f"% within {limits} bytes"]
    return report.table(head, rows)


def _goal_table(runs: Runs) -> str:
    rows = []
    for name, score, goal in GOALS:
        for system in ("ours", "ours-together"):
            if (name, system) in runs:
                value = mean_score(runs[name, system].judged, score)
                verdict = "reached" if value >= goal else "missed"
                rows.append([name, score, shown(score, goal), LABELS[system], shown(score, value), verdict])
    return (
        report.table(["collection", "score", "wanted", "system", "measured", ""], rows)
        if rows
        else "Not measured."
    )


def _behind(runs: Runs) -> list[str]:
    lines = []
    for (name, system), other in runs.items():
        ours = runs.get((name, "ours"))
        if ours is None or system.startswith("ours"):
            continue
        for label, mine, theirs in _compared(ours, other):
            if theirs > mine:
                equal = " (equal within 10 %)" if scores.is_tie(mine, theirs) else ""
                lines.append(f"{name}, {label}: {LABELS[system]} {theirs:g}, ours {mine:g}{equal}")
        if other.mean_bytes < ours.mean_bytes:
            lines.append(
                f"{name}, bytes: {LABELS[system]} {other.mean_bytes:.0f}, ours {ours.mean_bytes:.0f}"
            )
    return lines


def _compared(ours: Run, other: Run) -> Iterator[tuple[str, float, float]]:
    """Yield label, our figure and theirs, as printed; more is better."""
    for score in COLUMNS[ours.collection.partition("-")[0]]:
        yield score, _printed(ours.judged, score), _printed(other.judged, score)
    groups = sorted({item.group for item in ours.judged if item.group})
    for group in groups:
        first, second = ([one for one in item.judged if one.group == group] for item in (ours, other))
        label = f"recall@10 of category {group}"
        yield label, _printed(first, "recall@10"), _printed(second, "recall@10")
    mine, theirs = scores.sight(ours.judged), scores.sight(other.judged)
    if mine and theirs:
        for limit, near, far in zip(scores.SIGHT_LIMITS, mine.within, theirs.within, strict=True):
            yield f"evidence within {limit} bytes", round(100 * near, 1), round(100 * far, 1)


def _printed(judged: Sequence[Judged], score: str) -> float:
    return float(shown(score, mean_score(judged, score)))


def _figures(runs: Runs) -> dict[str, str]:
    figures = {}
    for (name, system), item in runs.items():
        main = MAIN_SCORE[name.partition("-")[0]]
        figures[f"{name} {system} {main}"] = shown(main, mean_score(item.judged, main))
    return figures
