"""One recipe over one corpus, in figures; and what must hold of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frugal.api import Call
from frugal_modes.evidence.evaluation.asking import ACCOUNT_BYTES, Asker, Told, new_asker
from frugal_modes.evidence.evaluation.baseline import baseline_bytes, rows_examined
from frugal_modes.evidence.evaluation.recipes import MEASURE, RECIPES, Recipe, subject
from frugal_modes.evidence.generator.concerns import CATEGORIES
from frugal_modes.evidence.generator.profiles import PROFILES
from frugal_modes.evidence.ledger import Ledger

MEASURE_SHARE = 0.004
BROAD_BYTES, BROAD_LEAST, BROAD_MEAN = 13_922, 3, 4.0
REFINED_BYTES = 17_122
THREE_BYTES = 30_320
HELD_OUT_BROAD_MEAN, HELD_OUT_REFINED = 3.5, 4


@dataclass(frozen=True)
class Figures:
    """What a recipe came to. *categories* counts those of which a planted message was shown uncut."""

    recipe: str
    calls: int
    size_bytes: int
    share: float
    messages: int
    texts: int
    categories: int
    examined: int


@dataclass(frozen=True)
class Corpus:
    """One generated corpus as it was measured: the figures of each recipe, and which assertions failed."""

    profile: str
    seed: int
    wording: str
    figures: tuple[Figures, ...]
    baseline: int
    failed: tuple[str, ...]

    def of(self, recipe: str) -> Figures:
        """Return the figures of a recipe."""
        return next(row for row in self.figures if row.recipe == recipe)


def measure_corpus(call: Call, truth: Mapping[str, Any]) -> Corpus:
    """Run every recipe over the file of *call* and compare it with *truth*."""
    baseline = baseline_bytes(call, subject(is_client=False))
    figures: list[Figures] = []
    failed: list[str] = []
    for recipe in RECIPES:
        asker = new_asker(call)
        for name, arguments in recipe.calls:
            asker.ask(name, arguments)
        figures.append(_figures(call, recipe, asker, truth, baseline))
        failed += _broken(recipe.name, asker)
    failed += _wrong_counts(call, truth)
    found = Corpus(
        truth["profile"],
        truth["seed"],
        truth["wording"],
        tuple(figures),
        baseline,
        tuple(dict.fromkeys(failed)),
    )
    return Corpus(**{**vars(found), "failed": (*found.failed, *_missed(found))})


def _figures(call: Call, recipe: Recipe, asker: Asker, truth: Mapping[str, Any], baseline: int) -> Figures:
    whole = {ref for told in asker.told for ref in told.refs(is_whole=True)}
    shown = {item["ref"]: item.get("text") for told in asker.told for item in (*told.items, *told.lines)}
    seen = [name for name, refs in truth["categories"].items() if whole & set(refs)]
    queries = [arguments["query"] for _, arguments in recipe.calls]
    distinct = [query for place, query in enumerate(queries) if query not in queries[:place]]
    return Figures(
        recipe=recipe.name,
        calls=len(recipe.calls),
        size_bytes=asker.size_bytes,
        share=asker.size_bytes / baseline,
        messages=len(shown),
        texts=len(set(shown.values())),
        categories=len(seen),
        examined=sum(rows_examined(call, query) for query in distinct if isinstance(query, dict)),
    )


def _wrong_counts(call: Call, truth: Mapping[str, Any]) -> Iterator[str]:
    """Assertion 1: every count, of all senders and of clients, in all and by role, is that of the truth."""
    for name, is_client in (("all", False), ("client", True)):
        told = new_asker(call).ask(MEASURE, {"query": subject(is_client=is_client)})
        right = truth["counts"][name]
        found = {**told.structured.get("counts", {}), "roles": told.structured.get("roles", {})}
        if found != right:
            yield f"counts_{name}"


def _broken(recipe: str, asker: Asker) -> Iterator[str]:
    """Assertions 2 and 4: answers within their caps and true about their size, accounts within theirs, the ledger exact."""
    if any(told.is_error or not told.is_within_cap for told in asker.told):
        yield f"cap_{recipe}"
    for ledger in (item for item in asker.call.process.values() if isinstance(item, Ledger)):
        accounts = [account for _, account in ledger.newest(1_000)]
        distinct = {account.number: account.spent for account in accounts}
        if max(distinct.values(), default=0) > ACCOUNT_BYTES or sum(distinct.values()) != _charged(
            asker.told
        ):
            yield f"ledger_{recipe}"


def _charged(told: Sequence[Told]) -> int:
    return sum(answer.size_bytes for answer in told if not answer.is_error)


def _missed(corpus: Corpus) -> Iterator[str]:
    """Assertions 3 and 5: the goals of the training wording, and the sizes in either wording."""
    if has_measure_goal(corpus.profile) and corpus.of("measure").share > MEASURE_SHARE:
        yield "measure_goal"
    broad, refined = corpus.of("broad"), corpus.of("refined")
    is_train = corpus.wording == "train"
    if broad.size_bytes > BROAD_BYTES or (is_train and broad.categories < BROAD_LEAST):
        yield "broad_goal"
    if refined.size_bytes > REFINED_BYTES or (is_train and refined.categories < len(CATEGORIES)):
        yield "refined_goal"


def has_measure_goal(profile: str) -> bool:
    """Tell whether a measurement can save so much: in a week there is too little to read for its fixed part."""
    return PROFILES[profile].messages >= PROFILES["month"].messages
