"""evidence evaluate: the recipes over generated corpora with their assertions, or the LoCoMo protocol."""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from frugal.api import Answer, Call, Refusal, echo
from frugal_modes.evidence.evaluation.asking import over
from frugal_modes.evidence.evaluation.goals import goals_of
from frugal_modes.evidence.evaluation.locomo import Share, evaluate_conversations
from frugal_modes.evidence.evaluation.measured import Corpus, Figures, measure_corpus
from frugal_modes.evidence.evaluation.recipes import RECIPES
from frugal_modes.evidence.generator.concerns import WORDINGS
from frugal_modes.evidence.generator.generating import write_corpus

MOST_SEED = (1 << 31) - 1
MOST_SEEDS = 100
FAILED = 1
_SEEDS = re.compile(r"[\s,]+")


def evaluate(call: Call, *, profile: str, seeds: str, wording: str, locomo: str) -> Answer:
    """Measure generated corpora, or the conversations in the file *locomo*, and return the table."""
    with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
        if locomo:
            return _of_conversations(call, Path(locomo).expanduser(), Path(folder))
        return _of_corpora(call, Path(folder), profile, read_seeds(seeds), wording)


def read_seeds(text: str) -> tuple[int, ...]:
    """Return the seeds named in *text*, each once; raise `Refusal` for anything else."""
    words = [word for word in _SEEDS.split(text) if word]
    good = all(word.isascii() and word.isdecimal() and int(word) <= MOST_SEED for word in words)
    if not words or not good or len(words) > MOST_SEEDS:
        raise Refusal("evaluate_seeds", value=echo(text))
    return tuple(dict.fromkeys(map(int, words)))


def _of_corpora(call: Call, folder: Path, profile: str, seeds: Sequence[int], wording: str) -> Answer:
    wordings = (wording,) if wording else WORDINGS
    corpora: list[Corpus] = []
    for word in wordings:
        for seed in seeds:
            path = folder / f"{word}-{seed}.db"
            truth = write_corpus(call, path, profile=profile, seed=seed, wording=word)
            with over(call, path) as opened:
                corpora.append(measure_corpus(opened, truth))
            for file in folder.glob(f"{path.name}*"):
                file.unlink()
    failed = [corpus for corpus in corpora if corpus.failed]
    return Answer(
        "\n".join(_report(call, corpora)),
        items=tuple(_records(corpora)),
        counts={
            "profile": profile,
            "seeds": list(seeds),
            "wordings": list(wordings),
            "failed": [f"{item.wording}/{item.seed}: {name}" for item in failed for name in item.failed],
            "goals": {goal.name: goal.is_reached for goal in goals_of(corpora)},
        },
        exit_code=FAILED if failed else 0,
    )


def _records(corpora: Sequence[Corpus]) -> Iterator[dict[str, object]]:
    for corpus in corpora:
        for row in corpus.figures:
            about = {"profile": corpus.profile, "seed": corpus.seed, "wording": corpus.wording}
            yield {**about, **asdict(row), "share": round(row.share, 6), "baseline": corpus.baseline}


def _report(call: Call, corpora: Sequence[Corpus]) -> Iterator[str]:
    """Yield the table: for each wording and recipe the worst seed and the mean."""
    text = call.surface.text
    for wording in dict.fromkeys(corpus.wording for corpus in corpora):
        own = [corpus for corpus in corpora if corpus.wording == wording]
        baseline = sum(corpus.baseline for corpus in own) // len(own)
        seeds = ", ".join(str(corpus.seed) for corpus in own)
        yield text("evaluate.block", profile=own[0].profile, wording=wording, seeds=seeds, baseline=baseline)
        yield text("evaluate.head")
        for recipe in RECIPES:
            yield from _rows(call, recipe.name, [corpus.of(recipe.name) for corpus in own])
        yield ""
    for goal in goals_of(corpora):
        key = "evaluate.reached" if goal.is_reached else "evaluate.missed"
        yield text(key, goal=text(f"evaluate.goals.{goal.key}", **goal.fields), found=goal.found)
    failed = [corpus for corpus in corpora if corpus.failed]
    for corpus in failed:
        names = ", ".join(corpus.failed)
        yield text("evaluate.failed", names=names, wording=corpus.wording, seed=corpus.seed)
    if not failed:
        yield text("evaluate.held", count=len(corpora))


def _rows(call: Call, recipe: str, figures: Sequence[Figures]) -> Iterator[str]:
    """Yield the worst and the mean of a recipe."""
    least: Callable[[Sequence[float]], float] = min
    for key, most, few in (("worst", max, least), ("mean", _mean, _mean)):
        yield _line(
            recipe if key == "worst" else "",
            call.surface.text(f"evaluate.{key}"),
            calls=f"{figures[0].calls}",
            size=f"{most([row.size_bytes for row in figures]):,.0f}",
            share=f"{100 * most([row.share for row in figures]):.2f} %",
            messages=f"{few([row.messages for row in figures]):.1f}",
            texts=f"{few([row.texts for row in figures]):.1f}",
            categories=f"{few([row.categories for row in figures]):.1f}",
            examined=f"{most([row.examined for row in figures]):,.0f}",
        )


def _line(recipe: str, row: str, **cells: str) -> str:
    widths = {"calls": 6, "size": 9, "share": 9, "messages": 10, "texts": 7, "categories": 11, "examined": 10}
    return f"{recipe:<18}{row:<10}" + "".join(f"{cells[name]:>{width}}" for name, width in widths.items())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _of_conversations(call: Call, path: Path, folder: Path) -> Answer:
    shares = evaluate_conversations(call, path, folder)
    text = call.surface.text
    lines = [text("evaluate.locomo", questions=shares[0].questions), text("evaluate.locomo_head")]
    lines += [_share_line(share) for share in shares]
    items = tuple(
        {**asdict(share.setting), **{key: value for key, value in asdict(share).items() if key != "setting"}}
        for share in shares
    )
    return Answer("\n".join(lines), items=items, counts={"questions": shares[0].questions})


def _share_line(share: Share) -> str:
    setting = share.setting
    cells = (share.visible, share.whole, share.visible_adversarial, share.whole_adversarial)
    head = f"{setting.system:<12}{setting.text:<7}{setting.context:>8}{setting.size_bytes:>8}"
    return head + "".join(f"{100 * cell:>10.1f}" for cell in cells)
