"""memory_supersede: a fact changed; a new card takes the place of the old one, which stays on disk and is hidden."""

from frugal.api import Answer, Call, Refusal, Refused
from frugal_modes.vault.capture import Draft, namesakes, note_namesakes, same_cards, write_card
from frugal_modes.vault.edits import CannotEdit, edited
from frugal_modes.vault.frontmatter import read_front_matter
from frugal_modes.vault.kinds import DEFAULT_KIND, KINDS
from frugal_modes.vault.outcome import Outcome, rejected
from frugal_modes.vault.scribe import Scribe, broken, card_named, read_file, writing
from frugal_modes.vault.secrecy import leaks, leaks_refused, masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.writing import replace
from frugal_modes.vault.writing_forms import settled_tags
from frugal_modes.vault.yamlevents import Value


def supersede(
    call: Call,
    *,
    old_id: str,
    title: str,
    body: str,
    kind: str,
    tags: tuple[str, ...],
    source: str,
    reject_secrets: bool,
) -> Answer:
    """Write a card that supersedes *old_id*; a live card that says the same gets the pointer instead."""
    tags, problems = settled_tags(call, "memory_supersede", tags)
    given = Draft(title, body, kind, tags, source)
    refused = leaks_refused(call, given.texts, reject_secrets=reject_secrets)
    if problems or call.problems:
        raise Refused([*call.problems, *problems])
    if refused:
        return rejected(call, refused)
    with writing(call) as scribe:
        old = card_named(scribe, old_id)
        draft = Draft(title, body, kind or (old.kind if old.kind in KINDS else DEFAULT_KIND), tags, source)
        if old.state == "gone":
            raise Refusal("superseding_gone", card=call.surface.id(old.number), path=masked(old.path))
        end = scribe.chain_end(old.number)
        if end.number != old.number:
            return _already(scribe, old, end, draft)
        _refuse_same(scribe, old, draft)
        outcome = Outcome(call, "created", leaks=leaks(call, draft.texts))
        twin = next((known for known in same_cards(scribe, draft) if known.is_live), None)
        if twin is not None:
            _point(scribe, outcome, twin, old)
        else:
            _write(scribe, outcome, draft, old)
        outcome.fields["superseded"] = call.surface.id(old.number)
    return outcome.answer()


def _already(scribe: Scribe, old: Known, end: Known, draft: Draft) -> Answer:
    """Refuse to supersede what is superseded, naming the end of the chain; with that end's content all is as wanted."""
    surface = scribe.call.surface
    if end.is_in_vault and (scribe.vault / end.path).is_file():
        card = read_file(scribe, end.path)[2]
        if (card.title, card.body) == (draft.title, draft.body):
            outcome = Outcome(scribe.call, "unchanged", leaks=leaks(scribe.call, draft.texts))
            outcome.card(end.number, end.path)
            return outcome.answer()
    raise Refusal(
        "already_superseded",
        card=surface.id(old.number),
        successor=surface.id(end.number),
        path=masked(end.path),
    )


def _refuse_same(scribe: Scribe, old: Known, draft: Draft) -> None:
    """Raise `Refusal` if the new card says what the old one says; in another kind it is another card."""
    if draft.kind != old.kind:
        return
    if old.is_in_vault:
        card = read_file(scribe, old.path)[2]
        is_same = (card.title, card.body) == (draft.title, draft.body)
    else:
        is_same = _body_of(scribe, old) == (draft.title, draft.body)
    if is_same:
        surface = scribe.call.surface
        raise Refusal("same_as_old", card=surface.id(old.number), tool=surface.tool_word("memory_update"))


TEXT = "SELECT title, body FROM card JOIN card_text USING (number) WHERE number = :number"


def _body_of(scribe: Scribe, old: Known) -> tuple[str, str]:
    """Return title and body of a card that is not in the vault, as the index has them."""
    with scribe.call.store.read() as db:
        row = db.execute(TEXT, {"number": old.number}).fetchone()
    return (row[0], row[1].strip()) if row else ("", "")


def _write(scribe: Scribe, outcome: Outcome, draft: Draft, old: Known) -> None:
    """Write the new card, then the pointers of the old one: the index derives them, should this end in between."""
    conflicts, others = namesakes(scribe, draft, but=old.number)
    path, number = write_card(scribe, draft, supersedes=(pointer(old),))
    outcome.card(number, path)
    outcome.existing = conflicts
    if conflicts:
        outcome.fields["conflict"] = True
    _mark(scribe, outcome, old, successor=path, since=scribe.stamp)
    note_namesakes(outcome, others)


def _point(scribe: Scribe, outcome: Outcome, twin: Known, old: Known) -> None:
    """Let *twin*, which says the same and is live, supersede *old*: no new file."""
    _refuse_circle(scribe, twin, old)
    _, text, card = read_file(scribe, twin.path)
    pointers = tuple(dict.fromkeys((*card.supersedes, pointer(old))))
    value: Value = pointers if len(pointers) > 1 else pointers[0]
    _change(scribe, twin.path, text, {"supersedes": value})
    outcome.action = "pointed"
    outcome.card(scribe.place(twin.path), twin.path)
    _mark(scribe, outcome, old, successor=twin.path, since=card.created or scribe.stamp)


def _refuse_circle(scribe: Scribe, twin: Known, old: Known) -> None:
    """Raise `Refusal` if *old* supersedes *twin* already, at first or at second hand."""
    ahead, seen = [old], {old.number}
    while ahead:
        known = ahead.pop()
        for number in known.supersedes:
            if number == twin.number:
                surface = scribe.call.surface
                raise Refusal("circle", card=surface.id(old.number), successor=surface.id(twin.number))
            found = scribe.find(str(number))
            if found is not None and number not in seen:
                seen.add(number)
                ahead.append(found)


def pointer(known: Known) -> str:
    """Return how another card points to *known*: by its vault path, or by its ref if it lies in another source."""
    return known.path if known.is_in_vault else known.ref


def _mark(scribe: Scribe, outcome: Outcome, old: Known, *, successor: str, since: str) -> None:
    """Say in the front matter of *old* that *successor* supersedes it; a source that is read only stays as it is."""
    if not old.is_in_vault:
        outcome.note("old_read_only", card=scribe.call.surface.id(old.number), source=old.source)
        return
    _, text, _ = read_file(scribe, old.path)
    kept = tuple(path for path in _paths(text) if path != successor)
    value: Value = (*kept, successor) if kept else successor
    try:
        _change(scribe, old.path, text, {"invalid_at": since, "superseded_by": value})
    except Refusal:
        outcome.note("old_unmarked", card=scribe.call.surface.id(old.number), path=masked(old.path))
    scribe.place(old.path)


def _paths(text: str) -> tuple[str, ...]:
    value = read_front_matter(text).values.get("superseded_by", ())
    return tuple(item for item in ((value,) if isinstance(value, str) else value) if item.strip())


def _change(scribe: Scribe, path: str, text: str, values: dict[str, Value | None]) -> None:
    try:
        replace(scribe.vault / path, edited(text, values).encode())
    except CannotEdit as error:
        raise broken(path, error) from None
