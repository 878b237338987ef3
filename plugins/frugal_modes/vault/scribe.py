"""One call that writes: the vault it writes to, its one reading of the clock, and what every scribe has to ask first."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from frugal.api import Call, Refusal
from frugal_modes.vault import shelf
from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.edits import CannotEdit
from frugal_modes.vault.hashes import content_hash
from frugal_modes.vault.kinds import kind_of_path
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.places import places_of
from frugal_modes.vault.records import Card
from frugal_modes.vault.secrecy import echoed, masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.writing import VaultTrouble, locked, make_folder, told

SHELL_AGENT, CLIENT_AGENT = "agent", "mcp"


@dataclass(frozen=True)
class Scribe:
    """What a call writes with: *vault* is the folder, *now* the one reading of the clock, *stamp* the same as written."""

    call: Call
    vault: Path
    now: datetime
    agent: str

    @property
    def stamp(self) -> str:
        """The present moment as cards have it."""
        return to_stamp(self.now)

    def find(self, reference: str) -> Known | None:
        """Return the card that *reference* names."""
        with self.call.store.read() as db:
            return shelf.find(db, reference, at=self.now)

    def chain_end(self, number: int) -> Known:
        """Return the newest card in the line of successors of *number*."""
        with self.call.store.read() as db:
            return shelf.chain_end(db, number, at=self.now)

    def place(self, path: str) -> int | None:
        """Index the vault file *path* alone; None if that failed, the file stays."""
        return shelf.place(self.call, self.vault / path)


@contextmanager
def writing(call: Call, *, makes_vault: bool = False) -> Iterator[Scribe]:
    """Bring the index up to date, then hold the vault's lock. Only the default vault is made, with *makes_vault*.

    Raise `VaultTrouble` if the vault is missing, busy or cannot be written.
    """
    place = places_of(call.settings).vault
    with told(place.path):
        if not place.path.is_dir():
            if not (makes_vault and place.is_default):
                key = "vault_not_made" if place.is_default else "vault_missing"
                raise VaultTrouble(key, path=place.path, layer=place.layer)
            make_folder(place.path)
        shelf.refresh(call)
        agent = agent_of(call)
        with locked(place.path, agent):
            yield Scribe(call, place.path, call.clock().astimezone(UTC), agent)


def agent_of(call: Call) -> str:
    """Return who writes: `name@version` of the client of the protocol, `mcp` if it did not say; in the shell `agent`."""
    return SHELL_AGENT if call.is_from_shell else call.client.agent or CLIENT_AGENT


def card_named(scribe: Scribe, reference: str) -> Known:
    """Return the card that *reference* names; raise `Refusal` if there never was one."""
    known = scribe.find(reference)
    if known is None:
        raise Refusal(
            "card_unknown", value=echoed(reference), tool=scribe.call.surface.tool_word("memory_search")
        )
    return known


def writable(scribe: Scribe, known: Known) -> None:
    """Raise `Refusal` if *known* is not a card of the vault whose file is there."""
    surface = scribe.call.surface
    if not known.is_in_vault:
        raise Refusal(
            "card_read_only",
            card=surface.id(known.number),
            source=known.source,
            tool=surface.tool_word("memory_supersede"),
        )
    if known.state == "gone" or not (scribe.vault / known.path).is_file():
        call = surface.call("memory_delete", known.number, undo=True)
        raise Refusal("card_gone", card=surface.id(known.number), path=masked(known.path), call=call)


def read_file(scribe: Scribe, path: str) -> tuple[bytes, str, Card]:
    """Return the bytes, the text and the card of a vault file as it is on disk; raise `Refusal` if it is no text."""
    data = (scribe.vault / path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("card_not_utf8", path=masked(path), position=error.start + 1) from None
    return data, text, read_card(text, path=path, kind=kind_of_path(path)).cards[0]


def hash_on_disk(scribe: Scribe, path: str) -> str:
    """Return the content hash of a vault file as it is, "" if it is no text."""
    try:
        card = read_file(scribe, path)[2]
    except Refusal:
        return ""
    return content_hash(card.title, card.body)


def broken(path: str, error: CannotEdit) -> Refusal:
    """Return the refusal of a file whose front matter cannot be changed."""
    key = "front_matter_broken" if error.line else "front_matter_stiff"
    return Refusal(key, path=masked(path), line=error.line)
