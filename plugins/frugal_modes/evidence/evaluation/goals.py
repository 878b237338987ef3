"""The goals that an evaluation sets, and whether the measured corpora reach them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from frugal_modes.evidence.evaluation.measured import (
    BROAD_BYTES,
    BROAD_LEAST,
    BROAD_MEAN,
    HELD_OUT_BROAD_MEAN,
    HELD_OUT_REFINED,
    MEASURE_SHARE,
    REFINED_BYTES,
    THREE_BYTES,
    Corpus,
    Figures,
    has_measure_goal,
)
from frugal_modes.evidence.generator.concerns import CATEGORIES


@dataclass(frozen=True)
class Goal:
    """One goal: *key* and *fields* give its text, *found* is what was measured."""

    name: str
    key: str
    is_reached: bool
    found: str
    fields: Mapping[str, object] = field(default_factory=dict)


def goals_of(corpora: Sequence[Corpus]) -> list[Goal]:
    """Return the goals of the wordings among *corpora*."""
    found: list[Goal] = []
    for wording in dict.fromkeys(corpus.wording for corpus in corpora):
        own = [corpus for corpus in corpora if corpus.wording == wording]
        is_train = wording == "train"
        mean = BROAD_MEAN if is_train else HELD_OUT_BROAD_MEAN
        refined = len(CATEGORIES) if is_train else HELD_OUT_REFINED
        found += _of_wording(wording, own, broad_mean=mean, refined=refined, is_train=is_train)
    return found


def _of_wording(
    wording: str, corpora: Sequence[Corpus], *, broad_mean: float, refined: int, is_train: bool
) -> Iterator[Goal]:
    if has_measure_goal(corpora[0].profile):
        share = max(row.share for row in _of(corpora, "measure"))
        saved = f"{100 * (1 - share):.2f} %"
        fields: dict[str, object] = {"share": f"{100 * (1 - MEASURE_SHARE):.1f} %", "wording": wording}
        yield Goal(f"measure/{wording}", "measure", share <= MEASURE_SHARE, saved, fields)
    broad = _of(corpora, "broad")
    mean = sum(row.categories for row in broad) / len(broad)
    least = min(row.categories for row in broad)
    is_reached = mean >= broad_mean and (least >= BROAD_LEAST or not is_train)
    fields = {"mean": broad_mean, "least": BROAD_LEAST if is_train else 0, "wording": wording}
    yield Goal(f"broad/{wording}", "broad", is_reached, f"{mean:.1f}, {least}", fields)
    yield _size("broad", wording, broad, BROAD_BYTES)
    for recipe, needed, most in (
        ("refined", refined, REFINED_BYTES),
        ("broad_sample_new", len(CATEGORIES) if is_train else 0, THREE_BYTES),
    ):
        rows = _of(corpora, recipe)
        worst = min(row.categories for row in rows)
        if needed:
            fields = {"recipe": recipe, "least": needed, "wording": wording}
            yield Goal(f"{recipe}/{wording}", "least", worst >= needed, f"{worst}", fields)
        yield _size(recipe, wording, rows, most)


def _size(recipe: str, wording: str, rows: Sequence[Figures], most: int) -> Goal:
    worst = max(row.size_bytes for row in rows)
    fields = {"recipe": recipe, "most": most, "wording": wording}
    return Goal(f"{recipe}_bytes/{wording}", "size", worst <= most, f"{worst}", fields)


def _of(corpora: Sequence[Corpus], recipe: str) -> list[Figures]:
    return [corpus.of(recipe) for corpus in corpora]
