"""memory_update: a card that was wrong is put right; every byte it does not concern stays."""

from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import Answer, Call, Refusal, Refused
from frugal_modes.vault.edits import CannotEdit, edited, is_last_place
from frugal_modes.vault.frontmatter import FrontMatter, read_front_matter
from frugal_modes.vault.hashes import content_hash
from frugal_modes.vault.moments import read_stamp
from frugal_modes.vault.outcome import Outcome, rejected
from frugal_modes.vault.records import Card
from frugal_modes.vault.scribe import Scribe, broken, card_named, read_file, writable, writing
from frugal_modes.vault.secrecy import leaks, leaks_refused, masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.tags import TAG_KEYS, read_tags, split_items
from frugal_modes.vault.trash import keep_version
from frugal_modes.vault.validity import fixed_ttl, is_never
from frugal_modes.vault.writing import replace
from frugal_modes.vault.writing_forms import settled_tags
from frugal_modes.vault.yamlevents import Value

UNKNOWN = ("unknown_argument", "argument_of_other_language")


@dataclass(frozen=True)
class Wish:
    """What is to be changed; None = as it is."""

    title: str | None = None
    body: str | None = None
    tags: tuple[str, ...] | None = None
    priority: int | None = None
    ttl: str | None = None
    source: str | None = None
    revive: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The texts in which credentials are looked for, by field."""
        given = {"title": self.title, "body": self.body, "source": self.source}
        tags = {"tags": "\n".join(self.tags)} if self.tags else {}
        return {name: text for name, text in given.items() if text} | tags


@dataclass(frozen=True)
class Revision:
    """What an update comes to: the fields that differ, what the front matter is to say, and the new body."""

    changed: tuple[str, ...]
    values: Mapping[str, Value | None]
    body: str | None


def update(  # noqa: PLR0913  # one argument a parameter of the tool
    call: Call,
    *,
    id: str,  # noqa: A002  # the name that the tool has
    title: str | None,
    body: str | None,
    tags: tuple[str, ...] | None,
    priority: int | None,
    ttl: str | None,
    source: str | None,
    kind: str,
    revive: bool,
    reject_secrets: bool,
) -> Answer:
    """Change what is given; without a difference nothing is written. The file as it was goes to the trash first."""
    tags, too_much = (None, []) if tags is None else settled_tags(call, "memory_update", tags)
    wish = Wish(title, body, tags, priority, ttl, source, revive)
    refused = leaks_refused(call, wish.texts, reject_secrets=reject_secrets)
    problems = [*map(_explained, call.problems), *too_much, *([_fixed_kind(call)] if kind else [])]
    if problems:
        raise Refused(problems)
    if refused:
        return rejected(call, refused)
    with writing(call) as scribe:
        known = card_named(scribe, id)
        writable(scribe, known)
        if revive:
            _refuse_revival(scribe, known)
        changed, version = _write(scribe, known, wish)
        number = scribe.place(known.path)
    outcome = Outcome(call, "updated" if changed else "unchanged", leaks=leaks(call, wish.texts))
    outcome.card(number, known.path)
    outcome.fields["changed"] = list(changed)
    outcome.fields["version"] = version
    return outcome.answer()


def _write(scribe: Scribe, known: Known, wish: Wish) -> tuple[tuple[str, ...], str]:
    """Write what *wish* changes; return the fields, and where the file as it was lies now, "" if nothing differs."""
    data, text, card = read_file(scribe, known.path)
    try:
        revision = revise(scribe, text, card, wish)
        if not revision.changed:
            return (), ""
        new = edited(text, revision.values, body=revision.body)
    except CannotEdit as error:
        raise broken(known.path, error) from None
    version = keep_version(
        scribe.vault,
        known.path,
        data,
        time=scribe.stamp,
        number=known.number,
        content_hash=content_hash(card.title, card.body),
    )
    replace(scribe.vault / known.path, new.encode())
    return revision.changed, version


def _explained(problem: Refusal) -> Refusal:
    """Return *problem*, with the way out where a client of the protocol gives a kind: that tool has no such argument."""
    if problem.key in UNKNOWN and problem.data.get("value") == "kind":
        return Refusal("kind_is_fixed", tool="memory_supersede")
    return problem


def _fixed_kind(call: Call) -> Refusal:
    return Refusal("kind_is_fixed", tool=call.surface.tool_word("memory_supersede"))


def revise(scribe: Scribe, text: str, card: Card, wish: Wish) -> Revision:
    """Return what *wish* changes in the file *text*, whose card is *card*."""
    front = read_front_matter(text)
    if not front.is_yaml:
        edited(text, {"updated": scribe.stamp})  # raises and names the line
    values: dict[str, Value | None] = {}
    changed: list[str] = []
    title = card.title if wish.title is None else wish.title
    body = card.body if wish.body is None else wish.body
    if title != card.title:
        changed.append("title")
        values["title"] = title
    if body != card.body:
        changed.append("body")
    for name, more in (
        ("tags", _tags(front, wish.tags)),
        ("priority", _priority(text, front, wish.priority)),
        ("ttl", _ttl(scribe, text, front, wish.ttl)),
        ("source", {} if wish.source in (None, front.text("source")) else {"source": wish.source}),
        ("revive", _revival(front, wish.revive)),
    ):
        if more:
            changed.append(name)
            values.update(more)
    if changed:
        values["updated"] = scribe.stamp
        values["contentHash"] = content_hash(title, body)
    return Revision(tuple(changed), values, body if "body" in changed else None)


def _tags(front: FrontMatter, tags: tuple[str, ...] | None) -> dict[str, Value | None]:
    """Return the change of the tags in the front matter; those inside the body are text."""
    values = front.values
    present = [key for key in TAG_KEYS if key in values]
    written = read_tags(item for key in present for item in split_items(values[key]))
    if tags is None or tags == written:
        return {}
    key = present[0] if present else TAG_KEYS[0]
    return {key: tags, **dict.fromkeys(present[1:])}


def _priority(text: str, front: FrontMatter, priority: int | None) -> dict[str, Value | None]:
    if priority is None or front.text("priority") == str(priority):
        return {}
    if priority == 0:
        return _cleared(text, front, "priority", "0")
    return {"priority": str(priority)}


def _ttl(scribe: Scribe, text: str, front: FrontMatter, ttl: str | None) -> dict[str, Value | None]:
    """Return the change of the ttl: a duration is written as the moment it ends from now on."""
    present = front.text("ttl")
    if ttl is None or (is_never(ttl) and is_never(present)):
        return {}
    if is_never(ttl):
        return _cleared(text, front, "ttl", "none")
    fixed = fixed_ttl(ttl, scribe.now)
    if fixed is None:
        raise Refusal(
            "ttl_unreadable", parameter=scribe.call.surface.parameter_word("memory_update", "ttl"), value=ttl
        )
    return {} if read_stamp(present) == fixed else {"ttl": fixed}


def _cleared(text: str, front: FrontMatter, key: str, neutral: str) -> dict[str, Value | None]:
    """Return how a key that is no longer used goes: its line, unless that could not be put back in its place."""
    if front.field(key) is None:
        return {}
    return {key: None if is_last_place(text, key) else neutral}


def _revival(front: FrontMatter, is_wanted: bool) -> dict[str, Value | None]:
    keys = [key for key in ("invalid_at", "superseded_by") if front.field(key) is not None]
    return dict.fromkeys(keys) if is_wanted else {}


def _refuse_revival(scribe: Scribe, known: Known) -> None:
    """Raise `Refusal` while the card that supersedes *known* is there: it would stay hidden."""
    end = scribe.chain_end(known.number)
    if end.number != known.number and end.state != "gone":
        surface = scribe.call.surface
        raise Refusal(
            "successor_lives",
            card=surface.id(known.number),
            successor=surface.id(end.number),
            path=masked(end.path),
            call=surface.call("memory_delete", end.number),
        )
