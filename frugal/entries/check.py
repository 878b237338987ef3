"""check: the second opinion on chosen entries, pair by pair and in both orders. Off unless it was set up."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from frugal.call import Call
from frugal.entries import caps
from frugal.entries.factcheck import Verdict, malformed, read_settings
from frugal.entries.lines import fit_answer, id_list
from frugal.entries.opinion import Source, source_of
from frugal.entries.storage import texts_of
from frugal.errors import Refusal
from frugal.model import Answer
from frugal.surface import Surface
from frugal.text import credentials
from frugal.text.normalise import identity_text

ASKED_PAIRS = 5
LISTED_PAIRS = 10

Pair = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """Which pairs are asked, which are not, and why; in input order."""

    asked: tuple[Pair, ...]
    identical: tuple[Pair, ...]
    withheld: tuple[Pair, ...]
    left: tuple[Pair, ...]


@dataclass(frozen=True)
class Answers:
    """The verdicts of both orders on one pair; *is_reached* says that there was time to ask at all."""

    first: Verdict | None
    second: Verdict | None
    is_reached: bool


def check(call: Call, *, ids: tuple[int, ...]) -> Answer:
    """Ask for a second opinion on every pair of *ids*, at most five pairs, each in both orders."""
    surface = call.surface
    with call.store.read() as db:
        texts = texts_of(db, ids)
    known = [entry_id for entry_id in ids if entry_id in texts]
    unknown = [entry_id for entry_id in ids if entry_id not in texts]
    if len(known) < 2:
        raise Refusal("check_too_few", known=len(known), unknown=surface.ids(unknown) or "-")
    source = source_of(call)
    if source is None:
        return _off(call)
    plan = plan_pairs(known, texts)
    answers = ask_both(source, plan.asked, texts, read_settings(call.settings).budget_s)
    lines = [
        surface.text("check.pair", pair=_name(pair, surface), verdict=_shown(found, surface))
        for pair, found in answers.items()
        if found.is_reached
    ]
    lines += _unasked(plan, [pair for pair, found in answers.items() if not found.is_reached], surface)
    lines += _troubles(call, source)
    if unknown:
        lines.append(surface.text("show.unknown", ids=id_list(unknown, surface, 300)))
    return Answer(
        fit_answer(lines, caps.CHECK, surface, last=surface.text("check.opinion")),
        items=tuple(_item(pair, found) for pair, found in answers.items()),
        counts={"configured": True, "unknown": unknown},
    )


def _off(call: Call) -> Answer:
    settings = read_settings(call.settings)
    key = "check.switched_off" if settings.is_off else "check.off"
    variable = call.settings.fact_check("OFF").source
    return Answer(call.surface.text(key, variable=variable), counts={"configured": False}, is_empty=True)


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


def ask_both(
    source: Source, pairs: Iterable[Pair], texts: Mapping[int, str], budget_s: float
) -> dict[Pair, Answers]:
    """Return for each pair the verdicts of both orders; each order of all pairs has its own time budget."""
    wanted = list(pairs)
    verdicts: dict[Pair, list[Verdict | None]] = {pair: [] for pair in wanted}
    reached: set[Pair] = set()
    for is_turned in (False, True):
        deadline = time.monotonic() + budget_s
        for pair in wanted:
            if time.monotonic() < deadline:
                reached.add(pair)
            old, new = (pair[1], pair[0]) if is_turned else pair
            verdicts[pair].append(source.ask(texts[new], texts[old], deadline=deadline))
    return {pair: Answers(found[0], found[1], pair in reached) for pair, found in verdicts.items()}


def _shown(answers: Answers, surface: Surface) -> str:
    given = [
        surface.text(f"verdicts.{verdict.value}") for verdict in (answers.first, answers.second) if verdict
    ]
    if not given:
        return surface.text("check.none")
    if len(given) == 1:
        return surface.text("check.unconfirmed", verdict=given[0])
    if given[0] == given[1]:
        return given[0]
    return surface.text("check.disputed", first=given[0], second=given[1])


def _unasked(plan: Plan, too_late: Sequence[Pair], surface: Surface) -> list[str]:
    listed = [("identical", pair) for pair in plan.identical] + [("withheld", pair) for pair in plan.withheld]
    lines = [surface.text(f"check.{key}", pair=_name(pair, surface)) for key, pair in listed[:LISTED_PAIRS]]
    if len(listed) > LISTED_PAIRS:
        lines.append(surface.text("check.more", count=len(listed) - LISTED_PAIRS))
    for key, pairs in (("late", too_late), ("left", plan.left)):
        if pairs:
            names = ", ".join(_name(pair, surface) for pair in pairs)
            lines.append(surface.text(f"check.{key}", pairs=names, most=ASKED_PAIRS))
    return lines


def _troubles(call: Call, source: Source) -> list[str]:
    """Return lines about what kept the model from answering, and about settings that are not understood."""
    text = call.surface.text
    lines = [
        text("notices.bad_number", variable=item.variable, value=item.value, used=item.used)
        for item in malformed(call.settings)
    ]
    if trouble := source.trouble:
        reason = text(f"check.troubles.{trouble.key}")
        lines.append(text("check.trouble", reason=reason, seconds=trouble.left_s(time.monotonic())))
    return lines


def _item(pair: Pair, answers: Answers) -> dict[str, object]:
    verdicts = [verdict.value if verdict else None for verdict in (answers.first, answers.second)]
    return {"pair": list(pair), "verdicts": verdicts}


def _name(pair: Pair, surface: Surface) -> str:
    return f"{surface.id(pair[0])} <-> {surface.id(pair[1])}"
