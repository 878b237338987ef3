"""memory_capture: a new card as a Markdown file; nothing is ever overwritten."""

from dataclasses import dataclass

from frugal.api import Answer, Call, Refusal, Refused
from frugal_modes.vault import shelf
from frugal_modes.vault.hashes import content_hash
from frugal_modes.vault.kinds import DEFAULT_KIND, FOLDERS
from frugal_modes.vault.newcards import NewCard, card_text
from frugal_modes.vault.outcome import CONFLICT_EXIT, Outcome, rejected
from frugal_modes.vault.records import Card
from frugal_modes.vault.rows import fold_title
from frugal_modes.vault.scribe import Scribe, read_file, writing
from frugal_modes.vault.secrecy import leaks, leaks_refused, without_secrets
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.slugs import file_names, fold_name, slug
from frugal_modes.vault.writing import create
from frugal_modes.vault.writing_forms import REJECT, settled_tags


@dataclass(frozen=True)
class Draft:
    """What is to be stored; *source* "" = whoever calls."""

    title: str
    body: str
    kind: str
    tags: tuple[str, ...]
    source: str

    @property
    def texts(self) -> dict[str, str]:
        """The texts in which credentials are looked for, by field."""
        return {"title": self.title, "body": self.body, "tags": "\n".join(self.tags), "source": self.source}


def capture(
    call: Call,
    *,
    title: str,
    body: str,
    kind: str,
    tags: tuple[str, ...],
    source: str,
    on_conflict: str,
    reject_secrets: bool,
) -> Answer:
    """Store a card. What is there already is `unchanged`, an equal title with another body a conflict."""
    tags, problems = settled_tags(call, "memory_capture", tags)
    draft = Draft(title, body, kind or DEFAULT_KIND, tags, source)
    refused = leaks_refused(call, draft.texts, reject_secrets=reject_secrets)
    if problems or call.problems:
        raise Refused([*call.problems, *problems])
    if refused:
        return rejected(call, refused)
    with writing(call, makes_vault=True) as scribe:
        same = same_cards(scribe, draft)
        if live := [known for known in same if known.is_live]:
            return _unchanged(scribe, draft, live[0])
        conflicts, others = namesakes(scribe, draft)
        if conflicts and on_conflict == REJECT:
            outcome = Outcome(call, "conflict", {"conflict": True}, existing=conflicts)
            outcome.note("conflict_rejected", title=draft.title, **ways_on(call, conflicts[0]))
            return outcome.answer(exit_code=CONFLICT_EXIT)
        path, number = write_card(scribe, draft)
    outcome = Outcome(call, "created", existing=conflicts, leaks=leaks(call, draft.texts))
    outcome.card(number, path)
    outcome.fields["conflict"] = bool(conflicts)
    if conflicts:
        outcome.note("conflict_suffix", title=draft.title, **ways_on(call, conflicts[0]))
    if same:
        outcome.note("true_again", card=call.surface.id(same[0].number), state=same[0].state)
    note_namesakes(outcome, others)
    return outcome.answer()


def same_cards(scribe: Scribe, draft: Draft) -> list[Known]:
    """Return the cards of the vault that say the same under the same title and kind, live or not.

    The hash is a hint; the texts on disk decide.
    """
    with scribe.call.store.read() as db:
        found = shelf.with_hash(db, content_hash(draft.title, draft.body), draft.kind, at=scribe.now)
    return [known for known in found if known.is_in_vault and _says(scribe, known, draft)]


def _says(scribe: Scribe, known: Known, draft: Draft) -> bool:
    card = _card_of(scribe, known)
    return card is not None and (card.title, card.body) == (draft.title, draft.body)


def _card_of(scribe: Scribe, known: Known) -> Card | None:
    """Return the card as it is on disk, None if the file is gone or no text."""
    try:
        return read_file(scribe, known.path)[2]
    except (Refusal, OSError):
        return None


def namesakes(scribe: Scribe, draft: Draft, *, but: int = 0) -> tuple[list[Known], list[Known]]:
    """Return the live cards with an equal title: those of the vault with the same kind and another body, and the others."""
    with scribe.call.store.read() as db:
        found = shelf.titled(db, fold_title(draft.title), at=scribe.now)
    live = [known for known in found if known.is_live and known.number != but]
    conflicts = [
        known
        for known in live
        if known.is_in_vault and known.kind == draft.kind and not _has_body(scribe, known, draft)
    ]
    others = [known for known in live if not known.is_in_vault or known.kind != draft.kind]
    return conflicts, others


def _has_body(scribe: Scribe, known: Known, draft: Draft) -> bool:
    card = _card_of(scribe, known)
    return card is not None and card.body == draft.body


def write_card(scribe: Scribe, draft: Draft, *, supersedes: tuple[str, ...] = ()) -> tuple[str, int | None]:
    """Write *draft* under a free name in the folder of its kind and index it; return its vault path and number."""
    card = NewCard(
        title=draft.title,
        body=draft.body,
        kind=draft.kind,
        created=scribe.stamp,
        agent=scribe.agent,
        source=draft.source or scribe.agent,
        tags=draft.tags,
        supersedes=supersedes,
    )
    data = card_text(card).encode()
    folder = scribe.vault / FOLDERS[draft.kind]
    taken = {fold_name(item.name) for item in folder.iterdir()} if folder.is_dir() else set()
    for name in file_names(slug(without_secrets(draft.title))):
        if fold_name(name) in taken:
            continue
        try:
            create(folder / name, data)
        except FileExistsError:  # an editor was faster
            continue
        path = f"{folder.name}/{name}"
        return path, scribe.place(path)
    raise AssertionError("names never end")


def _unchanged(scribe: Scribe, draft: Draft, known: Known) -> Answer:
    """Tell that the card is there, its index row ensured; tags are not merged."""
    outcome = Outcome(scribe.call, "unchanged", leaks=leaks(scribe.call, draft.texts))
    outcome.card(scribe.place(known.path), known.path)
    tags = {tag.casefold() for tag in read_file(scribe, known.path)[2].tags}
    if draft.tags and {tag.casefold() for tag in draft.tags} != tags:
        outcome.note("tags_differ", call=calls_for(scribe.call, known))
    return outcome.answer()


def calls_for(call: Call, known: Known) -> str:
    """Return the names of the calls that change *known*: update if it was wrong, supersede if the fact changed."""
    return ", ".join(ways_on(call, known).values())


def ways_on(call: Call, known: Known) -> dict[str, str]:
    """Return the same calls by what they do."""
    return {change: call.surface.call(f"memory_{change}", known.number) for change in ("update", "supersede")}


def note_namesakes(outcome: Outcome, others: list[Known]) -> None:
    """Name the first cards of another kind or source with an equal title."""
    surface = outcome.call.surface
    if others:
        shown = ", ".join(f"{surface.id(known.number)} {known.kind} {known.ref}" for known in others[:3])
        outcome.note("same_title_elsewhere", cards=shown, count=len(others))
