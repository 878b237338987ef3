"""What each part of the ranking is worth: every part switched off, one at a time: `python -m messung ablation`.

A part stays only if switching it off costs something somewhere. Whoever adds a part adds its absence to VARIANTS.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from frugal.search import LexicalRetriever, Retriever
from frugal.search.tuning import Tuning
from frugal.text import analysis, stem
from messung import report, scores
from messung.datasets import COLLECTIONS, Collection, load
from messung.report import Report
from messung.scores import Judged, difference_half_width, mean_score, shown
from messung.search import fill
from messung.systems import open_system
from messung.systems.ours import Ours

SHIPPED = "as shipped"


def _without(**parts: float) -> Callable[[], Retriever]:
    """Return how to make the shipped retriever with *parts* of its tuning at other values."""
    return lambda: LexicalRetriever(replace(Tuning(), **parts))


VARIANTS: dict[str, Callable[[], Retriever]] = {
    SHIPPED: LexicalRetriever,
    "k1 1.2, b 0.75": _without(k1=1.2, b=0.75),
    "no lift of the exact spelling": _without(exact=0.0),
    "no passages": _without(passage=0.0),
    "no lift of phrases": _without(phrase=0.0, piece_phrase=0.0),
    "no lift of runs of pieces": _without(piece_phrase=0.0),
    "no lift of titles": _without(title=0.0),
    "no lift of identifiers": _without(whole=0.0),
    "no lift of tags": _without(tag=0.0),
    "no expansion": _without(expansion=0.0, near=0.0),
    "no words of neighbours": _without(neighbour_words=0.0),
    "no scores of neighbours": _without(neighbour_score=0.0),
    "no feedback": _without(feedback=0.0),
    "60 candidates": _without(candidates=60),
    "120 candidates": _without(least_candidates=120),
    "240 candidates": _without(candidates=240, least_candidates=240),
}
"""The retrievers that are compared, the shipped one first."""

ANALYSES = {"no irregular forms": "dictionary_form", "no British spellings": "one_spelling"}
"""Parts of the analysis, by the function of `frugal.text.stem` that is left out; the store is then filled anew."""

SCORES = {
    "locomo-session": ("recall@10", "hit@1", "MRR"),
    "locomo-turn": ("recall@10", "MRR"),
    "locomo-fact": ("recall@8", "MRR"),
    "xquad-de": ("hit@1",),
    "xquad-en": ("hit@1",),
    "xquad-zh": ("hit@1",),
    "cranfield": ("nDCG@10",),
}
QUICK_ABLATION_STEP = 40
"""Every how many questions one is asked in a quick run: each is answered once a variant."""

STORES = ("ours", "ours-together")

PROTOCOL = (
    "the stores are filled once through remember, `apart` with half an hour between two entries, `together` in one "
    "sitting; then every retriever answers the same questions through the same recall, limit 10. For each part of the "
    "analysis that is left out the store is filled anew. Behind each figure "
    "the difference from the shipped retriever and half the central 95 % of that difference over 400 resamplings of the "
    "questions"
)

Measured = Mapping[str, tuple[Judged, ...]]


def judge(ours: Ours, collection: Collection, covered: Mapping[int, frozenset[str]]) -> tuple[Judged, ...]:
    """Return every question of *collection* as the present retriever of *ours* answers it."""
    judged = []
    for question in collection.questions:
        ids = ours.ask(question.text, scores.DEPTH).ids
        hits = tuple(covered.get(entry_id, frozenset()) for entry_id in ids)
        judged.append(Judged(question.relevant, hits, group=question.group))
    return tuple(judged)


@contextmanager
def analysed_without(function: str) -> Iterator[None]:
    """Analyse every word as it is where *function* of `frugal.text.stem` would change it."""

    def forget() -> None:
        stem.stem.cache_clear()
        analysis.forget()

    whole = getattr(stem, function)
    setattr(stem, function, str)
    forget()
    try:
        yield
    finally:
        setattr(stem, function, whole)
        forget()


def measure(store: str, collection: Collection) -> dict[str, tuple[Judged, ...]]:
    """Return the judged questions by variant: one filled store for all retrievers, one for each analysis."""
    measured = _each_retriever(store, collection)
    for name, function in ANALYSES.items():
        with analysed_without(function), open_system(store) as ours:
            assert isinstance(ours, Ours)
            measured[name] = judge(ours, collection, fill(ours, collection))
    return measured


def _each_retriever(store: str, collection: Collection) -> dict[str, tuple[Judged, ...]]:
    with open_system(store) as ours:
        assert isinstance(ours, Ours)
        covered = fill(ours, collection)
        measured = {}
        for name, make in VARIANTS.items():
            ours.retriever = make()
            measured[name] = judge(ours, collection, covered)
        return measured


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `ablation.md` into *out* and return its path."""
    into = Report(
        title="What each part of the ranking is worth",
        command=command,
        data="LoCoMo (5 conversations), XQuAD (de, en, zh), Cranfield 1400; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    for name in COLLECTIONS:
        collection = load(folder, name).thinned(QUICK_ABLATION_STEP if is_quick else 1)
        for store in STORES:
            if store in systems and (store == "ours" or collection.entries[0].tags):
                measured = measure(store, collection)
                print(f"ablation         {name} {store}", flush=True)
                sitting = "together" if store == "ours-together" else "apart"
                into.add(f"{name}, {sitting}", _table(measured, SCORES[name]))
    return report.write(out, "ablation.md", into.text(today))


def _table(measured: Measured, names: Sequence[str]) -> str:
    rows = [[variant, *(_cell(measured, variant, name) for name in names)] for variant in measured]
    return report.table(["", *names], rows)


def _cell(measured: Measured, variant: str, name: str) -> str:
    value = mean_score(measured[variant], name)
    if variant == SHIPPED:
        return shown(name, value)
    difference = value - mean_score(measured[SHIPPED], name)
    spread = difference_half_width(measured[variant], measured[SHIPPED], name)
    sign = "+" if difference >= 0 else "-"
    return f"{shown(name, value)} ({sign}{shown(name, abs(difference))} ± {shown(name, spread)})"
