"""Ways to cut text into terms, under the same plain BM25: `python -m messung languages`."""

import importlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from frugal.text.analysis import STOP, WHOLE, analyse
from messung import report
from messung.datasets import Collection, load
from messung.report import Report
from messung.scores import Judged, half_width, is_tie, mean_score, shown
from messung.search import QUICK_STEP
from messung.systems.bm25s_library import version as library_version
from messung.unavailable import NotAvailable

K1 = 0.9
B = 0.4
DEPTH = 10
WORD = re.compile(r"[^\W_]+")
MEASURED = {
    "locomo-session": "recall@10",
    "locomo-turn": "recall@10",
    "xquad-en": "hit@1",
    "xquad-de": "hit@1",
    "xquad-zh": "hit@1",
}
SAMPLES = (
    "Modell Modelle",
    "poet pot",
    "Käse Kaese Kase",
    "Häuser Haus",
    "running ran runs",
    "数据库连接池",
    "しりとり",
    "끝말잇기",
    "gen-itgc后50条",
    "ｎｇｉｎｘ",
    "userById C++ v1.2.3",
    "Данные данных",
)

PROTOCOL = (
    f"bm25s with the terms as given, k1 {K1}, b {B}, no other part of the ranking; the protocols of the data's README for "
    "sessions, turns and paragraphs. Stop words are left out of the query where the analysis knows them"
)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def words(text: str) -> list[str]:
    """Return the folded words."""
    return WORD.findall(_folded(text))


def stems(text: str) -> list[str]:
    """Return the English Snowball stems of the folded words."""
    library: Any = importlib.import_module("Stemmer")
    found: list[str] = library.Stemmer("english").stemWords(words(text))
    return found


def shipped(text: str) -> list[str]:
    """Return the terms of the shipped analysis, whole identifiers beside their parts left out."""
    return [token.term for token in analyse(text) if not token.flags & WHOLE]


def shipped_query(text: str) -> list[str]:
    """Return the same without stop words, unless nothing else is left."""
    found = [token for token in analyse(text) if not token.flags & WHOLE]
    return [token.term for token in found if not token.flags & STOP] or [token.term for token in found]


Cut = Callable[[str], list[str]]

ANALYSES: dict[str, tuple[Cut, Cut]] = {
    "words": (words, words),
    "English stems": (stems, stems),
    "shipped analysis": (shipped, shipped_query),
}
"""Each analysis: how a text is cut, and how a question is."""


def judge(collection: Collection, of_text: Cut, of_query: Cut) -> tuple[Judged, ...]:
    """Return every question of *collection* judged under plain BM25 over the terms."""
    library: Any = importlib.import_module("bm25s")
    index = library.BM25(k1=K1, b=B)
    index.index([of_text(entry.text) for entry in collection.entries], show_progress=False)
    known = set(index.vocab_dict)
    judged = []
    for question in collection.questions:
        terms = [term for term in of_query(question.text) if term in known]
        hits: tuple[frozenset[str], ...] = ()
        if terms:
            rows, scores = index.retrieve([terms], k=min(DEPTH, len(collection.entries)), show_progress=False)
            hits = tuple(
                collection.entries[int(row)].covers
                for row, score in zip(rows[0], scores[0], strict=True)
                if score > 0
            )
        judged.append(Judged(question.relevant, hits, group=question.group))
    return tuple(judged)


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `languages.md` into *out* and return its path."""
    del systems  # one library under several analyses
    into = Report(
        title="How text is cut into terms",
        command=command,
        data="LoCoMo and XQuAD; where to get them: messung/README.md",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    try:
        importlib.import_module("bm25s")
    except ImportError as error:
        raise NotAvailable('bm25s is not installed: pip install -e ".[dev]"') from error
    into.versions["bm25s"] = library_version("bm25s")
    found: dict[tuple[str, str], tuple[Judged, ...]] = {}
    for name in MEASURED:
        collection = load(folder, name).thinned(QUICK_STEP if is_quick else 1)
        for analysis, (of_text, of_query) in ANALYSES.items():
            found[name, analysis] = judge(collection, of_text, of_query)
        print(f"languages {name}", flush=True)
    into.add("Plain BM25 under each analysis", _table(found), _verdict(found))
    into.add("What the shipped analysis makes of words", _samples())
    if not is_quick:
        figures = {
            f"{name} shipped {score}": shown(score, mean_score(found[name, "shipped analysis"], score))
            for name, score in MEASURED.items()
        }
        report.record(out, "languages", figures, today)
    return report.write(out, "languages.md", into.text(today))


def _table(found: dict[tuple[str, str], tuple[Judged, ...]]) -> str:
    rows = [
        [
            analysis,
            *(
                f"{shown(score, mean_score(found[name, analysis], score))} ± "
                f"{shown(score, half_width(found[name, analysis], score))}"
                for name, score in MEASURED.items()
            ),
        ]
        for analysis in ANALYSES
    ]
    return report.table(["analysis", *(f"{name} {score}" for name, score in MEASURED.items())], rows)


def _verdict(found: dict[tuple[str, str], tuple[Judged, ...]]) -> str:
    ties = [
        name
        for name, score in MEASURED.items()
        if is_tie(
            mean_score(found[name, "shipped analysis"], score),
            mean_score(found[name, "English stems"], score),
        )
    ]
    return (
        "Under 10 % relative difference counts as a tie: shipped analysis against English stems is a tie on "
        f"{', '.join(ties) or 'none of them'}."
    )


def _samples() -> str:
    rows = [[f"`{text}`", "`" + " ".join(shipped(text)) + "`"] for text in SAMPLES]
    return report.table(["text", "terms"], rows)
