"""A configured endpoint's second opinion on pairs of notes with known verdicts: `python -m messung check`."""

import os
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries.factcheck import Verdict, read_settings
from frugal.entries.opinion import Source, source_of
from frugal.settings import Options, load_settings
from messung import report
from messung.report import Report
from messung.systems.mcp_client import server_environment

PAIRS = Path(__file__).with_name("check_pairs.toml")
LANGUAGES = ("en", "de")
NOTHING = "nothing was measured: set MEMORY_FC_URL and MEMORY_FC_MODEL to an OpenAI-compatible endpoint"

PROTOCOL = (
    "each pair is asked twice, the newer note first and the older note first, as `check` does; one request has the time "
    "that MEMORY_FC_TIMEOUT gives it. Agreed = the same verdict twice, which `check` reports without reserve"
)


@dataclass(frozen=True)
class Pair:
    """Two notes of one language and the verdict on them."""

    language: str
    verdict: Verdict
    old: str
    new: str


@dataclass(frozen=True)
class Asked:
    """What came back for one pair in both orders; None = no verdict in time."""

    pair: Pair
    straight: Verdict | None
    turned: Verdict | None

    @property
    def outcome(self) -> str:
        """How `check` would tell it: right, wrong, disputed, half or none."""
        if self.straight is None and self.turned is None:
            return "none"
        if self.straight is None or self.turned is None:
            return "half"
        if self.straight is not self.turned:
            return "disputed"
        return "right" if self.straight is self.pair.verdict else "wrong"


def load_pairs() -> tuple[Pair, ...]:
    """Return the pairs of `check_pairs.toml`, in order."""
    found = tomllib.loads(PAIRS.read_text("utf-8"))["pair"]
    return tuple(Pair(item["language"], Verdict(item["verdict"]), item["old"], item["new"]) for item in found)


def ask(source: Source, pair: Pair, timeout_s: float) -> Asked:
    """Return what *source* says of *pair* in both orders, *timeout_s* seconds for each."""
    straight = source.ask(pair.new, pair.old, deadline=time.monotonic() + timeout_s)
    turned = source.ask(pair.old, pair.new, deadline=time.monotonic() + timeout_s)
    return Asked(pair, straight, turned)


def run(
    folder: Path, systems: Sequence[str], *, out: Path, is_quick: bool, command: str, today: date
) -> Path:
    """Measure, write `check.md` into *out* and return its path."""
    del folder, systems  # the pairs are the project's own, the system is the endpoint
    pairs = load_pairs()[:: 6 if is_quick else 1]
    into = Report(
        title="A model's verdict on pairs of notes",
        command=command,
        data=f"{len(pairs)} pairs written for this measurement: messung/check_pairs.toml",
        protocol=PROTOCOL,
        is_quick=is_quick,
    )
    with TemporaryDirectory(prefix="messung-") as place:
        given = {name: value for name, value in os.environ.items() if name.startswith("MEMORY_FC_")}
        engine = build_engine(load_settings(Options(), server_environment(Path(place)) | given))
        workspace = engine.open(engine.registry.default())
        source = source_of(workspace.new_call(Client()))
        settings = read_settings(workspace.settings)
        if source is None:
            into.missing["second opinion"] = NOTHING
            into.add("Verdicts", NOTHING[0].upper() + NOTHING[1:] + ".")
            return report.write(out, "check.md", into.text(today))
        into.versions["model"] = settings.model or "a plugin"
        asked = [ask(source, pair, settings.timeout_s) for pair in pairs]
    into.add("Verdicts", report.table(["language", "gold", *OUTCOMES, "one request right"], _rows(asked)))
    if not is_quick:
        share = sum(item.outcome == "right" for item in asked) / len(asked)
        report.record(out, "check", {f"{settings.model} agreed and right": f"{100 * share:.1f}"}, today)
    return report.write(out, "check.md", into.text(today))


OUTCOMES = ("right", "wrong", "disputed", "half", "none")


def _rows(asked: Sequence[Asked]) -> Iterator[list[object]]:
    for language in LANGUAGES:
        for verdict in Verdict:
            part = [item for item in asked if item.pair.language == language and item.pair.verdict is verdict]
            if part:
                yield [language, verdict.value, *_counts(part)]
    yield ["all", "all", *_counts(asked)]


def _counts(part: Sequence[Asked]) -> list[object]:
    told = Counter(item.outcome for item in part)
    single = sum((item.straight is item.pair.verdict) + (item.turned is item.pair.verdict) for item in part)
    return [*(told[name] for name in OUTCOMES), f"{single} of {2 * len(part)}"]
