"""`--rules FILE`: who belongs to which organization and who is internal or a client, by what a source says of a sender."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from frugal.api import Refusal
from frugal_modes.evidence.records import Item, Message

LISTS = ("sender_ids", "names", "domains", "teams", "workspaces")
TYPES = ("internal", "client")
FIXED_TYPES = ("bot", "system")
"""What a rule does not make a person: its organization it may say all the same."""

MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Rule:
    """One `[[rule]]`: whoever one of its lists names is of *organization* and *kind* ("" = not said)."""

    organization: str
    kind: str
    sender_ids: frozenset[str]
    names: frozenset[str]
    domains: frozenset[str]
    teams: frozenset[str]
    workspaces: frozenset[str]

    def fits(self, message: Message) -> bool:
        """Tell whether the sender of *message* is named; names and domains in any case, a domain with those below it."""
        return (
            message.sender_id in self.sender_ids
            or message.sender_name.casefold() in self.names
            or message.sender_team in self.teams
            or message.workspace in self.workspaces
            or any(domain in self.domains for domain in _domains(message.sender_email))
        )


def _domains(address: str) -> Iterator[str]:
    """Yield the domain of *address* and every one above it."""
    domain = address.rpartition("@")[2].casefold() if "@" in address else ""
    while domain:
        yield domain
        domain = domain.partition(".")[2]


def read_rules(path: Path) -> tuple[Rule, ...]:
    """Return the rules of a file, in order; raise `Refusal` naming what is wrong with it."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES)
        found = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise Refusal("import_unreadable", path=str(path), reason=error.strerror or str(error)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Refusal("import_rules_toml", path=str(path), reason=str(error)[:120]) from None
    rows = found.get("rule")
    if set(found) != {"rule"} or not isinstance(rows, list) or not rows:
        raise Refusal("import_rules_empty", path=str(path))
    return tuple(_rule(row, number, path) for number, row in enumerate(rows, 1))


def _rule(row: Any, number: int, path: Path) -> Rule:
    def wrong(field: str) -> Refusal:
        known = ", ".join(("organization", "type", *LISTS))
        return Refusal("import_rule", path=str(path), number=number, field=field, known=known)

    if not isinstance(row, dict):
        raise wrong("rule")
    for name in row:
        if name not in ("organization", "type", *LISTS):
            raise wrong(str(name)[:40])
    organization, kind = row.get("organization", ""), row.get("type", "")
    if not isinstance(organization, str):
        raise wrong("organization")
    if kind not in ("", *TYPES):
        raise wrong("type")
    lists = {name: row.get(name, []) for name in LISTS}
    for name, values in lists.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise wrong(name)
    if not any(lists.values()) or not (organization or kind):
        raise wrong("rule")
    folded = {
        name: frozenset(value.casefold().lstrip("@") for value in lists[name])
        for name in ("names", "domains")
    }
    exact = {name: frozenset(lists[name]) for name in ("sender_ids", "teams", "workspaces")}
    return Rule(organization=organization.strip(), kind=kind, **folded, **exact)


def labelled(items: Iterator[Item], rules: tuple[Rule, ...]) -> Iterator[Item]:
    """Yield *items*, each message labelled by the first rule that names its sender."""
    if not rules:
        yield from items
        return
    for item in items:
        yield _labelled(item, rules) if isinstance(item, Message) else item


def _labelled(message: Message, rules: tuple[Rule, ...]) -> Message:
    rule = next((rule for rule in rules if rule.fits(message)), None)
    if rule is None:
        return message
    kind = message.sender_type if message.sender_type in FIXED_TYPES or not rule.kind else rule.kind
    return replace(message, organization=rule.organization or message.organization, sender_type=kind)
