"""check: the second opinion on chosen entries, pair by pair and in both orders. Off unless it was set up."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from frugal.call import Call
from frugal.entries import factcheck
from frugal.entries.factcheck import Verdict
from frugal.entries.storage import texts_of
from frugal.errors import Refusal
from frugal.model import Answer
from frugal.surface import Surface
from frugal.text import credentials
from frugal.text.normalise import identity_text

ASKED_PAIRS = 5

Pair = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """Which pairs are asked, which are not, and why; in input order."""

    asked: tuple[Pair, ...]
    identical: tuple[Pair, ...]
    withheld: tuple[Pair, ...]
    left: tuple[Pair, ...]


def check(call: Call, *, ids: tuple[int, ...]) -> Answer:
    """Ask for a second opinion on every pair of *ids*, at most five pairs, each in both orders."""
    surface = call.surface
    settings = factcheck.read_settings(call.settings)
    with call.store.read() as db:
        texts = texts_of(db, ids)
    known = [entry_id for entry_id in ids if entry_id in texts]
    unknown = [entry_id for entry_id in ids if entry_id not in texts]
    if len(known) < 2:
        raise Refusal("check_too_few", known=len(known), unknown=surface.ids(unknown) or "-")
    endpoint = factcheck.endpoint_of(call.process, settings, call.opinion)
    if endpoint is None:
        return Answer(surface.text("check.off"), counts={"configured": False})
    if call.opinion is None:
        factcheck.base_url(settings.url)
    plan = plan_pairs(known, texts)
    verdicts = ask_both(endpoint, plan.asked, texts, settings.budget_s)
    lines = [
        surface.text("check.pair", pair=_name(pair, surface), verdict=_shown(verdicts[pair], surface))
        for pair in plan.asked
    ]
    lines += _unasked(plan, surface)
    if unknown:
        lines.append(surface.text("show.unknown", ids=surface.ids(unknown)))
    lines.append(surface.text("check.opinion"))
    return Answer(
        "\n".join(lines),
        items=tuple(
            {"pair": list(pair), "verdicts": [item.value if item else None for item in verdicts[pair]]}
            for pair in plan.asked
        ),
        counts={"configured": True, "unknown": unknown},
    )


def plan_pairs(ids: Sequence[int], texts: Mapping[int, str]) -> Plan:
    """Sort the pairs of *ids*: identical notes and notes with a likely credential are never asked."""
    secret = {entry_id for entry_id in ids if credentials.scan(texts[entry_id])}
    same = {entry_id: identity_text(texts[entry_id]) for entry_id in ids}
    identical: list[Pair] = []
    withheld: list[Pair] = []
    askable: list[Pair] = []
    for pair in combinations(ids, 2):
        if same[pair[0]] == same[pair[1]]:
            identical.append(pair)
        elif secret.intersection(pair):
            withheld.append(pair)
        else:
            askable.append(pair)
    return Plan(tuple(askable[:ASKED_PAIRS]), tuple(identical), tuple(withheld), tuple(askable[ASKED_PAIRS:]))


Answers = tuple[Verdict | None, Verdict | None]


def ask_both(
    endpoint: factcheck.Endpoint | factcheck.PluginOpinion,
    pairs: Iterable[Pair],
    texts: Mapping[int, str],
    budget_s: float,
) -> dict[Pair, Answers]:
    """Return for each pair the verdicts of both orders; each order has its own time budget."""
    wanted = list(pairs)
    directions: list[list[Verdict | None]] = []
    for is_turned in (False, True):
        deadline = time.monotonic() + budget_s
        verdicts: list[Verdict | None] = []
        for first, second in wanted:
            new, old = (first, second) if is_turned else (second, first)
            verdicts.append(endpoint.ask(texts[new], texts[old], deadline=deadline))
        directions.append(verdicts)
    return {pair: (directions[0][index], directions[1][index]) for index, pair in enumerate(wanted)}


def _shown(answers: Answers, surface: Surface) -> str:
    given = [surface.text(f"verdicts.{verdict.value}") for verdict in answers if verdict]
    if not given:
        return surface.text("check.none")
    if len(given) == 1:
        return surface.text("check.unconfirmed", verdict=given[0])
    if answers[0] == answers[1]:
        return given[0]
    return surface.text("check.disputed", first=given[0], second=given[1])


def _unasked(plan: Plan, surface: Surface) -> list[str]:
    lines = [surface.text("check.identical", pair=_name(pair, surface)) for pair in plan.identical[:10]]
    lines += [surface.text("check.withheld", pair=_name(pair, surface)) for pair in plan.withheld[:10]]
    hidden = len(plan.identical[10:]) + len(plan.withheld[10:])
    if hidden:
        lines.append(surface.text("check.more", count=hidden))
    if plan.left:
        pairs = ", ".join(_name(pair, surface) for pair in plan.left)
        lines.append(surface.text("check.left", pairs=pairs))
    return lines


def _name(pair: Pair, surface: Surface) -> str:
    return f"{surface.id(pair[0])} <-> {surface.id(pair[1])}"
