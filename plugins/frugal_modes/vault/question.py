"""What a search asks for and which cards it may see, as a restriction that holds before anything is ranked."""

import json
from dataclasses import dataclass, replace
from datetime import datetime

from frugal.api import Call, Connection, Labels, Refusal, Restriction, echo
from frugal_modes.vault.kinds import KINDS
from frugal_modes.vault.reading_forms import Clamped
from frugal_modes.vault.validity import moment_of
from frugal_modes.vault.visible import ABSENT, HIDDEN, milliseconds

DEFAULT_LIMIT = 5
SHELL_LIMIT = 10
NAMED = 12
"""Names in the refusal of an unknown kind or source."""

TABLES = "FROM card JOIN source ON source.id = card.source JOIN unit ON unit.id = card.unit"
OF_KIND = "card.kind = :kind"
NAMES = "(SELECT value FROM json_each(:names))"
OF_SOURCE = f"(source.name IN {NAMES} OR card.agent IN {NAMES})"
NOT_BEFORE = "(card.created_ms IS NULL OR card.created_ms <= :at)"


class BadMoment(Refusal):
    """An `as_of` that is neither a date nor a time with a zone: a mistake of usage."""

    exit_code = 2


@dataclass(frozen=True)
class Question:
    """One search. *moment* is T, *as_of* what was given for it; filters are as written, "" = none."""

    query: str
    limit: Clamped
    moment: datetime
    as_of: str = ""
    kind: str = ""
    source: str = ""
    includes_invalid: bool = False
    is_strict: bool = False
    names: tuple[str, ...] = ()
    """The sources and agents that *source* means: it is compared ignoring case, which SQLite does for ASCII alone."""

    @property
    def parameters(self) -> dict[str, str | int]:
        """The values of the SQL below."""
        found: dict[str, str | int] = {"at": milliseconds(self.moment)}
        if self.kind:
            found["kind"] = self.kind.lower()  # as kinds are kept
        if self.source:
            found["names"] = json.dumps(self.names)
        return found

    @property
    def _filters(self) -> list[str]:
        return [*([OF_KIND] if self.kind else []), *([OF_SOURCE] if self.source else [])]

    @property
    def restriction(self) -> Restriction:
        """The cards that may be hits."""
        rules = [f"{ABSENT} = ''", NOT_BEFORE] if self.includes_invalid else [f"{HIDDEN} = ''"]
        where = " AND ".join([*rules, *self._filters])
        return Restriction(f"SELECT card.number AS id {TABLES} WHERE {where}", self.parameters)

    @property
    def reasons(self) -> Labels:
        """Every card within the filters, labelled with why it is hidden, "" if it is not."""
        label = HIDDEN
        if self.includes_invalid:
            label = f"CASE WHEN {ABSENT} <> '' THEN {ABSENT} WHEN {NOT_BEFORE} THEN '' ELSE 'future' END"
        rules = ["source.state NOT IN ('detached', 'removed')", *self._filters]
        return Labels(
            f"SELECT card.number AS id, {label} AS label {TABLES} WHERE {' AND '.join(rules)}",
            self.parameters,
        )


def moment_asked(call: Call, as_of: str) -> datetime:
    """Return T: now, or what *as_of* means; raise `BadMoment` for anything without a zone but a date."""
    if not as_of:
        return call.clock()
    found = moment_of(as_of)
    if found is None:
        raise BadMoment("as_of_unreadable", parameter="as_of", value=echo(as_of))
    return found


KNOWN_KINDS = "SELECT DISTINCT kind FROM card ORDER BY kind"
KNOWN_SOURCES = f"""
    SELECT name FROM source WHERE state NOT IN ('detached', 'removed')
    UNION SELECT DISTINCT agent {TABLES}
    WHERE agent <> '' AND source.state NOT IN ('detached', 'removed') ORDER BY 1
"""


def check_filters(db: Connection, question: Question) -> None:
    """Raise `Refusal` for a kind, a source or an agent that does not occur, naming those that do."""
    if question.kind:
        kinds = dict.fromkeys([*KINDS, *(row[0] for row in db.execute(KNOWN_KINDS))])
        _check("kind", question.kind, list(kinds))
    if question.source:
        _check("source", question.source, [row[0] for row in db.execute(KNOWN_SOURCES)])


def with_names(db: Connection, question: Question) -> Question:
    """Return *question* with the sources and agents that its filter means."""
    if not question.source:
        return question
    wanted = question.source.casefold()
    return replace(
        question, names=tuple(row[0] for row in db.execute(KNOWN_SOURCES) if row[0].casefold() == wanted)
    )


def _check(name: str, value: str, known: list[str]) -> None:
    if value.casefold() in (item.casefold() for item in known):
        return
    shown = ", ".join(echo(item, 40) for item in known[:NAMED])
    if len(known) > NAMED:
        shown += f", ... (+{len(known) - NAMED})"
    raise Refusal(f"unknown_{name}_filter", parameter=name, value=echo(value), known=shown or "-")
