"""The cards of other systems for `frugal-memory import`: read as sources are, kept by the memory as entries."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from frugal.api import (
    CardFile,
    CardSource,
    ImportedCard,
    LeftOut,
    Mode,
    ModeSettings,
    Statement,
    UsageError,
    shown_path,
)
from frugal_modes.vault.probing import guesses, listed, read_unit, recognised
from frugal_modes.vault.problems import NOTES, why
from frugal_modes.vault.records import VAULT, Card, Problem, Reader, Reading, Unit
from frugal_modes.vault.sources import AUTO, SYNONYMS, readers_of
from frugal_modes.vault.validity import Dates, hidden_because

PLAIN_NOTES = frozenset({"markdown", "obsidian", "claude-memory", "instructions", "cursor"})
"""Formats that `auto` leaves to the import of notes where there are notes: the folder holds Markdown files itself."""

Text = Callable[..., str]


class Cards:
    """What the shell asks for the cards of other systems."""

    def kinds(self, mode: Mode) -> tuple[str, ...]:
        """Return the kinds that there are readers for."""
        return (*_readers(mode), *SYNONYMS)

    def find(
        self, mode: Mode, kind: str, place: Path | None, *, environ: Mapping[str, str], text: Text
    ) -> CardSource | None:
        """Return the cards of *kind* at *place*, without one those at the default place of the program.

        For `auto` return None for what is imported as notes. Raise `UsageError` for another shape, or no default place.
        """
        readers = _readers(mode)
        kind = SYNONYMS.get(kind, kind)
        if kind == AUTO:
            guessed = _guess(readers, place) if place is not None else None
            return _source(readers[guessed], place, text) if guessed and place is not None else None
        reader = readers[kind]
        place = place if place is not None else _default(reader, environ)
        if not recognised(reader, place) or not _has_cards(reader, place):
            shapes = ", ".join(name for name, _ in guesses(readers, place))
            if not shapes:
                raise UsageError("import_shape_unknown", path=shown_path(place), kind=kind)
            raise UsageError("import_shape", path=shown_path(place), kind=kind, found=shapes)
        return _source(reader, place, text)

    def waiting(self, mode: Mode, settings: ModeSettings) -> tuple[tuple[str, Path], ...]:
        """Return kind and place of what lies at the default place of its program and is no source yet."""
        from frugal_modes.vault.source_commands import available_places

        return available_places(mode, settings)


CARDS = Cards()


def _readers(mode: Mode) -> dict[str, Reader]:
    return {name: reader for name, reader in readers_of(mode).items() if name != VAULT}


def _guess(readers: Mapping[str, Reader], place: Path) -> str | None:
    """Return the kind that *place* is by its shape, None for a folder of notes and for plain text."""
    if place.is_file() and place.suffix.lower() in (".md", ".markdown", ".txt"):
        return None
    found = guesses(readers, place)
    kind = next((name for name, _ in found if _has_cards(readers[name], place)), None)
    has_notes = place.is_dir() and any(place.glob("*.[mM][dD]"))
    return None if has_notes and kind in PLAIN_NOTES else kind


def _has_cards(reader: Reader, place: Path) -> bool:
    """Tell whether a file of JSON holds a record with a text; any JSON object has the shape of one."""
    if reader.name != "jsonl":
        return True
    units = (item for item in listed(reader, place, {}) if isinstance(item, Unit))
    return any(read_unit(reader, unit, {}).cards for unit in units)


def _default(reader: Reader, environ: Mapping[str, str]) -> Path:
    places = reader.defaults(environ)
    existing = next((place for place in places if place.exists()), None)
    if existing is None:
        if not places:
            raise UsageError("no_default_place", kind=reader.name)
        shown = ", ".join(map(shown_path, places))
        raise UsageError("no_default_source", kind=reader.name, places=shown)
    return existing


def _source(reader: Reader, place: Path, text: Text) -> CardSource:
    items = listed(reader, place, {})
    problems = [item for item in items if isinstance(item, Problem)]
    units = [item for item in items if isinstance(item, Unit)]
    hints = tuple(_told(problem, text) for problem in problems if problem.reason in NOTES)
    failed = [problem for problem in problems if problem.reason not in NOTES]
    files = _files(reader, place, units, failed, text)
    return CardSource(reader.name, len(units) + len(failed), files, hints)


def _told(problem: Problem, text: Text) -> str:
    return f"{problem.path}: {why(text, problem)}"


def _files(
    reader: Reader, root: Path, units: list[Unit], failed: list[Problem], text: Text
) -> Iterator[CardFile]:
    """Yield what could not be listed, then every unit with its cards."""
    for problem in failed:
        path = root / problem.path if problem.path else root
        yield CardFile(path, left_out=(_left_out(path, problem, text),))
    for unit in units:
        yield _file(unit, read_unit(reader, unit, {}), reader.name, text)


def _file(unit: Unit, reading: Reading, kind: str, text: Text) -> CardFile:
    now = datetime.now(UTC)
    live = [card for card in reading.cards if _is_live(card, now)]
    path = unit.file.resolve()
    failed = [problem for problem in reading.problems if problem.reason not in NOTES]
    if reading.cards and kind != "jsonl":  # a flaw of front matter costs nothing that is imported
        failed = [problem for problem in failed if not _is_flaw(problem)]
    return CardFile(
        path,
        tuple(_imported(card, kind) for card in live),
        tuple(_left_out(path, problem, text) for problem in failed),
        len(reading.cards) - len(live) + reading.left_out,
    )


def _is_flaw(problem: Problem) -> bool:
    code = problem.reason.partition(": ")[0]
    return code in (
        "front_matter_not_yaml",
        "front_matter_too_long",
        "duplicate_key",
        "bad_ttl",
        "bad_priority",
    )


def _left_out(path: Path, problem: Problem, text: Text) -> LeftOut:
    reason = why(text, problem)
    if problem.place:
        return LeftOut(path, "record", {"place": problem.place, "why": reason})
    return LeftOut(path, "whole", {"why": reason})


def _is_live(card: Card, now: datetime) -> bool:
    dates = Dates(card.created, card.invalid_at, card.expires, card.status, bool(card.superseded_by))
    is_shown = hidden_because(dates, now) in ("", "future")
    return is_shown and card.state != "archived" and not card.superseded_by


def _imported(card: Card, kind: str) -> ImportedCard:
    """Return what the memory keeps of a card: statements whole, the rest of the body, tags, aliases, the newest date."""
    is_markdown = card.path.lower().endswith((".md", ".markdown"))
    tags = card.tags or (() if is_markdown else (kind,))
    if is_markdown:
        tags = (PurePosixPath(card.path).stem, *tags)
    return ImportedCard(
        name=card.native_id,
        body=_body(card),
        tags=tags,
        statements=tuple(Statement(fact.text, fact.tags) for fact in card.facts),
        date=card.updated or card.created,
        words=_words(card),
    )


def _words(card: Card) -> tuple[str, ...]:
    """Return aliases and description, as the import of notes takes them; some readers make one of the other."""
    description = (text for key, text in card.metadata if key.lower() == "description")
    found = (" ".join(word.split()) for word in (*card.aliases, *description))
    return tuple(word for word in found if word)


def _body(card: Card) -> str:
    """Return the body that is cut; a title that stands nowhere in it (the heading of a section, a field) goes first."""
    if card.facts:
        return card.rest
    is_whole_file = card.path.lower().endswith((".md", ".markdown")) and card.title not in card.headings
    start = card.title.removesuffix("...")
    if is_whole_file or not start or not card.body.strip() or start in " ".join(card.body.split()):
        return card.body
    return f"# {card.title}\n\n{card.body}" if card.title in card.headings else f"{card.title}\n\n{card.body}"
