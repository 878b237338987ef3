"""import of another system's cards: found by the mode that has readers for them."""

from pathlib import Path
from typing import TYPE_CHECKING

from frugal.cli.session import Session
from frugal.model import Mode, resolve
from frugal.strings import load_catalogue

if TYPE_CHECKING:
    from frugal.entries.cards import CardFinder, CardSource


def card_mode(session: Session) -> Mode | None:
    """Return the mode that reads the cards of other systems, None without its plugin."""
    return next((mode for mode in session.registry().modes if mode.card_source), None)


def kinds_of(session: Session) -> tuple[str, ...]:
    """Return the kinds of cards that can be imported."""
    mode = card_mode(session)
    return _finder(mode).kinds(mode) if mode is not None else ()


def find_cards(session: Session, kind: str, place: Path | None) -> "CardSource | None":
    """Return the cards of *kind* at *place*, or at the default place of their program.

    For `auto` return None where the shape is not that of a program. Raise `UsageError` for another shape.
    """
    mode = card_mode(session)
    if mode is None:
        return None
    catalogue = load_catalogue(session.catalogue.language, [*mode.includes, mode.package])
    return _finder(mode).find(mode, kind, place, environ=session.environ, text=catalogue.text)


def _finder(mode: Mode) -> "CardFinder":
    finder: CardFinder = resolve(mode.card_source)
    return finder
