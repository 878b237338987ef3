"""The LoCoMo protocol: how much of what answers a question stands in an answer of so many bytes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from frugal.api import Call
from frugal_modes.evidence.budgets import cap_of
from frugal_modes.evidence.choice import Chosen, choices
from frugal_modes.evidence.corpus import ref_of_key
from frugal_modes.evidence.desk import Desk, new_desk
from frugal_modes.evidence.discover import prepared
from frugal_modes.evidence.envelope import fit
from frugal_modes.evidence.errors import Denied
from frugal_modes.evidence.evaluation.asking import Told, new_asker, over
from frugal_modes.evidence.evaluation.conversations import (
    ADVERSARIAL,
    Question,
    messages_of,
    questions_of,
    read_conversations,
)
from frugal_modes.evidence.evaluation.plainbm25 import Order, plain_choice, plain_orders
from frugal_modes.evidence.evaluation.recipes import DISCOVER
from frugal_modes.evidence.inquiry import Inquiry, inquire, read
from frugal_modes.evidence.loading import load
from frugal_modes.evidence.packing import Weakest, lowest_first
from frugal_modes.evidence.ranked import Found

CORPUS = "locomo"
SIZES = (2_000, 4_000, 8_000)
CONTEXTS = (0, 1, 2)
TEXTS = ("json", "brief")
SYSTEMS = ("discover", "plain_bm25")
ITEMS = 20


@dataclass(frozen=True)
class Setting:
    """One column of the table."""

    system: str
    text: str
    context: int
    size_bytes: int


@dataclass(frozen=True)
class Share:
    """Mean shares of the evidence that was visible: at all and uncut, for categories 1 to 4 and for 5."""

    setting: Setting
    questions: int
    visible: float
    whole: float
    visible_adversarial: float
    whole_adversarial: float


@dataclass(frozen=True)
class _Seen:
    """What one answer showed of the evidence, as shares."""

    setting: Setting
    is_adversarial: bool
    visible: float
    whole: float


def evaluate_conversations(call: Call, path: Path, folder: Path) -> tuple[Share, ...]:
    """Return the shares for the conversations in *path*; their corpus is made in *folder*."""
    samples = read_conversations(path)
    questions = [question for sample in samples for question in questions_of(sample)]
    with over(call, folder / "locomo.db") as opened:
        items = (message for sample in samples for message in messages_of(sample))
        load(opened, CORPUS, items, source=CORPUS, format="jsonl")
        orders = plain_orders(opened, questions)
        seen: list[_Seen] = []
        with call.progress(call.surface.text("evaluate.progress")) as report:
            for done, question in enumerate(questions, 1):
                seen += _answers(opened, question, orders[question])
                report(done, len(questions))
    return tuple(_share(setting, seen) for setting in settings())


def settings() -> tuple[Setting, ...]:
    """Return the columns of the table in order."""
    return tuple(
        Setting(system, text, context, size)
        for system in SYSTEMS
        for text in TEXTS
        for context in CONTEXTS
        for size in SIZES
    )


def query_of(question: Question) -> dict[str, object]:
    """Return the query that a question is asked as."""
    return {
        "clauses": [{"match": "stem", "text": word} for word in question.words],
        "combine": "any",
        "filters": {"conversation_ids": [question.conversation]},
    }


def _answers(call: Call, question: Question, order: Order) -> Iterator[_Seen]:
    """Ask a question once and tell what answers of every size, with and without context, would show."""
    desk = new_desk(new_asker(call).call)
    raw = query_of(question)
    with desk.reading() as (db, scope):
        query = read(desk, db, raw)
        found = Found(query)
        inquiry = inquire(desk, db, scope, query, raw=raw, visit=found.visit)
        best = _Replayed(choices(found.wordings(db), per_thread=1))
        ranked: dict[str, tuple[Iterable[Chosen], Weakest | None]] = {
            "discover": (best, None),
            "plain_bm25": (plain_choice(found, order), lowest_first),
        }
        gold = {ref_of_key(CORPUS, key) for key in question.gold}
        for system, (chosen, weakest) in ranked.items():
            for text in TEXTS:
                for context in CONTEXTS:
                    told = _fitted(desk, inquiry, found, chosen, weakest, text=text, context=context)
                    for size, answer in told.items():
                        setting = Setting(system, text, context, size)
                        yield _seen(setting, question, gold, answer)


class _Replayed:
    """What an iterator yields, as often as it is asked for."""

    def __init__(self, source: Iterator[Chosen]) -> None:
        self._source = source
        self._known: list[Chosen] = []

    def __iter__(self) -> Iterator[Chosen]:
        for place in count():
            if place == len(self._known):
                self._known.extend(islice(self._source, 1))
            if place == len(self._known):
                return
            yield self._known[place]


def _fitted(
    desk: Desk,
    inquiry: Inquiry,
    found: Found,
    chosen: Iterable[Chosen],
    weakest: Weakest | None,
    *,
    text: str,
    context: int,
) -> Mapping[int, Told | None]:
    """Return the answer of each size, the largest first: a smaller one is the same answer shrunk further."""
    told = prepared(
        inquiry,
        found,
        chosen,
        limit=ITEMS,
        context=context,
        per_thread=1,
        excluded=frozenset(),
        weakest=weakest,
    )
    limits: frozenset[str] = frozenset()
    answers: dict[int, Told | None] = {}
    for size in sorted(SIZES, reverse=True):
        reasons = limits
        try:
            fitted = fit(
                lambda more, known=reasons: told.build(more | known),  # type: ignore[misc]  # binds the reasons
                told.shrink,
                purse=desk.purse,
                cap=cap_of(DISCOVER, size),
                is_brief=text == "brief",
                grow=told.grow,
            )
        except Denied:
            answers[size] = None
            continue
        limits |= {"response_bytes"} & set(fitted.draft.stop_reasons)
        settled = fitted.settled
        answers[size] = Told(DISCOVER, dict(settled.structured), settled.size_bytes, size, is_error=False)
    return answers


def _seen(setting: Setting, question: Question, gold: set[str], answer: Told | None) -> _Seen:
    is_adversarial = question.category == ADVERSARIAL
    if answer is None:
        return _Seen(setting, is_adversarial, 0.0, 0.0)
    visible, whole = (len(gold & answer.refs(is_whole=is_whole)) / len(gold) for is_whole in (False, True))
    return _Seen(setting, is_adversarial, visible, whole)


def _share(setting: Setting, seen: Sequence[_Seen]) -> Share:
    own = [item for item in seen if item.setting == setting]
    plain = [item for item in own if not item.is_adversarial]
    adversarial = [item for item in own if item.is_adversarial]
    return Share(
        setting,
        len(plain),
        _mean([item.visible for item in plain]),
        _mean([item.whole for item in plain]),
        _mean([item.visible for item in adversarial]),
        _mean([item.whole for item in adversarial]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
